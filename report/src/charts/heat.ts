// The heat map of a machine's processors, in topology order, with lines between packages, dies and cores and numbers
// where they fit. Up to 96 processors it is drawn cell by cell, beyond that as one picture, a dot for each pair.

import { doubtful, listOf, type Cell, type Facts, type Run } from '../data';
import { digits, quantity } from '../numbers';
import { valuesOf } from '../view';
import { axisTitle, membersWords, sentence } from '../words';
import { isWhole, wholeOf, type Part } from './part';
import { pngAddress } from '../png';
import { channels, inkOn } from '../theme';
import { axisStyle, doubtNotes, frame, has, remarksOn, scaleOf, told, tooltipBox, valueAxisTitle, type Context, type Drawing } from './kit';

export interface HeatShape {
  x: string;
  y: string;
}

/** Viridis by Stéfan van der Walt and Nathaniel Smith (CC0): even steps to the eye, also to a colour-blind one. */
const viridis = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];

const rgb = viridis.map(channels);

/** Less is blue, more is orange, the same is pale, also to a colour-blind eye. */
const quotients = ['#08519c', '#6baed6', '#f2f2f2', '#fd8d3c', '#a63603'].map(channels);

type Rgb = [number, number, number];

function between(colors: number[][], share: number): Rgb {
  const at = Math.min(1, Math.max(0, share)) * (colors.length - 1);
  const low = Math.min(Math.floor(at), colors.length - 2);
  const [a, b] = [colors[low]!, colors[low + 1]!];
  const mixed = (i: number) => Math.round(a[i]! + (b[i]! - a[i]!) * (at - low));
  return [mixed(0), mixed(1), mixed(2)];
}

/** Near is dark, far is light, as in the terminal. */
const heatColor = (share: number): Rgb => between(rgb, share);

const css = (c: Rgb) => `rgb(${c.join(',')})`;

export interface Processor {
  cpu: number;
  groups: number[];
}

const levels = ['package', 'die', 'cache', 'core'];
const levelNames = ['package', 'die', 'shared cache', 'core'];

/** The processors in the order of the topology; those it does not name follow by number. */
export function processorsOf(topology: Facts, named: number[]): Processor[] {
  const known = listOf(topology, 'cpus')
    .filter((c): c is Record<string, number> => typeof c === 'object' && c !== null && typeof (c as Facts).cpu === 'number')
    .map((c) => ({ cpu: c.cpu!, groups: levels.map((l) => (typeof c[l] === 'number' ? c[l]! : 0)) }));
  const wanted = new Set(named);
  const there = known.filter((p) => wanted.has(p.cpu));
  const names = new Set(there.map((p) => p.cpu));
  return [...there, ...named.filter((n) => !names.has(n)).map((cpu) => ({ cpu, groups: levels.map(() => -1) }))];
}

interface Separator {
  at: number;
  level: number;
}

/** Where lines go: before which place, and how strong (0 is a package). Only levels that tell something. */
export function separators(processors: Processor[]): Separator[] {
  const lines: Separator[] = [];
  for (let i = 1; i < processors.length; ++i) {
    const level = levels.findIndex((_, l) => processors[i]!.groups[l] !== processors[i - 1]!.groups[l]);
    if (level >= 0) lines.push({ at: i, level });
  }
  // A line between any two neighbours separates nothing.
  const finest = Math.max(...lines.map((l) => l.level), -1);
  const alone = lines.length === processors.length - 1;
  return alone ? lines.filter((l) => l.level < finest || finest === 0) : lines;
}

function levelsOf(lines: { level: number }[]): string {
  const names = [...new Set(lines.map((l) => l.level))].sort((a, b) => a - b).map((l) => levelNames[l]!);
  return names.length === 0 ? '' : `Lines part ${names.map((n, i) => `${n}s${i === 0 && names.length > 1 ? ' (strongest)' : ''}`).join(', ')}.`;
}

