// The page's statistics: what the program computes too against the vectors of both, and what is the page's alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doubtful, type Cell } from '../../report/src/data';
import { read } from '../../report/src/reading';
import { jointIntervals, median, medianInterval, pairedRatio, quantile, ratio, signTestRank, type Ratio } from '../../report/src/stats';
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

test('paired ratios are those of the vectors', () => {
  for (const { a, b, ratio: value, interval, resolved } of [...vectors.pairs, ...vectors.cells]) {
    const [x, y] = cellsOf([repeated('a', a), repeated('b', b)]);
    const found: Ratio = pairedRatio(x!, y!)!;
    near(found.value, value);
    near(found.ci![0], interval[0]!);
    near(found.ci![1], interval[1]!);
    assert.equal(found.resolved, resolved);
  }
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
  const [a, b] = cellsOf([...quiet]);
  const [c, d] = cellsOf([...noisy]);
  assert.equal(ratio(a!, b!)!.resolved, true);
  assert.equal(ratio(c!, d!)!.resolved, false);
  assert.equal(ratio(a!, a!)!.resolved, false);
});

test('repetitions that ran beside each other are paired', () => {
  const drift = [100, 150, 200, 120, 130, 140, 170, 110];
  const made = (factor: number, repetition: number[]) => ({ ...cell('x', { lock: String(factor) }, 't', 'ns', median(drift) * factor),
    samples: drift.map((v) => v * factor), noise: { repetition } });
  const order = drift.map((_, i) => i);
  const [a, b] = cellsOf([made(1.1, order), made(1, order)]);
  assert.equal(ratio(a!, b!)!.resolved, false);
  assert.equal(pairedRatio(a!, b!)!.resolved, true);
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
