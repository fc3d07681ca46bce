// What one chart is about: cells of one run, or of two beside each other.

import type { Cell, Run } from './data';

export interface Group {
  run: Run;
  cells: Cell[];
}

/** What one chart shows. */
export interface Panel extends Group {
  name: string;
  /** The closed form that bounds it. */
  bounds: Cell[];
  /** Quotients of two runs, not values of one. */
  ratio: boolean;
}