interface Grid {
  /** Of the whole map. */
  all: number;
  part: Part;
  columns: Processor[];
  rows: Processor[];
  cells: (Cell | undefined)[][];
  colorOf: (value: number) => Rgb;
}

/** The quotient at which a colour is full: the farthest from 1 that there is, but no less than this. */
const leastQuotient = 1.25;

function colorsFor(all: Cell[], ratio: boolean): (value: number) => Rgb {
  const [least, most] = range(all);
  const [low, high] = colorRange([least, most]);
  if (!ratio) return (value) => heatColor(shareOf(value, low, high));
  const full = Math.log(Math.max(leastQuotient, most, least > 0 ? 1 / least : 1));
  return (value) => between(quotients, 0.5 + Math.log(value) / full / 2);
}

function gridOf(cells: Cell[], shape: HeatShape, run: Run, all: Cell[], wanted: Part | null, ratio = false): Grid {
  const named = new Set<number>();
  for (const axis of [shape.x, shape.y]) for (const v of valuesOf(cells, axis)) if (typeof v === 'number') named.add(v);
  const processors = processorsOf(run.topology, [...named].sort((a, b) => a - b));
  const n = processors.length;
  const part = wanted && wanted.columns[0] < n && wanted.rows[0] < n ? wanted : wholeOf(n);
  const [columns, rows] = [processors.slice(...part.columns), processors.slice(...part.rows)];
  const places = (some: Processor[]) => new Map(some.map((p, i) => [p.cpu, i]));
  const [column, row] = [places(columns), places(rows)];
  const grid: (Cell | undefined)[][] = rows.map(() => new Array<Cell | undefined>(columns.length).fill(undefined));
  for (const c of cells) {
    const [y, x] = [row.get(Number(c.at[shape.y])), column.get(Number(c.at[shape.x]))];
    if (y !== undefined && x !== undefined) grid[y]![x] = c;
  }
  return { all: n, part, columns, rows, cells: grid, colorOf: colorsFor(all, ratio) };
}

function range(cells: Cell[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const c of cells)
    if (c.value !== null) {
      if (c.value < low) low = c.value;
      if (c.value > high) high = c.value;
    }
  return low <= high ? [low, high] : [0, 1];
}

/** A narrow range does not fill the scale: what differs by a few percent should not look like day and night. */
const narrowest = 2;

function colorRange([low, high]: [number, number]): [number, number] {
  return low > 0 ? [low, Math.max(high, low * narrowest)] : [low, high];
}

