// A figure of the page: title, choices, a chart for each machine, legend, table, definition, downloads.

import { draw } from '../charts/draw';
import { echarts } from '../charts/echarts';
import { legendColors, legendRange, pairFinder } from '../charts/heat';
import { has, type Context, type Drawing, type LegendEntry, type Point } from '../charts/kit';
import { firstShown, wide } from '../charts/lines';
import { markHeight, markOf, markWidth, svgElement } from '../charts/mark';
import { hashOf } from '../address';
import { csvOf, save } from '../download';
import { h, slug } from '../dom';
import { shapeOf, type Figure } from '../figures';
import { quantity } from '../numbers';
import { pictureOf, pictureWidth, pngOf, svgText, type Key } from '../picture';
import { processorCount, textOf, type Cell, type Definition, type Run } from '../reading';
import { readTheme } from '../theme';
import { boundsOf, chosenCells, commonPlace, controlsOf, metricAxis, seriesName, valuesOf, type Control, type Shape } from '../view';
import { choiceTitle, metricTitle, sentence } from '../words';
import { differencesOf } from './differences';
import { day } from './machine';
import { paperTable, tableOf } from './table';

type Chart = ReturnType<typeof echarts.init>;

interface Panel {
  run: Run;
  holder: HTMLElement;
  chart: Chart | null;
  drawing: Drawing | null;
  at: number;
}

export class FigureView {
  readonly element: HTMLElement;
  readonly id: string;

  constructor(
    private readonly figure: Figure,
    private readonly groups: { run: Run; cells: Cell[] }[],
    private readonly published: { run: Run; cells: Cell[] }[],
    private readonly definition: Definition | undefined,
  ) {
    this.id = slug(`${figure.experiment}-${figure.id}`);
    this.shape_ = shapeOf(figure);
    this.controls_ = controlsOf(this.onlyMetrics(groups).map((g) => g.cells), this.shape_);
    this.panels_ = groups.map(({ run }) => ({ run, holder: h('div', { class: 'chart' }), chart: null, drawing: null, at: -1 }));
    this.views_ = this.viewsOf();
    this.begin_ = new Map([...this.controls_, ...this.views_].map((c) => [c.axis, c.chosen]));
    this.hideSome();
    this.element = this.build();
  }

  /** Draws; called when the figure comes into view, when something was chosen, and when colours or sizes change. */
  draw(width?: number): void {
    if (this.figure.chart.kind === 'paper') return this.drawPaper();
    const all = this.chosen();
    this.suggestScale(all.flatMap((g) => g.cells));
    const room = (panel: Panel) => width ?? (panel.holder.parentElement?.clientWidth || 640);
    const drawn = this.drawings(this.panels_.map(room));
    this.panels_.forEach((panel, i) => {
      panel.drawing = drawn.drawings[i]!;
      if (panel.drawing && width !== undefined && this.figure.chart.kind === 'lines') panel.drawing.height = heightOnPaper;
      this.paint(panel, all[i]!.cells, room(panel));
    });
    this.below(drawn.legend, drawn.notes, drawn.more, all.flatMap((g) => g.cells));
    if (!this.drawn) this.fillDifferences();
    this.drawn = true;
  }

  /** The charts at these widths, with what stands below them. */
  private drawings(widths: number[]) {
    const chosen = this.chosen();
    const all = chosen.flatMap((g) => g.cells);
    const theme = readTheme();
    const own = this.viewOf('axis') === 'own';
    const drawings = this.panels_.map((panel, i): Drawing | null => {
      const { cells } = chosen[i]!;
      const ctx: Context = {
        theme, width: widths[i]!, hidden: this.hidden_, expanded: this.expanded_, all, scaled: own ? cells : all, log: this.viewOf('scale') === 'log',
        withoutOne: this.viewOf('one') === 'without', processors: processorCount(panel.run), bounds: boundsOf(this.groups[i]!.cells, this.controls_,
          this.shape_),
        simulated: panel.run.kind === 'simulated',
      };
      return cells.some(has) ? draw(this.figure, cells, ctx, panel.run) : null;
    });
    const there = drawings.filter((d) => d !== null);
    const legend = new Map<string, LegendEntry>();
    for (const entry of there.flatMap((d) => d.legend)) if (!legend.has(entry.name)) legend.set(entry.name, entry);
    // What only explains stands behind what names a series.
    const entries = [...legend.values()].sort((a, b) => Number(a.fixed ?? false) - Number(b.fixed ?? false));
    return { drawings, legend: entries, notes: this.notesOf(drawings), more: Math.max(0, ...there.map((d) => d.more ?? 0)) };
  }

