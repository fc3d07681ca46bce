// Several runs: metric by machine, what differs most first. Whether a difference is one, and whether it can be relied on, the
// program has judged: a doubtful one leads nothing and is counted for itself.

import { h } from '../dom';
import { layerOf } from '../figures';
import { change, quantity } from '../numbers';
import { called, processorCount, sure, type Cell, type Compared, type Place, type Run } from '../data';
import { judged } from '../side_by_side';
import { oneOfEachMap } from '../view';
import { listed, metricTitle, plural, sentence } from '../words';
import { scroller } from './table';

type Pair = { cell: Cell; verdict: Compared };

/** What one run has of a metric beside the first. */
interface Entry {
  /** Geometric means over the places of `resolved`. */
  ratio: number;
  from: number;
  to: number;
  unit: string;
  /** Of which a difference is resolved and can be relied on; without such, all of which one is resolved. */
  resolved: Pair[];
  sound: boolean;
  /** At some place both values are sure. */
  known: boolean;
  /** "3 better, 1 disturbed, 12 not resolved": places. */
  counted: string;
}

interface Row {
  experiment: string;
  metric: string;
  runs: (Entry | null)[];
}

const geometric = (all: number[]): number => Math.exp(all.reduce((sum, v) => sum + Math.log(v), 0) / all.length);

const differs = ({ verdict }: Pair) => verdict.what !== 'unresolved';
const soundly = (p: Pair) => differs(p) && p.verdict.doubt === null;

/** A doubt in place of the verdict that it is on. */
function countedWords(all: Pair[]): string {
  const kinds = ['better', 'worse', 'different', 'disturbed', 'unreliable', 'not resolved'];
  const kindOf = (p: Pair) => (differs(p) ? (p.verdict.doubt ?? p.verdict.what) : 'not resolved');
  return kinds.map((kind) => [all.filter((p) => kindOf(p) === kind).length, kind] as const).filter(([n]) => n > 0).map(([n, kind]) => `${n} ${kind}`)
    .join(', ');
}

function entryFrom(all: Pair[]): Entry | null {
  const both = all.filter(({ cell, verdict: { ratio, base } }) => ratio !== null && ratio > 0 && base.value! > 0 && cell.value! > 0);
  if (both.length === 0) return null;
  const sound = both.some(soundly);
  const resolved = both.filter(sound ? soundly : differs);
  const mean = (of: (p: Pair) => number) => geometric(resolved.map(of));
  return { ratio: mean((p) => p.verdict.ratio!), from: mean((p) => p.verdict.base.value!), to: mean((p) => p.cell.value!), unit: both[0]!.cell.unit,
    resolved, sound, known: both.some(({ cell, verdict }) => sure(cell) && sure(verdict.base)), counted: countedWords(all) };
}

const isSound = (r: Row) => r.runs.some((b) => b?.sound);
const isApart = (r: Row) => r.runs.some((b) => b !== null && b.resolved.length > 0);

const nameOf = (c: Cell): string => `${c.experiment}\n${c.metric}`;

/** Pairs of one metric mostly follow each other: a million of a map have one name. */
function byName(pairs: Pair[]): Map<string, Pair[]> {
  const all = new Map<string, Pair[]>();
  let last: Cell | undefined;
  let same: Pair[] = [];
  for (const pair of pairs) {
    const { cell } = pair;
    if (cell.experiment !== last?.experiment || cell.metric !== last.metric) all.set(nameOf(cell), (same = all.get(nameOf(cell)) ?? []));
    same.push(pair);
    last = cell;
  }
  return all;
}

/** What can be relied on first, the greatest difference first. */
function rowsOf(first: Run, others: Run[]): Row[] {
  const names = new Map(oneOfEachMap(first.cells).map((c) => [nameOf(c), c]));
  const found = others.map((run) => byName(judged(run, run.cells)));
  const rows = [...names].map(([name, { experiment, metric }]): Row => ({ experiment, metric, runs: found.map((all) => entryFrom(all.get(name) ?? [])) }));
  const distance = (r: Row) => Math.max(...r.runs.map((b) => (b && b.sound === isSound(r) && b.resolved.length > 0 ? Math.abs(Math.log(b.ratio)) : -1)));
  return rows.filter((r) => r.runs.some((b) => b !== null)).sort((a, b) => Number(isSound(b)) - Number(isSound(a)) || distance(b) - distance(a));
}

const placesOf = (r: Row): Place[][] => r.runs.map((b) => (b?.resolved ?? []).map(({ cell }) => cell.at));

/** Where a row's differences are, by the coordinates that all metrics of its experiment have here. */
function placeKey(row: Row, rows: Row[]): string {
  const own = rows.filter((r) => r.experiment === row.experiment);
  if (own.length === 1 || !isApart(row)) return JSON.stringify([row.experiment, row.metric]); // there may be a million places
  const places = own.flatMap((r) => placesOf(r).flat());
  const shared = Object.keys(places[0] ?? {}).filter((axis) => places.every((at) => at[axis] !== undefined)).sort();
  const of = placesOf(row).map((all) => [...new Set(all.map((at) => JSON.stringify(shared.map((axis) => at[axis]))))].sort());
  return JSON.stringify([row.experiment, of]);
}

