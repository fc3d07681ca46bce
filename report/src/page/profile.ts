// The page of a profile: of each process its locks, those first that were waited for longest, and cycles of their order.

import { h, printable } from '../dom';
import { digits, fromTo, quantity, whole, withInterval } from '../numbers';
import {
  byWait, fewestWaits, fileText, hardlyWaited, nameOf, placeText, countOf, rowsOf, waitBuckets,
  type Lock, type Process, type Profile, type Step, type Times, type Verdict,
} from '../profile';
import { scroller } from './table';

/** So many locks of a process are shown apart; the others are in the table, or at least in the document. */
const mostShown = 100;
const mostRows = 1000;

const plural = (n: number, one: string) => `${whole(n)} ${n === 1 ? one : `${one}s`}`;
const time = (ns: number) => quantity(ns, 'ns');
/** Of an end of a bucket: 16 ns, not 16.0 ns. */
const edge = (ns: number) => time(ns).replace(/\.0+(?=\D)/, '');
/** Without the folder of the program. */
const shortly = (command: string) => command.replace(/^\S*\//, '');
const share = (part: number | null, whole: number) => (part === null || whole === 0 ? '' : `${digits((100 * part) / whole)}\u00a0%`);
const below = (t: Times) => (t.below_99_percent_ns === null ? '' : `<\u00a0${edge(t.below_99_percent_ns)}`);
const total = (t: Times) => withInterval(time(t.estimated_total_ns), t.interval_ns ? fromTo(time(t.interval_ns[0]), time(t.interval_ns[1])) : '');
const mean = (t: Times, n: number) => (n === 0 ? '' : time(t.sampled_ns / n));
const threadsOf = (l: Lock) => `${l.threads}${l.more_threads ? '+' : ''}`;
const lockId = (process: number, lock: number) => `lock-${process + 1}-${lock + 1}`;

/** Heading, what it means, and the entry of a lock. */
const columns: [string, string, (l: Lock) => string][] = [
  ['Acquired', 'estimated from the samples', (l) => whole(l.acquisitions)],
  ['Contended', 'a try did not get it at once', (l) => share(l.contended, l.samples)],
  ['Waited', 'all threads together, estimated', (l) => time(l.wait.estimated_total_ns) + (hardlyWaited(l) ? ' ?' : '')],
  ['99 % of waits', 'to within a factor of two', (l) => below(l.wait)],
  ['Held', 'the mean', (l) => mean(l.hold, l.hold.samples)],
  ['99 % of holds', 'to within a factor of two', (l) => below(l.hold)],
  ['Threads', 'that were seen with it', threadsOf],
  ['Handed on', 'the thread before was another', (l) => share(l.hand_offs, l.samples)],
  ['Across', 'to a processor that shares no last-level cache', (l) => share(l.hand_offs_between_domains, l.samples)],
  ['Condition waits', 'all, not samples', (l) => (l.condition_waits.count === 0 ? '' : whole(l.condition_waits.count))],
];

function tableOf(locks: Lock[], process: number): HTMLElement {
  const name = (l: Lock, i: number) => (i < mostShown ? h('a', { href: `#${lockId(process, i)}` }, nameOf(l)) : nameOf(l));
  return scroller('Locks', h('table', { class: 'locks' },
    h('caption', { class: 'unseen' }, 'Locks, those first that were waited for longest'),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Lock'),
      columns.map(([title, about]) => h('th', { scope: 'col', class: 'number', title: about }, title)))),
    h('tbody', {}, locks.slice(0, mostRows).map((l, i) => h('tr', {},
      h('th', { scope: 'row' }, name(l, i)), columns.map(([, , entry]) => h('td', { class: 'number' }, entry(l))))))));
}

const stack = (calls: Step['calls']) => (calls.length === 0 ? h('p', { class: 'small' }, 'unknown')
  : h('ol', { class: 'calls' }, calls.map((c) => h('li', {}, h('code', { title: fileText(c) }, placeText(c))))));

function bar(count: number, most: number, series: string): HTMLElement {
  const part = most === 0 ? 0 : count / most;
  return h('td', { class: 'bar' }, h('span', { class: `bar-fill ${series}`, style: `width: calc((100% - 5rem) * ${part.toFixed(4)})` }),
    h('span', { class: 'bar-count' }, count === 0 ? '' : whole(count)));
}

