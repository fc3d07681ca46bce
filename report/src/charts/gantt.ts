// Who ran when: a bar for each thread and phase over time, with marked moments.

import { doubtful, type Cell } from '../data';
import { quantity } from '../numbers';
import { valuesOf } from '../view';
import { axisTitle, sentence, valueTitle, metricTitle } from '../words';
import { axisStyle, boxStyle, doubtEntries, doubtNotes, frame, has, maxOf, niceStep, scaleOf, seriesColor, tooltipBox, valueAxis, type Context, type Drawing,
  type LegendEntry } from './kit';

export interface GanttShape {
  /** A row for each of its values. */
  row: string;
  /** Metrics that are moments, in their order in time: phases lie between them. */
  moments: string[];
  /** The names of the phases, one fewer than moments. */
  phases: string[];
  /** The metric to mark as a span from zero: its cell has no row. */
  delay?: string;
  /** The metrics of the first and the last moment at which several ran, and of the time in which they did. */
  parallel?: [string, string, string];
  /** The row of who starts the others, and what its first phase is called. */
  starter?: { row: number | string; phase: string };
}

const starts = (row: number | string, shape: GanttShape) => shape.starter !== undefined && shape.starter.row === row;
/** "0, starts the others" */
export const rowName = (row: number | string, shape: GanttShape): string => `${valueTitle(shape.row, row)}${starts(row, shape) ? ', starts the others' : ''}`;
export const phaseName = (phase: number, row: number | string, shape: GanttShape): string =>
  (phase === 0 && starts(row, shape) ? shape.starter!.phase : shape.phases[phase]!);

interface Bar {
  row: number;
  phase: number;
  from: number;
  to: number;
  /** One of its ends that is doubtful, if one is, else any. */
  told: Cell;
}

function barsOf(cells: Cell[], rows: (number | string)[], shape: GanttShape): Bar[] {
  const at = (row: number | string, metric: string) => cells.find((c) => c.at[shape.row] === row && c.metric === metric && has(c));
  return rows.flatMap((row, i) =>
    shape.phases.flatMap((_, phase) => {
      const from = at(row, shape.moments[phase]!);
      const to = at(row, shape.moments[phase + 1]!);
      if (!from || !to || to.value! < from.value!) return [];
      return [{ row: i, phase, from: from.value!, to: to.value!, told: [from, to].find(doubtful) ?? to }];
    }),
  );
}

type Api = { value: (i: number) => number; coord: (p: number[]) => number[]; size: (p: number[]) => number[] };

export function drawGantt(cells: Cell[], shape: GanttShape, ctx: Context): Drawing {
  const moments = ctx.scaled.filter((c) => shape.moments.includes(c.metric));
  const scale = scaleOf(moments);
  const unit = moments[0]?.unit ?? 'ns';
  const rows = valuesOf(cells.filter((c) => shape.moments.includes(c.metric)), shape.row);
  const bars = barsOf(cells, rows, shape);
  const delay = shape.delay ? cells.find((c) => c.metric === shape.delay && has(c)) : undefined;
  const parallel = (shape.parallel ?? []).map((metric) => cells.find((c) => c.metric === metric && has(c))?.value);
  const [begin, end, time] = parallel;
  const most = Math.max(maxOf(moments.filter(has).map((c) => c.value)), delay?.value ?? 0);
  const step = niceStep(most / scale.factor, ctx.width < 520 ? 3 : 6) * scale.factor;
  const base = frame(ctx.theme, sentence(axisTitle(shape.row)));
  const together = typeof begin === 'number' && typeof end === 'number' && typeof time === 'number' && time > 0;
  const words = (b: Bar) => `${phaseName(b.phase, rows[b.row]!, shape)}: ${quantity(b.from, unit)} to ${quantity(b.to, unit)}`;
  // Who starts the others does something else meanwhile.
  const started = bars.some((b) => b.phase === 0 && starts(rows[b.row]!, shape));
  const colorOf = (b: Bar) => (b.phase === 0 && starts(rows[b.row]!, shape) ? shape.phases.length : b.phase);
  const option = {
    ...base,
    grid: { ...(base.grid as object), top: 30 + (delay ? 22 : 0) + (together ? 18 : 0) },
    tooltip: { ...(base.tooltip as object), trigger: 'item', formatter: (at: { dataIndex: number }) =>
      tooltipBox(`${sentence(axisTitle(shape.row))} ${rowName(rows[bars[at.dataIndex]!.row]!, shape)}`,
      [{ name: '', text: words(bars[at.dataIndex]!) }]) },
    xAxis: { ...valueAxis(ctx.theme, `Time since the first trigger${scale.unit ? `, ${scale.unit}` : ''}`, scale), max: Math.ceil(most / step) * step || 1,
      interval: step },
    yAxis: { ...axisStyle(ctx.theme, ''), type: 'category', inverse: true, data: rows.map((r) => rowName(r, shape)), axisTick: { show: false },
      axisLabel: { color: ctx.theme.ink, fontSize: 12, fontFamily: ctx.theme.font, interval: 0 } },
    series: [
      {
        type: 'custom',
        id: 'phases',
        clip: true,
        data: bars.map((b) => [b.row, b.from, b.to, colorOf(b)]),
        encode: { x: [1, 2], y: 0 },
        renderItem: (at: { dataIndex: number }, api: Api) => {
          const from = api.coord([api.value(1), api.value(0)]);
          const to = api.coord([api.value(2), api.value(0)]);
          const height = Math.min(18, api.size([0, 1])[1]! * 0.62);
          return { type: 'rect', shape: { x: from[0]!, y: from[1]! - height / 2, width: Math.max(1, to[0]! - from[0]!), height, r: 1 },
            style: phaseStyle(api.value(3), bars[at.dataIndex]?.told, ctx) };
        },
      },
      ...(together ? [parallelSeries([begin, end], `in parallel ${quantity(time, unit)}`, rows.length, delay !== undefined, ctx)] : []),
      ...(delay ? [delaySeries(delay, rows.length, ctx)] : []),
    ],
  };
  return {
    option,
    height: 96 + (together ? 18 : 0) + rows.length * 28,
    renderer: 'svg',
    points: bars.map((b, index) => ({ text: `${axisTitle(shape.row)} ${rowName(rows[b.row]!, shape)}, ${words(b)}`, series: 'phases', index })),
    label: `Timeline: what each ${axisTitle(shape.row)} did when${delay ? `; ${metricTitle(delay.metric)} ${quantity(delay.value!, delay.unit)}` : ''}.`,
    legend: [...[...shape.phases, ...(started ? [shape.starter!.phase] : [])].map((name, i): LegendEntry =>
      ({ name, color: seriesColor(ctx.theme, i), symbol: 'box', shown: true, fixed: true })),
      ...doubtEntries(bars.map((b) => b.told), ctx.theme, 'box')],
    notes: doubtNotes(cells),
  };
}

