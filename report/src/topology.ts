// The processors of a machine as boxes: those that share a last-level cache in one frame, those of one core close together.

import { listOf, type Facts, type Run } from './data';
import { shape, type Shape } from './svg';
import type { Theme } from './theme';

const grouped = <T>(all: T[], keyOf: (one: T) => string): T[][] => {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
};

/** Of equal squares in a frame of this shape: how many stand beside each other. */
const columnsFor = (n: number, width: number, height: number): number => Math.max(1, Math.min(n, Math.ceil(Math.sqrt((n * width) / Math.max(1, height)))));

/** Null where the file does not tell its processors. */
export function topologyOf(run: Run, width: number, height: number, theme: Theme): Shape[] | null {
  const cpus = listOf(run.topology, 'cpus').filter((c): c is Facts => typeof c === 'object' && c !== null && typeof (c as Facts).cpu === 'number');
  if (cpus.length === 0) return null;
  const frames = grouped(cpus, (c) => `${String(c.package)} ${String(c.die)} ${String(c.cache)}`);
  const columns = columnsFor(frames.length, width, height);
  const [wide, high] = [width / columns, height / Math.ceil(frames.length / columns)];
  return frames.flatMap((frame, i) => frameOf(frame, (i % columns) * wide, Math.floor(i / columns) * high, wide, high, theme));
}

function frameOf(frame: Facts[], x: number, y: number, width: number, height: number, theme: Theme): Shape[] {
  const gap = Math.min(10, width * 0.08, height * 0.08);
  const cores = grouped(frame, (c) => String(c.core));
  const threads = Math.max(...cores.map((c) => c.length));
  const columns = columnsFor(cores.length * threads, width, height);
  const beside = Math.max(1, Math.floor(columns / threads));
  const rows = Math.ceil(cores.length / beside);
  const side = Math.min(64, (width - 3 * gap) / (beside * threads), (height - 3 * gap) / rows);
  const box = (c: Facts, core: number, thread: number): Shape[] => {
    const at = [x + 1.5 * gap + ((core % beside) * threads + thread) * side, y + 1.5 * gap + Math.floor(core / beside) * side] as const;
    const inside = side * 0.9;
    const square = shape('rect', { class: 'processor', x: at[0], y: at[1], width: thread < threads - 1 ? side * 0.97 : inside, height: inside,
      fill: theme.series[0]!, 'fill-opacity': 0.85 });
    return side < 18 ? [square] : [square, shape('text', { x: at[0] + inside / 2, y: at[1] + inside / 2, dy: '0.36em', 'text-anchor': 'middle',
      'font-size': Math.min(16, side / 2.4), fill: theme.paper }, String(c.cpu))];
  };
  return [shape('rect', { class: 'cache', x: x + gap / 2, y: y + gap / 2, width: Math.min(width - gap, beside * threads * side + 2 * gap),
    height: Math.min(height - gap, rows * side + 2 * gap), rx: 4, fill: 'none', stroke: theme.muted }),
  ...cores.flatMap((core, i) => core.flatMap((c, t) => box(c, i, t)))];
}