/** Latencies grow by factors from one distance to the next, so colours follow the logarithm. */
function shareOf(value: number, low: number, high: number): number {
  if (!(high > low)) return 0.3;
  return low > 0 && value > 0 ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

type Api = { value: (i: number) => number; coord: (p: number[]) => number[]; size: (p: number[]) => number[] };

function cellSeries(g: Grid, shape: HeatShape, ctx: Context, size: number): Record<string, unknown> {
  const scale = scaleOf(ctx.scaled);
  const font = Math.min(13, size / 3);
  const data = g.cells.flatMap((row, y) => row.flatMap((c, x) => (c ? [[x, y, c.value ?? NaN]] : [])));
  return {
    type: 'custom',
    id: 'pairs',
    name: sentence(axisTitle(shape.y)),
    data,
    encode: { x: 0, y: 1 },
    clip: true,
    renderItem: (_: unknown, api: Api) => {
      const [x, y, value] = [api.value(0), api.value(1), api.value(2)];
      const middle = api.coord([x, y]);
      const [w, h] = api.size([1, 1]) as [number, number];
      const color = Number.isFinite(value) ? g.colorOf(value) : null;
      const shape = { x: middle[0]! - w / 2 + 0.5, y: middle[1]! - h / 2 + 0.5, width: Math.max(1, w - 1), height: Math.max(1, h - 1) };
      const c = g.cells[y]?.[x];
      const field = {
        type: 'rect',
        shape,
        style: { fill: color ? css(color) : ctx.theme.faint },
        ...(font >= 6.5 && color
          ? { textContent: { style: { text: digits(value / scale.factor), fill: inkOn(color), fontSize: font, fontFamily: ctx.theme.font } },
            textConfig: { position: 'inside' } }
          : {}),
      };
      if (!c || !color || !doubtful(c)) return field;
      return { type: 'group', children: [field, { type: 'line', shape: { x1: shape.x, y1: shape.y + shape.height, x2: shape.x + shape.width, y2: shape.y },
        style: { stroke: inkOn(color), fill: 'none', lineWidth: 1, opacity: 0.7 } }] };
    },
  };
}

/** One dot for each pair, enlarged without smoothing. */
function picture(g: Grid): HTMLCanvasElement | string {
  const [wide, high] = [g.columns.length, g.rows.length];
  const dots = new Uint8ClampedArray(wide * high * 4);
  g.cells.forEach((row, y) => row.forEach((c, x) => {
    if (!c || c.value === null) return;
    const at = (y * wide + x) * 4;
    [dots[at], dots[at + 1], dots[at + 2]] = g.colorOf(c.value);
    dots[at + 3] = 255;
  }));
  const zoom = Math.max(1, Math.floor(1400 / Math.max(wide, high)));
  // Without a page nobody looks at a part: the map is a square.
  return typeof document === 'undefined' ? pngAddress(wide, zoom, dots) : canvasOf(wide, high, zoom, dots);
}

function canvasOf(wide: number, high: number, zoom: number, content: Uint8ClampedArray<ArrayBuffer>): HTMLCanvasElement {
  const dots = document.createElement('canvas');
  dots.width = wide;
  dots.height = high;
  dots.getContext('2d')!.putImageData(new ImageData(content, wide, high), 0, 0);
  const large = document.createElement('canvas');
  large.width = wide * zoom;
  large.height = high * zoom;
  const enlarge = large.getContext('2d')!;
  enlarge.imageSmoothingEnabled = false;
  enlarge.drawImage(dots, 0, 0, large.width, large.height);
  return large;
}

function pictureSeries(g: Grid): Record<string, unknown> {
  const image = picture(g);
  const last = [g.columns.length - 1, g.rows.length - 1];
  return {
    type: 'custom',
    id: 'pairs',
    data: [[0, 0]],
    encode: { x: 0, y: 1 },
    clip: true,
    silent: true,
    renderItem: (_: unknown, api: Api) => {
      const from = api.coord([0, 0]);
      const to = api.coord(last);
      const [w, h] = api.size([1, 1]) as [number, number];
      return {
        type: 'image',
        style: { image, x: from[0]! - w / 2, y: from[1]! - h / 2, width: to[0]! - from[0]! + w, height: to[1]! - from[1]! + h },
      };
    },
  };
}

/** Lines that would stand closer than this, in pixels, would hide what they part. */
const apart = 6;

function legible(lines: Separator[], side: number): Separator[] {
  const crowded = levels.findIndex((_, level) => (lines.filter((l) => l.level <= level).length + 1) * apart > side);
  return crowded < 0 ? lines : lines.filter((l) => l.level < crowded);
}

function lineSeries(g: Grid, ctx: Context, columns: Separator[], rows: Separator[]): Record<string, unknown> {
  const last = [g.columns.length - 1, g.rows.length - 1];
  const data = [...columns.map((s) => [s.at, 0, s.level, 0]), ...rows.map((s) => [0, s.at, s.level, 1])];
  const widths = [2.5, 1.6, 1, 0.6];
  return {
    type: 'custom',
    silent: true,
    data,
    encode: { x: 0, y: 1 },
    z: 5,
    renderItem: (_: unknown, api: Api) => {
      const width = widths[api.value(2)] ?? 0.6;
      const [w, h] = api.size([1, 1]) as [number, number];
      const here = api.coord([api.value(0), api.value(1)]);
      const [first, end] = [api.coord([0, 0]), api.coord(last)];
      const line = (x1: number, y1: number, x2: number, y2: number) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: ctx.theme.ink,
        lineWidth: width } });
      const [x, y] = [here[0]! - w / 2, here[1]! - h / 2];
      return api.value(3) === 0 ? line(x, first[1]! - h / 2, x, end[1]! + h / 2) : line(first[0]! - w / 2, y, end[0]! + w / 2, y);
    },
  };
}

