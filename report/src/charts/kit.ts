// What all charts share: the drawing a kind returns, the frame around it, the words of a cell.

import { doubtful, isFar, type Cell } from '../data';
import type { Places } from '../colours';
import type { Part } from './part';
import { interval, quantity, scaleFor, tick, withInterval, type Scale } from '../numbers';
import type { Published } from '../published';
import { farMark, mixed, type Theme } from '../theme';
import { directionWords, flagWords, metricTitle, sentence, someAre, unreliableWords } from '../words';

export interface Drawing {
  option: Record<string, unknown>;
  height: number;
  /** Narrower than this it would not be legible: the figure scrolls instead. */
  minWidth?: number;
  renderer: 'svg' | 'canvas';
  /** What the arrow keys walk through, in words, with the element to point at. */
  points: Point[];
  /** For a screen reader: what the chart shows. */
  label: string;
  /** Names and colours, for a legend in the page. */
  legend: LegendEntry[];
  /** Remarks below the chart. */
  notes: string[];
  /** How many rows are not shown until the reader asks for all. */
  more?: number;
  /** Of a map that can be zoomed: how many processors it has, and which are shown, also in words. */
  zoom?: { all: number; part: Part; said: string };
}

export interface Point {
  text: string;
  series?: string;
  index?: number;
  /** Who of those that compete it is about. */
  of?: string | undefined;
}

export interface LegendEntry {
  name: string;
  color: string;
  /** `hollow` and `far` are boxes of doubtful values, and of those measured far from each other. */
  symbol: 'line' | 'box' | 'dash' | 'hollow' | 'far' | 'point';
  shown: boolean;
  dash?: string | number[] | undefined;
  /** The path of a line's points. */
  point?: string;
  /** Explains, and switches nothing. */
  fixed?: boolean;
}

export interface Context {
  theme: Theme;
  /** Of lines, as in all figures of the page. */
  colours: Places;
  width: number;
  /** Series the reader has switched on or off by hand. */
  hidden: Set<string>;
  /** The reader asked for all rows. */
  expanded: boolean;
  /** The part of a map that the reader looks at; nothing for all of it. */
  part: Part | null;
  /** What all charts of a figure show: names and colours are the same in each. */
  all: Cell[];
  /** What the axes must hold: all, or only this chart's own. */
  scaled: Cell[];
  /** The same, chart by chart. */
  beside: Cell[][];
  /** The vertical axis of lines follows the logarithm. */
  log: boolean;
  /** The point of one thread is left out. */
  withoutOne: boolean;
  /** How many processors the machine has; 0 if that is not known. */
  processors: number;
  /** Intervals are the spread over seeds, and no errors of measurement. */
  simulated: boolean;
  /** What is shown are quotients of two runs. */
  ratio: boolean;
  /** What the paper's text says of this figure. */
  published: Published[];
  /** The closed form that bounds what is shown, of the same places; nothing where there is none. */
  bounds: Cell[];
}

/** What the legend calls values from the paper's text. */
export const publishedName = 'published in the paper';

/** Of any number of values; as arguments of Math.max there could be too many. */
export const maxOf = (values: number[]): number => values.reduce((most, v) => (v > most ? v : most), 0);

export const has = (c: Cell): c is Cell & { value: number } => c.value !== null;

export function scaleOf(cells: Cell[]): Scale {
  const values: number[] = [];
  for (const c of cells) if (c.value !== null) values.push(c.value);
  return scaleFor(cells[0]?.unit ?? '1', values);
}

/** "throughput, Mop/s (higher is better)" */
export function valueAxisTitle(cells: Cell[], scale: Scale): string {
  const first = cells.find(has) ?? cells[0];
  if (!first) return '';
  const words = directionWords(first.better);
  const name = metricTitle(first.metric);
  const unit = scale.unit === '' || name.endsWith(scale.unit) ? '' : `, ${scale.unit}`;
  return sentence(`${name}${unit}${words ? ` (${words})` : ''}`);
}

/** "26.3 ns (25.9 to 26.8 ns)", or why there is none. */
export function told(c: Cell): string {
  if (c.value === null) return c.reason ? `no value: ${c.reason}` : c.valid ? 'no value' : 'its self-check failed';
  const value = quantity(c.value, c.unit);
  return withInterval(value, c.ci ? interval(c.ci, c.unit) : 'no interval');
}

/** What an interval says. */
export const intervalWords = (simulated: boolean): string =>
  simulated ? 'of a simulated machine the spread over seeds, which is not the model’s error' : 'where the true value lies, with 95 % confidence';

/** Whatever else is to be known of a cell, in a line. */
export function remarksOn(c: Cell): string[] {
  const remarks: string[] = [];
  if (c.value !== null && c.flag !== 'ok' && !c.published) remarks.push(flagWords[c.flag] ?? c.flag);
  if (isFar(c)) remarks.push(`measured while the processors were ${String(c.at.mode)}`);
  if (c.value !== null && c.reason) remarks.push(c.reason);
  return remarks;
}

