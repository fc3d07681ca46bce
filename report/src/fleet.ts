// A fleet of hosts as the program has judged it. The program has made it when it wrote the page: everything is there.

export interface Deviation {
  of: 'everything' | 'experiment' | 'scatter' | 'change' | 'cell';
  experiment: string | null;
  at?: Record<string, string | number>;
  metric?: string;
  unit?: string;
  better?: 'higher' | 'lower' | 'neither';
  value?: number;
  usual?: number;
  worse: number;
  p: number;
  peers: number;
}

export interface Host {
  name: string;
  file: string;
  started: string;
  files: number;
  complete: boolean;
  called: boolean;
  left_out: number;
  facts: { name: string; value: string; usual: string; have_usual: number; have_this: number }[];
  sentence?: string;
  deviations?: Deviation[];
}

/** What hosts were compared in: of each the distance from the middle as a logarithm, by its place in the group. */
export interface Column {
  of: string;
  experiment: string | null;
  worse: (number | null)[];
}

export interface Group {
  name: string;
  judged: boolean;
  remark: string;
  cells: number;
  hosts: Host[];
  columns: Column[];
}

export interface Fleet {
  schema: string;
  files: number;
  hosts: number;
  bound: string;
  called: [number, number][];
  causes: string[];
  groups: Group[];
  facts: { group: number; name: string; value: string; usual: string; hosts: string[] }[];
  histories: { name: string; files: number; from: string; to: string; worse: Record<string, number> }[];
  refused: { file: string; why: string }[];
}

const known = 'synchroscope-fleet/1';

/** The fleet that the program embedded; null if it embedded something else. Throws an Error whose message is a sentence. */
export function fleetIn(data: string): Fleet | null {
  if (!data.startsWith('{"fleet":')) return null;
  let found: { fleet: Fleet };
  try {
    found = JSON.parse(data) as typeof found;
  } catch {
    throw new Error('The data in this page is damaged: it is not JSON. Gather the fleet again.');
  }
  if (found.fleet.schema !== known) throw new Error('The fleet in this page is of a newer Synchroscope. Gather it again.');
  return found.fleet;
}

/** "38 % worse", "3.1 times worse" of a distance between logarithms. */
export function byHowMuch(by: number, more = 'worse', less = 'better'): string {
  const factor = Math.exp(Math.abs(by));
  if (factor < 1.0005) return 'as usual';
  const which = by > 0 ? more : less;
  if (factor > 1e6) return `more than a million\u00a0times ${which}`;
  return factor >= 2 ? `${Number(factor.toPrecision(3))}\u00a0times ${which}` : `${Number((100 * (factor - 1)).toPrecision(2))}\u00a0% ${which}`;
}

/** Where half of the hosts are, and nine of ten. */
export interface Strip {
  half: [number, number];
  most: [number, number];
}

export function stripOf(values: number[]): Strip {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { half: [at(0.25), at(0.75)], most: [at(0.05), at(0.95)] };
}

/** Up to here a distance is drawn as it is; beyond, by its logarithm. */
const near = 0.03;

/** From 0 to 1, the middle at 0.5: some percent and a factor of ten are both seen. */
export function placeOn(value: number, largest: number): number {
  const bent = (v: number) => Math.log1p(Math.abs(v) / near);
  return 0.5 + 0.5 * Math.sign(value) * Math.min(1, bent(value) / bent(largest));
}

/** Marks for a strip that reaches so far, to the right of the middle. */
export const ticksFor = (largest: number): [number, string][] =>
  ([[1.05, '5\u00a0%'], [1.2, '20\u00a0%'], [1.5, '50\u00a0%'], [3, '3\u00a0×'], [10, '10\u00a0×'], [100, '100\u00a0×']] as [number, string][])
    .map(([factor, text]) => [Math.log(factor), text] as [number, string])
    .filter(([by]) => by < 0.98 * largest);
