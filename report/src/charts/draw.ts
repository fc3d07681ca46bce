// One door to all kinds of charts.

import type { Figure } from '../figures';
import { changed, type Cell, type Run } from '../data';
import { metricTitle } from '../words';
import { drawBars, drawBest } from './bars';
import { drawGantt } from './gantt';
import { drawHeat } from './heat';
import type { Context, Drawing } from './kit';
import { drawLines } from './lines';
import { drawBoxes, drawEcdf, drawOrder } from './spread';

/** Several metrics as one, told apart by the axis `what`. */
const sideBySide = (cells: Cell[], name: string): Cell[] => cells.map((c) =>
  changed(c, { metric: name, at: { what: metricTitle(c.metric), ...c.at } }));

/** The chart of these cells of a run; nothing for a figure that is a table. */
export function draw(figure: Figure, chosen: Cell[], context: Context, run: Run): Drawing | null {
  const chart = figure.chart;
  // What could not be measured may not even have the coordinate: it has a row in the table, and no place in the chart.
  const isPlaced = (c: Cell) => chart.kind === 'best' || chart.kind === 'gantt' || chart.kind === 'paper' || c.at[chart.x] !== undefined;
  const known = new Map<Cell[], Cell[]>(); // often all three are one list, of a million
  const placed = (all: Cell[]) => known.get(all) ?? known.set(all, all.filter(isPlaced)).get(all)!;
  const cells = placed(chosen);
  const ctx = { ...context, all: placed(context.all), scaled: placed(context.scaled) };
  switch (chart.kind) {
    case 'heat': return drawHeat(cells, chart, ctx, run);
    case 'lines': return drawLines(cells, chart, ctx);
    case 'bars':
      if (!chart.compare) return drawBars(cells, chart, ctx);
      return drawBars(sideBySide(cells, chart.compare), { ...chart, series: ['what', ...chart.series] }, { ...ctx, all: sideBySide(ctx.all, chart.compare),
        scaled: sideBySide(ctx.scaled, chart.compare) });
    case 'best': return drawBest(cells, chart, ctx);
    case 'box': return drawBoxes(cells, chart, ctx);
    case 'ecdf': return drawEcdf(cells, chart, ctx);
    case 'order': return drawOrder(cells, chart, ctx);
    case 'gantt': return drawGantt(cells, chart, ctx);
    case 'paper': return null;
  }
}
