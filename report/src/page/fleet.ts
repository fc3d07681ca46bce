// The page of a fleet: who differs, in what, and what that was judged by.

import { h, printable } from '../dom';
import { byHowMuch, placeOn, stripOf, ticksFor, type Deviation, type Fleet, type Group, type Host } from '../fleet';
import { fromTo, quantity, whole } from '../numbers';
import { listed } from '../words';
import { scroller } from './table';

/** So many hosts have an article of their own, and so many rows a table has. */
const mostHosts = 100;
const mostRows = 500;

const plural = (n: number, one: string) => `${whole(n)} ${n === 1 ? one : `${one}s`}`;
const hostId = (group: number, host: number) => `host-${group + 1}-${host + 1}`;

interface FleetSection {
  id: string;
  title: string;
  element: HTMLElement;
}

const section = (id: string, title: string, ...content: (HTMLElement | false | null | HTMLElement[])[]): FleetSection =>
  ({ id, title, element: h('section', { class: 'family', id }, h('h2', {}, title), ...content) });

const placeText = (d: Deviation) => Object.entries(d.at ?? {}).map(([axis, value]) => `${axis} ${printable(String(value), 40)}`).join(', ');

const subjects: Record<Deviation['of'], string> = {
  everything: 'Everything', experiment: 'All cells', scatter: 'Scatter of its repetitions', change: 'Change since its first file', cell: '',
};

interface ColumnTitle {
  text: string;
  number?: boolean;
}

/**
 * Each row begins with the header of its row. On a narrow screen rows stand below each other, each value behind its column's title
 * (style.css); what is no box of a table is none for some readers of the screen either, so everything says what it is.
 */
function stackedTable(label: string, titles: ColumnTitle[], rows: HTMLElement[][], kind = ''): HTMLElement {
  const cell = (element: HTMLElement, i: number) => {
    element.setAttribute('role', i === 0 ? 'rowheader' : 'cell');
    element.setAttribute('data-column', titles[i]!.text);
    return element;
  };
  return scroller(label, h('table', { class: `stacked ${kind}`.trim(), role: 'table' }, h('caption', { class: 'unseen' }, label),
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, titles.map((t) =>
      h('th', { scope: 'col', role: 'columnheader', class: t.number ? 'number' : null }, t.text)))),
    h('tbody', { role: 'rowgroup' }, rows.map((r) => h('tr', { role: 'row' }, r.map(cell))))));
}

function deviationRow(d: Deviation): HTMLElement[] {
  const cell = d.of === 'cell';
  const neither = d.better === 'neither';
  const by = d.of === 'scatter' ? byHowMuch(d.worse, 'more', 'less') : neither ? byHowMuch(d.worse, 'higher', 'lower') : byHowMuch(d.worse);
  return [
    h('th', { scope: 'row' }, printable(d.experiment ?? (cell ? '' : 'All experiments'))),
    h('td', {}, cell ? `${printable(d.metric ?? '')}: ${placeText(d)}` : subjects[d.of]),
    h('td', { class: `number${neither ? '' : d.worse > 0 ? ' worse' : ' better'}` }, by),
    h('td', { class: 'number' }, cell ? quantity(d.value!, d.unit!) : ''),
    h('td', { class: 'number' }, cell ? quantity(d.usual!, d.unit!) : ''),
    h('td', { class: 'number' }, whole(d.peers))];
}

function deviationTable(host: Host): HTMLElement {
  const all = host.deviations ?? [];
  const rest = all.length - mostRows;
  const titles = ['Experiment', 'In', 'By', 'Value', 'Usual', 'Compared with'].map((text, i) => ({ text, number: i > 1 }));
  return h('div', {}, stackedTable(`What ${printable(host.name, 60)} differs in`, titles, all.slice(0, mostRows).map(deviationRow), 'deviations'),
    rest > 0 && h('p', { class: 'small' }, `${plural(rest, 'further row')} in the JSON.`));
}

function hostArticle(host: Host, id: string): HTMLElement {
  return h('article', { class: 'lock', id },
    h('h3', {}, printable(host.name, 80)),
    h('p', {}, `${printable(host.sentence ?? '', 1000)}.`.replace(/^./, (c) => c.toUpperCase())),
    h('p', { class: 'small' }, [printable(host.file, 200), printable(host.started, 40), !host.complete && 'stopped early',
      host.left_out > 0 && `${plural(host.left_out, 'cell')} left out: its processors were at another distance`].filter((t) => t).join(' · ')),
    deviationTable(host));
}