/** Metrics of the same cells are one entry, which the one that differs most leads. */
function foldedOf(rows: Row[]): Row[][] {
  const all = new Map<string, Row[]>();
  for (const row of rows) {
    const key = placeKey(row, rows);
    all.set(key, [...(all.get(key) ?? []), row]);
  }
  return [...all.values()];
}

/** Green or red only for what can be relied on. */
function markOf({ resolved, sound }: Entry): string {
  const [only, ...others] = new Set(resolved.map(({ verdict }) => verdict.what));
  return sound && others.length === 0 && (only === 'better' || only === 'worse') ? only : 'open';
}

const entryOf = (b: Entry | null) => (b === null ? h('td', { class: 'number open' }, '–')
  : h('td', { class: `number ${markOf(b)}` }, b.resolved.length > 0 ? change(b.ratio, b.unit) : 'no difference resolved',
    h('small', { class: 'span' }, b.resolved.length > 0 && `${quantity(b.from, b.unit)} → ${quantity(b.to, b.unit)}, `, b.counted)));

/** The experiment and, where the words for two of its metrics are the same, which of them it is. */
function sourceOf(row: Row, rows: Row[]): string {
  const title = metricTitle(row.metric);
  const same = rows.some((r) => r !== row && r.experiment === row.experiment && metricTitle(r.metric) === title);
  return same ? `${row.experiment} ${row.metric}` : row.experiment;
}

/** A button that shows rows and is gone with that. */
function showing(text: string, rows: HTMLElement[]): HTMLElement {
  const button = h('button', { type: 'button', class: 'text', click: () => {
    rows.forEach((row) => (row.hidden = false));
    button.remove();
  } }, text);
  return button;
}

function rowElement(row: Row, rows: Row[]): HTMLElement {
  const link = h('a', { href: `#family-${layerOf(row.experiment).replace(/[^a-z0-9]/gi, '-')}` }, sentence(metricTitle(row.metric)));
  return h('tr', {}, h('th', { scope: 'row' }, link, ' ', h('code', {}, sourceOf(row, rows))), ...row.runs.map(entryOf));
}

/** A line of the table; the other metrics of the same cells are below it when asked for. */
function foldElements(fold: Row[], rows: Row[]): HTMLElement[] {
  const [lead, ...others] = fold.map((row) => rowElement(row, rows));
  others.forEach((row) => (row.hidden = true));
  if (others.length > 0) lead!.firstElementChild!.append(h('small', { class: 'span' }, showing(`and ${plural(others.length, 'more metric')} of the same cells`,
    others)));
  return [lead!, ...others];
}