const drawnOneByOne = 96;
/** Fewer need no zoom. */
const zoomable = 24;

export function drawHeat(cells: Cell[], shape: HeatShape, ctx: Context, run: Run): Drawing {
  const g = gridOf(cells, shape, run, ctx.scaled, ctx.part, ctx.ratio);
  const n = Math.max(g.columns.length, g.rows.length);
  const scale = scaleOf(ctx.scaled);
  const margin = 64;
  const enlarged = ctx.expanded && n > 24 && n <= drawnOneByOne * 2;
  const side = enlarged ? n * 30 : Math.min(ctx.width - margin, Math.max(200, Math.min(n * 64, 620)));
  const size = side / Math.max(1, n);
  const asPicture = n > drawnOneByOne && !enlarged;
  const [across, down] = [g.columns, g.rows].map((some) => legible(separators(some), size * some.length)) as [Separator[], Separator[]];
  const title = valueAxisTitle(ctx.scaled, scale);
  const shown = isWhole(g.part, g.all) ? cells : g.cells.flatMap((row) => row.filter((c) => c !== undefined));
  const said = partWords(g, shown);
  const partNotes = isWhole(g.part, g.all) || ctx.ratio ? [] : [said, 'Its colours are those of the whole map.'];
  const base = frame(ctx.theme, sentence(axisTitle(shape.y)));
  const every = (room: number) => Math.max(1, Math.ceil(room / size)) - 1;
  const axis = (name: string, room: number, some: Processor[]) => ({
    ...axisStyle(ctx.theme, name),
    axisLabel: { ...(axisStyle(ctx.theme, name).axisLabel as object), interval: every(room) },
    type: 'category',
    data: some.map((p) => String(p.cpu)),
    axisTick: { show: false },
    splitLine: { show: false },
  });
  const option = {
    ...base,
    grid: { left: 44, top: 56, width: size * g.columns.length, height: size * g.rows.length },
    xAxis: { ...axis(sentence(axisTitle(shape.x)), 26, g.columns), position: 'top', nameGap: 26 },
    yAxis: { ...axis('', 17, g.rows), inverse: true },
    tooltip: { ...(base.tooltip as object), trigger: 'item', formatter: (at: { value: number[] }) => tipOn(g.cells[at.value[1] ?? 0]?.[at.value[0] ?? 0]) },
    series: [asPicture ? pictureSeries(g) : cellSeries(g, shape, ctx, size), lineSeries(g, ctx, across, down)],
  };
  return {
    option,
    height: size * g.rows.length + 66,
    minWidth: enlarged ? side + margin : 0,
    renderer: asPicture || n > drawnOneByOne ? 'canvas' : 'svg',
    points: n > 48 ? [] : g.cells.flatMap((row, y) => row.flatMap((c, x) => (c ? [{ text: nameOf(c, shape), series: 'pairs', index: indexOf(g, x, y) }] : []))),
    label: `Heat map: ${title} between ${g.columns.length === g.rows.length ? n : `${g.rows.length} and ${g.columns.length}`} processors, in the order of the topology, ${rangeWords(shown)}.${isWhole(g.part, g.all) ? '' : ` ${said}`}`,
    legend: [],
    notes: ctx.ratio ? ratioNotes(cells, asPicture) : [...partNotes, levelsOf([...across, ...down]), ...overviewNotes(cells), 'Colours follow the logarithm of the value: dark is near, light is far.', ...doubtNotes(cells),
      ...(asPicture || !cells.some(doubtful) ? [] : ['Doubtful fields are struck through.'])].filter((t) => t !== ''),
    ...(n > zoomable && n <= drawnOneByOne * 2 && !enlarged && size < 24 ? { more: n } : {}),
    ...(g.all > zoomable ? { zoom: { all: g.all, part: g.part, said } } : {}),
  };
}