const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
const mark = (place: number, what: string, title?: string) => h('span', { class: what, style: `left: ${percent(place)}`, title });
const span = (from: number, to: number, what: string) =>
  h('span', { class: what, style: `left: ${percent(from)}; width: ${percent(Math.max(0.002, to - from))}` });

/** One row: half of the hosts, nine of ten, each of the others, and those that are called. */
function strip(title: string, values: (number | null)[], group: Group, largest: number): HTMLElement {
  const known = values.flatMap((v, i) => (v === null ? [] : [{ v, host: group.hosts[i]! }]));
  const { half, most } = stripOf(known.map((k) => k.v));
  const at = (v: number) => placeOn(v, largest);
  const outside = known.filter((k) => !k.host.called && (k.v < most[0] || k.v > most[1]));
  const called = known.filter((k) => k.host.called);
  const [best, worst] = [byHowMuch(half[0]), byHowMuch(half[1])];
  const words = `${title}: half of ${plural(known.length, 'host')} ${fromTo(best, worst) ? `from ${fromTo(best, worst)}` : best}`
    + (called.length > 0 ? `; ${called.slice(0, 20).map((k) => `${printable(k.host.name, 40)} ${byHowMuch(k.v)}`).join(', ')}` : '');
  return h('div', { class: 'strip' }, h('span', { class: 'strip-name' }, title),
    h('div', { class: 'track', role: 'img', 'aria-label': words },
      ticksFor(largest).flatMap(([by]) => [mark(at(-by), 'tick'), mark(at(by), 'tick')]), mark(0.5, 'tick middle'),
      span(at(most[0]), at(most[1]), 'most'), span(at(half[0]), at(half[1]), 'half'),
      outside.map((k) => mark(at(k.v), 'dot')),
      called.map((k) => mark(at(k.v), 'dot called', `${printable(k.host.name, 60)}: ${byHowMuch(k.v)}`))));
}

function strips(group: Group): HTMLElement | false {
  const rows = group.columns;
  if (rows.length === 0) return false;
  const largest = Math.max(0.1, ...rows.flatMap((c) => c.worse.map((v) => Math.abs(v ?? 0))));
  const marks = ticksFor(largest);
  return h('div', { class: 'strips' },
    h('p', { class: 'small strips-key' }, [['half', 'half of the hosts'], ['most', 'nine of ten'], ['dot', 'each of the others'], ['dot called', 'called']]
      .map(([mark, words]) => h('span', { class: 'entry' }, h('span', { class: `key ${mark!}` }), ` ${words!}`))),
    rows.map((c) => strip(c.experiment === null ? 'Everything' : printable(c.experiment), c.worse, group, largest)),
    h('div', { class: 'strip axis', 'aria-hidden': true }, h('span', { class: 'strip-name' }), h('div', { class: 'track' },
      marks.filter((_, i) => i % 2 === 0 || marks.length < 4).flatMap(([by, text]) =>
        [-by, by].map((v) => h('span', { class: 'tick-text', style: `left: ${percent(placeOn(v, largest))}` }, text))))),
    h('div', { class: 'strip axis', 'aria-hidden': true }, h('span', { class: 'strip-name' }),
      h('div', { class: 'sides' }, h('span', {}, '← better'), h('span', {}, 'worse →'))));
}

function groupSection(group: Group, place: number): FleetSection {
  const title = printable(group.name, 120);
  const called = group.hosts.filter((one) => one.called).length;
  const judged = group.judged ? `, compared with each other in ${plural(group.cells, 'cell')} · ${whole(called)} called` : '';
  return section(`group-${place + 1}`, title,
    h('p', { class: 'about' }, `${plural(group.hosts.length, 'host')}${judged}`),
    group.remark !== '' ? h('p', { class: 'remark' }, `${printable(group.remark, 400)}.`) : null,
    strips(group) || null,
    !group.judged && h('p', { class: 'small' }, listed(group.hosts.slice(0, 20).map((one) => printable(one.name, 60)))));
}

