// What is doubtful, was measured elsewhere, or cannot be told apart is never shown as certain, leading or best.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, close, drawn, launch, misplaced, open, quietly, report, write } from './browser.mjs';
import { cell, document } from './documents.mjs';

before(launch);
after(close);

const bare = (c) => ({ ...c, ci: null, samples: c.samples.slice(0, 1), n: 1, flag: 'unreliable' });

/** `wild` and `bare` do most but are doubtful, `far` was measured elsewhere, `first` and `tied` cannot be told apart, `last` is behind them. */
function contest() {
  const rate = (lock, threads, value, more) => cell('locks.throughput', { lock, locks: 1, threads, protocol: 'saturated', placement: 'compact',
    mode: lock === 'far' ? 'far' : 'near' }, 'throughput', 'op/s', value / threads, more);
  const passed = (lock, value, more) => ({ ...cell('locks.throughput', { lock, locks: 1, threads: 4, protocol: 'saturated', placement: 'compact',
    mode: lock === 'far' ? 'far' : 'near' }, 'handoff_time', 'ns', value, more), better: 'lower' });
  const free = (lock, value, more) => cell('locks.uncontested', { lock, distance: 'same_cpu', mode: lock === 'far' ? 'far' : 'near' }, 'pair', 'ns', value,
    more);
  const wake = (primitive, value, more) => cell('wake.broadcast', { primitive, threads: 1 }, 'wake_mean', 'ns', value, more);
  const cells = [1, 2, 4].flatMap((t) => [
    rate('wild', t, 9e7, { half: 0.4 }), bare(rate('bare', t, 8e7)), rate('far', t, 7e7), rate('first', t, 3e7), rate('tied', t, 2.99e7), rate('last', t, 1e7),
  ]);
  cells.push(passed('wild', 10, { half: 0.4 }), bare(passed('bare', 20)), passed('far', 30), passed('first', 100), passed('tied', 100.5), passed('last', 300));
  cells.push(free('wild', 1, { half: 0.4 }), bare(free('bare', 2)), free('far', 3), free('first', 10), free('tied', 10.05), free('last', 50));
  cells.push(wake('wild', 100, { half: 0.4 }), bare(wake('bare', 200)), wake('first', 5000), wake('tied', 5010), wake('last', 90000));
  cells.push({ ...cell('locks.throughput', { lock: 'last', locks: 1, threads: 4, protocol: 'saturated', placement: 'compact', mode: 'near' }, 'handoff_share',
    '1', 0.9), flag: 'clock_limited' });
  // Repetitions of one number ran beside each other: `tied` was disturbed at other times than `first`.
  const inOrder = Array.from({ length: 11 }, (_, i) => i);
  const numbered = (c) => ({ ...c, noise: { repetition: c.at.lock === 'tied' ? [...inOrder].reverse() : inOrder } });
  return cells.map((c) => (c.samples?.length === 11 ? numbered(c) : c));
}

const namesOf = (chart) => chart.locator('svg text').allTextContents();

test('a run that was stopped early says how to go on', async () => {
  const stopped = { ...document([cell('coherence.local', { level: 'l1' }, 'latency', 'ns', 1)], { complete: false }) };
  stopped.invocation = { ...stopped.invocation, argv: ['/usr/bin/synchroscope', 'run', '*', '-o', 'mine.json'] };
  const { page } = await open(report(stopped), { drawn: false });
  assert.match(await page.locator('.doubts').innerText(), /stopped early.*\n.*To go on with the run: synchroscope run --resume mine\.json/);
  await page.close();
  const { page: whole } = await open(report({ ...stopped, complete: true }), { drawn: false });
  assert.doesNotMatch(await whole.locator('.doubts').innerText(), /resume/);
  await whole.close();
});

