// Reading, statistics and verdicts, without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, csvOf } from '../../report/src/download';
import { Evidence, together, within } from '../../report/src/evidence';
import { figuresOf } from '../../report/src/figures';
import { digits, interval, percent, quantity } from '../../report/src/numbers';
import { allClaims } from '../../report/src/page/claims';
import { read, type Run } from '../../report/src/reading';
import { jointIntervals, median, medianInterval, pairedRatio, ratio, signTestRank } from '../../report/src/stats';
import { judges } from '../../report/src/verdicts';
import { chosenCells, controlsOf } from '../../report/src/view';
import { shapeOf } from '../../report/src/figures';
import { leading, rivals } from '../../report/src/ranking';
import { hashOf, placeOf } from '../../report/src/address';
import { separators, processorsOf } from '../../report/src/charts/heat';
import { cell, document as doc, everything, topology } from './documents.mjs';

type Cells = Parameters<typeof doc>[0];

const input = (...documents: unknown[]) => read(JSON.stringify({ documents }));
const run = (cells: Cells, more = {}): Run => input(doc(cells, more)).runs[0]!;
const verdict = (id: string, cells: Cells, more = {}) => judges[id]!(new Evidence(run(cells, more)));

test('numbers have three digits and the prefix that makes them short', () => {
  assert.equal(digits(0.3123), '0.312');
  assert.equal(digits(26.26), '26.3');
  assert.equal(digits(1240), '1\u202f240');
  assert.equal(quantity(999.6, 'ns'), '1.00\u00a0µs');
  assert.equal(quantity(1.9e7, 'op/s'), '19.0\u00a0Mop/s');
  assert.equal(interval([25.8, 26.9], 'ns'), '25.8 to 26.9\u00a0ns');
  assert.equal(percent(0.96), '\u22124.0\u00a0%');
});

