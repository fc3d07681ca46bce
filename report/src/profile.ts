// A profile of a program's locks. The program has checked it when it wrote the page: everything is there.

import { printable } from './dom';

/** An address: in a file, or where no file is. */
interface CodePlace {
  address?: number;
  module?: string;
  offset?: number;
  symbol?: string;
  into?: number;
  /** Of an array of locks: bytes of an element. */
  step?: number;
}

export interface Bucket {
  from_ns: number;
  to_ns: number | null;
  count: number;
}

export interface Times {
  estimated_total_ns: number;
  /** Two standard deviations to each side; files of before have none. */
  interval_ns?: [number, number];
  sampled_ns: number;
  below_99_percent_ns: number | null;
  histogram: Bucket[];
}

export interface Lock {
  name: string;
  address: number;
  kind: string;
  side: string | null;
  object: CodePlace;
  made_by: string;
  made_at: CodePlace[];
  acquisitions: number;
  samples: number;
  contended: number;
  contended_share: number | null;
  threads: number;
  more_threads: boolean;
  hand_offs: number | null;
  hand_offs_between_domains: number | null;
  /** Long waits are all counted, not one acquisition in K; files of before have them among the samples. */
  wait: Times & { sure?: boolean; long?: { total_ns: number; histogram: Bucket[] } };
  hold: Times & { samples: number };
  condition_waits: { count: number; total_ns: number };
}

export interface Step {
  held: string;
  taken: string;
  held_address: number;
  taken_address: number;
  thread: number;
  calls: CodePlace[];
}

export interface Process {
  pid: number;
  parent: number;
  program: string;
  seconds: number | null;
  every: number;
  threads: number;
  lost: { samples: number; spans: number; orders: number; children?: number };
  locks: Lock[];
  cycles: Step[][];
}

export interface Profile {
  format: string;
  command: string[];
  lock: string;
  every: number;
  processes: Process[];
}

/** What the program says the profile comes to. */
export interface Verdict {
  /** The lock that it is about, as the profile has it, of the process; empty if none stands out. */
  lock: string;
  pid: number;
  finding: string;
  advice: string;
  commands: { text: string; purpose: string }[];
  doubts: string[];
}

const known = 'synchroscope-profile-1';

/** The profile that the program embedded; null if it embedded results. Throws an Error whose message is a sentence. */
export function profileIn(data: string): { profile: Profile; verdict: Verdict } | null {
  if (!data.startsWith('{"profile":')) return null;
  let found: { profile: Profile; verdict: Verdict };
  try {
    found = JSON.parse(data) as typeof found;
  } catch {
    throw new Error('The data in this page is damaged: it is not JSON. Write the report again.');
  }
  if (found.profile.format !== known) throw new Error('The profile in this page is of a newer Synchroscope. Write the report again.');
  return found;
}

const hex = (n: number) => `0x${n.toString(16)}`;
const plus = (what: string, into: number) => (into === 0 ? what : `${what}+${hex(into)}`);

/** "worker()+0x1c", "bank[6]", "server+0x3fde0" or "0x7f0012345678". */
export function placeText(p: CodePlace): string {
  if (p.symbol !== undefined && p.step) return printable(`${p.symbol}[${Math.floor((p.into ?? 0) / p.step)}]`, 400);
  if (p.symbol !== undefined) return printable(plus(p.symbol, p.into ?? 0), 400);
  if (p.module === undefined) return hex(p.address ?? 0);
  return printable(plus(p.module.slice(p.module.lastIndexOf('/') + 1), p.offset ?? 0), 400);
}

/** The same with the path of the file, for addr2line. */
export const fileText = (p: CodePlace): string => (p.module === undefined ? hex(p.address ?? 0) : printable(`${p.module} ${hex(p.offset ?? 0)}`, 600));

export const nameOf = (l: Lock): string => printable(l.side === null ? l.name : `${l.name} (${l.side})`, 200);

/** So few waits were seen that their total, and the place in the order that follows from it, is not sure. */
export const hardlyWaited = (l: Lock): boolean => (l.wait.sure === undefined ? l.contended > 0 && l.contended < fewestWaits : !l.wait.sure);
export const countOf = (buckets: Bucket[]): number => buckets.reduce((sum, b) => sum + b.count, 0);
/** Of waits: those of samples, then the long ones. */
export const waitBuckets = (l: Lock): Bucket[] => [...l.wait.histogram, ...(l.wait.long?.histogram ?? [])];
/** As many as an interval of the median needs. */
export const fewestWaits = 6;

/** Those first that were waited for longest. */
export const byWait = (locks: Lock[]): Lock[] =>
  [...locks].sort((a, b) => b.wait.estimated_total_ns - a.wait.estimated_total_ns || b.acquisitions - a.acquisitions);

/** How often waits and holds lasted so long: a row for each power of two between the shortest and the longest, without gaps. */
export function rowsOf(wait: Bucket[], hold: Bucket[]): { from: number; to: number | null; waits: number; holds: number }[] {
  const all = [...wait, ...hold];
  if (all.length === 0) return [];
  const least = Math.min(...all.map((b) => b.from_ns));
  const most = Math.max(...all.map((b) => b.from_ns));
  const rows = [];
  const at = (buckets: Bucket[], from: number) => buckets.find((b) => b.from_ns === from);
  for (let from = least; from <= most; from = from === 0 ? 2 : 2 * from) {
    const [waits, holds] = [at(wait, from), at(hold, from)];
    const known = waits ?? holds;
    rows.push({ from, to: known ? known.to_ns : from === 0 ? 2 : 2 * from, waits: waits?.count ?? 0, holds: holds?.count ?? 0 });
  }
  return rows;
}
