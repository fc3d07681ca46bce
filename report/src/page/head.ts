// The first screen: which machine, what matters, what is doubtful.

import type { Card } from '../card';
import { h, printable, slug } from '../dom';
import { doubtsOf, resumption, sharedDoubts, unreliableIn, withoutFacts } from '../doubts';
import { save } from '../download';
import { pngOf } from '../picture';
import { called, textOf, type Run, type Warning } from '../data';
import type { Input } from '../reading';
import { listed, plural, sentence } from '../words';
import { aboutRun } from './machine';
import { overviewOf } from './overview';

const plainWarnings: Record<string, string> = {
  virtual_machine: 'This is a virtual machine',
  load: 'Other programs were running',
  modes: 'The processors moved during the run',
  energy: 'Energy is unknown',
  not_finite: 'Some facts are missing',
  simulated: 'These numbers are computed from a model',
};

interface SharedWarning extends Warning {
  runs: { run: Run; evidence: unknown }[];
}

/** Each warning once, with what every run has of it. */
function sharedWarnings(runs: Run[]): SharedWarning[] {
  const all = new Map<string, SharedWarning>();
  for (const run of runs)
    for (const w of run.warnings) {
      const key = JSON.stringify([w.id, w.advice]);
      const shared = all.get(key) ?? { ...w, runs: [] };
      shared.runs.push({ run, evidence: w.evidence });
      all.set(key, shared);
    }
  return [...all.values()];
}

/** " (all 10)", " (first and second)", " (3 of 10)": which of the runs of a report. No bracket stands in another. */
function whose(some: Run[], all: Run[]): string {
  if (all.length === 1) return '';
  if (some.length === all.length) return ` (all ${all.length})`;
  const names = listed(some.map((r) => r.name));
  if (some.length < 3) return names.includes('(') ? `: ${names}` : ` (${names})`;
  return ` (${some.length} of ${all.length})`;
}

const box = (id: string, items: HTMLElement[]) => h('section', { class: 'doubts', 'aria-labelledby': id },
  h('h2', { id }, 'What is doubtful'), h('ul', {}, items));

const folded = (summary: string, ...content: (HTMLElement | HTMLElement[] | null)[]) =>
  h('li', { class: 'folded' }, h('details', {}, h('summary', {}, summary), ...content.flat()));

/** One box for all runs: ten machines do not say the same ten times. */
function doubtBox(runs: Run[]): HTMLElement | null {
  const doubts = runs.length === 1 ? doubtsOf(runs[0]!).map((d) => h('li', {}, d)) : sharedDoubts(runs).map(({ text, runs: told }) =>
    folded(`${text.replace(/\.$/, '')}${whose(told.map((t) => t.run), runs)}`, h('p', {}, `${told.map(({ run, own }) =>
      (own === '' ? run.name : `${run.name}: ${own}`)).join('; ')}.`)));
  const warnings = sharedWarnings(runs).map((w) => folded(`${plainWarnings[w.id] ?? w.id.replace(/_/g, ' ')}${whose(w.runs.map((r) => r.run), runs)}`,
    h('p', {}, w.advice), w.runs.map((r) => evidence(r.evidence, runs.length > 1 ? r.run.name : '')).filter((e) => e !== null)));
  const command = runs.length === 1 ? resumption(runs[0]!) : null;
  const onwards = command === null ? [] : [h('li', {}, 'To go on with the run: ', h('code', {}, printable(command, 400)))];
  return doubts.length + warnings.length === 0 ? null : box('doubts', [...doubts, ...onwards, ...warnings]);
}

function evidence(e: unknown, of: string): HTMLElement | null {
  const text = e === undefined || e === null ? '' : JSON.stringify(e);
  return text === '' || text === '{}' ? null : h('p', { class: 'small' }, of === '' ? 'Evidence: ' : `Evidence of ${of}: `,
    h('code', {}, text.length > 600 ? `${text.slice(0, 600)}…` : text));
}

function factList(run: Run): HTMLElement | null {
  if (run.headlines.length === 0) return null;
  return h('ul', { class: 'facts' }, run.headlines.map((f) => h('li', {},
    h('a', { href: `#${slug(f.target)}` }, h('span', { class: 'figure-number' }, f.figure), ' ', h('span', { class: 'fact-text' }, `${f.text}.`), ' ',
      h('span', { class: 'fact-detail' }, f.detail)))));
}

/** The picture of the machine to send on, and the words that go with it. */
function sending(run: Run, cardOf: (run: Run) => Card): HTMLElement {
  const said = h('span', { class: 'said', role: 'status' });
  const words = h('pre', { hidden: true, tabindex: 0, role: 'region', 'aria-label': `Caption for ${run.name}` });
  const button = (text: string, what: string, act: () => void) => h('button', { type: 'button', class: 'text', title: what, click: act }, text);
  const copy = async () => {
    const { caption } = cardOf(run);
    try {
      await navigator.clipboard.writeText(caption);
      said.textContent = 'The caption is in the clipboard.';
    } catch {
      words.textContent = caption;
      words.hidden = false;
      said.textContent = 'This browser does not let a page copy: the caption is below.';
    }
  };
  const keep = async () => {
    const { picture, name } = cardOf(run);
    save(`${name}.png`, await pngOf(picture, 1), 'image/png');
  };
  return h('div', { class: 'sending' }, h('p', { class: 'downloads small' }, 'To send on: ',
    button('Picture', 'The machine on one card of 1200 by 630: its map and what is sure', () => void keep()), ' ',
    button('Copy the caption', 'The same in words, to paste below the picture', () => void copy()), said), words);
}

