// Grouped bars with whiskers, lying down so that names stay readable: Figs. 6 and 9; and bars that carry the label
// "best lock : scalability" of Figs. 8 and 11.

import { doubtful, isFar, type Cell, type Coordinate } from '../data';
import { digits, type Scale } from '../numbers';
import { contestantOf } from '../marked';
import { levelLabel, levelsAmong, levelWords, type PublishedLevel } from '../published';
import { levelEntry, levelHeight, levelSeries } from './levels';
import { logAxis, logarithmic } from './logarithm';
import { contenders, leading, ofTheSure, rivals } from '../ranking';
import { channels, inkOn, mixed } from '../theme';
import { seriesName, valuesOf } from '../view';
import { axisTitle, counted, listed, neutralOf, sentence, valueTitle } from '../words';
import {
  axisStyle, belowBars, boxStyle, doubtEntries, doubtNotes, fitting, frame, has, intervalWords, maxOf, niceStep, remarksOn, scaleOf, seriesColor, told,
  tooltipBox, valueAxis, valueAxisTitle, type Context, type Drawing, type LegendEntry, type Point,
} from './kit';

export interface BarsShape {
  x: string;
  series: string[];
  /** The series are parts of a whole: one bar behind the other. */
  stacked?: boolean;
}

interface Row {
  name: string;
  key: Coordinate;
  cells: (Cell | undefined)[];
  label?: string;
  /** What would be longer if its value were sure: an outline behind the bar. */
  doubted?: Cell | undefined;
}

const contests = new Set(['lock', 'primitive', 'implementation', 'call', 'permits']);
/** So many rows are shown until the reader asks for all. */
const most = 16;

const ranks = (shape: BarsShape) => shape.x === 'lock' || shape.x === 'primitive';

function meritsOf(cells: Cell[], x: string): Map<Coordinate, number> {
  const merits = new Map<Coordinate, number>();
  for (const c of cells.filter(has)) {
    const merit = c.better === 'higher' ? -c.value : c.value;
    merits.set(c.at[x]!, Math.min(merits.get(c.at[x]!) ?? Infinity, merit));
  }
  return merits;
}

/** Contestants stand best first, behind them those of which nothing sure is known; what has an order of its own keeps it. */
export function keysOf(shape: BarsShape, ctx: Context): Coordinate[] {
  const measured = ctx.all.filter(has);
  const keys = valuesOf(measured, shape.x);
  if (!ranks(shape)) return keys;
  const sure = meritsOf(contenders(measured), shape.x);
  const rest = meritsOf(measured, shape.x);
  return keys.sort((a, b) => Number(sure.has(b)) - Number(sure.has(a)) || (sure.get(a) ?? rest.get(a)!) - (sure.get(b) ?? rest.get(b)!));
}

/** Those of the keys that are shown first. */
export const firstOf = (keys: Coordinate[], shape: BarsShape, ctx: Context): Coordinate[] =>
  ctx.expanded || !contests.has(shape.x) ? keys : keys.slice(0, most);

/** Of a ranking: the first and all that cannot be told apart from it. */
export function leadersOf(cells: Cell[], shape: BarsShape, names: string[]): Set<Cell> | null {
  if (!ranks(shape) || names.length > 1 || cells.every((c) => c.better === 'neither')) return null;
  const first = leading(cells);
  return first ? new Set([first.best, ...first.tied]) : null;
}

function rowsOf(keys: Coordinate[], cells: Cell[], shape: BarsShape, names: string[]): Row[] {
  return keys
    .map((key) => ({
      key,
      name: valueTitle(shape.x, key),
      cells: names.map((n) => cells.find((c) => c.at[shape.x] === key && seriesName(c, shape.series) === n)),
    }))
    .filter((r) => r.cells.some((c) => c && has(c)));
}

type Api = { value: (i: number) => number; coord: (p: number[]) => number[]; barLayout: (o: object) => { offsetCenter: number; width: number }[] };

