// Documents in. The program has checked them when it wrote the page; what is read here may still be sparse, so every
// field is taken if it is what it should be, and left out if not.

import { finite, list, listOf, object, startOf } from './data';
import type {
  Beside, Cell, Choice, Claim, Compared, Coordinate, Facts, Finding, Flag, Found, Headline, Layer, MissingLocks, Place, Ranking, Run, Source, Verdict,
  Warning,
} from './data';
import { hashOf } from './address';
import { printable, slug } from './dom';
import { isObject } from './json';
import { figureOf, type Figure } from './figures';
import { cellsOfMap, isMap } from './maps';
import { metricAxis } from './view';

export interface Definition {
  name: string;
  line: string;
  source: string;
  axes: { name: string; line: string }[];
  metrics: { name: string; unit: string; definition: string }[];
  charts: Figure[];
}

export interface Input {
  claims: Claim[];
  sources: Source[];
  runs: Run[];
  /** The paper's platforms, to stand beside the runs in tables. */
  published: Run[];
  /** In the order of the design. */
  definitions: Map<string, Definition>;
  layers: Layer[];
  /** What the program left out of the data to keep the page small, in words. */
  remarks: string[];
  /** The figure that the page has alone, as in an address. */
  only?: string;
}

const schema = 'synchroscope/1';

const text = (v: unknown, other = ''): string => (typeof v === 'string' ? v : other);

function coordinates(v: unknown): Place {
  const at: Place = Object.create(null) as Place;
  for (const [axis, value] of Object.entries(object(v)))
    if (finite(value)) at[axis] = value;
    else if (typeof value === 'string') at[axis] = printable(value, 80);
  return at;
}

function span(v: unknown): [number, number] | null {
  const [from, to] = list(v);
  return finite(from) && finite(to) && from <= to ? [from, to] : null;
}

function cellOf(v: unknown, published: boolean): Cell | null {
  const c = object(v);
  if (typeof c.experiment !== 'string' || typeof c.metric !== 'string') return null;
  const flags: Flag[] = ['ok', 'noisy', 'unreliable', 'clock_limited', 'emulated'];
  const quantiles: Record<string, number> = {};
  for (const [name, q] of Object.entries(object(c.quantiles))) if (finite(q)) quantiles[name] = q;
  const conditions: Record<string, number> = {};
  for (const [name, v] of Object.entries(object(c.conditions))) if (finite(v)) conditions[name] = v;
  const valid = c.valid !== false;
  return {
    experiment: printable(c.experiment, 60),
    at: coordinates(c.at),
    metric: printable(c.metric, 60),
    unit: printable(text(c.unit, '1'), 12),
    better: c.better === 'higher' || c.better === 'lower' ? c.better : 'neither',
    value: finite(c.value) && valid ? c.value : null,
    ci: span(c.ci),
    n: finite(c.n) ? c.n : list(c.samples).length,
    flag: flags.find((f) => f === c.flag) ?? 'unreliable',
    reason: typeof c.reason === 'string' ? printable(c.reason, 400) : null,
    valid,
    samples: list(c.samples).filter(finite),
    repetitions: list(object(c.noise).repetition).filter(finite),
    quantiles,
    published,
    probeNs: finite(c.probe_ns) && c.probe_ns > 0 ? c.probe_ns : null,
    conditions,
  };
}

/** Cells without a mode were measured in the near one; that is only worth saying where there are others. */
function nameModes(cells: Cell[]): void {
  const moving = new Set(cells.filter((c) => c.at.mode !== undefined).map((c) => c.experiment));
  if (moving.size === 0) return;
  for (const c of cells) if (moving.has(c.experiment)) c.at.mode ??= 'near';
}

function checkSchema(found: unknown, which: string): void {
  if (found === schema) return;
  const later = typeof found === 'string' && /^synchroscope\/\d+$/.test(found) && Number(found.slice(13)) > 1;
  if (later)
    throw new Error(`${which} was written by a newer Synchroscope (its schema is "${String(found)}", this report reads "${schema}").`);
  throw new Error(`${which} is not a results file of Synchroscope.`);
}

/** A simulated run may hold several machines, told apart by a coordinate: each is a run of its own. */
function split(run: Run): Run[] {
  const machines = new Set<Coordinate>();
  for (const c of run.cells) if (c.at.machine !== undefined) machines.add(c.at.machine);
  const names = [...machines];
  if (names.length === 0) return [run];
  return names.map((name) => {
    const cells = run.cells.filter((c) => c.at.machine === name);
    for (const c of cells) delete c.at.machine;
    const concerns = (w: Warning) => object(w.evidence).machine === undefined || object(w.evidence).machine === name;
    const machine = { ...run.machine, model_name: String(name) };
    const model = listOf(run.machine, 'models').map(object).find((m) => m.name === name);
    const topology = model?.topology === undefined ? run.topology : object(model.topology);
    return { ...run, topology, findings: new Map(), compared: new Map(), name: nameOf(String(name), run.kind, run.os, machine), machine,
      warnings: run.warnings.filter(concerns), cells };
  });
}

