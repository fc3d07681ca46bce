// Lines over a numeric axis with the band of their intervals, and the linear ideal: Figs. 3, 4, 5 and 7 of the paper.

import type { Cell } from '../reading';
import { dashes, marks } from '../theme';
import { seriesName, valuesOf } from '../view';
import { axisTitle, sentence, valueTitle } from '../words';
import {
  axisStyle, frame, has, niceStep, remarksOn, scaleOf, styleOf, told, tooltipBox, valueAxis, valueAxisTitle,
  type Context, type Drawing, type LegendEntry, type Point,
} from './kit';

export interface LinesShape {
  x: string;
  series: string[];
  /** Dotted: one thread's throughput times the threads. */
  ideal?: boolean;
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
  const last = new Map<string, { x: number; cell: Cell }>();
  for (const c of cells.filter(has)) {
    const name = seriesName(c, shape.series);
    const x = Number(c.at[shape.x]);
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
  const names = ranked(cells, shape);
  if (names.length <= fewest) return new Set(names);
  const known = names.filter((n) => familiar.includes(n));
  return new Set([...known, ...names.filter((n) => !known.includes(n)).slice(0, fewest - known.length)]);
}

function linesOf(cells: Cell[], shape: LinesShape, ctx: Context): Line[] {
  const names = ranked(ctx.all, shape);
  const shown = firstShown(ctx.all, shape);
  const order = [...names.filter((n) => shown.has(n)), ...names.filter((n) => !shown.has(n))];
  const groups = new Map<string, Cell[]>();
  for (const c of cells.filter(has)) {
    const name = seriesName(c, shape.series);
    groups.set(name, [...(groups.get(name) ?? []), c]);
  }
  return order
    .map((name, place) => ({ name, place, ...styleOf(ctx.theme, place), cells: groups.get(name) ?? [] }))
    .map((l) => ({ ...l, cells: l.cells.sort((a, b) => Number(a.at[shape.x]) - Number(b.at[shape.x])) }));
}

type Api = { coord: (p: number[]) => number[] };

/** A polygon around the intervals: there and back again. */
function bandSeries(line: Line, shape: LinesShape): Record<string, unknown> | null {
  const sure = line.cells.filter((c) => c.ci);
  if (sure.length < 2) return null;
  return {
    type: 'custom',
    name: line.name,
    silent: true,
    clip: true,
    z: 1,
    data: [[Number(sure[0]!.at[shape.x]), sure[0]!.ci![0]]],
    renderItem: (_: unknown, api: Api) => ({
      type: 'polygon',
      shape: {
        points: [
          ...sure.map((c) => api.coord([Number(c.at[shape.x]), c.ci![1]])),
          ...[...sure].reverse().map((c) => api.coord([Number(c.at[shape.x]), c.ci![0]])),
        ],
      },
      style: { fill: line.color, opacity: 0.16 },
    }),
  };
}

function lineSeries(line: Line, shape: LinesShape): Record<string, unknown> {
  return {
    type: 'line',
    id: line.name,
    name: line.name,
    data: line.cells.map((c) => ({ value: [Number(c.at[shape.x]), c.value!] })),
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

export function drawLines(cells: Cell[], shape: LinesShape, ctx: Context): Drawing {
  const scale = scaleOf(ctx.all);
  const xs = valuesOf(ctx.all, shape.x).map(Number);
  const most = Math.max(...xs);
  const all = linesOf(cells, shape, ctx);
  const visible = all.filter((l) => !ctx.hidden.has(l.name) && l.cells.length > 0);
  const names = new Set(all.filter((l) => !ctx.hidden.has(l.name)).map((l) => l.name));
  const heights = ctx.all.filter((c) => has(c) && names.has(seriesName(c, shape.series))).map((c) => Math.max(c.value!, Math.min(c.ci?.[1] ?? 0, c.value! * 1.5)));
  const step = niceStep((Math.max(...heights, 0) * 1.04) / scale.factor) * scale.factor;
  const top = Math.ceil((Math.max(...heights, 0) * 1.02) / step) * step || 1;
  const ideal = shape.ideal ? idealSeries(all, shape, ctx, most) : null;
  const wide = xs.length > 1 && most / Math.max(1, Math.min(...xs.filter((x) => x > 0))) > 64;
  const series = [
    ...visible.map((l) => bandSeries(l, shape)), ...visible.map((l) => lineSeries(l, shape)), ideal,
  ].filter((s) => s !== null);
  const title = valueAxisTitle(ctx.all, scale);
  const base = frame(ctx.theme, title);
  const option = {
    ...base,
    tooltip: {
      ...(base.tooltip as object),
      trigger: 'axis',
      formatter: (at: { axisValue: number }[]) => tipAt(Number(at[0]?.axisValue), visible, shape),
    },
    xAxis: {
      ...axisStyle(ctx.theme, sentence(axisTitle(shape.x))),
      type: wide ? 'log' : 'value',
      logBase: 2,
      min: wide ? Math.min(...xs.filter((x) => x > 0)) : Math.min(...xs, 1) > 1 ? 'dataMin' : Math.min(...xs, 1),
      max: most,
      minInterval: 1,
      ...(xs.length <= 12 && !wide ? { axisTick: { customValues: xs }, axisLabel: { ...(axisStyle(ctx.theme, '').axisLabel as object), customValues: xs } } : {}),
    },
    yAxis: { ...valueAxis(ctx.theme, '', scale), max: top, interval: step },
    series,
  };
  return {
    option,
    height: 340,
    renderer: 'svg',
    points: visible.flatMap((l) => l.cells.map((c, index) => pointOf(l, c, index, shape))),
    label: `Lines: ${title} by ${axisTitle(shape.x)}, one line for each ${shape.series.map(axisTitle).join(' and ')}.`,
    legend: legendOf(all.filter((l) => ctx.all.some((c) => seriesName(c, shape.series) === l.name)), ctx, ideal !== null),
    notes: notesOn(visible),
  };
}

function pointOf(line: Line, c: Cell, index: number, shape: LinesShape): Point {
  return { text: `${line.name}, ${axisTitle(shape.x)} ${valueTitle(shape.x, c.at[shape.x]!)}: ${told(c)}`, series: line.name, index };
}

function tipAt(x: number, lines: Line[], shape: LinesShape): HTMLElement {
  const rows = lines
    .map((l) => ({ line: l, cell: l.cells.find((c) => Number(c.at[shape.x]) === x) }))
    .filter((r) => r.cell)
    .map((r) => ({ name: r.line.name, text: told(r.cell!), color: r.line.color, remarks: rowRemarks(r.cell!, lines.length) }));
  return tooltipBox(`${sentence(axisTitle(shape.x))}: ${valueTitle(shape.x, x)}`, rows);
}

const rowRemarks = (c: Cell, lines: number) => (lines > 6 ? [] : remarksOn(c));

function legendOf(lines: Line[], ctx: Context, ideal: boolean): LegendEntry[] {
  const entries: LegendEntry[] = lines.map((l) => ({
    name: l.name, color: l.color, symbol: 'line', shown: !ctx.hidden.has(l.name), dash: dashes[l.turn % dashes.length],
  }));
  if (ideal) entries.push({ name: 'linear ideal', color: ctx.theme.muted, symbol: 'dash', shown: true });
  return entries;
}

function notesOn(lines: Line[]): string[] {
  const cells = lines.flatMap((l) => l.cells);
  const notes: string[] = [];
  const other = cells.filter((c) => c.at.mode !== undefined && c.at.mode !== 'near').length;
  if (other > 0) notes.push(`${other} of ${cells.length} points were measured while the virtual processors were far from each other: there was no nearer moment.`);
  if (cells.some((c) => c.ci)) notes.push('Bands: where the true value lies, with 95 % confidence.');
  return notes;
}
