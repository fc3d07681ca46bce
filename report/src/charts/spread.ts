// How single values scatter: boxes of the repetitions' samples, and their cumulative share (ECDF).

import type { Cell, Coordinate } from '../data';
import { quantity, type Scale } from '../numbers';
import { quantile } from '../stats';
import { dashes } from '../theme';
import { seriesName, valuesOf } from '../view';
import { axisTitle, sentence, valueTitle } from '../words';
import { behind, firstOf, keysOf, leaderEntries, leaderNotes, leadersOf } from './bars';
import {
  axisStyle, belowBars, boxStyle, doubtEntries, doubtNotes, fitting, frame, maxOf, niceStep, remarksOn, scaleOf, styleOf, tooltipBox, valueAxis,
  valueAxisTitle, type Context, type Drawing,
} from './kit';
import { logarithmic, logAxis } from './logarithm';

export interface SpreadShape {
  x: string;
  series: string[];
}

interface Box {
  name: string;
  cell: Cell;
  sorted: number[];
  five: [number, number, number, number, number];
  /** Of single waits and not of repetitions: what all but one in a hundred stay below; null where that was not counted. */
  rare: number | null;
}

/** "mcs, 4 threads", "tas, same core" */
function boxName(c: Cell, shape: SpreadShape): string {
  const x = c.at[shape.x]!;
  const value = typeof x === 'number' ? `${axisTitle(shape.x)} ${valueTitle(shape.x, x)}` : valueTitle(shape.x, x);
  const series = seriesName(c, shape.series);
  return typeof x === 'number' ? [series, value].filter((t) => t).join(', ') : [value, series].filter((t) => t).join(', ');
}

/** A box for each place, contestants best first; of lines only of those that are shown. */
function boxesOf(cells: Cell[], keys: Coordinate[], shape: SpreadShape, ctx: Context): Box[] {
  const shown = cells.filter((c) => c.samples.length > 0 && !ctx.hidden.has(seriesName(c, shape.series)));
  const groups = new Map<string, Cell[]>();
  for (const key of keys) for (const c of shown.filter((o) => o.at[shape.x] === key)) {
    const name = boxName(c, shape);
    groups.set(name, [...(groups.get(name) ?? []), c]);
  }
  return [...groups].map(([name, own]) => {
    const sorted = own.flatMap((c) => c.samples).sort((a, b) => a - b);
    const q = (p: number) => quantile(sorted, p);
    return { name, cell: own[0]!, sorted, five: [q(0), q(0.25), q(0.5), q(0.75), q(1)] as Box['five'], rare: own[0]!.quantiles.p99 ?? null };
  });
}

/** As a bar is filled, with an edge. */
function boxFill(style: Record<string, unknown>, ink: string): Record<string, unknown> {
  return { fill: style.color, fillOpacity: 0.5, stroke: style.borderColor ?? ink, lineWidth: 1.2, lineDash: style.borderType === 'dashed' ? [4, 3] : null };
}

/** The axis of values, from zero or over decades, and where it begins. */
function spreadAxis(values: number[], title: string, scale: Scale, ctx: Context): { axis: Record<string, unknown>; least: number; log: boolean } {
  const base = valueAxis(ctx.theme, fitting(title, ctx.width), scale);
  if (ctx.log && values.some((v) => v > 0)) {
    const axis = logAxis(values, scale);
    const powers = axis.ticks!.filter((t) => Number.isInteger(Number(Math.log10(t / scale.factor).toFixed(9))));
    const style = logarithmic(base, axis, powers.length > 1 ? powers : axis.ticks!);
    return { axis: { ...style, axisLabel: { ...(style.axisLabel as object), hideOverlap: true } }, least: axis.least, log: true };
  }
  const step = niceStep(maxOf(values) / scale.factor, ctx.width < 520 ? 3 : 6) * scale.factor;
  return { axis: { ...base, max: Math.ceil(maxOf(values) / step) * step || 1, interval: step }, least: -Infinity, log: false };
}

const logNote = 'The axis is logarithmic: equal distances are equal factors.';

