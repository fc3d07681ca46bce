// The first screen of runs beside each other: it says which they are, and what is doubtful leads nothing there.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, close, launch, open, quietly, report, write } from './browser.mjs';
import { cell, document, pairs } from './documents.mjs';

before(launch);
after(close);

const undrawn = { drawn: false };
const free = (value, more) => cell('locks.uncontested', { lock: 'mcs', distance: 'same_cpu' }, 'pair', 'ns', value, more);
const local = (value) => cell('coherence.local', { level: 'l1' }, 'latency', 'ns', value);

/** All that is measured of one sleeper, in five metrics. */
const wakes = (value, more) => [['wake_mean', {}], ['wake_first', {}], ['wake_last', {}], ['wake_of_thread', { thread: 0 }],
  ['wake_of_order', { order: 1 }]].map(([metric, at]) => cell('wake.broadcast', { primitive: 'event', threads: 1, ...at }, metric, 'ns', value, more));

const waited = (delay) => ({ processors: [0, 1], run_delay_ns: delay, seconds: [0.5, 0.5] });
const disturbed = (c, delay) => ({ ...c, noise: waited(delay) });

const visible = (rows) => rows.evaluateAll((all) => all.filter((r) => r.checkVisibility()).map((r) => r.innerText.replace(/\s+/g, ' ').trim()));

test('a difference of which one side is unreliable does not lead, and metrics of one cell are one entry', async () => {
  const before = document([...wakes(105e6, { half: 0.5 }), free(10), local(5)], { label: 'before' });
  const after = document([...wakes(645), free(160), local(5)], { label: 'after' });
  await quietly(report(before, after), async (page) => {
    const overview = page.locator('.overview');
    assert.match(await overview.locator('.found').innerText(), new RegExp('^before → after, on the same machine: 1 of 7 metrics differs, 5 are '
      + 'doubtful, 1 is undecided; most in acquire and release \\(locks\\.uncontested, 10\\.0\\sns → 160\\sns, 16\\.0 times as long\\)\\.$'));
    assert.doesNotMatch(await overview.innerText(), /100\s%/);
    assert.deepEqual(await visible(overview.locator('tbody tr')), ['Acquire and release locks.uncontested 16.0 times as long 10.0 ns → 160 ns, 1 worse']);
    const doubtful = overview.locator('details').first();
    await doubtful.locator('summary').click();
    const [lead, ...others] = await visible(doubtful.locator('tbody tr'));
    assert.match(lead, /^Wake time, mean .* and 4 more metrics of the same cells 163\s000 times shorter 105 ms → 645 ns, 1 unreliable$/);
    assert.equal(others.length, 0);
    assert.equal(await doubtful.locator('td.better, td.worse').count(), 0);
    await doubtful.getByText('and 4 more metrics').click();
    assert.equal((await visible(doubtful.locator('tbody tr'))).length, 5);
  }, undrawn);
});

test('where no difference can be relied on, the first sentence says so', async () => {
  await quietly(report(document(wakes(105e6, { half: 0.5 }), { label: 'before' }), document(wakes(645), { label: 'after' })), async (page) => {
    assert.match(await page.locator('.overview .found').innerText(),
      /^before → after.*: 0 of 5 metrics differ, 5 are doubtful; where they differ, a value is unreliable or a run was disturbed\.$/);
    assert.deepEqual(await visible(page.locator('.overview tbody tr')), []);
  }, undrawn);
});

test('the page says of disturbance what the terminal says, in sum and where it is', async () => {
  const before = document([disturbed(free(10), 1000), local(5)], { label: 'before' });
  const after = document([disturbed(free(100), 4e8), local(5)], { label: 'after' });
  const compared = call('compare', '--json', write(before), write(after));
  const warned = JSON.parse(compared.stdout).warnings.find((w) => /^1 of the differences may be due to disturbance/.test(w));
  assert.ok(warned, compared.stderr);
  await quietly(report(before, after), async (page) => {
    assert.equal(await page.locator('.overview .disturbance').innerText(), warned);
    await page.locator('.overview summary').first().click();
    assert.match((await visible(page.locator('.overview tbody tr')))[0], /1 disturbed$/);
    assert.match(await page.locator('#locks-uncontested-distance .differences').innerText(), /worse \(disturbed\)/);
  });
});

