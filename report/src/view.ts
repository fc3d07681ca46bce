// From cells to what a chart shows: which axes there are, which of them the chart draws, which the reader chooses.

import type { Cell, Coordinate, Run } from './data';
import { axisTitle, metricTitle, rank, valueTitle } from './words';

/** For what the cells of a map, of which there may be a million, have in common: one of each is asked. */
export function oneOfEachMap(cells: Cell[]): Cell[] {
  const asked: Cell[] = [];
  let last: Cell['map'];
  for (const c of cells) {
    if (c.map === undefined || c.map !== last) asked.push(c);
    last = c.map;
  }
  return asked;
}

/** The values of an axis, sorted as people expect: numbers by size, known words in their order, others as met. */
export function valuesOf(cells: Cell[], axis: string): Coordinate[] {
  const met = new Set<Coordinate>();
  for (const c of axis === 'from' || axis === 'to' ? cells : oneOfEachMap(cells)) if (c.at[axis] !== undefined) met.add(c.at[axis]!);
  const seen = [...met];
  // No limit is the most.
  const size = (v: Coordinate) => (axis === 'permits' && v === 0 ? Infinity : (v as number));
  if (seen.every((v) => typeof v === 'number')) return seen.sort((a, b) => size(a) - size(b));
  return seen
    .map((v, i) => ({ v, i, r: rank(axis, v) }))
    .sort((a, b) => a.r - b.r || a.i - b.i)
    .map((e) => e.v);
}

export function axesOf(cells: Cell[]): string[] {
  const names = new Set<string>();
  for (const c of oneOfEachMap(cells)) for (const axis in c.at) names.add(axis);
  return [...names];
}

export function metricsOf(cells: Cell[]): string[] {
  const names = new Set<string>();
  for (const c of oneOfEachMap(cells)) names.add(c.metric);
  return [...names];
}

/** What varies although the chart does not draw it: the reader chooses a value. */
export interface Control {
  axis: string;
  title: string;
  options: { value: string; title: string }[];
  chosen: string;
}

export const metricAxis = '(metric)';
/** Near where it was measured so, else whatever was. */
export const anyMode = '(any)';

export interface Shape {
  x?: string | undefined;
  series?: string[] | undefined;
  /** The metrics the figure is about; all of the experiment if not given. */
  metrics?: string[] | undefined;
  /** The chart shows all metrics at once. */
  together?: boolean | undefined;
  /** Axes that follow from others and need no choice. */
  derived?: string[] | undefined;
  /** What to begin with, where it was measured. */
  prefer?: Record<string, Coordinate> | undefined;
}

const measured = (cells: Cell[]) => cells.reduce((n, c) => n + Number(c.value !== null), 0);

/** The metric that most runs have: runs beside each other show the same. What was only published is not enough. */
function firstMetric(metrics: string[], groups: Cell[][]): string {
  const shared = (m: string, among: Cell[][]) => among.filter((g) => g.some((c) => c.metric === m && c.value !== null)).length;
  const own = groups.filter((g) => g.some((c) => !c.published && c.value !== null));
  const better = (a: string, b: string) => shared(a, own) - shared(b, own) || shared(a, groups) - shared(b, groups);
  return metrics.reduce((best, m) => (better(m, best) > 0 ? m : best), metrics[0] ?? '');
}

/** The value with most measurements; of equals the first, or of numbers of threads the last. */
function mostMeasured(values: string[], count: (v: string) => number, last: boolean): string {
  return values.reduce((best, v) => (count(v) > count(best) || (last && count(v) === count(best)) ? v : best));
}

function axisControl(axis: string, cells: Cell[], shape: Shape): Control {
  const values = valuesOf(cells, axis);
  const options = values.map((v) => ({ value: String(v), title: valueTitle(axis, v) }));
  if (axis === 'mode') options.unshift({ value: anyMode, title: 'near, else far' });
  const count = (v: string) => measured(cells.filter((c) => String(c.at[axis]) === v));
  const preferred = shape.prefer?.[axis];
  let chosen = options[0]!.value;
  if (preferred !== undefined && count(String(preferred)) > 0) chosen = String(preferred);
  else if (axis !== 'mode') chosen = mostMeasured(options.map((o) => o.value), count, axis === 'threads');
  return { axis, title: axisTitle(axis), options, chosen };
}