type Api = { value: (i: number) => number; coord: (p: number[]) => number[]; size: (p: number[]) => number[] };

export function drawBoxes(cells: Cell[], shape: SpreadShape, ctx: Context): Drawing {
  const scale = scaleOf(ctx.scaled);
  const keys = keysOf(shape, ctx);
  const some = firstOf(keys, shape, ctx);
  const boxes = boxesOf(cells, some, shape, ctx);
  const shown = boxes.map((b) => b.cell);
  const leaders = leadersOf(shown, shape, [...new Set(shown.map((c) => seriesName(c, shape.series)))]);
  const styles = shown.map((c) => boxStyle(ctx.theme, leaders && !leaders.has(c) ? behind(ctx) : ctx.theme.series[0]!, c));
  const rare = boxes.some((b) => b.rare !== null);
  const scaled = ctx.scaled.filter((c) => some.includes(c.at[shape.x]!) && !ctx.hidden.has(seriesName(c, shape.series)));
  const title = valueAxisTitle(cells, scale);
  const ends = scaled.flatMap((c) => [...c.samples, ...(c.quantiles.p99 === undefined ? [] : [c.quantiles.p99])]);
  const { axis, least, log } = spreadAxis(ends, title, scale, ctx);
  const unit = cells[0]?.unit ?? '1';
  const base = frame(ctx.theme, sentence(axisTitle(shape.x)));
  const words = (b: Box) =>
    `smallest ${quantity(b.five[0], unit)}, half between ${quantity(b.five[1], unit)} and ${quantity(b.five[3], unit)}, median ${quantity(b.five[2], unit)}, largest ${quantity(b.five[4], unit)}, ${b.sorted.length} repetitions${b.rare === null ? '' : `; 99th percentile of single operations ${quantity(b.rare, unit)}`}`;
  const stroke = { stroke: ctx.theme.ink, lineWidth: 1.2 };
  const option = {
    ...base,
    tooltip: { ...(base.tooltip as object), trigger: 'item', formatter: (at: { dataIndex: number }) => tooltipBox(boxes[at.dataIndex]!.name,
      [{ name: '', text: words(boxes[at.dataIndex]!), remarks: remarksOn(boxes[at.dataIndex]!.cell) }]) },
    xAxis: axis,
    yAxis: { ...axisStyle(ctx.theme, ''), type: 'category', inverse: true, data: boxes.map((b) => b.name), axisTick: { show: false },
      axisLabel: { color: ctx.theme.ink, fontSize: 12, fontFamily: ctx.theme.font, interval: 0, width: Math.min(220, ctx.width * 0.46),
      overflow: 'truncate' } },
    series: [
      {
        type: 'custom',
        id: 'boxes',
        clip: true,
        data: boxes.map((b, i) => [i, ...b.five.map((v) => Math.max(v, least))]),
        encode: { x: [1, 2, 3, 4, 5, 6], y: 0 },
        renderItem: ({ dataIndex }: { dataIndex: number }, api: Api) => {
          const at = (i: number) => api.coord([api.value(i), api.value(0)]);
          const rarely = boxes[dataIndex]?.rare ?? null;
          const x = rarely === null ? 0 : api.coord([rarely, api.value(0)])[0]!;
          const half = Math.min(9, api.size([0, 1])[1]! * 0.3);
          const y = at(1)[1]!;
          const line = (x1: number, y1: number, x2: number, y2: number, style: object = stroke) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
          return {
            type: 'group',
            children: [
              line(at(1)[0]!, y, at(2)[0]!, y), line(at(4)[0]!, y, at(5)[0]!, y),
              line(at(1)[0]!, y - half / 2, at(1)[0]!, y + half / 2), line(at(5)[0]!, y - half / 2, at(5)[0]!, y + half / 2),
              { type: 'rect', shape: { x: at(2)[0]!, y: y - half, width: Math.max(1, at(4)[0]! - at(2)[0]!), height: 2 * half },
                style: boxFill(styles[dataIndex]!, ctx.theme.ink) },
              line(at(3)[0]!, y - half, at(3)[0]!, y + half, { ...stroke, lineWidth: 2.4 }),
              ...(rarely === null ? [] : [line(x, y - half, x, y + half, { stroke: ctx.theme.series[1], lineWidth: 2.4 })]),
            ],
          };
        },
      },
    ],
  };
  return {
    option,
    height: belowBars(ctx.width) + boxes.length * 30,
    renderer: 'svg',
    points: boxes.map((b, index) => ({ text: `${b.name}: ${words(b)}`, series: 'boxes', index })),
    label: `Box plot: ${title} by ${axisTitle(shape.x)}.`,
    legend: [...leaderEntries(shown, leaders, ctx), ...doubtEntries(shown, ctx.theme, 'box'),
      ...(rare ? [{ name: '99th percentile of single operations', color: ctx.theme.series[1]!, symbol: 'box' as const, shown: true, fixed: true }] : [])],
    notes: [...leaderNotes(shown, shape, leaders), ...doubtNotes(shown), 'Box: the middle half of the repetitions, with their median; whiskers: the smallest and the largest.',
      ...(rare ? ['A repetition is the median of its single operations; those scatter more.'] : []), ...(log ? [logNote] : [])],
    more: keys.length - some.length,
  };
}

