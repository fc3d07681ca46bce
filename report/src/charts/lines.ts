// Lines over a numeric axis with the band of their intervals, the linear ideal, and the bound of a model: Figs. 3, 4, 5 and 7 of the paper.

import type { Cell } from '../reading';
import { dashes, marks } from '../theme';
import { seriesName, valuesOf } from '../view';
import { axisTitle, sentence, valueTitle } from '../words';
import {
  axisStyle, frame, has, intervalWords, maxOf, niceStep, remarksOn, scaleOf, styleOf, told, tooltipBox, valueAxis, valueAxisTitle,
  type Context, type Drawing, type LegendEntry, type Point,
} from './kit';
import { tick } from '../numbers';

export interface LinesShape {
  x: string;
  series: string[];
  /** Values stand at even distances: words, or numbers of which one means something else. */
  ordinal?: boolean;
  /** Dotted: one thread's throughput times the threads. */
  ideal?: boolean;
  /** What the legend calls values that their names do not explain. */
  names?: Record<string, string>;
}

/** Where a cell stands on the axis. */
type Place = (c: Cell) => number;

function placing(cells: Cell[], shape: LinesShape): Place {
  const values = valuesOf(cells, shape.x);
  if (!shape.ordinal && values.every((v) => typeof v === 'number')) return (c) => Number(c.at[shape.x]);
  const places = new Map(values.map((v, i) => [v, i]));
  return (c) => places.get(c.at[shape.x] ?? '') ?? 0;
}

interface Line {
  name: string;
  color: string;
  turn: number;
  place: number;
  cells: Cell[];
}

/** The best first, judged where the axis ends; names that everybody knows are shown from the beginning, too. */
function ranked(cells: Cell[], shape: LinesShape): string[] {
  const at = placing(cells, shape);
  const last = new Map<string, { x: number; cell: Cell }>();
  for (const c of cells.filter(has)) {
    const name = seriesName(c, shape.series, shape.names);
    const x = at(c);
    if (!last.has(name) || last.get(name)!.x <= x) last.set(name, { x, cell: c });
  }
  const direction = cells.find(has)?.better === 'lower' ? 1 : -1;
  return [...last]
    .sort(([, a], [, b]) => b.x - a.x || direction * (a.cell.value! - b.cell.value!))
    .map(([name]) => name);
}

const familiar = ['std/mutex', 'pthread/mutex', 'ticket', 'mcs'];
const fewest = 8;

/** With dozens of lines only some are shown at first; the legend holds them all. */
export function firstShown(cells: Cell[], shape: LinesShape): Set<string> {
  const names = ranked(cells.filter((c) => c.at[shape.x] !== undefined), shape);
  if (names.length <= fewest) return new Set(names);
  const known = names.filter((n) => familiar.includes(n));
  return new Set([...known, ...names.filter((n) => !known.includes(n)).slice(0, fewest - known.length)]);
}

function linesOf(cells: Cell[], shape: LinesShape, ctx: Context, at: Place): Line[] {
  const names = ranked(ctx.all, shape);
  const shown = firstShown(ctx.all, shape);
  const order = [...names.filter((n) => shown.has(n)), ...names.filter((n) => !shown.has(n))];
  const groups = new Map<string, Cell[]>();
  for (const c of cells.filter(has)) {
    const name = seriesName(c, shape.series, shape.names);
    groups.set(name, [...(groups.get(name) ?? []), c]);
  }
  return order
    .map((name, place) => ({ name, place, ...styleOf(ctx.theme, place), cells: groups.get(name) ?? [] }))
    .map((l) => ({ ...l, cells: l.cells.sort((a, b) => at(a) - at(b)) }));
}

type Api = { coord: (p: number[]) => number[] };

/** A polygon around the intervals: there and back again. */
function bandSeries(line: Line, at: Place): Record<string, unknown> | null {
  const sure = line.cells.filter((c) => c.ci);
  if (sure.length < 2) return null;
  return {
    type: 'custom',
    name: line.name,
    silent: true,
    clip: true,
    z: 1,
    data: [[at(sure[0]!), sure[0]!.ci![0]]],
    renderItem: (_: unknown, api: Api) => ({
      type: 'polygon',
      shape: {
        points: [
          ...sure.map((c) => api.coord([at(c), c.ci![1]])),
          ...[...sure].reverse().map((c) => api.coord([at(c), c.ci![0]])),
        ],
      },
      style: { fill: line.color, opacity: 0.16 },
    }),
  };
}

