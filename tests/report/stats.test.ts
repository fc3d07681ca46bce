// The page's statistics: what the program computes too against the vectors of both, and what is the page's alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubtful, type Cell } from '../../report/src/data';
import { read } from '../../report/src/reading';
import { differAmong, median, medianInterval, quantile, ratioPValue, resolvedAmong, signTestRank } from '../../report/src/stats';
import { doubtNotes, remarksOn } from '../../report/src/charts/kit';
import { doubtsOf } from '../../report/src/doubts';
import vectors from '../statistics/vectors.json';
import { cell, document as doc } from './documents.mjs';

const cellsOf = (cells: Parameters<typeof doc>[0]): Cell[] => read(JSON.stringify({ documents: [doc(cells)] })).runs[0]!.cells;

/** But for rounding. */
const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) <= 1e-12 * Math.abs(expected), `${found} for ${expected}`);

test('medians, their intervals and quantiles are those of the vectors', () => {
  for (const { values, median: middle, intervals, quantiles } of vectors.samples) {
    near(median(values), middle);
    for (const [confidence, interval] of intervals)
      assert.deepEqual(medianInterval(values, confidence as number), interval, `${confidence} of ${values.length} values`);
    const sorted = [...values].sort((a, b) => a - b);
    for (const [q, value] of quantiles) near(quantile(sorted, q!), value!);
  }
});

const repeated = (lock: string, repetitions: number[][]) => {
  const samples = repetitions.map((r) => r[1]!);
  return { ...cell('x', { lock }, 't', 'ns', median(samples)), samples, noise: { repetition: repetitions.map((r) => r[0]!) } };
};

test('of two cells their paired repetitions decide, as in the vectors', () => {
  for (const { a, b, resolved } of [...vectors.pairs, ...vectors.cells]) {
    const [x, y] = cellsOf([repeated('a', a), repeated('b', b)]);
    assert.equal(differAmong(x!, y!, 2), resolved);
  }
});

test('who was chosen by looking at many pays for the look, as in the vectors', () => {
  for (const { ratios, among, p, resolved } of vectors.looks) {
    assert.ok(Math.abs(ratioPValue(ratios) - p) < 2e-9, `${ratioPValue(ratios)} for ${p}`);
    assert.equal(resolvedAmong(ratios, among), resolved, `${among}: ${ratios.join(', ')}`);
  }
  assert.equal(ratioPValue([3]), 1, 'one ratio shows no scatter');
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

test('repetitions that ran beside each other are paired, by their numbers or in their order', () => {
  const drift = [100, 150, 200, 120, 130, 140, 170, 110];
  const order = drift.map((_, i) => i);
  const made = (factor: number, numbers: number[]) => repeated(String(factor), drift.map((v, i) => [numbers[i] ?? i, v * factor]));
  const [a, b, turned] = cellsOf([made(1.1, order), made(1, order), made(1, [...order].reverse())]);
  assert.equal(differAmong(a!, b!, 2), true);
  assert.equal(differAmong(a!, turned!, 2), false, 'these ran at other times');
  const bare = (c: ReturnType<typeof made>) => ({ ...c, noise: {} });
  const [x, y] = cellsOf([bare(made(1.1, order)), bare(made(1, order))]);
  assert.equal(differAmong(x!, y!, 2), true);
});

test('without repetitions intervals decide, which are wider the more were looked at', () => {
  const told = (value: number) => ({ ...cell('x', { lock: 'a' }, 't', 'ns', value, { half: 0.04 }), samples: [] });
  const [a, b, c] = cellsOf([told(100), told(110), told(130)]);
  assert.deepEqual([2, 20].map((k) => differAmong(a!, b!, k)), [true, false]);
  assert.deepEqual([2, 20].map((k) => differAmong(a!, c!, k)), [true, true]);
  assert.equal(differAmong(a!, a!, 2), false);
});

test('what the page says of a flag is the rule of the vectors', () => {
  const bound = (words: string) => Number(/half the width of (?:its|their) 95 % intervals? is (\d+) % of the value or more/.exec(words)?.[1]) / 100;
  for (const { values, half_width: half, flag } of vectors.flags) {
    const made = { ...cell('x', { lock: 'a' }, 't', 'ns', median(values)), samples: values, n: values.length, ci: medianInterval(values), flag };
    const run = read(JSON.stringify({ documents: [doc([made])] })).runs[0]!;
    const c = run.cells[0]!;
    if (half !== null) near((c.ci![1] - c.ci![0]) / 2 / c.value!, half);
    assert.equal(doubtful(c), flag === 'unreliable');
    const said = [...remarksOn(c), ...doubtNotes([c]), ...doubtsOf(run)];
    assert.equal(said.length, { ok: 0, noisy: 1, unreliable: 3 }[flag]);
    for (const words of said) assert.ok(half === null ? /no interval|none/.test(words) : half >= bound(words), `${words}: ${half}`);
  }
});