/** A thin line over the interval, at the middle of its bar. */
function whiskers(rows: Row[], index: number, series: number, color: string): Record<string, unknown> {
  const data = rows.flatMap((r, at) => {
    const ci = r.cells[index]?.ci;
    return ci && r.cells[index]!.value !== null ? [[at, ci[0], ci[1]]] : [];
  });
  return {
    type: 'custom',
    silent: true,
    clip: true,
    z: 4,
    data,
    encode: { x: [1, 2], y: 0 },
    renderItem: (_: unknown, api: Api) => {
      const layout = api.barLayout({ count: series, barGap: '8%', barCategoryGap: '26%' })[index];
      const from = api.coord([api.value(1), api.value(0)]);
      const to = api.coord([api.value(2), api.value(0)]);
      const y = from[1]! + (layout?.offsetCenter ?? 0);
      const line = (x1: number, y1: number, x2: number, y2: number) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: color, lineWidth: 1.2 } });
      return { type: 'group', children: [line(from[0]!, y, to[0]!, y), line(from[0]!, y - 3, from[0]!, y + 3), line(to[0]!, y - 3, to[0]!, y + 3)] };
    },
  };
}

/** Where the label of a bar begins: behind the bar and its whisker, and behind an outline. */
const endOf = (c: Cell, doubted?: Cell): number => Math.max(c.value ?? 0, c.ci?.[1] ?? 0, doubted?.value ?? 0);

/** Where a number of this width begins so that no edge of a field runs through it. */
function besideEdges(x: number, width: number, edges: number[]): number {
  return edges.reduce((from, edge) => (edge > from - 3 && edge < from + width + 3 ? edge + 4 : from), x);
}

/** What stands at the end of the bars of a series. `levels`: the fields that lie across. */
function endLabels(rows: Row[], index: number, series: number, textOf: (r: Row) => string, ctx: Context, levels: PublishedLevel[]): Record<string, unknown> {
  const edges = levels.flatMap((l) => [l.value, l.to]).sort((a, b) => a - b);
  const size = series > 1 ? 10 : 12;
  return {
    type: 'custom',
    silent: true,
    z: 5,
    data: rows.flatMap((r, at) => (r.cells[index] && has(r.cells[index]) ? [[at, endOf(r.cells[index], r.doubted)]] : [])),
    encode: { x: 1, y: 0 },
    renderItem: (_: unknown, api: Api) => {
      const layout = api.barLayout({ count: series, barGap: '8%', barCategoryGap: '26%' })[index];
      const [x, y] = api.coord([api.value(1), api.value(0)]);
      const text = textOf(rows[api.value(0)]!);
      const from = besideEdges(x! + 8, text.length * size * 0.62, edges.map((e) => api.coord([e, api.value(0)])[0]!));
      return { type: 'text', style: { text, x: from, y: y! + (layout?.offsetCenter ?? 0), fill: ctx.theme.ink, backgroundColor: ctx.theme.paper,
        fontSize: size, fontFamily: ctx.theme.font, textVerticalAlign: 'middle' } };
    },
  };
}

function barSeries(rows: Row[], name: string, index: number, ctx: Context, stacked: boolean, leaders: Set<Cell> | null): Record<string, unknown> {
  const color = seriesColor(ctx.theme, index);
  const style = (c: Cell | undefined) => boxStyle(ctx.theme, leaders && c && !leaders.has(c) ? behind(ctx) : color, c);
  return {
    type: 'bar',
    id: name || 'value',
    name,
    data: rows.map((r) => ({ value: r.cells[index]?.value ?? null, itemStyle: style(r.cells[index]) })),
    ...(stacked ? { stack: 'whole' } : {}),
    barGap: '8%',
    barCategoryGap: '26%',
    barMaxWidth: 22,
    itemStyle: { color },
    emphasis: { itemStyle: { borderColor: ctx.theme.ink, borderWidth: 2, borderType: 'solid' } },
  };
}

/** Of a ranking: who is shown to be behind the first. */
export const behind = (ctx: Context) => mixed(ctx.theme.series[0]!, ctx.theme.paper, 0.55);

export function leaderEntries(cells: Cell[], leaders: Set<Cell> | null, ctx: Context): LegendEntry[] {
  if (!leaders) return [];
  const entry = (name: string, color: string): LegendEntry => ({ name, color, symbol: 'box', shown: true, fixed: true });
  const others = cells.some((c) => has(c) && !doubtful(c) && !leaders.has(c));
  return [entry(leaders.size > 1 ? 'the first, and all not distinguishable from it' : 'the first', ctx.theme.series[0]!),
    ...(others ? [entry('the others', behind(ctx))] : [])];
}

