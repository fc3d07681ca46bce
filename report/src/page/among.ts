// A machine among published ones: a table by levels of distance, in which its row is marked.

import { h, printable } from '../dom';
import { quantity } from '../numbers';
import { type Ranking, type Run } from '../data';
import { scroller } from './table';

/** "rank 14 of 38" */
const rankIn = ({ rank, of }: Ranking['figures'][number]): string => (rank === null ? '' : `rank ${rank} of ${of}`);

function rowOf(run: Run, { name, processors, values }: Ranking['machines'][number]): HTMLElement {
  const own = name === '';
  const times = (some: number[] = []) => (some.length === 0 ? '–' : some.map((ns) => quantity(ns, 'ns')).join(', '));
  return h('tr', { class: own ? 'own' : null, 'aria-current': own ? 'true' : null },
    h('th', { scope: 'row' }, own ? printable(run.name, 80) : name, own && h('small', {}, ' (here)')),
    h('td', { class: 'number' }, processors > 0 ? String(processors) : '–'), values.map((some) => h('td', { class: 'number' }, times(some))));
}

/** With its rank below the title of each column. */
function tableOf(run: Run, ranking: Ranking): HTMLElement {
  const column = (title: string, rank = '') => h('th', { scope: 'col', class: 'number' }, title, rank !== '' && h('small', { class: 'span' }, rank));
  return h('div', { class: 'among' }, h('p', {}, ranking.note),
    scroller(`${ranking.title}: ${run.name}`, h('table', {},
      h('caption', { class: 'unseen' }, `${ranking.title}, the shortest first`),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Machine'), column('Processors'), ranking.figures.map((f) => column(f.title, rankIn(f))))),
      h('tbody', {}, ranking.machines.map((m) => rowOf(run, m))))));
}

/** Nothing if no run was measured in a way that can be compared. */
export function rankingSection(runs: Run[]): HTMLElement | null {
  const told = runs.flatMap((run) => run.rankings.map((ranking) => ({ run, ranking })));
  if (told.length === 0) return null;
  return h('section', { class: 'family', id: 'among' }, h('h2', {}, told[0]!.ranking.title),
    told.map(({ run, ranking }) => h('div', {}, told.length > 1 && h('h3', {}, printable(run.name, 80)), tableOf(run, ranking))));
}