function distributions(l: Lock): HTMLElement {
  const rows = rowsOf(waitBuckets(l), l.hold.histogram);
  if (rows.length === 0) return h('p', { class: 'small' }, 'No wait or hold of it was measured.');
  const most = (of: 'waits' | 'holds') => Math.max(...rows.map((r) => r[of]));
  const [waits, holds] = [most('waits'), most('holds')];
  const span = (r: (typeof rows)[number]) => (r.to === null ? `${edge(r.from)} and longer` : `${edge(r.from)} to ${edge(r.to)}`);
  return h('table', { class: 'spans' },
    h('caption', { class: 'unseen' }, `Samples by how long waits and holds of ${nameOf(l)} lasted`),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'How long'), h('th', { scope: 'col' }, 'Waits'), h('th', { scope: 'col' }, 'Holds'))),
    h('tbody', {}, rows.map((r) => h('tr', {}, h('th', { scope: 'row' }, span(r)), bar(r.waits, waits, 'first'), bar(r.holds, holds, 'second')))));
}

const kinds: Record<string, string> = { mutex: 'A mutex', spinlock: 'A spin lock', rwlock: 'A readers-writers lock' };

function factsOf(l: Lock): [string, string][] {
  return [
    ['Acquired', `about ${plural(l.acquisitions, 'time')} (${plural(l.samples, 'sample')})`],
    ['Contended', `${share(l.contended, l.samples)} of the samples (${whole(l.contended)})`],
    ['Waited', `about ${total(l.wait)}, all threads together`
      + (l.contended === 0 ? '' : `; a contended acquisition ${time(l.wait.estimated_total_ns * l.samples / l.acquisitions / l.contended)}`)
      + (hardlyWaited(l) ? `; not sure: seen in ${plural(countOf(l.wait.histogram), 'sample')}` : '')],
    ['Held', l.hold.samples === 0 ? 'not measured' : `${mean(l.hold, l.hold.samples)} each, about ${total(l.hold)} together`],
    ['Threads', threadsOf(l)],
    ['Handed on', l.hand_offs === null ? 'not counted: several have it at a time'
      : `${whole(l.hand_offs)} samples (${share(l.hand_offs, l.samples)}) from another thread, `
        + `${whole(l.hand_offs_between_domains ?? 0)} of them from a processor that shares no last-level cache`],
    ['Condition waits', l.condition_waits.count === 0 ? 'none' : `${whole(l.condition_waits.count)}, ${time(l.condition_waits.total_ns)} together`],
  ];
}

function lockArticle(l: Lock, id: string): HTMLElement {
  const by = l.made_by === 'initialisation' ? 'initialised' : 'first used';
  return h('article', { class: 'lock', id },
    h('h4', {}, nameOf(l)),
    h('p', { class: 'small' }, `${kinds[l.kind] ?? printable(l.kind)} at ${`0x${l.address.toString(16)}`}, ${fileText(l.object)}`),
    h('table', { class: 'facts-sheet' }, h('tbody', {}, factsOf(l).map(([name, text]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, text))))),
    distributions(l),
    h('details', {}, h('summary', {}, `Where it was ${by}`), stack(l.made_at)));
}

function cycleItem(cycle: Step[]): HTMLElement {
  return h('li', { class: 'cycle' },
    h('p', {}, `A cycle of ${cycle.length} locks: threads in different parts of it can block each other for ever.`),
    cycle.map((s) => h('div', { class: 'step' },
      h('p', {}, 'With ', h('strong', {}, printable(s.held, 200)), ' held, ', h('strong', {}, printable(s.taken, 200)),
        ` was taken by thread ${s.thread} at`),
      stack(s.calls))));
}

const cyclesId = (process: number) => `cycles-${process + 1}`;

function cyclesOf(p: Process, place: number): HTMLElement | false {
  return p.cycles.length > 0 && h('section', { class: 'doubts cycles', id: cyclesId(place) }, h('h3', {}, 'Potential deadlocks: cycles in the order of locks'),
    h('ul', {}, p.cycles.map(cycleItem)));
}

function lossesOf(p: Process): string[] {
  const told: [number, string][] = [[p.lost.samples, 'samples of locks for which there was no room'], [p.lost.orders, 'orders of two locks'],
    [p.lost.spans, 'acquisitions of the trace'], [p.lost.children ?? 0, 'child processes']];
  return told.filter(([n]) => n > 0).map(([n, what]) => `${whole(n)} ${what}`);
}

interface ProfileSection {
  id: string;
  title: string;
  element: HTMLElement;
}

