// Ways to look at the same numbers: distributions, several runs in one chart, quotients of maps, findings, traces, paper.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { close, launch, misplaced, open, report } from './browser.mjs';
import { cell, document, everything, pairs } from './documents.mjs';

before(launch);
after(close);

const choose = (figure, name, value) => figure.locator('.controls label', { hasText: name }).locator('select').selectOption(value);
const textsOf = (chart) => chart.locator('svg text').allTextContents();

test('boxes and shares show how repetitions scatter', async () => {
  const wait = (lock, threads, value) => ({ ...cell('locks.throughput', { lock, locks: 1, threads, protocol: 'saturated', placement: 'compact' },
    'acquire_latency', 'ns', value), quantiles: { p50: value, p99: 40 * value } });
  const { page, trouble } = await open(report(document([1, 4].flatMap((t) => [wait('mcs', t, 100 * t), wait('tas', t, 50 * t)]))));
  const figure = page.locator('#locks-throughput-threads');
  await choose(figure, 'As', 'boxes');
  assert.deepEqual((await textsOf(figure.locator('.chart'))).filter((t) => /threads/.test(t)).sort(), ['mcs, threads 1', 'mcs, threads 4', 'tas, threads 1',
    'tas, threads 4']);
  assert.match(await figure.locator('.below').innerText(), /99th percentile of single operations/);
  assert.equal(await figure.locator('.chart svg path[stroke="#d55e00"]').count(), 4); // a mark at each box
  await figure.locator('.chart').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await figure.locator('.live').innerText(), /half between .* 11 repetitions; 99th percentile of single operations 4\.00\sµs/);
  await choose(figure, 'As', 'shares');
  assert.deepEqual(await figure.locator('.entry').allInnerTexts(), ['mcs, threads 4', 'tas, threads 4']);
  assert.ok((await textsOf(figure.locator('.chart'))).includes('100 %'));
  assert.match(page.url(), /as=shares/);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('behind boxes of many repetitions stands their density', async () => {
  const cells = [['mcs', 11], ['tas', 5]].flatMap(([lock, n]) => [1, 2].map((threads) => {
    const c = cell('locks.throughput', { lock, locks: 1, threads, protocol: 'saturated', placement: 'compact' }, 'throughput', 'op/s', 1e6);
    return { ...c, samples: [...c.samples.slice(0, n - 1), 2e6], n };
  }));
  const { page, trouble } = await open(report(document(cells)), { hash: '#locks-throughput-threads?as=boxes' });
  const figure = page.locator('#locks-throughput-threads');
  assert.match(await figure.locator('.below').innerText(), /where the repetitions are dense/);
  const curves = figure.locator('.chart svg path[fill-opacity="0.22"], .chart svg path[opacity="0.22"]');
  assert.equal(await curves.count(), 2); // five repetitions are too few
  assert.deepEqual(trouble, []);
  await page.close();
});

test('repetitions in the order measured show a drift, and it is named', async () => {
  const at = (lock) => ({ lock, locks: 1, threads: 2, protocol: 'saturated', placement: 'compact' });
  const of = (lock, samples) => ({ ...cell('locks.throughput', at(lock), 'throughput', 'op/s', 1e6), samples, n: samples.length,
    noise: { repetition: samples.map((_, i) => i + 4) } });
  const steady = [1, 1.02, 0.99, 1.01, 0.98, 1.03, 1, 0.97, 1.02, 0.99, 1.01].map((v) => v * 1e6);
  const cells = [of('mcs', steady), of('tas', steady.map((_, i) => 1e6 * (1 + i / 20))), { ...of('mcs', steady), at: { ...at('mcs'), threads: 1 } }];
  const { page, trouble } = await open(report(document(cells)), { hash: '#locks-throughput-threads?as=order' });
  const figure = page.locator('#locks-throughput-threads');
  assert.match(await figure.locator('.below').innerText(), /Shown: threads 2\..*Drift: tas went up while the run went on/);
  await figure.locator('.chart').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await figure.locator('.live').innerText(), /, repetition 5: \d\.\d+ times its median$/);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('who is pointed at in one figure is marked in all', { timeout: 300_000 }, async () => {
  const { page, trouble } = await open(report(everything()));
  const lines = page.locator('#locks-throughput-threads');
  const marked = (figure) => figure.locator('.entry.marked').allInnerTexts();
  const drawn = (figure) => figure.locator('.chart svg').first().innerHTML();
  // The chart library draws what is marked in one of the next frames.
  const redrawn = (figure, was, again) => figure.locator('.chart svg').first().evaluate(async (svg, [before, equal]) => {
    while ((svg.innerHTML === before) !== equal) await new Promise((next) => setTimeout(next, 20));
  }, [was, again]);
  const [before, barsBefore] = [await drawn(lines), await drawn(page.locator('#locks-uncontested-distance'))];
  await lines.locator('.entry', { hasText: /^ticket$/ }).focus();
  assert.deepEqual(await marked(lines), ['ticket']);
  await redrawn(lines, before, false);
  assert.deepEqual(await marked(page.locator('#hashtable-throughput-threads')), ['ticket']);
  const bars = page.locator('#locks-uncontested-distance'); // an entry is a distance there, and ticket a bar of each
  assert.deepEqual(await marked(bars), []);
  await redrawn(bars, barsBefore, false);
  await page.locator('#locks-throughput-threads .chart').focus(); // and leaves the entry
  assert.deepEqual(await marked(lines), []);
  await redrawn(lines, before, true);
  await page.keyboard.press('ArrowRight');
  const [name] = await marked(lines);
  assert.match(await lines.locator('.live').innerText(), new RegExp(`^${name}, `));
  assert.deepEqual(trouble, []);
  await page.close();
});

test('where the spread says more than the median, boxes are shown first', async () => {
  const wake = (primitive, metric, value, more) => cell('wake.broadcast', { primitive, threads: 1, mode: primitive === 'far' ? 'far' : 'near' }, metric, 'ns',
    value, more);
  const cells = [['first', 1000, {}], ['last', 9000, {}], ['wild', 500, { half: 0.4 }], ['far', 700, {}]].flatMap(([name, value, more]) =>
    [wake(name, 'wake_mean', value, more), wake(name, 'trigger', value / 10, more)]);
  const { page, trouble } = await open(report(document(cells)));
  const figure = page.locator('#wake-broadcast-primitives');
  const chosen = () => figure.locator('.controls label', { hasText: /^As/ }).locator('select').inputValue();
  assert.equal(await chosen(), 'boxes');
  const names = (await textsOf(figure.locator('.chart'))).filter((t) => ['first', 'last', 'wild', 'far'].includes(t));
  assert.deepEqual(names, ['first', 'last', 'wild', 'far']); // as the bars: what is sure and near stands first
  const below = await figure.locator('.below').innerText();
  assert.match(below, /hollow: doubtful/);
  assert.match(below, /dashed: processors far from each other/);
  assert.match(below, /1 of 4 values is doubtful/);
  await choose(figure, 'Show', 'trigger');
  assert.equal(await chosen(), 'medians');
  await choose(figure, 'Show', 'wake_mean');
  assert.equal(await chosen(), 'boxes');
  await choose(figure, 'As', 'medians');
  await choose(figure, 'Show', 'trigger');
  await choose(figure, 'Show', 'wake_mean');
  assert.equal(await chosen(), 'medians'); // the reader has decided
  assert.deepEqual(trouble, []);
  await page.close();
});

test('what was found is about the metric that is shown', async () => {
  const at = (lock) => ({ lock, locks: 1, threads: 2, protocol: 'saturated', placement: 'compact' });
  const cells = [['mcs', 100, 1e7], ['tas', 4000, 8e7]].flatMap(([lock, ns, rate]) => [cell('locks.throughput', at(lock), 'handoff_time', 'ns', ns),
    cell('locks.throughput', at(lock), 'throughput', 'op/s', rate), cell('locks.throughput', at(lock), 'fairness', '1', 1)]);
  const { page } = await open(report(document(cells)));
  const figure = page.locator('#locks-throughput-ranking');
  const found = () => figure.locator('.found').allInnerTexts();
  assert.match((await found()).join(' '), /^A lock that 2 threads all want/);
  await choose(figure, 'Show', 'throughput');
  assert.match((await found()).join(' '), /^Throughput \(threads 2, locks 1, protocol saturated\): 80\.0 million/);
  await choose(figure, 'Show', 'fairness');
  assert.match((await found()).join(' '), /^Fairness .*no difference/);
  await page.close();
});

test('single repetitions have no distribution to show', async () => {
  const few = everything().cells.map((c) => ({ ...c, samples: c.samples.slice(0, 3), n: 3 }));
  const { page } = await open(report(document(few)), { drawn: false });
  assert.equal(await page.locator('.controls label', { hasText: /^As/ }).count(), 0);
  await page.close();
});

test('two runs stand in one chart, and their maps beside that of their quotients', async () => {
  const before = document([...pairs(4), ...everything().cells.filter((c) => c.experiment === 'locks.throughput')], { label: 'before' });
  const after = { ...before, label: 'after', cells: before.cells.map((c) => (c.at.from === 0 && c.at.to >= 2
    ? cell(c.experiment, c.at, c.metric, c.unit, c.value * 8, c.at.to === 2 ? { half: 0.3 } : {}) : c)) };
  const { page, trouble } = await open(report(before, after));
  const lines = page.locator('#locks-throughput-threads');
  assert.equal(await lines.locator('.chart').count(), 2);
  await choose(lines, 'Runs', 'together');
  assert.equal(await lines.locator('.chart').count(), 1);
  const names = await lines.locator('.entry').allInnerTexts();
  assert.ok(names.includes('tas, before') && names.includes('tas, after'), names.join('|'));

  const map = page.locator('#coherence-pairs-map');
  assert.deepEqual(await map.locator('h4').allInnerTexts(), ['before', 'after', 'after / before']);
  const quotients = (await textsOf(map.locator('.chart').nth(2))).filter((t) => /^\d+\.\d+$/.test(t));
  assert.equal(quotients.length, 12);
  assert.deepEqual(quotients.filter((t) => t !== '1.00'), ['8.00', '8.00']);
  assert.match(await map.locator('.below').innerText(), /Quotients from 1\.00 to 8\.00.*11 of 12 are struck through: 10 no difference resolved, 1 unreliable/);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('the systems of a paper stand in one chart with this machine', async () => {
  const own = document(['SetEvent', 'ReleaseMutex'].map((call) => cell('overhead.calls', { call, primitive: 'pthread/mutex' }, 'delay', 'ns', 5000)),
    { label: 'here' });
  const { page, trouble } = await open(report(own, '--paper'), { hash: '#overhead-calls-calls?runs=together' });
  const figure = page.locator('#overhead-calls-calls');
  assert.equal(await figure.locator('.chart').count(), 1);
  const names = await figure.locator('.entry').allInnerTexts();
  assert.ok(names.includes('pthread/mutex, here') && names.filter((n) => /Windows|Linux|Ubuntu/.test(n)).length === 3, names.join('|'));
  assert.deepEqual(await page.evaluate(misplaced), []);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('two systems stand in the rows of the paper by their own calls, and Wine is named', async () => {
  const at = (call, primitive, us) => cell('overhead.calls', { call, primitive }, 'delay', 'ns', us * 1000);
  const here = document([at('ReleaseMutex', 'pthread/mutex', 14), at('ReleaseMutex', 'mutex', 3), at('SetEvent', 'pthread/cond_event', 51)], { label: 'one' });
  const there = { ...document([at('ReleaseMutex', 'win32/mutex', 22), at('SetEvent', 'win32/event', 33)], { label: 'another' }),
    os: { name: 'Wine 8.0 (its Windows is Windows 10)', kernel: '10.0', wine: '8.0' } };
  const { page, trouble } = await open(report(here, there, '--paper'));
  const table = page.locator('#overhead-calls-systems table');
  const heads = await table.locator('thead th').allInnerTexts();
  assert.ok(heads.includes('one') && heads.includes('another (Wine 8.0)'), heads.join('|'));
  const row = table.locator('tbody tr', { hasText: 'ReleaseMutex' });
  assert.equal(await row.count(), 1);
  const numbers = (await row.locator('td').allInnerTexts()).map((t) => t.split('\n')[0].trim());
  assert.deepEqual(numbers.slice(0, 2), ['14.0\u00a0µs', '22.0\u00a0µs'], numbers.join('|'));
  assert.equal(numbers.length, 5);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('two systems stand in one chart by their own calls, a bar for each', async () => {
  const at = (call, primitive, us) => cell('overhead.calls', { call, primitive }, 'delay', 'ns', us * 1000);
  const here = document([at('ReleaseMutex', 'pthread/mutex', 14), at('ReleaseMutex', 'mutex', 3), at('SetEvent', 'pthread/cond_event', 51)], { label: 'one' });
  const there = document([at('ReleaseMutex', 'win32/mutex', 22), at('SetEvent', 'win32/event', 33)], { label: 'another' });
  const { page, trouble } = await open(report(here, there));
  const figure = page.locator('#overhead-calls-difference');
  assert.equal(await figure.locator('.chart').count(), 1);
  const systems = ['Windows 7', 'Windows XP', 'Ubuntu 10.04'];
  assert.deepEqual(await figure.locator('.entry').allInnerTexts(), ['one', 'another', ...systems]);
  assert.equal(await figure.locator('label', { hasText: /^Primitive/ }).count(), 0, 'nothing is left to choose');
  const bars = await figure.evaluate((f) => [...f.querySelectorAll('.legend rect')].map((box) => box.getAttribute('fill').toLowerCase())
    .map((color) => [...f.querySelectorAll('.chart path')].filter((p) => p.getAttribute('fill')?.toLowerCase() === color).length));
  assert.deepEqual(bars, [2, 2, 13, 13, 13]);
  assert.deepEqual(await page.evaluate(misplaced), []);
  assert.deepEqual(trouble, []);
  await page.close();

  // The paper's systems stand beside one run, too; the table of several systems does not.
  const alone = await open(report(here));
  assert.deepEqual(await alone.page.locator('#overhead-calls-difference .entry').allInnerTexts(), ['one', ...systems]);
  assert.equal(await alone.page.locator('#overhead-calls-systems').count(), 0);
  const rows = alone.page.locator('#overhead-calls-paper tbody tr');
  assert.equal(await rows.count(), 3);
  await alone.page.getByRole('button', { name: 'Show the 11 rows of the paper that have no value here' }).click();
  assert.equal(await rows.count(), 14);
  await alone.page.close();
});

test('what two runs differ by is what the program says', async () => {
  const run = (label, cells) => document(cells, { label });
  const at = { lock: 'mcs', distance: 'same_cpu' };
  const { page } = await open(report(run('a', [cell('locks.uncontested', at, 'pair', 'ns', 10)]), run('b', [cell('locks.uncontested', at, 'pair', 'ns', 11)])));
  // The intervals are far apart, and yet two runs of one program may differ by a tenth.
  assert.match(await page.locator('#locks-uncontested-distance .differences').innerText(), /within the differences between runs \(/);
  await page.close();
});

test('each figure says what was found there, in the words of the program', async () => {
  const { page } = await open(report(everything()), { drawn: false });
  const said = (id) => page.locator(`#${id} .found`).allInnerTexts();
  assert.match((await said('coherence-local-levels'))[0], /^Reading from the first cache takes 1\.10\sns .*, 125 times as much\.$/);
  assert.match((await said('locks-throughput-threads'))[0],
    /^Throughput \(threads 16, locks \d+, protocol saturated\): .* with tas; .* with array\. .* more\.$/);
  assert.match((await said('locks-throughput-best'))[0], /^Throughput/);
  assert.deepEqual(await said('unknown-experiment-values'), []);
  assert.ok((await page.locator('.figure .found').count()) >= 12);
  await page.close();
});

test('a stacked bar has its whole at the end, and its parts where they have room', async () => {
  const calls = [['event', { futex: 1, read: 0.5, write: 0.003 }], ['pipe', { read: 3 }], ['unsure', { futex: 1, read: 1 }]].flatMap(([primitive, made]) =>
    Object.entries(made).map(([call, n]) => cell('wake.broadcast', { primitive, threads: 3, call }, 'calls_per_wake', '1', n,
      { half: primitive === 'unsure' && call === 'read' ? 0.4 : 0 })));
  const { page, trouble } = await open(report(document(calls)));
  const figure = page.locator('#wake-broadcast-underneath');
  const at = (words) => figure.locator('.chart svg text').evaluateAll((all, text) => all.filter((t) => t.textContent === text).map((t) =>
    t.getBoundingClientRect().left), words);
  const texts = await textsOf(figure.locator('.chart'));
  for (const [words, times] of [['1.50', 1], ['1.00', 2], ['0.500', 1], ['0.00300', 0], ['3.00', 1], ['2.00 ?', 1], ['1.00 ?', 1]])
    assert.equal(texts.filter((t) => t === words).length, times, `${words}: ${texts.join('|')}`);
  assert.ok((await at('1.50'))[0] > (await at('0.500'))[0] && (await at('0.500'))[0] > Math.min(...await at('1.00')));
  await figure.getByRole('button', { name: 'futex', exact: true }).click(); // the whole of what is shown
  const left = await textsOf(figure.locator('.chart'));
  assert.ok(left.includes('0.503') && !left.includes('1.50'), left.join('|'));
  assert.deepEqual(await page.evaluate(misplaced), []);
  assert.deepEqual(trouble, []);
  await page.close();
});

/** The values at the axis of bars: they have the colour of what is muted. */
const ticksOf = (chart) => chart.locator('svg').evaluate((svg) => {
  const muted = getComputedStyle(window.document.documentElement).getPropertyValue('--muted').trim();
  const all = [...svg.querySelectorAll('text')].filter((t) => t.getAttribute('fill') === muted && /^[\d\s.]+$/.test(t.textContent));
  return all.map((t) => t.textContent);
});

test('charts beside each other have one axis, however long the labels at the ends of their bars are', async () => {
  const contest = (names, value) => names.flatMap((lock, i) => [1, 2, 4].map((threads) =>
    cell('locks.throughput', { lock, locks: 1, threads, protocol: 'saturated', placement: 'compact' }, 'throughput', 'op/s', value / (threads + i))));
  const short = document(contest(['a', 'b'], 2e7), { label: 'short' });
  const long = document(contest(['a_longer_name_of_lock', 'b'], 2e7), { label: 'long' });
  const { page, trouble } = await open(report(short, long), { width: 1440 });
  for (const id of ['locks-throughput-best', 'locks-throughput-ranking']) {
    const charts = await page.locator(`#${id} .chart`).all();
    assert.equal(charts.length, 2, id);
    const [one, other] = await Promise.all(charts.map(ticksOf));
    assert.ok(one.length > 2, id);
    assert.deepEqual(one, other, id);
  }
  assert.deepEqual(await page.evaluate(misplaced), []);
  assert.deepEqual(trouble, []);
  await page.close();
});

/** Where the figures begin, that are not folded. */
const placesOf = (page) => page.locator('.figure').evaluateAll((all) => all.filter((f) => f.checkVisibility()).map((f) => {
  const { left, top, width } = f.getBoundingClientRect();
  return { id: f.id, left: Math.round(left), top: Math.round(top + window.scrollY), width, wide: f.classList.contains('wide') };
}));

test('on a wide screen figures stand in two columns, in their order; nothing is wider than any screen; paper has one', async () => {
  const { page, trouble } = await open(report(everything()), { width: 1920 });
  for (const width of [320, 390, 800, 1280, 1600, 1899, 1900, 1920, 2560, 3840]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok((await page.evaluate(() => window.document.documentElement.scrollWidth)) <= width, `${width} wide`);
    const places = await placesOf(page);
    const columns = [...new Set(places.map((f) => f.left))];
    assert.equal(columns.length, width < 1900 ? 1 : 2, `${width} wide: ${JSON.stringify(places)}`);
    // Line by line, from left to right.
    const read = [...places].sort((a, b) => a.top - b.top || a.left - b.left);
    assert.deepEqual(read.map((f) => f.id), places.map((f) => f.id));
    if (width >= 1900) for (const f of places) assert.ok(f.wide ? f.width > 1400 : f.width > 700 && f.width < 1000, `${width} wide: ${JSON.stringify(f)}`);
  }
  await page.setViewportSize({ width: 1920, height: 900 });
  const places = await placesOf(page);
  const listed = await page.locator('nav .figures a').evaluateAll((all) => all.map((a) => a.hash.slice(1)));
  assert.deepEqual(listed, places.map((f) => f.id));
  const at = places.findIndex((f, i) => places[i + 1]?.top === f.top);
  for (const { id } of [places[at + 1], places[at]]) {
    await page.locator(`nav a[href="#${id}"]`).click();
    await page.waitForFunction((wanted) => window.document.querySelector('nav [aria-current]')?.hash === `#${wanted}`, id);
  }
  await page.emulateMedia({ media: 'print' });
  assert.equal(new Set((await placesOf(page)).map((f) => f.left)).size, 1);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('on a wide screen, too, two machines stand beside each other', async () => {
  const { page } = await open(report(everything(), { ...everything(), label: 'other' }), { width: 1920, drawn: ['locks-uncontested-distance'] });
  const tops = await page.locator('.panels:not(.single)').evaluateAll((all) => all.map((panels) => [...panels.children].slice(0, 2).map((p) =>
    Math.round(p.getBoundingClientRect().top))));
  assert.ok(tops.length > 10);
  for (const [one, other] of tops) assert.equal(one, other);
  assert.ok((await page.evaluate(() => window.document.documentElement.scrollWidth)) <= 1920);
  await page.close();
});

test('a timeline is a trace that Perfetto opens', async () => {
  const { page } = await open(report(everything()));
  const figure = page.locator('#forkjoin-timeline-timeline');
  assert.ok((await textsOf(figure.locator('.chart'))).includes('0, starts the others'));
  assert.ok((await figure.locator('.entry').allInnerTexts()).includes('starting the others'));
  const [download] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: 'Trace', exact: true }).click()]);
  const { traceEvents: events } = JSON.parse(readFileSync(await download.path(), 'utf8'));
  const spans = events.filter((e) => e.ph === 'X');
  assert.deepEqual(spans.map((e) => e.name), ['starting the others', 'working', ...Array(3).fill(['on its way', 'working']).flat()]);
  // Microseconds, from the first trigger.
  assert.deepEqual(spans.slice(0, 2).map((e) => [e.ts, e.dur, e.pid, e.tid]), [[1, 20, 1, 1], [21, 20, 1, 1]]);
  assert.deepEqual(events.filter((e) => e.name === 'thread_name').map((e) => e.args.name), ['thread 0, starts the others', 'thread 1', 'thread 2', 'thread 3']);
  await page.close();
});

test('on paper each figure stands whole on a page, and pages are not left half empty', async () => {
  const { page } = await open(report(everything()), { drawn: false, width: 700 });
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => [...window.document.querySelectorAll('.chart')].every((c) => c.childElementCount > 0));
  const figures = await page.locator('.figure').evaluateAll((all) => all.map((f) => ({ id: f.id, whole: getComputedStyle(f).breakInside,
    high: f.getBoundingClientRect().height, table: f.dataset.kind === 'paper' })));
  for (const f of figures.filter((f) => !f.table)) {
    assert.equal(f.whole, 'avoid', f.id);
    assert.ok(f.high < 980, `${f.id} is ${f.high} high`); // of 1001 on A4
  }
  assert.equal(await page.locator('.controls .view:visible').count(), 0);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  const sheets = pdf.match(/\/Type\s*\/Page\b(?!s)/g).length;
  const room = figures.reduce((sum, f) => sum + f.high, 0) / 1000;
  assert.ok(sheets < 1.6 * room + 8, `${sheets} pages for ${room.toFixed(1)} pages of figures`);
  await page.close();
});

test('bars have their numbers, and follow the logarithm where values span decades', async () => {
  const free = [['same', 10], ['near', 40], ['far', 9000]].map(([lock, v]) => cell('locks.uncontested', { lock, distance: 'same_cpu' }, 'pair', 'ns', v,
    { half: lock === 'near' ? 0.3 : 0.02 }));
  const rates = ['tas', 'mcs'].map((lock, i) => cell('locks.throughput', { lock, locks: 1, threads: 2 }, 'throughput', 'op/s', 1e7 * (i + 1)));
  const { page, trouble } = await open(report(document([...free, ...rates])));
  const figure = page.locator('#locks-uncontested-distance');
  const texts = await textsOf(figure.locator('.chart'));
  for (const number of ['10.0', '40.0 ?', '9\u202f000']) assert.ok(texts.includes(number), `${number}: ${texts.join('|')}`);
  const least = (chart) => chart.locator('svg').evaluate((svg) => Math.min(...[...svg.querySelectorAll('path')].filter((p) => /^#[0-9a-f]{6}$/i.test(
    p.getAttribute('fill') ?? '')).map((p) => p.getBoundingClientRect()).filter((b) => b.height > 8 && b.height < 24).map((b) => b.width)));
  assert.equal(await figure.locator('label', { hasText: 'Scale' }).locator('select').inputValue(), 'log');
  assert.match(await figure.locator('.below').innerText(), /The axis is logarithmic/);
  assert.ok((await least(figure.locator('.chart'))) > 20);
  await choose(figure, 'Scale', 'linear');
  assert.ok((await least(figure.locator('.chart'))) < 20);
  assert.doesNotMatch(await figure.locator('.below').innerText(), /logarithmic/);
  // Boxes and shares have the same axis: the least value keeps its distance from the edge, and labels are powers of ten.
  await choose(figure, 'Scale', 'log');
  for (const [as, labels] of [['boxes', ['10', '100', '1\u202f000']], ['shares', ['10', '100', '1\u202f000']]]) {
    await choose(figure, 'As', as);
    const texts = await textsOf(figure.locator('.chart'));
    for (const label of labels) assert.ok(texts.includes(label), `${as}: ${texts.join('|')}`);
    assert.match(await figure.locator('.below').innerText(), /The axis is logarithmic/);
  }
  // What is of one size needs no such choice.
  const ranking = page.locator('#locks-throughput-ranking');
  assert.ok((await textsOf(ranking.locator('.chart'))).includes('20.0'));
  assert.equal(await ranking.locator('label', { hasText: 'Scale' }).count(), 0);
  assert.deepEqual(await page.evaluate(misplaced), []);
  assert.deepEqual(trouble, []);
  await page.close();
});
