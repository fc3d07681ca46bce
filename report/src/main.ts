// The page, from the data that the program has put into it.

import { placeOf } from './address';
import { placesIn, type Competing, type Places } from './colours';
import { cardOf, mapWidth, type Card } from './card';
import { h, printable } from './dom';
import { cellsOf, experimentsOf, joined } from './view';
import { repetition } from './doubts';
import { figuresOf, layerOf } from './figures';
import { head } from './page/head';
import { FigureView } from './page/figure';
import { claimsSection } from './page/claims';
import { forecastSection } from './page/forecast';
import { rankingSection } from './page/among';
import { machineSheet } from './page/machine';
import { fleetContent } from './page/fleet';
import { profileContent } from './page/profile';
import { FigureModel, named } from './model';
import { fleetIn, type Fleet } from './fleet';
import { profileIn, type Profile, type Verdict } from './profile';
import { answerTo, type Answer, type Request } from './outside';
import { type Run } from './data';
import { read, type Input } from './reading';
import { readTheme, setTheme, type Choice, type Theme } from './theme';
import { listed, sentence } from './words';

interface Section {
  id: string;
  title: string;
  element: HTMLElement;
  figures?: FigureView[];
}

/** The figures of an experiment, whatever is made of each. */
function figuresIn<Made>(input: Input, experiment: string, make: (...from: ConstructorParameters<typeof FigureModel>) => Made): Made[] {
  const groups = input.runs.map((run) => ({ run, cells: cellsOf(run, experiment) })).filter((g) => g.cells.length > 0);
  const published = input.published.map((run) => ({ run, cells: cellsOf(run, experiment) })).filter((g) => g.cells.length > 0);
  const all = joined(groups.map((g) => g.cells));
  const definition = input.definitions.get(experiment);
  const own = groups.filter((g) => g.run.kind !== 'published').length;
  return figuresOf(experiment, all, definition?.charts, own).map((f) => make(f, groups, published, definition));
}

/** Where a name stands among those that the program knows; others come last. */
const placeIn = (names: string[], name: string): number => (names.includes(name) ? names.indexOf(name) : names.length);

function experimentsIn(input: Input): string[] {
  const known = [...input.definitions.keys()];
  return experimentsOf(input.runs).sort((a, b) => placeIn(known, a) - placeIn(known, b));
}

/** In two columns where the screen is wide. */
const besideEachOther = (views: FigureView[]) => h('div', { class: 'grid' }, views.map((v) => v.element));

/** Figures of which no value is sure are one line, which says how to measure them again. */
function unsureOf(runs: Run[], views: FigureView[]): HTMLElement | null {
  if (views.length === 0) return null;
  const command = repetition(runs, views.map((v) => v.experiment));
  const draw = (event: Event) => (event.currentTarget as HTMLDetailsElement).open && views.filter((v) => !v.drawn).forEach((v) => v.draw());
  return h('div', { class: 'unsure' }, h('details', { toggle: draw },
    h('summary', {}, `No value is sure in ${listed(views.map((v) => `“${v.title}”`))}.`), besideEachOther(views)),
  h('p', { class: 'small' }, 'To measure again: ', h('code', {}, printable(command, 800))));
}

/** What matters most first; what matters as much stays in its order. */
function byImportance<Made>(all: Made[], figuresOf: (made: Made) => FigureView[]): Made[] {
  const ranked = all.map((made) => ({ made, rank: Math.min(...figuresOf(made).map((v) => v.importance)) }));
  return ranked.sort((a, b) => a.rank - b.rank).map((r) => r.made);
}

function familyOf(input: Input, layer: string, experiments: FigureView[][]): Section & { figures: FigureView[] } {
  const id = `family-${layer.replace(/[^a-z0-9]/gi, '-')}`;
  const title = input.layers.find((l) => l.name === layer)?.title ?? sentence(layer.replace(/_/g, ' '));
  const own = byImportance(experiments.filter(([first]) => layerOf(first!.experiment) === layer), (views) => views).flat();
  const [sure, unsure] = [own.filter((v) => !v.unsure), own.filter((v) => v.unsure)];
  const element = h('section', { class: 'family', id }, h('h2', {}, title), besideEachOther(sure), unsureOf(input.runs, unsure));
  return { id, title, element, figures: [...sure, ...unsure] };
}