/** Whole rows: so many, and the rest when asked for. */
function tableOf(others: Run[], rows: Row[], caption: string, most = Infinity): HTMLElement {
  const folds = foldedOf(rows);
  const elements = folds.map((fold) => foldElements(fold, rows));
  const rest = folds.length > most + 1 ? elements.slice(most).map(([lead]) => lead!) : [];
  rest.forEach((row) => (row.hidden = true));
  return h('div', {}, scroller(caption, h('table', {},
    h('caption', { class: 'unseen' }, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Metric'), ...others.map((r) => h('th', { scope: 'col', class: 'number' }, r.name)))),
    h('tbody', {}, elements.flat()))), rest.length > 0 && showing(`and ${rest.length} more`, rest));
}

/** "3 of 8 metrics differ, 1 is doubtful, 4 are undecided"; what is doubtful differs only where that cannot be relied on. */
function countedMetrics(entries: Entry[]): string {
  const count = (is: (b: Entry) => boolean) => entries.filter(is).length;
  const [differ, apart] = [count((b) => b.sound), count((b) => b.resolved.length > 0)];
  const are = (n: number, what: string) => (n > 0 ? [`${n} ${n === 1 ? 'is' : 'are'} ${what}`] : []);
  return [`${differ} of ${plural(entries.length, 'metric')} ${differ === 1 || entries.length === 1 ? 'differs' : 'differ'}`, ...are(apart - differ, 'doubtful'),
    ...are(entries.length - apart, 'undecided')].join(', ');
}

/** What differs most, in a sentence; what is to be said where nothing does. */
function mostOf(rows: Row[], at: number): string {
  const sound = rows.filter((r) => r.runs[at]?.sound);
  if (sound.length === 0)
    return rows.some((r) => r.runs[at] && r.runs[at].resolved.length > 0) ? '; where they differ, a value is unreliable or a run was disturbed'
      : rows.some((r) => r.runs[at]?.known) ? '' : '; no value is sure in both';
  return `; most in ${listed(foldedOf(sound).slice(0, 2).map(([r]) => {
    const { from, to, unit, ratio } = r!.runs[at]!;
    return `${metricTitle(r!.metric)} (${r!.experiment}, ${quantity(from, unit)} → ${quantity(to, unit)}, ${change(ratio, unit)})`;
  }))}`;
}

/** "here → there: 3 of 8 metrics differ, 5 are undecided; most in throughput (EXPERIMENT, 10 Mop/s → 14 Mop/s, +40 %)." */
function summaryOf(first: Run, run: Run, at: number, rows: Row[]): string {
  const entries = rows.map((r) => r.runs[at]).filter((b) => b !== null && b !== undefined);
  const same = run.beside?.sameMachine ? ', on the same machine' : '';
  return `${called(first)} → ${called(run)}${same}: ${countedMetrics(entries)}${mostOf(rows, at)}.`;
}

/** "Is here like there? No: 3 of 8 metrics differ" */
function questionOf(first: Run, others: Run[], rows: Row[]): string {
  if (others.length > 1) return `How the others differ from ${called(first)}`;
  const isKnown = rows.some((r) => r.runs.some((b) => b?.known));
  const answer = rows.some(isSound) ? 'No' : rows.some(isApart) ? 'That is not sure' : isKnown ? 'No difference is resolved' : 'Not known';
  return `Is ${called(first)} like ${called(others[0]!)}? ${answer}`;
}

/** "xeon (simulated) is computed from a model of 80 processors; here was measured on 2." Nothing where all are of one kind. */
function kindsOf(runs: Run[]): HTMLElement | null {
  const of = (run: Run) => (processorCount(run) > 0 ? processorCount(run) : 'an unknown number of');
  const [models, machines] = [runs.filter((r) => r.kind === 'simulated'), runs.filter((r) => r.kind !== 'simulated')];
  if (models.length === 0 || machines.length === 0) return null;
  return h('p', { class: 'kinds' }, `${listed(models.map((r) => `${r.name} is computed from a model of ${of(r)} processors`))}; ${
    listed(machines.map((r) => `${r.name} was measured on ${of(r)}`))}.`);
}

const fold = (summary: string, ...content: (HTMLElement | HTMLElement[])[]) => h('details', {}, h('summary', {}, summary), ...content);

const doubtfulFold = (others: Run[], rows: Row[]) => rows.length > 0 && fold(`Doubtful differences in ${plural(rows.length, 'metric')}`,
  tableOf(others, rows, 'Metrics whose difference is doubtful'));

/** What the program warns of, which is not about single cells. */
function warningsOf(runs: Run[]): HTMLElement | null {
  const all = runs.flatMap((run) => (run.beside?.warnings ?? []).map((w) => h('li', {}, runs.length > 1 ? `${run.name}: ${w}` : w)));
  return all.length === 0 ? null : fold('What else differs between the files', h('ul', { class: 'small' }, all));
}

const disturbanceOf = (runs: Run[]) => runs.filter((r) => r.beside && r.beside.disturbance !== '').map((r) =>
  h('p', { class: 'small disturbance' }, runs.length > 1 ? `${r.name}: ${r.beside!.disturbance}` : r.beside!.disturbance));

/** As many lines of the table as fit the first screen. */
const mostRows = 4;
const mostSummaries = 3;

const withoutCommon = (first: Run, others: Run[]): HTMLElement => h('section', { class: 'overview', 'aria-labelledby': 'overview' },
  h('h2', { id: 'overview' }, questionOf(first, others, [])), kindsOf([first, ...others]),
  h('p', { class: 'found' }, others.length > 1 ? `No other file has a value in common with ${called(first)} that can be compared.`
    : 'The two files have no value in common that can be compared.'),
  warningsOf(others));

/** Null where there is one run. */
export function overviewOf(runs: Run[]): HTMLElement | null {
  const [first, ...others] = runs;
  if (!first || others.length === 0) return null;
  const rows = rowsOf(first, others);
  if (rows.length === 0) return withoutCommon(first, others);
  const [sound, doubtful] = [rows.filter(isSound), rows.filter((r) => isApart(r) && !isSound(r))];
  const alike = rows.filter((r) => !isApart(r));
  return h('section', { class: 'overview', 'aria-labelledby': 'overview' },
    h('h2', { id: 'overview' }, questionOf(first, others, rows)),
    kindsOf(runs),
    others.slice(0, mostSummaries).map((run, at) => h('p', { class: 'found' }, summaryOf(first, run, at, rows))),
    others.length > mostSummaries && h('p', { class: 'small' }, `${plural(others.length - mostSummaries, 'more machine')} in the table.`),
    disturbanceOf(others),
    sound.length > 0 && tableOf(others, sound, `Metrics that differ from ${first.name}`, mostRows),
    doubtfulFold(others, doubtful),
    rows.length > alike.length && alike.length > 0 && fold(`No difference is resolved in ${plural(alike.length, 'further metric')}`,
      tableOf(others, alike, `Metrics that do not differ from ${first.name}`)),
    warningsOf(others),
    rows.length > alike.length && h('p', { class: 'small' }, 'Geometric means over the places at which “synchroscope compare” resolves a difference and both ',
      'values are reliable and undisturbed; in the folded rows, over those at which it resolves one. Below each: at how many places which verdict stands.'));
}
