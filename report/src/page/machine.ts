// What the numbers were measured on, in words, and everything else that the file tells about it.

import { h, printable } from '../dom';
import { count, listOf, numberOf, objectOf, processorCount, startOf, textOf, type Facts, type Run } from '../data';
import { plural } from '../words';
import { scroller } from './table';

function bytes(n: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, n)) / 10));
  return `${Number((n / 1024 ** at).toPrecision(3))} ${units[at]!}`;
}

/** "2 processors on 2 cores, one package" */
export function processorsOf(run: Run): string {
  const cpus = listOf(run.topology, 'cpus').filter((c): c is Facts => typeof c === 'object' && c !== null);
  if (cpus.length === 0) return textOf(run.machine, 'processors') ?? '';
  const distinct = (level: string) => new Set(cpus.map((c) => c[level])).size;
  const cores = distinct('core');
  const packages = distinct('package');
  const nodes = distinct('node');
  return [
    plural(cpus.length, 'processor'),
    cores !== cpus.length ? `on ${plural(cores, 'core')}` : '',
    packages > 1 ? `in ${packages} packages` : '',
    nodes > 1 && nodes !== packages ? `with ${nodes} ${run.kind === 'simulated' ? 'dies' : 'memory nodes'}` : '', // a model's memory is at its dies
  ].filter((t) => t).join(' ');
}

/** What it is, besides its name. */
export function aboutMachine(run: Run): string[] {
  const virtual = textOf(run.machine, 'virtualization');
  const kinds: Record<string, string> = { simulated: 'simulated, not measured', published: 'published in the paper' };
  return [
    kinds[run.kind] ?? '',
    run.name.startsWith(textOf(run.machine, 'model_name') ?? '') ? '' : (textOf(run.machine, 'model_name') ?? ''),
    processorsOf(run),
    virtual && virtual !== 'none' ? `virtual machine (${virtual})` : '',
    textOf(run.os, 'name') ?? '',
  ].filter((t) => t !== '');
}

/** "12 s", which no line breaks. */
const duration = (seconds: number): string =>
  (seconds < 0.5 ? 'less than a second' : seconds < 90 ? `${Math.round(seconds)}\u00a0s` : `${Math.round(seconds / 60)}\u00a0min`);

/** The line below the machine's name. */
export function aboutRun(run: Run): string[] {
  const wall = numberOf(run.invocation, 'wall_s');
  return [
    ...aboutMachine(run),
    startOf(run) ?? '',
    wall !== null ? `${run.kind === 'simulated' ? 'computed' : 'measured'} in ${duration(wall)}` : '',
  ].filter((t) => t !== '');
}

/** "Xeon E5, 16 processors, measured 2 January 2026, 03:04 UTC (Synchroscope 0.1.0)" */
export function machineLine(run: Run): string {
  const n = processorCount(run);
  const date = startOf(run);
  const how = run.kind === 'simulated' ? 'simulated' : run.kind === 'published' ? 'as published' : 'measured';
  const model = textOf(run.machine, 'model_name') ?? '';
  const version = textOf(run.tool, 'version');
  return [run.name, run.name.startsWith(model) ? '' : model, n > 0 ? `${n} ${n === 1 ? 'processor' : 'processors'}` : '', [how, date].filter((t) =>
    t).join(' '), version ? `Synchroscope ${version}` : '']
    .filter((t) => t !== '').join(' · ');
}

function caches(run: Run): string {
  return listOf(run.topology, 'caches')
    .filter((c): c is Facts => typeof c === 'object' && c !== null)
    .map((c) => `L${numberOf(c, 'level') ?? '?'} ${bytes(numberOf(c, 'bytes') ?? 0)}${(numberOf(c, 'sharers') ?? 1) > 1 ? ` for ${numberOf(c, 'sharers')} processors` : ''}`)
    .join(', ');
}