test('one model among machines is called simulated, with the number of its processors', async () => {
  const model = document([free(100)], { kind: 'simulated', model: 'xeon', cpus: 80 });
  await quietly(report(document([free(10)], { cpus: 2, label: 'here' }), model), async (page) => {
    assert.equal(await page.locator('h1').innerText(), 'here (measured) beside xeon (simulated)');
    assert.equal(await page.locator('.kinds').innerText(), 'xeon (simulated) is computed from a model of 80 processors; here was measured on 2.');
    assert.doesNotMatch(await page.locator('.overview').innerText(), /same machine/);
  }, undrawn);
});

test('how far predictions are off stands in a table of its own, if a file says so', async () => {
  const errors = [{ experiment: 'locks.uncontested', mode: 'far, 90 ns', fitted: false, cells: 12, median: 0.274, nine_of_ten: 0.61, holds: true },
    { experiment: 'messages.pair', mode: 'near', fitted: false, cells: 4, median: 0.41, nine_of_ten: null, holds: false },
    { experiment: 'coherence.local', mode: 'near', fitted: true, cells: 3, median: 0.02, nine_of_ten: null, holds: null },
    { experiment: 'wake.idle', mode: 'near', fitted: false, cells: 4, median: 0.4, nine_of_ten: null, holds: true }];
  const model = document([free(100)], { kind: 'simulated', label: 'of Monday' });
  model.machine.forecast = { made_of: { file: 'monday.json', started: '2026-01-05T03:04:05Z' }, against: { file: '<b>friday.json', started: null },
    allowed: 0.3, not_predicted: 2, errors };
  await quietly(report(document([free(10)]), model), async (page) => {
    const section = page.locator('#predictions');
    assert.deepEqual(await visible(section.locator('tbody tr')), ['locks.uncontested far, 90 ns 12 27 % 61 % holds',
      'messages.pair near 4 41 % – does not hold', 'coherence.local near 3 2 % – fitted',
      'wake.idle near 4 40 % – holds']); // as the file says, by whatever was allowed then
    assert.match(await section.innerText(), /one file \(monday\.json, 5 January 2026, 03:04 UTC\), and held against another \(<b>friday\.json\)\./);
    assert.match(await section.innerText(), /A median of 30\s% is allowed\..* 2 cells not predicted/);
    assert.equal(await page.locator('nav a[href="#predictions"]').count(), 1);
  }, undrawn);
  await quietly(report(document([free(10)])), async (page) => assert.equal(await page.locator('#predictions').count(), 0), undrawn);
});

test('a machine stands in its row among published ones, with its ranks', async () => {
  await quietly(report(document(pairs(4), { label: 'here' })), async (page) => {
    const section = page.locator('#among');
    assert.equal(await section.locator('h2').innerText(), 'This machine among 37');
    assert.match(await section.innerText(), /core-to-core-latency \(MIT licence\)/);
    const [row, ...others] = await visible(section.locator('tbody tr.own'));
    assert.equal(others.length, 0);
    assert.equal(row, 'here (here) 4 – 20.0 ns – 50.0 ns');
    assert.equal((await visible(section.locator('tbody tr'))).length, 38);
    assert.match((await visible(section.locator('thead tr')))[0], /Nearest cores rank \d+ of 38 Levels between Farthest cores rank \d+ of \d+$/);
    assert.equal(await page.locator('nav a[href="#among"]').count(), 1);
  }, undrawn);
  await quietly(report(document([free(10)])), async (page) => assert.equal(await page.locator('#among').count(), 0), undrawn);
});

