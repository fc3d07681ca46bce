// What a verdict asks a run: which cells there are, and what their ratios are.

import { digits, quantity } from './numbers';
import { listOf, type Cell, type Coordinate, type Run } from './reading';
import { pairedRatio, type Ratio } from './stats';
import { cellsOf, valuesOf } from './view';
import { axisTitle, listed, rank, valueTitle } from './words';

export type Verdict = 'holds' | 'fails' | 'open' | 'unmeasured';

export interface Finding {
  verdict: Verdict;
  /** The figures it rests on, or what is missing. */
  because: string;
}

export type Known = Cell & { value: number };
export type Where = Record<string, Coordinate | ((v: Coordinate) => boolean)>;

const matches = (c: Cell, where: Where) =>
  Object.entries(where).every(([axis, wanted]) => {
    const v = c.at[axis];
    return typeof wanted === 'function' ? v !== undefined && wanted(v) : v === wanted;
  });

export const missing = (what: string): Finding => ({ verdict: 'unmeasured', because: what });

/** The axes in which cells differ that are compared on purpose. */
const nameOf = (c: Cell, axes: string[]) =>
  axes.map((a) => (c.at[a] === undefined ? '' : typeof c.at[a] === 'number' ? numbered(a, c.at[a]) : valueTitle(a, c.at[a]!))).filter((t) => t).join(' ');

/** "2 threads", "thread 3". */
function numbered(axis: string, value: number): string {
  if (axis === 'thread' || axis === 'order') return `${axis} ${value}`;
  const one: Record<string, string> = { threads: 'thread', permits: 'permit', locks: 'lock' };
  if (axis === 'permits' && value === 0) return 'no limit';
  return `${value} ${value === 1 && one[axis] ? one[axis] : axis === 'permits' ? 'permits' : axisTitle(axis)}`;
}

const range = (r: Ratio) => (r.ci ? `${digits(r.value)} (${digits(r.ci[0])} to ${digits(r.ci[1])})` : `${digits(r.value)} (no interval)`);

export const modeWords = (c: Cell) => (c.at.mode === undefined || c.at.mode === 'near' ? '' : `, with the processors ${String(c.at.mode)}`);

export interface Bounds {
  /** It holds from this ratio on. */
  least?: number;
  /** It holds up to this ratio. */
  most?: number;
}

/** Whole interval inside: holds; whole interval outside: does not; else open. */
export function within(r: Ratio, { least = 0, most = Infinity }: Bounds): Verdict {
  if (!r.ci) return 'open';
  if ((least === 1 && r.ci[0] === 1) || (most === 1 && r.ci[1] === 1)) return 'open';
  if (r.ci[0] >= least && r.ci[1] <= most) return 'holds';
  return r.ci[1] < least || r.ci[0] > most ? 'fails' : 'open';
}

/** Many findings in one: it holds if all do, and does not if one does not. */
export function together(all: Finding[], nothing: string): Finding {
  const told = all.filter((f) => f.verdict !== 'unmeasured');
  if (told.length === 0) return missing(all[0]?.because ?? nothing);
  const verdict: Verdict = told.some((f) => f.verdict === 'fails') ? 'fails' : told.some((f) => f.verdict === 'open') ? 'open' : 'holds';
  const count = (v: Verdict) => told.filter((f) => f.verdict === v).length;
  const summary = told.length > 3 ? `${count('holds')} hold, ${count('fails')} do not, ${count('open')} are not resolved; for example ` : '';
  const telling = told.filter((f) => f.verdict === verdict).slice(0, told.length > 3 ? 1 : 3);
  return { verdict, because: summary + telling.map((f) => f.because).join('; ') };
}

/** a/b as a cell of its own, by the repetitions that ran beside each other: to compare ratios with ratios. */
export function quotient(a: Known, b: Known): Known | null {
  const r = pairedRatio(a, b);
  if (!r) return null;
  const other = new Map(b.repetitions.map((n, i) => [n, b.samples[i] ?? 0]));
  const pairs = a.repetitions.map((n, i) => ({ n, q: (a.samples[i] ?? 0) / (other.get(n) ?? 0) })).filter((p) => Number.isFinite(p.q) && p.q > 0);
  return { ...a, unit: '1', value: r.value, ci: r.ci, samples: pairs.map((p) => p.q), repetitions: pairs.map((p) => p.n) };
}