/** A line across all rows at the value that means neither gain nor loss. */
function neutralLine(at: number, rows: number, ctx: Context): Record<string, unknown> {
  return {
    type: 'custom', silent: true, z: 6, data: [[at, 0]], encode: { x: 0, y: 1 },
    renderItem: (_: unknown, api: Api & { size: (p: number[]) => number[] }) => {
      const half = api.size([0, 1])[1]! / 2;
      const [x, y] = api.coord([at, 0]);
      return { type: 'line', shape: { x1: x!, y1: y! - half, x2: x!, y2: api.coord([at, rows - 1])[1]! + half }, style: { stroke: ctx.theme.ink,
        lineWidth: 1.2 } };
    },
  };
}

const narrow = 520;

/** What stands at the end of a bar, and how long that is: 1 is the longest. */
interface EndLabel {
  text: string;
  length: number;
}

/** How many times as long as the longest bar the axis must be for the labels at the ends of bars. */
function labelRoom(rows: Row[], width: number, labels: EndLabel[]): number {
  const wide = (text: string) => text.length * 6.9;
  const plot = width - Math.min(220, width * 0.46, maxOf(rows.map((r) => wide(r.name)))) - 40;
  return maxOf(labels.map((l) => (l.length * plot) / Math.max(plot * 0.25, plot - wide(l.text) - 16)));
}

/** Of so many bars; many of them stand closer, so that thirteen calls on four systems are no more than a page of paper. */
const rowHeight = (bars: number): number => Math.max(20, 9 + bars * (bars > 3 ? 12 : 13));

/** How far a bar reaches, with its whisker as long as that is no multiple of the bar. */
const heightOf = (c: Cell & { value: number }): number => Math.max(c.value, Math.min(c.ci?.[1] ?? 0, c.value * 1.5));

function heightsOf(cells: (Cell & { value: number })[], shape: BarsShape): number[] {
  if (!shape.stacked) return cells.map(heightOf);
  const sums = new Map<Coordinate, number>();
  for (const c of cells) sums.set(c.at[shape.x] ?? '', (sums.get(c.at[shape.x] ?? '') ?? 0) + c.value);
  return [...sums.values()];
}

/** The axis of values: from zero, from what means neither gain nor loss, or over decades. `room`: how many times the longest bar it is. */
function barAxis(heights: number[], scale: Scale, room: number, neutral: number | null, ctx: Context): Record<string, unknown> {
  const base = valueAxis(ctx.theme, '', scale);
  const least = heights.filter((v) => v > 0).reduce((a, b) => Math.min(a, b), Infinity);
  if (ctx.log && neutral === null && Number.isFinite(least)) {
    // The shortest bar has a length, too.
    const from = least / 2;
    const axis = logAxis([from, from * (maxOf(heights) / from) ** room], scale);
    const style = logarithmic(base, axis, axis.ticks!.filter((t) => Number.isInteger(Number(Math.log10(t / scale.factor).toFixed(9)))));
    return { ...style, axisLabel: { ...(style.axisLabel as object), hideOverlap: true }, startValue: axis.least };
  }
  const greatest = maxOf(heights) * room;
  // What begins at 1 needs no room down to 0.
  const lowest = neutral === null ? 0 : Math.min(neutral, ...ctx.scaled.filter(has).map((c) => Math.min(c.value, c.ci?.[0] ?? c.value)));
  const step = niceStep((greatest - lowest) / scale.factor, ctx.width < narrow ? 3 : 6) * scale.factor;
  return { ...base, max: Math.ceil(greatest / step) * step || 1, interval: step,
    ...(neutral === null ? {} : { min: Math.floor(lowest / step) * step, startValue: neutral }) };
}

/** The names of the rows, the first one on top. */
const rowAxis = (rows: Row[], ctx: Context): Record<string, unknown> => ({
  ...axisStyle(ctx.theme, ''), type: 'category', inverse: true, data: rows.map((r) => r.name), axisTick: { show: false },
  axisLabel: { color: ctx.theme.ink, fontSize: 12, fontFamily: ctx.theme.font, interval: 0, width: Math.min(220, ctx.width * 0.46), overflow: 'truncate' },
});

/** The value of a bar, in the unit of the axis; "?" marks what is doubtful, as in tables. */
const numberOf = (c: Cell | undefined, scale: Scale): string => (c && has(c) ? `${digits(c.value / scale.factor)}${doubtful(c) ? ' ?' : ''}` : '');