/** As the program says it in plain ASCII. */
const sentenceOf = (v: unknown): string => printable(text(v), 600).replace(/(\d) us\b/g, '$1\u00a0µs');

/** A model is called simulated; what Wine shows is Wine's and what an emulator shows is the emulator's, whatever a run was called. */
function nameOf(called: string, kind: string, os: Facts, machine: Facts): string {
  const [emulator, wine] = [text(machine.emulation), text(os.wine)];
  const short = printable(called, 40);
  if (emulator !== '') return `${short} (emulated: ${printable(emulator, 40)})`;
  if (wine !== '' && !called.includes('Wine')) return `${short} (Wine ${printable(wine, 12)})`;
  return kind === 'simulated' && !called.includes('simulated') ? `${short} (simulated)` : printable(called, 60);
}

function cellsIn(v: unknown, published: boolean): Cell[] {
  return list(v).map((c) => {
    const one = cellOf(isMap(c) ? c.map : c, published);
    if (!one) return [];
    return isMap(c) ? cellsOfMap(c, one) : [one];
  }).flat();
}

function runOf(v: unknown, which: string): Run {
  const d = object(v);
  checkSchema(d.schema, which);
  const machine = object(d.machine);
  const kind = text(machine.kind, 'hardware');
  const cells = cellsIn(d.cells, machine.kind === 'published');
  nameModes(cells);
  return {
    name: nameOf(text(d.label) || text(machine.model_name) || 'unknown machine', kind, object(d.os), machine),
    moment: '',
    kind,
    complete: d.complete !== false,
    machine,
    topology: object(d.topology),
    os: object(d.os),
    clock: object(d.clock),
    tool: object(d.tool),
    invocation: object(d.invocation),
    warnings: list(d.warnings).map(object).map((w) => ({
      id: printable(text(w.id, 'warning'), 60),
      advice: printable(text(w.advice), 500),
      evidence: w.evidence,
    })),
    cells,
    headlines: [],
    rankings: [],
    findings: new Map(),
    compared: new Map(),
    beside: null,
    nothingSure: null,
    missingLocks: null,
    choices: [],
    raw: v,
  };
}

/** When runs were begun, as short as tells them apart: "09:43 UTC"; nothing if that does not. */
function momentsOf(runs: Run[]): string[] {
  const full = runs.map(startOf);
  if (full.includes(null) || new Set(full).size < runs.length) return [];
  const parts = full.map((moment) => moment!.split(', '));
  return new Set(parts.map(([date]) => date)).size === 1 ? parts.map(([, time]) => time!) : (full as string[]);
}

/** Two runs of one name would be one line of a legend: they are told apart by their beginning, else by a number. */
function tellApart(runs: Run[]): void {
  for (const name of new Set(runs.map((r) => r.name))) {
    const alike = runs.filter((r) => r.name === name);
    const moments = alike.length > 1 ? momentsOf(alike) : [];
    moments.forEach((moment, i) => Object.assign(alike[i]!, { moment, name: `${name}, ${moment}` }));
  }
  const taken = new Set<string>();
  for (const run of runs) {
    const name = run.name;
    for (let i = 2; taken.has(run.name); ++i) run.name = `${name} (${i})`;
    taken.add(run.name);
  }
}

function headlineOf(v: unknown): Headline {
  const f = object(v);
  return { figure: printable(text(f.figure), 60), text: printable(text(f.text), 400), detail: printable(text(f.detail), 200), target: text(f.target) };
}

function rankingOf(v: unknown): Ranking {
  const r = object(v);
  const figures = list(r.figures).map(object).map((f) => ({ title: text(f.title), rank: finite(f.rank) ? f.rank : null, of: finite(f.of) ? f.of : 0 }));
  const machines = list(r.machines).map(object).map((m) => ({ name: printable(text(m.name), 80), processors: finite(m.processors) ? m.processors : 0,
    values: list(m.values).map((some) => list(some).filter(finite)) }));
  return { title: text(r.title), note: text(r.note), figures, machines };
}

const verdictsOfCells = ['better', 'worse', 'different', 'unresolved'] as const;

/** Lists of [place in this run, place in the first, verdict, ratio, low, high, as runs differ, doubt if there is one]. */
function comparedOf(v: unknown, run: Run, first: Run): Map<Cell, Compared> {
  const all = new Map<Cell, Compared>();
  for (const entry of list(v)) {
    const [own, other, what, ratio, low, high, asRuns, doubt] = list(entry);
    const [cell, base] = [run.cells[Number(own)], first.cells[Number(other)]];
    const verdict = verdictsOfCells.find((known) => known === what);
    if (cell && base && verdict)
      all.set(cell, { base, ratio: finite(ratio) ? ratio : null, ci: span([low, high]), what: verdict, asRuns: asRuns === true,
        doubt: typeof doubt === 'string' ? printable(doubt, 40) : null });
  }
  return all;
}