function lineSeries(line: Line, at: Place): Record<string, unknown> {
  return {
    type: 'line',
    id: line.name,
    name: line.name,
    data: line.cells.map((c) => ({ value: [at(c), c.value!] })),
    symbol: marks[line.place % marks.length],
    symbolSize: 7,
    showAllSymbol: true,
    itemStyle: { color: line.color },
    lineStyle: { color: line.color, width: 1.8, type: dashes[line.turn % dashes.length] },
    z: 3,
  };
}

function idealSeries(lines: Line[], shape: LinesShape, ctx: Context, most: number): Record<string, unknown> | null {
  const first = lines.map((l) => l.cells.find((c) => Number(c.at[shape.x]) === 1)).filter((c) => c !== undefined && has(c));
  if (first.length === 0) return null;
  const one = Math.max(...first.map((c) => c!.value!));
  return {
    type: 'line',
    name: 'linear ideal',
    symbol: 'none',
    silent: true,
    clip: true,
    data: [[1, one], [most, one * most]],
    lineStyle: { color: ctx.theme.muted, width: 1.5, type: [2, 4] },
    itemStyle: { color: ctx.theme.muted },
    z: 2,
  };
}

/** Dashed: what the closed form allows. One line where it is the same for all, else one in the colour of each. */
function boundSeries(visible: Line[], shape: LinesShape, ctx: Context, at: Place, xs: number[]): Record<string, unknown>[] {
  const curveOf = (name: string) => {
    const mine = ctx.bounds.filter((c) => has(c) && seriesName(c, shape.series, shape.names) === name);
    const level = mine.find((c) => c.at[shape.x] === undefined);
    if (level) return [[Math.min(...xs), level.value!], [Math.max(...xs), level.value!]];
    return mine.map((c) => [at(c), c.value!]).sort((a, b) => a[0]! - b[0]!);
  };
  const curves = visible.map((line) => ({ line, data: curveOf(line.name) })).filter((c) => c.data.length > 0);
  const same = curves.every((c) => JSON.stringify(c.data) === JSON.stringify(curves[0]!.data));
  return (same ? curves.slice(0, 1) : curves).map(({ line, data }) => ({
    type: 'line',
    name: 'bound',
    symbol: 'none',
    silent: true,
    clip: true,
    data,
    lineStyle: { color: same ? ctx.theme.muted : line.color, width: 1.2, type: [7, 5] },
    itemStyle: { color: ctx.theme.muted },
    z: 2,
  }));
}

export function drawLines(cells: Cell[], shape: LinesShape, ctx: Context): Drawing {
  const scale = scaleOf(ctx.all);
  const at = placing(ctx.all, shape);
  const xs = [...new Set(ctx.all.map(at))].sort((a, b) => a - b);
  const most = Math.max(...xs);
  const all = linesOf(cells, shape, ctx, at);
  const visible = all.filter((l) => !ctx.hidden.has(l.name) && l.cells.length > 0);
  const names = new Set(all.filter((l) => !ctx.hidden.has(l.name)).map((l) => l.name));
  const heights = ctx.all.filter((c) => has(c) && names.has(seriesName(c, shape.series, shape.names))).map((c) => Math.max(c.value!, Math.min(c.ci?.[1] ?? 0, c.value! * 1.5)));
  const step = niceStep((maxOf(heights) * 1.04) / scale.factor) * scale.factor;
  const top = Math.ceil((maxOf(heights) * 1.02) / step) * step || 1;
  const ideal = shape.ideal ? idealSeries(all, shape, ctx, most) : null;
  const bounds = boundSeries(visible, shape, ctx, at, xs);
  const series = [
    ...visible.map((l) => bandSeries(l, at)), ...visible.map((l) => lineSeries(l, at)), ideal, ...bounds,
  ].filter((s) => s !== null);
  const title = valueAxisTitle(ctx.all, scale);
  const base = frame(ctx.theme, title);
  const option = {
    ...base,
    tooltip: {
      ...(base.tooltip as object),
      trigger: 'axis',
      formatter: (hits: { value: number[] }[]) => tipAt(hits[0]?.value[0] ?? 0, visible, shape, at),
    },
    xAxis: { ...axisStyle(ctx.theme, sentence(axisTitle(shape.x))), ...xAxis(ctx, shape, xs, at) },
    yAxis: { ...valueAxis(ctx.theme, '', scale), max: top, interval: step },
    series,
  };
  return {
    option,
    height: 340,
    renderer: 'svg',
    points: visible.flatMap((l) => l.cells.map((c, index) => pointOf(l, c, index, shape))),
    label: `Lines: ${title} by ${axisTitle(shape.x)}, one line for each ${shape.series.map(axisTitle).join(' and ')}.`,
    legend: legendOf(all.filter((l) => ctx.all.some((c) => seriesName(c, shape.series, shape.names) === l.name)), ctx, ideal !== null, bounds.length > 0),
    notes: notesOn(visible, ctx.simulated),
  };
}