/** What the parts of a bar make together; doubtful if one of them is. */
function totalOf(parts: (Cell | undefined)[], scale: Scale): string {
  const there = parts.filter((c) => c !== undefined).filter(has);
  return `${digits(there.reduce((sum, c) => sum + c.value, 0) / scale.factor)}${there.some(doubtful) ? ' ?' : ''}`;
}

/** At the end of each bar the whole; in it the parts, where there are several and a number has room. `colors`: of the parts. */
function stackLabels(rows: Row[], colors: string[], scale: Scale, ctx: Context): Record<string, unknown>[] {
  const parts = rows.map((r, row) => {
    let to = 0;
    return r.cells.flatMap((c, i) => (c && has(c) ? [{ row, from: to, to: (to += c.value), text: numberOf(c, scale),
      ground: String(boxStyle(ctx.theme, colors[i]!, c).color) }] : []));
  });
  const inside = parts.filter((of) => of.length > 1).flat();
  const wholes = parts.map((of, row) => ({ row, to: of[of.length - 1]?.to ?? 0, text: totalOf(rows[row]!.cells, scale) }));
  const text = (words: string, [x, y]: [number, number], more: object) => ({ type: 'text', style: { text: words, x, y, fontFamily: ctx.theme.font,
    textVerticalAlign: 'middle', ...more } });
  const series = (data: { row: number; to: number }[], renderItem: (at: { dataIndex: number }, api: Api) => unknown) =>
    ({ type: 'custom', silent: true, z: 5, data: data.map((d) => [d.row, d.to]), encode: { x: 1, y: 0 }, renderItem });
  return [
    series(inside, ({ dataIndex }, api) => {
      const { row, from, to, text: words, ground } = inside[dataIndex]!;
      const [left, right] = [from, to].map((v) => api.coord([v, row])[0]!) as [number, number];
      return right - left < words.length * 6 + 8 ? null
        : text(words, [(left + right) / 2, api.coord([to, row])[1]!], { fill: inkOn(channels(ground)), fontSize: 10, textAlign: 'center' });
    }),
    series(wholes, ({ dataIndex }, api) => {
      const { row, to, text: words } = wholes[dataIndex]!;
      const [x, y] = api.coord([to, row]) as [number, number];
      return text(words, [x + 8, y], { fill: ctx.theme.ink, fontSize: 12 });
    }),
  ];
}

