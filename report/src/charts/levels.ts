// What the paper's text says of a whole figure of bars: a field across all rows, with its words above.

import { publishedName, type Context, type LegendEntry } from './kit';
import type { PublishedLevel } from '../published';

/** The room above the rows for the words of one. */
export const levelHeight = 15;
const dash = [4, 3];

interface Area {
  coordSys: { x: number; width: number };
}

interface Api {
  coord: (p: number[]) => number[];
  size: (p: number[]) => number[];
}

const text = (words: string, x: number, y: number, align: 'left' | 'right', ctx: Context) => ({ type: 'text', style: { text: words, x, y, fill: ctx.theme.ink,
  fontSize: 11, fontFamily: ctx.theme.font, textAlign: align, textVerticalAlign: 'bottom' } });

/** From the begin of a range to its end, behind the numbers of bars; a single number is a line. `place`: how many words stand below these. */
export function levelSeries(words: string, level: PublishedLevel, place: number, rows: number, ctx: Context): Record<string, unknown> {
  return {
    type: 'custom', id: `${publishedName} ${place}`, silent: true, z: 4, data: [[level.value, level.to]], encode: { x: [0, 1] },
    renderItem: (area: Area, api: Api) => {
      const half = api.size([0, 1])[1]! / 2;
      const [from, first] = api.coord([level.value, 0]) as [number, number];
      const [to, last] = api.coord([level.to, rows - 1]) as [number, number];
      const [top, bottom] = [first - half, last + half];
      const edge = (x: number) => ({ type: 'line', shape: { x1: x, y1: top - 2, x2: x, y2: bottom }, style: { stroke: ctx.theme.ink, lineWidth: 1.2,
        lineDash: dash } });
      const field = { type: 'rect', shape: { x: from, y: top, width: to - from, height: bottom - top }, style: { fill: ctx.theme.ink, opacity: 0.1 } };
      const isRight = (from + to) / 2 > area.coordSys.x + area.coordSys.width / 2;
      const room = words.length * 6.2;
      const x = isRight ? Math.min(Math.max(to, room), ctx.width) : Math.max(Math.min(from, ctx.width - room), 0);
      return { type: 'group', children: [...(to > from ? [field, edge(to)] : []), edge(from),
        text(words, x, top - 4 - place * levelHeight, isRight ? 'right' : 'left', ctx)] };
    },
  };
}

export const levelEntry = (levels: PublishedLevel[], ctx: Context): LegendEntry[] =>
  (levels.length > 0 ? [{ name: publishedName, color: ctx.theme.ink, symbol: 'dash', shown: true, dash, fixed: true }] : []);
