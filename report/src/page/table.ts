// The table behind a chart: every value with its interval, and what is to be known of it.

import { h } from '../dom';
import { digits, fromTo, interval, quantity, scaleFor } from '../numbers';
import { doubtful, isFar, type Cell, type Coordinate, type Run } from '../data';
import { has, remarksOn } from '../charts/kit';
import { axesOf, valuesOf } from '../view';
import { axisTitle, membersWords, metricTitle, sentence, valueTitle } from '../words';

const most = 1500;

function ordered(cells: Cell[], axes: string[]): Cell[] {
  const ranks = axes.map((a) => new Map(valuesOf(cells, a).map((v, i) => [v, i])));
  return [...cells].sort((a, b) => {
    for (let i = 0; i < axes.length; ++i) {
      const difference = (ranks[i]!.get(a.at[axes[i]!]!) ?? -1) - (ranks[i]!.get(b.at[axes[i]!]!) ?? -1);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** A scrolling frame that the keyboard reaches. */
export const scroller = (label: string, content: HTMLElement) =>
  h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, content);

/** Of an overview: what a row of the table stands for. */
const blockOn = ({ block }: Cell): string => (block ? `the median of the pairs of ${membersWords(block.from)} to ${membersWords(block.to)}` : '');

export function tableOf(groups: { run: Run; cells: Cell[] }[], caption: string, without: string[] = []): HTMLElement {
  const all = groups.flatMap((g) => g.cells);
  const axes = axesOf(all).filter((a) => !without.includes(a) && valuesOf(all, a).length > 1);
  const metrics = new Set(all.map((c) => c.metric)).size > 1;
  const several = groups.length > 1;
  const rows = groups.flatMap(({ run, cells }) => ordered(cells, axes).map((c) => ({ run, c })));
  const cell = (c: Cell) => [
    h('td', { class: 'number' }, c.value === null ? '–' : quantity(c.value, c.unit)),
    h('td', { class: 'number' }, c.value === null || !c.ci ? '–' : interval(c.ci, c.unit) || quantity(c.value, c.unit)),
    h('td', { class: 'number' }, String(c.n)),
    h('td', { class: 'note' },
      [c.value === null ? (c.reason ?? (c.valid ? '' : 'its self-check failed')) : '', blockOn(c), ...remarksOn(c)].filter((t) => t).join('; ')),
  ];
  const table = h('table', {},
    h('caption', { class: 'unseen' }, caption),
    h('thead', {}, h('tr', {},
      several && h('th', { scope: 'col' }, 'Machine'),
      ...axes.map((a) => h('th', { scope: 'col' }, sentence(axisTitle(a)))),
      metrics && h('th', { scope: 'col' }, 'What'),
      ...['Value', '95 % interval', 'Repetitions', 'Remarks'].map((t) => h('th', { scope: 'col' }, t)))),
    h('tbody', {}, rows.slice(0, most).map(({ run, c }) => h('tr', {},
      several && h('td', {}, run.name),
      ...axes.map((a) => h('td', {}, c.at[a] === undefined ? '' : valueTitle(a, c.at[a]!))),
      metrics && h('td', {}, metricTitle(c.metric)),
      ...cell(c)))));
  const rest = rows.length - most;
  return h('div', {}, scroller(`${caption}: all values`, table), rest > 0 && h('p', { class: 'small' }, `${rest} further rows are in the CSV.`));
}

interface Column {
  run: Run;
  cells: Cell[];
  value: string | number | null;
}

/** The calls of the operating systems are spelt in more than one way. */
const sameName = (axis: string, value: Coordinate) => (axis === 'call' ? String(value).toLowerCase().replace(/[^a-z0-9]/g, '') : value);

/** Cycles without a unit, which the caption says; what was printed as a whole number stays one. */
function shownIn(c: Cell & { value: number }, run: Run): string {
  if (c.unit !== 'cycle') return quantity(c.value, c.unit);
  return run.kind === 'published' ? String(c.value) : digits(c.value);
}

/** "?" at a doubtful number, "far" at one that was measured while the processors were far from each other. */
const marksOn = (c: Cell): string => `${doubtful(c) ? '\u00a0?' : ''}${isFar(c) ? '\u00a0far' : ''}`;

/** The interval below a number; a published one has none, and one whose ends are printed alike says nothing. */
function spanOf(c: Cell): HTMLElement | null {
  const text = !c.ci ? '' : c.unit === 'cycle' ? fromTo(digits(c.ci[0]), digits(c.ci[1])) : interval(c.ci, c.unit);
  return text === '' ? null : h('small', { class: 'span' }, text.replace(' to ', '–'));
}

/** Whether a published number is about that place: it may have fewer axes. */
const speaksOf = (published: Cell, c: Cell, rows: string[]) => rows.every((a) => published.at[a] === undefined
  || sameName(a, published.at[a]!) === sameName(a, c.at[a] ?? ''));

/** A cell for each row, in the paper's order. What the paper's table does not have is in the charts. */
function rowsOf(groups: { cells: Cell[] }[], published: { cells: Cell[] }[], rows: string[], key: (c: Cell) => string): Cell[] {
  const paper = published.flatMap((g) => g.cells.filter(has));
  const inPaper = (c: Cell) => published.length === 0 || paper.some((p) => speaksOf(p, c, rows));
  const found = new Map<string, Cell>();
  for (const c of ordered([...published, ...groups].flatMap((g) => g.cells), rows))
    if (has(c) && inPaper(c) && !found.has(key(c))) found.set(key(c), c);
  // A published number needs no row of its own where there are more exact ones.
  return [...found.values()].filter((c) => rows.every((a) => c.at[a] !== undefined) || ![...found.values()].some((o) => o !== c && speaksOf(c, o, rows)));
}

/** A published or own number in its field. */
const numberIn = (c: Cell | undefined, run: Run): HTMLElement =>
  h('td', { class: `number${run.kind === 'published' ? ' published' : ''}${c && doubtful(c) ? ' doubtful' : ''}`, title: c
    ? [...remarksOn(c), c.value === null ? (c.reason ?? '') : ''].filter((t) => t).join('; ') : null },
    c && has(c) ? [shownIn(c, run), marksOn(c), spanOf(c)] : null);

/** Those that are so before the others; all are where none is. */
function parted(keys: string[], isFirst: (k: string) => boolean): [string[], string[]] {
  const first = keys.filter(isFirst);
  return first.length === 0 ? [keys, []] : [first, keys.filter((k) => !first.includes(k))];
}

/** Rows that come into the table when they are asked for. */
function folded(table: HTMLElement, rows: HTMLElement, count: number): HTMLElement {
  const line = h('p', {}, h('button', { type: 'button', class: 'text', click: () => {
    table.append(rows);
    line.remove();
  } }, `Show ${count === 1 ? 'the row of the paper that has' : `the ${count} rows of the paper that have`} no value here`));
  return line;
}

/** Rows and columns as the paper has them: this machine's columns first, then the published ones. */
export function paperTable(groups: { run: Run; cells: Cell[] }[], published: { run: Run; cells: Cell[] }[], rows: string[], column: string,
  title: string): HTMLElement {
  const key = (c: Cell) => JSON.stringify(rows.map((a) => sameName(a, c.at[a] ?? '')));
  const names = new Map<string, Coordinate>();
  const all = [...groups, ...published];
  const places = rowsOf(groups, published, rows, key);
  const keys = places.map(key);
  for (const c of all.flatMap((g) => g.cells)) for (const a of rows) names.set(String(sameName(a, c.at[a] ?? '')), c.at[a] ?? '');
  const columns: Column[] = all.flatMap(({ run, cells }) => {
    const values = column ? valuesOf(cells.filter(has), column) : [null];
    return values.map((value) => ({ run, value, cells: value === null ? cells : cells.filter((c) => c.at[column] === value) }));
  });
  const runs = all.map((g) => g.run).map((run) => ({ run, span: columns.filter((c) => c.run === run).length })).filter((r) => r.span > 0);
  const cellOf = (col: Column, k: string): Cell | undefined => {
    const own = (x: Cell) => key(x) === k;
    return col.cells.find((x) => own(x) && has(x)) ?? col.cells.find(own) ?? col.cells.find((x) =>
      places.findIndex((p) => speaksOf(x, p, rows)) === keys.indexOf(k) && !keys.includes(key(x)));
  };
  const bodyOf = (some: string[]) => some.map((k, i) => {
    const place = JSON.parse(k) as (string | number)[];
    const before = i > 0 ? (JSON.parse(some[i - 1]!) as (string | number)[]) : [];
    return h('tr', { class: place[0] !== before[0] && rows.length > 1 ? 'group' : null },
      ...place.map((v, a) => (v === '' ? h('td') : h('th', { scope: 'row', class: a === 0 && v === before[0] ? 'again' : null },
        valueTitle(rows[a]!, names.get(String(v)) ?? v)))),
      ...columns.map((col) => numberIn(cellOf(col, k), col.run)));
  });
  const isMeasured = (k: string) => columns.some((col) => col.run.kind !== 'published' && (cellOf(col, k)?.value ?? null) !== null);
  const [first, rest] = parted(keys, isMeasured);
  const table = h('table', { class: 'paper' },
    h('caption', { class: 'unseen' }, 'Here and in the paper'),
    h('thead', {},
      h('tr', {}, ...rows.map((a) => h('th', { scope: 'col', rowspan: column ? 2 : 1 }, sentence(axisTitle(a).replace(/ (of|at) .*$/, '')))),
        ...runs.map((r) => h('th', { scope: 'colgroup', colspan: r.span, class: 'machine' }, r.run.name))),
      column ? h('tr', {}, ...columns.map((c) => h('th', { scope: 'col', class: 'number' }, c.value === null ? '' : valueTitle(column, c.value)))) : null),
    h('tbody', {}, bodyOf(first)));
  return h('div', {}, scroller(`${title}: here and in the paper`, table), rest.length > 0 && folded(table, h('tbody', {}, bodyOf(rest)), rest.length));
}

export { scaleFor };
