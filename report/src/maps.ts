// Maps of many processors, which the program keeps in short (src/report/maps.hpp says how): their cells.

import { isObject } from './json';
import type { Cell, Flag, Place } from './data';
import { unpacked } from './packed';

const flags: Flag[] = ['ok', 'noisy', 'unreliable', 'clock_limited', 'emulated'];

/** Places of a million cells: objects of one shape, with nothing that they inherit. */
const Bare = function (this: Place) {} as unknown as new () => Place;
Bare.prototype = Object.create(null);

const numbers = (v: unknown): number[] => (Array.isArray(v) ? v.filter((n): n is number => typeof n === 'number') : []);

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
  const rows = rowsOf(v);
  const n = rows.length;
  const { kind, kinds, value, low, high } = unpacked(v, n);
  const isOverview = rows.some((r) => r.length > 1);
  const axes = Object.entries(one.at);
  const known = kinds.map(([flag, repetitions, interval]) => ({ flag: flags.find((f) => f === flag) ?? 'unreliable', n: repetitions, interval }));
  const cells: Cell[] = [];
  for (let field = 0; field < n * n; ++field) {
    if (kind[field] === 0) continue;
    const { flag, n: repetitions, interval } = known[kind[field]! - 1]!;
    const at = new Bare();
    for (const [axis, coordinate] of axes) at[axis] = coordinate;
    const from = rows[Math.floor(field / n)]!;
    const to = rows[field % n]!;
    at.from = from[0]!;
    at.to = to[0]!;
    const cell: Cell = { ...one, at, value: value[field]!, ci: interval ? [low[field]!, high[field]!] : null, n: repetitions, flag };
    if (isOverview) cell.block = { from, to };
    cells.push(cell);
  }
  return cells;
}