function phaseStyle(phase: number, c: Cell | undefined, ctx: Context): Record<string, unknown> {
  const s = boxStyle(ctx.theme, seriesColor(ctx.theme, phase), c);
  return { fill: s.color, stroke: s.borderColor, lineWidth: s.borderColor ? 1.4 : 0, lineDash: s.borderType === 'dashed' ? [3, 2] : null };
}

/** Text of about this width, kept inside the chart. */
const inside = (x: number, text: string, width: number) => Math.max(4, Math.min(x, width - 18 - text.length * 6.6));

/** A band behind the bars where several threads ran, with the time in which they did. */
function parallelSeries([from, to]: [number, number], words: string, rows: number, above: boolean, ctx: Context): Record<string, unknown> {
  return {
    type: 'custom',
    silent: true,
    clip: false,
    z: 1,
    data: [[from, to, rows - 1]],
    encode: { x: [0, 1] },
    renderItem: (_: unknown, api: Api) => {
      const half = api.size([0, 1])[1]! / 2;
      const top = api.coord([0, 0])[1]! - half;
      const bottom = api.coord([0, api.value(2)])[1]! + half;
      const [x0, x1] = [api.coord([api.value(0), 0])[0]!, api.coord([api.value(1), 0])[0]!];
      return {
        type: 'group',
        children: [
          { type: 'rect', shape: { x: x0, y: top, width: Math.max(1, x1 - x0), height: bottom - top }, style: { fill: ctx.theme.ink, opacity: 0.12 } },
          { type: 'text', style: { text: words, x: inside(x0, words, ctx.width), y: top - (above ? 30 : 4), fill: ctx.theme.ink, fontSize: 12,
            fontFamily: ctx.theme.font, textVerticalAlign: 'bottom' } },
        ],
      };
    },
  };
}

/** A bracket over the chart from zero to the delay, with its length. */
function delaySeries(delay: Cell, rows: number, ctx: Context): Record<string, unknown> {
  return {
    type: 'custom',
    silent: true,
    clip: false,
    z: 6,
    data: [[0, delay.value!, rows - 1]],
    encode: { x: [0, 1] },
    renderItem: (_: unknown, api: Api) => {
      const top = api.coord([0, 0])[1]! - api.size([0, 1])[1]! / 2;
      const bottom = api.coord([0, api.value(2)])[1]! + api.size([0, 1])[1]! / 2;
      const [x0, x1] = [api.coord([0, 0])[0]!, api.coord([api.value(1), 0])[0]!];
      const style = { stroke: ctx.theme.ink, lineWidth: 1.2 };
      const line = (a: number, b: number, c: number, d: number, more: object = {}) => ({ type: 'line', shape: { x1: a, y1: b, x2: c, y2: d },
        style: { ...style, ...more } });
      return {
        type: 'group',
        children: [
          line(x0, top - 6, x1, top - 6), line(x0, top - 10, x0, top - 2), line(x1, top - 10, x1, bottom, { lineDash: [4, 3] }),
          { type: 'text', style: { text: `${metricTitle(delay.metric)} ${quantity(delay.value!, delay.unit)}${doubtful(delay) ? ' (doubtful)' : ''}`,
            x: x0, y: top - 12, fill: ctx.theme.ink, fontSize: 12, fontFamily: ctx.theme.font, textVerticalAlign: 'bottom' } },
        ],
      };
    },
  };
}