/** "from 20.0 ns to 50.0 ns", or "all 20.0 ns". */
function rangeWords(cells: Cell[], text = (v: number) => quantity(v, cells[0]!.unit)): string {
  if (!cells.some(has)) return 'without a value';
  const [low, high] = range(cells).map(text);
  return low === high ? `all ${low}` : `from ${low} to ${high}`;
}

/** "Part: 12 of 128 processors (rows 0 to 11, columns 0 to 11), from 20.0 ns to 50.0 ns." */
function partWords(g: Grid, shown: Cell[]): string {
  const what = shown.some((c) => c.block) ? 'rows of processors' : 'processors';
  if (isWhole(g.part, g.all)) return `The whole map: ${g.all} ${what}, ${rangeWords(shown)}.`;
  const [rows, columns] = [g.rows.length, g.columns.length];
  const ends = (some: Processor[]) => `${some[0]!.cpu} to ${some[some.length - 1]!.cpu}`;
  return `Part: ${rows === columns ? rows : `${rows} by ${columns}`} of ${g.all} ${what} (rows ${ends(g.rows)}, columns ${ends(g.columns)}), ${rangeWords(shown)}.`;
}

function overviewNotes(cells: Cell[]): string[] {
  const one = cells.find((c) => c.block)?.block;
  const block = one && Math.max(one.from.length, one.to.length);
  return block ? [`Rounded: a field stands for up to ${block} by ${block} pairs of processors, and shows the one of median value.`] : [];
}

function ratioNotes(cells: Cell[], asPicture: boolean): string[] {
  const open = cells.filter(doubtful).map((c) => c.reason);
  const why = [...new Set(open)].map((reason, _, all) => (all.length === 1 ? reason : `${open.filter((r) => r === reason).length} ${reason}`)).join(', ');
  return [`Quotients ${rangeWords(cells, digits)}: blue is less than 1, orange more, pale the same.`,
    ...(open.length > 0 ? [`${open.length} of ${cells.length}${asPicture ? '' : ' are struck through'}: ${why}.`] : [])];
}

/** "0 to 64"; of an overview "0 and 1 to 64 and 65". */
const pairOf = (from: unknown, to: unknown, block: Cell['block']): string =>
  (block ? `${membersWords(block.from)} to ${membersWords(block.to)}` : `${String(from ?? '')} to ${String(to ?? '')}`);
const nameOf = (c: Cell, shape: HeatShape) => `processor ${pairOf(c.at[shape.y], c.at[shape.x], c.block)}: ${told(c)}`;

function tipOn(c: Cell | undefined): HTMLElement {
  return c ? tooltipBox(`Processor ${pairOf(c.at.from, c.at.to, c.block)}`, [{ name: '', text: told(c), remarks: remarksOn(c) }])
    : tooltipBox('', []);
}

function indexOf(g: Grid, column: number, row: number): number {
  let index = 0;
  for (let y = 0; y < row; ++y) index += g.cells[y]!.filter((c) => c).length;
  return index + g.cells[row]!.slice(0, column).filter((c) => c).length;
}

/** What hovers over a picture: the pair at a column and row. */
export function pairFinder(cells: Cell[], shape: HeatShape, run: Run, part: Part | null): (column: number, row: number) => HTMLElement | null {
  const grid = gridOf(cells, shape, run, cells, part).cells;
  return (column, row) => {
    const c = grid[row]?.[column];
    return c ? tipOn(c) : null;
  };
}

/** The least and the greatest value, and how far up the colours the greatest stands. */
export function legendRange(cells: Cell[]): { low: number; high: number; share: number } {
  const [low, high] = range(cells);
  const [from, to] = colorRange([low, high]);
  return { low, high, share: shareOf(high, from, to) };
}

/** The colours from the least to the greatest value, in even steps. */
export const legendColors = (share: number, steps = 10): string[] => Array.from({ length: steps + 1 }, (_, i) => css(heatColor((i / steps) * share)));