/** `room`: how many times the longest bar the axis is. */
function drawRows(rows: Row[], names: string[], cells: Cell[], shape: BarsShape, ctx: Context, more: number, room = 1.02): Drawing {
  const scale = scaleOf(ctx.scaled);
  // Beside other machines, a machine leaves out what it does not have, but keeps the colours.
  const there = (index: number) => rows.some((r) => r.cells[index] && has(r.cells[index]));
  const shown = names.map((name, index) => ({ name, index })).filter((n) => !ctx.hidden.has(n.name) && there(n.index));
  const labelled = rows.some((r) => r.label);
  const stacked = shape.stacked ?? false;
  const seen = (all: Cell[]) => all.filter(has).filter((c) => !ctx.hidden.has(seriesName(c, shape.series)) || labelled);
  const levels = levelsAmong(ctx.published, seen(cells));
  const heights = [...heightsOf(seen(ctx.scaled), shape), ...levels.map((l) => l.to)];
  const neutral = stacked ? null : neutralOf(cells.find(has)?.metric ?? '');
  const title = valueAxisTitle(cells, scale);
  const base = frame(ctx.theme, sentence(axisTitle(shape.x)));
  const leaders = labelled ? null : leadersOf(cells, shape, names);
  const visible = rows.map((r) => ({ ...r, cells: shown.map((n) => r.cells[n.index]) }));
  const unit = ctx.scaled[0]?.unit ?? '';
  const grid = base.grid as { top: number };
  const option = {
    ...base,
    grid: { ...grid, top: grid.top + levels.length * levelHeight },
    tooltip: { ...(base.tooltip as object), trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (at: { dataIndex: number }[]) =>
      tip(rows[at[0]?.dataIndex ?? 0], names, ctx) },
    xAxis: { ...barAxis(heights, scale, room, neutral, ctx), name: fitting(title, ctx.width) },
    yAxis: rowAxis(rows, ctx),
    series: [
      ...shown.map((n) => barSeries(rows, n.name, n.index, ctx, stacked, leaders)),
      ...(stacked ? stackLabels(visible, shown.map((n) => seriesColor(ctx.theme, n.index)), scale, ctx) : [
        ...shown.map((_, i) => whiskers(visible, i, shown.length, ctx.theme.ink)),
        ...shown.map((_, i) => endLabels(visible, i, shown.length, (r) => r.label ?? numberOf(r.cells[i], scale), ctx, levels))]),
      ...(neutral === null ? [] : [neutralLine(neutral, rows.length, ctx)]),
      ...levels.map((l, place) => levelSeries(levelLabel(l, unit), l, place, rows.length, ctx)),
    ],
  };
  return {
    option,
    height: belowBars(ctx.width) + levels.length * levelHeight + rows.length * rowHeight(stacked ? 1 : shown.length),
    renderer: 'svg',
    points: [...rows.flatMap((r, index) => shown.map((n) => pointOf(r, n.name, r.cells[n.index], index))).filter((p): p is Point => p !== null),
      ...levels.map((l) => ({ text: levelWords(l, unit) }))],
    label: `Bars: ${title} by ${axisTitle(shape.x)}${names.length > 1 ? `, for each ${shape.series.map(axisTitle).join(' and ')}` : ''}.`,
    legend: [
      ...(names.length < 2 ? [] : names.map((name, i): LegendEntry => ({ name, color: seriesColor(ctx.theme, i), symbol: 'box',
        shown: !ctx.hidden.has(name) }))),
      ...levelEntry(levels, ctx), ...leaderEntries(cells, leaders, ctx), ...doubtEntries(cells, ctx.theme, 'box'),
    ],
    notes: [...leaderNotes(cells, shape, leaders), ...notesOn(cells, ctx.simulated, stacked), ...(ctx.log && neutral === null ? [logNote] : [])],
    more,
  };
}

export function drawBars(cells: Cell[], shape: BarsShape, ctx: Context): Drawing {
  const first = (axis: string) => valuesOf(ctx.all, axis);
  const names = [...new Set(ordered(ctx.all, shape.series, first).map((c) => seriesName(c, shape.series)))];
  const keys = keysOf(shape, ctx);
  const some = firstOf(keys, shape, ctx);
  // The axis is as long as the longest bar that is shown, here or beside.
  const here = (c: Cell) => some.includes(c.at[shape.x]!);
  const scale = scaleOf(ctx.scaled.filter(here));
  const room = (other: Cell[]) => {
    const rows = rowsOf(some, other, shape, names);
    const texts = rows.flatMap((r) => (shape.stacked ? totalOf(r.cells, scale) : r.cells.map((c) => numberOf(c, scale))));
    return labelRoom(rows, ctx.width, texts.map((text) => ({ text, length: 1 })));
  };
  return drawRows(rowsOf(some, cells, shape, names), names.length === 0 ? [''] : names, cells, shape, { ...ctx, all: ctx.all.filter(here),
    scaled: ctx.scaled.filter(here) }, keys.length - some.length, maxOf(ctx.beside.map(room)));
}

/** Cells in the order of their series' values. */
function ordered(cells: Cell[], series: string[], values: (axis: string) => Coordinate[]): Cell[] {
  const ranks = series.map((axis) => new Map(values(axis).map((v, i) => [v, i])));
  const key = (c: Cell) => series.map((axis, i) => ranks[i]!.get(c.at[axis]!) ?? -1);
  return cells.filter(has).map((c) => ({ c, k: key(c) })).sort((a, b) => a.k.reduce((d, v, i) => d || v - b.k[i]!, 0)).map((e) => e.c);
}

function pointOf(r: Row, series: string, c: Cell | undefined, index: number): Point | null {
  if (!c || !has(c)) return null;
  return { text: `${[r.name, series].filter((t) => t).join(', ')}: ${told(c)}${r.label ? `; ${r.label}` : ''}`, series: series || 'value', index, of: contestantOf(c) };
}