function processSection(p: Process, place: number): ProfileSection {
  const id = `process-${place + 1}`;
  const locks = byWait(p.locks);
  const lost = lossesOf(p);
  const end = p.seconds === null ? 'it did not end by itself' : quantity(p.seconds * 1e9, 'ns');
  const about = [`process ${p.pid}`, end, `${plural(p.threads, 'thread')} locked`];
  const rest = locks.length - mostShown;
  const element = h('section', { class: 'family', id },
    h('h2', {}, printable(shortly(p.program), 200)),
    h('p', { class: 'about' }, about.join(' · ')),
    lost.length > 0 && h('p', { class: 'remark' }, `Not kept: ${lost.join(', ')}.`),
    locks.length === 0 ? h('p', {}, 'No lock of this process was sampled.') : tableOf(locks, place),
    locks.slice(0, mostRows).some(hardlyWaited) && h('p', { class: 'small' },
      `“?”: waits were seen in fewer than ${fewestWaits} samples, so neither their total nor the lock’s place in the order is sure.`),
    cyclesOf(p, place),
    locks.length > 0 && h('h3', {}, 'Lock by lock'),
    locks.slice(0, mostShown).map((l, i) => lockArticle(l, lockId(place, i))),
    rest > 0 && h('p', { class: 'small' }, `${plural(rest, 'more lock')} ${rest === 1 ? 'is' : 'are'} in the JSON document.`));
  return { id, title: printable(shortly(p.program), 24), element };
}

/** The article of the lock that the verdict is about: the first of its name, if it has one. */
function linkTo(profile: Profile, { lock, pid }: Verdict): string | null {
  const process = profile.processes.findIndex((p) => p.pid === pid);
  if (lock === '' || process < 0) return null;
  const at = byWait(profile.processes[process]!.locks).findIndex((l) => l.name === lock);
  return at < 0 || at >= mostShown ? null : `#${lockId(process, at)}`;
}

const commandOf = ({ text, purpose }: Verdict['commands'][number]) =>
  h('li', {}, h('code', {}, printable(text, 1000)), h('span', { class: 'small' }, printable(purpose, 200)));

function verdictBox(profile: Profile, verdict: Verdict): HTMLElement {
  const link = linkTo(profile, verdict);
  const cycles = profile.processes.reduce((sum, p) => sum + p.cycles.length, 0);
  const first = profile.processes.findIndex((p) => p.cycles.length > 0);
  return h('section', { class: 'verdict', 'aria-labelledby': 'verdict' },
    h('h2', { id: 'verdict' }, verdict.doubts.length > 0 ? 'What to do, as far as can be told' : 'What to do'),
    h('p', { class: 'says' }, printable(verdict.finding, 600)),
    h('p', {}, printable(verdict.advice, 600), link !== null && [' ', h('a', { href: link }, 'Its figures')]),
    verdict.doubts.length > 0 && h('div', { class: 'doubts' }, h('h3', {}, 'This is not sure'),
      h('ul', {}, verdict.doubts.map((d) => h('li', {}, printable(d, 600))))),
    first >= 0 && h('p', { class: 'remark' }, `${plural(cycles, 'cycle')} in the order of its locks, ${cycles === 1 ? 'a' : 'each a'} potential deadlock: `,
      h('a', { href: `#${cyclesId(first)}` }, 'look there first'), '.'),
    h('ul', { class: 'commands' }, verdict.commands.map(commandOf)));
}

/** What stands on the page, and its sections for the navigation. */
export function profileContent(profile: Profile, verdict: Verdict): { title: string; head: HTMLElement; sections: ProfileSection[] } {
  const command = profile.command.join(' ');
  const title = printable(shortly(command), 200);
  const seen = profile.processes.some((p) => p.locks.length > 0);
  const served = profile.lock === 'native' ? 'its own' : printable(profile.lock);
  const head = h('header', { class: 'head', id: 'summary' },
    h('h1', {}, title),
    command !== title && h('p', { class: 'small' }, h('code', {}, printable(command, 1000))),
    h('p', { class: 'about' }, `Locks: ${served} · one acquisition in ${profile.every} was sampled`),
    verdictBox(profile, verdict),
    h('p', { class: 'lead' }, seen ? 'Locks that were waited for longest come first. Counts and totals are estimates from the samples; '
      + 'long waits and waits for conditions are counted all.' : 'No lock was sampled.'));
  return { title, head, sections: profile.processes.map(processSection) };
}