  /** Each note once; with the name of its machine where not all say the same. */
  private notesOf(drawings: (Drawing | null)[]): string[] {
    const there = this.panels_.map((p, i) => ({ name: p.run.name, notes: drawings[i]?.notes ?? [] })).filter((p) => p.notes.length > 0);
    const all = [...new Set(there.flatMap((p) => p.notes))];
    const said = (note: string) => there.filter((p) => p.notes.includes(note));
    return all.map((note) => (there.length < 2 || said(note).length === there.length ? note : `${said(note).map((p) => p.name).join(', ')}: ${note}`));
  }

  /** Logarithmic where a linear axis would press most of what is sure to the bottom, until the reader decides. */
  private suggestScale(cells: Cell[]): void {
    const scale = this.views_.find((v) => v.axis === 'scale');
    if (!scale || this.decided_.has('scale')) return;
    scale.chosen = wide(cells) ? 'log' : 'linear';
    this.selects_.get('scale')!.value = scale.chosen;
  }

  private viewOf(axis: string): string | undefined {
    return this.views_.find((v) => v.axis === axis)?.chosen;
  }

  /** How to look at the same numbers: only what makes a difference here. */
  private viewsOf(): Control[] {
    const chart = this.figure.chart;
    const views: Control[] = [];
    const view = (axis: string, title: string, chosen: string, ...options: [string, string][]) =>
      views.push({ axis, title, chosen, options: options.map(([value, words]) => ({ value, title: words })) });
    if (chart.kind === 'lines') view('scale', 'scale', 'linear', ['linear', 'linear'], ['log', 'logarithmic']);
    if (this.groups.length > 1 && ['lines', 'bars', 'best', 'heat', 'gantt'].includes(chart.kind))
      view('axis', 'axes', this.figure.own ? 'own' : 'shared', ['shared', 'the same for all'], ['own', 'of each machine']);
    const unit = chart.kind === 'best' ? chart.unit : chart.kind === 'lines' ? chart.x : '';
    const counts = valuesOf(this.groups.flatMap((g) => g.cells), unit);
    if (['threads', 'clients'].includes(unit) && counts.includes(1) && counts.length > 2) view('one', `one ${unit.slice(0, -1)}`, 'with',
      ['with', 'shown'], ['without', 'left out']);
    return views;
  }

  /** The figure with what is chosen, as the end of an address. */
  address(): string {
    // The scale is suggested anew by every choice, so it is told once it was decided.
    const told = (c: Control) => (c.axis === 'scale' ? this.decided_.has('scale') : this.begin_.get(c.axis) !== c.chosen);
    const choices = [...this.controls_, ...this.views_].filter(told);
    const pairs = choices.map((c): [string, string] => [c.axis, c.chosen]);
    if (this.lines_.length > 0) pairs.push(['lines', this.shownNames().join('~')]);
    return hashOf(this.id, pairs);
  }

  /** Chooses what an address says, as far as it can be chosen here. */
  adopt(choices: Map<string, string>): void {
    for (const c of [...this.controls_, ...this.views_]) {
      const wanted = choices.get(c.axis);
      if (wanted === undefined || !c.options.some((o) => o.value === wanted)) continue;
      c.chosen = wanted;
      this.decided_.add(c.axis);
      this.selects_.get(c.axis)!.value = wanted;
    }
    this.hideSome();
    const lines = choices.get('lines')?.split('~');
    if (lines) {
      this.lines_ = lines;
      // What was switched off stays in the legend.
      this.shownNames().forEach((n) => this.listed_.add(n));
      this.hidden_ = new Set(this.seriesNames().filter((n) => !lines.includes(n)));
    }
    if (this.drawn) this.refresh();
  }

  /** Colours or width changed. */
  redraw(width?: number): void {
    if (this.drawn) this.draw(width);
  }

  drawn = false;

  get panels(): number {
    return this.panels_.length;
  }

  private onlyMetrics(groups: { run: Run; cells: Cell[] }[]) {
    const wanted = this.shape_.metrics;
    return groups.map((g) => ({ run: g.run, cells: wanted ? g.cells.filter((c) => wanted.includes(c.metric)) : g.cells }));
  }

