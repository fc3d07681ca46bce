// A figure without a page: what can be chosen in it, what is chosen, and the charts, pictures and addresses that follow.

import { hashOf } from './address';
import { colourAxis, type Competing, type Places } from './colours';
import type { CardMap } from './card';
import { draw } from './charts/draw';
import { legendRange } from './charts/heat';
import { has, type Context, type Drawing, type LegendEntry } from './charts/kit';
import { firstShown } from './charts/lines';
import { wide } from './charts/logarithm';
import type { Part } from './charts/part';
import { slug } from './dom';
import { meantBy, shapeOf, type Figure, type Kind } from './figures';
import { quantity } from './numbers';
import { machineLine } from './page/machine';
import type { Group, Panel } from './panel';
import { pictureOf, pictureWidth, type Key, type Parts, type Picture } from './picture';
import { besideRun } from './published';
import { changed, doubtful, processorCount, sure, type Cell, type Found, type Run } from './data';
import type { Definition } from './reading';
import { ratiosOf } from './side_by_side';
import type { Theme } from './theme';
import { metricTitle, neutralOf, valueTitle } from './words';
import { anyMode, axesOf, boundsOf, chosenCells, commonPlace, controlsOf, joined, metricAxis, seriesName, valuesOf, type Control, type Shape } from './view';

export interface Drawn {
  panels: Panel[];
  /** Of each panel; null where there is no value. */
  drawings: (Drawing | null)[];
  legend: LegendEntry[];
  notes: string[];
  /** How many rows are not shown until the reader asks for all. */
  more: number;
}

/** The cells that the figure is about. */
function meant(figure: Figure, groups: Group[]): Group[] {
  return groups.map(({ run, cells }) => ({ run, cells: meantBy(figure, cells) }));
}

/** With the papers' systems that are no runs of the report already, if the figure has them. */
function withPapers(figure: Figure, groups: Group[], published: Group[]): Group[] {
  if (figure.chart.kind !== 'bars' || !figure.chart.papers) return groups;
  return [...groups, ...published.filter((p) => !groups.some((g) => g.run.kind === 'published' && g.run.name === p.run.name))];
}

const fewestForBoxes = 6;
/** More boxes than this are no picture. */
const mostBoxes = 32;

export class FigureModel {
  readonly id: string;
  readonly shape: Shape;
  /** What varies and is not drawn. */
  readonly controls: Control[];
  /** How to look at the same numbers: only what makes a difference here. */
  readonly views: Control[];
  hidden = new Set<string>();
  expanded = false;
  /** Of a map: what the reader looks at; nothing for all of it. */
  part: Part | null = null;
  /** Of the lines of all figures of a page; none for a figure alone. */
  colours: Places = new Map();
  /** The lines that the figure shows before the reader switches any. */
  first: string[] = [];

  readonly groups: Group[];

  constructor(
    readonly figure: Figure,
    groups: Group[],
    readonly published: Group[],
    readonly definition: Definition | undefined,
  ) {
    this.groups = meant(figure, withPapers(figure, groups, published));
    this.id = slug(`${figure.experiment}-${figure.id}`);
    this.shape = shapeOf(figure);
    const wanted = this.shape.metrics;
    this.controls = controlsOf(this.groups.map((g) => (wanted ? g.cells.filter((c) => wanted.includes(c.metric)) : g.cells)), this.shape);
    this.views = this.viewsOf();
    this.suggestBoxes();
    this.begin_ = new Map([...this.controls, ...this.views].map((c) => [c.axis, c.chosen]));
    this.hideSome();
  }

  /** What is drawn: as declared, or as the reader looks at it. */
  get chart(): Kind {
    const chart = this.figure.chart;
    if (chart.kind !== 'lines' && chart.kind !== 'bars') return chart;
    const series = this.together ? [...chart.series, 'run'] : chart.series;
    const as = this.viewOf('as');
    if (as === 'boxes') return { kind: 'box', x: chart.x, series };
    if (as === 'shares') return { kind: 'ecdf', x: chart.x, series };
    if (as === 'order') return { kind: 'order', x: chart.x, series };
    return { ...chart, series };
  }

  private get together(): boolean {
    return this.viewOf('runs') === 'together';
  }