function factsSection(fleet: Fleet): FleetSection {
  return section('facts', 'Facts of few hosts',
    h('p', { class: 'lead' }, 'Facts in which few hosts differ from most of their kind, whether or not the measurements show it.'),
    stackedTable('Facts of few hosts', ['Fact', 'Value', 'Usual', 'Hosts'].map((text) => ({ text })), fleet.facts.slice(0, mostRows).map((f) => [
      h('th', { scope: 'row' }, printable(f.name)), h('td', {}, printable(f.value, 200)), h('td', {}, printable(f.usual, 200)),
      h('td', {}, printable(listed(f.hosts.slice(0, 20)), 800), f.hosts.length > 20 && ` and ${f.hosts.length - 20} more`)])));
}

function historySection(fleet: Fleet): FleetSection {
  const experiments = [...new Set(fleet.histories.flatMap((one) => Object.keys(one.worse)))];
  return section('history', 'What has changed',
    h('p', { class: 'lead' }, 'For hosts with several files: the newest beside the oldest, as the median of each experiment’s cells.'),
    stackedTable('What has changed', [...['Host', 'From', 'To'].map((text) => ({ text })),
      ...experiments.map((e) => ({ text: printable(e), number: true }))], fleet.histories.slice(0, mostRows).map((one) => [
      h('th', { scope: 'row' }, printable(one.name, 60)), h('td', {}, printable(one.from.slice(0, 10))), h('td', {}, printable(one.to.slice(0, 10))),
      ...experiments.map((e) => h('td', { class: 'number' }, Object.hasOwn(one.worse, e) ? byHowMuch(one.worse[e]!) : ''))])));
}

const refusedSection = (fleet: Fleet): FleetSection => section('refused', 'Files that are not shown',
  h('ul', {}, fleet.refused.slice(0, mostRows).map((r) => h('li', {}, `${printable(r.why, 500)}.`))));

function verdictBox(fleet: Fleet): HTMLElement {
  const n = fleet.called.length;
  const judged = fleet.groups.some((g) => g.judged);
  const says = !judged ? 'There are too few alike hosts to call one ill.'
    : n === 0 ? 'No host differs from the others of its kind by more than chance explains.'
    : `${plural(n, 'host')} ${n === 1 ? 'differs from the others of its' : 'differ from the others of their'} kind.`;
  const entry = ([g, i]: [number, number], place: number) => {
    const host = fleet.groups[g]!.hosts[i]!;
    const name = printable(host.name, 80);
    return h('li', {}, place < mostHosts ? h('a', { href: `#${hostId(g, i)}` }, name) : name, `: ${printable(host.sentence ?? '', 600)}.`);
  };
  return h('section', { class: 'verdict', 'aria-labelledby': 'verdict' },
    h('h2', { id: 'verdict' }, 'Which hosts differ, and in what'),
    h('p', { class: 'says' }, says),
    fleet.causes.length > 0 && h('ul', {}, fleet.causes.map((c) => h('li', {}, `${printable(c, 500)}.`))),
    h('ol', { class: 'called-hosts' }, fleet.called.slice(0, mostRows).map(entry)),
    n > mostRows && h('p', { class: 'small' }, `${plural(n - mostRows, 'more host')} in the JSON.`),
    h('p', { class: 'small' }, printable(fleet.bound, 600)));
}

/** What stands on the page, and its sections for the navigation. */
export function fleetContent(fleet: Fleet): { title: string; head: HTMLElement; sections: FleetSection[] } {
  const title = `Fleet of ${plural(fleet.hosts, 'host')}`;
  const head = h('header', { class: 'head', id: 'summary' }, h('h1', {}, title),
    h('p', { class: 'about' }, `${plural(fleet.files, 'file')} · ${plural(fleet.groups.length, 'kind')} of hosts`
      + (fleet.refused.length > 0 ? ` · ${plural(fleet.refused.length, 'file')} not shown` : '')), verdictBox(fleet));
  const articles = fleet.called.slice(0, mostHosts).map(([g, i]) => hostArticle(fleet.groups[g]!.hosts[i]!, hostId(g, i)));
  return { title, head, sections: [...fleet.groups.slice(0, mostHosts).map(groupSection),
    ...(articles.length > 0 ? [section('hosts', 'Host by host', articles)] : []),
    ...(fleet.facts.length > 0 ? [factsSection(fleet)] : []),
    ...(fleet.histories.length > 0 ? [historySection(fleet)] : []),
    ...(fleet.refused.length > 0 ? [refusedSection(fleet)] : [])] };
}
