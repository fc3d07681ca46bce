// What the paper on synchronization says of the values in its figures, which were published as pictures: sentences with their
// sections, some of them about a place in the figure.

import { isObject } from './json';
import type { Cell, Coordinate, Run } from './data';
import { quantity } from './numbers';
import { listed } from './words';

export interface Published {
  figure: number;
  platforms: string[];
  section: string;
  words: string;
  drawn?: { metric: string; unit: string; at: Record<string, Coordinate>; x: number; value: number };
}

/** The points that papers published at one place. */
export interface PublishedPoint {
  x: number;
  value: number;
  platforms: string[];
}

/** From the data; the program that wrote it has read the file. */
export const publishedOf = (v: unknown): Published[] => (Array.isArray(v) ? v.filter(isObject) as unknown as Published[] : []);

const titled = (platform: string) => platform.slice(0, 1).toUpperCase() + platform.slice(1);
export const platformsOf = (p: { platforms: string[] }): string => listed(p.platforms.map(titled));

/** "Xeon: 25 Mop/s within a socket (6.2)" */
export const sentenceOf = (p: Published): string => `${platformsOf(p)}: ${p.words} (${p.section})`;

/** A model of one of the paper's platforms stands beside that one only. */
export function besideRun(all: Published[], run: Run): Published[] {
  if (run.kind !== 'simulated') return all;
  const model = String(run.machine.model_name ?? '');
  return all.filter((p) => p.platforms.includes(model)).map((p) => ({ ...p, platforms: [model] }));
}

/** Those of the metric, and of what is chosen, between these values of the axis; one for each place. */
export function pointsAmong(all: Published[], cells: Cell[], xs: number[]): PublishedPoint[] {
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const points = new Map<string, PublishedPoint>();
  for (const { platforms, drawn } of all) {
    if (!drawn || drawn.x < least || drawn.x > most) continue;
    const same = cells.filter((c) => c.metric === drawn.metric && c.unit === drawn.unit);
    if (!same.some((c) => Object.entries(drawn.at).every(([axis, value]) => c.at[axis] === value))) continue;
    const key = `${drawn.x} ${drawn.value}`;
    const there = points.get(key);
    points.set(key, { x: drawn.x, value: drawn.value, platforms: [...(there?.platforms ?? []), ...platforms] });
  }
  return [...points.values()];
}

/** "Opteron and Xeon, as published: 20 Mop/s" */
export const pointWords = (p: PublishedPoint, unit: string): string => `${platformsOf(p)}, as published: ${quantity(p.value, unit)}`;
