// Several machines: what the others take or do in percent of the first.

import { h } from '../dom';
import { percent } from '../numbers';
import type { Cell, Run } from '../reading';
import { comparable, ratio } from '../stats';
import { axesOf, valuesOf } from '../view';
import { axisTitle, sentence, valueTitle } from '../words';
import { has } from '../charts/kit';
import { scroller } from './table';

/** In whichever mode it was measured. */
const placeOf = (c: Cell) => JSON.stringify([c.metric, ...Object.entries(c.at).filter(([axis]) => axis !== 'mode').sort(([a], [b]) => (a < b ? -1 : 1))]);

/** "+12.3 % (+10.1 to +14.0 %)", "no difference resolved". */
function differenceWords(base: Cell, other: Cell): { text: string; verdict: 'better' | 'worse' | 'open' } {
  const r = ratio(other, base);
  if (!r) return { text: '–', verdict: 'open' };
  if (!r.ci) return { text: percent(r.value), verdict: 'open' };
  if (!r.resolved) return { text: `no difference resolved (${percent(r.ci[0])} to ${percent(r.ci[1])})`, verdict: 'open' };
  const more = r.value > 1;
  const verdict = base.better === 'neither' ? 'open' : more === (base.better === 'higher') ? 'better' : 'worse';
  return { text: `${percent(r.value)} (${percent(r.ci[0])} to ${percent(r.ci[1])})`, verdict };
}

const most = 500;

export function differencesOf(groups: { run: Run; cells: Cell[] }[], without: string[] = []): HTMLElement | null {
  const [first, ...others] = groups;
  if (!first || others.length === 0) return null;
  const base = new Map(first.cells.filter(has).map((c) => [placeOf(c), c]));
  const like = (c: Cell) => {
    const counterpart = base.get(placeOf(c));
    return counterpart !== undefined && comparable(counterpart, c);
  };
  const tables = others.map(({ run, cells }) => ({ run, found: new Map(cells.filter((c) => has(c) && like(c)).map((c) => [placeOf(c), c])) }));
  const places = [...base.keys()].filter((k) => tables.some((t) => t.found.has(k)));
  if (places.length === 0)
    return h('p', { class: 'small' },
      `${first.run.name} and the others have nothing in common here that could be compared: their distances, or the modes they were measured in, differ.`);
  const common = places.map((k) => base.get(k)!);
  const axes = axesOf(common).filter((a) => a !== 'mode' && !without.includes(a) && valuesOf(groups.flatMap((g) => g.cells), a).length > 1);
  const table = h('table', {},
    h('caption', { class: 'unseen' }, `Differences from ${first.run.name}`),
    h('thead', {}, h('tr', {}, ...axes.map((a) => h('th', { scope: 'col' }, sentence(axisTitle(a)))),
      ...tables.map((t) => h('th', { scope: 'col' }, t.run.name)))),
    h('tbody', {}, places.slice(0, most).map((k) => {
      const c = base.get(k)!;
      return h('tr', {}, ...axes.map((a) => h('td', {}, c.at[a] === undefined ? '' : valueTitle(a, c.at[a]!))),
        ...tables.map((t) => {
          const other = t.found.get(k);
          const words = other ? differenceWords(c, other) : { text: '–', verdict: 'open' };
          const mark = words.verdict === 'better' ? ' better' : words.verdict === 'worse' ? ' worse' : '';
          return h('td', { class: `number ${words.verdict}` }, words.text, mark);
        }));
    })));
  return h('details', { class: 'differences', open: places.length <= 24 },
    h('summary', {}, `Differences from ${first.run.name}, in percent`),
    scroller(`Differences from ${first.run.name}`, table),
    h('p', { class: 'small' }, 'In brackets: where the true difference lies, with 95 % confidence. Without brackets that is not known.'),
    places.length > most && h('p', { class: 'small' }, `${places.length - most} further rows are in the CSV.`));
}