test('the interval is that of the sign test', () => {
  assert.equal(signTestRank(5, 0.95), 0);
  assert.equal(signTestRank(6, 0.95), 1);
  assert.equal(signTestRank(11, 0.95), 2);
  assert.equal(signTestRank(2000, 0.95), 956);
  assert.deepEqual(medianInterval([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), [2, 10]);
  assert.equal(medianInterval([1, 2, 3, 4, 5]), null);
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('two independent medians are both covered', () => {
  const eleven = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
  assert.deepEqual(jointIntervals(eleven, eleven), [[2, 10], [2, 10]]);
  const six = [1, 2, 3, 4, 5, 6];
  assert.deepEqual(jointIntervals(six, six), [[1, 6], [1, 6]]);
  assert.equal(jointIntervals(six, [1, 2, 3]), null);
});

test('ten percent are resolved in a quiet cell and not in a noisy one', () => {
  const at = { lock: 'mcs' };
  const quiet = [cell('x', at, 't', 'ns', 110), cell('x', at, 't', 'ns', 100)] as const;
  const noisy = [cell('x', at, 't', 'ns', 110, { half: 0.2 }), cell('x', at, 't', 'ns', 100, { half: 0.2 })] as const;
  const [a, b] = run([...quiet]).cells;
  const [c, d] = run([...noisy]).cells;
  assert.equal(ratio(a!, b!)!.resolved, true);
  assert.equal(ratio(c!, d!)!.resolved, false);
  assert.equal(ratio(a!, a!)!.resolved, false);
});

test('repetitions that ran beside each other are paired', () => {
  const drift = [100, 150, 200, 120, 130, 140, 170, 110];
  const made = (factor: number, repetition: number[]) => ({ ...cell('x', { lock: String(factor) }, 't', 'ns', median(drift) * factor), samples: drift.map((v) => v * factor), noise: { repetition } });
  const order = drift.map((_, i) => i);
  const [a, b] = run([made(1.1, order), made(1, order)]).cells;
  assert.equal(ratio(a!, b!)!.resolved, false);
  assert.equal(pairedRatio(a!, b!)!.resolved, true);
});

test('reading takes what is there', () => {
  const odd = doc([]) as Record<string, unknown>;
  odd.cells = [null, 7, { experiment: 'x' }, { experiment: 'x', metric: 'm', value: 'NaN', at: { a: null, b: 'w', c: 2 }, ci: [2, 1], samples: [1, null, 'x'], flag: 'odd' }];
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

test('what cannot be read is one sentence', () => {
  assert.throws(() => read('{'), /damaged/);
  assert.throws(() => read('{}'), /no results/);
  assert.throws(() => input({ ...doc([]), schema: 'synchroscope/2' }), /newer Synchroscope/);
  assert.throws(() => input({ schema: 'other' }), /not a results file/);
});

test('runs of one name are told apart, machines of a simulated run stand alone', () => {
  assert.deepEqual(input(doc([]), doc([])).runs.map((r) => r.name), ['Test CPU 9000', 'Test CPU 9000 (2)']);
  const simulated = doc(['opteron', 'xeon'].map((machine) => cell('x', { machine, threads: 1 }, 'm', 'ns', 1)), { kind: 'simulated' });
  const runs = input(simulated).runs;
  assert.deepEqual(runs.map((r) => [r.name, r.cells.length, r.cells[0]!.at.machine]), [['opteron (simulated)', 1, undefined], ['xeon (simulated)', 1, undefined]]);
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
  const sound = [at('a', 100), at('b', 99.9), at('c', 50)];
  assert.deepEqual(names(sound), ['a', 'b']);
  assert.deepEqual(names([...sound, at('wild', 900, { half: 0.5 }), at('far', 800, {}, 'far'), { ...at('bare', 700), ci: null } as Cells[number]]), ['a', 'b']);
  assert.deepEqual(names([at('far', 800, {}, 'far'), at('wild', 900, { half: 0.5 })]), ['far']);
  assert.equal(names([at('wild', 900, { half: 0.5 })]), null);
  assert.equal(rivals(['a', 'b', 'c', 'd', 'e']), ', not distinguishable from a, b, c and 2 more');
  assert.equal(rivals(['a', 'b']), ', not distinguishable from a and b');
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

test('a field of a CSV is quoted, and no formula', () => {
  assert.equal(field('a,"b"'), '"a,""b"""');
  assert.equal(field('=1+1'), "'=1+1");
  assert.equal(field(-1.5), '-1.5');
  assert.match(csvOf([{ machine: 'm', cells: run([cell('x', { lock: 'a,b' }, 't', 'ns', 1)]).cells }]), /"a,b"/);
});

// ---- claims

test('every claim is judged or says what it waits for, and no judge is without a claim', () => {
  const ids = new Set(allClaims.map((c) => c.id));
  assert.equal(ids.size, allClaims.length);
  for (const id of Object.keys(judges)) assert.ok(ids.has(id), id);
  for (const c of allClaims) assert.ok(c.needs && (!(c.id in judges) || c.judged), c.id);
});

test('an empty run measures no claim', () => {
  for (const [id, judge] of Object.entries(judges)) assert.equal(judge(new Evidence(run([]))).verdict, 'unmeasured', id);
});

test('no judge fails on cells without an interval, a single sample, or no value', () => {
  const bare = (everything().cells as Cells).map((c) => ({ ...c, ci: null, samples: [1], n: 1, flag: 'unreliable' }));
  const none = (everything().cells as Cells).map((c) => ({ ...c, value: null, ci: null, samples: [] }));
  for (const cells of [bare, none]) for (const [id, judge] of Object.entries(judges)) assert.ok(judge(new Evidence(run(cells as Cells))).verdict, id);
  for (const [id, judge] of Object.entries(judges)) assert.equal(judge(new Evidence(run(none as Cells))).verdict, 'unmeasured', id);
});

test('a ratio is in bounds, out of them, or neither', () => {
  const r = (low: number, high: number) => ({ value: (low + high) / 2, ci: [low, high] as [number, number], resolved: true });
  assert.equal(within(r(2.1, 2.3), { least: 2 }), 'holds');
  assert.equal(within(r(1.1, 1.3), { least: 2 }), 'fails');
  assert.equal(within(r(1.9, 2.1), { least: 2 }), 'open');
  assert.equal(within({ value: 9, ci: null, resolved: false }, { least: 2 }), 'open');
  assert.equal(within(r(1, 1), { least: 1 }), 'open');
});

test('one counter-example is enough', () => {
  const f = (v: 'holds' | 'fails' | 'open' | 'unmeasured') => ({ verdict: v, because: v });
  assert.equal(together([f('holds'), f('unmeasured')], '').verdict, 'holds');
  assert.equal(together([f('holds'), f('open')], '').verdict, 'open');
  assert.equal(together([f('holds'), f('open'), f('fails')], '').verdict, 'fails');
  assert.equal(together([], 'why').because, 'why');
});

const state = (operation: string, s: string, distance: string, cycles: number) => cell('coherence.states', { operation, state: s, distance }, 'latency_cycles', 'cycle', cycles);

test('S1, S4, S20 and S27 speak of the paper’s own tables as the paper does', () => {
  const xeon = [state('load', 'modified', 'same_die', 109), state('load', 'modified', 'two_hops', 400), ...['cas', 'fai', 'tas', 'swap'].flatMap((o) => [state(o, 'modified', 'same_die', 120), state(o, 'modified', 'two_hops', 430)]), state('fai', 'modified', 'same_cpu', 20)];
  for (const id of ['S1', 'S4', 'S20', 'S27']) assert.equal(verdict(id, xeon).verdict, 'holds', id);
  const dear = [state('load', 'modified', 'same_die', 100), state('cas', 'modified', 'same_die', 300)];
  assert.equal(verdict('S4', dear).verdict, 'fails');
  assert.equal(verdict('S1', dear).verdict, 'unmeasured');
});

const rate = (lock: string, locks: number, threads: number, value: number, more = {}) => cell('locks.throughput', { lock, locks, threads, placement: 'compact' }, 'throughput', 'op/s', value, more);

test('S5: no lock is the best everywhere', () => {
  assert.equal(verdict('S5', [rate('a', 1, 1, 100), rate('b', 1, 1, 50), rate('a', 1, 2, 50), rate('b', 1, 2, 100)]).verdict, 'holds');
  assert.equal(verdict('S5', [rate('a', 1, 1, 100), rate('b', 1, 1, 50), rate('a', 1, 2, 100), rate('b', 1, 2, 50)]).verdict, 'fails');
  assert.equal(verdict('S5', [rate('a', 1, 1, 100), rate('b', 1, 1, 99), rate('a', 1, 2, 100), rate('b', 1, 2, 99)]).verdict, 'open');
});

test('S37, S39, S42, S43: contention', () => {
  const cells = [rate('mcs', 1, 1, 100), rate('mcs', 1, 4, 9), rate('mcs', 1, 2, 10), rate('tas', 1, 1, 120), rate('tas', 1, 4, 3), rate('tas', 1, 2, 9), rate('pthread/mutex', 1, 4, 5), rate('pthread/mutex', 1, 16, 5), rate('tas', 1, 16, 1)];
  for (const id of ['S37', 'S39', 'S42', 'S43']) assert.equal(verdict(id, cells, { cpus: 4 }).verdict, 'holds', id);
  assert.equal(verdict('S42', [rate('mcs', 1, 4, 1), rate('pthread/mutex', 1, 4, 5)], { cpus: 4 }).verdict, 'fails');
});

const woke = (primitive: string, threads: number, metric: string, value: number, more = {}) => cell('wake.broadcast', { primitive, threads, calls: 'one', placement: 'compact', priority: 'default', ...more }, metric, 'ns', value);

test('W1, W3, W4, E2, E4: waking', () => {
  const cells = [woke('spin/pause', 1, 'wake_mean', 100), ...['linux/futex', 'event', 'posix/sem'].flatMap((p) => [woke(p, 1, 'wake_mean', 8000), woke(p, 11, 'wake_mean', 20000), woke(p, 11, 'wake_last', 33000), woke(p, 11, 'gap', 500)])];
  for (const id of ['W1', 'W3', 'W4', 'E2', 'W16']) assert.equal(verdict(id, cells).verdict, 'holds', id);
  assert.equal(verdict('W1', [woke('spin/pause', 1, 'wake_mean', 9000), woke('linux/futex', 1, 'wake_mean', 100)]).verdict, 'fails');
});

test('W1: who spins must burn its processor', () => {
  const at = (spin: number, sleep: number) => [woke('spin/pause', 1, 'wake_mean', 100), woke('event', 1, 'wake_mean', 9000), woke('spin/pause', 1, 'cpu_share', spin), woke('event', 1, 'cpu_share', sleep)];
  assert.equal(verdict('W1', at(1, 0.05)).verdict, 'holds');
  assert.equal(verdict('W1', at(0.05, 0.05)).verdict, 'fails');
});

test('E4: starts are one after another, or as close as those that meet', () => {
  const gap = (primitive: string, value: number) => woke(primitive, 2, 'gap', value);
  assert.equal(verdict('E4', [gap('sysv/sem', 5000), gap('event', 4000), gap('rendezvous', 30)]).verdict, 'holds');
  assert.equal(verdict('E4', [gap('sysv/sem', 30), gap('rendezvous', 30)]).verdict, 'fails');
  assert.equal(verdict('E4', [gap('sysv/sem', 5000)]).verdict, 'unmeasured');
});

test('W2, W3: what passes a held mutex on wakes slowest, and the more so the more sleep', () => {
  const mean = (primitive: string, one: number, many: number) => [woke(primitive, 1, 'wake_mean', one), woke(primitive, 11, 'wake_mean', many)];
  const rest = [...mean('pthread/cond', 8000, 20000), ...mean('event', 8000, 16000)];
  const slow = [...rest, ...mean('pthread/mutex_flag', 8000, 80000)];
  assert.equal(verdict('W2', slow).verdict, 'holds');
  assert.equal(verdict('W3', slow).verdict, 'holds');
  assert.equal(verdict('W2', [...slow, ...mean('posix/pipe', 8000, 200000)]).verdict, 'fails');
  assert.equal(verdict('W3', [...rest, ...mean('pthread/mutex_flag', 8000, 9000)]).verdict, 'fails');
});

test('W8: events and semaphores are the most even, by ratios with intervals', () => {
  const even = (primitive: string, first: number, last: number, half = 0.02) => [first, last].map((v, i) => ({ ...woke(primitive, 11, i === 0 ? 'wake_first' : 'wake_last', v), ...(half === 0.02 ? {} : { ci: [v * (1 - half), v * (1 + half)], samples: [] }) })) as Cells;
  const known = [woke('event', 11, 'wake_mean', 15000), ...even('event', 10000, 20000), ...even('posix/sem', 10000, 25000)];
  assert.equal(verdict('W8', [...known, ...even('pthread/cond', 6000, 30000)]).verdict, 'holds');
  assert.equal(verdict('W8', [...known, ...even('pthread/cond', 10000, 12000)]).verdict, 'fails');
  assert.equal(verdict('W8', [...known, ...even('pthread/cond', 10000, 19000, 0.3)]).verdict, 'open');
});

test('W11, W12: a size between the extremes, resolved', () => {
  const sizes = (primitive: string, one: number, some: number, all: number) => [[1, one], [5, some], [11, all]].map(([group, ns]) => cell('wake.groups', { primitive, threads: 11, group: group! }, 'wake_mean', 'ns', ns!));
  assert.equal(verdict('W11', sizes('event', 900, 500, 800)).verdict, 'holds');
  assert.equal(verdict('W11', sizes('event', 900, 500, 300)).verdict, 'fails');
  assert.equal(verdict('W11', sizes('event', 900, 500, 499)).verdict, 'open');
  const answer = (...cells: Cells) => verdict('W12', cells);
  assert.match(answer(...sizes('event', 9, 9, 3), ...sizes('posix/sem', 9, 5, 8)).because, /resolved to pay for posix\/sem/);
  assert.match(answer(...sizes('event', 9, 9, 3), ...sizes('posix/sem', 2, 5, 8)).because, /^no:/);
  assert.equal(answer(...sizes('event', 9, 9, 9)).verdict, 'open');
});

test('E8: most of all for short work', () => {
  const gain = (work: number, value: number) => cell('forkjoin.balance', { primitive: 'event', threads: 2, work }, 'gain', '1', value, { better: 'higher' });
  assert.equal(verdict('E8', [gain(50000, 1.5), gain(1000000, 1.1)]).verdict, 'holds');
  assert.equal(verdict('E8', [gain(50000, 1.2), gain(1000000, 1.5)]).verdict, 'fails');
  assert.equal(verdict('E8', [gain(50000, 1.5)]).verdict, 'holds');
});

test('E1, E2, E3: until the last worker runs', () => {
  const started = (primitive: string, value: number) => cell('forkjoin.timeline', { primitive, threads: 4, work: 100000 }, 'invocation_delay', 'ns', value);
  const cells = [started('signal/handler', 47000), started('event', 33000), started('linux/futex', 33000), started('posix/sem', 34000)];
  for (const id of ['E1', 'E2', 'E3']) assert.equal(verdict(id, cells).verdict, 'holds', id);
  assert.equal(verdict('E2', [started('event', 330000)]).verdict, 'fails');
  assert.equal(verdict('E3', [started('signal/handler', 97000), started('linux/futex', 33000), started('posix/sem', 66000)]).verdict, 'fails');
});

test('cells are compared in the mode in which most was measured', () => {
  const at = (threads: number, mode: string, value: number) => woke('linux/futex', threads, 'wake_mean', value, { mode });
  const cells = [at(1, 'near', 1000), at(1, 'far', 8000), at(4, 'far', 9000), at(11, 'far', 20000)];
  assert.equal(verdict('W3', cells).verdict, 'holds');
});

test('W10: who is woken first and who last', () => {
  const order = (primitive: string, n: number, value: number) => woke(primitive, 11, 'wake_of_order', value, { order: n });
  const even = [order('event', 3, 10000), order('event', 11, 20000), order('linux/futex', 3, 10000), order('linux/futex', 11, 20000)];
  assert.equal(verdict('W10', even).verdict, 'unmeasured');
  assert.equal(verdict('W10', [...even, order('pthread/cond', 3, 8000), order('pthread/cond', 11, 30000)]).verdict, 'holds');
  assert.equal(verdict('W10', [...even, order('pthread/cond', 3, 12000), order('pthread/cond', 11, 30000)]).verdict, 'fails');
});

test('W13, W17: how many processors, how many triggers', () => {
  const group = (size: number, value: number) => cell('wake.groups', { primitive: 'event', threads: 191, group: size }, 'wake_mean', 'ns', value);
  assert.equal(verdict('W13', [group(1, 9), group(14, 5), group(191, 8)], { cpus: 192 }).verdict, 'holds');
  assert.equal(verdict('W13', [group(1, 9), group(14, 5)], { cpus: 4 }).verdict, 'unmeasured');
  assert.equal(verdict('W17', [woke('event', 11, 'triggers', 3000)]).verdict, 'holds');
  assert.equal(verdict('W17', [woke('event', 11, 'triggers', 50)]).verdict, 'open');
});

test('T1, T2, T3, T6: throttling as the logs of the article have it', () => {
  const seconds = { 1: 109, 2: 55, 3: 60, 4: 67.5, 64: 67.6, 0: 67.5 };
  const cells = Object.entries(seconds).map(([permits, s]) => cell('throttle.sum', { permits: Number(permits), variant: 'integer' }, 'duration', 'ns', s * 1e9));
  for (const id of ['T1', 'T2', 'T3']) assert.equal(verdict(id, cells, { cpus: 4 }).verdict, 'holds', id);
  assert.equal(verdict('T6', cells, { cpus: 4 }).verdict, 'fails');
  const alike = Object.keys(seconds).map((permits) => cell('throttle.sum', { permits: Number(permits), variant: 'integer' }, 'duration', 'ns', 60e9));
  assert.equal(verdict('T6', alike, { cpus: 4 }).verdict, 'holds');
  assert.equal(verdict('T6', alike.map((c) => ({ ...c, ci: null, samples: [60e9] })) as Cells, { cpus: 4 }).verdict, 'open');
});

test('B1, B2, B3: calls as the paper’s Table 1 has them', () => {
  const row = (call: string, us: number) => cell('overhead.calls', { call }, 'latency', 'ns', us * 1000);
  const cells = [row('EnterCriticalSection', 0.5), row('Interlocked Increment', 0.02), row('WaitForSingleObject', 18), row('WaitForMultipleObjects', 18), row('Waiting for Semaphore', 145), row('SetEvent', 32)];
  for (const id of ['B1', 'B2', 'B3']) assert.equal(verdict(id, cells).verdict, 'holds', id);
  assert.equal(verdict('B1', [row('EnterCriticalSection', 0.5), row('ReleaseMutex', 0.9)]).verdict, 'fails');
});