function rows(run: Run): [string, string | null][] {
  const memory = numberOf(run.machine, 'memory_bytes');
  const hz = numberOf(run.clock, 'hz');
  const read = numberOf(run.clock, 'read_cost_ns');
  return [
    ['Processor', textOf(run.machine, 'model_name')],
    ['Processors', processorsOf(run) || null],
    ['Caches', caches(run) || null],
    ['Memory', memory === null ? null : bytes(memory)],
    ['Emulated by', textOf(run.machine, 'emulation')],
    ['Virtual machine', textOf(run.machine, 'virtualization')],
    ['System', [textOf(run.os, 'name'), textOf(run.os, 'kernel')].filter((t) => t).join(', kernel ') || null],
    ['Clock', [textOf(run.clock, 'source'), hz ? `${(hz / 1e9).toFixed(3)} GHz` : null, read !== null ? `a reading costs ${read.toPrecision(3)} ns`
      : null].filter((t) => t).join(', ') || null],
    ['Program', [textOf(run.tool, 'version'), textOf(run.tool, 'git'), textOf(run.tool, 'compiler'), textOf(run.tool, 'flags')].filter((t) => t).join(', ')
      || null],
    ['Started', startOf(run)],
    ['Command', listOf(run.invocation, 'argv').filter((a): a is string => typeof a === 'string').map((a) => printable(a, 200)).join(' ') || null],
    [run.kind === 'simulated' ? 'Seed' : 'Seed of the order', run.invocation.seed === undefined || run.invocation.seed === null ? null
      : String(run.invocation.seed)],
    ['Values', `${run.cells.filter((c) => c.value !== null).length} of ${run.cells.length} cells`],
  ];
}

/** The constants of the model that was simulated, each with its origin. */
function constantsOf(run: Run): HTMLElement | null {
  const facts = (list: unknown[]) => list.filter((f): f is Facts => typeof f === 'object' && f !== null);
  const model = facts(listOf(run.machine, 'models')).find((m) => textOf(m, 'name') === textOf(run.machine, 'model_name'));
  const constants = model ? facts(listOf(model, 'constants')) : [];
  if (constants.length === 0) return null;
  const row = (c: Facts) => h('tr', {}, h('th', { scope: 'row' }, textOf(c, 'name') ?? '?'), h('td', { class: 'number' }, String(numberOf(c, 'value') ?? '?')),
    h('td', {}, textOf(c, 'kind') ?? ''), h('td', {}, textOf(c, 'from') ?? ''));
  return h('details', {}, h('summary', {}, 'The constants of the model, and where they come from'),
    scroller(`Constants of ${run.name}`, h('table', { class: 'facts-sheet' }, h('tbody', {}, constants.map(row)))));
}

function unavailable(run: Run): string[] {
  const sections: Facts[] = [run.machine, run.topology, run.os, run.clock, run.tool];
  return sections.flatMap((s) => listOf(s, 'unavailable')).filter((u): u is Facts => typeof u === 'object' && u !== null)
    .map((u) => `${textOf(u, 'fact') ?? '?'}: ${textOf(u, 'reason') ?? 'unknown'}`);
}

export function machineSheet(run: Run): HTMLElement {
  const table = h('table', { class: 'facts-sheet' }, h('tbody', {}, rows(run).map(([name, value]) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value ?? 'not known')))));
  const missing = unavailable(run);
  const all = JSON.stringify({ machine: run.machine, topology: run.topology, os: run.os, clock: run.clock, tool: run.tool, invocation: run.invocation },
    null, 1);
  const raw = h('details', { toggle: () => raw.lastElementChild!.textContent === '' && (raw.lastElementChild!.textContent = all) },
    h('summary', {}, 'Everything the file says'), h('pre', { tabindex: 0 }));
  return h('div', {}, scroller(`Facts about ${run.name}`, table),
    constantsOf(run),
    missing.length > 0 && h('details', {}, h('summary', {}, 'What is unknown, and why'), h('ul', { class: 'small' },
      missing.map((m) => h('li', {}, m)))),
    raw);
}

export { count, objectOf };
