// Axes that follow the logarithm, of lines and of bars, and when they are needed.

import { doubtful, type Cell } from '../data';
import type { Scale } from '../numbers';
import { has, maxOf } from './kit';

export interface Axis {
  least: number;
  most: number;
  /** Where labels stand; of a linear axis what lies between two. */
  ticks: number[] | null;
  step: number;
}

/** Labels at 1, 2 and 5 of each power of ten, or at fewer where there would be too many. */
export function logAxis(values: number[], scale: Scale): Axis {
  const positive = values.filter((v) => v > 0);
  const low = positive.reduce((a, b) => Math.min(a, b), Infinity) / scale.factor;
  const high = maxOf(positive) / scale.factor;
  const powers = Array.from({ length: 40 }, (_, i) => 10 ** (i - 20)).filter((p) => p >= low / 20 && p <= high * 20);
  const all = powers.flatMap((p) => [1, 2, 5].map((f) => f * p));
  const from = all.filter((t) => t <= low * 1.0001).pop() ?? low;
  const to = all.find((t) => t >= high * 0.9999) ?? high;
  const within = (t: number[]) => t.filter((v) => v >= from && v <= to);
  const few = within(all).length <= 12 ? within(all) : within(powers);
  return { least: from * scale.factor, most: Math.max(to, from * 2) * scale.factor, ticks: few.map((t) => t * scale.factor), step: 0 };
}

/** Whether what is sure spans so much, `times` the least value, that a linear axis would press most of it to the bottom. */
export function wide(cells: Cell[], times = 20): boolean {
  const values = cells.filter(has).filter((c) => !doubtful(c)).map((c) => c.value);
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  return least > 0 && maxOf(values) / least > times;
}

/** The axis with its labels where its ticks are. */
export function logarithmic(base: Record<string, unknown>, axis: Axis, ticks: number[]): Record<string, unknown> {
  const at = { customValues: ticks };
  return {
    ...base, type: 'log', min: axis.least, max: axis.most,
    axisLabel: { ...(base.axisLabel as object), ...at, hideOverlap: false }, axisTick: at, splitLine: { ...(base.splitLine as object), ...at },
    minorSplitLine: { show: false },
  };
}
