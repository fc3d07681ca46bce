// A figure of the page: title, choices, a chart for each machine, legend, table, definition, downloads.

import { echarts } from '../charts/echarts';
import { legendColors, pairFinder } from '../charts/heat';
import type { Part } from '../charts/part';
import { has, type Drawing, type LegendEntry, type Point } from '../charts/kit';
import { markHeight, markOf, markWidth } from '../charts/mark';
import type { Competing, Places } from '../colours';
import { csvOf, jsonOf, save } from '../download';
import { h, slug } from '../dom';
import type { Figure } from '../figures';
import { FigureModel, keyOf } from '../model';
import { mark, onMarked } from '../marked';
import type { Group, Panel } from '../panel';
import { pngOf } from '../picture';
import { sentenceOf } from '../published';
import type { Cell } from '../data';
import type { Definition } from '../reading';
import { shape, svgElement } from '../svg';
import { readTheme } from '../theme';
import { traceOf } from '../trace';
import { metricAxis, metricsOf, type Control } from '../view';
import { choiceTitle, metricTitle, sentence } from '../words';
import { differencesOf } from './differences';
import { paperTable, tableOf } from './table';
import { zoomButtons, zoomByKey, zoomByPointer } from './zoom';

type Chart = ReturnType<typeof echarts.init>;

/** A chart on the page. */
interface Stage {
  panel: Panel;
  holder: HTMLElement;
  chart: Chart | null;
  drawing: Drawing | null;
  at: number;
}

/** What the paper's text says of a figure that it has as a picture. */
const papersWords = ({ like, published }: Figure): HTMLElement | null => {
  if (!published || !like?.startsWith('Fig.')) return null;
  const said = published.filter((p) => p.words !== '');
  if (said.length === 0) return h('p', { class: 'small papers' }, 'The paper published this as a picture only.');
  return h('details', { class: 'papers', open: true }, h('summary', {}, 'The paper has a picture; what its text says of it'),
    h('ul', { class: 'small' }, said.map((p) => h('li', {}, sentenceOf(p)))));
};

/** What the chart library says of what the pointer is over; a line tells no place of a point. */
interface Pointed {
  seriesIndex?: number;
  dataIndex?: number;
}

const seriesOf = (stage: Stage): { id?: string; type: string }[] => (stage.drawing?.option.series ?? []) as { id?: string; type: string }[];

const nameAt = (stage: Stage, { seriesIndex, dataIndex }: Pointed): string | undefined => {
  const own = seriesOf(stage)[seriesIndex ?? -1];
  return stage.drawing?.points.find((p) => p.series === own?.id && (dataIndex === undefined || own?.type === 'line' || p.index === dataIndex))?.of;
};

/** A line as a whole, else each bar or box. */
function markIn(stage: Stage, name: string | undefined): void {
  stage.chart?.dispatchAction({ type: 'downplay' });
  if (name === undefined) return;
  seriesOf(stage).forEach(({ id, type }, seriesIndex) => {
    const places = (stage.drawing?.points ?? []).filter((p) => p.series !== undefined && p.series === id && p.of === name).map((p) => p.index);
    if (places.length > 0) stage.chart?.dispatchAction({ type: 'highlight', seriesIndex, ...(type === 'line' ? {} : { dataIndex: places }) });
  });
}

/** Of a table in half a wide screen. */
const mostColumns = 6;

const hideTip = (stage: Stage): void => stage.chart?.dispatchAction({ type: 'hideTip' });

export class FigureView {
  readonly element: HTMLElement;
  readonly id: string;
  drawn = false;

  constructor(figure: Figure, groups: Group[], published: Group[], definition: Definition | undefined) {
    this.model_ = new FigureModel(figure, groups, published, definition);
    this.id = this.model_.id;
    this.paper_ = h('div', { class: 'panel' });
    this.element = this.build();
    onMarked((name) => this.showMarked(name));
  }

  private get figure(): Figure {
    return this.model_.figure;
  }

  get unsure(): boolean {
    return this.model_.unsure;
  }

  get importance(): number {
    return this.model_.importance;
  }

  get experiment(): string {
    return this.model_.experiment;
  }

  get title(): string {
    return this.figure.title;
  }

  competing(): Competing | null {
    return this.model_.competing();
  }

  get colours(): Places {
    return this.model_.colours;
  }

  set colours(places: Places) {
    this.model_.colours = places;
  }

  words(): string[] {
    return this.model_.words();
  }

