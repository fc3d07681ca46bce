// The first screen: which machine, what matters, what is doubtful.

import { h, slug } from '../dom';
import { doubtsOf } from '../doubts';
import { sure, type Input, type Run } from '../reading';
import { sentence } from '../words';
import { aboutRun } from './machine';

const plainWarnings: Record<string, string> = {
  virtual_machine: 'This is a virtual machine',
  load: 'Other programs were running',
  modes: 'The processors moved during the run',
  energy: 'Energy is unknown',
  not_finite: 'Some facts are missing',
  simulated: 'These numbers are computed from a model',
};

function warningsOf(run: Run): HTMLElement | null {
  const doubts = doubtsOf(run);
  if (doubts.length + run.warnings.length === 0) return null;
  const label = `doubts-${slug(run.name)}`;
  return h('section', { class: 'doubts', 'aria-labelledby': label },
    h('h3', { id: label }, 'What is doubtful'),
    h('ul', {},
      doubts.map((d) => h('li', {}, d)),
      run.warnings.map((w) => h('li', {},
        h('details', {}, h('summary', {}, plainWarnings[w.id] ?? w.id.replace(/_/g, ' ')),
          h('p', {}, w.advice), evidence(w.evidence))))));
}

function evidence(e: unknown): HTMLElement | null {
  const text = e === undefined || e === null ? '' : JSON.stringify(e);
  return text === '' || text === '{}' ? null : h('p', { class: 'small' }, 'Evidence: ', h('code', {}, text.length > 600 ? `${text.slice(0, 600)}…` : text));
}

function factList(run: Run): HTMLElement | null {
  if (run.headlines.length === 0) return null;
  return h('ul', { class: 'facts' }, run.headlines.map((f) => h('li', {},
    h('a', { href: `#${slug(f.target)}` }, h('span', { class: 'figure-number' }, f.figure), ' ', h('span', { class: 'fact-text' }, `${f.text}.`), ' ',
      h('span', { class: 'fact-detail' }, f.detail)))));
}

/** Why no fact is told: nothing there, nothing sure, or nothing that has a sentence. */
function withoutFacts(run: Run): string {
  if (run.cells.length === 0) return 'This run is empty: nothing was measured.';
  if (run.cells.some(sure)) return 'The figures below show what this run holds.';
  return 'No number of this run is precise enough for a summary. The charts below show what there is.';
}

function runHead(run: Run, several: boolean): HTMLElement {
  const facts = factList(run);
  return h('article', { class: 'run' },
    h(several ? 'h2' : 'h1', {}, run.name),
    h('p', { class: 'about' }, aboutRun(run).join(' · ')),
    facts ?? (run.kind !== 'published' && h('p', { class: 'lead' }, withoutFacts(run))),
    warningsOf(run));
}

/** "Test CPU beside published numbers of 11 other machines and systems", "2 runs of one machine side by side" */
function severalTitle(runs: Run[]): string {
  const own = runs.filter((r) => r.kind !== 'published');
  const published = runs.length - own.length;
  const names = own.length > 1 ? `${own.length} ${sameMachine(own) ? 'runs of one machine' : 'machines'}` : (own[0]?.name ?? '');
  if (published === 0) return `${names} side by side`;
  const others = `published numbers of ${published} ${own.length > 0 ? 'other ' : ''}machines and systems`;
  return names === '' ? sentence(others) : `${names} beside ${others}`;
}

/** As far as their names tell. */
const sameMachine = (runs: Run[]) => runs.every((r) => r.kind === 'hardware' && r.machine.model_name === runs[0]!.machine.model_name);

export function head(input: Input): HTMLElement {
  const several = input.runs.length > 1;
  return h('header', { class: 'head', id: 'summary' },
    several && h('h1', {}, severalTitle(input.runs)),
    h('div', { class: several ? 'runs several' : 'runs' }, input.runs.map((r) => runHead(r, several))),
    input.remarks.map((r) => h('p', { class: 'remark' }, r)));
}
