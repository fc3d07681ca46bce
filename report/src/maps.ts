// Maps of many processors, which the program keeps in short (src/report/maps.hpp says how): their cells.

import { isObject } from './json';
import type { Cell, Flag, Place } from './data';

/** The flags that a field has room for. */
const flags: Flag[] = ['ok', 'noisy', 'unreliable', 'clock_limited'];
const fieldBytes = 7;
const noInterval = 511;

/** Places of a million cells: objects of one shape, with nothing that they inherit. */
const Bare = function (this: Place) {} as unknown as new () => Place;
Bare.prototype = Object.create(null);

const numbers = (v: unknown): number[] => (Array.isArray(v) ? v.filter((n): n is number => typeof n === 'number') : []);

function bytesOf(text: unknown): Uint8Array {
  const raw = atob(typeof text === 'string' ? text : '');
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

function intervalOf(value: number, below: number, above: number, distances: number[]): [number, number] | null {
  return below === noInterval || above === noInterval ? null : [value * (1 - distances[below]!), value * (1 + distances[above]!)];
}

/** The processors of each row and column: of an overview several. */
function rowsOf(v: Record<string, unknown>): number[][] {
  const processors = numbers(v.processors);
  const block = typeof v.block === 'number' && v.block > 1 ? v.block : 1;
  return Array.from({ length: Math.ceil(processors.length / block) }, (_, i) => processors.slice(i * block, (i + 1) * block));
}

/** What stands for the cells of a map; anything else is a cell. */
export const isMap = (v: unknown): v is Record<string, unknown> => isObject(v) && isObject(v.map);

/** `one`: the map's own cell, as any other is read. */
export function cellsOfMap(v: Record<string, unknown>, one: Cell): Cell[] {
  const bytes = bytesOf(v.data);
  const fields = new DataView(bytes.buffer);
  const [rows, repetitions] = [rowsOf(v), numbers(v.repetitions)];
  const n = rows.length;
  if (bytes.length !== n * n * fieldBytes) throw new Error('The data in this page is damaged: a map is cut off. Write the report again.');
  const distances = Array.from({ length: noInterval }, (_, k) => (k === 0 ? 0 : Number(v.least) * Number(v.ratio) ** (k - 1)));
  const isOverview = rows.some((r) => r.length > 1);
  const axes = Object.entries(one.at);
  const cells: Cell[] = [];
  for (let field = 0; field < n * n; ++field) {
    const kept = fields.getFloat32(field * fieldBytes, true);
    if (Number.isNaN(kept)) continue;
    const rest = bytes[field * fieldBytes + 4]! | (bytes[field * fieldBytes + 5]! << 8) | (bytes[field * fieldBytes + 6]! << 16);
    const at = new Bare();
    for (const [axis, value] of axes) at[axis] = value;
    const [from, to] = [rows[Math.floor(field / n)]!, rows[field % n]!];
    at.from = from[0]!;
    at.to = to[0]!;
    const value = Number(kept.toPrecision(7));
    const ci = intervalOf(value, (rest >> 6) & 511, (rest >> 15) & 511, distances);
    cells.push({ ...one, ...(isOverview && { block: { from, to } }), at, value, ci, n: repetitions[(rest >> 2) & 15] ?? 0, flag: flags[rest & 3]! });
  }
  return cells;
}
