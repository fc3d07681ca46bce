// Reading, statistics and verdicts, without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { told } from '../../report/src/charts/kit';
import { driftNote, fewestForTrend } from '../../report/src/charts/spread';
import { cardOf } from '../../report/src/card';
import { repetition, resumption, withoutFacts } from '../../report/src/doubts';
import { field, csvOf, jsonOf } from '../../report/src/download';
import { figureOf, figuresOf, type Kind } from '../../report/src/figures';
import { change, digits, interval, percent, quantity, withInterval } from '../../report/src/numbers';
import { changed, doubtful, sure, type Run } from '../../report/src/data';
import { read } from '../../report/src/reading';
import { byHowMuch } from '../../report/src/fleet';
import { ratiosOf } from '../../report/src/side_by_side';
import { axesOf, chosenCells, controlsOf, metricsOf, valuesOf } from '../../report/src/view';
import { shapeOf } from '../../report/src/figures';
import { leading, rivals } from '../../report/src/ranking';
import { hashOf, placeOf } from '../../report/src/address';
import { besideRun, levelsAmong, levelWords, pointLabel, pointsAmong, pointWords, type Published } from '../../report/src/published';
import { FigureModel, notesOf } from '../../report/src/model';
import type { Panel } from '../../report/src/panel';
import { pngAddress } from '../../report/src/png';
import type { Theme } from '../../report/src/theme';
import { counted, someAre } from '../../report/src/words';
import { median, medianInterval, trend } from '../../report/src/stats';
import { shape, svgText } from '../../report/src/svg';
import { separators, processorsOf } from '../../report/src/charts/heat';
import { aboutMachine } from '../../report/src/page/machine';
import { call, home, write } from './browser.mjs';
import repetitions from '../results/repetitions.json';
import { cell, document as doc, everything, pairs, topology } from './documents.mjs';

type Cells = Parameters<typeof doc>[0];

const mapFigure = figureOf('coherence.pairs', { id: 'map', title: 'Map', chart: { kind: 'heat', x: 'to', y: 'from' } })!;
const input = (...documents: unknown[]) => read(JSON.stringify({ documents }));
const run = (cells: Cells, more = {}): Run => input(doc(cells, more)).runs[0]!;

test('by how much a host differs is no number that nobody measures', () => {
  assert.equal(byHowMuch(Math.log(1.384)), '38\u00a0% worse');
  assert.equal(byHowMuch(-Math.log(1500)), '1500\u00a0times better');
  for (const by of [700, 1400]) assert.equal(byHowMuch(by), 'more than a million\u00a0times worse');
});

test('numbers have three digits and the prefix that makes them short', () => {
  assert.equal(digits(0.3123), '0.312');
  assert.equal(digits(26.26), '26.3');
  assert.equal(digits(1240), '1\u202f240');
  assert.equal(quantity(999.6, 'ns'), '1.00\u00a0µs');
  assert.equal(quantity(1.9e7, 'op/s'), '19.0\u00a0Mop/s');
  assert.equal(interval([25.8, 26.9], 'ns'), '25.8 to 26.9\u00a0ns');
  assert.equal(percent(0.96), '\u22124.0\u00a0%');
  // A hundred per cent less is no answer to how many times.
  assert.deepEqual([16, 1 / 16, 1 / 162_733].map(percent), ['×16.0', '÷16.0', '÷163\u202f000']);
  assert.deepEqual([['ns', 1 / 162_733], ['op/s', 1 / 16], ['1', 4739], ['op/s', 1.5]].map(([unit, ratio]) => change(ratio as number, unit as string)),
    ['163\u202f000 times shorter', '16.0 times lower', '4\u202f740 times as large', '+50.0\u00a0%']);
});

test('an interval whose ends are printed alike is left out', () => {
  assert.equal(interval([26.11, 26.12], 'ns'), '');
  assert.equal(withInterval('26.1 ns', interval([25.81, 26.93], 'ns')), '26.1 ns (25.8 to 26.9\u00a0ns)');
  assert.equal(withInterval('26.1 ns', interval([26.11, 26.12], 'ns')), '26.1 ns');
  const narrow = (value: number, ci: [number, number] | null) => told(run([{ ...cell('x', {}, 'm', 'ns', value), ci }]).cells[0]!);
  assert.deepEqual([narrow(26.1, [26.11, 26.12]), narrow(26.1, [25.8, 26.9]), narrow(26.1, null)],
    ['26.1\u00a0ns', '26.1\u00a0ns (25.8 to 26.9\u00a0ns)', '26.1\u00a0ns (no interval)']);
});

test('reading takes what is there', () => {
  const odd = doc([]) as Record<string, unknown>;
  odd.cells = [null, 7, { experiment: 'x' }, { experiment: 'x', metric: 'm', value: 'NaN', at: { a: null, b: 'w', c: 2 }, ci: [2, 1],
    samples: [1, null, 'x'], flag: 'odd' }];
  odd.warnings = [null, { id: 3 }];
  const r = input(odd).runs[0]!;
  assert.equal(r.cells.length, 1);
  assert.deepEqual({ ...r.cells[0]!.at }, { b: 'w', c: 2 });
  assert.equal(r.cells[0]!.value, null);
  assert.equal(r.cells[0]!.ci, null);
  assert.deepEqual(r.cells[0]!.samples, [1]);
});

test('a cell that failed its self-check has no value', () => {
  assert.equal(run([cell('x', {}, 'm', 'ns', 5, { valid: false })]).cells[0]!.value, null);
});

test('what an emulator has run says so and is not sure', () => {
  const d = doc([{ ...cell('x', {}, 'm', 'ns', 5), flag: 'emulated' }], { model: 'One' });
  const r = input({ ...d, machine: { ...d.machine, emulation: 'qemu-arm on x86_64' } }).runs[0]!;
  assert.equal(r.name, 'One (emulated: qemu-arm on x86_64)');
  assert.equal(r.cells[0]!.flag, 'emulated');
  assert.ok(doubtful(r.cells[0]!) && !sure(r.cells[0]!));
});

test('what cannot be read is one sentence', () => {
  assert.throws(() => read('{'), /damaged/);
  assert.throws(() => read('{}'), /no results/);
  assert.throws(() => input({ ...doc([]), schema: 'synchroscope/2' }), /newer Synchroscope/);
  assert.throws(() => input({ schema: 'other' }), /not a results file/);
});