  /** Something was measured, and none of it is sure. What cannot be measured here would be no surer another time. */
  get unsure(): boolean {
    const meant = (c: Cell) => this.shape.metrics?.includes(c.metric) ?? true;
    const some = (what: (c: Cell) => boolean) => this.groups.some((g) => g.cells.some((c) => meant(c) && what(c)));
    return this.groups.every((g) => g.run.kind === 'hardware') && !some(sure) && some(has);
  }

  get experiment(): string {
    return this.figure.experiment;
  }

  /** Least where runs surely differ; then what the summary tells of; then what has a sure value. */
  get importance(): number {
    return (this.importance_ ??= this.ranked());
  }

  private ranked(): number {
    const some = (what: (c: Cell, run: Run) => boolean) => this.groups.some(({ run, cells }) => cells.some((c) =>
      (this.shape.metrics?.includes(c.metric) ?? true) && what(c, run)));
    const differs = (c: Cell, run: Run) => {
      const found = run.compared.get(c);
      return found !== undefined && found.what !== 'unresolved' && found.doubt === null;
    };
    if (this.groups.some(({ run }) => run.compared.size > 0) && some(differs)) return 0;
    if (this.groups.some(({ run }) => run.headlines.some((l) => slug(l.target) === this.id))) return 1;
    return some((c) => has(c) && !doubtful(c)) ? 2 : 3;
  }

  /** What the controls let through, of each run. */
  chosen(): Group[] {
    const by = JSON.stringify(this.controls.map((c) => c.chosen));
    if (this.chosen_?.by !== by)
      this.chosen_ = { by, groups: this.groups.map(({ run, cells }) => ({ run, cells: chosenCells(cells, this.controls, this.shape) })) };
    return this.chosen_.groups;
  }

  /** Papers' numbers that stand in a column of their own; a platform that is a run of the report has one already. */
  beside(): Group[] {
    if (this.figure.chart.kind !== 'paper') return [];
    const shown = (name: string) => this.groups.some((g) => g.run.kind === 'published' && g.run.name === name);
    return this.published.filter((p) => !shown(p.run.name)).map(({ run, cells }) => ({ run, cells: cells.filter((c) =>
      this.shape.metrics?.includes(c.metric) ?? true) }));
  }

  panels(): Panel[] {
    const chosen = this.chosen();
    const own = chosen.map(({ run, cells }, i) => ({ run, cells, name: run.name, bounds: boundsOf(this.groups[i]!.cells, this.controls, this.shape),
      ratio: false }));
    if (this.figure.chart.kind === 'heat') return own.flatMap((p, i) => (i === 0 ? [p] : [p, ...ratiosOf(chosen[0]!, chosen[i]!)]));
    if (!this.together) return own;
    const named = (run: Run, cells: Cell[]) => cells.map((c) => changed(c, { at: { ...c.at, run: run.name } }));
    return [{ run: own[0]!.run, name: own.map((p) => p.name).join(', '), ratio: false, cells: own.flatMap((p) => named(p.run, p.cells)),
      bounds: own.flatMap((p) => named(p.run, p.bounds)) }];
  }

  /** The charts at this width each, with what stands below them. */
  drawn(widthOf: (panel: number) => number, theme: Theme): Drawn {
    const panels = this.panels();
    const each = panels.filter((p) => !p.ratio).map((p) => p.cells);
    const all = joined(each);
    this.suggestScale(all);
    const own = this.viewOf('axis') === 'own';
    const figure = { ...this.figure, chart: this.chart };
    const drawings = panels.map((panel, i): Drawing | null => {
      const { cells } = panel;
      const beside = own || panel.ratio ? [cells] : each;
      const ctx: Context = {
        theme, colours: this.colours, width: widthOf(i), hidden: this.hidden, expanded: this.expanded, part: this.part, all: panel.ratio ? cells : all,
        scaled: beside === each ? all : joined(beside), beside, log: this.viewOf('scale') === 'log', withoutOne: this.viewOf('one') === 'without',
        processors: processorCount(panel.run), bounds: panel.bounds,
        simulated: panel.run.kind === 'simulated', ratio: panel.ratio, published: panel.ratio ? [] : besideRun(this.figure.published ?? [], panel.run),
      };
      return cells.some(has) ? draw(figure, cells, ctx, panel.run) : null;
    });
    const there = drawings.filter((d) => d !== null);
    const legend = new Map<string, LegendEntry>();
    // What is told apart by nothing has no name, and needs none.
    for (const entry of there.flatMap((d) => d.legend)) if (entry.name !== '' && !legend.has(entry.name)) legend.set(entry.name, entry);
    // What only explains stands behind what names a series.
    const entries = [...legend.values()].sort((a, b) => Number(a.fixed ?? false) - Number(b.fixed ?? false));
    return { panels, drawings, legend: entries, notes: notesOf(this.figure, panels, drawings), more: Math.max(0, ...there.map((d) => d.more ?? 0)) };
  }

