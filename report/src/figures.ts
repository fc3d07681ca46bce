// The charts of an experiment, as the program declares them in the page's data; without a declaration it gets one that
// suits its axes.

import { isObject } from './json';
import { publishedOf, type Published } from './published';
import type { Cell, Coordinate } from './data';
import { axesOf, valuesOf, type Shape } from './view';
import { axisTitle, sentence } from './words';

/** Of an axis only these values, where a number has it. */
export type Only = Record<string, string[]>;

export type Kind =
  | { kind: 'heat'; x: string; y: string }
  /** `first`: the series that are drawn before the reader chooses; `called`: what x is called here. */
  | { kind: 'lines'; x: string; series: string[]; ideal?: boolean; ordinal?: boolean; names?: Record<string, string>; only?: Only; first?: string[];
    called?: string }
  /** `compare`: all metrics side by side, and what they have in common. */
  /** `runs`: a bar for each run, where there are several; `papers`: and for each of the papers' systems, which are always there. */
  | { kind: 'bars'; x: string; series: string[]; stacked?: boolean; compare?: string; only?: Only; runs?: boolean; papers?: boolean }
  | { kind: 'best'; contestants: string; groups: string[]; unit: string; paper?: number[] }
  | { kind: 'box'; x: string; series: string[] }
  | { kind: 'ecdf'; x: string; series: string[] }
  | { kind: 'order'; x: string; series: string[] }
  | { kind: 'gantt'; row: string; moments: string[]; phases: string[]; delay?: string; parallel?: [string, string, string];
      starter?: { row: number | string; phase: string } }
  /** `runs`: only where there are several. */
  | { kind: 'paper'; rows: string[]; column: string; caption: string; only?: Only; runs?: boolean };

export interface Figure {
  experiment: string;
  /** Tells apart the figures of one experiment. */
  id: string;
  title: string;
  /** For somebody who meets this for the first time. */
  lead: string;
  /** The figures of the paper on synchronization that show the same. */
  like?: string;
  /** What that paper's text says of their values. */
  published?: Published[];
  chart: Kind;
  metrics?: string[];
  derived?: string[];
  /** Metrics whose repetitions are shown as boxes first: their spread says more than their median. */
  spread?: string[];
  /** Each machine has axes of its own from the beginning: their work is not the same. */
  own?: boolean;
  prefer?: Shape['prefer'];
  /** Drawn only where this axis has several values. */
  several?: string;
  /** What is to be said below it where it shows a simulated machine. */
  simulated?: string;
}

const text = (v: unknown): string => (typeof v === 'string' ? v : '');
const texts = (v: unknown): string[] => (Array.isArray(v) ? v.filter((x): x is string => typeof x === 'string') : []);

/** A declaration from the data. What it draws is checked by the program that wrote it. */
export function figureOf(experiment: string, v: unknown): Figure | null {
  if (!isObject(v) || !isObject(v.chart)) return null;
  const figure: Figure = { experiment, id: text(v.id), title: text(v.title), lead: text(v.lead), chart: v.chart as unknown as Kind };
  if (v.like !== undefined) figure.like = text(v.like);
  if (v.published !== undefined) figure.published = publishedOf(v.published);
  if (v.metrics !== undefined) figure.metrics = texts(v.metrics);
  if (v.derived !== undefined) figure.derived = texts(v.derived);
  if (v.spread !== undefined) figure.spread = texts(v.spread);
  if (v.several !== undefined) figure.several = text(v.several);
  if (v.own === true) figure.own = true;
  if (v.simulated !== undefined) figure.simulated = text(v.simulated);
  if (isObject(v.prefer)) figure.prefer = v.prefer as Record<string, Coordinate>;
  return figure;
}

const numeric = (cells: Cell[], axis: string) => valuesOf(cells, axis).every((v) => typeof v === 'number');