function experimentSections(input: Input, views: FigureView[]): Section[] {
  const experiments = experimentsIn(input).map((e) => figuresIn(input, e, (...from) => new FigureView(...from)));
  const order = input.layers.map((l) => l.name);
  const layers = [...new Set(experiments.map(([first]) => layerOf(first!.experiment)))].sort((a, b) => placeIn(order, a) - placeIn(order, b));
  const families = byImportance(layers.map((layer) => familyOf(input, layer, experiments)), (family) => family.figures);
  views.push(...families.flatMap((family) => family.figures));
  return families;
}

const claims = (input: Input): Section => ({ id: 'claims', title: 'Claims and verdicts', element: claimsSection(input.runs, input.claims, input.sources) });

/** Where machines stand among published ones. */
function among(input: Input): Section[] {
  const element = rankingSection(input.runs);
  return element ? [{ id: element.id, title: 'Among others', element }] : [];
}

/** How far predictions are off, if a file says so. */
function forecasts(input: Input): Section[] {
  const element = forecastSection(input.runs);
  return element ? [{ id: element.id, title: 'Predictions', element }] : [];
}

function machineSection(input: Input): Section {
  const sheets = input.runs.map((r) => h('div', {}, input.runs.length > 1 && h('h3', {}, r.name), machineSheet(r)));
  return { id: 'machine', title: input.runs.length > 1 ? 'Machines' : 'Machine', element: h('section', { class: 'family', id: 'machine' },
    h('h2', {}, input.runs.length > 1 ? 'The machines' : 'The machine'), sheets) };
}

function themeButton(redraw: () => void): HTMLElement {
  const next: Record<Choice, Choice> = { auto: 'light', light: 'dark', dark: 'auto' };
  const words: Record<Choice, string> = { auto: 'automatic', light: 'light', dark: 'dark' };
  let choice: Choice = 'auto';
  const button = h('button', { type: 'button', class: 'theme', click: () => {
    choice = next[choice];
    setTheme(choice);
    button.textContent = `Colours: ${words[choice]}`;
    redraw();
  } }, 'Colours: automatic');
  return button;
}