test('a ranking is led by what is sure, with all that cannot be told apart from it', async () => {
  const { page, trouble } = await open(report(document(contest())));
  const figure = page.locator('#locks-throughput-ranking');
  const names = (await namesOf(figure.locator('.chart'))).filter((t) => ['wild', 'bare', 'far', 'first', 'tied', 'last'].includes(t));
  assert.deepEqual(names.slice(0, 3), ['first', 'tied', 'last']);
  const below = await figure.locator('.below').innerText();
  assert.match(below, /First of those that are sure is first, not distinguishable from tied\./);
  assert.match(below, /the first, and all not distinguishable from it/);
  assert.match(below, /hollow: doubtful/);
  assert.match(below, /dashed: processors far from each other/);
  assert.match(below, /2 of 6 values are doubtful/);
  assert.match(below, /1 of 6 values was measured while the virtual processors were far/);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('bars say what they are: filled, hollow, dashed, behind', async () => {
  const { page } = await open(report(document(contest())));
  const bars = await page.locator('#locks-throughput-ranking .chart svg').evaluate((svg) => {
    const root = getComputedStyle(window.document.documentElement);
    const hex = (name) => root.getPropertyValue(name).trim();
    const rows = [...svg.querySelectorAll('text')].filter((t) => ['wild', 'bare', 'far', 'first', 'tied', 'last'].includes(t.textContent));
    const paths = [...svg.querySelectorAll('path')].map((p) => ({ p, box: p.getBoundingClientRect() })).filter(({ p, box }) => box.height > 8
      && box.height < 24 && box.width > 8 && p.getAttribute('fill') && p.getAttribute('fill') !== 'none' && p.getAttribute('fill') !== 'transparent');
    return Object.fromEntries(rows.map((t) => {
      const r = t.getBoundingClientRect();
      const bar = paths.find(({ box }) => Math.abs(box.top + box.height / 2 - r.top - r.height / 2) < 5 && box.left >= r.right - 1);
      const fill = bar?.p.getAttribute('fill')?.toLowerCase();
      return [t.textContent,
        `${fill === hex('--series-1') ? 'full' : fill === hex('--paper') ? 'hollow' : 'pale'}${bar?.p.getAttribute('stroke-dasharray') ? ' dashed' : ''}`];
    }));
  });
  assert.deepEqual(bars, { first: 'full', tied: 'full', last: 'pale', far: 'pale dashed', wild: 'hollow', bare: 'hollow' });
  await page.close();
});

test('the best is a sure one, and ties are called ties', async () => {
  const { page } = await open(report(document(contest())), { width: 1440 });
  const labels = (await namesOf(page.locator('#locks-throughput-best .chart'))).filter((t) => t.includes(' : '));
  assert.deepEqual(labels, ['1.00×', '0.500×', '0.250×'].map((factor) => `first or tied : ${factor}; wild, doubtful`));
  const below = await page.locator('#locks-throughput-best .below').innerText();
  assert.match(below, /At each bar: the best lock of those that are sure, or/);
  assert.match(below, /An outline behind a bar: a lock that would do more, if its value were sure\./);
  await page.close();
});

test('the best of those that are sure has the outline of a doubtful one behind it that would do more', async () => {
  const rate = (lock, value, half) => cell('hashtable.throughput', { lock, buckets: 512, load: 12, keys: 'uniform', placement: 'compact', threads: 4 },
    'throughput', 'op/s', value, { half });
  await quietly(report(document([rate('messages', 1e7, 0.01), rate('mcs', 3e7, 0.4), rate('tas', 2e7, 0.4), rate('clh', 5e6, 0.4)])), async (page) => {
    const chart = page.locator('#hashtable-throughput-best .chart');
    assert.deepEqual((await namesOf(chart)).filter((t) => t.includes(' : ')), ['messages : ?; mcs, doubtful']);
    const [bar, outline] = await chart.locator('svg').evaluate((svg) => {
      const boxes = [...svg.querySelectorAll('path, rect')].filter((p) => p.getAttribute('fill')?.startsWith('#')).map((p) => ({ box: p.getBoundingClientRect(),
        dashed: p.hasAttribute('stroke-dasharray') })).filter(({ box }) => box.height > 8 && box.height < 24 && box.width > 20);
      return [boxes.find((b) => !b.dashed).box, boxes.find((b) => b.dashed).box].map(({ left, right, top, height }) => ({ left, right, top, height }));
    });
    const near = (a, b) => Math.abs(a - b) <= 3;
    assert.ok(near(outline.left, bar.right) && near(outline.top, bar.top) && near(outline.height, bar.height), JSON.stringify({ bar, outline }));
    assert.ok(near(outline.right - bar.left, 3 * (bar.right - bar.left)), JSON.stringify({ bar, outline }));
    assert.deepEqual(await page.evaluate(misplaced), []);
  });
});

test('where nothing is sure nothing is the best, and the page says what the terminal says', async () => {
  const unsure = document(contest().map(bare));
  const { page } = await open(report(unsure));
  const { findings, doubts } = JSON.parse(call('show', write(unsure), '--json').stdout);
  assert.deepEqual(findings.flatMap((f) => f.sentences), []);
  assert.equal(await page.locator('.run .lead').innerText(), doubts.find((d) => d.startsWith('No reliable finding')));
  assert.equal(await page.locator('.notice', { hasText: 'Unreliable' }).count(), 0);
  const labels = (await namesOf(page.locator('#locks-throughput-best .chart'))).filter((t) => t.includes(' : '));
  assert.ok(labels.length > 0 && labels.every((l) => l === 'wild, doubtful : ?'), labels.join('|'));
  assert.doesNotMatch(await page.locator('#locks-throughput-ranking .below').innerText(), /First (is|of)/);
  assert.equal(await page.locator('.facts').count(), 0);
  await page.close();
});

test('facts name no doubtful winner, and no winner of a tie', async () => {
  const { page } = await open(report(document(contest())));
  const text = await page.locator('.facts').innerText();
  assert.doesNotMatch(text, /wild|bare|\bfar\b|\bmost\b|cheapest|quickest/);
  assert.match(text, /a lock that 4 threads want passes from one to another, with first, not distinguishable from tied/);
  assert.match(text, /free lock with first, not distinguishable from tied/);
  assert.match(text, /with first, not distinguishable from tied/);
  await page.close();
});

test('doubtful points are hollow on a dotted line, far ones crosses', async () => {
  const { page } = await open(report(document(contest())));
  const figure = page.locator('#locks-throughput-threads');
  const below = await figure.locator('.below').innerText();
  assert.match(below, /hollow, dotted: doubtful/);
  assert.match(below, /cross: processors far from each other/);
  const drawn = await figure.locator('.chart svg').evaluate((svg) => {
    const paper = getComputedStyle(window.document.documentElement).getPropertyValue('--paper').trim();
    const points = [...svg.querySelectorAll('path')].filter((p) => p.getBoundingClientRect().width < 12 && p.getBoundingClientRect().width > 4
      && p.getAttribute('fill')?.startsWith('#'));
    return { hollow: points.filter((p) => p.getAttribute('fill').toLowerCase() === paper).length, all: points.length,
      dotted: svg.querySelectorAll('path[stroke-dasharray="1.5,3"]').length };
  });
  assert.deepEqual(drawn, { hollow: 6, all: 18, dotted: 2 });
  await page.close();
});

test('the page counts as the terminal does', async () => {
  // Of an unreliable number, one without an interval, and one shorter than the clock can tell, nothing is sure.
  const cells = contest();
  const unsure = cells.filter((c) => c.value !== null && !(c.ci && (c.flag === 'ok' || c.flag === 'noisy'))).length;
  const { page } = await open(report(document(cells)));
  assert.match(await page.locator('.doubts').innerText(), new RegExp(`${unsure} of ${cells.length} values are too uncertain`));
  await page.close();
});

test('a deterministic simulation is not called unsure', async () => {
  const cells = [1, 2, 4].map((threads) => cell('unknown.experiment', { machine: 'model', threads }, 'steps', '1', threads, { half: 0 }));
  const { page } = await open(report(document(cells, { kind: 'simulated' })));
  assert.doesNotMatch(await page.locator('.head').innerText(), /No number of this run is sure/);
  await page.close();
});

test('a map strikes doubtful fields through, and its colours end at the greatest value', async () => {
  const pair = (from, to, value, more) => cell('coherence.pairs', { protocol: 'cas', from, to }, 'latency', 'ns', value, more);
  const { page } = await open(report(document([pair(0, 1, 40), pair(1, 0, 50, { half: 0.3 })], { cpus: 2 })));
  const figure = page.locator('#coherence-pairs-map');
  assert.match(await figure.locator('.below').innerText(), /Doubtful fields are struck through/);
  assert.equal((await figure.locator('.color-key').innerText()).replace(/\s+/g, ' ').trim(), '40.0 ns 50.0 ns');
  assert.match(await figure.locator('.below').innerText(), /dark is near, light is far/);
  await page.close();
});

test('what has no sure value is one line, with the command that measures it again', async () => {
  const cells = contest().map((c) => (c.experiment === 'wake.broadcast' || c.experiment === 'locks.uncontested' ? bare(c) : c));
  const content = document(cells);
  content.invocation.request = { axes: { primitive: ['event', 'event/spin'], lock: ['mcs', "it's"] } };
  const file = report(content);
  const { page } = await open(file, { drawn: false });
  const unsure = page.locator('.unsure');
  const said = (await unsure.allInnerTexts()).join('|');
  assert.match(said, /No value is sure in “A lock that nobody else wants.*To measure again: synchroscope run locks\.uncontested --lock mcs,'it'\\''s'/s);
  assert.match(said, /synchroscope run wake\.broadcast[^-|]* --primitive event,event\/spin/);
  assert.equal(await page.locator('#locks-uncontested-distance').isVisible(), false);
  assert.equal(await page.locator('#locks-throughput-ranking').isVisible(), true);
  await unsure.first().locator('summary').first().click();
  await drawn(page, page.locator('#locks-uncontested-distance'));
  await page.close();
  // An address that names such a figure opens it.
  const { page: named, trouble } = await open(file, { drawn: false, hash: '#locks-uncontested-distance' });
  await drawn(named, named.locator('#locks-uncontested-distance'));
  assert.deepEqual(trouble, []);
  await named.close();
});