/** The frame of a chart with two axes. The title of the vertical axis stands on top, where it is read without turning. */
export function frame(theme: Theme, yTitle: string): Record<string, unknown> {
  return {
    animation: false,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, color: theme.ink },
    title: {
      text: yTitle,
      left: 0,
      top: 0,
      padding: [4, 0, 0, 0],
      textStyle: { fontSize: 12, fontWeight: 400, color: theme.muted, fontFamily: theme.font },
    },
    grid: { left: 4, right: 18, top: 30, bottom: 6, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    tooltip: {
      confine: true,
      appendTo: undefined,
      backgroundColor: theme.paper,
      borderColor: theme.line,
      padding: [6, 10],
      extraCssText: 'box-shadow: 0 2px 10px rgb(0 0 0 / 18%); max-width: 24rem; white-space: normal;',
      textStyle: { color: theme.ink, fontFamily: theme.font, fontSize: 12 },
    },
  };
}

export function axisStyle(theme: Theme, title: string): Record<string, unknown> {
  return {
    name: title,
    nameLocation: 'middle',
    nameGap: 24,
    nameTextStyle: { color: theme.muted, fontSize: 12, lineHeight: 15, fontFamily: theme.font },
    axisLabel: { color: theme.muted, fontSize: 11, fontFamily: theme.font, hideOverlap: true },
    axisLine: { show: true, lineStyle: { color: theme.line } },
    axisTick: { lineStyle: { color: theme.line } },
    splitLine: { lineStyle: { color: theme.faint } },
  };
}

export function valueAxis(theme: Theme, title: string, scale: Scale): Record<string, unknown> {
  return {
    ...axisStyle(theme, title),
    type: 'value',
    min: 0,
    axisLabel: { color: theme.muted, fontSize: 11, fontFamily: theme.font, formatter: (v: number) => tick(v / scale.factor) },
  };
}

/** Below a narrow chart the direction goes to a line of its own. */
export const fitting = (title: string, width: number): string => (width < 520 ? title.replace(' (', '\n(') : title);

/** What a chart of rows needs above and below them. */
export const belowBars = (width: number): number => (width < 520 ? 92 : 74);

/** Ticks at round numbers of what is shown, not of what is stored. */
export function niceStep(most: number, steps = 5): number {
  const rough = most / steps || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999) ?? rough;
}

export function tooltipBox(title: string, lines: { name: string; text: string; color?: string; remarks?: string[] }[]): HTMLElement {
  const box = document.createElement('div');
  box.className = 'tip';
  const head = document.createElement('div');
  head.className = 'tip-title';
  head.textContent = title;
  box.append(head);
  for (const line of lines) {
    const row = document.createElement('div');
    row.className = 'tip-row';
    if (line.color) {
      const mark = document.createElement('span');
      mark.className = 'tip-mark';
      mark.style.background = line.color;
      row.append(mark);
    }
    const text = document.createElement('span');
    text.textContent = line.name ? `${line.name}: ${line.text}` : line.text;
    row.append(text);
    for (const remark of line.remarks ?? []) {
      const small = document.createElement('div');
      small.className = 'tip-remark';
      small.textContent = remark;
      row.append(small);
    }
    box.append(row);
  }
  return box;
}

/** Of bars each name has its colour in all charts of a figure. Beyond the palette colours repeat, paler. */
export const seriesColor = (theme: Theme, index: number): string =>
  mixed(theme.series[index % theme.series.length]!, theme.paper, Math.min(0.7, Math.floor(index / theme.series.length) * 0.45));

/** A box of this colour: full where the value is sure, hollow where it is doubtful, dashed where it was measured far. */
export function boxStyle(theme: Theme, color: string, c: Cell | undefined): Record<string, unknown> {
  if (!c || (!doubtful(c) && !isFar(c))) return { color };
  return { color: doubtful(c) ? theme.paper : mixed(color, theme.paper, 0.55), borderColor: color, borderWidth: 1.4, borderType: isFar(c) ? 'dashed'
    : 'solid' };
}

/** What hollow and dashed boxes, or hollow and crossed points, mean; only what is there. */
export function doubtEntries(cells: Cell[], theme: Theme, kind: 'box' | 'point'): LegendEntry[] {
  const entry = (name: string, symbol: LegendEntry['symbol'], point?: string): LegendEntry =>
    ({ name, color: theme.muted, symbol, shown: true, fixed: true, ...(point ? { point } : {}) });
  const shown = cells.filter(has);
  const point = kind === 'point';
  return [
    ...(shown.some(doubtful) ? [entry(point ? 'hollow, dotted: doubtful' : 'hollow: doubtful', 'hollow')] : []),
    ...(shown.some(isFar) ? [entry(point ? 'cross: processors far from each other' : 'dashed: processors far from each other', point ? 'point' : 'far',
      point ? farMark : undefined)] : []),
  ];
}

/** What is doubtful or was measured elsewhere, in words. */
export function doubtNotes(cells: Cell[]): string[] {
  const shown = cells.filter(has);
  const unsure = shown.filter(doubtful).length;
  const far = shown.filter(isFar).length;
  return [
    ...(unsure > 0 ? [`${someAre(unsure, shown.length)} doubtful: ${unreliableWords(unsure)}.`] : []),
    ...(far > 0 ? [`${someAre(far, shown.length, ['was', 'were'])} measured while the virtual processors were far from each other: there was no nearer moment.`] : []),
  ];
}
