// Numbers and units as people read them: three digits, and the prefix that makes the number short.

export interface Scale {
  factor: number;
  unit: string;
}

const scales: Record<string, Scale[]> = {
  ns: [
    { factor: 1, unit: 'ns' },
    { factor: 1e3, unit: 'µs' },
    { factor: 1e6, unit: 'ms' },
    { factor: 1e9, unit: 's' },
  ],
  J: [
    { factor: 1e-9, unit: 'nJ' },
    { factor: 1e-6, unit: 'µJ' },
    { factor: 1e-3, unit: 'mJ' },
    { factor: 1, unit: 'J' },
  ],
  cycle: [{ factor: 1, unit: 'cycles' }],
  '1': [{ factor: 1, unit: '' }],
};

function scalesOf(unit: string): Scale[] {
  const known = Object.hasOwn(scales, unit) ? scales[unit] : undefined;
  if (known) return known;
  if (!unit.endsWith('/s')) return [{ factor: 1, unit }];
  return [
    { factor: 1, unit },
    { factor: 1e3, unit: `k${unit}` },
    { factor: 1e6, unit: `M${unit}` },
    { factor: 1e9, unit: `G${unit}` },
  ];
}

/** The scale that suits the middle of these values. */
export function scaleFor(unit: string, values: number[]): Scale {
  const all = scalesOf(unit);
  let counted = 0;
  const below = all.map(() => 0);
  for (const v of values) {
    if (v === 0 || !Number.isFinite(v)) continue;
    ++counted;
    // 999.6 is shown as 1000, so it is 1.00 of the next.
    for (let i = 0; i < all.length; ++i) if (Math.abs(v) < all[i]!.factor * 0.9995) ++below[i]!;
  }
  if (counted === 0) return all.find((s) => s.factor === 1) ?? all[0]!;
  // The middle one is not below. A map of many processors has a million: they are counted, not sorted.
  return all.filter((_, i) => below[i]! <= Math.floor(counted / 2)).pop() ?? all[0]!;
}

const thousands = (whole: string) => whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** A count, exactly. */
export const whole = (n: number): string => thousands(String(Math.round(n)));

/** Three significant digits, thousands apart. */
export function digits(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return 'not a number';
  if (size === 0) return '0';
  if (size >= 1e9) return value.toExponential(2);
  if (size >= 99.95) return thousands(value.toFixed(0)).replace('-', '\u2212');
  if (size < 0.001) return value.toExponential(1);
  const places = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  return value.toFixed(places).replace('-', '\u2212');
}

const withUnit = (number: string, unit: string) => (unit === '' ? number : `${number}\u00a0${unit}`);

/** "26.3 ns", "19.1 Mop/s". */
export function quantity(value: number, unit: string): string {
  const s = scaleFor(unit, [value]);
  return withUnit(digits(value / s.factor), s.unit);
}

/** "2.08 to 2.16", of ends as they are printed; empty where they are printed alike, for the value says the same. */
export const fromTo = (low: string, high: string): string => (low === high ? '' : `${low} to ${high}`);

/** "2.12 (2.08 to 2.16)"; the value alone where the interval is empty. */
export const withInterval = (value: string, interval: string): string => (interval === '' ? value : `${value} (${interval})`);

/** "25.8 to 26.9 ns", both ends in the scale of the middle; empty where they are printed alike. */
export function interval(ci: readonly [number, number], unit: string): string {
  const s = scaleFor(unit, [(ci[0] + ci[1]) / 2]);
  const ends = fromTo(digits(ci[0] / s.factor), digits(ci[1] / s.factor));
  return ends === '' ? '' : withUnit(ends, s.unit);
}

/** A number for an axis: as few digits as tell ticks apart. */
export function tick(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return value.toExponential(0).replace('e+', 'e');
  const text = size >= 1000 ? thousands(String(Math.round(value))) : String(Number(value.toPrecision(6)));
  return text.replace('-', '\u2212');
}

/** Beyond this many times, up or down, percent say nothing: −100 % is anything from a thousandth to a millionth. */
const mostInPercent = 10.995;

/** Three digits of a factor however large. */
const times = (factor: number): string => digits(Number(factor.toPrecision(3)));

/** "+12.3 %", "−4.0 %"; of what is many times as much "×16.0", of what is many times less "÷16.0". */
export function percent(ratio: number): string {
  const p = (ratio - 1) * 100;
  if (ratio >= mostInPercent) return `×${times(ratio)}`;
  if (ratio > 0 && ratio <= 1 / mostInPercent) return `÷${times(1 / ratio)}`;
  const text = Math.abs(p) >= 99.5 ? p.toFixed(0) : p.toFixed(1);
  if (Number(text) === 0) return '0.0\u00a0%';
  return `${p > 0 ? '+' : ''}${text.replace('-', '\u2212')}\u00a0%`;
}

/** The same in a sentence: "+12.3 %", "163 000 times shorter", "16.0 times as high". */
export function change(ratio: number, unit: string): string {
  const [less, more] = unit === 'ns' || unit === 'cycle' ? ['shorter', 'long'] : unit.endsWith('/s') ? ['lower', 'high'] : ['smaller', 'large'];
  if (ratio >= mostInPercent) return `${times(ratio)} times as ${more}`;
  return ratio > 0 && ratio <= 1 / mostInPercent ? `${times(1 / ratio)} times ${less}` : percent(ratio);
}
