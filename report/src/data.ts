// What a document is on the page: its cells, its machine, what the program has found. Reading it is in reading.ts.

import { printable } from './dom';
import { isObject } from './json';

export type Coordinate = number | string;
export type Place = Record<string, Coordinate>;
export type Flag = 'ok' | 'noisy' | 'unreliable' | 'clock_limited' | 'emulated';

export interface Cell {
  experiment: string;
  at: Place;
  metric: string;
  unit: string;
  better: 'higher' | 'lower' | 'neither';
  value: number | null;
  ci: [number, number] | null;
  n: number;
  flag: Flag;
  reason: string | null;
  valid: boolean;
  samples: number[];
  /** Which repetition of the run each sample is from; empty if not told. */
  repetitions: number[];
  quantiles: Record<string, number>;
  /** As a paper printed it, without an interval. */
  published: boolean;
  /** How far apart its processors were, by probes; null if no pair was probed. */
  probeNs: number | null;
  /** Of an overview: the processors that have become one row and one column. This is the cell of median value among theirs. */
  block?: { from: number[]; to: number[] };
  /** What the protocol set by itself. */
  conditions: Record<string, number>;
  /** Of a cell of a map (maps.ts): all of them differ in `from`, `to`, and their numbers alone. */
  map?: object | undefined;
  /** Such a cell as any other is, which `...` would not copy. */
  toJSON?(): Cell;
}

/** A copy in which something is different. */
export const changed = (c: Cell, what: Partial<Cell>): Cell => ({ ...(c.toJSON?.() ?? c), ...what });

export interface Warning {
  id: string;
  advice: string;
  evidence: unknown;
}

export type Facts = Record<string, unknown>;

/** One of the few numbers that matter most, as the program found it. */
export interface Headline {
  figure: string;
  text: string;
  /** The interval, the protocol. */
  detail: string;
  /** The figure of the page that shows more. */
  target: string;
}

/** What the program says of a cell beside that of the first run at the same place. */
export interface Compared {
  base: Cell;
  /** How many times the first run's value; null where a value may be zero or below. */
  ratio: number | null;
  ci: [number, number] | null;
  what: 'better' | 'worse' | 'different' | 'unresolved';
  /** The interval excludes 1, and yet single runs of one program may differ as much. */
  asRuns: boolean;
  /** Why the difference is not to be relied on: "disturbed", "unreliable"; null if it is. */
  doubt: string | null;
}

/** How a run differs from the first, besides its cells; in the words of the program. */
export interface Beside {
  /** Both were measured on one machine, by all that their files say of it. */
  sameMachine: boolean;
  /** How many of the differences may be due to other programs; '' if none. */
  disturbance: string;
  /** What else differs between the two files. */
  warnings: string[];
}

/** Why nothing is known of the locks that several threads want, and the command that measures them ('' if none does). */
export interface MissingLocks {
  why: string;
  command: string;
}

/** Which lock to take for one use of it, in the words of the program. */
export interface Choice {
  lock: string;
  /** "where 2 threads want it" */
  where: string;
  /** "it passes to another thread every 100 ns" */
  because: string;
  /** The figure of the page that shows more, with what is chosen there, as in an address. */
  address: string;
}

/** What the program found of a figure by one metric, at each place that can be chosen there. */
export interface Found {
  /** The experiment's own sentences, about what the figure begins with. */
  own: string[];
  places: { at: Place; told: string[] }[];
}

/** A run among published machines, by times in nanoseconds. */
export interface Ranking {
  title: string;
  note: string;
  figures: { title: string; rank: number | null; of: number }[];
  /** The run itself has no name. */
  machines: { name: string; processors: number; values: number[][] }[];
}

/** One document: a machine measured, simulated or published. */
export interface Run {
  /** Unique in the report. */
  name: string;
  /** When it was begun, where only this tells it from another run of its name; else ''. */
  moment: string;
  kind: string;
  complete: boolean;
  machine: Facts;
  topology: Facts;
  os: Facts;
  clock: Facts;
  tool: Facts;
  invocation: Facts;
  warnings: Warning[];
  cells: Cell[];
  headlines: Headline[];
  rankings: Ranking[];
  /** By figure ("EXPERIMENT-CHART") and metric. */
  findings: Map<string, Map<string, Found>>;
  /** Cells of this run that the program has compared with those of the first run. */
  compared: Map<Cell, Compared>;
  beside: Beside | null;
  /** That no value is sure, why, and what measures again, in the words of the program; null where one is, or none is there. */
  nothingSure: string | null;
  missingLocks: MissingLocks | null;
  choices: Choice[];
  raw: unknown;
}

/** A layer of the design, by the part of its experiments' names before the dot. */
export interface Layer {
  name: string;
  title: string;
}

export type Verdict = 'holds' | 'fails' | 'open' | 'unmeasured' | 'none';

export interface Finding {
  verdict: Verdict;
  /** The figures it rests on, or what is missing. */
  because: string;
}

/** A sentence of the literature, with what the program found for each run (null: it is not judged). */
export interface Claim {
  id: string;
  where: string;
  says: string;
  figure: string;
  judged: string;
  findings: (Finding | null)[];
}

export interface Source {
  letter: string;
  title: string;
  by: string;
}

export const object = (v: unknown): Facts => (isObject(v) ? v : {});
export const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
export const finite = (v: unknown): v is number => typeof v === 'number' && Number.isFinite(v);

/** A number is sure enough to be told in a sentence: it has an interval, and that is narrow. */
export const sure = (c: Cell): c is Cell & { value: number; ci: [number, number] } =>
  c.value !== null && c.ci !== null && (c.flag === 'ok' || c.flag === 'noisy');

/** Not to be relied on: what the terminal counts as too uncertain. Published numbers are as they were printed. */
export const doubtful = (c: Cell): boolean => c.value !== null && !c.published && !sure(c);

/** Measured while the processors of a virtual machine were not near each other. */
export const isFar = (c: Cell): boolean => c.at.mode !== undefined && c.at.mode !== 'near';

export const count = (v: unknown): number => list(v).length;
export const textOf = (facts: Facts, name: string): string | null =>
  typeof facts[name] === 'string' ? printable(facts[name] as string, 200) : null;
export const numberOf = (facts: Facts, name: string): number | null =>
  finite(facts[name]) ? (facts[name] as number) : null;
export const objectOf = (facts: Facts, name: string): Facts => object(facts[name]);
export const listOf = (facts: Facts, name: string): unknown[] => list(facts[name]);

/** When a run was begun: "2 January 2026, 03:04 UTC"; null if the file does not say. */
export const startOf = (run: Run): string | null => momentOf(run.invocation);

/** The same of facts that say when something `started`. */
export function momentOf(facts: Facts): string | null {
  const parts = textOf(facts, 'started')?.match(/^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/);
  const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  return parts ? `${Number(parts[3])} ${months[Number(parts[2]) - 1] ?? '?'} ${parts[1]!}, ${parts[4]!}:${parts[5]!} UTC` : null;
}

/** In a sentence: where only its time tells a run from another, that. */
export const called = (run: Run): string => (run.moment === '' ? run.name : `the run of ${run.moment}`);

/** How many processors the machine or the model has; 0 if the file does not say. */
export function processorCount(run: Run): number {
  const model = listOf(run.machine, 'models').map(object).find((m) => m.name === run.machine.model_name);
  return listOf(run.topology, 'cpus').length || (model ? (numberOf(model, 'processors') ?? 0) : 0);
}