  /** How many charts stand beside each other. */
  get panels(): number {
    return this.model_.panels().length;
  }

  private get zoom(): Drawing['zoom'] {
    return this.stages_.find((s) => s.drawing?.zoom)?.drawing?.zoom;
  }

  /** A table for which half of a wide screen is too narrow. */
  private get wide(): boolean {
    const chart = this.figure.chart;
    return chart.kind === 'paper' && (chart.column !== '' || this.model_.groups.length + this.model_.published.length > mostColumns);
  }

  /** Draws; called when the figure comes into view, when something was chosen, and when colours or sizes change. */
  draw(width?: number): void {
    if (this.figure.chart.kind === 'paper') return this.drawPaper();
    this.setStages();
    const room = (i: number) => width ?? (this.stages_[i]!.holder.parentElement?.clientWidth || 640);
    const drawn = this.model_.drawn(room, readTheme());
    for (const c of [...this.model_.controls, ...this.model_.views]) this.selects_.get(c.axis)!.value = c.chosen;
    this.stages_.forEach((stage, i) => {
      stage.panel = drawn.panels[i]!;
      stage.drawing = drawn.drawings[i]!;
      if (stage.drawing && width !== undefined && this.figure.chart.kind === 'lines') stage.drawing.height = heightOnPaper;
      this.paint(stage, room(i));
    });
    this.below(drawn.legend, drawn.notes, drawn.more, drawn.panels.filter((p) => !p.ratio).flatMap((p) => p.cells));
    if (!this.drawn) this.fillDifferences();
    this.drawn = true;
  }

  /** An element for each chart; what is chosen may change how many there are. */
  private setStages(): void {
    const panels = this.model_.panels();
    const names = panels.map((p) => p.name);
    if (this.stages_.length > 0 && names.join('\n') === this.stages_.map((s) => s.panel.name).join('\n')) return;
    for (const s of this.stages_) s.chart?.dispose();
    this.stages_ = panels.map((panel) => {
      const holder = h('div', { class: 'chart', tabindex: 0, role: 'group', 'aria-roledescription': 'chart' });
      const stage: Stage = { panel, holder, chart: null, drawing: null, at: -1 };
      holder.addEventListener('keydown', (e) => this.walk(stage, e));
      holder.addEventListener('blur', () => (hideTip(stage), mark(undefined)));
      return stage;
    });
    const several = panels.length > 1;
    this.holders_.className = several ? 'panels' : 'panels single';
    this.holders_.replaceChildren(...this.stages_.map((s) => h('div', { class: 'panel' }, several && h('h4', {}, s.panel.name), s.holder)));
  }

  /** Chooses what an address says, as far as it can be chosen here. */
  adopt(choices: Map<string, string>): void {
    this.model_.adopt(choices);
    // What was switched off stays in the legend.
    this.model_.first.forEach((n) => this.listed_.add(n));
    if (this.drawn) this.refresh();
  }

  /** Colours or width changed. */
  redraw(width?: number): void {
    if (this.drawn) this.draw(width);
  }

  private build(): HTMLElement {
    const { figure } = this;
    const heading = `${this.id}-title`;
    if (figure.chart.kind === 'paper') this.holders_.replaceChildren(this.paper_);
    else this.setStages();
    this.sayFindings();
    return h('section', { class: this.wide ? 'figure wide' : 'figure', id: this.id, 'aria-labelledby': heading, 'data-kind': figure.chart.kind },
      h('h3', { id: heading }, figure.title),
      figure.lead !== '' && h('p', { class: 'lead' }, figure.lead),
      figure.like && h('p', { class: 'small' },
        `As ${figure.like} of “Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask”, SOSP 2013.`),
      this.found_, this.chooser(), this.holders_, this.live_, this.below_, papersWords(figure), this.more());
  }

  private sayFindings(): void {
    this.found_.replaceChildren(...this.model_.findings().map((t) => h('p', { class: 'found' }, t)));
  }

  private chooser(): HTMLElement | null {
    const controls = [...this.model_.controls, ...this.model_.views];
    if (controls.length === 0) return null;
    return h('div', { class: 'controls' }, controls.map((c) => {
      const select = h('select', { change: () => this.choose(c, select.value) },
        c.options.map((o) => h('option', { value: o.value, selected: o.value === c.chosen }, choiceTitle(c.axis, o.title))));
      this.selects_.set(c.axis, select);
      return h('label', { class: this.model_.views.includes(c) ? 'view' : null }, h('span', {}, sentence(c.axis === metricAxis ? 'show' : c.title)), select);
    }));
  }

