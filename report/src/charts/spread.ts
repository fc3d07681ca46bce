// How single values scatter: boxes of the repetitions' samples with their density, their cumulative share (ECDF), and the
// repetitions in the order in which they were measured, where a drift is seen.

import type { Cell, Coordinate } from '../data';
import { colourAxis, lineStyles, type LineStyle } from '../colours';
import { digits, quantity, type Scale } from '../numbers';
import { contestantOf } from '../marked';
import { density, median, quantile, trend } from '../stats';
import { seriesName, valuesOf } from '../view';
import { axisTitle, listed, sentence, valueTitle } from '../words';
import { behind, firstOf, keysOf, leaderEntries, leaderNotes, leadersOf } from './bars';
import {
  axisStyle, belowBars, boxStyle, doubtEntries, doubtNotes, fitting, frame, has, maxOf, niceStep, remarksOn, scaleOf, tooltipBox, valueAxis,
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

/** A line that is pointed at, here or in another figure. */
const pointed = { triggerLineEvent: true, emphasis: { scale: 1.5, lineStyle: { width: 4 } } };

const logNote = 'The axis is logarithmic: equal distances are equal factors.';

type Api = { value: (i: number) => number; coord: (p: number[]) => number[]; size: (p: number[]) => number[] };

/** Of fewer values a density would show its own width and nothing else. */
const fewestForDensity = 10;

/** [value, density from 0 to 1], as the axis has the values; nothing where there are too few, or all are one. */
const densityOf = (b: Box, log: boolean): [number, number][] =>
  b.sorted.length < fewestForDensity || (log && b.sorted[0]! <= 0) ? []
    : density(b.sorted.map((v) => (log ? Math.log(v) : v))).map(([v, d]) => [log ? Math.exp(v) : v, d]);

/** To both sides of the row's middle. */
function densityShape(curve: [number, number][], row: number, half: number, api: Api, fill: string): Record<string, unknown> {
  const at = ([v, d]: [number, number], side: number) => {
    const [x, y] = api.coord([v, row]) as [number, number];
    return [x, y + side * d * half];
  };
  return { type: 'polygon', shape: { points: [...curve.map((p) => at(p, -1)), ...[...curve].reverse().map((p) => at(p, 1))] },
    style: { fill, opacity: 0.22 } };
}

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
  const curves = boxes.map((b) => densityOf(b, log));
  const dense = curves.some((c) => c.length > 0);
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
          const row = api.size([0, 1])[1]!;
          const half = Math.min(dense ? 7 : 9, row * 0.3);
          const y = at(1)[1]!;
          const line = (x1: number, y1: number, x2: number, y2: number, style: object = stroke) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
          return {
            type: 'group',
            children: [
              ...(curves[dataIndex]?.length ? [densityShape(curves[dataIndex]!, api.value(0), row * 0.46, api, styles[dataIndex]!.borderColor as string
                ?? styles[dataIndex]!.color)] : []),
              line(at(1)[0]!, y, at(2)[0]!, y), line(at(4)[0]!, y, at(5)[0]!, y),
              line(at(1)[0]!, y - half / 2, at(1)[0]!, y + half / 2), line(at(5)[0]!, y - half / 2, at(5)[0]!, y + half / 2),
              { type: 'rect', shape: { x: at(2)[0]!, y: y - half, width: Math.max(1, at(4)[0]! - at(2)[0]!), height: 2 * half },
                style: boxFill(styles[dataIndex]!, ctx.theme.ink), emphasis: { style: { stroke: ctx.theme.ink, lineWidth: 3 } } },
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
    height: belowBars(ctx.width) + boxes.length * (dense ? 40 : 30),
    renderer: 'svg',
    points: boxes.map((b, index) => ({ text: `${b.name}: ${words(b)}`, series: 'boxes', index, of: contestantOf(b.cell) })),
    label: `Box plot: ${title} by ${axisTitle(shape.x)}.`,
    legend: [...leaderEntries(shown, leaders, ctx), ...doubtEntries(shown, ctx.theme, 'box'),
      ...(rare ? [{ name: '99th percentile of single operations', color: ctx.theme.series[1]!, symbol: 'box' as const, shown: true, fixed: true }] : [])],
    notes: [...leaderNotes(shown, shape, leaders), ...doubtNotes(shown), 'Box: the middle half of the repetitions, with their median; whiskers: the smallest and the largest.',
      ...(dense ? ['Behind a box: where the repetitions are dense (Gaussian kernel, Silverman’s width).'] : []),
      ...(rare ? ['A repetition is the median of its single operations; those scatter more.'] : []), ...(log ? [logNote] : [])],
    more: keys.length - some.length,
  };
}

const stylesOf = (cells: Cell[], shape: SpreadShape, ctx: Context): LineStyle[] =>
  lineStyles(cells, colourAxis([...shape.series, shape.x], ctx.all), ctx.theme, ctx.colours);

export function drawEcdf(cells: Cell[], shape: SpreadShape, ctx: Context): Drawing {
  const scale = scaleOf(ctx.scaled);
  const all = cells.filter((c) => c.samples.length > 0 && !ctx.hidden.has(seriesName(c, shape.series)));
  // A curve for each line of threads is too many: those of the most are told.
  const last = valuesOf(all, shape.x).filter((v): v is number => typeof v === 'number').pop();
  const visible = all.filter((c) => last === undefined || c.at[shape.x] === last);
  const groups = new Map<string, number[]>();
  const about = new Map(visible.map((c) => [boxName(c, shape), contestantOf(c)]));
  for (const c of visible) groups.set(boxName(c, shape), [...(groups.get(boxName(c, shape)) ?? []), ...c.samples]);
  const styles = stylesOf([...groups.keys()].map((name) => visible.find((c) => boxName(c, shape) === name)!), shape, ctx);
  const lines = [...groups].map(([name, samples], i) => ({ name, ...styles[i]!, sorted: samples.sort((a, b) => a - b) }));
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
      ...pointed,
      symbol: 'circle',
      symbolSize: 4,
      data: l.sorted.map((v, i) => [Math.max(v, least), (i + 1) / l.sorted.length]),
      itemStyle: { color: l.color },
      lineStyle: { color: l.color, width: 1.8, type: l.dash },
    })),
  };
  return {
    option,
    height: 320,
    renderer: 'svg',
    points: shown.flatMap((l) => [0.1, 0.5, 0.9].map((p) =>
      ({ text: `${l.name}: ${p * 100} % of the repetitions at or below ${quantity(quantile(l.sorted, p), unit)}`, series: l.name,
      of: about.get(l.name), index: Math.round(p * (l.sorted.length - 1)) }))),
    label: `Cumulative share of the repetitions: ${title}.`,
    legend: lines.map((l) => ({ name: l.name, color: l.color, symbol: 'line', shown: !ctx.hidden.has(l.name), dash: l.dash })),
    notes: log ? [logNote] : [],
  };
}