test('runs of one name are told apart, machines of a simulated run stand alone', () => {
  assert.deepEqual(input(doc([]), doc([])).runs.map((r) => r.name), ['Test CPU 9000', 'Test CPU 9000 (2)']);
  const begun = (started: string) => ({ ...doc([]), invocation: { started } });
  assert.deepEqual(input(begun('2026-01-02T03:04:05Z'), begun('2026-01-02T05:06:05Z')).runs.map((r) => [r.name, r.moment]),
    [['Test CPU 9000, 03:04 UTC', '03:04 UTC'], ['Test CPU 9000, 05:06 UTC', '05:06 UTC']]);
  assert.deepEqual(input(begun('2026-01-02T03:04:05Z'), begun('2026-01-03T03:04:05Z')).runs.map((r) => r.moment),
    ['2 January 2026, 03:04 UTC', '3 January 2026, 03:04 UTC']);
  assert.equal(run([], { kind: 'simulated', model: 'xeon' }).name, 'xeon (simulated)');
  const simulated = doc(['opteron', 'xeon'].map((machine) => cell('x', { machine, threads: 1 }, 'm', 'ns', 1)), { kind: 'simulated' });
  const runs = input(simulated).runs;
  assert.deepEqual(runs.map((r) => [r.name, r.cells.length, r.cells[0]!.at.machine]), [['opteron (simulated)', 1, undefined],
    ['xeon (simulated)', 1, undefined]]);
});

test('the near mode is shown where it was measured, else the other', () => {
  const far = { mode: 'far' };
  const cells = run([
    cell('x', { threads: 1 }, 'm', 'ns', 10), cell('x', { threads: 1, ...far }, 'm', 'ns', 50),
    cell('x', { threads: 2 }, 'm', 'ns', null), cell('x', { threads: 2, ...far }, 'm', 'ns', 60),
  ]).cells;
  const shape = { x: 'threads', series: [] };
  assert.deepEqual(chosenCells(cells, controlsOf([cells], shape), shape).map((c) => c.value), [10, 60]);
});

test('every experiment has a figure, the unknown ones, too', () => {
  const cells = run(everything().cells as Cells).cells;
  for (const experiment of new Set(cells.map((c) => c.experiment))) {
    const own = cells.filter((c) => c.experiment === experiment);
    for (const f of figuresOf(experiment, own)) assert.ok(shapeOf(f), experiment);
    assert.ok(figuresOf(experiment, own).length > 0, experiment);
  }
  const matrix = run([cell('new.one', { from: 0, to: 1 }, 'm', 'ns', 1), cell('new.one', { from: 1, to: 0 }, 'm', 'ns', 1)]).cells;
  assert.equal(figuresOf('new.one', matrix)[0]!.chart.kind, 'heat');
  const line = run([1, 2, 4].map((threads) => cell('new.two', { threads, what: 'a' }, 'm', 'ns', threads))).cells;
  assert.equal(figuresOf('new.two', line)[0]!.chart.kind, 'lines');
});

test('charts, layers and headlines are those of the data', () => {
  const chart = { id: 'slope', title: 'A slope', lead: 'It rises.', chart: { kind: 'lines', x: 'threads', series: [] }, several: 'threads' };
  const cells = [1, 2].map((threads) => cell('toy.one', { threads }, 'm', 'ns', threads));
  const all = read(JSON.stringify({
    documents: [doc(cells)], layers: [{ name: 'toy', title: 'Toys' }],
    experiments: [{ name: 'toy.one', charts: [chart, null, { id: 'none' }] }],
    headlines: [[{ figure: '2 ns', text: 'to play', detail: '1 to 3 ns', target: 'toy.one-slope' }], [{}]],
  }));
  const charts = all.definitions.get('toy.one')!.charts;
  assert.deepEqual(charts.map((c) => c.id), ['slope']);
  const own = all.runs[0]!.cells;
  assert.deepEqual(figuresOf('toy.one', own, charts).map((f) => f.title), ['A slope']);
  assert.equal(figuresOf('toy.one', own.slice(0, 1), charts)[0]!.id, 'values');
  // Only where the values are that it is about.
  const about = (value: string) => figuresOf('toy.one', own, [{ ...charts[0]!, chart: { ...charts[0]!.chart, only: { threads: [value] } } as Kind }]);
  assert.equal(about('1')[0]!.title, 'A slope');
  assert.equal(about('elsewhere')[0]!.id, 'values');
  assert.deepEqual(all.layers, [{ name: 'toy', title: 'Toys' }]);
  assert.equal(all.runs[0]!.headlines[0]!.text, 'to play');
});

test('what a model leaves out is said below charts of simulated machines only', () => {
  const chart = { id: 'slope', title: 'A slope', lead: 'It rises.', chart: { kind: 'lines', x: 'threads', series: [] }, simulated: 'Without its queue.' };
  const cells = [1, 2].map((threads) => cell('toy.one', { threads }, 'm', 'ns', threads));
  const all = read(JSON.stringify({ documents: [doc(cells)], experiments: [{ name: 'toy.one', charts: [chart] }] }));
  const figure = figuresOf('toy.one', all.runs[0]!.cells, all.definitions.get('toy.one')!.charts)[0]!;
  const panel = (kind: string): Panel => ({ run: { ...all.runs[0]!, kind }, name: kind, cells: all.runs[0]!.cells, bounds: [], ratio: false });
  const drawn = { notes: ['Bands.'] };
  assert.deepEqual(notesOf(figure, [panel('hardware')], [drawn]), ['Bands.']);
  assert.deepEqual(notesOf(figure, [panel('simulated')], [drawn]), ['Without its queue.', 'Bands.']);
  assert.deepEqual(notesOf(figure, [panel('hardware'), panel('simulated')], [drawn, drawn]), ['Bands.', 'simulated: Without its queue.']);
  assert.deepEqual(notesOf(figure, [panel('simulated')], [null]), []);
});