  /** Logarithmic where a linear axis would press most of what is sure to the bottom, until the reader decides. */
  private suggestScale(cells: Cell[]): void {
    const scale = this.views.find((v) => v.axis === 'scale');
    if (scale && !this.decided_.has('scale')) scale.chosen = wide(cells, this.decades) ? 'log' : 'linear';
  }

  /** From how many times the least value on a scale is logarithmic. The length of a bar is read as its value: only decades excuse it. */
  private get decades(): number {
    return this.figure.chart.kind === 'bars' ? 100 : 20;
  }

  /** Boxes where the declaration asks for them and every run has repetitions to show, until the reader decides. */
  private suggestBoxes(): void {
    const as = this.views.find((v) => v.axis === 'as');
    if (!as || this.decided_.has('as') || this.figure.chart.kind !== 'bars') return;
    const shown = this.chosen().map((g) => g.cells.filter(has)).filter((cells) => cells.length > 0);
    const told = (c: Cell) => (this.figure.spread ?? []).includes(c.metric) && c.samples.length >= fewestForBoxes;
    as.chosen = shown.length > 0 && shown.every((cells) => cells.length <= mostBoxes && cells.some(told)) ? 'boxes' : 'medians';
  }

  viewOf(axis: string): string | undefined {
    return this.views.find((v) => v.axis === axis)?.chosen;
  }

  private viewsOf(): Control[] {
    const chart = this.figure.chart;
    const views: Control[] = [];
    const view = (axis: string, title: string, chosen: string, ...options: [string, string][]) =>
      views.push({ axis, title, chosen, options: options.map(([value, words]) => ({ value, title: words })) });
    const plain = chart.kind === 'lines' || (chart.kind === 'bars' && !chart.stacked && !chart.compare);
    const several = this.groups.length > 1;
    if (plain && this.groups.some((g) => g.cells.some((c) => c.samples.length >= fewestForBoxes)))
      view('as', 'as', 'medians', ['medians', 'medians'], ['boxes', 'boxes'], ['shares', 'shares at or below (ECDF)'],
        ['order', 'repetitions in order (drift)']);
    const runs = chart.kind === 'bars' && chart.runs ? 'together' : 'beside';
    if (plain && several) view('runs', 'runs', runs, ['beside', 'side by side'], ['together', 'in one chart']);
    if (chart.kind === 'lines' || (plain && this.spansDecades())) view('scale', 'scale', 'linear', ['linear', 'linear'], ['log', 'logarithmic']);
    if (several && ['lines', 'bars', 'best', 'heat', 'gantt'].includes(chart.kind))
      view('axis', 'axes', this.figure.own ? 'own' : 'shared', ['shared', 'the same for all'], ['own', 'of each machine']);
    const unit = chart.kind === 'best' ? chart.unit : chart.kind === 'lines' ? chart.x : '';
    const counts = ['threads', 'clients'].includes(unit) ? valuesOf(this.groups.flatMap((g) => g.cells), unit) : [];
    if (counts.includes(1) && counts.length > 2) view('one', `one ${unit.slice(0, -1)}`, 'with',
      ['with', 'shown'], ['without', 'left out']);
    return views;
  }

  /** Of one of its metrics, in whatever may be chosen. */
  private spansDecades(): boolean {
    const cells = this.groups.flatMap((g) => g.cells);
    const metrics = this.shape.metrics ?? [...new Set(cells.map((c) => c.metric))];
    return metrics.some((m) => neutralOf(m) === null && wide(cells.filter((c) => c.metric === m), this.decades));
  }

  choose(control: Control, value: string): void {
    control.chosen = value;
    this.decided_.add(control.axis);
    this.suggestBoxes();
    if (this.controls.includes(control) || control.axis === 'runs') this.hideSome();
  }

  toggle(name: string): void {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.lines_ = this.shownNames();
  }