interface Course extends LineStyle {
  name: string;
  /** [number of the repetition, quotient by the median] */
  course: [number, number][];
  trend: number;
  of: string | undefined;
}

/** Beyond this a trend is no chance, also among some dozens that are looked at. */
const surelyTrending = 3.5;
/** Fewer cannot go one way so surely, even if each is above the one before. */
export const fewestForTrend = 9;
const mostCourses = 8;

function coursesOf(cells: Cell[], shape: SpreadShape, ctx: Context): Course[] {
  const last = valuesOf(cells, shape.x).filter((v): v is number => typeof v === 'number').pop();
  const keys = keysOf(shape, ctx);
  const nameOf = (c: Cell) => (last === undefined ? '' : seriesName(c, shape.series)) || boxName(c, shape);
  const visible = cells.filter((c) => has(c) && c.value !== 0 && c.samples.length > 1 && (last === undefined || c.at[shape.x] === last))
    .sort((a, b) => keys.indexOf(a.at[shape.x]!) - keys.indexOf(b.at[shape.x]!));
  const styles = stylesOf(visible, shape, ctx);
  return visible.map((c, i) => ({
    name: nameOf(c), ...styles[i]!, trend: trend(c.samples), of: contestantOf(c),
    course: c.samples.map((v, k) => [(c.repetitions[k] ?? k) + 1, v / median(c.samples)]),
  }));
}

