// What the reader points at in one figure (a lock, a primitive) is marked in all that show it.

import { valueTitle } from './words';
import type { Cell } from './data';

/** Axes whose values compete. Who delegates names locks, too. */
const contestants = ['lock', 'primitive', 'delegate', 'means', 'implementation'];

export const contestantAxis = (axis: string): boolean => contestants.includes(axis);

/** "mcs": who of those that compete this cell is about; nothing if it is about none. */
export function contestantOf(c: Cell): string | undefined {
  const axis = contestants.find((a) => c.at[a] !== undefined);
  return axis === undefined ? undefined : valueTitle(axis, c.at[axis]!);
}

const watchers = new Set<(name: string | undefined) => void>();
let marked: string | undefined;

export const onMarked = (watch: (name: string | undefined) => void): void => void watchers.add(watch);

/** Nothing: no longer. */
export function mark(name: string | undefined): void {
  if (name === marked) return;
  marked = name;
  watchers.forEach((watch) => watch(name));
}
