// A figure as data, for who draws it with something else: its charts as they are laid out, in the coordinates of their axes.
// Lines are what the chart was given; bars, bands, whiskers and words are read from what the chart library has drawn.

import { echarts } from './charts/echarts';
import { legendColors } from './charts/heat';
import type { Drawing, LegendEntry } from './charts/kit';
import { pictureWidth, type Parts } from './picture';
import { markNames } from './theme';

export interface PlotAxis {
  title: string;
  /** `rows`: words at 0, 1, 2, ... */
  scale: 'linear' | 'log' | 'rows';
  /** The values at its two ends: left and right, or bottom and top. */
  from: number;
  to: number;
  ticks: [number, string][];
  position: 'left' | 'right' | 'top' | 'bottom';
}

/** Colours are of CSS, widths in pixels, dashes pairs of lengths in pixels. */
interface Stroke {
  stroke: string | null;
  width: number;
  dash: number[];
}

export interface PlotLine extends Stroke {
  name: string;
  x: number[];
  y: number[];
  /** The value holds up to the next point, where it leaps. */
  steps: boolean;
  /** Of each point its mark (theme.ts) and colours; none where only the line is drawn. */
  points: { mark: string; fill: string; edge: string }[];
  z: number;
}

export interface PlotShape extends Stroke {
  at: [number, number][];
  fill: string | null;
  opacity: number;
  z: number;
  /** What lies outside of the axes is not drawn. */
  clip: boolean;
}

export interface PlotText {
  x: number;
  y: number;
  text: string;
  size: number;
  color: string;
  align: 'left' | 'center' | 'right';
  vertical: 'top' | 'middle' | 'bottom';
}

/** Dots from corner to corner, as an address of a PNG. */
export interface PlotImage {
  from: [number, number];
  to: [number, number];
  address: string;
}

export interface PlotPanel {
  name: string;
  width: number;
  height: number;
  x: PlotAxis;
  y: PlotAxis;
  lines: PlotLine[];
  shapes: PlotShape[];
  texts: PlotText[];
  images: PlotImage[];
}

export interface Plot {
  title: string;
  about: string[];
  found: string[];
  panels: PlotPanel[];
  legend: Pick<LegendEntry, 'name' | 'color' | 'symbol'>[];
  /** Of a map: the words at the two ends of its colours. */
  key: { least: string; most: string; colors: string[] } | null;
  notes: string[];
}

// ---- what the chart library has drawn

interface DrawnAxis {
  type: string;
  position: PlotAxis['position'];
  onBand: boolean;
  scale: { getExtent(): [number, number] };
  getExtent(): [number, number];
  toGlobalCoord(at: number): number;
  getViewLabels(): { formattedLabel: string; tick: { value: number } }[];
}

interface Style {
  fill?: string | null;
  stroke?: string | null;
  lineWidth?: number;
  lineDash?: number[] | 'solid' | 'dashed' | 'dotted' | false | null;
  opacity?: number;
  fillOpacity?: number;
  text?: string;
  image?: HTMLCanvasElement | string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  font?: string;
  fontSize?: number;
  textAlign?: string;
  textVerticalAlign?: string;
}

interface Element {
  type: string;
  shape: Record<string, number> & { points: [number, number][] };
  style: Style;
  traverse?(each: (e: Element) => void): void;
  getTextContent?(): Element | null;
}

/** The parts of a chart that its library shows to its own extensions. */
interface Inside {
  getModel(): { getComponent(name: string): { axis: DrawnAxis; option: { name?: string } }; eachSeries(each: (s: { seriesIndex: number }) => void): void };
  getViewOfSeriesModel(series: unknown): { group: Required<Pick<Element, 'traverse'>> };
}

type At = (x: number, y: number) => [number, number];

const kinds: Record<string, PlotAxis['scale']> = { category: 'rows', log: 'log' };

/** Values at the ends of the axis; a row is one unit high, and its value is its middle. */
function endsOf(axis: DrawnAxis): [number, number] {
  const [first, last] = axis.scale.getExtent();
  return axis.type === 'category' && axis.onBand ? [first - 0.5, last + 0.5] : [first, last];
}

