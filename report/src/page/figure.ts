// A figure of the page: title, choices, a chart for each machine, legend, table, definition, downloads.

import { draw } from '../charts/draw';
import { echarts } from '../charts/echarts';
import { heatColor, legendRange, pairFinder } from '../charts/heat';
import { has, type Context, type Drawing, type LegendEntry, type Point } from '../charts/kit';
import { firstShown } from '../charts/lines';
import { csvOf, save } from '../download';
import { h, slug } from '../dom';
import { shapeOf, type Figure } from '../figures';
import { quantity } from '../numbers';
import type { Cell, Definition, Run } from '../reading';
import { readTheme } from '../theme';
import { boundsOf, chosenCells, controlsOf, metricAxis, seriesName, type Control, type Shape } from '../view';
import { choiceTitle, metricTitle, sentence } from '../words';
import { differencesOf } from './differences';
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
    this.hideSome();
    this.element = this.build();
  }

  /** Draws; called when the figure comes into view, when something was chosen, and when colours or sizes change. */
  draw(width?: number): void {
    if (this.figure.chart.kind === 'paper') return this.drawPaper();
    const chosen = this.chosen();
    const all = chosen.flatMap((g) => g.cells);
    const theme = readTheme();
    let legend: LegendEntry[] = [];
    const notes = new Set<string>();
    let more = 0;
    this.panels_.forEach((panel, i) => {
      const cells = chosen[i]!.cells;
      const room = width ?? (panel.holder.parentElement?.clientWidth || 640);
      const bounds = boundsOf(this.groups[i]!.cells, this.controls_, this.shape_);
      const ctx: Context = { theme, width: room, hidden: this.hidden_, expanded: this.expanded_, all, bounds, simulated: panel.run.kind === 'simulated' };
      panel.drawing = cells.some(has) ? draw(this.figure, cells, ctx, panel.run) : null;
      this.paint(panel, cells, room);
      if (panel.drawing && panel.drawing.legend.length > legend.length) legend = panel.drawing.legend;
      panel.drawing?.notes.forEach((n) => notes.add(n));
      more = Math.max(more, panel.drawing?.more ?? 0);
    });
    this.below(legend, [...notes], more, all);
    if (!this.drawn) this.fillDifferences();
    this.drawn = true;
  }

  /** Colours or width changed. */
  redraw(width?: number): void {
    if (this.drawn) this.draw(width);
  }

  drawn = false;

  private onlyMetrics(groups: { run: Run; cells: Cell[] }[]) {
    const wanted = this.shape_.metrics;
    return groups.map((g) => ({ run: g.run, cells: wanted ? g.cells.filter((c) => wanted.includes(c.metric)) : g.cells }));
  }

  private chosen() {
    return this.groups.map(({ run, cells }) => ({ run, cells: chosenCells(cells, this.controls_, this.shape_) }));
  }

  /** Of dozens of lines the legend switches on the others. */
  private hideSome(): void {
    const chart = this.figure.chart;
    if (chart.kind !== 'lines') return;
    const all = this.chosen().flatMap((g) => g.cells);
    const shown = firstShown(all, chart);
    this.hidden_ = new Set(all.map((c) => seriesName(c, chart.series)).filter((n) => !shown.has(n)));
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
      figure.like && h('p', { class: 'small' }, `As ${figure.like} of “Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask”, SOSP 2013.`),
      this.chooser(),
      h('div', { class: several && figure.chart.kind !== 'paper' ? 'panels' : 'panels single' }, figure.chart.kind === 'paper' ? this.paper_ : panels),
      this.live_, this.below_, this.more());
  }

  private chooser(): HTMLElement | null {
    if (this.controls_.length === 0) return null;
    return h('div', { class: 'controls' }, this.controls_.map((c) => {
      const select = h('select', { change: () => this.choose(c, select.value) },
        c.options.map((o) => h('option', { value: o.value, selected: o.value === c.chosen }, choiceTitle(c.axis, o.title))));
      return h('label', {}, h('span', {}, sentence(c.axis === metricAxis ? 'show' : c.title)), select);
    }));
  }

  private choose(control: Control, value: string): void {
    control.chosen = value;
    this.hideSome();
    this.refresh();
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
    holder.setAttribute('aria-label', drawing ? `${drawing.label} The arrow keys read the values one by one; the table below holds them all.` : 'No chart: there is no value to show.');
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
    for (const l of legend) if (l.shown || !this.short_) this.listed_.add(l.name);
    const fewer = legend.filter((l) => this.listed_.has(l.name));
    const toggles = this.figure.chart.kind !== 'gantt' && this.figure.chart.kind !== 'best';
    this.below_.replaceChildren(
      ...[
        legend.length > 0 &&
          h('ul', { class: 'legend', 'aria-label': 'Legend' },
            fewer.map((l) => h('li', {}, this.legendItem(l, toggles))),
            legend.length > fewer.length && h('li', {}, h('button', { type: 'button', class: 'text', click: () => this.lengthen() }, `${legend.length - fewer.length} more`))),
        this.figure.chart.kind === 'heat' && all.some(has) && colorBar(all),
        more > 0 && h('p', {}, h('button', { type: 'button', class: 'text', click: () => this.expand() }, this.figure.chart.kind === 'heat' ? 'Enlarge, with the numbers' : `Show the other ${more}`)),
        notes.length > 0 && h('p', { class: 'small' }, notes.join(' ')),
      ].filter((e): e is HTMLElement => e !== false),
    );
  }

  private legendItem(l: LegendEntry, toggles: boolean): HTMLElement {
    const mark = h('span', { class: `mark ${l.symbol}${Array.isArray(l.dash) ? ' dashed' : ''}`, 'aria-hidden': 'true' });
    mark.style.setProperty('--mark', l.color);
    if (!toggles || l.symbol === 'dash') return h('span', { class: 'entry' }, mark, l.name);
    return h('button', { type: 'button', class: 'entry', 'aria-pressed': l.shown ? 'true' : 'false', click: () => this.toggle(l.name) }, mark, l.name);
  }

  private toggle(name: string): void {
    if (!this.hidden_.delete(name)) this.hidden_.add(name);
    const label = document.activeElement?.textContent;
    this.draw();
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
    this.below_.replaceChildren(h('p', { class: 'small' }, `${chart.caption} Pointing at a number shows its interval, where it has one.`));
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
    return h('p', { class: 'downloads' }, 'Download: ',
      h('button', { type: 'button', class: 'text', click: () => save(`${name}.csv`, csvOf(groups()), 'text/csv') }, 'CSV'),
      h('button', { type: 'button', class: 'text', click: () => save(`${name}.json`, JSON.stringify(groups(), null, 1), 'application/json') }, 'JSON'),
      this.figure.chart.kind !== 'paper' && h('button', { type: 'button', class: 'text', click: () => this.saveSvg(name) }, 'SVG'));
  }

  private saveSvg(name: string): void {
    if (!this.drawn) this.draw();
    this.panels_.forEach((panel, i) => {
      if (!panel.drawing) return;
      const width = Math.max(640, panel.drawing.minWidth ?? 0);
      const copy = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height: panel.drawing.height });
      copy.setOption({ ...panel.drawing.option, backgroundColor: readTheme().paper });
      save(`${name}${this.panels_.length > 1 ? `-${i + 1}` : ''}.svg`, copy.renderToSVGString(), 'image/svg+xml');
      copy.dispose();
    });
  }

  private readonly shape_: Shape;
  private readonly controls_: Control[];
  private readonly panels_: Panel[];
  private readonly paper_ = h('div', { class: 'panel' });
  private readonly live_ = h('p', { class: 'live', 'aria-live': 'polite' });
  private readonly below_ = h('div', { class: 'below' });
  private readonly table_ = h('details', {});
  private readonly differences_ = h('div', {});
  private hidden_ = new Set<string>();
  private expanded_ = false;
  private short_ = true;
  /** Entries of the legend stay where they were once seen. */
  private readonly listed_ = new Set<string>();
}

function emptyWords(cells: Cell[]): string {
  const reasons = [...new Set(cells.map((c) => c.reason ?? (c.valid ? null : 'its self-check failed')).filter((r) => r !== null))];
  return reasons.length > 0 ? `No value: ${reasons.slice(0, 3).join('; ')}.` : 'This machine has no value here.';
}

function colorBar(cells: Cell[]): HTMLElement {
  const [low, high] = legendRange(cells);
  const unit = cells[0]?.unit ?? '1';
  const bar = h('span', { class: 'color-bar', 'aria-hidden': 'true' });
  bar.style.background = `linear-gradient(to right, ${[0, 0.2, 0.4, 0.6, 0.8, 1].map((s) => `rgb(${heatColor(high > low ? s : 0.3).join(',')})`).join(',')})`;
  return h('p', { class: 'color-key' }, quantity(low, unit), bar, high > low ? quantity(high, unit) : null);
}
