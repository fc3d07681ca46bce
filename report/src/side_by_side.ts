// Two runs beside each other. What their difference is, the program has judged.

import { changed, type Cell, type Compared, type Run } from './data';
import type { Group, Panel } from './panel';

/** What the program says of these cells against those of the first run. */
export const judged = (run: Run, cells: Cell[]): { cell: Cell; verdict: Compared }[] =>
  cells.flatMap((cell) => {
    const verdict = run.compared.get(cell);
    return verdict ? [{ cell, verdict }] : [];
  });

/** Why a difference is not to be relied on. */
const openWords = (v: Compared): string | null => (v.what === 'unresolved' ? 'no difference resolved' : v.doubt);

/** A map of quotients, where two runs have pairs in common: how many times the first run's value the other's is. */
export function ratiosOf(first: Group, other: Group): Panel[] {
  const base = new Set(first.cells);
  const both = judged(other.run, other.cells).filter(({ verdict }) => verdict.ratio !== null && base.has(verdict.base));
  const cells = both.map(({ cell, verdict }): Cell => changed(cell, {
    metric: 'ratio', unit: '1', better: 'neither', value: verdict.ratio, ci: verdict.ci, flag: openWords(verdict) === null ? 'ok' : 'unreliable',
    reason: openWords(verdict), samples: [], repetitions: [], quantiles: {},
  }));
  if (cells.length === 0) return [];
  return [{ run: other.run, name: `${other.run.name} / ${first.run.name}`, cells, bounds: [], ratio: true }];
}
