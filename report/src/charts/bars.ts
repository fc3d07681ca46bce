// Grouped bars with whiskers, lying down so that names stay readable: Figs. 6 and 9; and bars that carry the label
// "best lock : scalability" of Figs. 8 and 11.

import type { Cell, Coordinate } from '../reading';
import { digits } from '../numbers';
import { seriesName, valuesOf } from '../view';
import { axisTitle, sentence, valueTitle } from '../words';
import {
  axisStyle, belowBars, fitting, frame, has, intervalWords, maxOf, niceStep, remarksOn, scaleOf, styleOf, told, tooltipBox, valueAxis, valueAxisTitle,
  type Context, type Drawing, type Point,
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
}

const contests = new Set(['lock', 'primitive', 'implementation', 'call', 'permits']);
const most = 16;

/** Contestants stand best first; what has an order of its own keeps it. Only what was measured somewhere. */
function keysOf(shape: BarsShape, ctx: Context): Coordinate[] {
  const measured = ctx.all.filter(has);
  const keys = valuesOf(measured, shape.x);
  if (shape.x !== 'lock' && shape.x !== 'primitive') return keys;
  const merits = new Map<Coordinate, number>();
  for (const c of measured) {
    const merit = c.better === 'higher' ? -c.value : c.value;
    merits.set(c.at[shape.x]!, Math.min(merits.get(c.at[shape.x]!) ?? Infinity, merit));
  }
  return keys.sort((a, b) => merits.get(a)! - merits.get(b)!);
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

/** What stands at the end of a bar, behind its whisker. */
function endLabels(rows: Row[], ctx: Context): Record<string, unknown> {
  const end = (c: Cell) => Math.max(c.value ?? 0, c.ci?.[1] ?? 0);
  return {
    type: 'custom',
    silent: true,
    z: 5,
    data: rows.map((r, at) => [at, r.cells[0] ? end(r.cells[0]) : 0]),
    encode: { x: 1, y: 0 },
    renderItem: (_: unknown, api: Api) => {
      const [x, y] = api.coord([api.value(1), api.value(0)]);
      const text = rows[api.value(0)]?.label ?? '';
      return { type: 'text', style: { text, x: x! + 8, y, fill: ctx.theme.ink, fontSize: 12, fontFamily: ctx.theme.font, textVerticalAlign: 'middle' } };
    },
  };
}

function barSeries(rows: Row[], name: string, index: number, ctx: Context, stacked: boolean): Record<string, unknown> {
  return {
    type: 'bar',
    id: name || 'value',
    name,
    data: rows.map((r) => ({ value: r.cells[index]?.value ?? null, itemStyle: { opacity: r.cells[index]?.flag === 'unreliable' && r.cells[index]?.ci === null ? pale : 1 } })),
    ...(stacked ? { stack: 'whole' } : {}),
    barGap: '8%',
    barCategoryGap: '26%',
    barMaxWidth: 22,
    itemStyle: { color: styleOf(ctx.theme, index).color, borderRadius: [0, 2, 2, 0] },
  };
}

/** A value without an interval. */
const pale = 0.5;

/** The longest bar leaves this much of the axis to its label. */
const labelRoom = (width: number) => (width < 520 ? 2.2 : 1.35);

/** How far bars reach, with their whiskers as long as these are no multiple of the bar. */
function heightsOf(cells: (Cell & { value: number })[], shape: BarsShape): number[] {
  if (!shape.stacked) return cells.map((c) => Math.max(c.value, Math.min(c.ci?.[1] ?? 0, c.value * 1.5)));
  const sums = new Map<Coordinate, number>();
  for (const c of cells) sums.set(c.at[shape.x] ?? '', (sums.get(c.at[shape.x] ?? '') ?? 0) + c.value);
  return [...sums.values()];
}

function drawRows(rows: Row[], names: string[], cells: Cell[], shape: BarsShape, ctx: Context, more: number): Drawing {
  const scale = scaleOf(ctx.all);
  // Beside other machines, a machine leaves out what it does not have, but keeps the colours.
  const there = (index: number) => rows.some((r) => r.cells[index] && has(r.cells[index]));
  const shown = names.map((name, index) => ({ name, index })).filter((n) => !ctx.hidden.has(n.name) && there(n.index));
  const labelled = rows.some((r) => r.label);
  const stacked = shape.stacked ?? false;
  const heights = heightsOf(ctx.all.filter(has).filter((c) => !ctx.hidden.has(seriesName(c, shape.series)) || labelled), shape);
  const greatest = maxOf(heights) * (labelled ? labelRoom(ctx.width) : 1.02);
  const step = niceStep(greatest / scale.factor, ctx.width < 520 ? 3 : 6) * scale.factor;
  const title = valueAxisTitle(cells, scale);
  const base = frame(ctx.theme, sentence(axisTitle(shape.x)));
  const visible = rows.map((r) => ({ ...r, cells: shown.map((n) => r.cells[n.index]) }));
  const option = {
    ...base,
    tooltip: { ...(base.tooltip as object), trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (at: { dataIndex: number }[]) => tip(rows[at[0]?.dataIndex ?? 0], names, ctx) },
    xAxis: { ...valueAxis(ctx.theme, fitting(title, ctx.width), scale), max: Math.ceil(greatest / step) * step || 1, interval: step },
    yAxis: {
      ...axisStyle(ctx.theme, ''),
      type: 'category',
      inverse: true,
      data: rows.map((r) => r.name),
      axisTick: { show: false },
      axisLabel: { color: ctx.theme.ink, fontSize: 12, fontFamily: ctx.theme.font, interval: 0, width: Math.min(220, ctx.width * 0.46), overflow: 'truncate' },
    },
    series: [
      ...shown.map((n) => barSeries(rows, n.name, n.index, ctx, stacked)),
      ...(stacked ? [] : shown.map((_, i) => whiskers(visible, i, shown.length, ctx.theme.ink))),
      ...(labelled ? [endLabels(rows, ctx)] : []),
    ],
  };
  return {
    option,
    height: belowBars(ctx.width) + rows.length * Math.max(20, 9 + (stacked ? 1 : shown.length) * 13),
    renderer: 'svg',
    points: rows.flatMap((r, index) => shown.map((n) => pointOf(r, n.name, r.cells[n.index], index))).filter((p): p is Point => p !== null),
    label: `Bars: ${title} by ${axisTitle(shape.x)}${names.length > 1 ? `, for each ${shape.series.map(axisTitle).join(' and ')}` : ''}.`,
    legend: names.length < 2 ? [] : names.map((name, i) => ({ name, color: styleOf(ctx.theme, i).color, symbol: 'box', shown: !ctx.hidden.has(name) })),
    notes: stacked ? [] : notesOn(cells, ctx.simulated),
    more,
  };
}

export function drawBars(cells: Cell[], shape: BarsShape, ctx: Context): Drawing {
  const first = (axis: string) => valuesOf(ctx.all, axis);
  const names = [...new Set(ordered(ctx.all, shape.series, first).map((c) => seriesName(c, shape.series)))];
  const keys = keysOf(shape, ctx);
  const some = ctx.expanded || !contests.has(shape.x) ? keys : keys.slice(0, most);
  // The axis is as long as the longest bar that is shown, here or beside.
  const all = ctx.all.filter((c) => some.includes(c.at[shape.x]!));
  return drawRows(rowsOf(some, cells, shape, names), names.length === 0 ? [''] : names, cells, shape, { ...ctx, all }, keys.length - some.length);
}

/** Cells in the order of their series' values. */
function ordered(cells: Cell[], series: string[], values: (axis: string) => Coordinate[]): Cell[] {
  const ranks = series.map((axis) => new Map(values(axis).map((v, i) => [v, i])));
  const key = (c: Cell) => series.map((axis, i) => ranks[i]!.get(c.at[axis]!) ?? -1);
  return cells.filter(has).map((c) => ({ c, k: key(c) })).sort((a, b) => a.k.reduce((d, v, i) => d || v - b.k[i]!, 0)).map((e) => e.c);
}

function pointOf(r: Row, series: string, c: Cell | undefined, index: number): Point | null {
  if (!c || !has(c)) return null;
  return { text: `${[r.name, series].filter((t) => t).join(', ')}: ${told(c)}${r.label ? `; ${r.label}` : ''}`, series: series || 'value', index };
}

function tip(row: Row | undefined, names: string[], ctx: Context): HTMLElement {
  if (!row) return tooltipBox('', []);
  const lines = names
    .map((name, i) => ({ name, cell: row.cells[i], color: styleOf(ctx.theme, i).color }))
    .filter((l) => l.cell !== undefined && !ctx.hidden.has(l.name))
    .map((l) => ({ name: l.name, text: told(l.cell!), color: l.color, remarks: remarksOn(l.cell!) }));
  return tooltipBox(row.label ? `${row.name}: ${row.label}` : row.name, lines);
}

function notesOn(cells: Cell[], simulated: boolean): string[] {
  const notes: string[] = [];
  const far = cells.filter((c) => has(c) && c.at.mode !== undefined && c.at.mode !== 'near').length;
  if (far > 0) notes.push(`${far} of ${cells.filter(has).length} values were measured while the virtual processors were far from each other: there was no nearer moment.`);
  if (cells.some((c) => has(c) && !c.ci && c.flag === 'unreliable')) notes.push('Pale bars have no interval: too few repetitions.');
  if (cells.some((c) => c.ci)) notes.push(`Thin lines: ${intervalWords(simulated)}.`);
  return notes;
}

// ---- best lock : scalability

export interface BestShape {
  /** Who competes: "lock", "primitive". */
  contestants: string;
  /** What is told apart by bars: e.g. number of locks, then threads. */
  groups: string[];
  /** Where the unit of scalability is measured: the best with one of these. */
  unit: string;
}

function bestOf(cells: Cell[]): Cell | undefined {
  return cells.filter(has).reduce<Cell | undefined>((best, c) => (!best || (c.better === 'lower' ? c.value < best.value! : c.value > best.value!) ? c : best), undefined);
}

export function drawBest(cells: Cell[], shape: BestShape, ctx: Context): Drawing {
  const groups = new Map<string, Cell[]>();
  for (const c of ordered(cells, shape.groups, (axis) => valuesOf(ctx.all, axis))) {
    const key = shape.groups.map((axis) => `${valueTitle(axis, c.at[axis] ?? '')} ${unitWord(axis, c.at[axis])}`).join(', ');
    groups.set(key, [...(groups.get(key) ?? []), c]);
  }
  const rows: Row[] = [];
  for (const [name, group] of groups) {
    const best = bestOf(group)!;
    const rest = shape.groups.filter((axis) => axis !== shape.unit);
    const alone = bestOf(cells.filter((c) => c.at[shape.unit] === 1 && rest.every((axis) => c.at[axis] === best.at[axis])));
    const factor = alone && alone.value ? `${digits(best.value! / alone.value)}×` : '?';
    rows.push({ name, key: name, cells: [best], label: `${valueTitle(shape.contestants, best.at[shape.contestants] ?? '')} : ${factor}` });
  }
  const drawing = drawRows(rows, [''], cells, { x: shape.groups[0]!, series: [] }, { ...ctx, hidden: new Set() }, 0);
  (drawing.option.title as { text: string }).text = shape.groups.map((g) => sentence(axisTitle(g))).join(', ');
  drawing.notes.unshift(`At each bar: the best ${axisTitle(shape.contestants)}, and how many times as much it does as the best with one of the ${axisTitle(shape.unit)}.`);
  drawing.label = `Bars: the best ${axisTitle(shape.contestants)} for each ${shape.groups.map(axisTitle).join(' and ')}, with its scalability.`;
  return drawing;
}

function unitWord(axis: string, value: Coordinate | undefined): string {
  if (axis === 'threads') return value === 1 ? 'thread' : 'threads';
  if (axis === 'locks') return value === 1 ? 'lock' : 'locks';
  if (axis === 'buckets' || axis === 'clients') return axis;
  return '';
}
