// The page of a profile as a reader meets it, in a browser.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { close, home, launch, quietly, report } from './browser.mjs';
import { lock, process, profile, step } from './profiles.mjs';

before(launch);
after(close);

const undrawn = (file, body, how = {}) => quietly(file, body, { drawn: false, ...how });

const hot = lock('queue_lock', { samples: 200, contended: 50, waits: [[1024, 40], [4096, 10]], holds: [[64, 150], [256, 50]], threads: 256, more_threads: true,
  hand_offs: 100, across: 20, condition_waits: { count: 1234, total_ns: 5e6 } });
const cold = lock('cold_lock', { samples: 1000 });
const sides = [lock('table', { kind: 'rwlock', side: 'reading', samples: 30 }), lock('table', { kind: 'rwlock', side: 'writing', samples: 3 })];

const rowsOf = (page, selector) => page.locator(`${selector} tbody tr`).evaluateAll((rows) => rows.map((r) => [...r.children].map((c) => c.textContent)));

test('locks are in the order of the waits, each with its figures', async () => {
  await undrawn(report(profile([process([cold, hot, ...sides])])), async (page) => {
    assert.equal(await page.title(), 'server --port 8080 – Synchroscope');
    const rows = await rowsOf(page, '#process-1 .locks');
    assert.deepEqual(rows.map((r) => r[0]), ['queue_lock', 'cold_lock', 'table (reading)', 'table (writing)']);
    assert.deepEqual(rows[0].slice(1), ['12\u202f800', '25.0\u00a0%', '5.24\u00a0ms', '<\u00a08.19\u00a0µs', '112\u00a0ns', '<\u00a0512\u00a0ns', '256+',
      '50.0\u00a0%', '10.0\u00a0%', '1\u202f234']);
    assert.deepEqual(rows[2].slice(8, 10), ['', '']); // who reads hands nothing on
    assert.match(await page.locator('#process-1 .about').innerText(), /process 100 · 3\.25\ss · 5 threads locked/);
  });
});

const busy = (name, more = {}) => lock(name, { samples: 2000, contended: 500, waits: [[524288, 500]], holds: [[4096, 2000]], ...more });

test('the page begins with a verdict: which lock, its share, what to do, with which command', async () => {
  await undrawn(report(profile([process([cold, busy('queue lock')])])), async (page) => {
    const box = page.locator('main header .verdict');
    // 500 waits of 0.52 ms, one in 64 looked at: 16.8 s, beside 3.25 s; held for 4.1 us 128,000 times: 0.52 s
    assert.equal(await box.locator('h2').innerText(), 'What to do');
    assert.equal(await box.locator('.says').innerText(),
      'The lock queue lock is waited for longest: 16.8 s, all threads together, in the 3.25 s that the program ran: 5.16 threads waited on average.'
        .replaceAll(' ', ' '));
    assert.match(await box.innerText(), /held for only 16\.1 % of that time\. Another lock may pass it on sooner/);
    const commands = await box.locator('code').allInnerTexts();
    assert.deepEqual(commands.map((c) => c.replace(/ \S+results-\d+\.json /, ' FILE ')), ['synchroscope tune -- /usr/bin/server --port 8080',
      "synchroscope advise results.json --profile FILE --lock 'queue lock'"]);
    assert.equal(await box.locator('.doubts').count(), 0);
    await box.getByRole('link', { name: 'Its figures' }).click();
    assert.match(await page.locator(new URL(page.url()).hash).innerText(), /^queue lock/);
    const top = (selector) => page.locator(selector).first().evaluate((e) => e.getBoundingClientRect().top);
    assert.ok((await top('.verdict')) < (await top('.locks')));
  });
});

