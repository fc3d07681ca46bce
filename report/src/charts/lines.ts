// Lines over a numeric axis with the band of their intervals, the linear ideal, and the bound of a model: Figs. 3, 4, 5 and 7 of the paper.

import { doubtful, isFar, type Cell } from '../data';
import { colourAxis, lineStyles, type LineStyle } from '../colours';
import { contestantOf } from '../marked';
import { pointLabel, pointsAmong, pointWords, type PublishedPoint } from '../published';
import { farMark, publishedMark } from '../theme';
import { seriesName, valuesOf } from '../view';
import { axisNumber, axisTitle, sentence, valueTitle } from '../words';
import {
  axisStyle, doubtEntries, doubtNotes, frame, has, intervalWords, maxOf, niceStep, publishedName, remarksOn, scaleOf, told, tooltipBox, valueAxis,
  valueAxisTitle, type Context, type Drawing, type LegendEntry, type Point,
} from './kit';
import { logAxis, logarithmic, type Axis } from './logarithm';
import type { Scale } from '../numbers';

export interface LinesShape {
  x: string;
  series: string[];
  /** Values stand at even distances: words, or numbers of which one means something else. */
  ordinal?: boolean;
  /** Dotted: one thread's throughput times the threads. */
  ideal?: boolean;
  /** What the legend calls values that their names do not explain. */
  names?: Record<string, string>;
  /** The series that are drawn first, where there are any of them. */
  first?: string[];
  /** What x is called here. */
  called?: string;
}

const xTitle = (shape: LinesShape): string => shape.called ?? axisTitle(shape.x);

const isCount = (shape: LinesShape): boolean => ['threads', 'clients'].includes(shape.x);

/** Where a cell stands on the axis. */
type Place = (c: Cell) => number;

const isNumeric = (cells: Cell[], shape: LinesShape) => !shape.ordinal && valuesOf(cells, shape.x).every((v) => typeof v === 'number');

function placing(cells: Cell[], shape: LinesShape): Place {
  const values = valuesOf(cells, shape.x);
  if (isNumeric(cells, shape)) return (c) => Number(c.at[shape.x]);
  const places = new Map(values.map((v, i) => [v, i]));
  return (c) => places.get(c.at[shape.x] ?? '') ?? 0;
}

interface Line extends LineStyle {
  name: string;
  cells: Cell[];
}

/** The best first, judged where the axis ends by what is sure, if anything is; names that everybody knows are shown from the beginning, too. */
function ranked(cells: Cell[], shape: LinesShape): string[] {
  const at = placing(cells, shape);
  const last = new Map<string, { x: number; cell: Cell }>();
  for (const c of cells.filter(has)) {
    const name = seriesName(c, shape.series, shape.names);
    const x = at(c);
    const rival = last.get(name);
    const later = !rival || (doubtful(rival.cell) === doubtful(c) ? rival.x <= x : !doubtful(c));
    if (later) last.set(name, { x, cell: c });
  }
  const direction = cells.find(has)?.better === 'lower' ? 1 : -1;
  return [...last]
    .sort(([, a], [, b]) => Number(doubtful(a.cell)) - Number(doubtful(b.cell)) || b.x - a.x || direction * (a.cell.value! - b.cell.value!))
    .map(([name]) => name);
}

const familiar = ['std/mutex', 'pthread/mutex', 'ticket', 'mcs'];
const fewest = 8;

/** With dozens of lines only some are shown at first; the legend holds them all. */
export function firstShown(cells: Cell[], shape: LinesShape): Set<string> {
  const names = ranked(cells.filter((c) => c.at[shape.x] !== undefined), shape);
  const wanted = names.filter((n) => shape.first?.includes(n));
  if (wanted.length > 0) return new Set(wanted);
  if (names.length <= fewest) return new Set(names);
  const known = names.filter((n) => familiar.includes(n));
  return new Set([...known, ...names.filter((n) => !known.includes(n)).slice(0, fewest - known.length)]);
}