export function drawEcdf(cells: Cell[], shape: SpreadShape, ctx: Context): Drawing {
  const scale = scaleOf(ctx.scaled);
  const all = cells.filter((c) => c.samples.length > 0 && !ctx.hidden.has(seriesName(c, shape.series)));
  // A curve for each line of threads is too many: those of the most are told.
  const last = valuesOf(all, shape.x).filter((v): v is number => typeof v === 'number').pop();
  const visible = all.filter((c) => last === undefined || c.at[shape.x] === last);
  const groups = new Map<string, number[]>();
  for (const c of visible) groups.set(boxName(c, shape), [...(groups.get(boxName(c, shape)) ?? []), ...c.samples]);
  const lines = [...groups].map(([name, samples], i) => ({ name, ...styleOf(ctx.theme, i), sorted: samples.sort((a, b) => a - b) }));
  const shown = lines.filter((l) => !ctx.hidden.has(l.name));
  const title = valueAxisTitle(cells, scale);
  const unit = cells[0]?.unit ?? '1';
  const { axis, least, log } = spreadAxis(shown.flatMap((l) => l.sorted), title, scale, ctx);
  const base = frame(ctx.theme, 'Share of the repetitions at or below');
  const option = {
    ...base,
    tooltip: { ...(base.tooltip as object), trigger: 'item', formatter: (at: { seriesName: string; value: number[] }) => tooltipBox(at.seriesName,
      [{ name: '', text: `${Math.round(at.value[1]! * 100)} % at or below ${quantity(at.value[0]!, unit)}` }]) },
    xAxis: axis,
    yAxis: { ...axisStyle(ctx.theme, ''), type: 'value', min: 0, max: 1, axisLabel: { color: ctx.theme.muted, fontSize: 11, formatter: (v: number) =>
      `${Math.round(v * 100)} %` } },
    series: shown.map((l) => ({
      type: 'line',
      id: l.name,
      name: l.name,
      step: 'end',
      symbol: 'circle',
      symbolSize: 4,
      data: l.sorted.map((v, i) => [Math.max(v, least), (i + 1) / l.sorted.length]),
      itemStyle: { color: l.color },
      lineStyle: { color: l.color, width: 1.8, type: dashes[l.turn % dashes.length] },
    })),
  };
  return {
    option,
    height: 320,
    renderer: 'svg',
    points: shown.flatMap((l) => [0.1, 0.5, 0.9].map((p) =>
      ({ text: `${l.name}: ${p * 100} % of the repetitions at or below ${quantity(quantile(l.sorted, p), unit)}`, series: l.name,
      index: Math.round(p * (l.sorted.length - 1)) }))),
    label: `Cumulative share of the repetitions: ${title}.`,
    legend: lines.map((l) => ({ name: l.name, color: l.color, symbol: 'line', shown: !ctx.hidden.has(l.name), dash: dashes[l.turn % dashes.length] })),
    notes: log ? [logNote] : [],
  };
}