  private chosen() {
    return this.groups.map(({ run, cells }) => ({ run, cells: chosenCells(cells, this.controls_, this.shape_) }));
  }

  private seriesNames(): string[] {
    const chart = this.figure.chart;
    if (chart.kind !== 'lines' && chart.kind !== 'bars') return [];
    const names = chart.kind === 'lines' ? chart.names : undefined;
    return [...new Set(this.chosen().flatMap((g) => g.cells).map((c) => seriesName(c, chart.series, names)))];
  }

  private shownNames = (): string[] => this.seriesNames().filter((n) => !this.hidden_.has(n));

  /** Of dozens of lines the legend switches on the others. */
  private hideSome(): void {
    const chart = this.figure.chart;
    if (chart.kind !== 'lines') return;
    const all = this.chosen().flatMap((g) => g.cells);
    const shown = firstShown(all, chart);
    this.hidden_ = new Set(all.map((c) => seriesName(c, chart.series, chart.names)).filter((n) => !shown.has(n)));
    this.lines_ = [];
  }

  private build(): HTMLElement {
    const { figure } = this;
    const heading = `${this.id}-title`;
    const several = this.groups.length > 1;
    const panels = this.panels_.map((p) => {
      p.holder.setAttribute('tabindex', '0');
      p.holder.setAttribute('role', 'group');
      p.holder.setAttribute('aria-roledescription', 'chart');
      p.holder.addEventListener('keydown', (e) => this.walk(p, e));
      return h('div', { class: 'panel' }, several && h('h4', {}, p.run.name), p.holder);
    });
    return h('section', { class: 'figure', id: this.id, 'aria-labelledby': heading, 'data-kind': figure.chart.kind },
      h('h3', { id: heading }, figure.title),
      figure.lead !== '' && h('p', { class: 'lead' }, figure.lead),
      figure.like && h('p', { class: 'small' },
        `As ${figure.like} of “Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask”, SOSP 2013.`),
      this.chooser(),
      h('div', { class: several && figure.chart.kind !== 'paper' ? 'panels' : 'panels single' }, figure.chart.kind === 'paper' ? this.paper_ : panels),
      this.live_, this.below_, this.more());
  }

  private chooser(): HTMLElement | null {
    const controls = [...this.controls_, ...this.views_];
    if (controls.length === 0) return null;
    return h('div', { class: 'controls' }, controls.map((c) => {
      const select = h('select', { change: () => this.choose(c, select.value) },
        c.options.map((o) => h('option', { value: o.value, selected: o.value === c.chosen }, choiceTitle(c.axis, o.title))));
      this.selects_.set(c.axis, select);
      return h('label', { class: this.views_.includes(c) ? 'view' : null }, h('span', {}, sentence(c.axis === metricAxis ? 'show' : c.title)), select);
    }));
  }

  private choose(control: Control, value: string): void {
    control.chosen = value;
    this.decided_.add(control.axis);
    if (this.controls_.includes(control)) this.hideSome();
    this.refresh();
    this.remember();
  }

  /** The address of the page is that of the last figure in which something was chosen. */
  private remember(): void {
    history.replaceState(null, '', this.address());
  }

  private refresh(): void {
    this.draw();
    if (this.table_.open) this.fillTable();
    this.fillDifferences();
  }

  private paint(panel: Panel, cells: Cell[], width: number): void {
    const { drawing, holder } = panel;
    panel.at = -1;
    if (panel.chart) panel.chart.dispose();
    panel.chart = null;
    holder.replaceChildren();
    holder.classList.toggle('empty', !drawing);
    holder.style.height = drawing ? `${Math.ceil(drawing.height)}px` : '';
    holder.style.overflowX = drawing?.minWidth ? 'auto' : '';
    holder.setAttribute('aria-label', drawing ? `${drawing.label} The arrow keys read the values one by one; the table below holds them all.`
      : 'No chart: there is no value to show.');
    if (!drawing) return void holder.append(h('p', { class: 'small' }, emptyWords(cells)));
    const canvas = h('div', { class: 'canvas' });
    canvas.style.width = `${Math.max(width, drawing.minWidth ?? 0)}px`;
    canvas.style.height = `${Math.ceil(drawing.height)}px`;
    holder.append(canvas);
    panel.chart = echarts.init(canvas, null, { renderer: drawing.renderer, width: Math.max(width, drawing.minWidth ?? 0), height: Math.ceil(drawing.height) });
    panel.chart.setOption(drawing.option);
    if (this.figure.chart.kind === 'heat' && drawing.renderer === 'canvas') this.hoverPicture(panel, canvas, cells);
  }