  private choose(control: Control, value: string): void {
    this.model_.choose(control, value);
    this.refresh();
    this.remember();
  }

  /** The address of the page is that of the last figure in which something was chosen. */
  private remember(): void {
    history.replaceState(null, '', this.model_.address());
  }

  private refresh(): void {
    this.draw();
    this.sayFindings();
    if (this.table_.open) this.fillTable();
    this.fillDifferences();
  }

  private paint(stage: Stage, width: number): void {
    const { drawing, holder, panel } = stage;
    stage.at = -1;
    if (stage.chart) stage.chart.dispose();
    stage.chart = null;
    holder.replaceChildren();
    holder.classList.toggle('empty', !drawing);
    holder.style.height = drawing ? `${Math.ceil(drawing.height)}px` : '';
    holder.style.overflowX = drawing?.minWidth ? 'auto' : '';
    holder.setAttribute('aria-label', drawing
      ? `${drawing.label} ${drawing.points.length > 0 ? 'The arrow keys read the values one by one; the' : 'The'} table below holds them all.`
      : 'No chart: there is no value to show.');
    if (!drawing) return void holder.append(h('p', { class: 'small' }, emptyWords(panel.cells)));
    const canvas = h('div', { class: 'canvas' });
    canvas.style.width = `${Math.max(width, drawing.minWidth ?? 0)}px`;
    canvas.style.height = `${Math.ceil(drawing.height)}px`;
    holder.append(canvas);
    stage.chart = echarts.init(canvas, null, { renderer: drawing.renderer, width: Math.max(width, drawing.minWidth ?? 0), height: Math.ceil(drawing.height) });
    stage.chart.setOption(drawing.option);
    stage.chart.on('mouseover', (e) => mark(nameAt(stage, e as Pointed)));
    stage.chart.on('mouseout', () => mark(undefined));
    if (this.figure.chart.kind === 'heat' && drawing.renderer === 'canvas') this.hoverPicture(stage, canvas);
    if (drawing.zoom) zoomByPointer(stage.chart, canvas, drawing.zoom, (part) => this.lookAt(part));
  }