test('a verdict that rests on few samples says so, and how to be surer', async () => {
  const once = lock('seen_once', { samples: 900, contended: 1, waits: [[8388608, 1]] });
  await undrawn(report(profile([process([cold, hot, once], { cycles: [[step('a', 'b'), step('b', 'a')]] })])), async (page) => {
    const box = page.locator('.verdict');
    assert.match(await box.innerText(), /^What to do, as far as can be told\n+The lock seen_once is waited for longest/);
    const doubts = await box.locator('.doubts li').allInnerTexts();
    assert.match(doubts[0], /Only one wait for it was seen/);
    assert.match(doubts[1], /not resolved that it is waited for longer than queue_lock \(.*\)/);
    assert.match((await box.locator('code').allInnerTexts())[0], /^synchroscope profile --every 1 -o \S+ -- \/usr\/bin\/server --port 8080$/);
    await box.getByRole('link', { name: 'look there first' }).click();
    assert.equal(await page.locator(`.cycles${new URL(page.url()).hash}`).count(), 1);
  });
  await undrawn(report(profile([process([cold])])), async (page) => {
    assert.match(await page.locator('.verdict').innerText(), /No thread was seen to wait for a lock.*\n+Another lock gains nothing here/);
    assert.match((await page.locator('.verdict code').allInnerTexts())[0], /^perf record/);
  });
});

test('a rank that rests on a few samples says so', async () => {
  const once = lock('seen_once', { samples: 900, contended: 1, waits: [[8388608, 1]] });
  await undrawn(report(profile([process([cold, hot, once])])), async (page) => {
    const rows = await rowsOf(page, '#process-1 .locks');
    assert.deepEqual(rows.map((r) => [r[0], r[3].endsWith(' ?')]), [['seen_once', true], ['queue_lock', false], ['cold_lock', false]]);
    assert.match(await page.locator('#process-1').innerText(), /“\?”: waits were seen in fewer than 6 samples, so neither their total nor .* place/);
    assert.match(await page.locator('#lock-1-1').innerText(), /not sure: seen in 1 sample\b/);
  });
  await undrawn(report(profile([process([cold, hot])])), async (page) => assert.ok(!(await page.locator('#process-1').innerText()).includes('“?”')));
});

test('long waits, which are all counted, have their rows, their interval and no doubt', async () => {
  const rare = lock('rarely_taken', { samples: 1, contended: 1 });
  rare.acquisitions = 80;
  rare.wait = { ...rare.wait, estimated_total_ns: 400e6, interval_ns: [400e6, 400.1e6], sure: true,
    long: { total_ns: 400e6, histogram: [{ from_ns: 4194304, to_ns: 8388608, count: 80 }] } };
  const often = lock('often_taken', { samples: 900, contended: 1, waits: [[512, 1]] });
  often.wait = { ...often.wait, interval_ns: [512, 131072], sure: false, long: { total_ns: 0, histogram: [] } };
  await undrawn(report(profile([process([often, rare])])), async (page) => {
    assert.match(await page.locator('.verdict').innerText(), /rarely_taken is waited for longest: 400.ms/);
    const rows = await rowsOf(page, '#process-1 .locks');
    assert.deepEqual(rows.map((r) => [r[0], r[3].endsWith(' ?')]), [['rarely_taken', false], ['often_taken', true]]);
    const spans = await rowsOf(page, '#lock-1-1 .spans');
    assert.deepEqual(spans.at(-1).slice(1), ['80', '']);
    assert.match(await page.locator('#lock-1-1').innerText(), /about 400.ms, all threads together; a contended acquisition 5\.00.ms/);
    assert.match(await page.locator('#lock-1-2').innerText(), /\(512.ns to 131.µs\), all threads together.*not sure: seen in 1 sample\b/);
  });
});

test('waits and holds are shown bucket by bucket, with no gap between', async () => {
  await undrawn(report(profile([process([cold, hot])])), async (page) => {
    const rows = await rowsOf(page, '#lock-1-1 .spans');
    assert.deepEqual(rows.map((r) => r.slice(1)), [['', '150'], ['', ''], ['', '50'], ['', ''], ['40', ''], ['', ''], ['10', '']]);
    assert.deepEqual([rows[0][0], rows[6][0]], ['64\u00a0ns to 128\u00a0ns', '4.10\u00a0µs to 8.19\u00a0µs']);
    const widths = await page.locator('#lock-1-1 .bar-fill.second').evaluateAll((all) => all.map((b) => b.getBoundingClientRect().width));
    assert.ok(Math.abs(widths[2] / widths[0] - 1 / 3) < 0.02, JSON.stringify(widths));
  });
});

