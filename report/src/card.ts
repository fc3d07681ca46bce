// One picture of a machine to send on: its map, and the few facts that are sure; and the same in words, to paste below it.

import { legendColors } from './charts/heat';
import { slug } from './dom';
import { withoutFacts } from './doubts';
import { aboutMachine } from './page/machine';
import { chartOf, textWidth, wrapped, type Key, type Picture } from './picture';
import type { Drawing } from './charts/kit';
import { startOf, textOf, type Headline, type Run } from './data';
import { shape, svgText, type Shape } from './svg';
import type { Theme } from './theme';
import { topologyOf } from './topology';

export interface Card {
  picture: Picture;
  caption: string;
  /** Of a file, without its ending: it holds the machine's name. */
  name: string;
}

/** The map of the processors that was measured. */
export interface CardMap {
  title: string;
  drawing: Drawing;
  key: Key;
}

const cardWidth = 1200;
const cardHeight = 630;
const mostFacts = 5;
const edge = 48;
const map = { x: edge, y: 152, width: 460, height: 400 };
/** At this width a map of many processors is as high as there is room for. */
export const mapWidth = map.height;
/** Where facts stand beside a map. */
const beside = 556;
const figureWidth = 150;
const floor = 584;

/** Text in so many lines; what is left out is seen to be. */
function lines(text: string, width: number, size: number, theme: Theme, most: number, weight = 400): string[] {
  const all = wrapped(text, width, size, theme, weight);
  if (all.length <= most) return all;
  const kept = all.slice(0, most);
  let last = kept[most - 1]!;
  while (last !== '' && textWidth(`${last}…`, size, theme, weight) > width) last = last.slice(0, -1);
  return [...kept.slice(0, -1), `${last.trimEnd()}…`];
}

/** The size, no larger than this, in which the text fits. */
const fitted = (text: string, width: number, size: number, least: number, theme: Theme): number =>
  Math.max(least, Math.min(size, (size * width) / Math.max(1, textWidth(text, size, theme, 650))));

interface Placed {
  shapes: Shape[];
  height: number;
}

function factOf(fact: Headline, x: number, y: number, theme: Theme): Placed {
  const size = fitted(fact.figure, figureWidth - 14, 28, 16, theme);
  const width = cardWidth - edge - x - figureWidth;
  const line = (text: string, at: number, size: number, fill: string, className: string) =>
    shape('text', { class: className, x: x + figureWidth, y: at, 'font-size': size, fill }, text);
  const told = lines(`${fact.text}.`, width, 16, theme, 3);
  const detail = lines(fact.detail, width, 13, theme, 1);
  const shapes = [shape('text', { class: 'figure', x, y: y + 24, 'font-size': size, 'font-weight': 650, fill: theme.ink }, fact.figure),
    ...told.map((t, i) => line(t, y + 19 + 20 * i, 16, theme.ink, 'fact')),
    ...detail.map((t) => line(t, y + 16 + 20 * told.length, 13, theme.muted, 'detail'))];
  return { shapes, height: 20 * told.length + 16 * detail.length + 14 };
}

/** As many as there is room for, the first first. */
function factsOf(run: Run, x: number, theme: Theme): Shape[] {
  const shapes: Shape[] = [];
  let y = map.y - 24;
  for (const fact of run.headlines.slice(0, mostFacts)) {
    const placed = factOf(fact, x, y, theme);
    if (y + placed.height > floor) break;
    shapes.push(shape('g', { class: 'told' }, ...placed.shapes));
    y += placed.height;
  }
  if (shapes.length > 0) return shapes;
  return lines(withoutFacts(run), cardWidth - edge - x, 17, theme, 12).map((text, i) =>
    shape('text', { class: 'fact', x, y: map.y + 23 * i, 'font-size': 17, fill: theme.muted }, text));
}

function keyOf({ least, most, share }: Key, y: number, theme: Theme): Shape {
  const from = edge + textWidth(least, 14, theme) + 10;
  const colors = legendColors(share, 40);
  const step = 220 / colors.length;
  const word = (x: number, text: string) => shape('text', { x, y: y + 12, 'font-size': 14, fill: theme.ink }, text);
  return shape('g', { class: 'legend' }, word(edge, least),
    ...colors.map((fill, i) => shape('rect', { x: from + i * step, y, width: step + 0.5, height: 13, fill })), word(from + 230, most));
}