/** The pixels at which these stand. */
const pixelsOf = (axis: DrawnAxis): [number, number] => axis.getExtent().map((at) => axis.toGlobalCoord(at)) as [number, number];

/** From a pixel to the value of an axis. */
function valueAt(axis: DrawnAxis): (pixel: number) => number {
  const [begin, end] = pixelsOf(axis);
  const [low, high] = endsOf(axis);
  const share = (pixel: number) => (pixel - begin) / (end - begin);
  return axis.type === 'log' ? (pixel) => low * (high / low) ** share(pixel) : (pixel) => low + (high - low) * share(pixel);
}

function plotAxis(axis: DrawnAxis, title: string, upright: boolean): PlotAxis {
  const [begin, end] = pixelsOf(axis);
  const [low, high] = endsOf(axis);
  const [from, to] = upright === begin > end ? [low, high] : [high, low];
  return { title, scale: kinds[axis.type] ?? 'linear', from, to, ticks: axis.getViewLabels().map((l) => [l.tick.value, l.formattedLabel]),
    position: axis.position };
}

const dashOf = (dash: unknown): number[] => (Array.isArray(dash) ? dash.map(Number) : dash === 'dashed' ? [4, 3] : dash === 'dotted' ? [1, 2] : []);

const strokeOf = (s: Style): Stroke => ({ stroke: s.stroke && (s.lineWidth ?? 1) > 0 ? s.stroke : null, width: s.lineWidth ?? 1, dash: dashOf(s.lineDash) });

/** The corners of what is drawn; nothing of what has none. */
function cornersOf({ type, shape }: Element): [number, number][] {
  const s = shape;
  if (type === 'rect') return [[s.x!, s.y!], [s.x! + s.width!, s.y!], [s.x! + s.width!, s.y! + s.height!], [s.x!, s.y! + s.height!]];
  if (type === 'line') return [[s.x1!, s.y1!], [s.x2!, s.y2!]];
  return type === 'polygon' || type === 'polyline' ? s.points : [];
}

const finite = (corners: [number, number][]) => corners.every((c) => c.every(Number.isFinite));

function shapeOf(e: Element, at: At, z: number, clip: boolean): PlotShape | null {
  const corners = cornersOf(e);
  if (corners.length === 0 || !finite(corners)) return null;
  const closed = e.type === 'rect' || e.type === 'polygon';
  const fill = closed && e.style.fill && e.style.fill !== 'none' ? e.style.fill : null;
  return { at: corners.map(([x, y]) => at(x, y)), fill, ...strokeOf(e.style), opacity: (e.style.opacity ?? 1) * (e.style.fillOpacity ?? 1), z, clip };
}

function textOf(style: Style, [x, y]: [number, number], align: PlotText['align'], vertical: PlotText['vertical']): PlotText {
  const size = style.fontSize ?? 12;
  return { x, y, text: style.text ?? '', size, color: style.fill ?? '#000000', align, vertical };
}

/** What stands inside of a field stands in its middle. */
function wordsIn(e: Element, at: At): PlotText[] {
  const inside = e.getTextContent?.();
  if (!inside?.style.text || e.type !== 'rect') return [];
  const { x, y, width, height } = e.shape;
  return [textOf(inside.style, at(x! + width! / 2, y! + height! / 2), 'center', 'middle')];
}

const aligned = (e: Element, at: At): PlotText =>
  textOf(e.style, at(e.style.x ?? 0, e.style.y ?? 0), (e.style.textAlign as PlotText['align'] | undefined) ?? 'left',
    (e.style.textVerticalAlign as PlotText['vertical'] | undefined) ?? 'top');

function imageOf({ style: { image, x = 0, y = 0, width = 0, height = 0 } }: Element, at: At): PlotImage[] {
  return typeof image === 'string' ? [{ from: at(x, y), to: at(x + width, y + height), address: image }] : [];
}