test('what a paper published is drawn where it is about what is shown', () => {
  const drawn = { metric: 'successes', unit: 'op/s', at: { protocol: ['paused'] }, x: 2, value: 2e7 };
  const said: Published[] = [
    { figure: 4, platforms: ['opteron'], section: '5.4', words: 'close to 20 Mop/s', drawn },
    { figure: 4, platforms: ['xeon'], section: '5.4', words: '', drawn },
    { figure: 4, platforms: ['xeon'], section: '5.4', words: '', drawn: { ...drawn, x: 10 } },
    { figure: 4, platforms: ['tilera'], section: '5.4', words: 'it is level' },
  ];
  const xs = [1, 2, 8];
  const cells = (protocol: string, metric = 'successes') =>
    run(xs.map((threads) => cell('atomics.throughput', { threads, protocol }, metric, 'op/s', 3e7))).cells;
  assert.deepEqual(pointsAmong(said, cells('paused'), xs), [{ x: 2, value: 2e7, platforms: ['opteron', 'xeon'] }]);
  assert.deepEqual(pointsAmong(said, cells('saturated'), xs), []);
  assert.deepEqual(pointsAmong(said, cells('paused', 'attempts'), xs), []);
  assert.equal(pointWords(pointsAmong(said, cells('paused'), xs)[0]!, 'op/s'), 'Opteron and Xeon, as published: 20.0\u00a0Mop/s');
  const model = (model_name: string): Run => ({ ...run([]), kind: 'simulated', machine: { kind: 'simulated', model_name } });
  assert.deepEqual(besideRun(said, model('xeon')).map((p) => p.platforms), [['xeon'], ['xeon']]);
  assert.deepEqual(besideRun(said, model('opteron-2384')), []);
  assert.equal(besideRun(said, run([])).length, 4);
});

test('parts of a package are memory nodes on a host, and dies on a model', () => {
  const cpus = [0, 1, 2, 3].map((id) => ({ id, core: id, die: id >> 1, node: id >> 1, package: 0 }));
  const of = (kind: string) => aboutMachine({ ...run([]), kind, topology: { cpus } }).join();
  assert.match(of('hardware'), /4 processors with 2 memory nodes/);
  assert.match(of('simulated'), /4 processors with 2 dies/);
});

test('a published bound says what it bounds', () => {
  const drawn = { metric: 'messages', unit: 'op/s', at: { size: ['word'] }, x: 35, value: 1e8, bound: 'more than' };
  const cells = run([1, 35].map((threads) => cell('messages.server', { threads, size: 'word' }, 'messages', 'op/s', 3e7))).cells;
  const [point] = pointsAmong([{ figure: 10, platforms: ['tilera'], section: '6.2', words: '', drawn }], cells, [1, 35]);
  assert.equal(pointLabel(point!, 'op/s'), 'Tilera: more than 100\u00a0Mop/s');
  assert.equal(pointWords(point!, 'op/s'), 'Tilera, as published: more than 100\u00a0Mop/s');
});

test('what a paper published of a whole figure is a height, where that is about what is shown', () => {
  const drawn = { metric: 'acquire_cycles', unit: 'cycle', at: { distance: ['one_hop', 'two_hops', 'other_package'] }, value: 350, to: 450 };
  const said: Published[] = ['opteron', 'xeon'].map((platform) => ({ figure: 6, platforms: [platform], section: '6.1.1', words: 'so much', drawn }));
  const cells = (metric: string, ...distances: string[]) =>
    run(distances.map((distance) => cell('locks.uncontested', { lock: 'mcs', distance }, metric, 'cycle', 300))).cells;
  const levels = levelsAmong(said, cells('acquire_cycles', 'same_die', 'one_hop', 'two_hops'));
  assert.deepEqual(levels, [{ value: 350, to: 450, where: 'one hop or two hops', platforms: ['opteron', 'xeon'] }]);
  assert.equal(levelWords(levels[0]!, 'cycle'), 'Opteron and Xeon, as published: 350 to 450\u00a0cycles (one hop or two hops)');
  assert.deepEqual(levelsAmong(said, cells('acquire_cycles', 'same_die')), []);
  assert.deepEqual(levelsAmong(said, cells('pair_cycles', 'one_hop')), []);
  assert.deepEqual(pointsAmong(said, cells('acquire_cycles', 'one_hop'), [1, 2]), [], 'and no point');
});

test('the sentence above a figure is about what is shown', () => {
  const cells = [1, 512].flatMap((locks) => ['saturated', 'paused'].flatMap((protocol) => [1, 2].map((threads) =>
    cell('toy.one', { locks, protocol, threads }, 'm', 'ns', threads))));
  const place = (locks: number, protocol: string) => ({ at: { locks, protocol }, told: [`${locks} ${protocol}`] });
  const figureFor = (own: string[]) => {
    const { runs } = read(JSON.stringify({ documents: [doc(cells)],
      findings: [{ 'toy.one-slope': { m: { own, places: [place(1, 'saturated'), place(512, 'paused')] } } }] }));
    const chart = figureOf('toy.one', { id: 'slope', title: 'A slope', chart: { kind: 'lines', x: 'threads', series: [] }, prefer: { locks: 1 } })!;
    return new FigureModel(chart, [{ run: runs[0]!, cells: runs[0]!.cells }], [], undefined);
  };
  const model = figureFor([]);
  assert.deepEqual(model.findings(), ['1 saturated']);
  model.adopt(new Map([['locks', '512'], ['protocol', 'paused']]));
  assert.deepEqual(model.findings(), ['512 paused']);
  model.adopt(new Map([['locks', '1']]));
  assert.deepEqual(model.findings(), [], 'of that nothing was found');
  const own = figureFor(['Its own.']);
  assert.deepEqual(own.findings(), ['Its own.']);
  own.adopt(new Map([['protocol', 'paused'], ['locks', '512']]));
  assert.deepEqual(own.findings(), ['512 paused']);
  for (const said of ['Its own.', '1 saturated', '512 paused']) assert.ok(own.words().includes(said), 'it is found by whatever it may say');
});

test('what compares runs needs two, or the systems of a paper', () => {
  const figures = (chart: object, runs: number) => {
    const figure = figureOf('toy.one', { id: 'beside', title: 'Beside', chart })!;
    return figuresOf('toy.one', run([cell('toy.one', { call: 'a' }, 'm', 'ns', 1)]).cells, [figure], runs).map((f) => f.id);
  };
  const bars = { kind: 'bars', x: 'call', series: [], runs: true };
  const table = { kind: 'paper', rows: ['call'], column: '', caption: '', runs: true };
  assert.deepEqual([figures(bars, 1), figures(bars, 2), figures({ ...bars, papers: true }, 1)], [['values'], ['beside'], ['beside']]);
  assert.deepEqual([figures(table, 1), figures(table, 2)], [['values'], ['beside']]);
});

