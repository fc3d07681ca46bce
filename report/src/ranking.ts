// Who leads, and who cannot be told apart from the leader. What is doubtful leads nothing.

import { doubtful, isFar, type Cell } from './data';
import { differAmong } from './stats';

/** Values that may be compared: sure ones, of the near mode where there are some. */
export function contenders(cells: Cell[]): Cell[] {
  const known = cells.filter((c) => c.value !== null && !doubtful(c));
  return known.some((c) => !isFar(c)) ? known.filter((c) => !isFar(c)) : known;
}

/** Of two of so many: whoever leads was chosen by looking at all of them. */
const apart = (a: Cell, b: Cell, among: number): boolean => a.published || b.published || differAmong(a, b, among);

export interface Leading {
  best: Cell;
  /** Those that are not distinguishable from the best. */
  tied: Cell[];
  /** Wherever in its interval each of the doubtful ones lies, it is behind. */
  holds: boolean;
}

const isBehind = (c: Cell, best: Cell): boolean =>
  c.ci !== null && best.ci !== null && (best.better === 'lower' ? c.ci[0] > best.ci[1] : c.ci[1] < best.ci[0]);

export function leading(cells: Cell[]): Leading | null {
  const all = contenders(cells);
  if (all.length === 0) return null;
  const before = (a: Cell, b: Cell) => (b.better === 'lower' ? a.value! < b.value! : a.value! > b.value!);
  const best = all.reduce((first, c) => (before(c, first) ? c : first));
  const leftOut = cells.filter((c) => doubtful(c) && isFar(c) === isFar(best));
  return { best, tied: all.filter((c) => c !== best && !apart(best, c, all.length)), holds: leftOut.every((c) => isBehind(c, best)) };
}

/** To be said behind a superlative that may not hold for those that are doubtful. */
export const ofTheSure = (holds: boolean): string => (holds ? '' : ' of those that are sure');

/** ", not distinguishable from mcs, clh, tas and 2 more" */
export function rivals(names: string[], most = 3): string {
  if (names.length === 0) return '';
  const some = names.slice(0, most);
  const rest = names.length - some.length;
  const list = rest > 0 ? `${some.join(', ')} and ${rest} more` : [some.slice(0, -1).join(', '), some[some.length - 1]!].filter((t) => t).join(' and ');
  return `, not distinguishable from ${list}`;
}
