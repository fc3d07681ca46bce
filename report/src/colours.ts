// The colours of lines: a lock, an operation or the like has one in all figures of a page, by its place among those on the page
// and not by its rank in a figure.

import type { Cell, Coordinate } from './data';
import { contestantAxis } from './marked';
import { dashes, marks, type Theme } from './theme';
import { valuesOf } from './view';

export interface LineStyle {
  color: string;
  dash: string | number[];
  /** The path of its points. */
  mark: string;
}

/** Who has lines in a figure, by which axis, and who of them is drawn before the reader chooses. */
export interface Competing {
  axis: string;
  first: Coordinate[];
  all: Coordinate[];
}

/** By axis, the place of each of its values among all that have lines on the page. */
export type Places = ReadonlyMap<string, Coordinate[]>;

/** Those that some figure draws first get the first colours, in the order in which the files have them: that of the catalog. */
export const placesIn = (figures: Competing[]): Places => new Map([...new Set(figures.map((f) => f.axis))].map((axis) => {
  const own = figures.filter((f) => f.axis === axis);
  const first = new Set(own.flatMap((f) => f.first));
  const all = [...new Set(own.flatMap((f) => f.all))];
  return [axis, [...all.filter((v) => first.has(v)), ...all.filter((v) => !first.has(v))]];
}));

/** The axis by which lines have their colours: of those that tell them apart the one whose values compete. */
export function colourAxis(axes: string[], cells: Cell[]): string | undefined {
  const telling = axes.filter((a) => valuesOf(cells, a).length > 1);
  return telling.find(contestantAxis) ?? telling[0] ?? axes[0];
}

/** Of lines, each with its first cell: beyond the palette colours repeat with other dashes, and so do lines of one colour. */
export function lineStyles(cells: Cell[], axis: string | undefined, theme: Theme, places: Places): LineStyle[] {
  const seen = new Map<Coordinate, number>();
  // Who has lines in this figure only comes last.
  const values = [...new Set([...(places.get(axis ?? '') ?? []), ...cells.map((c) => c.at[axis ?? ''] ?? '')])];
  const lines = cells.map((c, i) => {
    const value = (axis === undefined ? undefined : c.at[axis]) ?? '';
    const nth = seen.get(value) ?? 0;
    seen.set(value, nth + 1);
    return { place: axis === undefined ? i : values.indexOf(value), nth };
  });
  // So many of one colour could not be told apart.
  const told = Math.max(0, ...seen.values()) <= dashes.length ? lines : lines.map((_, i) => ({ place: i, nth: 0 }));
  return told.map(({ place, nth }) => ({
    color: theme.series[place % theme.series.length]!, dash: dashes[(Math.floor(place / theme.series.length) + nth) % dashes.length]!,
    mark: marks[(place + nth) % marks.length]!,
  }));
}