test('lines part packages, dies and cores', () => {
  const all = processorsOf({ ...topology(64) }, Array.from({ length: 64 }, (_, i) => i));
  const at = Object.fromEntries(separators(all).map((s) => [s.at, s.level]));
  assert.equal(at[32], 0);
  assert.equal(at[16], 1);
  assert.equal(at[2], 3);
  assert.equal(at[1], undefined);
});

test('only what is sure and near leads, and ties are told', () => {
  const at = (lock: string, value: number, more = {}, mode = 'near') => cell('locks.throughput', { lock, threads: 2, mode }, 'throughput', 'op/s', value, more);
  const names = (cells: Cells) => {
    const first = leading(run(cells).cells);
    return first && [first.best.at.lock, ...first.tied.map((c) => c.at.lock)];
  };
  // Repetitions of one number ran beside each other: b was disturbed at other times than a.
  const turned = { noise: { repetition: Array.from({ length: 11 }, (_, i) => 10 - i) } };
  const sound = [at('a', 100), { ...at('b', 99.9), ...turned }, at('c', 50)];
  assert.deepEqual(names(sound), ['a', 'b']);
  assert.deepEqual(names([...sound, at('wild', 900, { half: 0.5 }), at('far', 800, {}, 'far'), { ...at('bare', 700), ci: null } as Cells[number]]), ['a', 'b']);
  assert.deepEqual(names([at('far', 800, {}, 'far'), at('wild', 900, { half: 0.5 })]), ['far']);
  assert.equal(names([at('wild', 900, { half: 0.5 })]), null);
  const holds = (...more: Cells) => leading(run([...sound, ...more]).cells)?.holds;
  assert.equal(holds(), true);
  assert.equal(holds(at('wild', 900, { half: 0.5 })), false);
  assert.equal(holds(at('wild', 10, { half: 0.5 })), true, 'wherever that lies, it is behind');
  assert.equal(holds({ ...at('bare', 10), ci: null } as Cells[number]), false, 'nobody knows where that lies');
  assert.equal(holds(at('far', 900, { half: 0.5 }, 'far')), true, 'that was measured elsewhere');
  assert.equal(rivals(['a', 'b', 'c', 'd', 'e']), ', not distinguishable from a, b, c and 2 more');
  assert.equal(rivals(['a', 'b']), ', not distinguishable from a and b');
});

test('where no value is sure that is said in the words of the program, by the page and the card', () => {
  const doubtful = doc([cell('locks.uncontested', { lock: 'a' }, 'pair', 'ns', 10, { half: 0.4 })]);
  const of = (unsure: string | null, document: unknown) => read(JSON.stringify({ documents: [document], unsure: [unsure] })).runs[0]!;
  const told = 'No reliable finding: no value is sure.';
  const theme = { font: 'serif', series: ['#000'], paper: '#fff', ink: '#000', muted: '#777', line: '#999' } as unknown as Theme;
  assert.equal(withoutFacts(of(told, doubtful)), told);
  assert.equal(cardOf(of(told, doubtful), null, theme).caption.split('\n')[1], told);
  assert.equal(withoutFacts(of(null, doc([]))), 'This run is empty: nothing was measured.');
  assert.equal(withoutFacts(of(null, doc([cell('locks.uncontested', { lock: 'a' }, 'pair', 'ns', null)]))), 'There is no value in this file.');
});

/** Contestants whose repetitions are so many times 100, with 3 % of noise. */
function contestants(factors: number[], n: number, seed: number): Cells {
  let state = seed;
  const uniform = () => { // mulberry32
    state += 0x6d2b79f5;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const noise = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return factors.map((factor, i) => {
    const samples = Array.from({ length: n }, () => 100 * factor * Math.exp(0.03 * noise()));
    return { ...cell('locks.throughput', { lock: `c${i}`, threads: 2 }, 'handoff_time', 'ns', median(samples)), samples, n, ci: medianInterval(samples),
      noise: { repetition: samples.map((_, r) => r) } };
  });
}

test('of contestants that do not differ none leads, in 95 of 100 files and more', () => {
  const files = 200;
  for (const n of [9, 15])
    for (const k of [2, 7, 20]) {
      const told = Array.from({ length: files }, (_, i) => leading(run(contestants(Array(k).fill(1), n, 100_000 * k + 1000 * n + i)).cells)!);
      const apart = told.filter((l) => l.tied.length < k - 1).length;
      assert.ok(apart < (files * 5) / 100, `${apart} of ${files} files of ${k} contestants, ${n} repetitions`);
      assert.equal(leading(run(contestants([1, ...Array<number>(k - 1).fill(1.5)], n, k)).cells)!.tied.length, 0, 'a difference is found');
    }
});

test('rows of "best lock : scalability" say what their numbers count', () => {
  const at: [string, number][] = [['buckets', 12], ['load', 48], ['threads', 1]];
  assert.equal(at.map(([axis, value]) => counted(axis, value)).join(', '), '12 buckets, 48 in each, 1 thread');
  assert.equal(counted('locks', 1), '1 lock');
  assert.equal(counted('clients', 6), '6 clients');
  assert.equal(counted('keys', 'zipf'), 'zipf');
});

test('counts of values agree with their verbs', () => {
  assert.deepEqual([someAre(2, 6), someAre(1, 6), someAre(1, 1), someAre(1, 6, ['was', 'were'])], ['2 of 6 values are', '1 of 6 values is', 'The value is',
    '1 of 6 values was']);
});

test('an address holds a figure and what is chosen', () => {
  const choices: [string, string][] = [['lock', 'a&b=c'], ['(metric)', 'x y']];
  assert.deepEqual([...placeOf(hashOf('figure', choices)).choices], choices);
  assert.equal(hashOf('figure', []), '#figure');
  assert.deepEqual(placeOf(''), { figure: '', choices: new Map() });
});

test('what was only published does not choose the metric', () => {
  const own = run([cell('overhead.calls', { call: 'SetEvent' }, 'delay', 'ns', 1)]).cells;
  const paper = run([cell('overhead.calls', { call: 'SetEvent' }, 'latency', 'ns', 1)], { kind: 'published' }).cells;
  assert.equal(controlsOf([own, paper, paper], {})[0]!.chosen, 'delay');
});

test('a drift is only denied where it could be told', () => {
  const rising = (n: number) => trend(Array.from({ length: n }, (_, i) => i));
  assert.ok(rising(fewestForTrend) > 3.5 && rising(fewestForTrend - 1) < 3.5);
  const line = (name: string, n: number, trend: number) => ({ name, trend, course: Array.from({ length: n }, (_, i): [number, number] => [i, 1]) });
  const open = /^Whether there is a drift is open: fewer than 9 repetitions do not show one\.$/;
  assert.match(driftNote([]), open);
  assert.match(driftNote([line('a', 8, rising(8)), line('b', 6, 0)]), open);
  assert.match(driftNote([line('a', 9, 0)]), /^No drift: .*test\)\.$/);
  assert.match(driftNote([line('a', 9, 0), line('b', 8, 0)]), /^No drift: .* That is about 1 of 2: fewer than 9 repetitions do not show one\.$/);
  assert.match(driftNote([line('a', 9, rising(9)), line('b', 8, 0)]), /^Drift: a went up .* That is about 1 of 2: /);
});