/** What can be said of a drift: of lines that are too short nothing. */
export function driftNote(all: Pick<Course, 'name' | 'trend' | 'course'>[]): string {
  const lines = all.filter((l) => l.course.length >= fewestForTrend);
  const short = all.length - lines.length;
  const untold = `fewer than ${fewestForTrend} repetitions do not show one`;
  if (lines.length === 0) return `Whether there is a drift is open: ${untold}.`;
  const named = (some: typeof lines, verb: string) => (some.length === 0 ? []
    : [`${some.length === all.length && some.length > 1 ? 'all of them' : listed(some.map((l) => l.name))} ${verb}`]);
  const drifts = [...named(lines.filter((l) => l.trend > surelyTrending), 'went up'), ...named(lines.filter((l) => l.trend < -surelyTrending), 'went down')];
  const said = drifts.length === 0 ? 'No drift: none of them goes one way from first to last more than chance would have it (Mann and Kendall’s test).'
    : `Drift: ${drifts.join(', ')} while the run went on (Mann and Kendall’s test). Intervals assume that nothing does.`;
  return short === 0 ? said : `${said} That is about ${lines.length} of ${all.length}: ${untold}.`;
}

/** The repetitions in the order measured, each by the median of its place: what moves in all lines at once was the machine. */
export function drawOrder(cells: Cell[], shape: SpreadShape, ctx: Context): Drawing {
  const all = coursesOf(cells, shape, ctx);
  const at = valuesOf(cells.filter(has), shape.x).filter((v): v is number => typeof v === 'number').pop();
  const lines = ctx.expanded ? all : all.slice(0, mostCourses);
  const shown = lines.filter((l) => !ctx.hidden.has(l.name));
  const values = shown.flatMap((l) => l.course.map((p) => p[1]));
  const least = values.reduce((a, b) => Math.min(a, b), 1), most = values.reduce((a, b) => Math.max(a, b), 1);
  const step = niceStep(Math.max(most - least, 0.02), 5);
  const base = frame(ctx.theme, 'Times its median');
  const option = {
    ...base,
    tooltip: { ...(base.tooltip as object), trigger: 'item', formatter: (at: { seriesName: string; value: number[] }) => tooltipBox(at.seriesName,
      [{ name: '', text: `repetition ${at.value[0]}: ${digits(at.value[1]!)} times its median` }]) },
    xAxis: { ...axisStyle(ctx.theme, 'Repetition, in the order measured'), type: 'value', min: 1, minInterval: 1,
      max: maxOf(shown.flatMap((l) => l.course.map((p) => p[0]))) },
    yAxis: { ...axisStyle(ctx.theme, ''), type: 'value', min: Math.floor(least / step) * step, max: Math.ceil(most / step) * step, interval: step,
      axisLabel: { color: ctx.theme.muted, fontSize: 11, fontFamily: ctx.theme.font, formatter: (v: number) => digits(v) } },
    series: shown.map((l) => ({ type: 'line', id: l.name, name: l.name, symbol: 'circle', symbolSize: 5, data: l.course, ...pointed,
      itemStyle: { color: l.color },
      lineStyle: { color: l.color, width: 1.6, type: l.dash } })),
  };
  return {
    option,
    height: 320,
    renderer: 'svg',
    points: shown.flatMap((l) => l.course.map(([n, q], index) => ({ text: `${l.name}, repetition ${n}: ${digits(q)} times its median`, series: l.name, index,
      of: l.of }))),
    label: 'Lines: the repetitions in the order in which they were measured, each divided by the median of its place.',
    legend: lines.map((l) => ({ name: l.name, color: l.color, symbol: 'line', shown: !ctx.hidden.has(l.name), dash: l.dash })),
    notes: [...(at === undefined ? [] : [`Shown: ${axisTitle(shape.x)} ${valueTitle(shape.x, at)}.`]),
      'What moves in all lines at once was the machine.', driftNote(all)],
    more: all.length - lines.length,
  };
}