function besideOf(v: unknown): Beside {
  const b = object(v);
  return { sameMachine: b.same_machine === true, disturbance: sentenceOf(b.disturbance), warnings: list(b.warnings).map(sentenceOf) };
}

function foundOf(v: unknown): Found {
  const places = list(object(v).places).map(object).map((p) => ({ at: coordinates(p.at), told: list(p.told).map(sentenceOf) }));
  return { own: list(object(v).own).map(sentenceOf), places };
}

function missingLocksOf(v: unknown): MissingLocks | null {
  const m = object(v);
  return typeof m.why === 'string' ? { why: sentenceOf(m.why), command: printable(text(m.command), 800) } : null;
}

/** The figure shows the metric, protocol and number of threads that the choice rests on. */
function choiceOf(v: unknown): Choice {
  const c = object(v);
  const at = Object.entries(coordinates(c.at)).filter(([axis]) => axis === 'threads' || axis === 'protocol');
  const chosen: [string, string][] = [[metricAxis, text(c.metric)], ...at.map(([axis, value]): [string, string] => [axis, String(value)])];
  return { lock: printable(text(c.lock), 60), where: sentenceOf(c.where), because: sentenceOf(c.because), address: hashOf(slug(text(c.target)), chosen) };
}

function layerFrom(v: unknown): Layer {
  const l = object(v);
  return { name: text(l.name), title: text(l.title) };
}

function definitionOf(v: unknown): Definition {
  const d = object(v);
  const name = text(d.name);
  return {
    name,
    line: text(d.line),
    source: text(d.source),
    axes: list(d.axes).map(object).map((a) => ({ name: text(a.name), line: text(a.line) })),
    metrics: list(d.metrics).map(object).map((m) => ({
      name: text(m.name),
      unit: text(m.unit),
      definition: text(m.definition),
    })),
    charts: list(d.charts).map((c) => figureOf(name, c)).filter((f): f is Figure => f !== null),
  };
}

const verdicts: Verdict[] = ['holds', 'fails', 'open', 'unmeasured', 'none'];

function findingOf(v: unknown): Finding | null {
  const f = object(v);
  const verdict = verdicts.find((known) => known === f.verdict);
  return verdict ? { verdict, because: printable(text(f.because), 1000) } : null;
}

function claimOf(v: unknown): Claim {
  const c = object(v);
  return { id: text(c.id), where: text(c.where), says: text(c.says), figure: text(c.figure), judged: text(c.judged),
    findings: list(c.findings).map(findingOf) };
}

function sourceOf(v: unknown): Source {
  const s = object(v);
  return { letter: text(s.letter), title: text(s.title), by: text(s.by) };
}

/** Reads what the program embedded. Throws an Error whose message is a sentence for the reader. */
export function read(json: string): Input {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new Error('The data in this page is damaged: it is not JSON. Write the report again.');
  }
  const all = object(parsed);
  const documents = list(all.documents);
  const runs = documents.flatMap((d, i) => split(runOf(d, documents.length > 1 ? `Results file ${i + 1}` : 'The results file')));
  const published = list(all.published).map((d) => runOf(d, 'The published data'));
  if (runs.length === 0) throw new Error('This report holds no results.');
  tellApart(runs);
  list(all.headlines).forEach((some, i) => {
    if (runs[i]) runs[i].headlines = list(some).map(headlineOf);
  });
  list(all.rankings).forEach((some, i) => {
    if (runs[i]) runs[i].rankings = list(some).map(rankingOf);
  });
  list(all.findings).forEach((some, i) => {
    for (const [figure, found] of Object.entries(object(some)))
      runs[i]?.findings.set(figure, new Map(Object.entries(object(found)).map(([metric, f]) => [metric, foundOf(f)])));
  });
  list(all.unsure).forEach((told, i) => {
    if (runs[i] && typeof told === 'string') runs[i].nothingSure = printable(told, 1600);
  });
  list(all.locks).forEach((missing, i) => {
    if (runs[i]) runs[i].missingLocks = missingLocksOf(missing);
  });
  list(all.choices).forEach((some, i) => {
    if (runs[i]) runs[i].choices = list(some).map(choiceOf);
  });
  list(all.comparisons).forEach((found, i) => {
    if (runs[i] && isObject(found)) Object.assign(runs[i], { compared: comparedOf(found.cells, runs[i], runs[0]!), beside: besideOf(found) });
  });
  return {
    claims: list(object(all.claims).claims).map(claimOf),
    sources: list(object(all.claims).sources).map(sourceOf),
    runs,
    published,
    definitions: new Map(list(all.experiments).map(definitionOf).map((d) => [d.name, d])),
    layers: list(all.layers).map(layerFrom),
    remarks: list(all.remarks).filter((r): r is string => typeof r === 'string'),
    ...(typeof all.only === 'string' && { only: all.only }),
  };
}
