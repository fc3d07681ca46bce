// Numbers that the program has packed into a short text (src/report/packed.hpp says how), unpacked.

const letters = "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
const group = 13;

const damaged = () => new Error('The data in this page is damaged: a map is cut off. Write the report again.');

/** The bits of a text, from the first on. */
export class Bits {
  private readonly places = new Uint8Array(128);
  private at = 0;
  private held = 0;
  private count = 0;

  constructor(private readonly text: string) {
    for (let i = 0; i < letters.length; ++i) this.places[letters.charCodeAt(i)] = i;
  }

  /** So many as a number: up to 53. */
  next(bits: number): number {
    if (bits > 16) return this.next(16) + this.next(bits - 16) * 65536;
    while (this.count < bits) this.fill();
    const value = this.held & ((1 << bits) - 1);
    this.held >>>= bits;
    this.count -= bits;
    return value;
  }

  /** What put_growing() has put. */
  growing(order: number): number {
    let bits = order;
    for (; this.held === 0; this.fill()) {
      bits += this.count;
      this.count = 0;
    }
    const zeros = 31 - Math.clz32(this.held & -this.held);
    this.held >>>= zeros + 1;
    this.count -= zeros + 1;
    bits += zeros;
    return bits < 31 ? (1 << bits) + this.next(bits) - (1 << order) : 2 ** bits + this.next(bits) - 2 ** order;
  }

  private fill(): void {
    if (this.at + 1 >= this.text.length) throw damaged();
    const [first, second] = [this.text.charCodeAt(this.at), this.text.charCodeAt(this.at + 1)];
    this.held |= (this.places[first & 127]! * letters.length + this.places[second & 127]!) << this.count;
    this.at += 2;
    this.count += group;
  }
}

/** Flag, repetitions, whether there is an interval. */
export type Kind = [string, number, boolean];

/** The fields of a square map, row by row. */
export interface Fields {
  /** Of the cell there the place in `kinds`, from 1 on; 0: there is none. */
  kind: Uint32Array;
  kinds: Kind[];
  value: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

const numberIn = (v: Record<string, unknown>, name: string): number => {
  if (!Number.isSafeInteger(v[name])) throw damaged();
  return v[name] as number;
};

/** The numbers that the codes stand for, from `first` on. */
type Decoder = (code: number) => number;

/** Numbers as they were, in a table. */
function tableOf(bits: Bits, v: Record<string, unknown>): Decoder {
  const [n, order] = [numberIn(v, 'numbers'), numberIn(v, 'table_order')];
  const table = new DataView(new ArrayBuffer(8 * n));
  let high = 0;
  for (let i = 0; i < n; ++i) {
    high += bits.growing(order);
    const low = bits.next(32);
    const positive = high >= 2 ** 31;
    table.setUint32(8 * i, positive ? high - 2 ** 31 : ~high);
    table.setUint32(8 * i + 4, positive ? low : ~low);
  }
  const read = Float64Array.from({ length: n }, (_, i) => table.getFloat64(8 * i));
  return (code) => read[code]!;
}

/** Powers of ten that are exact: a quotient or product with one of them is the nearest number. */
const powers = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** Numbers that were rounded to so many digits. */
const decimals = (digits: number): Decoder => {
  const least = powers[digits - 1]!;
  return (code) => {
    if (code === 0) return 0;
    const place = Math.abs(code);
    const mantissa = (place % (9 * least)) + least;
    const exponent = Math.floor(place / (9 * least)) - 400 - digits + 1;
    const power = powers[Math.abs(exponent)];
    const size = power === undefined ? Number(`${mantissa}e${exponent}`) : exponent < 0 ? mantissa / power : mantissa * power;
    return code < 0 ? -size : size;
  };
};

/** Of a symmetric map what is told once. */
function isTold(v: Record<string, unknown>, field: number, side: number): boolean {
  return v.symmetric !== true || field % side >= Math.floor(field / side);
}

function kindsOf(bits: Bits, v: Record<string, unknown>, kinds: Kind[], side: number): Uint32Array {
  const kind = new Uint32Array(side * side);
  const width = 32 - Math.clz32(kinds.length);
  let [now, left] = [0, 0];
  for (let field = 0; field < kind.length; ++field) {
    if (!isTold(v, field, side)) continue;
    if (left === 0) [now, left] = [bits.next(width), bits.growing(0) + 1];
    if (now > kinds.length) throw damaged();
    kind[field] = now;
    --left;
  }
  return kind;
}

function mirrored({ kind, value, low, high }: Fields, side: number): void {
  for (const some of [kind, value, low, high])
    for (let row = 1; row < side; ++row) for (let column = 0; column < row; ++column) some[row * side + column] = some[column * side + row]!;
}

/** `v`: what packed() gives, of a map with so many rows and columns. */
export function unpacked(v: Record<string, unknown>, side: number): Fields {
  const bits = new Bits(typeof v.data === 'string' ? v.data : '');
  const kinds = (Array.isArray(v.kinds) ? v.kinds : []) as Kind[];
  const kind = kindsOf(bits, v, kinds, side);
  const numberOf = v.digits === undefined ? tableOf(bits, v) : decimals(numberIn(v, 'digits'));
  const step = v.digits === undefined ? 1 : numberIn(v, 'step');
  const [first, width, below, above] = [numberIn(v, 'first'), numberIn(v, 'bits'), numberIn(v, 'below'), numberIn(v, 'above')];
  const [value, low, high] = [new Float64Array(kind.length), new Float64Array(kind.length), new Float64Array(kind.length)];
  const fields = { kind, kinds, value, low, high };
  for (let field = 0; field < kind.length; ++field) {
    if (kind[field] === 0 || !isTold(v, field, side)) continue;
    const code = first + bits.next(width);
    value[field] = numberOf(code);
    if (!kinds[kind[field]! - 1]![2]) continue;
    const base = Math.floor(code / step);
    low[field] = numberOf(step * (base - bits.growing(below)));
    high[field] = numberOf(step * (base + bits.growing(above)));
  }
  if (v.symmetric === true) mirrored(fields, side);
  return fields;
}