test('what goes on with a run is what a shell takes', () => {
  const of = (...argv: string[]) => resumption(input({ ...doc([], { complete: false }), invocation: { argv: ['/bin/synchroscope', ...argv] } }).runs[0]!);
  for (const [typed, told] of [
    ['run', 'run --resume results.json'], ['simulate --machine xeon', 'simulate --resume simulation.json'],
    ['run locks.* -o mine.json', 'run --resume mine.json'], ['run -omine.json', 'run --resume mine.json'], ['run --output=mine.json', 'run --resume mine.json'],
    ['run --resume mine.json', 'run --resume mine.json'], ['run --resume=mine.json --quick', 'run --resume mine.json'],
    ['run --resume old.json -o new.json', 'run --resume new.json'], ['simulate --resume a,b -o whole.json', 'simulate --resume whole.json'],
    ['run -o /dev/shm/r.json', 'run --resume /dev/shm/r.json'],
    ['run locks.* --lock mcs -o r.json', 'run --resume r.json'], ['run --lock=my_lock.hpp,mcs -o r.json', 'run --resume r.json --lock my_lock.hpp,mcs'],
    ['simulate --lock my_lock.hpp -o s.json', 'simulate --resume s.json'],
    ['run -o -', null], ['run -o /dev/stdout', null], ['run -o NUL', null], ['info -o r.json', null],
    ['simulate --machine xeon --share 0/4 -o part.json', null], ['simulate --resume part.json --share=0/4', null],
  ] as const) assert.equal(of(...typed.split(' ')), told && `synchroscope ${told}`, typed);
  assert.equal(of('run', '-o', 'my file.json'), "synchroscope run --resume 'my file.json'");
  assert.equal(of('run', '-o', "$(it's)"), "synchroscope run --resume '$(it'\\''s)'");
});

test('what measures again is the command that the program says', () => {
  for (const { what, machine, request, cells, experiments, command } of repetitions) {
    const made = cells.map(([experiment, at]) => cell(experiment as string, at, 'pair', 'ns', 10));
    assert.equal(repetition(input({ ...doc(made), machine, invocation: { request } }).runs, experiments), command, what);
  }
  const simulated = (model_name: string) => ({ ...doc([cell('wake.idle', { threads: 1 }, 'pair', 'ns', 10)]), machine: { kind: 'simulated', model_name },
    invocation: { request: { axes: { threads: '1' } } } });
  assert.equal(repetition(input(simulated('xeon'), simulated('opteron')).runs, ['wake.idle']), 'synchroscope simulate wake.idle --machine xeon,opteron');
});

/** Bits, the first one first, as the program writes them (src/report/packed.hpp). */
function packedText(bits: string): string {
  const letters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((c) => !'"<\\'.includes(c));
  return bits.padEnd(Math.ceil(bits.length / 13) * 13, '0').match(/.{13}/g)!.map((group) => {
    const value = parseInt([...group].reverse().join(''), 2);
    return letters[Math.floor(value / 91)]! + letters[value % 91]!;
  }).join('');
}

/** A run of four fields of the first kind, and their values: 1 to 4, to one digit. */
const fourFields = (at: object = {}) => ({ map: cell('coherence.pairs', { ...at, from: 4, to: 0 }, 'latency', 'ns', 1), processors: [4, 0, 2], block: 2,
  symmetric: false, kinds: [['ok', 5, false]], digits: 1, step: 1, first: 400 * 9, bits: 2, below: 0, above: 0,
  data: packedText(['1', '001', '00', '00', '10', '01', '11'].join('')) });

test('a cell of a map is copied, saved and compared as any other is', () => {
  const { map, ...fields } = fourFields();
  const [, field] = input({ ...doc([]), cells: [{ map, ...fields }] }).runs[0]!.cells;
  const [plain] = input({ ...doc([]), cells: [{ ...map, at: { from: 4, to: 2 }, value: 2, ci: null, n: 5 }] }).runs[0]!.cells;
  const block = { from: [4, 0], to: [2] };
  const kept = (c: object) => JSON.parse(JSON.stringify(c)) as unknown;
  assert.deepEqual(kept(field!), kept({ ...plain, block }));
  assert.deepEqual(kept(changed(field!, { unit: 'cycle' })), kept({ ...plain, block, unit: 'cycle' }));
  const [first, other] = ['a', 'b'].map((label) => input({ ...doc([], { label }), cells: [{ map, ...fields }] }).runs[0]!) as [Run, Run];
  other.compared = new Map(other.cells.map((c, i) => [c, { base: first.cells[i]!, ratio: 2, ci: [1.9, 2.1], what: 'worse', asRuns: false, doubt: null }]));
  const [quotients] = ratiosOf({ run: first, cells: first.cells }, { run: other, cells: other.cells });
  assert.deepEqual(quotients!.cells.map((c) => [c.experiment, c.at.from, c.at.to, c.metric, c.value, c.n, c.published]),
    [[4, 4], [4, 2], [2, 4], [2, 2]].map(([from, to]) => ['coherence.pairs', from, to, 'ratio', 2, 5, false]));
});

