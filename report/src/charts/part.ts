// The part of a map that is looked at: rows and columns by their places, which zooming makes fewer and moving makes others.

/** From the first to before the last. */
export type Span = [number, number];

export interface Part {
  columns: Span;
  rows: Span;
}

/** Fewer fields than this tell nothing of what is around them. */
const fewest = 8;

export const wholeOf = (n: number): Part => ({ columns: [0, n], rows: [0, n] });
export const isWhole = (p: Part, n: number): boolean => p.columns[1] - p.columns[0] >= n && p.rows[1] - p.rows[0] >= n;

export const isSame = (a: Part, b: Part): boolean =>
  ([['columns', 0], ['columns', 1], ['rows', 0], ['rows', 1]] as const).every(([side, end]) => a[side][end] === b[side][end]);

/** So many, around this place as far as there is room. */
function around(place: number, size: number, n: number): Span {
  const length = Math.max(Math.min(fewest, n), Math.min(n, Math.round(size)));
  const from = Math.max(0, Math.min(n - length, Math.round(place - length / 2)));
  return [from, from + length];
}

const middle = ([from, to]: Span) => (from + to) / 2;
const sizeOf = ([from, to]: Span) => to - from;

/** `factor` below 1 makes it less. What is pointed at stays where it is. */
export function zoomed(p: Part, n: number, factor: number, at: [number, number] = [middle(p.columns), middle(p.rows)]): Part {
  const span = (s: Span, place: number) => around(place + (middle(s) - place) * factor, sizeOf(s) * factor, n);
  return { columns: span(p.columns, at[0]), rows: span(p.rows, at[1]) };
}

/** By parts of what is seen. */
export function moved(p: Part, n: number, right: number, down: number): Part {
  const span = (s: Span, by: number) => around(middle(s) + by * sizeOf(s), sizeOf(s), n);
  return { columns: span(p.columns, right), rows: span(p.rows, down) };
}

/** From one corner to another, both with their fields. */
export function between([x1, y1]: [number, number], [x2, y2]: [number, number], n: number): Part {
  const span = (a: number, b: number) => around((Math.min(a, b) + Math.max(a, b) + 1) / 2, Math.abs(a - b) + 1, n);
  return { columns: span(x1, x2), rows: span(y1, y2) };
}
