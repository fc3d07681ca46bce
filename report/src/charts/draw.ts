// One door to all kinds of charts.

import type { Figure } from '../figures';
import type { Cell, Run } from '../reading';
import { drawBars, drawBest } from './bars';
import { drawGantt } from './gantt';
import { drawHeat } from './heat';
import type { Context, Drawing } from './kit';
import { drawLines } from './lines';
import { drawBoxes, drawEcdf } from './spread';

/** The chart of these cells of a run; nothing for a figure that is a table. */
export function draw(figure: Figure, cells: Cell[], ctx: Context, run: Run): Drawing | null {
  const chart = figure.chart;
  switch (chart.kind) {
    case 'heat': return drawHeat(cells, chart, ctx, run);
    case 'lines': return drawLines(cells, chart, ctx);
    case 'bars': return drawBars(cells, chart, ctx);
    case 'best': return drawBest(cells, chart, ctx);
    case 'box': return drawBoxes(cells, chart, ctx);
    case 'ecdf': return drawEcdf(cells, chart, ctx);
    case 'gantt': return drawGantt(cells, chart, ctx);
    case 'paper': return null;
  }
}