function tip(row: Row | undefined, names: string[], ctx: Context): HTMLElement {
  if (!row) return tooltipBox('', []);
  const lines = names
    .map((name, i) => ({ name, cell: row.cells[i], color: seriesColor(ctx.theme, i) }))
    .filter((l) => l.cell !== undefined && !ctx.hidden.has(l.name))
    .map((l) => ({ name: l.name, text: told(l.cell!), color: l.color, remarks: remarksOn(l.cell!) }));
  return tooltipBox(row.label ? `${row.name}: ${row.label}` : row.name, lines);
}

/** "std/mutex leads, not distinguishable from mcs and clh." */
export function leaderNotes(cells: Cell[], shape: BarsShape, leaders: Set<Cell> | null): string[] {
  if (!leaders) return [];
  const [best, ...tied] = [...leaders].map((c) => valueTitle(shape.x, c.at[shape.x] ?? ''));
  const far = [...leaders].some(isFar) ? ', measured while the processors were far from each other' : '';
  return cells.filter(has).length > 1 ? [`First${ofTheSure(leading(cells)?.holds ?? true)} is ${best!}${far}${rivals(tied)}.`] : [];
}

const logNote = 'The axis is logarithmic: bars show which is longer, their numbers by how much.';

function notesOn(cells: Cell[], simulated: boolean, stacked: boolean): string[] {
  return [...doubtNotes(cells), ...(!stacked && cells.some((c) => c.ci) ? [`Thin lines: ${intervalWords(simulated)}.`] : [])];
}

// ---- best lock : scalability

export interface BestShape {
  /** Who competes: "lock", "primitive". */
  contestants: string;
  /** What is told apart by bars: e.g. number of locks, then threads. */
  groups: string[];
  /** Where the unit of scalability is measured: the best with one of these. */
  unit: string;
  /** The values of the first group that the paper's figure has: others only if asked for. */
  paper?: number[];
}

interface Contest {
  row: Row;
  best: Cell;
  holds: boolean;
}

const doesMore = (a: Cell, b: Cell): boolean => (a.better === 'lower' ? a.value! < b.value! : a.value! > b.value!);

/** Of the doubtful ones the one that would do most, where that is more than the best of the sure ones does. */
function doubtedOf(group: Cell[], best: Cell | undefined): Cell | undefined {
  const before = group.filter((c) => doubtful(c) && (!best || (isFar(c) === isFar(best) && doesMore(c, best))));
  return before.length === 0 ? undefined : before.reduce((most, c) => (doesMore(c, most) ? c : most));
}

/** The best of a group with those it cannot be told apart from, and how many times the best of a single unit it does. */
function contestOf(name: string, group: Cell[], cells: Cell[], shape: BestShape, width: number): Contest {
  const first = leading(group);
  const title = (c: Cell) => valueTitle(shape.contestants, c.at[shape.contestants] ?? '');
  const doubted = doubtedOf(group, first?.best);
  const best = first?.best ?? doubted ?? group[0]!;
  const rest = shape.groups.filter((axis) => axis !== shape.unit);
  const alone = leading(cells.filter((c) => c.at[shape.unit] === 1 && rest.every((axis) => c.at[axis] === best.at[axis])))?.best;
  const factor = first && alone?.value ? `${digits(best.value! / alone.value)}×` : '?';
  const tied = first?.tied ?? [];
  const others = tied.length === 1 ? title(tied[0]!) : `${tied.length} others`;
  const sure = tied.length === 0 ? title(best) : width < narrow ? `${title(best)} +${tied.length}` : `${title(best)} or ${others}`;
  const unsure = doubted ? `${title(doubted)}, doubtful` : 'none is sure';
  const label = first ? `${sure} : ${factor}${doubted ? `; ${unsure}` : ''}` : `${unsure} : ${factor}`;
  return { best, holds: first?.holds ?? true, row: { name, key: name, cells: [best], label, doubted: first ? doubted : undefined } };
}

/** Behind the bar of the best of the sure ones the outline of a doubtful one that would be longer. */
function doubtedSeries(rows: Row[], ctx: Context): Record<string, unknown> {
  const data = rows.flatMap((r, at) => (r.doubted ? [[at, r.cells[0]!.value!, r.doubted.value!]] : []));
  return {
    type: 'custom', id: 'doubtful', silent: true, clip: true, z: 2, data, encode: { x: [1, 2], y: 0 },
    renderItem: (_: unknown, api: Api) => {
      const layout = api.barLayout({ count: 1, barGap: '8%', barCategoryGap: '26%', barMaxWidth: 22 })[0]!;
      const [from, y] = api.coord([api.value(1), api.value(0)]) as [number, number];
      const to = api.coord([api.value(2), api.value(0)])[0]!;
      return { type: 'rect', shape: { x: from, y: y + layout.offsetCenter - layout.width / 2, width: to - from, height: layout.width },
        style: { fill: mixed(ctx.theme.series[0]!, ctx.theme.paper, 0.85), stroke: ctx.theme.series[0]!, lineWidth: 1.2, lineDash: [3, 2] } };
    },
  };
}