/** Figures are drawn when they come near the screen; all of them before printing, at the width of paper. */
function keepDrawn(views: FigureView[]): void {
  const byElement = new Map(views.map((v) => [v.element as Element, v]));
  const watcher = new IntersectionObserver((seen) => {
    for (const s of seen) {
      const view = byElement.get(s.target);
      if (s.isIntersecting && view && !view.drawn) view.draw();
    }
  }, { rootMargin: '600px' });
  views.forEach((v) => watcher.observe(v.element));
  let width = document.documentElement.clientWidth;
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('resize', () => {
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    clearTimeout(timer);
    timer = setTimeout(() => views.forEach((v) => v.redraw()), 120);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => views.forEach((v) => v.redraw()));
  const paper = () => {
    // What is doubtful is not to be opened on paper.
    document.querySelectorAll<HTMLDetailsElement>('.doubts details').forEach((d) => (d.open = true));
    views.forEach((v) => v.draw(v.panels > 1 ? paperWidth / 2 - 12 : paperWidth));
  };
  const screen = () => views.forEach((v) => v.redraw());
  addEventListener('beforeprint', paper);
  addEventListener('afterprint', screen);
  matchMedia('print').addEventListener('change', (e) => (e.matches ? paper() : screen()));
}

const paperWidth = 660;

/** One figure and nothing around it. */
function figureAlone(input: Input, wanted: string): void {
  const { figure, choices } = placeOf(wanted);
  const all = experimentsIn(input).flatMap((e) => figuresIn(input, e, (...from) => new FigureView(...from)));
  const view = named(all, figure);
  if (!view) throw new Error(`There is no figure “${printable(figure)}” here.`);
  document.title = `${view.title} – Synchroscope`;
  document.body.replaceChildren(h('main', { id: 'content', class: 'alone' }, view.element));
  view.adopt(choices);
  view.draw();
  keepDrawn([view]);
}

/** Before anything is drawn: what has lines in several figures has one colour in all. */
function colour(figures: { competing: () => Competing | null; colours: Places }[]): void {
  const places = placesIn(figures.map((f) => f.competing()).filter((c) => c !== null));
  for (const figure of figures) figure.colours = places;
}

function page(input: Input): void {
  if (input.only !== undefined) return figureAlone(input, input.only);
  const views: FigureView[] = [];
  const sections = [...experimentSections(input, views), ...among(input), ...forecasts(input), claims(input), machineSection(input)];
  colour(views);
  const first = head(input, (run) => cardFor(input, run, readTheme()));
  lay(input.runs.map((r) => r.name).slice(0, 3).join(', '), first, sections, () => views.forEach((v) => v.redraw()));
  keepDrawn(views);
  markCurrent(views);
  views.find((v) => !v.unsure)?.draw();
  addEventListener('hashchange', () => follow(views));
  follow(views);
}

/** The frame around whatever is shown. */
function lay(title: string, first: HTMLElement, sections: Section[], redraw: () => void): void {
  const links: Omit<Section, 'element'>[] = [{ id: 'summary', title: 'Summary' }, ...sections];
  const figures = sections.flatMap((s) => s.figures ?? []);
  document.title = `${title} – Synchroscope`;
  document.body.replaceChildren(
    h('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    h('nav', { 'aria-label': 'Sections' },
      h('p', { class: 'brand' }, 'Synchroscope'),
      figures.length >= fewestToSearch && search(figures),
      h('ul', {}, links.map(entryOf)),
      themeButton(redraw)),
    h('main', { id: 'content', tabindex: -1 }, first, sections.map((s) => s.element), footer()));
}

const link = (id: string, title: string) => h('a', { href: `#${id}` }, title);

/** A section in the navigation, with its figures where there is room for them. */
const entryOf = ({ id, title, figures }: Omit<Section, 'element'>) => h('li', {}, link(id, title),
  figures && h('ul', { class: 'figures' }, figures.map((f) => h('li', {}, link(f.id, f.title)))));

/** Fewer are seen at a glance. */
const fewestToSearch = 6;

/** Leaves of the list what has all the words that are typed, in whatever it tells; Enter goes to the first figure. */
function search(figures: FigureView[]): HTMLElement {
  const field = h('input', { type: 'search', input: () => narrow(), keydown: (e) => {
    if ((e as KeyboardEvent).key === 'Enter') document.querySelector<HTMLAnchorElement>('nav .figures li:not([hidden]) a')?.click();
  } });
  let told: Map<string, string> | undefined; // gathered once somebody searches
  const narrow = () => {
    told ??= new Map(figures.map((f) => [`#${f.id}`, [f.title, f.id, f.experiment, ...f.words()].join('\n').toLowerCase()]));
    const words = field.value.toLowerCase().split(/\s+/).filter((w) => w !== '');
    for (const item of document.querySelectorAll<HTMLLIElement>('nav .figures li'))
      item.hidden = !words.every((w) => told!.get(item.querySelector('a')!.hash)?.includes(w));
    for (const section of document.querySelectorAll<HTMLLIElement>('nav > ul > li'))
      section.hidden = words.length > 0 && !section.querySelector('.figures li:not([hidden])');
  };
  return h('label', { class: 'search' }, h('span', {}, 'Search'), field);
}

/** Shows what is inside by scrolling the frame alone: the page is the reader's to scroll. */
function scrollWithin(frame: Element, inside: Element): void {
  const outer = frame.getBoundingClientRect(), inner = inside.getBoundingClientRect();
  if (inner.top < outer.top) frame.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) frame.scrollTop += inner.bottom - outer.bottom;
}

