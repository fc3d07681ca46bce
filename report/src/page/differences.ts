// Several machines: what the others take or do in percent of the first.

import { h } from '../dom';
import { fromTo, percent, withInterval } from '../numbers';
import type { Group } from '../panel';
import type { Compared } from '../data';
import { judged } from '../side_by_side';
import { axesOf, valuesOf } from '../view';
import { axisTitle, sentence, valueTitle } from '../words';
import { has } from '../charts/kit';
import { scroller } from './table';

/** "+12.3 % (+10.1 to +14.0 %)", "no difference resolved". */
function differenceWords(v: Compared | undefined): { text: string; verdict: 'better' | 'worse' | 'open'; mark?: string } {
  if (!v || v.ratio === null) return { text: '–', verdict: 'open' };
  if (!v.ci) return { text: withInterval(percent(v.ratio), 'no interval'), verdict: 'open' };
  const within = fromTo(percent(v.ci[0]), percent(v.ci[1]));
  if (v.what === 'unresolved')
    return { text: withInterval(v.asRuns ? 'within the differences between runs' : 'no difference resolved', within), verdict: 'open' };
  const text = withInterval(percent(v.ratio), within);
  const mark = v.what === 'different' ? '' : ` ${v.what}`;
  if (v.doubt !== null) return { text, verdict: 'open', mark: `${mark} (${v.doubt})` };
  return { text, verdict: v.what === 'different' ? 'open' : v.what, mark };
}

const most = 500;

export function differencesOf(groups: Group[], title: string, without: string[] = []): HTMLElement | null {
  const [first, ...others] = groups;
  if (!first || others.length === 0) return null;
  if (first.run.beside !== null)
    return h('p', { class: 'small' }, 'No differences: each file is compared with the first, which has no value here.');
  const tables = others.map(({ run, cells }) => ({ run, found: new Map(judged(run, cells).map(({ verdict }) => [verdict.base, verdict])) }));
  const places = first.cells.filter((c) => has(c) && tables.some((t) => t.found.has(c)));
  if (places.length === 0 && groups.some((g) => g.cells.some((c) => c.block)))
    return h('p', { class: 'small' }, 'An overview is not compared: its fields stand for several pairs each. “synchroscope compare” compares the pairs.');
  if (places.length === 0)
    return h('p', { class: 'small' },
      `${first.run.name} and the others have nothing in common here that could be compared: their distances, or the modes they were measured in, differ.`);
  const axes = axesOf(places).filter((a) => a !== 'mode' && !without.includes(a) && valuesOf(groups.flatMap((g) => g.cells), a).length > 1);
  const table = h('table', {},
    h('caption', { class: 'unseen' }, `Differences from ${first.run.name}`),
    h('thead', {}, h('tr', {}, ...axes.map((a) => h('th', { scope: 'col' }, sentence(axisTitle(a)))),
      ...tables.map((t) => h('th', { scope: 'col' }, t.run.name)))),
    h('tbody', {}, places.slice(0, most).map((c) => {
      return h('tr', {}, ...axes.map((a) => h('td', {}, c.at[a] === undefined ? '' : valueTitle(a, c.at[a]!))),
        ...tables.map((t) => {
          const words = differenceWords(t.found.get(c));
          return h('td', { class: `number ${words.verdict}` }, words.text, words.mark);
        }));
    })));
  return h('details', { class: 'differences', open: places.length <= 24 },
    h('summary', {}, `Differences from ${first.run.name}, in percent`),
    scroller(`${title}: differences from ${first.run.name}`, table),
    h('p', { class: 'small' }, 'As “synchroscope compare” judges. In brackets: where the true difference lies; intervals are so wide that, of those without 0, 2 in 100 are wrong on average.'),
    places.length > most && h('p', { class: 'small' }, `${places.length - most} further rows are in the CSV.`));
}