  /** A picture has no elements to hover over: the place of the pointer tells the pair. */
  private hoverPicture(stage: Stage, canvas: HTMLElement): void {
    const chart = this.figure.chart;
    if (chart.kind !== 'heat') return;
    const tip = h('div', { class: 'picture-tip', hidden: true });
    canvas.append(tip);
    let finder: ReturnType<typeof pairFinder> | undefined; // made once somebody points at the map
    const find = (x: number, y: number) => (finder ??= pairFinder(stage.panel.cells, chart, stage.panel.run, stage.drawing!.zoom?.part ?? null))(x, y);
    const map = stage.chart!;
    map.getZr().on('mousemove', (e: { offsetX: number; offsetY: number }) => {
      const [x, y] = map.convertFromPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]) as [number, number];
      const box = map.containPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]) ? find(x, y) : null;
      tip.hidden = !box;
      if (!box) return;
      tip.replaceChildren(box);
      tip.style.left = `${Math.min(e.offsetX + 14, canvas.clientWidth - 220)}px`;
      tip.style.top = `${e.offsetY + 14}px`;
    });
    map.getZr().on('globalout', () => (tip.hidden = true));
  }

  /** Arrow keys walk through the values; each is spoken and pointed at. */
  private walk(stage: Stage, event: KeyboardEvent): void {
    const points: Point[] = stage.drawing?.points ?? [];
    const zoom = stage.drawing?.zoom;
    if (zoom && zoomByKey(event, zoom, points.length > 0, (part) => this.lookAt(part))) return event.preventDefault();
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') hideTip(stage);
    // With Shift they move a part; other keys with them are the browser's.
    const other = event.altKey || event.ctrlKey || event.metaKey || (zoom !== undefined && event.shiftKey);
    if (step === undefined || points.length === 0 || other) return;
    event.preventDefault();
    stage.at = (stage.at + step + points.length) % points.length;
    const point = points[stage.at]!;
    this.live_.textContent = point.text;
    mark(point.of);
    // The library finds what to point at by the place of its series alone.
    const seriesIndex = seriesOf(stage).findIndex((s) => s.id === point.series);
    if (seriesIndex >= 0) stage.chart?.dispatchAction({ type: 'showTip', seriesIndex, dataIndex: point.index });
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
        this.zoom !== undefined && zoomButtons(this.zoom, (part) => this.lookAt(part)),
        more > 0 && h('p', {}, h('button', { type: 'button', class: 'text', click: () => this.expand() }, this.figure.chart.kind === 'heat'
          ? 'Enlarge, with the numbers' : `Show the other ${more === 1 ? 'one' : more}`)),
        notes.length > 0 && h('p', { class: 'small' }, notes.join(' ')),
      ].filter((e): e is HTMLElement => e !== false),
    );
  }

  private legendItem(l: LegendEntry, toggles: boolean): HTMLElement {
    const sign = svgElement(shape('svg', { class: 'mark', width: markWidth, height: markHeight, viewBox: `0 0 ${markWidth} ${markHeight}`, 'aria-hidden': 'true' },
      markOf(l)));
    if (!toggles || l.fixed) return h('span', { class: 'entry' }, sign, l.name);
    const point = () => mark(this.stages_.flatMap((s) => s.drawing?.points ?? []).find((p) => p.series === l.name)?.of);
    const leave = () => mark(undefined);
    return h('button', { type: 'button', class: 'entry', 'aria-pressed': l.shown ? 'true' : 'false', click: () => this.toggle(l.name), mouseenter: point,
      mouseleave: leave, focus: point, blur: leave }, sign, l.name);
  }

  private showMarked(name: string | undefined): void {
    for (const stage of this.stages_) if (stage.chart) markIn(stage, name);
    // An entry is marked where it names nobody else.
    const points = this.stages_.flatMap((s) => s.drawing?.points ?? []);
    const of = (series: string | null) => new Set(points.filter((p) => p.series === series).map((p) => p.of));
    this.below_.querySelectorAll('.entry').forEach((e) => {
      const named = name === undefined ? null : of(e.textContent);
      e.classList.toggle('marked', named !== null && named.size === 1 && named.has(name));
    });
  }

  private lookAt(part: Part | null): void {
    this.model_.part = part;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.zoom;
    this.draw();
    this.live_.textContent = this.zoom?.said ?? '';
    if (focused) (this.below_.querySelector<HTMLElement>(`[data-zoom="${focused}"]`) ?? this.below_.querySelector<HTMLElement>('[data-zoom]'))?.focus();
  }

  private toggle(name: string): void {
    this.model_.toggle(name);
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
    this.model_.expanded = true;
    this.draw();
  }

  private drawPaper(): void {
    const chart = this.figure.chart;
    if (chart.kind !== 'paper') return;
    this.paper_.replaceChildren(paperTable(this.model_.chosen(), this.model_.beside(), chart.rows, chart.column, this.figure.title));
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
    const groups = this.model_.chosen().filter((g) => g.cells.length > 0);
    this.table_.lastElementChild!.replaceChildren(tableOf(groups, this.figure.title, this.model_.shape.derived));
  }

  private fillDifferences(): void {
    if (this.figure.chart.kind === 'paper') return;
    const isCompared = ({ run }: Group) => run.kind !== 'published' || run.beside !== null;
    const table = differencesOf(this.model_.chosen().filter((g) => isCompared(g) && g.cells.some(has)), this.figure.title, this.model_.shape.derived);
    this.differences_.replaceChildren(...(table ? [table] : []));
  }

  private protocol(): HTMLElement | null {
    const d = this.model_.definition;
    if (!d) return null;
    const there = new Set(this.model_.groups.flatMap((g) => metricsOf(g.cells)));
    const metrics = d.metrics.filter((m) => there.has(m.name) && (!this.model_.shape.metrics || this.model_.shape.metrics.includes(m.name)));
    return h('details', {}, h('summary', {}, 'How this was measured'),
      h('p', {}, `${d.name}: ${d.line}. Source: ${d.source}.`),
      h('dl', {}, metrics.flatMap((m) => [h('dt', {}, sentence(metricTitle(m.name)), ' ', h('code', {}, `${m.name}, ${m.unit}`)), h('dd', {}, m.definition)]),
        d.axes.flatMap((a) => [h('dt', {}, h('code', {}, a.name)), h('dd', {}, sentence(a.line))])),
      h('p', { class: 'small' }, this.model_.groups.every((g) => g.run.kind === 'simulated')
        ? 'A value is the median over the seeds of the model’s chance; the interval is their spread (sign test, 95 %), not the model’s error. The model’s constants are listed under Machines.'
        : 'A value is the median of its repetitions, each on fresh threads and fresh memory; the interval holds the true median in at least 95 of 100 such measurements (sign test).'));
  }

  private downloads(): HTMLElement {
    const name = this.fileName();
    const groups = () => [...this.model_.chosen(), ...this.model_.beside()].map((g) => ({ machine: g.run.name, cells: g.cells }));
    const button = (text: string, what: string, act: () => void) => h('button', { type: 'button', class: 'text', title: what, click: act }, text);
    const picture = this.figure.chart.kind === 'paper' ? [] : [
      button('SVG', 'The figure as one drawing', () => save(`${name}.svg`, this.model_.picture(readTheme()).text, 'image/svg+xml')),
      button('PNG', 'The figure as one picture', () => void this.savePng(name)),
      button('Copy the picture', 'The figure as one picture, to paste elsewhere', () => void this.copyPicture()),
    ];
    const trace = this.figure.chart.kind !== 'gantt' ? [] : [button('Trace', 'The timeline as a trace, which Perfetto (ui.perfetto.dev) and chrome://tracing open',
      () => save(`${name}.trace.json`, traceOf(this.figure.chart, this.model_.chosen()), 'application/json'))];
    return h('p', { class: 'downloads' }, 'Download: ',
      button('CSV', 'All values, a line for each', () => save(`${name}.csv`, csvOf(groups()), 'text/csv')),
      button('JSON', 'All values with their samples', () => save(`${name}.json`, jsonOf(groups()), 'application/json')),
      ...picture, ...trace,
      button('Copy the link', 'The address of this figure with what is chosen', () => void this.copyLink()), this.said_);
  }

  /** With the machine or, of several, how many there are: files of two machines have two names. */
  private fileName(): string {
    const runs = this.model_.groups.map((g) => g.run).filter((r) => r.kind !== 'published');
    const whose = runs.length > 1 ? `${slug(runs[0]!.name)}-and-${runs.length - 1}-more` : slug(runs[0]?.name ?? 'published');
    return ['synchroscope', whose.slice(0, 60), this.id].filter((t) => t !== '').join('-');
  }

  private async savePng(name: string): Promise<void> {
    save(`${name}.png`, await pngOf(this.model_.picture(readTheme())), 'image/png');
  }

  private async copyPicture(): Promise<void> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(this.model_.picture(readTheme())) })]);
      this.say('The picture is in the clipboard.');
    } catch {
      this.say('This browser does not let a page copy pictures: download the PNG instead.');
    }
  }

  private async copyLink(): Promise<void> {
    this.remember();
    const file = location.protocol === 'file:';
    try {
      await navigator.clipboard.writeText(file ? linkInFile() : location.href);
      this.say(file ? 'Copied. Whoever has this file opens it and adds “#” and what follows it to its address.'
        : 'The link is in the clipboard.');
    } catch {
      this.say('The link is in the address bar.');
    }
  }

  private say(text: string): void {
    this.said_.textContent = text;
  }

  private readonly model_: FigureModel;
  private readonly selects_ = new Map<string, HTMLSelectElement>();
  private stages_: Stage[] = [];
  private readonly holders_ = h('div', { class: 'panels single' });
  private readonly paper_: HTMLElement;
  private readonly found_ = h('div', {});
  private readonly live_ = h('p', { class: 'live', 'aria-live': 'polite' });
  private readonly said_ = h('span', { class: 'said', role: 'status' });
  private readonly below_ = h('div', { class: 'below' });
  private readonly table_ = h('details', {});
  private readonly differences_ = h('div', {});
  private short_ = true;
  /** Entries of the legend stay where they were once seen. */
  private readonly listed_ = new Set<string>();
}

/** The address of a page that was opened as a file is one of this machine only: its file is called so elsewhere, too. */
const linkInFile = (): string => decodeURIComponent(location.pathname.split('/').pop() ?? '') + location.hash;

/** Lines are as legible when they are lower, and two figures fit on a page. */
const heightOnPaper = 200;

function emptyWords(cells: Cell[]): string {
  const reasons = [...new Set(cells.map((c) => c.reason ?? (c.valid ? null : 'its self-check failed')).filter((r) => r !== null))];
  return reasons.length > 0 ? `No value: ${reasons.slice(0, 3).join('; ')}.` : 'This machine has no value here.';
}

function colorBar(cells: Cell[]): HTMLElement {
  const key = keyOf(cells);
  const bar = h('span', { class: 'color-bar', 'aria-hidden': 'true' });
  bar.style.background = `linear-gradient(to right, ${legendColors(key.share).join(',')})`;
  return h('p', { class: 'color-key' }, key.least, bar, key.most);
}