  /** The figure with what is chosen, as the end of an address. */
  address(): string {
    // These are suggested anew by every choice, so they are told once they were decided.
    const told = (c: Control) => (['scale', 'as'].includes(c.axis) ? this.decided_.has(c.axis) : this.begin_.get(c.axis) !== c.chosen);
    const pairs = [...this.controls, ...this.views].filter(told).map((c): [string, string] => [c.axis, c.chosen]);
    if (this.lines_.length > 0) pairs.push(['lines', this.shownNames().join('~')]);
    return hashOf(this.id, pairs);
  }

  /** Chooses what an address says, as far as it can be chosen here; sentences about what cannot. */
  adopt(choices: Map<string, string>): string[] {
    const trouble: string[] = [];
    for (const [axis, wanted] of choices) {
      if (axis === 'lines') continue;
      const control = [...this.controls, ...this.views].find((c) => c.axis === axis);
      if (!control) trouble.push(`${axis} cannot be chosen in ${this.id}`);
      else if (control.options.some((o) => o.value === wanted)) this.choose(control, wanted);
      else trouble.push(`${axis} of ${this.id} is one of ${control.options.map((o) => o.value).join(', ')}, not ${wanted}`);
    }
    this.hideSome();
    const lines = choices.get('lines')?.split('~');
    if (lines) {
      this.lines_ = lines;
      this.hidden = new Set(this.seriesNames().filter((n) => !lines.includes(n)));
    }
    return trouble;
  }

  private seriesNames(): string[] {
    const chart = this.chart;
    if (!('series' in chart)) return [];
    const names = chart.kind === 'lines' ? chart.names : undefined;
    return [...new Set(this.panels().flatMap((g) => g.cells).map((c) => seriesName(c, chart.series, names)))];
  }

  shownNames = (): string[] => this.seriesNames().filter((n) => !this.hidden.has(n));

  /** Of dozens of lines the legend switches on the others. */
  private hideSome(): void {
    const chart = this.chart;
    if (this.figure.chart.kind !== 'lines' || !('series' in chart)) return;
    const all = this.panels().flatMap((g) => g.cells);
    const shape = { ...this.figure.chart, series: chart.series };
    const shown = firstShown(all, shape);
    this.first = [...shown];
    this.hidden = new Set(all.map((c) => seriesName(c, shape.series, shape.names)).filter((n) => !shown.has(n)));
    this.lines_ = [];
  }

  /** Who has lines in it; null where nobody has. */
  competing(): Competing | null {
    const chart = this.figure.chart;
    if (chart.kind !== 'lines') return null;
    const cells = this.groups.flatMap((g) => g.cells).filter(has);
    const axis = colourAxis(chart.series, cells);
    if (axis === undefined) return null;
    const drawn = cells.filter((c) => this.first.includes(seriesName(c, chart.series, chart.names)));
    return { axis, first: valuesOf(drawn, axis), all: valuesOf(cells, axis) };
  }

  /** The map of the first run, as a part of another picture; null where this is none, or holds no value. */
  map(width: number, theme: Theme): CardMap | null {
    if (this.figure.chart.kind !== 'heat') return null;
    const { panels, drawings } = this.drawn(() => width, theme);
    return drawings[0] ? { title: this.figure.title, drawing: drawings[0], key: keyOf(panels[0]!.cells) } : null;
  }

  picture = (theme: Theme): Picture => pictureOf(this.parts(theme), theme);

  /** All that a stranger needs to read it. */
  parts(theme: Theme): Parts {
    const cells = this.chosen().flatMap((g) => g.cells);
    const count = this.panels().filter((p) => p.cells.some(has)).length;
    const { panels, drawings, legend, notes } = this.drawn(() => pictureWidth(count), theme);
    const there = panels.map((p, i) => ({ ...p, drawing: drawings[i]! })).filter((p) => p.drawing);
    const runs = this.groups.filter((_, i) => this.chosen()[i]!.cells.some(has)).map((g) => g.run);
    return {
      title: this.figure.title,
      about: [...runs.map(machineLine), this.protocolLine(cells)].filter((t) => t !== ''),
      found: this.findings(),
      panels: there,
      legend: legend.filter((l) => l.shown),
      key: this.figure.chart.kind === 'heat' && cells.some(has) ? keyOf(cells) : null,
      notes,
    };
  }

  /** What the program found at what is shown; of several runs the first sentence of each, with its name. */
  findings(): string[] {
    const found = this.groups.map(({ run }) => ({ run, told: this.toldOf(run) }));
    return found.length > 1 ? found.flatMap(({ run, told }) => told.slice(0, 1).map((t) => `${run.name}: ${t}`)) : found.flatMap(({ told }) => told);
  }

