// Maps of many processors, which the program keeps in short (src/report/maps.hpp says how): their cells.

import { isObject } from './json';
import type { Cell, Flag, Place } from './data';
import { unpacked, type Fields } from './packed';

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

/** What the cells of a map have in common, and their numbers, field by field. */
interface Shared {
  one: Cell;
  numbers: Fields;
  /** Of each kind of cell. */
  known: { flag: Flag; n: number; hasInterval: boolean }[];
  rows: number[][];
  isOverview: boolean;
}

/** A cell of a map. There may be a million: each holds its coordinates and where its numbers are, and no more. */
class MapCell implements Cell {
  constructor(readonly at: Place, readonly map: Shared, private readonly field: number) {}

  get experiment() { return this.map.one.experiment; }
  get metric() { return this.map.one.metric; }
  get unit() { return this.map.one.unit; }
  get better() { return this.map.one.better; }
  get value() { return this.map.numbers.value[this.field]!; }
  get ci(): Cell['ci'] { return this.kind.hasInterval ? [this.map.numbers.low[this.field]!, this.map.numbers.high[this.field]!] : null; }
  get n() { return this.kind.n; }
  get flag() { return this.kind.flag; }
  get reason() { return this.map.one.reason; }
  get valid() { return this.map.one.valid; }
  get samples() { return this.map.one.samples; }
  get repetitions() { return this.map.one.repetitions; }
  get quantiles() { return this.map.one.quantiles; }
  get published() { return this.map.one.published; }
  get probeNs() { return this.map.one.probeNs; }
  get conditions() { return this.map.one.conditions; }

  get block(): Cell['block'] {
    const { rows, isOverview } = this.map;
    return isOverview ? { from: rows[Math.floor(this.field / rows.length)]!, to: rows[this.field % rows.length]! } : undefined;
  }

  toJSON(): Cell {
    const { at, value, ci, n, flag, block } = this;
    return { ...this.map.one, at, value, ci, n, flag, ...(block && { block }) };
  }

  private get kind() { return this.map.known[this.map.numbers.kind[this.field]! - 1]!; }
}

/** `one`: the map's own cell, as any other is read. */
export function cellsOfMap(v: Record<string, unknown>, one: Cell): Cell[] {
  const rows = rowsOf(v);
  const n = rows.length;
  const content = unpacked(v, n);
  const known = content.kinds.map(([flag, repetitions, hasInterval]) => ({ flag: flags.find((f) => f === flag) ?? 'unreliable', n: repetitions, hasInterval }));
  const map: Shared = { one, numbers: content, known, rows, isOverview: rows.some((r) => r.length > 1) };
  const axes = Object.entries(one.at);
  const cells: Cell[] = [];
  for (let field = 0; field < n * n; ++field) {
    if (content.kind[field] === 0) continue;
    const at = new Bare();
    for (const [axis, coordinate] of axes) at[axis] = coordinate;
    at.from = rows[Math.floor(field / n)]![0]!;
    at.to = rows[field % n]![0]!;
    cells.push(new MapCell(at, map, field));
  }
  return cells;
}
