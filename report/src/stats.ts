// The statistics that the page computes itself: intervals of the sign test, and who differs inside a run, by paired repetitions where
// they are. docs/results.md says why. What two runs differ by the program has judged (docs/compare.md).

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

type Interval = [number, number];

const ends = (sorted: number[], k: number): Interval => [sorted[k - 1]!, sorted[sorted.length - k]!];

export function medianInterval(values: number[], confidence = 0.95): Interval | null {
  const k = signTestRank(values.length, confidence);
  return k === 0 ? null : ends(ascending(values), k);
}

/** P(|T| >= t) of Student's distribution with whole degrees of freedom: a finite series (Abramowitz and Stegun 26.7.3 and 26.7.4). */
function studentBeyond(t: number, freedom: number): number {
  const angle = Math.atan2(t, Math.sqrt(freedom));
  const odd = freedom % 2 === 1;
  let [sum, term] = [0, odd ? Math.cos(angle) : 1];
  for (let i = odd ? 3 : 2; i <= freedom; i += 2) {
    sum += term;
    term *= (Math.cos(angle) ** 2 * (i - 1)) / i;
  }
  const within = odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
  return Math.max(0, 1 - within);
}

/** The t that studentBeyond() gives this probability for. */
function studentLimit(probability: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentBeyond(high, freedom) > probability && high < 1e9) high *= 2;
  for (let i = 0; i < 60; ++i) {
    const middle = (low + high) / 2;
    if (studentBeyond(middle, freedom) > probability) low = middle;
    else high = middle;
  }
  return high;
}

/** How likely a mean logarithm as far from 0 as theirs, either way, would be if the true one were 0. */
export function ratioPValue(ratios: number[]): number {
  const n = ratios.length;
  if (n < 2) return 1;
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, l) => sum + l, 0) / n;
  const error = Math.sqrt(logs.reduce((sum, l) => sum + (l - mean) ** 2, 0) / (n * (n - 1)));
  return mean === 0 ? 1 : error === 0 ? 0 : studentBeyond(Math.abs(mean) / error, n - 1);
}

/** Each pair among k may be told apart falsely with this share of the chance that any is. */
const shareOf = (k: number, miss: number): number => (k < 2 ? miss : miss / ((k * (k - 1)) / 2));

/** Whether the ratios of two of k contestants that were chosen by looking at all, repetition by repetition, resolve a difference. The
 * program judges so, too, and says why (src/statistics/look.hpp). */
export function resolvedAmong(ratios: number[], k: number, miss = 0.05): boolean {
  const excludesOne = (ci: Interval): boolean => ci[0] > 1 || ci[1] < 1;
  const usual = medianInterval(ratios, 1 - miss);
  if (!usual || !excludesOne(usual)) return false;
  const share = shareOf(k, miss);
  const ci = medianInterval(ratios, 1 - share);
  return ci ? excludesOne(ci) : ratioPValue(ratios) <= share;
}

/** a/b of repetitions that ran beside each other, so that what disturbed both cancels: by their numbers, else in their order. */
function pairedRatios(a: Cell, b: Cell): number[] {
  const numbered = (c: Cell) => c.samples.map((v, i): [number, number] => [c.repetitions.length === c.samples.length ? c.repetitions[i]! : i, v]);
  const other = new Map(numbered(b));
  return numbered(a).flatMap(([r, x]) => {
    const y = other.get(r);
    return y !== undefined && x > 0 && y > 0 ? [x / y] : [];
  });
}

/** The interval, as much wider as Student's limits are where it is to fail with this probability and not with 5 %. */
function widened(c: Cell, probability: number): Interval | null {
  if (c.value === null || c.ci === null || !(c.ci[0] > 0) || c.n < 2) return null;
  const by = studentLimit(probability, c.n - 1) / studentLimit(0.05, c.n - 1);
  return [c.value * (c.ci[0] / c.value) ** by, c.value * (c.ci[1] / c.value) ** by];
}

/** Whether a difference between two of k cells of one run is resolved that were chosen by looking at all of them. Of a large file the page
 * has no repetitions: there the intervals must lie apart. */
export function differAmong(a: Cell, b: Cell, k: number): boolean {
  if (a.samples.length > 0 && b.samples.length > 0) return resolvedAmong(pairedRatios(a, b), k);
  const [x, y] = [a, b].map((c) => widened(c, shareOf(k, 0.05)));
  return !!x && !!y && (x[0] > y[1] || y[0] > x[1]);
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