  /** The experiment's own sentences are about what the figure begins with; others name the place that they are about. */
  private toldOf(run: Run): string[] {
    const all = this.foundIn(run);
    const metric = this.controls.find((c) => c.axis === metricAxis)?.chosen ?? [...all.keys()][0] ?? '';
    const found = all.get(metric);
    const axes = this.controls.filter((c) => c.axis !== metricAxis);
    if (found && found.own.length > 0 && axes.every((c) => c.chosen === this.begin_.get(c.axis))) return found.own;
    return found?.places.find(({ at }) => axes.every((c) => (c.axis === 'mode' ? saysWhereNear(c.chosen) : at[c.axis] === undefined
      || String(at[c.axis]) === c.chosen)))?.told ?? [];
  }

  /** By metric. */
  private foundIn(run: Run): Map<string, Found> {
    return run.findings.get(`${this.figure.experiment}-${this.figure.id}`) ?? new Map<string, Found>();
  }

  /** By what it is searched for: who competes in it, what was measured, and all that was found. */
  words(): string[] {
    const meant = (c: Cell) => this.shape.metrics?.includes(c.metric) ?? true;
    const cells = this.groups.flatMap((g) => g.cells.filter(meant));
    const names = axesOf(cells).flatMap((axis) => valuesOf(cells, axis).filter((v) => typeof v === 'string').flatMap((v) => [v, valueTitle(axis, v)]));
    const metrics = [...new Set(cells.map((c) => c.metric))].flatMap((m) => [m, metricTitle(m)]);
    const found = this.groups.flatMap(({ run }) => [
      ...[...this.foundIn(run).values()].flatMap(({ own, places }) => [...own, ...places.flatMap((p) => p.told)]),
      ...run.headlines.filter((l) => slug(l.target) === this.id).map((l) => `${l.figure} ${l.text}`)]);
    return [this.figure.lead, ...names, ...metrics, ...found];
  }

  /** What was measured, with what was chosen and what all values have in common. */
  private protocolLine(cells: Cell[]): string {
    const shown = new Set(this.controls.map((c) => c.axis));
    const chosen = this.controls.map((c) => `${c.axis === metricAxis ? 'shown' : c.title}: ${c.options.find((o) => o.value === c.chosen)?.title ?? c.chosen}`);
    const common = commonPlace(cells, [...shown]);
    return [this.figure.experiment, ...chosen, common].filter((t) => t !== '').join(' · ');
  }

  private importance_: number | undefined;
  /** What was let through last, by what was chosen. */
  private chosen_: { by: string; groups: Group[] } | undefined;
  /** What was chosen when the page was opened. */
  private readonly begin_: Map<string, string>;
  /** What the reader has chosen. */
  private readonly decided_ = new Set<string>();
  /** The series that the reader wants; none if that was left to the figure. */
  private lines_: string[] = [];
}

/** The figure of this name; an experiment's name is that of its first figure. */
export function named<M extends { id: string; experiment: string }>(models: M[], name: string): M | undefined {
  return models.find((m) => m.id === slug(name)) ?? models.find((m) => slug(m.experiment) === slug(name));
}

/** Findings rest on the near mode, and on another one only where that was not measured. */
const saysWhereNear = (mode: string): boolean => mode === anyMode || mode === 'near';

/** Each note once; with the name of its chart where not all charts of runs say the same. */
export function notesOf(figure: Figure, panels: Panel[], drawings: (Pick<Drawing, 'notes'> | null)[]): string[] {
  const ofModel = (p: Panel) => (figure.simulated && p.run.kind === 'simulated' && !p.ratio ? [figure.simulated] : []);
  const there = panels.map((p, i) => ({ ...p, notes: drawings[i] ? [...ofModel(p), ...drawings[i]!.notes] : [] })).filter((p) => p.notes.length > 0);
  const all = [...new Set(there.flatMap((p) => p.notes))];
  const common = (note: string) => there.every((p) => p.ratio !== p.notes.includes(note));
  return all.map((note) => (there.length < 2 || common(note) ? note : `${there.filter((p) => p.notes.includes(note)).map((p) => p.name).join(', ')}: ${note}`));
}

export function keyOf(cells: Cell[]): Key {
  const { low, high, share } = legendRange(cells);
  const unit = cells[0]?.unit ?? '1';
  return { least: quantity(low, unit), most: high > low ? quantity(high, unit) : '', share };
}