  /** A picture has no elements to hover over: the place of the pointer tells the pair. */
  private hoverPicture(panel: Panel, canvas: HTMLElement, cells: Cell[]): void {
    const chart = this.figure.chart;
    if (chart.kind !== 'heat') return;
    const tip = h('div', { class: 'picture-tip', hidden: true });
    canvas.append(tip);
    const find = pairFinder(cells, chart, panel.run);
    panel.chart!.getZr().on('mousemove', (e: { offsetX: number; offsetY: number }) => {
      const [x, y] = panel.chart!.convertFromPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]) as [number, number];
      const box = panel.chart!.containPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]) ? find(x, y) : null;
      tip.hidden = !box;
      if (!box) return;
      tip.replaceChildren(box);
      tip.style.left = `${Math.min(e.offsetX + 14, canvas.clientWidth - 220)}px`;
      tip.style.top = `${e.offsetY + 14}px`;
    });
    panel.chart!.getZr().on('globalout', () => (tip.hidden = true));
  }

  /** Arrow keys walk through the values; each is spoken and pointed at. */
  private walk(panel: Panel, event: KeyboardEvent): void {
    const points: Point[] = panel.drawing?.points ?? [];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') panel.chart?.dispatchAction({ type: 'hideTip' });
    if (step === undefined || points.length === 0) return;
    event.preventDefault();
    panel.at = (panel.at + step + points.length) % points.length;
    const point = points[panel.at]!;
    this.live_.textContent = point.text;
    if (point.series !== undefined) panel.chart?.dispatchAction({ type: 'showTip', seriesId: point.series, dataIndex: point.index });
  }

  private below(legend: LegendEntry[], notes: string[], more: number, all: Cell[]): void {
    for (const l of legend) if (l.shown || l.fixed || !this.short_) this.listed_.add(l.name);
    const fewer = legend.filter((l) => this.listed_.has(l.name));
    const toggles = this.figure.chart.kind !== 'gantt' && this.figure.chart.kind !== 'best';
    this.below_.replaceChildren(
      ...[
        legend.length > 0 &&
          h('ul', { class: 'legend', 'aria-label': 'Legend' },
            fewer.map((l) => h('li', {}, this.legendItem(l, toggles))),
            legend.length > fewer.length && h('li', {}, h('button', { type: 'button', class: 'text', click: () => this.lengthen() },
              `${legend.length - fewer.length} more`))),
        this.figure.chart.kind === 'heat' && all.some(has) && colorBar(all),
        more > 0 && h('p', {}, h('button', { type: 'button', class: 'text', click: () => this.expand() }, this.figure.chart.kind === 'heat'
          ? 'Enlarge, with the numbers' : `Show the other ${more}`)),
        notes.length > 0 && h('p', { class: 'small' }, notes.join(' ')),
      ].filter((e): e is HTMLElement => e !== false),
    );
  }

  private legendItem(l: LegendEntry, toggles: boolean): HTMLElement {
    const mark = svgElement('svg', { class: 'mark', width: markWidth, height: markHeight, viewBox: `0 0 ${markWidth} ${markHeight}`, 'aria-hidden': 'true' });
    mark.append(markOf(l));
    if (!toggles || l.fixed) return h('span', { class: 'entry' }, mark, l.name);
    return h('button', { type: 'button', class: 'entry', 'aria-pressed': l.shown ? 'true' : 'false', click: () => this.toggle(l.name) }, mark, l.name);
  }

  private toggle(name: string): void {
    if (!this.hidden_.delete(name)) this.hidden_.add(name);
    this.lines_ = this.shownNames();
    const label = document.activeElement?.textContent;
    this.draw();
    this.remember();
    [...this.below_.querySelectorAll<HTMLButtonElement>('button.entry')].find((b) => b.textContent === label)?.focus();
  }

  private lengthen(): void {
    this.short_ = false;
    this.draw();
  }

  private expand(): void {
    this.expanded_ = true;
    this.draw();
  }

  private drawPaper(): void {
    const chart = this.figure.chart;
    if (chart.kind !== 'paper') return;
    const paper = this.published.filter((p) => !this.groups.some((g) => g.run.kind === 'published' && g.run.name === p.run.name));
    const cells = paper.map(({ run, cells: c }) => ({ run, cells: c.filter((x) => this.shape_.metrics?.includes(x.metric) ?? true) }));
    this.paper_.replaceChildren(paperTable(this.chosen(), cells, chart.rows, chart.column));
    this.below_.replaceChildren(h('p', { class: 'small' },
      `${chart.caption} Below a number stands its 95 % interval, where it has one; “?” marks what is doubtful, “far” what was measured while the virtual processors were far from each other.`));
    this.drawn = true;
  }

  private more(): HTMLElement {
    this.table_.append(h('summary', {}, 'All values as a table'), h('div', {}));
    this.table_.addEventListener('toggle', () => this.table_.open && this.fillTable());
    return h('div', { class: 'more' }, this.differences_,
      this.figure.chart.kind !== 'paper' && this.table_, this.protocol(), this.downloads());
  }

  private fillTable(): void {
    this.table_.lastElementChild!.replaceChildren(tableOf(this.chosen().filter((g) => g.cells.length > 0), this.figure.title, this.shape_.derived));
  }

  private fillDifferences(): void {
    if (this.figure.chart.kind === 'paper') return;
    const table = differencesOf(this.chosen().filter((g) => g.cells.some(has)), this.shape_.derived);
    this.differences_.replaceChildren(...(table ? [table] : []));
  }

  private protocol(): HTMLElement | null {
    const d = this.definition;
    if (!d) return null;
    const there = new Set(this.groups.flatMap((g) => g.cells.map((c) => c.metric)));
    const metrics = d.metrics.filter((m) => there.has(m.name) && (!this.shape_.metrics || this.shape_.metrics.includes(m.name)));
    return h('details', {}, h('summary', {}, 'How this was measured'),
      h('p', {}, `${d.name}: ${d.line}. Source: ${d.source}.`),
      h('dl', {}, metrics.flatMap((m) => [h('dt', {}, sentence(metricTitle(m.name)), ' ', h('code', {}, `${m.name}, ${m.unit}`)), h('dd', {}, m.definition)]),
        d.axes.flatMap((a) => [h('dt', {}, h('code', {}, a.name)), h('dd', {}, sentence(a.line))])),
      h('p', { class: 'small' }, this.groups.every((g) => g.run.kind === 'simulated')
        ? 'A value is the median over the seeds of the model’s chance; the interval is their spread (sign test, 95 %), not the model’s error. The model’s constants stand under Machines.'
        : 'A value is the median of its repetitions, each on fresh threads and fresh memory; the interval holds the true median in at least 95 of 100 such measurements (sign test).'));
  }

  private downloads(): HTMLElement {
    const name = `synchroscope-${this.id}`;
    const groups = () => this.chosen().map((g) => ({ machine: g.run.name, cells: g.cells }));
    const button = (text: string, what: string, act: () => void) => h('button', { type: 'button', class: 'text', title: what, click: act }, text);
    const picture = this.figure.chart.kind === 'paper' ? [] : [
      button('SVG', 'The figure as one drawing', () => save(`${name}.svg`, svgText(this.picture()), 'image/svg+xml')),
      button('PNG', 'The figure as one picture', () => void this.savePng(name)),
      button('Copy the picture', 'The figure as one picture, to paste elsewhere', () => void this.copyPicture()),
    ];
    return h('p', { class: 'downloads' }, 'Download: ',
      button('CSV', 'All values, a line for each', () => save(`${name}.csv`, csvOf(groups()), 'text/csv')),
      button('JSON', 'All values with their samples', () => save(`${name}.json`, JSON.stringify(groups(), null, 1), 'application/json')),
      ...picture,
      button('Copy the link', 'The address of this figure with what is chosen', () => void this.copyLink()), this.said_);
  }

  /** All that a stranger needs to read it. */
  private picture(): SVGSVGElement {
    const chosen = this.chosen();
    const cells = chosen.flatMap((g) => g.cells);
    const there = this.panels_.map((p, i) => ({ run: p.run, i })).filter(({ i }) => chosen[i]!.cells.some(has));
    const { drawings, legend, notes } = this.drawings(this.panels_.map(() => pictureWidth(there.length)));
    return pictureOf({
      title: this.figure.title,
      about: [...there.map(({ run }) => machineLine(run)), this.protocolLine(cells)].filter((t) => t !== ''),
      panels: there.map(({ run, i }) => ({ name: run.name, drawing: drawings[i]! })),
      legend: legend.filter((l) => l.shown),
      key: this.figure.chart.kind === 'heat' && cells.some(has) ? keyOf(cells) : null,
      notes,
    }, readTheme());
  }

  /** What was measured, with what was chosen and what all values have in common. */
  private protocolLine(cells: Cell[]): string {
    const shown = new Set(this.controls_.map((c) => c.axis));
    const chosen = this.controls_.map((c) => `${c.axis === metricAxis ? 'shown' : c.title}: ${c.options.find((o) => o.value === c.chosen)?.title ?? c.chosen}`);
    const common = commonPlace(cells, [...shown]);
    return [this.figure.experiment, ...chosen, common].filter((t) => t !== '').join(' · ');
  }

  private async savePng(name: string): Promise<void> {
    save(`${name}.png`, await pngOf(this.picture()), 'image/png');
  }

  private async copyPicture(): Promise<void> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(this.picture()) })]);
      this.say('The picture is in the clipboard.');
    } catch {
      this.say('This browser does not let a page copy pictures: download the PNG instead.');
    }
  }

  private async copyLink(): Promise<void> {
    this.remember();
    try {
      await navigator.clipboard.writeText(location.href);
      this.say('The link is in the clipboard.');
    } catch {
      this.say('The link stands in the address of this page.');
    }
  }

  private say(text: string): void {
    this.said_.textContent = text;
  }

  private readonly shape_: Shape;
  private readonly controls_: Control[];
  private readonly views_: Control[];
  /** What was chosen when the page was opened. */
  private readonly begin_: Map<string, string>;
  private readonly selects_ = new Map<string, HTMLSelectElement>();
  /** What the reader has chosen. */
  private readonly decided_ = new Set<string>();
  /** The series that the reader wants; none if that was left to the figure. */
  private lines_: string[] = [];
  private readonly panels_: Panel[];
  private readonly paper_ = h('div', { class: 'panel' });
  private readonly live_ = h('p', { class: 'live', 'aria-live': 'polite' });
  private readonly said_ = h('span', { class: 'said', role: 'status' });
  private readonly below_ = h('div', { class: 'below' });
  private readonly table_ = h('details', {});
  private readonly differences_ = h('div', {});
  private hidden_ = new Set<string>();
  private expanded_ = false;
  private short_ = true;
  /** Entries of the legend stay where they were once seen. */
  private readonly listed_ = new Set<string>();
}