test('of several maps each is asked what its cells have in common', () => {
  const plain = cell('coherence.pairs', { protocol: 'cas', home: 'from', from: 4, to: 2 }, 'one_way', 'ns', 1);
  const { cells } = input({ ...doc([]), cells: [fourFields({ protocol: 'cas' }), plain, fourFields({ protocol: 'store' }), fourFields({ mode: 'far' })] })
    .runs[0]!;
  assert.deepEqual(axesOf(cells), ['protocol', 'from', 'to', 'mode', 'home']);
  assert.deepEqual(metricsOf(cells), ['latency', 'one_way']);
  assert.deepEqual(['protocol', 'home', 'from', 'mode'].map((axis) => valuesOf(cells, axis)), [['cas', 'store'], ['from'], [2, 4], ['near', 'far']]);
  assert.deepEqual(cells.map((c) => c.at.mode), [...Array.from({ length: 9 }, () => 'near'), ...Array.from({ length: 4 }, () => 'far')]);
});

test('of an overview all processors of a row and a column are told', () => {
  const map = fourFields();
  const own = input({ ...doc([]), cells: [map] }).runs[0]!;
  const { cells } = own;
  assert.deepEqual(cells.map((c) => [c.at.from, c.at.to, c.block]), [[4, 4, { from: [4, 0], to: [4, 0] }], [4, 2, { from: [4, 0], to: [2] }],
    [2, 4, { from: [2], to: [4, 0] }], [2, 2, { from: [2], to: [2] }]]);
  assert.deepEqual(cells.map((c) => [c.value, c.ci, c.n]), [1, 2, 3, 4].map((value) => [value, null, 5]));
  assert.throws(() => input({ ...doc([]), cells: [{ ...map, data: map.data.slice(2) }] }), /a map is cut off/);
  const [head, , second] = csvOf([{ machine: 'm', cells }]).split('\r\n');
  assert.match(head!, /,from,to,from_block,to_block,metric,/);
  assert.match(second!, /,4,2,4 0,2,latency,/);
  const [drawing] = new FigureModel(mapFigure, [{ run: own, cells }], [], undefined).drawn(() => 460, theme).drawings;
  assert.match(drawing!.points.map((p) => p.text).join('|'), /^processor 2 to 2: .*\|processor 4 and 0 to 2: /);
});

test('a part of a map is called one, in a picture, too', () => {
  const own = run(pairs(32), { cpus: 32 });
  const model = new FigureModel(mapFigure, [{ run: own, cells: own.cells }], [], undefined);
  const said = (part: FigureModel['part']) => {
    model.part = part;
    const { notes, panels } = model.parts(theme);
    const isPart = (text: string) => /Part: .*?\sns\./.exec(text)?.[0] ?? '';
    assert.equal(isPart(notes.join(' ')), isPart(panels[0]!.drawing.label));
    return isPart(notes.join(' '));
  };
  assert.equal(said(null), '');
  assert.equal(said({ columns: [0, 8], rows: [16, 24] }), 'Part: 8 of 32 processors (rows 16 to 23, columns 0 to 7), all 100\u00a0ns.');
  assert.match(said({ columns: [0, 16], rows: [0, 8] }), /^Part: 8 by 16 of 32 processors \(rows 0 to 7, columns 0 to 15\), from 20\.0/);
});

test('a field of a CSV is quoted, and no formula', () => {
  assert.equal(field('a,"b"'), '"a,""b"""');
  assert.equal(field('=1+1'), "'=1+1");
  assert.equal(field(-1.5), '-1.5');
  assert.match(csvOf([{ machine: 'm', cells: run([cell('x', { lock: 'a,b' }, 't', 'ns', 1)]).cells }]), /"a,b"/);
});

// ---- claims

test('JSON in pieces is that of one text', () => {
  const cells = run(pairs(4)).cells;
  const several = [{ machine: 'a "b"', cells }, { machine: 'c', cells: cells.slice(0, 5) }, { machine: 'd', cells: [] }];
  for (const groups of [[], [{ machine: 'a', cells: [] }], several])
    for (const atOnce of [1, 5, 12, 100]) assert.equal(jsonOf(groups, atOnce).join(''), JSON.stringify(groups, null, 1));
});

test('claims come as the program judged them, and what is odd in them is left out', () => {
  const finding = { verdict: 'holds', because: 'ratio 3.00 (2.90 to 3.10)' };
  const claims = { sources: [{ letter: 'S', title: 'A paper', by: 'Somebody' }, 7],
    claims: [{ id: 'S1', says: 'So it is.', findings: [finding, null, { verdict: 'perhaps' }] }, null] };
  const found = read(JSON.stringify({ documents: [doc([])], claims }));
  assert.deepEqual(found.claims[0]!.findings, [finding, null, null]);
  assert.equal(found.claims[0]!.figure, '');
  assert.equal(found.sources[0]!.title, 'A paper');
  assert.deepEqual(input(doc([])).claims, []);
});

// ---- without a page

test('what the program says of two runs is taken by place, and what is odd in it is left out', () => {
  const runs = read(JSON.stringify({
    documents: [doc([cell('x', { lock: 'a' }, 'm', 'ns', 1), cell('x', { lock: 'b' }, 'm', 'ns', 2)]), doc([cell('x', { lock: 'b' }, 'm', 'ns', 4)])],
    comparisons: [null, { cells: [[0, 1, 'worse', 2, 1.9, 2.1, false, 'disturbed'], [7, 0, 'worse', 2, 1, 3, false], [0, 0, 'perhaps'], null],
      same_machine: true, disturbance: '1 of the differences may be.', warnings: ['The systems differ.', 7] }],
    choices: [null, [{ lock: 'a', where: 'where 4 threads want it', because: 'it takes 1 us', target: 'x.y-z', metric: 'm',
      at: { lock: 'a', threads: 4, protocol: 'paused' } }]],
    locks: [{ why: 'none is sure', command: 'synchroscope run locks' }, null],
    findings: [{ 'x-values': { m: { own: ['It takes 2.0 us.'] }, n: 7 } }, { 'x-values': 7 }],
  })).runs;
  const found = runs[1]!.compared.get(runs[1]!.cells[0]!)!;
  assert.equal(found.base, runs[0]!.cells[1]);
  assert.deepEqual([found.ratio, found.ci, found.what, found.asRuns, found.doubt, runs[1]!.compared.size], [2, [1.9, 2.1], 'worse', false, 'disturbed', 1]);
  assert.deepEqual(runs.map((r) => r.beside),
    [null, { sameMachine: true, disturbance: '1 of the differences may be.', warnings: ['The systems differ.', ''] }]);
  assert.deepEqual(runs.map((r) => r.choices), [[], [{ lock: 'a', where: 'where 4 threads want it', because: 'it takes 1\u00a0µs',
    address: '#x-y-z?%28metric%29=m&threads=4&protocol=paused' }]]);
  assert.deepEqual(runs.map((r) => r.missingLocks), [{ why: 'none is sure', command: 'synchroscope run locks' }, null]);
  assert.deepEqual(runs.map((r) => [...r.findings.get('x-values')!]), [
    [['m', { own: ['It takes 2.0\u00a0µs.'], places: [] }], ['n', { own: [], places: [] }]], []]);
});