test('runs of one machine are called so, by their times where they have no labels', async () => {
  const run = (started) => ({ ...document([free(10)]), invocation: { argv: [], started } });
  await quietly(report(run('2026-01-02T03:04:05Z'), run('2026-01-02T05:06:07Z')), async (page) => {
    assert.equal(await page.locator('h1').innerText(), '2 runs of Test CPU 9000: 03:04 UTC and 05:06 UTC');
    assert.match(await page.locator('.overview .found').innerText(),
      /^the run of 03:04 UTC → the run of 05:06 UTC, on the same machine: 0 of 1 metric differs, 1 is undecided\./);
  }, undrawn);
  const elsewhere = { ...document([free(10)], { label: 'there' }), os: { name: 'Test OS', kernel: '7' } };
  await quietly(report(document([free(10)], { label: 'here' }), elsewhere), async (page) => {
    assert.equal(await page.locator('h1').innerText(), 'here beside there');
    await page.getByText('What else differs between the files').click();
    assert.match(await page.locator('.overview').innerText(), /The systems differ: kernel \(6\.1; 7\)\./);
  }, undrawn);
});

/** Whether it is seen without scrolling. */
const onFirstScreen = (page, what) => page.locator(what).evaluateAll((all) => all.length > 0 && all.every((e) => e.getBoundingClientRect().bottom <= 800));

test('the first screen says how much is unreliable, and what measures the locks of which nothing is known', async () => {
  const contended = (half) => cell('locks.throughput', { lock: 'mcs', locks: 1, threads: 2, protocol: 'saturated', placement: 'compact' },
    'throughput', 'op/s', 1e7, { half });
  const unknown = new RegExp('^Not known from (this run|here): which lock to take where several threads want it; no value of such a lock is sure\\. '
    + 'To measure: synchroscope run locks\\.throughput$');
  const here = document([contended(0.3), free(10)], { label: 'here' });
  await quietly(report(here), async (page) => {
    const [unreliable, locks] = await page.locator('.notice').allInnerTexts();
    assert.equal(unreliable, 'Unreliable: 1 of 2 values (what is doubtful).');
    assert.match(locks, unknown);
  }, undrawn);
  await quietly(report(here, document([...wakes(5000).slice(0, 2), { ...local(5), ci: null, flag: 'unreliable' }], { label: 'there' })), async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const [unreliable, locks] = await page.locator('.notice').allInnerTexts();
    assert.equal(unreliable, 'Unreliable: 1 of 2 values of here and 1 of 3 values of there (what is doubtful).');
    assert.match(locks, unknown);
    assert.ok(await onFirstScreen(page, '.notice'));
  }, undrawn);
  await quietly(report(document([contended(0.01), free(10)])), async (page) => assert.equal(await page.locator('.notice').count(), 0), undrawn);
});

/** A lock that two threads want, or nobody else. */
const passing = (lock, ns, more) => cell('locks.throughput', { lock, locks: 1, threads: 2, protocol: 'saturated', placement: 'compact' }, 'handoff_time',
  'ns', ns, more);
/** With the rate, which without a pause is that of threads that come again at once. */
const contested = (lock, ns, rate, more) => [passing(lock, ns, more), { ...passing(lock, rate, more), metric: 'throughput', unit: 'op/s', better: 'higher' }];
const alone = (lock, ns, more) => cell('locks.uncontested', { lock, distance: 'same_cpu' }, 'pair', 'ns', ns, more);

