// What the paper on synchronization says of the values in its figures, which were published as pictures: sentences with their
// sections, some of them about a place in the figure.

import { isObject } from './json';
import type { Cell, Run } from './data';
import { interval, quantity } from './numbers';
import { listed, valueTitle } from './words';

export interface Published {
  figure: number;
  platforms: string[];
  section: string;
  words: string;
  /** `at`: of an axis the values that it is about. Without `x` it is a height of the whole figure. `to`: where a range ends. */
  drawn?: { metric: string; unit: string; at: Record<string, string[]>; x?: number; value: number; to?: number; bound?: string };
}

/** What papers published at one place. */
export interface PublishedPoint {
  x: number;
  value: number;
  platforms: string[];
  /** "up to", "more than" */
  bound?: string;
}

/** What they published of a whole figure. */
export interface PublishedLevel {
  value: number;
  to: number;
  platforms: string[];
  /** What it is about among what is shown: "one hop or two hops"; empty if about all of it. */
  where: string;
}

/** From the data; the program that wrote it has read the file. */
export const publishedOf = (v: unknown): Published[] => (Array.isArray(v) ? v.filter(isObject) as unknown as Published[] : []);

const titled = (platform: string) => platform.slice(0, 1).toUpperCase() + platform.slice(1);
const platformsOf = (p: { platforms: string[] }): string => listed(p.platforms.map(titled));

/** "Xeon: 25 Mop/s within a socket (6.2)" */
export const sentenceOf = (p: Published): string => `${platformsOf(p)}: ${p.words} (${p.section})`;

/** A model of one of the paper's platforms stands beside that one only. */
export function besideRun(all: Published[], run: Run): Published[] {
  if (run.kind !== 'simulated') return all;
  const model = String(run.machine.model_name ?? '');
  return all.filter((p) => p.platforms.includes(model)).map((p) => ({ ...p, platforms: [model] }));
}

/** The cells that it is about; none where it has no place in the figure. */
function meantBy({ drawn }: Published, cells: Cell[]): Cell[] {
  if (!drawn) return [];
  return cells.filter((c) => c.metric === drawn.metric && c.unit === drawn.unit
    && Object.entries(drawn.at).every(([axis, values]) => values.includes(String(c.at[axis]))));
}

/** Those of the metric, and of what is chosen, between these values of the axis; one for each place. */
export function pointsAmong(all: Published[], cells: Cell[], xs: number[]): PublishedPoint[] {
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const points = new Map<string, PublishedPoint>();
  for (const p of all) {
    const { x, value, bound } = p.drawn ?? {};
    if (x === undefined || value === undefined || x < least || x > most || meantBy(p, cells).length === 0) continue;
    const key = `${x} ${value} ${bound ?? ''}`;
    points.set(key, { x, value, platforms: [...(points.get(key)?.platforms ?? []), ...p.platforms], ...(bound ? { bound } : {}) });
  }
  return [...points.values()];
}

/** The heights of the whole figure, of the metric and of what is chosen; one for each height. */
export function levelsAmong(all: Published[], cells: Cell[]): PublishedLevel[] {
  const levels = new Map<string, PublishedLevel>();
  for (const p of all) {
    const meant = meantBy(p, cells);
    if (!p.drawn || p.drawn.x !== undefined || meant.length === 0) continue;
    const { value, to = value, at } = p.drawn;
    const where = Object.entries(at).map(([axis, values]) => values.filter((v) => meant.some((c) => String(c.at[axis]) === v))
      .map((v) => valueTitle(axis, v)).join(' or ')).join(', ');
    const key = `${value} ${to} ${where}`;
    levels.set(key, { value, to, where, platforms: [...(levels.get(key)?.platforms ?? []), ...p.platforms] });
  }
  return [...levels.values()];
}

/** "Opteron and Xeon, as published: 20 Mop/s", "Tilera, as published: more than 100 Mop/s" */
export const pointWords = (p: PublishedPoint, unit: string): string =>
  `${platformsOf(p)}, as published: ${p.bound ? `${p.bound} ` : ''}${quantity(p.value, unit)}`;

/** What stands at a point: its platforms, and what the value bounds. */
export const pointLabel = (p: PublishedPoint, unit: string): string =>
  (p.bound ? `${platformsOf(p)}: ${p.bound} ${quantity(p.value, unit)}` : platformsOf(p));

const levelValue = (l: PublishedLevel, unit: string): string =>
  `${interval([l.value, l.to], unit) || quantity(l.value, unit)}${l.where ? ` (${l.where})` : ''}`;

/** "Opteron, as published: 350 to 450 cycles (one hop or two hops)" */
export const levelWords = (l: PublishedLevel, unit: string): string => `${platformsOf(l)}, as published: ${levelValue(l, unit)}`;

/** The same in the chart, whose legend says that it was published. */
export const levelLabel = (l: PublishedLevel, unit: string): string => `${platformsOf(l)}: ${levelValue(l, unit)}`;