/** Linear, by powers of two where values span many of them, or evenly where they are words. */
function xAxis(ctx: Context, shape: LinesShape, xs: number[], at: Place): Record<string, unknown> {
  const label = axisStyle(ctx.theme, '').axisLabel as object;
  const some = xs.length <= 12;
  const least = Math.min(...xs);
  const most = Math.max(...xs);
  if (shape.ordinal || ctx.all.some((c) => typeof c.at[shape.x] === 'string')) {
    const names = new Map(ctx.all.map((c) => [at(c), valueTitle(shape.x, c.at[shape.x] ?? '')]));
    return { type: 'category', data: xs.map((x) => names.get(x) ?? ''), boundaryGap: false, axisLabel: { ...label, interval: some ? 0 : 'auto' } };
  }
  const wide = least > 0 && most / least > 64;
  const ticks = some ? { axisTick: { customValues: xs } } : {};
  const labels = { ...label, formatter: (v: number) => tick(v), ...(some ? { customValues: xs } : {}) };
  return { type: wide ? 'log' : 'value', logBase: 2, min: least > 1 && xs.length > 1 ? least : Math.min(least, 1), max: most, minInterval: 1, ...ticks, axisLabel: labels };
}

function pointOf(line: Line, c: Cell, index: number, shape: LinesShape): Point {
  return { text: `${line.name}, ${axisTitle(shape.x)} ${valueTitle(shape.x, c.at[shape.x]!)}: ${told(c)}`, series: line.name, index };
}

function tipAt(x: number, lines: Line[], shape: LinesShape, at: Place): HTMLElement {
  const rows = lines
    .map((l) => ({ line: l, cell: l.cells.find((c) => at(c) === x) }))
    .filter((r) => r.cell)
    .map((r) => ({ name: r.line.name, text: told(r.cell!), color: r.line.color, remarks: rowRemarks(r.cell!, lines.length) }));
  const value = lines.flatMap((l) => l.cells).find((c) => at(c) === x)?.at[shape.x] ?? '';
  return tooltipBox(`${sentence(axisTitle(shape.x))}: ${valueTitle(shape.x, value)}`, rows);
}

const rowRemarks = (c: Cell, lines: number) => (lines > 6 ? [] : remarksOn(c));

function legendOf(lines: Line[], ctx: Context, ideal: boolean, bound: boolean): LegendEntry[] {
  const entries: LegendEntry[] = lines.map((l) => ({
    name: l.name, color: l.color, symbol: 'line', shown: !ctx.hidden.has(l.name), dash: dashes[l.turn % dashes.length],
  }));
  if (ideal) entries.push({ name: 'linear ideal', color: ctx.theme.muted, symbol: 'dash', shown: true });
  if (bound) entries.push({ name: 'bound', color: ctx.theme.muted, symbol: 'dash', shown: true, dash: [7, 5] });
  return entries;
}

function notesOn(lines: Line[], simulated: boolean): string[] {
  const cells = lines.flatMap((l) => l.cells);
  const notes: string[] = [];
  const other = cells.filter((c) => c.at.mode !== undefined && c.at.mode !== 'near').length;
  if (other > 0) notes.push(`${other} of ${cells.length} points were measured while the virtual processors were far from each other: there was no nearer moment.`);
  if (cells.some((c) => c.ci)) notes.push(`Bands: ${intervalWords(simulated)}.`);
  return notes;
}
