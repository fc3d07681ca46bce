// The statistics that the page computes itself: intervals of the sign test, and ratios inside a run, of paired repetitions
// where they are. docs/results.md says why. What two runs differ by the program has judged (docs/compare.md).

import type { Cell } from './data';

const ascending = (values: number[]) => [...values].sort((a, b) => a - b);

/** Linear interpolation of the order statistics; `sorted` ascends and is not empty. */
export function quantile(sorted: number[], q: number): number {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const a = sorted[low]!;
  const b = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return a + (b - a) * (at - low);
}

export const median = (values: number[]): number => quantile(ascending(values), 0.5);

/** P(fewer than k heads in n throws of a coin), for every k from 0 to n. */
function tails(n: number): number[] {
  const below = [0];
  let log = -n * Math.LN2;
  for (let i = 0; i < n; ++i) {
    below.push(below[i]! + Math.exp(log));
    log += Math.log((n - i) / (i + 1));
  }
  return below;
}

/** The largest k for which the span from the k-th smallest to the k-th largest covers the median so surely; 0: none. */
export function signTestRank(n: number, confidence: number): number {
  const below = tails(n);
  const tail = ((1 - confidence) / 2) * (1 + 1e-12); // the sums are rounded
  let k = 0;
  while (2 * (k + 1) <= n + 1 && below[k + 1]! <= tail) ++k;
  return k;
}

const coverage = (n: number, k: number): number => 1 - 2 * tails(n)[k]!;

type Interval = [number, number];

const ends = (sorted: number[], k: number): Interval => [sorted[k - 1]!, sorted[sorted.length - k]!];

export function medianInterval(values: number[], confidence = 0.95): Interval | null {
  const k = signTestRank(values.length, confidence);
  return k === 0 ? null : ends(ascending(values), k);
}

/** Intervals of two independent medians that both hold with this confidence. */
export function jointIntervals(a: number[], b: number[], confidence = 0.95): [Interval, Interval] | null {
  if (!medianInterval(a, confidence) || !medianInterval(b, confidence)) return null;
  const rank = (of: number[], c: number) => Math.max(1, signTestRank(of.length, c));
  const each = Math.sqrt(confidence);
  let [ka, kb] = [rank(a, each), rank(b, each)];
  // A sample that cannot bear its share takes its extremes, and the other makes up for it.
  if (coverage(a.length, ka) < each) kb = rank(b, confidence / coverage(a.length, ka));
  else if (coverage(b.length, kb) < each) ka = rank(a, confidence / coverage(b.length, kb));
  return [ends(ascending(a), ka), ends(ascending(b), kb)];
}

export interface Ratio {
  value: number;
  ci: Interval | null;
  /** The interval excludes 1. */
  resolved: boolean;
}

const made = (value: number, ci: Interval | null): Ratio => ({ value, ci, resolved: ci !== null && (ci[0] > 1 || ci[1] < 1) });

const samplesTell = (c: Cell) => c.samples.length > 0 && c.value !== null && Math.abs(median(c.samples) - c.value) <= 1e-9 * Math.abs(c.value);

/** a/b of cells whose repetitions are independent. */
export function ratio(a: Cell, b: Cell): Ratio | null {
  if (a.value === null || b.value === null || !(a.value > 0) || !(b.value > 0)) return null;
  const own: [Interval, Interval] | null = a.ci && b.ci ? [a.ci, b.ci] : null;
  const both = samplesTell(a) && samplesTell(b) ? jointIntervals(a.samples, b.samples) : own;
  const known = both !== null && both[0][0] > 0 && both[1][0] > 0;
  return made(a.value / b.value, known ? [both[0][0] / both[1][1], both[0][1] / both[1][0]] : null);
}

/** a/b of cells of one run: repetitions that ran beside each other are paired, so that what disturbed both cancels. */
export function pairedRatio(a: Cell, b: Cell): Ratio | null {
  if (a.repetitions.length !== a.samples.length || b.repetitions.length !== b.samples.length) return ratio(a, b);
  const other = new Map(b.repetitions.map((r, i) => [r, b.samples[i]!]));
  const ratios = a.repetitions.flatMap((r, i) => {
    const x = a.samples[i]!;
    const y = other.get(r);
    return y !== undefined && x > 0 && y > 0 ? [x / y] : [];
  });
  return ratios.length < 6 ? ratio(a, b) : made(median(ratios), medianInterval(ratios));
}

/** Silverman's rule: 0.9 times the lesser of deviation and middle half over 1.34, by the fifth root of how many there are. */
function kernelWidth(sorted: number[]): number {
  const n = sorted.length;
  const mean = sorted.reduce((a, b) => a + b, 0) / n;
  const deviation = Math.sqrt(sorted.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1));
  const middle = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
  return 0.9 * (middle > 0 ? Math.min(deviation, middle) : deviation) * n ** -0.2;
}

/** How dense sorted values are from the smallest to the largest, the densest as 1; nothing where all are one. */
export function density(sorted: number[], steps = 48): [number, number][] {
  const [from, to] = [sorted[0]!, sorted[sorted.length - 1]!];
  const width = kernelWidth(sorted);
  if (!(to > from) || !(width > 0)) return [];
  const points = Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
  const heights = points.map((x) => sorted.reduce((sum, v) => sum + Math.exp(-(((x - v) / width) ** 2) / 2), 0));
  const most = heights.reduce((a, b) => Math.max(a, b), 0);
  return points.map((x, i) => [x, heights[i]! / most]);
}

/** Mann and Kendall: how many deviations from chance the values rise (or, below 0, fall) from first to last. */
export function trend(values: number[]): number {
  const n = values.length;
  let score = 0;
  for (let i = 0; i < n; ++i) for (let j = i + 1; j < n; ++j) score += Math.sign(values[j]! - values[i]!);
  const deviation = Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  return n < 2 ? 0 : (score - Math.sign(score)) / deviation;
}
