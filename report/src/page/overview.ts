// Several runs: metric by machine, what differs most first. Whether a difference is one, the program has judged.

import { h } from '../dom';
import { layerOf } from '../figures';
import { percent, quantity } from '../numbers';
import type { Cell, Compared, Run } from '../data';
import { judged } from '../side_by_side';
import { listed, metricTitle, sentence } from '../words';
import { scroller } from './table';

/** What one run has of a metric beside the first. */
interface Beside {
  /** The geometric mean of its ratios. */
  ratio: number;
  /** Those of the values in the first run and in this one. */
  from: number;
  to: number;
  unit: string;
  better: number;
  worse: number;
  different: number;
  open: number;
}

interface Row {
  experiment: string;
  metric: string;
  runs: (Beside | null)[];
}

const geometric = (all: number[]): number => Math.exp(all.reduce((sum, v) => sum + Math.log(v), 0) / all.length);

function besideOf(all: { cell: Cell; verdict: Compared }[]): Beside | null {
  const both = all.filter(({ cell, verdict: { ratio, base } }) => ratio !== null && ratio > 0 && base.value! > 0 && cell.value! > 0);
  if (both.length === 0) return null;
  const count = (what: Compared['what']) => all.filter(({ verdict }) => verdict.what === what).length;
  return { ratio: geometric(both.map(({ verdict }) => verdict.ratio!)), from: geometric(both.map(({ verdict }) => verdict.base.value!)),
    to: geometric(both.map(({ cell }) => cell.value!)), unit: both[0]!.cell.unit, better: count('better'), worse: count('worse'),
    different: count('different'), open: count('unresolved') };
}

const resolved = (b: Beside | null): number => (b ? b.better + b.worse + b.different : 0);

/** Those first of which a difference is resolved, the greatest first. */
function rowsOf(first: Run, others: Run[]): Row[] {
  const names = new Map(first.cells.map((c) => [JSON.stringify([c.experiment, c.metric]), c]));
  const found = others.map((run) => judged(run, run.cells));
  const rows = [...names.values()].map(({ experiment, metric }): Row => ({ experiment, metric, runs: found.map((all) =>
    besideOf(all.filter(({ cell }) => cell.experiment === experiment && cell.metric === metric))) }));
  const distance = (r: Row) => Math.max(...r.runs.map((b) => (resolved(b) > 0 ? Math.abs(Math.log(b!.ratio)) : -1)));
  return rows.filter((r) => r.runs.some((b) => b !== null)).sort((a, b) => distance(b) - distance(a));
}

/** "3 better, 1 worse, 12 not resolved": places. */
function verdictWords(b: Beside): string {
  const parts: [number, string][] = [[b.better, 'better'], [b.worse, 'worse'], [b.different, 'different'], [b.open, 'not resolved']];
  return parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`).join(', ');
}

const markOf = (b: Beside) => (b.better > 0 && b.worse === 0 ? 'better' : b.worse > 0 && b.better === 0 ? 'worse' : 'open');

const entryOf = (b: Beside | null) => (b === null ? h('td', { class: 'number open' }, '–')
  : h('td', { class: `number ${markOf(b)}` }, resolved(b) > 0 ? percent(b.ratio) : 'no difference resolved',
    h('small', { class: 'span' }, resolved(b) > 0 && `${quantity(b.from, b.unit)} → ${quantity(b.to, b.unit)}, `, verdictWords(b))));

/** The experiment and, where the words for two of its metrics are the same, which of them it is. */
function sourceOf(row: Row, rows: Row[]): string {
  const title = metricTitle(row.metric);
  const same = rows.some((r) => r !== row && r.experiment === row.experiment && metricTitle(r.metric) === title);
  return same ? `${row.experiment} ${row.metric}` : row.experiment;
}

function tableOf(others: Run[], rows: Row[], caption: string): HTMLElement {
  const metric = (r: Row) => h('th', { scope: 'row' }, h('a', { href: `#family-${layerOf(r.experiment).replace(/[^a-z0-9]/gi, '-')}` },
    sentence(metricTitle(r.metric))), ' ', h('code', {}, sourceOf(r, rows)));
  return scroller(caption, h('table', {},
    h('caption', { class: 'unseen' }, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Metric'), ...others.map((r) => h('th', { scope: 'col', class: 'number' }, r.name)))),
    h('tbody', {}, rows.map((r) => h('tr', {}, metric(r), ...r.runs.map(entryOf))))));
}

/** "there differs from here in 3 of 12 metrics, most in throughput (EXPERIMENT, +40 %)." */
function summaryOf(first: Run, run: Run, at: number, rows: Row[]): string {
  const common = rows.filter((r) => r.runs[at] !== null);
  const apart = common.filter((r) => resolved(r.runs[at]!) > 0);
  if (apart.length === 0) return `No difference between ${run.name} and ${first.name} is resolved in ${common.length} metrics.`;
  const most = apart.slice(0, 2).map((r) => `${metricTitle(r.metric)} (${r.experiment}, ${percent(r.runs[at]!.ratio)})`);
  return `${run.name} differs from ${first.name} in ${apart.length} of ${common.length} metrics, most in ${listed(most)}.`;
}

/** Null where there is nothing to be compared. */
export function overviewOf(runs: Run[]): HTMLElement | null {
  const [first, ...others] = runs;
  if (!first || others.length === 0) return null;
  const rows = rowsOf(first, others);
  if (rows.length === 0) return null;
  const apart = rows.filter((r) => r.runs.some((b) => resolved(b) > 0));
  const alike = rows.filter((r) => !apart.includes(r));
  return h('section', { class: 'overview', 'aria-labelledby': 'overview' },
    h('h2', { id: 'overview' }, `Compared with ${first.name}`),
    others.slice(0, 3).map((run, at) => h('p', { class: 'found' }, summaryOf(first, run, at, rows))),
    apart.length > 0 && tableOf(others, apart, `Metrics that differ from ${first.name}`),
    apart.length > 0 && alike.length > 0 && h('details', {},
      h('summary', {}, `No difference is resolved in ${alike.length} further metric${alike.length === 1 ? '' : 's'}`),
      tableOf(others, alike, `Metrics that do not differ from ${first.name}`)),
    apart.length > 0 && h('p', { class: 'small' },
      'Geometric means over all places that both have, and at how many of them “synchroscope compare” finds which difference.'));
}