test('the place of each lock leads to its stack', async () => {
  await undrawn(report(profile([process([cold, hot])])), async (page) => {
    await page.locator('.locks a', { hasText: 'cold_lock' }).click();
    assert.equal(new URL(page.url()).hash, '#lock-1-2');
    const own = page.locator('#lock-1-2');
    assert.match(await own.innerText(), /A mutex at 0x5000, \/usr\/bin\/server 0x7300/);
    await own.locator('summary', { hasText: 'Where it was first used' }).click();
    assert.deepEqual(await own.locator('.calls li').allInnerTexts(), ['worker()+0x1c', 'main+0x1c']);
  });
});

test('each cycle shows its locks and the stack of each step', async () => {
  const cycles = [[step('a', 'b'), step('b', 'a')]];
  await undrawn(report(profile([process([cold], { cycles })])), async (page) => {
    const cycle = page.locator('.cycle');
    assert.equal(await cycle.count(), 1);
    const text = await cycle.innerText();
    assert.match(text, /cycle of 2 locks[^]*With a held, b was taken by thread 4711 at[^]*locks_b\(\)[^]*With b held, a was taken[^]*locks_a\(\)/);
  });
  await undrawn(report(profile([process([cold])])), async (page) => assert.equal(await page.locator('.cycles').count(), 0));
});

test('names with markup are names, places without names are addresses', async () => {
  const hostile = '</script><img src=x onerror="window.broken = 1">\u202e';
  const nameless = lock('0x7f00', { object: { address: 0x7f00 }, made_at: [{ address: 0x7f12 }, { module: '/lib/x.so', offset: 16 }] });
  const file = report(profile([process([lock(hostile), nameless], { program: hostile, cycles: [[step(hostile, 'b'), step('b', hostile)]] })],
    { command: [hostile] }));
  await undrawn(file, async (page) => {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator('img').count(), 0);
    await page.locator('#lock-1-2 summary').click();
    assert.deepEqual(await page.locator('#lock-1-2 .calls li').allInnerTexts(), ['0x7f12', 'x.so+0x10']);
  });
});

test('nothing sampled, no end, losses, many locks: said', async () => {
  const many = Array.from({ length: 130 }, (_, i) => lock(`lock_${i}`));
  const some = [process([], { seconds: null }), process(many, { pid: 101, lost: { samples: 7, spans: 0, orders: 1, children: 2 } })];
  await undrawn(report(profile(some)), async (page) => {
    assert.match(await page.locator('#process-1').innerText(), /it did not end by itself[^]*No lock of this process was sampled/);
    assert.match(await page.locator('#process-2').innerText(),
      /Not kept: 7 samples of locks for which there was no room, 1 orders of two locks, 2 child processes\./);
    assert.equal(await page.locator('#process-2 .lock').count(), 100);
    assert.equal((await rowsOf(page, '#process-2 .locks')).length, 130);
    assert.match(await page.locator('#process-2').innerText(), /30 more locks are in the JSON document/);
  });
  await undrawn(report(profile([])), async (page) => assert.match(await page.locator('main').innerText(), /No lock was sampled/));
});

for (const [width, scheme] of [[390, 'light'], [1440, 'dark']])
  test(`nothing sticks out of a screen of ${width}, ${scheme}`, async () => {
    const long = lock(`made at ${'very_long_name::'.repeat(12)}`);
    await undrawn(report(profile([process([hot, long], { program: `/x/${'p'.repeat(300)}`, cycles: [[step('a', 'b'), step('b', 'a')]] })])), async (page) => {
      assert.ok((await page.evaluate(() => window.document.documentElement.scrollWidth)) <= width + 1);
    }, { width, scheme });
  });

test('a page whose data is damaged or newer says so', async () => {
  const { readFileSync, writeFileSync } = await import('node:fs');
  for (const [from, to, saying] of [['profile-1"', 'profile-2"', /newer Synchroscope/], ['"pid":', '"pid":NaN', /damaged/]]) {
    const html = readFileSync(report(profile([process([cold])])), 'utf8');
    const file = join(home, 'altered.html');
    writeFileSync(file, to.startsWith('profile') ? html.replace(`"format":"synchroscope-${from}`, `"format":"synchroscope-${to}`) : html.replace(from, to));
    await undrawn(file, async (page) => assert.match(await page.locator('.failure').innerText(), saying));
  }
});