/** A chart for what nobody has declared. */
export function standard(experiment: string, cells: Cell[]): Figure {
  const varying = axesOf(cells).filter((a) => a !== 'mode' && valuesOf(cells, a).length > 1);
  const words = varying.filter((a) => !numeric(cells, a));
  const numbers = varying.filter((a) => numeric(cells, a));
  const size = (a: string) => valuesOf(cells, a).length;
  const largest = (axes: string[]) => axes.reduce<string | undefined>((best, a) => (best === undefined || size(a) > size(best) ? a : best), undefined);
  const base = { experiment, id: 'values', lead: '' };
  const by = (a: string | undefined) => (a ? `By ${axisTitle(a)}` : sentence('all values'));
  if (numbers.includes('from') && numbers.includes('to')) return { ...base, title: by('from'), chart: { kind: 'heat', x: 'to', y: 'from' } };
  const long = largest(numbers.filter((a) => size(a) > 2)) ?? numbers.find((a) => a === 'threads');
  const series = largest(words);
  if (long) return { ...base, title: by(long), chart: { kind: 'lines', x: long, series: series ? [series] : [] } };
  const x = largest(varying) ?? axesOf(cells)[0];
  const second = largest(varying.filter((a) => a !== x && size(a) <= 8));
  return { ...base, title: by(x), chart: { kind: 'bars', x: x ?? 'experiment', series: second ? [second] : [] } };
}

/** The axes that must be there for a figure to make sense. */
function needs(f: Figure): string[] {
  const c = f.chart;
  if (c.kind === 'heat') return [c.x, c.y];
  if (c.kind === 'best') return [c.contestants];
  if (c.kind === 'gantt') return [c.row];
  return c.kind === 'paper' ? c.rows.slice(0, 1) : [c.x];
}

const onlyOf = ({ chart }: Figure): [string, string[]][] =>
  (chart.kind === 'lines' || chart.kind === 'bars' || chart.kind === 'paper' ? Object.entries(chart.only ?? {}) : []);

/** Those that a figure is about. */
export function meantBy(f: Figure, cells: Cell[]): Cell[] {
  const only = onlyOf(f);
  if (only.length === 0) return cells;
  return cells.filter((c) => only.every(([axis, values]) => c.at[axis] === undefined || values.includes(String(c.at[axis]))));
}

/** A line through one point is none. */
function barsForOne(f: Figure, cells: Cell[]): Figure {
  const c = f.chart;
  if (c.kind !== 'lines' || valuesOf(cells, c.x).length > 1 || c.series.length === 0) return f;
  return { ...f, chart: { kind: 'bars', x: c.series[0]!, series: [...c.series.slice(1), c.x] } };
}

/** Whether it compares runs, and has nothing else to compare with. */
const needsSeveral = ({ chart }: Figure): boolean =>
  (chart.kind === 'bars' || chart.kind === 'paper') && chart.runs === true && !(chart.kind === 'bars' && chart.papers);

/** The figures for these cells of one experiment, which come from so many runs; what papers published is none. */
export function figuresOf(experiment: string, cells: Cell[], declared: Figure[] = [], runs = 1): Figure[] {
  const axes = new Set(axesOf(cells));
  const suited = declared.filter((f) => {
    if (runs < 2 && needsSeveral(f)) return false;
    if (!needs(f).every((a) => axes.has(a)) || (f.several !== undefined && valuesOf(cells, f.several).length < 2)) return false;
    return meantBy(f, cells).some((c) => !f.metrics || f.metrics.includes(c.metric));
  });
  return suited.length > 0 ? suited.map((f) => barsForOne(f, cells)) : [standard(experiment, cells)];
}

export function shapeOf(f: Figure): Shape {
  const c = f.chart;
  const rest = { metrics: f.metrics, derived: f.derived, prefer: f.prefer };
  if (c.kind === 'heat') return { ...rest, x: c.x, series: [c.y] };
  if (c.kind === 'best') return { ...rest, series: [c.contestants, ...c.groups] };
  if (c.kind === 'gantt') return { ...rest, x: c.row, together: true, metrics: [...c.moments, ...(c.delay ? [c.delay] : []), ...(c.parallel ?? [])] };
  if (c.kind === 'paper') return { ...rest, series: [...c.rows, c.column, ...Object.keys(c.only ?? {})] };
  if (c.kind !== 'bars') return { ...rest, x: c.x, series: c.series, together: false };
  return { ...rest, x: c.x, series: [...c.series, ...Object.keys(c.only ?? {})], together: c.compare !== undefined };
}

/** A layer of the design: the part of a name before the dot. */
export const layerOf = (experiment: string): string => experiment.split('.')[0] ?? experiment;
