// The few statistics that the page computes itself: everything else comes with the cells.

/** Linear interpolation of the order statistics; `sorted` ascends and is not empty. */
export function quantile(sorted: number[], q: number): number {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const a = sorted[low]!;
  const b = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return a + (b - a) * (at - low);
}

export interface Ratio {
  value: number;
  ci: [number, number] | null;
  /** The interval excludes 1. */
  resolved: boolean;
}

interface Estimate {
  value: number | null;
  ci: [number, number] | null;
}

/**
 * a/b of two independent estimates. The interval divides opposite ends: whenever both intervals hold their true
 * values, so does this one.
 */
export function ratio(a: Estimate, b: Estimate): Ratio | null {
  if (a.value === null || b.value === null || !(a.value > 0) || !(b.value > 0)) return null;
  const value = a.value / b.value;
  if (!a.ci || !b.ci || !(a.ci[0] > 0) || !(b.ci[0] > 0)) return { value, ci: null, resolved: false };
  const ci: [number, number] = [a.ci[0] / b.ci[1], a.ci[1] / b.ci[0]];
  return { value, ci, resolved: ci[0] > 1 || ci[1] < 1 };
}