const sidesOf = (element: HTMLElement) => {
  const { top, bottom } = element.getBoundingClientRect();
  return { top, bottom };
};

/** Marks the figure that is read, the one nearest below the upper edge, in the navigation. */
function markCurrent(views: FigureView[]): void {
  const links = new Map([...document.querySelectorAll<HTMLAnchorElement>('nav .figures a')].map((a) => [a.hash.slice(1), a]));
  const nav = document.querySelector('nav')!;
  const mark = () => {
    const line = innerHeight / 3;
    const places = views.map((view) => ({ view, ...sidesOf(view.element) })).filter((p) => p.bottom > p.top && p.top <= line);
    const lowest = Math.max(...places.map((p) => p.top));
    const row = places.filter((p) => p.top > lowest - 1);
    // Of figures beside each other the one that was asked for, else the first that is still seen.
    const read = (row.find((p) => `#${p.view.id}` === location.hash.split('?')[0]) ?? row.find((p) => p.bottom >= 0) ?? row[0])?.view;
    const ended = !read || sidesOf(read.element).bottom < 0;
    for (const [id, a] of links) {
      const current = !ended && id === read.id;
      if (current === a.hasAttribute('aria-current')) continue;
      if (current) a.setAttribute('aria-current', 'location');
      else a.removeAttribute('aria-current');
      if (current) scrollWithin(nav, a);
    }
  };
  addEventListener('scroll', mark, { passive: true });
  addEventListener('hashchange', mark); // its neighbour needs no scrolling
  mark();
}

function profilePage({ profile, verdict }: { profile: Profile; verdict: Verdict }): void {
  const { title, head: first, sections } = profileContent(profile, verdict);
  lay(title, first, sections, () => undefined);
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((d) => (d.open = true)));
}

function fleetPage(fleet: Fleet): void {
  const { title, head: first, sections } = fleetContent(fleet);
  lay(title, first, sections, () => undefined);
}

/** Shows the figure that the address names, with the selections that it holds. */
function follow(views: FigureView[]): void {
  const { figure, choices } = placeOf(location.hash);
  const view = views.find((v) => v.id === figure);
  if (!view) return;
  const fold = view.element.closest('details');
  if (fold) fold.open = true;
  view.adopt(choices);
  if (!view.drawn) view.draw();
  view.element.scrollIntoView();
}

const footer = () => h('footer', {}, h('p', { class: 'small' }, 'Made by Synchroscope. This file holds its data and needs no network.'));

function start(): void {
  try {
    const data = document.getElementById('data')?.textContent ?? '';
    const profile = profileIn(data);
    const fleet = fleetIn(data);
    if (profile) profilePage(profile);
    else if (fleet) fleetPage(fleet);
    else page(read(data));
  } catch (e) {
    document.body.replaceChildren(h('main', { class: 'failure' }, h('h1', {}, 'Synchroscope'), h('p', {}, e instanceof Error ? e.message : String(e))));
    if (!(e instanceof Error) || e.constructor !== Error) throw e;
  }
}

declare global {
  var synchroscopeRequest: Request | undefined;
  var synchroscopeAnswer: Answer | undefined;
}

function modelsOf(input: Input): FigureModel[] {
  const all = experimentsIn(input).flatMap((e) => figuresIn(input, e, (...from) => new FigureModel(...from)));
  colour(all);
  return all;
}

/** The card of one run: its map is that of the first figure that has one. */
function cardFor(input: Input, run: Run, theme: Theme): Card {
  const maps = modelsOf({ ...input, runs: [run] }).map((m) => m.map(mapWidth, theme));
  return cardOf(run, maps.find((m) => m !== null) ?? null, theme);
}

if (typeof document !== 'undefined') start();
else if (globalThis.synchroscopeRequest) globalThis.synchroscopeAnswer = answerTo(globalThis.synchroscopeRequest, { modelsOf, cardFor });