test('the first line names the lock to take, where one is sure', async () => {
  const lines = (page) => page.locator('.answer').allInnerTexts();
  const spun = cell('locks.throughput', { lock: 'tas', locks: 1, threads: 64, protocol: 'saturated', placement: 'compact' }, 'handoff_time', 'ns', 1);
  const measured = [...contested('mcs', 100, 1e7), ...contested('tas', 400, 4e7), spun, alone('mcs', 20), alone('tas', 10)];
  const told = 'Which lock to take: where 2 threads want it, mcs, which passes to another thread every 100 ns (98.0 to 102); where it is nearly always free, '
    + 'and the same thread had it last, no difference worth having is resolved: tas takes 10.0 ns (9.80 to 10.2) to lock and unlock.';
  const free = 'Take tas where it is nearly always free, and the same thread had it last: it takes 10.0 ns (9.80 to 10.2) to lock and unlock; no difference '
    + 'worth having is resolved.'; // not by 64 threads on 4 processors
  const shown = call('show', write(document(measured))).stdout.replace(/\s+/g, ' ');
  assert.ok(shown.includes(`- ${told}`), shown);
  await quietly(report(document(measured)), async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.deepEqual(await lines(page), ['Take mcs where 2 threads want it: it passes to another thread every 100 ns (98.0 to 102).', free]);
    assert.deepEqual(await page.locator('.answer strong').allInnerTexts(), ['mcs', 'tas']);
    assert.ok(await onFirstScreen(page, '.answer'));
    await page.locator('.answer a').first().click();
    await page.waitForFunction(() => window.location.hash.startsWith('#locks-throughput-ranking?'));
    assert.equal(await page.locator('#locks-throughput-ranking').count(), 1);
  }, undrawn);
  for (const unknown of [[...contested('mcs', 100, 1e7, { half: 0.3 }), ...contested('tas', 400, 4e7)],
    [...contested('mcs', 100, 1e7), alone('mcs', 20)]]) // one is no contest
    await quietly(report(document(unknown)), async (page) => assert.deepEqual(await lines(page), []), undrawn);
  const unsure = document([...contested('mcs', 100, 1e7, { half: 0.3 }), ...contested('tas', 400, 4e7)]);
  await quietly(report(unsure), async (page) => assert.deepEqual((await page.locator('.notice').allInnerTexts()).slice(1), [
    'Not known from this run: which lock to take where several threads want it; the values of such locks are too uncertain to choose by. '
    + 'To measure: synchroscope run locks.throughput']), undrawn);
});

test('the first screen says whether the machines are alike, and which lock each wants', async () => {
  const here = document([...contested('mcs', 100, 1e7), ...contested('tas', 400, 1e7), local(5)], { label: 'here' });
  const there = document([...contested('mcs', 900, 1e7), ...contested('tas', 300, 1e7), local(5)], { label: 'there', model: 'Another CPU' });
  const heading = (page) => page.locator('.overview h2').innerText();
  await quietly(report(here, there), async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(await heading(page), 'Is here like there? No');
    assert.deepEqual(await page.locator('.answer').allInnerTexts(), [
      'By here take mcs where 2 threads want it: it passes to another thread every 100 ns (98.0 to 102).',
      'By there take tas where 2 threads want it: it passes to another thread every 300 ns (294 to 306).']);
    assert.match(await page.locator('.overview .found').innerText(), /^here → there: 1 of 3 metrics differs, 2 are undecided; most in time until it passes/);
    for (const what of ['.answer', '.overview h2', '.overview .found', '.overview .scroll']) assert.ok(await onFirstScreen(page, what), what);
  }, undrawn);
  await quietly(report(here, { ...here, label: 'again' }), async (page) =>
    assert.equal(await heading(page), 'Is here like again? No difference is resolved'), undrawn);
  await quietly(report(document(wakes(105e6, { half: 0.5 }), { label: 'before' }), document(wakes(645), { label: 'after' })), async (page) =>
    assert.equal(await heading(page), 'Is before like after? That is not sure'), undrawn);
});