type SeriesOption = Record<string, unknown> & { data: unknown[]; type: string };
type Pair = [number, number];

function lineOf(s: SeriesOption): PlotLine {
  const style = s.lineStyle as { color?: string; width?: number; type?: unknown; opacity?: number };
  const own = s.data as (Pair | { value: Pair; symbol?: string; itemStyle?: { color: string; borderColor?: string } })[];
  const values = own.map((d) => (Array.isArray(d) ? d : d.value));
  const color = (s.itemStyle as { color: string } | undefined)?.color ?? style.color ?? '#000000';
  const points = s.symbol === 'none' ? [] : own.map((d) => {
    const path = String((!Array.isArray(d) && d.symbol) || s.symbol).replace('path://', '');
    const fill = (!Array.isArray(d) && d.itemStyle?.color) || color;
    return { mark: markNames.get(path) ?? 'circle', fill, edge: (!Array.isArray(d) && d.itemStyle?.borderColor) || fill };
  });
  return { name: String(s.name ?? s.id ?? ''), x: values.map((v) => v[0]), y: values.map((v) => v[1]), steps: s.step === 'end',
    stroke: style.opacity === 0 ? null : style.color ?? color, width: style.width ?? 1, dash: dashOf(style.type), points, z: Number(s.z ?? 2) };
}

/** The words at the points of a line. */
function pointLabels(s: SeriesOption): PlotText[] {
  return s.data.flatMap((d) => {
    const { value, label } = d as { value: Pair; label?: { formatter: string; position: string; color: string; fontSize: number } };
    return label ? [{ x: value[0], y: value[1], text: label.position === 'left' ? `${label.formatter}  ` : `  ${label.formatter}`, size: label.fontSize,
      color: label.color, align: label.position === 'left' ? 'right' as const : 'left' as const, vertical: 'middle' as const }] : [];
  });
}

function panelOf(name: string, drawing: Drawing, width: number): PlotPanel {
  const [wide, high] = [Math.max(width, drawing.minWidth ?? 0), Math.ceil(drawing.height)];
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: wide, height: high });
  chart.setOption(drawing.option);
  const inside = chart as unknown as Inside;
  const model = inside.getModel();
  const [x, y] = [model.getComponent('xAxis'), model.getComponent('yAxis')];
  const [atX, atY] = [valueAt(x.axis), valueAt(y.axis)];
  const at: At = (px, py) => [atX(px), atY(py)];
  const title = (drawing.option.title as { text?: string } | undefined)?.text ?? '';
  const panel: PlotPanel = { name, width: wide, height: high, x: plotAxis(x.axis, x.option.name ?? '', false), y: plotAxis(y.axis, title, true),
    lines: [], shapes: [], texts: [], images: [] };
  const options = drawing.option.series as SeriesOption[];
  model.eachSeries((series) => {
    const option = options[series.seriesIndex]!;
    if (option.type === 'line') {
      panel.lines.push(lineOf(option));
      panel.texts.push(...pointLabels(option));
      return;
    }
    inside.getViewOfSeriesModel(series).group.traverse((e) => {
      if (e.type === 'text') panel.texts.push(aligned(e, at));
      if (e.type === 'image') panel.images.push(...imageOf(e, at));
      const shape = e.type === 'group' ? null : shapeOf(e, at, Number(option.z ?? 2), option.type === 'bar' || option.clip === true);
      if (shape) panel.shapes.push(shape);
      panel.texts.push(...wordsIn(e, at));
    });
  });
  chart.dispose();
  return panel;
}

export function plotOf({ title, about, found, panels, legend, key, notes }: Parts): Plot {
  return {
    title, about, found, panels: panels.map((p) => panelOf(panels.length > 1 ? p.name : '', p.drawing, pictureWidth(panels.length))),
    legend: legend.map(({ name, color, symbol }) => ({ name, color, symbol })),
    key: key && { least: key.least, most: key.most, colors: legendColors(key.share, 40) }, notes,
  };
}