/** Lines are as legible when they are lower, and two figures fit on a page. */
const heightOnPaper = 230;

function emptyWords(cells: Cell[]): string {
  const reasons = [...new Set(cells.map((c) => c.reason ?? (c.valid ? null : 'its self-check failed')).filter((r) => r !== null))];
  return reasons.length > 0 ? `No value: ${reasons.slice(0, 3).join('; ')}.` : 'This machine has no value here.';
}

function keyOf(cells: Cell[]): Key {
  const { low, high, share } = legendRange(cells);
  const unit = cells[0]?.unit ?? '1';
  return { least: quantity(low, unit), most: high > low ? quantity(high, unit) : '', share };
}

function colorBar(cells: Cell[]): HTMLElement {
  const key = keyOf(cells);
  const bar = h('span', { class: 'color-bar', 'aria-hidden': 'true' });
  bar.style.background = `linear-gradient(to right, ${legendColors(key.share).join(',')})`;
  return h('p', { class: 'color-key' }, key.least, bar, key.most);
}

/** "Xeon E5, 16 processors, measured 2 January 2026, 03:04 UTC (Synchroscope 0.1.0)" */
function machineLine(run: Run): string {
  const n = processorCount(run);
  const date = day(textOf(run.invocation, 'started'));
  const how = run.kind === 'simulated' ? 'simulated' : run.kind === 'published' ? 'as published' : 'measured';
  const model = textOf(run.machine, 'model_name') ?? '';
  const version = textOf(run.tool, 'version');
  return [run.name, run.name.startsWith(model) ? '' : model, n > 0 ? `${n} ${n === 1 ? 'processor' : 'processors'}` : '', [how, date].filter((t) =>
    t).join(' '), version ? `Synchroscope ${version}` : '']
    .filter((t) => t !== '').join(' · ');
}