function runHead(run: Run, several: boolean, cardOf: (run: Run) => Card): HTMLElement {
  const facts = factList(run);
  return h('article', { class: 'run' },
    h(several ? 'h2' : 'h1', {}, run.name),
    h('p', { class: 'about' }, aboutRun(run).join(' · ')),
    !several && [...answersOf([run]), ...noticesOf([run])],
    facts ?? h('p', { class: 'lead' }, withoutFacts(run)), run.cells.length > 0 && sending(run, cardOf));
}

/** "Test CPU beside published numbers of 11 other machines and systems", "before beside after: 2 runs of one machine" */
function severalTitle(runs: Run[]): string {
  const own = runs.filter((r) => r.kind !== 'published');
  const published = runs.length - own.length;
  const names = own.length > 1 ? namesOf(own) : (own[0]?.name ?? '');
  if (published === 0) return names;
  const others = `published numbers of ${published} ${own.length > 0 ? 'other ' : ''}machines and systems`;
  return names === '' ? sentence(others) : `${names} beside ${others}`;
}

/** More are counted in the title, and named below it. */
const mostNamed = 3;

/** Which runs stand beside each other: of one machine, of several, or of machines and models, which is said of each. */
function namesOf(own: Run[]): string {
  const models = own.filter((r) => r.kind === 'simulated').length;
  const oneMachine = own.slice(1).every((r) => r.beside?.sameMachine);
  if (oneMachine && own.every((r) => r.moment !== ''))
    return `${own.length} runs of ${textOf(own[0]!.machine, 'model_name') ?? 'one machine'}: ${listed(own.map((r) => r.moment))}`;
  const mixed = models > 0 && models < own.length;
  const kindOf = (r: Run) => (mixed && r.kind !== 'simulated' ? ' (measured)' : '');
  const named = own.length > mostNamed ? '' : own.map((r) => r.name + kindOf(r)).join(' beside ');
  if (oneMachine) return named === '' ? `${own.length} runs of one machine` : `${named}: ${own.length} runs of one machine`;
  return named === '' ? `${own.length} machines side by side${mixed ? `, ${models} of them simulated` : ''}` : named;
}

/** Why no lock can be chosen by these runs, and what measures it: each reason once. */
function missingLocksOf(runs: Run[]): HTMLElement[] {
  const lacking = runs.filter((r) => r.missingLocks !== null);
  return [...new Set(lacking.map((r) => r.missingLocks!.why))].map((why) => {
    const of = lacking.filter((r) => r.missingLocks!.why === why);
    const whose = runs.length === 1 ? 'this run' : of.length === runs.length ? 'these runs' : listed(of.map(called));
    const { command } = of[0]!.missingLocks!;
    return h('p', { class: 'notice' }, h('strong', {}, 'Not known'), ` from ${whose}: which lock to take where several threads want it; ${why}.`,
      command !== '' && [' To measure: ', h('code', {}, command)]);
  });
}

/** On the first screen, in a line each: how much is unreliable, where not all is, which stands in place of the facts; and that no lock
 * can be chosen by these numbers. */
function noticesOf(runs: Run[]): HTMLElement[] {
  const some = runs.filter((r) => r.nothingSure === null)
    .flatMap((r) => unreliableIn(r).map((values) => (runs.length === 1 ? values : `${values} of ${called(r)}`)));
  const unreliable = () => h('p', { class: 'notice' }, `Unreliable: ${listed(some)} (`, h('a', { href: '#doubts' }, 'what is doubtful'), ').');
  return [...(some.length > 0 ? [unreliable()] : []), ...missingLocksOf(runs)];
}

/** Of more runs the lines would fill the first screen: the others are folded. */
const mostAnswers = 4;

/** "Take mcs where 2 threads want it: it passes to another thread every 100 ns" */
const answerOf = (run: Run, several: boolean) => run.choices.map(({ lock, where, because, address }) => h('p', { class: 'answer' },
  several ? `By ${called(run)} take ` : 'Take ', h('a', { href: address }, h('strong', {}, lock)), ` ${where}: ${because}.`));

/** Which lock to take, as far as it is sure. */
function answersOf(runs: Run[]): HTMLElement[] {
  const all = runs.filter((run) => run.choices.length > 0).map((run) => answerOf(run, runs.length > 1));
  const rest = all.slice(mostAnswers);
  return [...all.slice(0, mostAnswers).flat(), ...(rest.length === 0 ? []
    : [h('details', {}, h('summary', {}, `Which lock to take by ${plural(rest.length, 'more machine')}`), rest.flat())])];
}

/** Published numbers have no facts of their own: they are named, and stand in the figures. */
const publishedLine = (runs: Run[]) => runs.length > 0 && h('p', { class: 'about published-runs' },
  `As published, in the figures below: ${listed(runs.map((r) => r.name))}.`);

export function head(input: Input, cardOf: (run: Run) => Card): HTMLElement {
  const several = input.runs.length > 1;
  const own = input.runs.filter((r) => r.kind !== 'published');
  return h('header', { class: 'head', id: 'summary' },
    several && h('h1', {}, severalTitle(input.runs)),
    publishedLine(input.runs.filter((r) => r.kind === 'published')),
    several && [...answersOf(own), ...noticesOf(own)],
    overviewOf(own),
    h('div', { class: own.length > 1 ? 'runs several' : 'runs' }, own.map((r) => runHead(r, several, cardOf))),
    own.length > 0 && doubtBox(own),
    input.remarks.map((r) => h('p', { class: 'remark' }, r)));
}