test('beside a file that tells nothing about it the first screen says that this is not known, and why', async () => {
  const here = document([free(10), local(5)], { label: 'here' });
  const said = async (page) => [await page.locator('.overview h2').innerText(), await page.locator('.overview .found').innerText()];
  await quietly(report(here, document([free(10, { half: 0.5 })], { label: 'noisy' })), async (page) => assert.deepEqual(await said(page),
    ['Is here like noisy? Not known', 'here → noisy, on the same machine: 0 of 1 metric differs, 1 is undecided; no value is sure in both.']), undrawn);
  const elsewhere = document([cell('memory.other', { level: 'l1' }, 'latency', 'ns', 5)], { label: 'elsewhere' });
  await quietly(report(here, elsewhere), async (page) => assert.deepEqual(await said(page),
    ['Is here like elsewhere? Not known', 'The two files have no value in common that can be compared.']), undrawn);
  await quietly(report(here, elsewhere, { ...elsewhere, label: 'third' }), async (page) => assert.deepEqual(await said(page),
    ['How the others differ from here', 'No other file has a value in common with here that can be compared.']), undrawn);
});

test('on a narrow screen the sections are below the name, and a run’s facts break between words', async () => {
  const { page } = await open(report(document([free(10), local(5)], { label: 'here' })), { ...undrawn, width: 390 });
  const [brand, list] = await Promise.all(['nav .brand', 'nav > ul'].map((what) => page.locator(what).boundingBox()));
  assert.ok(list.y >= brand.y + brand.height, `${list.y} ${brand.y}`);
  assert.match(await page.locator('.head .about').first().innerText(), /measured in 12\u00a0s$/);
  await page.close();
});

test('of more machines than have room the first screen says how many more there are', async () => {
  const machines = Array.from({ length: 6 }, (_, i) => document([...contested('mcs', 100 * 8 ** i, 1e7), ...contested('tas', 400 * 8 ** i, 1e7)],
    { label: `machine ${i}`, model: `CPU ${i}` }));
  await quietly(report(...machines.slice(0, 4)), async (page) => {
    assert.equal((await visible(page.locator('.answer'))).length, 4);
    assert.equal(await page.locator('.overview h2').innerText(), 'How the others differ from machine 0');
  }, undrawn);
  await quietly(report(...machines), async (page) => {
    assert.equal((await visible(page.locator('.answer'))).length, 4);
    assert.match(await page.locator('.overview').innerText(), /2 more machines in the table\./);
    await page.getByText('Which lock to take by 2 more machines').click();
    assert.equal((await visible(page.locator('.answer'))).length, 6);
  }, undrawn);
});

test('what four machines differ by from a fifth is on the screen without scrolling', async () => {
  const machines = Array.from({ length: 5 }, (_, i) => document([...contested('mcs', 100 * 8 ** i, 1e7), ...contested('tas', 400 * 8 ** i, 1e7, { half: 0.5 }),
    ...contested('clh', 100, 1e7)], { label: `machine-${i} (simulated)`, model: `CPU ${i}` }));
  await quietly(report(...machines), async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const seen = await page.locator('.overview .scroll').first().evaluate((frame) => [frame.scrollWidth, frame.clientWidth]);
    assert.match(await page.locator('.overview').innerText(), /1 worse, 1 unreliable, 1 not resolved/);
    assert.ok(seen[0] <= seen[1] + 1, seen.join());
  }, undrawn);
});

test('the first screen has whole rows, and a button for the others', async () => {
  const run = (label, factor) => document(['locks.uncontested', 'locks.ticket', 'coherence.local', 'unknown.one', 'unknown.two', 'unknown.three']
    .map((experiment, i) => cell(experiment, { level: 'l1' }, 'latency', 'ns', 10 * factor ** (i + 1))), { label });
  await quietly(report(run('before', 1), run('after', 8)), async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const rows = page.locator('.overview tbody tr');
    assert.equal((await visible(rows)).length, 4);
    assert.ok(await onFirstScreen(page, '.overview .scroll'));
    assert.ok(await page.locator('.overview .scroll').evaluate((frame) => frame.scrollHeight <= frame.clientHeight));
    await page.getByRole('button', { name: 'and 2 more', exact: true }).click();
    assert.equal((await visible(rows)).length, 6);
  }, undrawn);
});