/** Everything to choose in this figure, with what is chosen first. */
export function controlsOf(groups: Cell[][], shape: Shape): Control[] {
  const all = joined(groups);
  const there = metricsOf(all);
  const metrics = shape.metrics ? shape.metrics.filter((m) => there.includes(m)) : there;
  const controls: Control[] = [];
  if (metrics.length > 1 && !shape.together)
    controls.push({
      axis: metricAxis,
      title: 'what',
      options: metrics.map((m) => ({ value: m, title: metricTitle(m) })),
      chosen: firstMetric(metrics, groups),
    });
  const drawn = new Set([shape.x, ...(shape.series ?? []), ...(shape.derived ?? [])]);
  for (const axis of axesOf(all))
    if (!drawn.has(axis) && groups.some((g) => valuesOf(g, axis).length > 1)) controls.push(axisControl(axis, all, shape));
  return controls;
}

const placeKey = (c: Cell, without: string) =>
  JSON.stringify([c.metric, ...Object.entries(c.at).filter(([axis]) => axis !== without)]);

/** One cell for each place: the near mode where it has a value. */
function bestModes(cells: Cell[]): Cell[] {
  const best = new Map<string, Cell>();
  for (const c of cells) {
    const key = placeKey(c, 'mode');
    const rival = best.get(key);
    const better = !rival || (rival.value === null && c.value !== null) || (rival.at.mode !== 'near' && c.at.mode === 'near' && c.value !== null);
    if (better) best.set(key, c);
  }
  return [...best.values()];
}

/** The cells the controls let through. An axis that a cell does not have excludes nothing. */
export function chosenCells(cells: Cell[], controls: Control[], shape: Shape): Cell[] {
  const passes = (c: Cell, { axis, chosen }: Control): boolean => {
    if (axis === metricAxis) return c.metric === chosen;
    if (axis === 'mode' && chosen === anyMode) return true;
    return c.at[axis] === undefined || String(c.at[axis]) === chosen;
  };
  const left = cells.filter((c) => (!shape.metrics || shape.metrics.includes(c.metric)) && controls.every((control) => passes(c, control)));
  return left.some((c) => c.at.mode !== undefined) ? bestModes(left) : left;
}

/** Metrics that say what the shown one cannot exceed, and of which. */
const bounding = new Map([['bound', ['throughput', 'latency', 'acquire', 'wake_last']], ['ceiling', ['throughput', 'successes', 'attempts']]]);

/** The bounds of what the controls let through, where what is shown has some. */
export function boundsOf(cells: Cell[], controls: Control[], shape: Shape): Cell[] {
  if (!metricsOf(cells).some((m) => bounding.has(m))) return [];
  const shown = chosenCells(cells, controls, shape).find((c) => c.value !== null)?.metric ?? '';
  const others = controls.filter((c) => c.axis !== metricAxis);
  const bounds = cells.filter((c) => bounding.get(c.metric)?.includes(shown) && c.value !== null);
  return chosenCells(bounds, others, { ...shape, metrics: undefined });
}

/** What all these cells have in common, for a caption. */
export function commonPlace(cells: Cell[], except: (string | undefined)[]): string {
  return axesOf(cells)
    .filter((axis) => !except.includes(axis) && axis !== 'mode' && valuesOf(cells, axis).length === 1 && cells.every((c) => c.at[axis] !== undefined))
    .map((axis) => `${axisTitle(axis)} ${valueTitle(axis, cells[0]!.at[axis]!)}`)
    .join(', ');
}

/** The name of a series; a published number may lack what tells series apart. `names`: what a figure calls values of an axis that need more than their name. */
export function seriesName(c: Cell, axes: string[], names: Record<string, string> = {}): string {
  const titleOf = (axis: string, value: string | number) => (Object.hasOwn(names, String(value)) ? names[String(value)]! : valueTitle(axis, value));
  const name = axes.map((axis) => (c.at[axis] === undefined ? '' : titleOf(axis, c.at[axis]!))).filter((t) => t !== '').join(', ');
  return name !== '' || axes.length === 0 ? name : c.published ? 'as published' : 'not named';
}

const sorted = new WeakMap<Cell[], Map<string, Cell[]>>();

/** The cells by experiment, sorted once: a map has a million, and a page thirty experiments. */
function byExperiment({ cells }: Run): Map<string, Cell[]> {
  const known = sorted.get(cells);
  if (known) return known;
  const all = new Map<string, Cell[]>();
  let [last, same]: [string, Cell[]] = ['', []];
  for (const c of cells) {
    if (c.experiment !== last || same.length === 0) {
      last = c.experiment;
      same = all.get(last) ?? [];
      all.set(last, same);
    }
    same.push(c);
  }
  sorted.set(cells, all);
  return all;
}

export const experimentsOf = (runs: Run[]): string[] => [...new Set(runs.flatMap((r) => [...byExperiment(r).keys()]))];
export const cellsOf = (run: Run, experiment: string): Cell[] => byExperiment(run).get(experiment) ?? [];

/** Of one list that list itself. */
export const joined = (lists: Cell[][]): Cell[] => (lists.length === 1 ? lists[0]! : lists.flat());