/** The groups that the paper's figure has too, where there are some. */
function asInPaper(cells: Cell[], shape: BestShape, ctx: Context): Cell[] {
  const alike = cells.filter((c) => shape.paper?.includes(Number(c.at[shape.groups[0]!])));
  return ctx.expanded || alike.length === 0 ? cells : alike;
}

const shownOf = (cells: Cell[], shape: BestShape, ctx: Context): Cell[] =>
  asInPaper(cells, shape, ctx).filter((c) => !(ctx.withoutOne && c.at[shape.unit] === 1));

function paperNote(cells: Cell[], shape: BestShape): string[] {
  const axis = shape.groups[0]!;
  const missing = (shape.paper ?? []).filter((v) => !cells.some((c) => c.at[axis] === v));
  if (missing.length === 0) return [];
  return [`The paper’s figure has ${listed(shape.paper!.map(String))} ${axis}; ${listed(missing.map(String))} ${missing.length === 1 ? 'is' : 'are'} not in this file.`];
}

/** Each group with its best, as far as the figure shows it. */
function contestsOf(cells: Cell[], shape: BestShape, ctx: Context): Contest[] {
  const groups = new Map<string, Cell[]>();
  for (const c of ordered(shownOf(cells, shape, ctx), shape.groups, (axis) => valuesOf(ctx.all, axis))) {
    const key = shape.groups.map((axis) => counted(axis, c.at[axis] ?? '')).join(', ');
    groups.set(key, [...(groups.get(key) ?? []), c]);
  }
  return [...groups].map(([name, group]) => contestOf(name, group, cells, shape, ctx.width));
}

export function drawBest(cells: Cell[], shape: BestShape, ctx: Context): Drawing {
  const shown = shownOf(cells, shape, ctx);
  const contests = contestsOf(cells, shape, ctx);
  const rows = contests.map((c) => c.row);
  // Charts beside each other have labels of different lengths, and one axis.
  const all = ctx.beside.map((other) => contestsOf(other, shape, ctx));
  const end = ({ best, row }: Contest) => maxOf([best, row.doubted].filter((c) => c !== undefined).filter(has).map(heightOf));
  const longest = maxOf(all.flat().map(end));
  const room = maxOf(all.map((other) => labelRoom(other.map((c) => c.row), ctx.width,
    other.map((c) => ({ text: c.row.label ?? '', length: ctx.log ? 1 : end(c) / longest })))));
  const scaled = all.flat().flatMap(({ best, row }) => (row.doubted ? [best, row.doubted] : [best]));
  const hidden = new Set(cells.map((c) => c.at[shape.groups[0]!])).size - new Set(shown.map((c) => c.at[shape.groups[0]!])).size;
  const drawing = drawRows(rows, [''], contests.map((c) => c.best), { x: shape.groups[0]!, series: [] }, { ...ctx, scaled, hidden: new Set() }, hidden, room);
  (drawing.option.title as { text: string }).text = shape.groups.map((g) => sentence(axisTitle(g))).join(', ');
  if (rows.some((r) => r.doubted)) {
    (drawing.option.series as unknown[]).push(doubtedSeries(rows, ctx));
    drawing.notes.unshift(`An outline behind a bar: a ${axisTitle(shape.contestants)} that would do more, if its value were sure.`);
  }
  drawing.notes.unshift(
    `At each bar: the best ${axisTitle(shape.contestants)}${ofTheSure(contests.every((c) => c.holds))}, or how many are not distinguishable from it, and how many times as much it does as the best with one of the ${axisTitle(shape.unit)}.`,
    ...paperNote(ctx.all, shape));
  drawing.label = `Bars: the best ${axisTitle(shape.contestants)} for each ${shape.groups.map(axisTitle).join(' and ')}, with its scalability.`;
  return drawing;
}