test('text in SVG stays text', () => {
  assert.equal(svgText(shape('text', { class: '"<&' }, 'a < b & "c"\u0000')), '<text class="&quot;&lt;&amp;">a &lt; b &amp; &quot;c&quot;</text>');
  assert.equal(svgText(shape('g', {}, shape('rect'), { markup: '<i/>' })), '<g><rect></rect><i/></g>');
});

test('dots become a PNG, row by row, enlarged', () => {
  globalThis.synchroscopeDeflate = deflateSync;
  const dots = Uint8ClampedArray.from([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 255]);
  const bytes = Buffer.from(pngAddress(2, 2, dots).replace('data:image/png;base64,', ''), 'base64');
  assert.deepEqual([...bytes.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [4, 4]);
  // The check of the last chunk, which is empty, is known.
  assert.equal(bytes.subarray(-4).toString('hex'), 'ae426082');
  const length = bytes.readUInt32BE(33);
  const rows = inflateSync(bytes.subarray(41, 41 + length));
  assert.equal(rows.length, 4 * 17);
  assert.deepEqual([...rows.subarray(0, 13)], [0, 255, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255]);
  assert.deepEqual([...rows.subarray(34, 39)], [0, 0, 0, 255, 255]);
});

test('a figure tells what it cannot choose', () => {
  const own = run([1, 2, 4].flatMap((threads) => ['mcs', 'tas'].map((lock) => cell('locks.throughput', { lock, threads }, 'throughput', 'op/s', threads))));
  const figure = figuresOf('locks.throughput', own.cells)[0]!;
  const model = () => new FigureModel(figure, [{ run: own, cells: own.cells }], [], undefined);
  assert.deepEqual(model().adopt(new Map([['scale', 'log'], ['one', 'without'], ['lines', 'tas']])), []);
  assert.deepEqual(model().adopt(new Map([['colour', 'red'], ['scale', 'wild']])), ['colour cannot be chosen in locks-throughput-values',
    'scale of locks-throughput-values is one of linear, log, not wild']);
  const chosen = model();
  chosen.adopt(new Map([['as', 'boxes'], ['lines', 'tas']]));
  assert.equal(chosen.address(), '#locks-throughput-values?as=boxes&lines=tas');
  assert.deepEqual(chosen.shownNames(), ['tas']);
});

const theme: Theme = { ink: '#000000', muted: '#555555', line: '#aaaaaa', faint: '#eeeeee', paper: '#ffffff', font: 'sans-serif',
  series: Array.from({ length: 12 }, (_, i) => `#0000${(10 + i)}`) };

test('bars of best and scalability have one axis on all machines, whatever their labels', () => {
  const rates = (lock: string, most: number) => [1, 2, 4].flatMap((threads) => [4, 16].map((locks) =>
    cell('locks.throughput', { lock, locks, threads }, 'throughput', 'op/s', most / threads)));
  const runs = input(doc(rates('tas', 1e8), { label: 'short' }), doc(rates('pthread/mutex_of_a_long_name', 1.05e8), { label: 'long' })).runs;
  const chart = { id: 'best', title: 'Best', chart: { kind: 'best', contestants: 'lock', groups: ['locks', 'threads'], unit: 'threads' } };
  const figure = figureOf('locks.throughput', chart)!;
  const axes = (choices: [string, string][]) => {
    const model = new FigureModel(figure, runs.map((r) => ({ run: r, cells: r.cells })), [], undefined);
    assert.deepEqual(model.adopt(new Map(choices)), []);
    return model.drawn(() => 460, theme).drawings.map((d) => (d!.option.xAxis as { max: number }).max);
  };
  const [short, long] = axes([]);
  assert.equal(short, long);
  const own = axes([['axis', 'own']]);
  assert.notEqual(own[0], own[1]);
});

test('the axis of bars of best ends by what is drawn', () => {
  const rates = (lock: string, most: number, half?: number) => [1, 2].map((threads) =>
    cell('locks.throughput', { lock, locks: 4, threads }, 'throughput', 'op/s', most / threads, { half }));
  const most = (own: Run) => {
    const chart = { id: 'best', title: 'Best', chart: { kind: 'best', contestants: 'lock', groups: ['locks', 'threads'], unit: 'threads' } };
    const drawn = new FigureModel(figureOf('locks.throughput', chart)!, [{ run: own, cells: own.cells }], [], undefined).drawn(() => 600, theme);
    return (drawn.drawings[0]!.option.xAxis as { max: number }).max;
  };
  assert.equal(most(run([...rates('mcs', 1e8), ...rates('tas', 9e7, 3)])), most(run(rates('mcs', 1e8))));
});

test('lines that a figure of a paper has are drawn first, and the axis has the name that it has there', () => {
  const rates = (locks: string[]) => run([1, 2].flatMap((threads) => locks.map((lock, i) =>
    cell('locks.throughput', { lock, threads }, 'throughput', 'op/s', 1e6 * (i + 1) * threads))));
  const modelOf = (own: Run) => {
    const chart = { id: 'lines', title: 'Lines', chart: { kind: 'lines', x: 'threads', series: ['lock'], first: ['tas', 'mcs'], called: 'clients' } };
    return new FigureModel(figureOf('locks.throughput', chart)!, [{ run: own, cells: own.cells }], [], undefined);
  };
  const model = modelOf(rates(['tas', 'a', 'b', 'mcs', 'c']));
  assert.deepEqual(model.shownNames().sort(), ['mcs', 'tas']);
  const [drawing] = model.drawn(() => 600, theme).drawings;
  assert.equal((drawing!.option.xAxis as { name: string }).name, 'Clients');
  assert.match(drawing!.points[0]!.text, /, clients 1: /);
  assert.deepEqual(modelOf(rates(['a', 'b'])).shownNames().sort(), ['a', 'b'], 'all where none of them was measured');
});

test('numbers of bars stand before what was published of the whole figure', () => {
  const own = run(['mcs', 'tas'].map((lock) => cell('locks.uncontested', { lock, distance: 'one_hop' }, 'acquire_cycles', 'cycle', 345)));
  const drawn = { metric: 'acquire_cycles', unit: 'cycle', at: { distance: ['one_hop'] }, value: 350, to: 450 };
  const figure = figureOf('locks.uncontested', { id: 'acquire', title: 'Free', chart: { kind: 'bars', x: 'lock', series: [] },
    published: [{ figure: 6, platforms: ['opteron'], section: '6.1.1', words: '', drawn }] })!;
  const [drawing] = new FigureModel(figure, [{ run: own, cells: own.cells }], [], undefined).drawn(() => 600, theme).drawings;
  const custom = (drawing!.option.series as { id?: string; type: string; z: number }[]).filter((s) => s.type === 'custom');
  const field = custom.findIndex((s) => s.id?.startsWith('published'));
  assert.ok(field >= 0 && custom.some((s) => s.z === 5), 'numbers and field');
  assert.ok(custom[field]!.z < 5);
});

/** What the program puts into the page of these files. */
function embedded(...files: string[]): string {
  const page = join(home, 'embedded.html');
  const result = call('report', ...files, '-o', page);
  assert.equal(result.status, 0, result.stderr);
  return /<script[^>]*id="data"[^>]*>([^]*?)<\/script>/.exec(readFileSync(page, 'utf8'))![1]!;
}

test('numbers that were rounded are read as the program writes them', () => {
  // As maps_test.cpp has it, of 26.283751999 (25.987654321 to 27.123456789) and -0.00123456789 (-0.002 to -0.001).
  const rounded = { symmetric: false, kinds: [['ok', 11, true]], digits: 7, step: 100, first: -3573234568, bits: 33, below: 9, above: 10,
    data: '|r9ZB)k,+8!!!!4=`N!v' };
  const map = { map: cell('coherence.pairs', { from: 0, to: 0 }, 'latency', 'ns', 1), processors: [0, 1], block: 1, ...rounded };
  const { cells } = input({ ...doc([]), cells: [map] }).runs[0]!;
  assert.deepEqual(cells.map((c) => [c.at.from, c.at.to, c.value, c.ci]), [[0, 1, 26.28375, [25.987, 27.124]], [1, 0, -0.001234568, [-0.002, -0.001]]]);
});

type Large = Record<string, unknown> & { value: number };

/** A map with these values, so large that it would not fit with its repetitions, and two cells besides. */
const largeMap = (label: string, processors: number, cells: (c: Large, i: number) => Large | null) => doc([
  ...(pairs(processors) as Large[]).map(cells).filter((c) => c !== null).map((c) => ({ ...c, noise: { evidence: 'x'.repeat(1700) } })),
  cell('coherence.pairs', { protocol: 'cas', from: 0, to: 0, home: 'from' }, 'latency', 'ns', null, { reason: 'it is the same' }),
  cell('coherence.local', { level: 'l1' }, 'latency', 'ns', 1)] as Cells, { label, cpus: processors });

const keyOf = (c: { experiment: string; at: object }) => JSON.stringify([c.experiment, Object.entries(c.at).sort()]);

/** Every number of the documents' cells is read back to the last bit. */
function survives(data: string, ...documents: ReturnType<typeof largeMap>[]) {
  const all = read(data.replace(/\\u003c/g, '<'));
  for (const [i, d] of documents.entries()) {
    const found = new Map(all.runs[i]!.cells.map((c) => [keyOf(c), c]));
    assert.equal(found.size, d.cells.length);
    for (const c of d.cells) {
      const own = found.get(keyOf(c))!;
      assert.deepEqual([own.unit, own.better, own.value, own.ci, own.n, own.flag, own.reason], [c.unit, c.better, c.value, c.ci, c.n, c.flag, c.reason]);
    }
    const large = all.runs[i]!.cells.filter((c) => c.experiment === 'coherence.pairs');
    assert.equal(large.filter((c) => c.samples.length > 0).length, 0);
  }
  return all;
}

test('a map of many processors is kept in short, and loses nothing of its values', () => {
  const large = (label: string, times: number) => largeMap(label, 120, (c, i) => {
    const value = times * (20 + Math.abs(Math.sin(Number(i) * 131)) * 200);
    return { ...c, value, ci: i % 7 === 0 ? null : [value * (1 - 0.001 * (i % 90)), value * (1 + 0.003 * (i % 50))],
      flag: ['ok', 'noisy', 'unreliable', 'clock_limited'][i % 4], n: 7 + (i % 20), at: { ...(c.at as object), home: 'from' } };
  });
  const documents = [large('a', 1), large('b', 2)];
  const data = embedded(...documents.map((d) => write(d)));
  assert.ok(data.length < 2e6, `${data.length}`);
  const all = survives(data, ...documents);
  assert.doesNotMatch(all.remarks.join(), /rounded/);
  const beside = [...all.runs[1]!.compared].filter(([c]) => c.at.from !== undefined && c.value !== null);
  assert.ok(beside.length > 10_000);
  for (const [c, { base, ratio }] of beside) assert.ok(keyOf(c) === keyOf(base) && (ratio === null || Math.abs(ratio - 2) < 1e-6));
});

test('a map may have holes, be measured in one direction, be symmetric, and have numbers of any sign', () => {
  const [from, to] = [(c: Large) => Number((c.at as { from: number }).from), (c: Large) => Number((c.at as { to: number }).to)];
  const numbers = (c: Large, value: number) => ({ ...c, value, ci: [value - 0.1 * Math.abs(value), value + 0.3 * Math.abs(value)] });
  const forms = {
    holes: (c: Large, i: number) => (i % 5 === 2 ? null : numbers(c, 20 + (i % 101) / 7)),
    'one way but for a hole': (c: Large) => (from(c) > to(c) || (from(c) === 3 && to(c) === 4) ? null : numbers(c, 20 + (from(c) * to(c)) / 9)),
    symmetric: (c: Large) => numbers(c, 10 / (1 + from(c) + to(c))),
    'any sign': (c: Large, i: number) => numbers(c, [0, -1.5e-9 * i, 3e12 / (i + 1)][i % 3]!),
  };
  const documents = Object.entries(forms).map(([name, form]) => largeMap(name, 100, form));
  const data = embedded(...documents.map((d) => write(d)));
  survives(data, ...documents);
  assert.equal(data.match(/"symmetric":true/g)!.length, 1);
});