function byName(cells: Cell[], shape: LinesShape): Map<string, Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const c of cells.filter(has)) {
    const name = seriesName(c, shape.series, shape.names);
    groups.set(name, [...(groups.get(name) ?? []), c]);
  }
  return groups;
}

function linesOf(cells: Cell[], shape: LinesShape, ctx: Context, at: Place): Line[] {
  const names = ranked(ctx.all, shape);
  const shown = firstShown(ctx.all, shape);
  const order = [...names.filter((n) => shown.has(n)), ...names.filter((n) => !shown.has(n))];
  const groups = byName(cells, shape);
  const any = byName(ctx.all, shape);
  const styles = lineStyles(order.map((name) => any.get(name)![0]!), colourAxis(shape.series, ctx.all), ctx.theme, ctx.colours);
  return order.map((name, i) => ({ name, ...styles[i]!, cells: (groups.get(name) ?? []).sort((a, b) => at(a) - at(b)) }));
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

/** A point: filled where it is sure, hollow where it is doubtful, a cross where the processors were far. */
function pointStyle(line: Line, c: Cell, ctx: Context): Record<string, unknown> {
  const symbol = `path://${isFar(c) ? farMark : line.mark}`;
  return { symbol, itemStyle: doubtful(c) ? { color: ctx.theme.paper, borderColor: line.color, borderWidth: 1.3 } : { color: line.color } };
}

/** The line through all points, dotted if one of them is doubtful, and full where it runs between sure ones. */
function lineSeries(line: Line, at: Place, ctx: Context): Record<string, unknown>[] {
  const full = { color: line.color, width: 1.8, type: line.dash };
  const sure = line.cells.every((c) => !doubtful(c));
  const runs: Cell[][] = [[]];
  if (!sure) for (const c of line.cells) if (doubtful(c)) runs.push([]); else runs[runs.length - 1]!.push(c);
  const whole = {
    type: 'line',
    id: line.name,
    name: line.name,
    data: line.cells.map((c) => ({ value: [at(c), c.value!], ...pointStyle(line, c, ctx) })),
    symbolSize: 7,
    showAllSymbol: true,
    triggerLineEvent: true,
    emphasis: { scale: 1.5, lineStyle: { width: 4 } },
    itemStyle: { color: line.color },
    lineStyle: sure ? full : { color: line.color, width: 1, type: [1.5, 3] },
    z: 3,
  };
  const parts = runs.filter((r) => r.length > 1).map((r) => ({ type: 'line', name: line.name, silent: true, symbol: 'none',
    data: r.map((c) => [at(c), c.value!]), lineStyle: full, z: 2 }));
  return [...parts, whole];
}

function idealSeries(lines: Line[], shape: LinesShape, ctx: Context, xs: number[]): Record<string, unknown> | null {
  const first = lines.map((l) => l.cells.find((c) => Number(c.at[shape.x]) === 1)).filter((c) => c !== undefined && has(c));
  if (first.length === 0) return null;
  const one = Math.max(...first.map((c) => c!.value!));
  return {
    type: 'line',
    name: 'linear ideal',
    symbol: 'none',
    silent: true,
    clip: true,
    data: xs.filter((x) => x >= 1).map((x) => [x, one * x]),
    lineStyle: { color: ctx.theme.muted, width: 1.5, type: [2, 4] },
    itemStyle: { color: ctx.theme.muted },
    z: 2,
  };
}

const boundDashes: Record<string, number[]> = { bound: [7, 5], ceiling: [2, 3, 7, 3] };

/** Dashed: what a closed form allows. One line where it is the same for all, else one in the colour of each. */
function boundSeries(what: string, visible: Line[], shape: LinesShape, ctx: Context, at: Place, xs: number[]): Record<string, unknown>[] {
  const curveOf = (name: string) => {
    const mine = ctx.bounds.filter((c) => c.metric === what && has(c) && seriesName(c, shape.series, shape.names) === name);
    const level = mine.find((c) => c.at[shape.x] === undefined);
    if (level) return [[Math.min(...xs), level.value!], [Math.max(...xs), level.value!]];
    return mine.map((c) => [at(c), c.value!]).sort((a, b) => a[0]! - b[0]!);
  };
  const curves = visible.map((line) => ({ line, data: curveOf(line.name) })).filter((c) => c.data.length > 0);
  const same = curves.every((c) => JSON.stringify(c.data) === JSON.stringify(curves[0]!.data));
  return (same ? curves.slice(0, 1) : curves).map(({ line, data }) => ({
    type: 'line',
    name: what,
    symbol: 'none',
    silent: true,
    clip: true,
    data,
    lineStyle: { color: same ? ctx.theme.muted : line.color, width: 1.2, type: boundDashes[what]! },
    itemStyle: { color: ctx.theme.muted },
    z: 2,
  }));
}

/** From zero in round steps. */
function linearAxis(heights: number[], scale: Scale): Axis {
  const step = niceStep((maxOf(heights) * 1.04) / scale.factor) * scale.factor;
  return { least: 0, most: Math.ceil((maxOf(heights) * 1.02) / step) * step || 1, ticks: null, step };
}

function yAxis(axis: Axis, ctx: Context, scale: Scale): Record<string, unknown> {
  const base = valueAxis(ctx.theme, '', scale);
  return axis.ticks ? logarithmic(base, axis, axis.ticks) : { ...base, max: axis.most, interval: axis.step };
}

/** Where the processors end: beyond, threads share them. */
function processorsSeries(ctx: Context, shape: LinesShape, xs: number[], axis: Axis): Record<string, unknown> | null {
  const [n, most] = [ctx.processors, Math.max(...xs)];
  if (shape.ordinal || !isCount(shape) || n < 2 || n > most || n < Math.min(...xs)) return null;
  const words = `${n} processors`;
  return {
    type: 'custom', silent: true, z: 4, data: [[n, axis.most]], encode: { x: 0, y: 1 },
    renderItem: (_: unknown, api: Api) => {
      const [x, top] = api.coord([n, axis.most]) as [number, number];
      const bottom = api.coord([n, axis.least])[1]!;
      const left = x > ctx.width / 2;
      return {
        type: 'group',
        children: [
          { type: 'line', shape: { x1: x, y1: top, x2: x, y2: bottom }, style: { stroke: ctx.theme.muted, lineWidth: 1, lineDash: [1, 3] } },
          { type: 'text', style: { text: words, x: left ? x - 5 : x + 5, y: top + 2, fill: ctx.theme.muted, backgroundColor: ctx.theme.paper, padding: 1,
            fontSize: 11, fontFamily: ctx.theme.font, textAlign: left ? 'right' : 'left', textVerticalAlign: 'top' } },
        ],
      };
    },
  };
}

/** Rings with the names of their platforms, where the paper's text says what its figure shows. */
function publishedSeries(points: PublishedPoint[], ctx: Context, xs: number[], unit: string): Record<string, unknown> | null {
  if (points.length === 0) return null;
  const labels = points.map((p) => pointLabel(p, unit));
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  return {
    type: 'line', id: publishedName, symbol: `path://${publishedMark}`, symbolSize: 10, showAllSymbol: true, itemStyle: { color: ctx.theme.ink },
    lineStyle: { opacity: 0 }, labelLayout: { hideOverlap: true }, z: 5,
    // Of neighbours that bear one name the last one says it; below the words where the processors end.
    data: points.map((p, i) => ({ value: [p.x, p.value], label: { show: labels[i + 1] !== labels[i], formatter: labels[i],
      position: p.x > middle ? 'left' : 'right', offset: [0, p.x === ctx.processors ? 14 : 0], color: ctx.theme.ink,
      backgroundColor: ctx.theme.paper, padding: 1, fontSize: 11, fontFamily: ctx.theme.font } })),
  };
}

export function drawLines(cells: Cell[], shape: LinesShape, ctx: Context): Drawing {
  const kept = (c: Cell) => !(ctx.withoutOne && c.at[shape.x] === 1);
  const scaled = ctx.scaled.filter(kept);
  const scale = scaleOf(scaled);
  const at = placing(scaled, shape);
  const xs = [...new Set(scaled.map(at))].sort((a, b) => a - b);
  const all = linesOf(cells, shape, ctx, at);
  const lines = all.map((l) => ({ ...l, cells: l.cells.filter(kept) }));
  const visible = lines.filter((l) => !ctx.hidden.has(l.name) && l.cells.length > 0);
  const names = new Set(all.filter((l) => !ctx.hidden.has(l.name)).map((l) => l.name));
  const measured = scaled.filter((c) => has(c) && names.has(seriesName(c, shape.series, shape.names)));
  const published = isNumeric(scaled, shape) ? pointsAmong(ctx.published, visible.flatMap((l) => l.cells), xs) : [];
  const heights = [...measured.map((c) => Math.max(c.value!, Math.min(c.ci?.[1] ?? 0, c.value! * 1.5))), ...published.map((p) => p.value)];
  const log = ctx.log && measured.some((c) => c.value! > 0);
  const axis = log ? logAxis([...measured.map((c) => c.value!), ...published.map((p) => p.value)], scale) : linearAxis(heights, scale);
  const ideal = shape.ideal ? idealSeries(all, shape, ctx, xs) : null;
  const bounds = Object.keys(boundDashes).flatMap((what) => boundSeries(what, visible, shape, ctx, at, xs));
  const series = [
    processorsSeries(ctx, shape, xs, axis), ...visible.map((l) => bandSeries(l, at)), ...visible.flatMap((l) => lineSeries(l, at, ctx)), ideal, ...bounds,
    publishedSeries(published, ctx, xs, scaled[0]?.unit ?? ''),
  ].filter((s) => s !== null);
  const title = valueAxisTitle(ctx.scaled, scale);
  const base = frame(ctx.theme, title);
  const option = {
    ...base,
    tooltip: {
      ...(base.tooltip as object),
      trigger: 'axis',
      formatter: (hits: { value: number[] }[]) => tipAt(hits[0]?.value[0] ?? 0, visible, shape, at, published),
    },
    xAxis: { ...axisStyle(ctx.theme, sentence(xTitle(shape))), ...xAxis(scaled, ctx, shape, xs, at) },
    yAxis: yAxis(axis, ctx, scale),
    series,
  };
  const there = lines.filter((l) => ctx.all.some((c) => seriesName(c, shape.series, shape.names) === l.name));
  return {
    option,
    height: 340,
    renderer: 'svg',
    points: [...visible.flatMap((l) => l.cells.map((c, index) => pointOf(l, c, index, shape))), ...published.map((p, index) => ({ series: publishedName, index,
      text: `${xTitle(shape)} ${valueTitle(shape.x, p.x)}: ${pointWords(p, scaled[0]?.unit ?? '')}` }))],
    label: `Lines: ${title} by ${xTitle(shape)}, one line for each ${shape.series.map(axisTitle).join(' and ')}.`,
    legend: [...legendOf(there, ctx, ideal !== null, [...new Set(bounds.map((b) => String(b.name)))], published.length > 0),
      ...doubtEntries(visible.flatMap((l) => l.cells),
      ctx.theme, 'point')],
    notes: [...limitNotes(ideal !== null, bounds.map((b) => String(b.name)), scaled.find(has)), ...notesOn(visible, ctx.simulated, log)],
  };
}

/** Threads stand linearly on all machines that have no more of them, as the paper's do: figures beside each other have one rule. */
const mostCounted = 256;

/** Linear, by powers of two where values span many of them, or evenly where they are words. */
function xAxis(scaled: Cell[], ctx: Context, shape: LinesShape, xs: number[], at: Place): Record<string, unknown> {
  const label = axisStyle(ctx.theme, '').axisLabel as object;
  const some = xs.length <= (ctx.width < 520 ? 6 : 12);
  const least = Math.min(...xs);
  const most = Math.max(...xs);
  if (shape.ordinal || scaled.some((c) => typeof c.at[shape.x] === 'string')) {
    const names = new Map(scaled.map((c) => [at(c), valueTitle(shape.x, c.at[shape.x] ?? '')]));
    return { type: 'category', data: xs.map((x) => names.get(x) ?? ''), boundaryGap: false, axisLabel: { ...label, interval: some ? 0 : 'auto' } };
  }
  const wide = least > 0 && most / least > (isCount(shape) ? mostCounted : 64);
  const ticks = some ? { axisTick: { customValues: xs } } : {};
  const labels = { ...label, formatter: (v: number) => (axisNumber(shape.x, v)), ...(some ? { customValues: xs } : {}) };
  return { type: wide ? 'log' : 'value', logBase: 2, min: least > 1 && xs.length > 1 ? least : Math.min(least, 1), max: most, minInterval: 1, ...ticks,
    axisLabel: labels };
}

function pointOf(line: Line, c: Cell, index: number, shape: LinesShape): Point {
  return { text: `${line.name}, ${xTitle(shape)} ${valueTitle(shape.x, c.at[shape.x]!)}: ${told(c)}`, series: line.name, index, of: contestantOf(c) };
}

function tipAt(x: number, lines: Line[], shape: LinesShape, at: Place, published: PublishedPoint[]): HTMLElement {
  const rows = lines
    .map((l) => ({ line: l, cell: l.cells.find((c) => at(c) === x) }))
    .filter((r) => r.cell)
    .map((r) => ({ name: r.line.name, text: told(r.cell!), color: r.line.color, remarks: rowRemarks(r.cell!, lines.length) }));
  const cells = lines.flatMap((l) => l.cells);
  const value = cells.find((c) => at(c) === x)?.at[shape.x] ?? x;
  const papers = published.filter((p) => p.x === x).map((p) => ({ name: '', text: pointWords(p, cells[0]?.unit ?? '') }));
  return tooltipBox(`${sentence(xTitle(shape))}: ${valueTitle(shape.x, value)}`, [...rows, ...papers]);
}

const rowRemarks = (c: Cell, lines: number) => (lines > 6 ? [] : remarksOn(c));

function legendOf(lines: Line[], ctx: Context, ideal: boolean, bounds: string[], published: boolean): LegendEntry[] {
  const entries: LegendEntry[] = lines.map((l) => ({
    name: l.name, color: l.color, symbol: 'line', shown: !ctx.hidden.has(l.name), dash: l.dash, point: l.mark,
  }));
  if (ideal) entries.push({ name: 'linear ideal', color: ctx.theme.muted, symbol: 'dash', shown: true, fixed: true });
  for (const what of bounds) entries.push({ name: what, color: ctx.theme.muted, symbol: 'dash', shown: true, dash: boundDashes[what], fixed: true });
  if (published) entries.push({ name: publishedName, color: ctx.theme.ink, symbol: 'point', shown: true, point: publishedMark, fixed: true });
  return entries;
}

/** What the lines are that curves are held against, and why a curve can pass them. */
function limitNotes(ideal: boolean, bounds: string[], shown: Cell | undefined): string[] {
  const bound = shown?.better === 'lower' ? 'Bound: the least that the model’s costs allow.'
    : 'Bound: the most if each turn goes to another thread, in the mean time of its transfers; a curve passes it where one thread, or near ones, have several turns in a row.';
  return [
    ...(ideal ? ['Linear ideal: the most that one thread does, times the threads; it rests on that one value, so a curve can pass it.'] : []),
    ...(bounds.includes('bound') ? [bound] : []),
    ...(bounds.includes('ceiling') ? ['Ceiling: what the pause allows, each thread once in a pause, as if the operation took no time.'] : []),
  ];
}

function notesOn(lines: Line[], simulated: boolean, log: boolean): string[] {
  const cells = lines.flatMap((l) => l.cells);
  return [
    ...doubtNotes(cells),
    ...(cells.some((c) => c.ci) ? [`Bands: ${intervalWords(simulated)}.`] : []),
    ...(log ? ['The vertical axis is logarithmic: equal distances are equal factors.'] : []),
  ];
}