export class Evidence {
  private readonly modes = new Map<string, string>();

  constructor(private readonly run: Run) {}

  get processors(): number {
    return listOf(this.run.topology, 'cpus').length;
  }

  get cores(): number {
    return new Set(listOf(this.run.topology, 'cpus').map((c) => (c as { core?: unknown }).core)).size;
  }

  get system(): string {
    return String(this.run.os.name ?? '');
  }

  /** The mode in which most of an experiment was measured; near if both are alike. */
  private modeOf(experiment: string): string {
    const known = this.modes.get(experiment);
    if (known) return known;
    const count = (mode: string) => cellsOf(this.run, experiment).filter((c) => c.value !== null && c.at.mode === mode).length;
    const mode = count('far') > count('near') ? 'far' : 'near';
    this.modes.set(experiment, mode);
    return mode;
  }

  /** Cells with a value; those of one mode, where there are such, so that they can be compared. */
  cells(experiment: string, metric: string | undefined, where: Where = {}): Known[] {
    const all = cellsOf(this.run, experiment).filter((c): c is Known => c.value !== null && (metric === undefined || c.metric === metric) && matches(c, where));
    const alike = all.filter((c) => c.at.mode === undefined || c.at.mode === this.modeOf(experiment));
    return alike.length > 0 ? alike : all;
  }

  cell(experiment: string, metric: string, where: Where): Known | undefined {
    return this.cells(experiment, metric, where)[0];
  }

  /** Both cells of a comparison in the same mode, near if there is. */
  pair(experiment: string, metric: string, a: Where, b: Where): [Known, Known] | null {
    const all = cellsOf(this.run, experiment).filter((c): c is Known => c.value !== null && c.metric === metric);
    for (const mode of ['near', undefined, 'far']) {
      const one = (where: Where) => all.find((c) => matches(c, where) && c.at.mode === mode);
      const [x, y] = [one(a), one(b)];
      if (x && y) return [x, y];
    }
    const [x, y] = [all.find((c) => matches(c, a)), all.find((c) => matches(c, b))];
    return x && y ? [x, y] : null;
  }

  /** a against b, and whether their ratio is within bounds. */
  compare(pair: [Known, Known] | null, bounds: Bounds, axes: string[], nothing: string): Finding {
    if (!pair) return missing(nothing);
    const [a, b] = pair;
    const r = pairedRatio(a, b);
    if (!r) return missing('a value is zero');
    const words = `${nameOf(a, axes)} ${quantity(a.value, a.unit)} against ${nameOf(b, axes)} ${quantity(b.value, b.unit)}: ratio ${range(r)}${modeWords(a) || modeWords(b)}`;
    return { verdict: within(r, bounds), because: words.trim() };
  }

  /** The best of these cells. */
  best(cells: Known[]): Known | undefined {
    return cells.reduce<Known | undefined>((best, c) => (!best || (c.better === 'higher' ? c.value > best.value : c.value < best.value) ? c : best), undefined);
  }

  worst(cells: Known[]): Known | undefined {
    return cells.reduce<Known | undefined>((worst, c) => (!worst || (c.better === 'higher' ? c.value < worst.value : c.value > worst.value) ? c : worst), undefined);
  }

  distances(experiment: string): string[] {
    return valuesOf(cellsOf(this.run, experiment).filter((c) => c.value !== null), 'distance').map(String).sort((a, b) => rank('distance', a) - rank('distance', b));
  }

  /** The largest team of at least `least` threads that fits the processors. */
  fullTeam(experiment: string, least = 2, where: Where = {}): number | null {
    const counts = valuesOf(this.cells(experiment, undefined, where), 'threads').map(Number).filter((n) => n >= least && (this.processors === 0 || n <= this.processors));
    return counts.length > 0 ? Math.max(...counts) : null;
  }
}

export { digits, listed, pairedRatio, quantity, range };
