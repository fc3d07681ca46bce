// How far a model of a host was off what was measured there, where a file of predictions says so (docs/simulation.md).

import { h, printable } from '../dom';
import { list, momentOf, numberOf, object, objectOf, textOf, type Facts, type Run } from '../data';
import { plural } from '../words';
import { scroller } from './table';

const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)}\u00a0%`);

function verdictOf(row: Facts): string {
  if (row.fitted === true) return 'fitted';
  return row.holds === true ? 'holds' : row.holds === false ? 'does not hold' : 'not judged';
}

function rowOf(row: Facts): HTMLElement {
  const number = (text: string) => h('td', { class: 'number' }, text);
  return h('tr', {}, h('th', { scope: 'row' }, textOf(row, 'experiment') ?? '?'), h('td', {}, textOf(row, 'mode') ?? ''),
    number(String(numberOf(row, 'cells') ?? 0)), number(percent(numberOf(row, 'median'))), number(percent(numberOf(row, 'nine_of_ten'))),
    h('td', {}, verdictOf(row)));
}

const fileOf = (facts: Facts): string => [textOf(facts, 'file') ?? 'a results file', momentOf(facts)].filter((t) => t).join(', ');

function madeOf(forecast: Facts): string {
  const [from, against] = [objectOf(forecast, 'made_of'), objectOf(forecast, 'against')];
  const same = textOf(from, 'file') === textOf(against, 'file');
  return same ? `The model is made of the single accesses of the file that it is held against (${fileOf(from)}).`
    : `The model is made of the single accesses of one file (${fileOf(from)}), and held against another (${fileOf(against)}).`;
}

function tableOf(run: Run, forecast: Facts): HTMLElement {
  const allowed = numberOf(forecast, 'allowed') ?? 0;
  const left = numberOf(forecast, 'not_predicted') ?? 0;
  const column = (text: string, kind?: string) => h('th', { scope: 'col', class: kind }, text);
  return h('div', {}, h('p', {}, madeOf(forecast)),
    scroller(`Errors of ${run.name}`, h('table', {},
      h('caption', { class: 'unseen' }, `How far predictions are off, by ${run.name}`),
      h('thead', {}, h('tr', {}, column('Experiment'), column('Mode'), column('Cells', 'number'), column('Median error', 'number'),
        column('Nine of ten within', 'number'), column('Verdict'))),
      h('tbody', {}, list(forecast.errors).map(object).map(rowOf)))),
    h('p', { class: 'small' }, `An error is that of the predicted value, up or down, in parts of the measured one. A median of ${percent(allowed)} is allowed. `
      + 'What nine of ten do not exceed is told of ten cells or more. Fitted cells are those of the model itself and are not judged.',
    left > 0 && ` ${plural(left, 'cell')} not predicted: processors were at a distance at which no single accesses were measured.`));
}

/** Nothing if no file of these runs holds predictions. */
export function forecastSection(runs: Run[]): HTMLElement | null {
  const told = runs.filter((r) => list(objectOf(r.machine, 'forecast').errors).length > 0);
  if (told.length === 0) return null;
  return h('section', { class: 'family', id: 'predictions' }, h('h2', {}, 'How far predictions are off'),
    told.map((r) => h('div', {}, told.length > 1 && h('h3', {}, printable(r.name, 80)), tableOf(r, objectOf(r.machine, 'forecast')))));
}