/** The measured map or, where there is none, what is known of the processors without measuring. */
function mapOf(run: Run, measured: CardMap | null, theme: Theme): Shape['children'] | null {
  const heading = (text: string) => shape('text', { class: 'map-title', x: edge, y: map.y - 6, 'font-size': 17, 'font-weight': 600, fill: theme.ink },
    lines(text, map.width, 17, theme, 1, 600)[0] ?? '');
  if (!measured) {
    const topology = topologyOf(run, map.width, map.height, theme);
    return topology && [heading('Its processors, by shared cache'), shape('g', { class: 'topology', transform: `translate(${map.x},${map.y + 10})` },
      ...topology)];
  }
  // The frame of a map is its side and some room for names, above and at the left.
  const { height } = measured.drawing;
  const zoom = Math.min(map.width / (height - 2), map.height / height);
  return [heading(measured.title), { markup: chartOf(measured.drawing, height - 2, map.x, map.y + 8, zoom) }, keyOf(measured.key, floor - 12, theme)];
}

const madeBy = (run: Run): string => {
  const version = textOf(run.tool, 'version');
  const date = startOf(run);
  const how = run.kind === 'simulated' ? 'simulated' : 'measured';
  return [version ? `Synchroscope ${version}` : 'Synchroscope', date ? `${how} ${date}` : how].join(' · ');
};

/** The machine, what is sure about it, and how it was found: plain text. */
function captionOf(run: Run, measured: CardMap | null): string {
  const facts = run.headlines.slice(0, mostFacts).map((f) => `- ${f.figure} ${f.text}${f.detail === '' ? '' : ` [${f.detail}]`}.`);
  const unsure = run.nothingSure === null ? [] : [run.nothingSure];
  const seen = measured && unsure.length === 0
    ? [`Map: ${measured.title.toLowerCase()}, ${[measured.key.least, measured.key.most].filter((t) => t !== '').join(' to ')}.`] : [];
  const brackets = facts.length > 0 ? ['In square brackets: 95 % intervals, and how it was measured.'] : [];
  return [[run.name, ...aboutMachine(run)].join(' · '), ...facts, ...unsure, ...seen, ...brackets, `${madeBy(run)}.`].join('\n').replace(/\u00a0/g, ' ');
}

export function cardOf(run: Run, measured: CardMap | null, theme: Theme): Card {
  const drawn = mapOf(run, measured, theme);
  const title = fitted(run.name, cardWidth - 2 * edge, 40, 24, theme);
  const about = lines(aboutMachine(run).join(' · '), cardWidth - 2 * edge, 17, theme, 1);
  const content: Shape['children'] = [
    shape('title', {}, run.name), shape('rect', { width: cardWidth, height: cardHeight, fill: theme.paper }),
    shape('rect', { width: cardWidth, height: 8, fill: theme.series[0]! }),
    shape('text', { class: 'title', x: edge, y: 66, 'font-size': title, 'font-weight': 650, fill: theme.ink },
      lines(run.name, cardWidth - 2 * edge, title, theme, 1, 650)[0] ?? ''),
    ...about.map((t) => shape('text', { class: 'about', x: edge, y: 96, 'font-size': 17, fill: theme.muted }, t)),
    ...(drawn ?? []), ...factsOf(run, drawn ? beside : edge, theme),
    shape('text', { class: 'made', x: cardWidth - edge, y: 610, 'font-size': 14, 'text-anchor': 'end', fill: theme.muted }, madeBy(run)),
  ];
  const svg = shape('svg', { xmlns: 'http://www.w3.org/2000/svg', width: cardWidth, height: cardHeight, viewBox: `0 0 ${cardWidth} ${cardHeight}`,
    'font-family': theme.font }, ...content);
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${svgText(svg)}\n`;
  return { picture: { width: cardWidth, height: cardHeight, text }, caption: captionOf(run, measured),
    name: ['synchroscope', slug(run.name).slice(0, 60), 'card'].filter((t) => t !== '').join('-') };
}
