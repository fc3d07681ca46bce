// The report as a reader meets it, in a browser.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, close, findsPair, home, launch, misplaced, open, quietly, report, unfold, write } from './browser.mjs';
import { cell, document, everything, pairs } from './documents.mjs';

before(launch);
after(close);

/** Opens, checks that nothing was complained of or asked for, and hands the page on. */
const textsOf = (page, selector) => page.locator(`${selector} .chart svg text`).allTextContents();

for (const width of [390, 1440, 1920])
  test(`every kind of chart is there, with titles and units, nothing clipped or overlapping, ${width} wide`, async () => {
    await quietly(report(everything()), async (page) => {
      for (const kind of ['heat', 'lines', 'bars', 'best', 'gantt']) assert.ok((await page.locator(`.figure[data-kind=${kind}] svg`).count()) > 0, kind);
      assert.ok((await page.locator('.figure[data-kind=paper] table').count()) > 0);
      const lines = await textsOf(page, '#atomics-throughput-threads');
      assert.ok(lines.includes('Threads') && lines.some((t) => t.includes('op/s')), lines.join('|'));
      const bars = await textsOf(page, '#locks-uncontested-distance');
      assert.ok(bars.some((t) => /, ns( \(lower is better\))?$/.test(t)) && bars.includes('std/mutex'), bars.join('|'));
      const heat = await textsOf(page, '#coherence-pairs-map');
      assert.ok(heat.includes('From processor') && heat.includes('To processor') && heat.includes('20.0'), heat.join('|'));
      const best = await textsOf(page, '#locks-throughput-best');
      assert.ok(best.some((t) => /^tas : .*×$/.test(t)), best.join('|'));
      const gantt = await textsOf(page, '#forkjoin-timeline-timeline');
      assert.ok(gantt.some((t) => t.includes('48.0')), gantt.join('|'));
      assert.deepEqual(await page.evaluate(misplaced), []);
    }, { width });
  });

test('a figure alone has its choices and nothing around it', async () => {
  const file = join(home, 'alone.html');
  assert.equal(call('report', write(everything()), '--figure', 'locks.throughput-threads?scale=log', '-o', file).status, 0);
  await quietly(file, async (page) => {
    assert.deepEqual(await page.locator('.figure').evaluateAll((all) => all.map((e) => e.id)), ['locks-throughput-threads']);
    assert.equal(await page.locator('nav, footer').count(), 0);
    assert.ok((await textsOf(page, '#locks-throughput-threads')).includes('Threads'));
    assert.ok((await page.locator('#locks-throughput-threads select').evaluateAll((all) => all.map((e) => e.value))).includes('log'));
  }, { width: 700, drawn: ['locks-throughput-threads'] });
});

for (const n of [1, 2, 64, 128]) // 576: large.test.mjs
  test(`a machine of ${n} processors`, async () => {
    const cells = n === 1 ? [cell('coherence.pairs', { protocol: 'cas', from: 0, to: 0 }, 'latency', 'ns', null, { reason: 'there is one processor' }),
      cell('locks.throughput', { lock: 'mcs', threads: 1, locks: 1 }, 'throughput', 'op/s', 1e7)] : pairs(n);
    await quietly(report(document(cells, { cpus: n })), async (page) => {
      const map = page.locator('#coherence-pairs-map');
      if (n === 1) assert.match(await map.innerText(), /there is one processor/);
      else assert.equal(await map.locator(n > 96 ? '.chart canvas' : '.chart svg').count(), 1);
      if (n === 64) assert.match(await map.innerText(), /Lines part packages \(strongest\), dies, cores/);
      assert.deepEqual(await page.evaluate(misplaced), []);
      if (n > 96) await findsPair(page, map);
    });
  });

test('names with markup, quotes and directions are names', async () => {
  const hostile = ['</script><script>window.broken = 1</script>', '"><img src=x onerror="window.broken = 1">', '\u202egnp.exe', '=cmd()', '${7*7}',
    '__proto__', 'constructor', 'a'.repeat(300), '{b|c}', '<b>', ''];
  const cells = hostile.flatMap((lock) => [1, 2].map((threads) => cell('locks.throughput', { lock, threads, locks: 1 }, 'throughput', 'op/s', 1e6 * threads)));
  cells.push(...hostile.map((name) => cell(name || 'x', { [name || 'y']: name }, name || 'z', name || '1', 5)));
  const file = report(document(cells, { label: hostile[0], model: hostile[1], warnings: [{ id: hostile[0], evidence: { x: hostile[1] },
    advice: hostile[1] }] }));
  await quietly(file, async (page) => {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator('img').count(), 0);
    assert.ok((await page.locator('h1').innerText()).startsWith('</script>'));
    const tables = page.locator('summary', { hasText: 'All values' });
    for (const t of await tables.all()) await t.click();
    assert.ok((await page.locator('td', { hasText: 'onerror' }).count()) > 0);
  });
});

test('an empty run, cells without values, one sample, no interval: said, not blank', async () => {
  await quietly(report(document([])), async (page) => assert.match(await page.locator('main').innerText(), /This run is empty/));
  const none = everything().cells.map((c) => ({ ...c, value: null, ci: null, samples: [], n: 0, flag: 'unreliable', reason: 'the machine said no' }));
  await quietly(report(document(none)), async (page) => {
    assert.match(await page.locator('main').innerText(), /There is no value in this file/);
    assert.match(await page.locator('#locks-uncontested-distance').innerText(), /No value: the machine said no/);
  });
  const single = everything().cells.map((c) => ({ ...c, ci: null, samples: c.samples.slice(0, 1), n: 1, flag: 'unreliable' }));
  await quietly(report(document(single)), async (page) => {
    assert.ok((await page.locator('.chart svg').count()) > 10);
    assert.deepEqual(await page.evaluate(misplaced), []);
  });
});

test('data that is damaged or newer is one sentence', async () => {
  const { readFileSync, writeFileSync } = await import('node:fs');
  const html = readFileSync(report(document([])), 'utf8');
  const file = join(home, 'altered.html');
  for (const [from, to, saying] of [['synchroscope/1', 'synchroscope/2', /newer Synchroscope/], ['"complete":', '"complete":NaN', /damaged/]]) {
    writeFileSync(file, html.replace(`"schema":"${from}"`, `"schema":"${to}"`).replace(from, to));
    await quietly(file, async (page) => assert.match(await page.locator('.failure').innerText(), saying), { drawn: false });
  }
});

/** Contrast of every text with what is behind it, below 4.5 to 1. */
function faint() {
  const parse = (c) => (c.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const solid = (c) => c.length < 4 || c[3] === 1;
  const behind = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const c = parse(getComputedStyle(at).backgroundColor);
      if (solid(c)) return c;
    }
    return [255, 255, 255];
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const found = new Set();
  const judge = (text, color, ground, where) => {
    const value = contrast(color, ground);
    if (value < 4.5) found.add(`${where}: "${text.slice(0, 30)}" has ${value.toFixed(2)}`);
  };
  const walker = window.document.createTreeWalker(window.document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || e.closest('script, svg, noscript') || e.getClientRects().length === 0) continue;
    const color = parse(getComputedStyle(e).color);
    if (solid(color)) judge(node.textContent, color, behind(e), e.className || e.tagName);
  }
  for (const t of window.document.querySelectorAll('.chart svg text')) {
    const figure = t.closest('.figure');
    const middle = t.getBoundingClientRect();
    // A number in a field of the map, or in a part of a bar, stands on that.
    const field = [...t.ownerSVGElement.querySelectorAll('path')].filter((p) => {
      const b = p.getBoundingClientRect();
      const fill = getComputedStyle(p).fill;
      return fill !== 'none' && p.getAttribute('fill-opacity') !== '0' && ['heat', 'bars'].includes(figure.dataset.kind) && b.left <= middle.left + 1
        && b.right >= middle.right - 1 && b.top <= middle.top + 1 && b.bottom >= middle.bottom - 1;
    }).pop();
    judge(t.textContent, parse(getComputedStyle(t).fill), field ? parse(getComputedStyle(field).fill) : behind(figure), `chart ${figure.id}`);
  }
  return [...found];
}

for (const scheme of ['light', 'dark'])
  test(`text is readable, ${scheme}`, async () => {
    await quietly(report(everything(), { ...everything(), label: 'other' }), async (page) => {
      await unfold(page);
      assert.deepEqual(await page.evaluate(faint), []);
    }, { scheme });
  });

test('several machines stand side by side on one scale, with differences', async () => {
  const other = everything();
  other.label = 'other';
  other.cells = other.cells.map((c) => (c.experiment === 'locks.uncontested' ? cell(c.experiment, c.at, c.metric, c.unit, c.value * 6) : c));
  await quietly(report(everything(), other), async (page) => {
    assert.match(await page.locator('h1').innerText(), /2 runs of one machine/);
    const figure = page.locator('#locks-uncontested-distance');
    // The numbers of an axis have the colour of what is muted, those of bars that of ink.
    const ticks = await figure.locator('.chart svg').evaluateAll((all) => all.map((svg) => [...svg.querySelectorAll('text')].filter((t) =>
      t.getAttribute('fill') === getComputedStyle(window.document.documentElement).getPropertyValue('--muted').trim() && /^[\d\s.]+$/.test(t.textContent))
      .map((t) => t.textContent)));
    assert.equal(ticks.length, 2);
    assert.ok(ticks[0].length > 1);
    assert.deepEqual(ticks[0], ticks[1]);
    await figure.locator('.differences summary').click(); // many rows are folded
    assert.match(await figure.locator('.differences').innerText(), /\+500\s% \(.* to .*\) worse/);
    assert.match(await page.locator('#coherence-pairs-map .differences').innerText(), /no difference resolved/);
  });
});

test('an interval whose ends are printed alike stands nowhere on the page', async () => {
  const narrow = (label) => ({ ...everything(), label,
    cells: everything().cells.map((c) => ({ ...c, ci: [c.value, c.value * (1 + 1e-9)], samples: c.samples.map((_, i) => c.value * (1 + i * 1e-9)) })) });
  await quietly(report(narrow('one'), narrow('other'), '--paper'), async (page) => {
    await unfold(page);
    const texts = await page.locator('td, p, .span').allTextContents();
    assert.ok(texts.some((t) => t.startsWith('no difference resolved')));
    assert.deepEqual(texts.filter((t) => /(?<![\d.\u202f])([\d.\u202f]+)(?:\u00a0\S+)? ?(?:to|–) ?[+\u2212]?\1(?![\d.])/.test(t)).slice(0, 5), []);
  });
});

test('this machine beside the paper’s four platforms', async () => {
  await quietly(report(everything(), '--paper'), async (page) => {
    assert.equal(await page.locator('h1').innerText(), 'everything beside published numbers of 11 other machines and systems');
    assert.match(await page.locator('#overhead-calls-paper table').innerText(), /145/);
    const figure = page.locator('#coherence-states-operations');
    assert.deepEqual(await figure.locator('h4').allTextContents(), ['everything', 'Opteron', 'Xeon', 'Niagara', 'Tilera']);
    assert.equal(await figure.locator('.chart svg').count(), 5);
    assert.match(await page.locator('#coherence-states-paper table').innerText(), /252/);
    assert.deepEqual(await page.evaluate(misplaced), []);
  });
});

test('what the paper’s text says of a figure stands beside its curve', async () => {
  const cells = [1, 2, 6, 12].flatMap((threads) => ['fai', 'swap'].map((operation) =>
    cell('atomics.throughput', { operation, threads, protocol: 'paused', placement: 'compact' }, 'successes', 'op/s', 1.9e7)));
  await quietly(report(document(cells, { kind: 'simulated', model: 'opteron' })), async (page) => {
    const figure = page.locator('#atomics-throughput-paused');
    assert.equal(await figure.locator('.chart svg text', { hasText: /^Opteron$/ }).count(), 1);
    assert.match(await figure.locator('.legend').innerText(), /published in the paper/);
    assert.match(await figure.locator('.papers').innerText(), /Opteron: close to 20 Mop\/s within a socket \(5\.4\)/);
    assert.deepEqual(await page.evaluate(misplaced), []);
  });
});

for (const width of [390, 1440]) test(`what it says of a figure of bars lies across them, ${width} wide`, async () => {
  const cells = ['tas', 'mcs'].flatMap((lock, i) => ['same_die', 'one_hop', 'two_hops'].map((distance, d) =>
    cell('locks.uncontested', { lock, distance }, 'acquire_cycles', 'cycle', [20, 330, 430][d] + 10 * i)));
  await quietly(report(document(cells, { kind: 'simulated', model: 'opteron' })), async (page) => {
    const figure = page.locator('#locks-uncontested-acquire');
    assert.match((await textsOf(page, '#locks-uncontested-acquire')).join('|'), /Opteron: 350 to 450\scycles \(one hop or two hops\)/);
    assert.match(await figure.locator('.legend').innerText(), /published in the paper/);
    assert.match(await figure.locator('.papers').innerText(), /Opteron: 350 to 450 cycles across sockets; .* \(6\.1\.1\)/);
    assert.deepEqual(await figure.locator('.chart svg').evaluate((svg) => {
      const edges = [...svg.querySelectorAll('path[stroke-dasharray="4,3"]')].map((p) => p.getBoundingClientRect());
      const through = (b) => edges.some((e) => e.left < b.right && e.right > b.left && e.top < b.bottom && e.bottom > b.top);
      return [edges.length, ...[...svg.querySelectorAll('text')].filter((t) => /^\d+(\.\d)?$/.test(t.textContent) && through(t.getBoundingClientRect()))
        .map((t) => t.textContent)];
    }), [2]);
    assert.deepEqual(await page.evaluate(misplaced), []);
  }, { width });
});

/** By number of locks and protocol, each by other rates. */
const ratesOfLocks = () => [1, 512].flatMap((locks) => ['saturated', 'paused'].flatMap((protocol) => [1, 4].flatMap((threads) =>
  ['mcs', 'tas'].map((lock, i) => cell('locks.throughput', { lock, locks, threads, protocol, placement: 'compact' }, 'throughput', 'op/s',
    1e6 * (locks === 1 ? 1 : 9) * (protocol === 'paused' ? 1 : 3) * (i + 1))))));

test('the paper’s figures of locks begin with its protocol', async () => {
  const ticket = [1, 4].flatMap((threads) => ['latency', 'latency_cycles'].map((metric) => cell('locks.ticket',
    { lock: 'ticket_plain', threads, protocol: 'paused', placement: 'compact' }, metric, metric === 'latency' ? 'ns' : 'cycle', 100 * threads)));
  await quietly(report(document([...ratesOfLocks(), ...ticket])), async (page) => {
    const said = (id) => page.locator(`#${id} .found`).allInnerTexts();
    assert.match((await said('locks-throughput-many'))[0], /^Throughput \(threads 4, locks 512.*\): 54\.0 million/);
    assert.match((await said('locks-throughput-paused'))[0], /^Throughput \(threads 4, locks 1.*\): 2\.00 million/);
    assert.match(await page.locator('#locks-throughput-many .papers').textContent(), /512 locks: the ticket lock is generally the best/);
    assert.ok((await textsOf(page, '#locks-ticket-threads')).some((t) => t.startsWith('Latency in cycles')));
  });
});

test('a published value at the last processor stands beside the words there', async () => {
  const cells = [[1, 40], [6, 4_000], [48, 560_000]].map(([threads, cycles]) => cell('locks.ticket',
    { lock: 'ticket_plain', threads, protocol: 'paused', placement: 'compact' }, 'latency_cycles', 'cycle', cycles));
  await quietly(report(document(cells, { kind: 'simulated', model: 'opteron', cpus: 48 })), async (page) => {
    const texts = await textsOf(page, '#locks-ticket-threads');
    assert.ok(texts.includes('Opteron') && texts.includes('48 processors'), texts.join('|'));
    assert.deepEqual(await page.evaluate(misplaced), []);
  });
});

test('the sentence above a figure follows what is chosen', async () => {
  await quietly(report(document(ratesOfLocks())), async (page) => {
    const figure = page.locator('#locks-throughput-threads');
    const said = () => figure.locator('.found').allInnerTexts();
    assert.match((await said())[0], /^Throughput \(threads 4, locks 1, protocol saturated\): 6\.00 million/);
    await figure.locator('label', { hasText: /^Number of locks/ }).locator('select').selectOption('512');
    await figure.locator('label', { hasText: /^Protocol/ }).locator('select').selectOption('paused');
    assert.match((await said())[0], /^Throughput \(threads 4, locks 512, protocol paused, with pauses in between\): 18\.0 million/);
  });
});

test('what two runs differ by is one table, the greatest difference first', async () => {
  const run = (label, factor) => document([cell('coherence.local', { level: 'l1' }, 'latency', 'ns', 5), ...['mcs', 'tas'].map((lock) =>
    cell('locks.uncontested', { lock, distance: 'same_cpu' }, 'pair', 'ns', 10 * factor))], { label });
  await quietly(report(run('here', 1), run('slow', 16), run('fast', 1 / 16), run('alike', 1)), async (page) => {
    const overview = page.locator('.overview');
    assert.match(await overview.innerText(),
      /here → slow.*: 1 of 2 metrics differs, 1 is undecided; most in acquire and release \(locks\.uncontested, 10\.0\sns → 160\sns, 16\.0 times as long\)/);
    assert.match(await overview.innerText(), /here → alike.*: 0 of 2 metrics differ, 2 are undecided\./);
    const rows = await overview.locator('tbody tr').evaluateAll((all) => all.map((r) => [...r.children].map((c) => c.innerText.replace(/\s+/g, ' '))));
    const alike = (places) => `no difference resolved ${places} not resolved`;
    assert.deepEqual(rows[0], ['Acquire and release locks.uncontested', '16.0 times as long 10.0 ns → 160 ns, 2 worse',
      '16.0 times shorter 10.0 ns → 0.625 ns, 2 better', alike(2)]);
    // What does not differ takes one line of the first screen.
    assert.equal(rows.length, 2);
    const rest = overview.locator('details');
    assert.equal(await rest.locator('summary').innerText(), 'No difference is resolved in 1 further metric');
    assert.equal(await rest.locator('tbody tr').first().isVisible(), false);
    await rest.locator('summary').click();
    assert.match(await rest.innerText(), /Latency coherence\.local/);
    await overview.locator('a').first().click();
    assert.match(page.url(), /#family-locks$/);
  });
  const wakes = (label, factor) => document(['wake_of_order', 'wake_of_thread', 'wake_mean'].map((metric) =>
    cell('wake.broadcast', { primitive: 'event', threads: 3 }, metric, 'ns', 10 * factor)), { label });
  await quietly(report(wakes('here', 1), wakes('slow', 16)), async (page) => {
    await page.getByText('and 2 more metrics of the same cells').click();
    assert.deepEqual((await page.locator('.overview code').allInnerTexts()).sort(), ['wake.broadcast',
      'wake.broadcast wake_of_order', 'wake.broadcast wake_of_thread']);
    const seen = await page.locator('.overview .scroll').first().evaluate((frame) => [frame.scrollWidth, frame.clientWidth]);
    assert.ok(seen[0] <= seen[1] + 1, seen.join());
  }, { width: 390 });
  await quietly(report(run('here', 1), run('alike', 1)), async (page) => {
    assert.match(await page.locator('.overview').innerText(), /here → alike.*: 0 of 2 metrics differ, 2 are undecided\.$/);
  });
});

test('published machines are one line, and have no empty cards', async () => {
  await quietly(report(everything(), '--paper'), async (page) => {
    assert.deepEqual(await page.locator('.head .run h2').allTextContents(), ['everything']);
    assert.match(await page.locator('.head .published-runs').innerText(), /^As published, in the figures below: Opteron, Xeon, Niagara, Tilera, .* and /);
  }, { drawn: false });
});

test('what ten machines have in common is doubted once', async () => {
  const machines = Array.from({ length: 10 }, (_, i) => document([cell('locks.uncontested', { lock: 'mcs', distance: 'same_cpu' }, 'pair', 'ns', 10 + i,
    { half: i < 2 ? 0.3 : 0.01 })], { label: `machine ${i}` }));
  await quietly(report(...machines), async (page) => {
    assert.equal(await page.locator('.doubts').count(), 1);
    const said = await page.locator('.doubts summary').allInnerTexts();
    assert.equal(said.length, 2, said.join('|'));
    assert.match(said[0], /^Values are too uncertain to rely on: .* \(machine 0 and machine 1\)$/);
    assert.match(said[1], /^This is a virtual machine \(all 10\)$/);
    await page.locator('.doubts summary').first().click();
    assert.match(await page.locator('.doubts details').first().innerText(), /machine 0: 1 of 1; machine 1: 1 of 1\./);
    await page.locator('.doubts summary').last().click();
    assert.match(await page.locator('.doubts details').last().innerText(), /Evidence of machine 9: .*kvm/);
  });
});

test('ten machines have their names in the table, above their charts and in one chart', async () => {
  const names = Array.from({ length: 10 }, (_, i) => `machine ${i}`);
  const machines = names.map((label, i) => document(['tas', 'mcs'].flatMap((lock) => [cell('locks.uncontested', { lock, distance: 'same_cpu' }, 'pair', 'ns',
    (lock === 'mcs' ? 30 : 10) * (1 + i))]), { label, model: `CPU ${i}` }));
  await quietly(report(...machines), async (page) => {
    assert.equal(await page.locator('h1').innerText(), '10 machines side by side');
    assert.deepEqual(await page.locator('.head .run h2').allTextContents(), names);
    assert.deepEqual(await page.locator('.overview thead th').allTextContents(), ['Metric', ...names.slice(1)]);
    const factors = await page.locator('.overview tbody tr').first().locator('td').allInnerTexts();
    assert.deepEqual(factors.map((f) => f.split('\n')[0].replace(/\s/g, ' ')), names.slice(1).map((_, i) => `+${100 * (i + 1)} %`));
    const figure = page.locator('#locks-uncontested-distance');
    assert.deepEqual(await figure.locator('.panel h4').allTextContents(), names);
    await figure.locator('label', { hasText: 'Runs' }).locator('select').selectOption('together');
    const legend = await figure.locator('.legend .entry').allInnerTexts();
    for (const name of names) assert.ok(legend.some((entry) => entry.includes(name)), `${name}: ${legend.join('|')}`);
    assert.deepEqual(await page.evaluate(misplaced), []);
  }, { drawn: ['locks-uncontested-distance'] });
});

for (const width of [390, 1440, 1920])
  test(`Table 2 can be read to its last column, ${width} wide`, async () => {
    await quietly(report(everything()), async (page) => {
      const scroll = page.locator('#coherence-states-paper .scroll');
      const seen = await scroll.evaluate((frame) => {
        const fits = frame.scrollWidth <= frame.clientWidth + 1;
        const used = frame.getBoundingClientRect().right;
        frame.scrollLeft = frame.scrollWidth;
        const last = frame.querySelector('thead tr:last-child th:last-child').getBoundingClientRect();
        return { fits, used, left: last.left, right: last.right, edge: frame.getBoundingClientRect().right };
      });
      assert.ok(seen.right <= seen.edge + 1 && seen.right <= width && seen.left >= 0, JSON.stringify(seen));
      // It scrolls only where the screen has no more room.
      assert.ok(seen.fits || seen.used > width - 100, JSON.stringify(seen));
      if (width === 1920) assert.ok(seen.fits);
    }, { width, drawn: ['coherence-states-paper'] });
  });

test('times on an axis have units, and bars of a gain begin at 1', async () => {
  const idle = [1e6, 1e7, 1e8].map((ns) => cell('wake.idle', { primitive: 'event', idle: ns, distance: 'same_cache' }, 'latency', 'ns', 3000 + ns / 1e5));
  const gains = [['better', 1.5], ['worse', 0.5]].map(([primitive, v]) => cell('wake.groups', { primitive, threads: 11 }, 'gain', '1', v,
    { better: 'higher' }));
  await quietly(report(document([...idle, ...gains])), async (page) => {
    const texts = await textsOf(page, '#wake-idle-slept');
    assert.ok(texts.includes('100\u00a0ms') && !texts.some((t) => /000000/.test(t)), texts.join('|'));
    const bars = await page.locator('#wake-groups-gain .chart svg').evaluate((svg) => {
      const fill = getComputedStyle(window.document.documentElement).getPropertyValue('--series-1').trim();
      const found = [...svg.querySelectorAll('path')].filter((p) => p.getAttribute('fill')?.toLowerCase() === fill
        || /^#[0-9a-f]{6}$/i.test(p.getAttribute('fill') ?? '')).map((p) => p.getBoundingClientRect()).filter((b) => b.height > 8 && b.height < 24
        && b.width > 20);
      return found.map((b) => [Math.round(b.left), Math.round(b.right)]).sort((a, b) => a[0] - b[0]);
    });
    assert.equal(bars.length, 2);
    assert.ok(Math.abs(bars[0][1] - bars[1][0]) <= 2, JSON.stringify(bars));
  });
});

test('more series than colours are still told apart', async () => {
  const free = Array.from({ length: 15 }, (_, i) => cell('overhead.calls', { call: 'SetEvent', primitive: `event ${i}` }, 'delay', 'ns', 10 + i));
  await quietly(report(document(free)), async (page) => {
    const colors = await page.locator('#overhead-calls-calls .legend rect').evaluateAll((all) => all.map((r) => r.getAttribute('fill')));
    assert.equal(colors.length, 15);
    assert.equal(new Set(colors).size, 15);
  }, { hash: '#overhead-calls-calls?as=medians' });
});

test('a lock has one colour in all figures, whatever its rank is there', async () => {
  const rate = (experiment, lock, threads, value) => cell(experiment, { lock, locks: 1, threads, protocol: 'saturated', placement: 'compact', buckets: 512,
    load: 12, keys: 'uniform' }, 'throughput', 'op/s', value);
  const names = ['tas', 'ticket', 'mcs', 'clh'];
  const cells = names.flatMap((lock, i) => [1, 2, 4].flatMap((threads) => [rate('locks.throughput', lock, threads, 1e7 * (i + 1)),
    rate('hashtable.throughput', lock, threads, 1e7 * (4 - i))]));
  await quietly(report(document(cells)), async (page) => {
    const entries = async (id) => Object.fromEntries(await page.locator(`#${id} .legend button.entry`).evaluateAll((all) => all.map((e) => [e.textContent,
      e.querySelector('path').getAttribute('fill')])));
    const colours = await entries('locks-throughput-threads');
    assert.deepEqual(Object.keys(colours), [...names].reverse());
    assert.equal(new Set(Object.values(colours)).size, 4);
    const other = await entries('hashtable-throughput-threads');
    assert.deepEqual(Object.keys(other), names);
    for (const name of names) assert.equal(other[name], colours[name], name);
    await page.locator('#locks-throughput-threads label', { hasText: /^As/ }).locator('select').selectOption('shares');
    const strokes = Object.fromEntries(await page.locator('#locks-throughput-threads .legend button.entry').evaluateAll((all) =>
      all.map((e) => [e.textContent.split(',')[0], e.querySelector('line').getAttribute('stroke')])));
    for (const name of names) assert.equal(strokes[name], colours[name], name);
  });
});

test('threads stand alike on the axes of all models, and what a curve is held against is explained', async () => {
  const model = (name, threads) => document(threads.flatMap((n) => [['throughput', 1e7], ['bound', 5e6]].map(([metric, value]) => ({
    ...cell('locks.throughput', { lock: 'mcs', locks: 1, threads: n, protocol: 'saturated', placement: 'compact' }, metric, 'op/s', value),
    ...(metric === 'bound' ? { better: 'neither' } : {}) }))), { kind: 'simulated', model: name, cpus: Math.max(...threads) });
  for (const [name, most] of [['tilera', 36], ['niagara', 64], ['xeon', 80]]) await quietly(report(model(name, [1, 10, most / 2, most])), async (page) => {
    const boxes = await page.locator('#locks-throughput-threads .chart svg text').evaluateAll((all) => all.map((t) => ({ text: t.textContent,
      box: t.getBoundingClientRect() })));
    const row = boxes.find(({ text }) => text === String(most)).box.top;
    const places = boxes.filter(({ box }) => Math.abs(box.top - row) < 2).map(({ text, box }) => [Number(text), box.left + box.width / 2]);
    const at = (n) => places.find(([value]) => value === n)[1];
    assert.ok(Math.abs((at(most / 2) - at(10)) / (at(most) - at(10)) - (most / 2 - 10) / (most - 10)) < 0.02, `${name}: ${JSON.stringify(places)}`);
    const below = await page.locator('#locks-throughput-threads .below').innerText();
    assert.match(below, /Linear ideal: the most that one thread does, times the threads; .* a curve can pass it\./);
    assert.match(below, /Bound: the most if each turn goes to another thread, .*; a curve passes it where one thread, or near ones, have several turns/);
  });
});

test('each machine’s throttle has a scale and a unit of its own', async () => {
  const own = [0, 1, 2, 4].map((permits) => cell('throttle.sum', { permits, variant: 'integer', threads: 64 }, 'time', 'ns', 2e7 + 1e6 * permits));
  await quietly(report(document(own, { label: 'here' }), '--paper'), async (page) => {
    const figure = page.locator('#throttle-sum-permits');
    const texts = await figure.locator('.chart svg').evaluateAll((all) => all.map((s) => [...s.querySelectorAll('text')].map((t) => t.textContent)));
    assert.equal(texts.length, 5);
    assert.ok(texts[0].some((t) => /, ms/.test(t)) && texts.slice(1).every((chart) => chart.some((t) => /, s( |$|\n|\()/.test(t))), JSON.stringify(texts));
  });
});

test('the axes of locks: the Fig. 8 form, one thread left out, own axes', async () => {
  const model = (name, factor) => document([1, 4, 16, 32, 128].flatMap((locks) => [1, 2, 4].flatMap((threads) => ['mcs', 'tas'].map((lock, i) =>
    cell('locks.throughput', { lock, locks, threads }, 'throughput', 'op/s', (factor * 1e8 * (threads === 1 ? 30 : 1)) / (i + 1))))), { label: name });
  await quietly(report(model('small', 1), model('large', 100)), async (page) => {
    const rows = () => page.locator('#locks-throughput-best .chart').first().locator('svg text').allTextContents();
    assert.deepEqual([...new Set((await rows()).map((t) => t.match(/^(\d+) locks?,/)?.[1]).filter(Boolean))], ['4', '16', '32', '128']);
    await page.locator('#locks-throughput-best label', { hasText: 'One thread' }).locator('select').selectOption('without');
    assert.ok(!(await rows()).some((t) => t.endsWith(', 1 thread')));
    const figure = page.locator('#locks-throughput-threads');
    const texts = () => figure.locator('.chart svg').evaluateAll((all) => all.map((s) => [...s.querySelectorAll('text')].map((t) => t.textContent).join('|')));
    assert.equal(await figure.locator('label', { hasText: 'Scale' }).locator('select').inputValue(), 'log');
    assert.ok((await texts()).every((t) => t.includes('4 processors')));
    await figure.locator('label', { hasText: 'Axes' }).locator('select').selectOption('own');
    const [small, large] = await texts();
    assert.notEqual(small, large);
  });
});

test('figures are listed, and the one that is read is marked', async () => {
  await quietly(report(everything()), async (page) => {
    const listed = await page.locator('nav .figures a').evaluateAll((all) => all.map((a) => a.hash.slice(1)));
    assert.deepEqual(listed, await page.locator('.figure').evaluateAll((all) => all.map((f) => f.id)));
    // A list that is longer than the screen scrolls, and does not begin a second column.
    const outside = await page.locator('nav').evaluate((nav) => [...nav.querySelectorAll('a, button')].filter((e) =>
      e.getBoundingClientRect().right > nav.getBoundingClientRect().right).map((e) => e.textContent));
    assert.deepEqual(outside, []);
    for (const id of [listed[3], listed[1]]) {
      await page.locator(`nav a[href="#${id}"]`).click();
      await page.waitForFunction((wanted) => window.document.querySelector('nav [aria-current]')?.hash === `#${wanted}`, id);
      assert.equal(await page.locator('nav [aria-current]').count(), 1);
    }
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.waitForFunction(() => window.document.querySelector('nav [aria-current]') === null);
    const field = page.getByRole('searchbox', { name: 'Search' });
    await field.fill('BEST scales');
    const seen = () => page.locator('nav li:visible > a').allTextContents();
    assert.deepEqual(await seen(), ['Locks', 'The best lock, and how it scales', 'Hash tables', 'The best hash table, and how it scales']);
    await field.press('Enter');
    await page.waitForFunction(() => window.location.hash === '#locks-throughput-best');
    await field.fill('throughput nothing of the kind');
    assert.deepEqual(await seen(), []);
    await field.fill('');
    assert.ok((await seen()).length > listed.length);
  });
});

test('the list is searched by locks, primitives and the words of what was found, too', async () => {
  await quietly(report(everything()), async (page) => {
    const field = page.getByRole('searchbox', { name: 'Search' });
    const found = async (words) => {
      await field.fill(words);
      return page.locator('nav .figures li:visible > a').evaluateAll((all) => all.map((a) => a.hash.slice(1)));
    };
    const mutex = await found('mutex');
    for (const id of ['locks-uncontested-distance', 'locks-throughput-threads']) assert.ok(mutex.includes(id), `${id}: ${mutex.join()}`);
    assert.ok(!mutex.some((id) => /^(coherence|wake|messages)/.test(id)), mutex.join());
    assert.deepEqual([...new Set((await found('condition_variable')).map((id) => id.split('-')[0]))], ['wake', 'forkjoin']);
    assert.deepEqual(await found('reading from the FIRST cache'), ['coherence-local-levels']); // a finding's words
    assert.deepEqual(await found('no such word'), []);
  }, { drawn: false });
});

test('the keyboard reaches the values and switches lines', async () => {
  await quietly(report(everything()), async (page) => {
    const figure = page.locator('#atomics-throughput-threads');
    await figure.locator('.chart').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await figure.locator('.live').innerText(), /fetch-and-add, threads 1: 150\sMop\/s/);
    const lines = await figure.locator('svg path').count();
    await figure.locator('button.entry').first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await figure.locator('button.entry').first().getAttribute('aria-pressed'), 'false');
    assert.ok((await figure.locator('svg path').count()) < lines);
    for (const chart of await page.locator('.chart').all()) assert.ok(await chart.getAttribute('aria-label'));
  });
});

for (const [kind, id, title] of [['lines', 'atomics-throughput-threads', 'Threads: 1'], ['bars', 'locks-uncontested-distance', 'tas'],
  ['boxes', 'wake-broadcast-primitives', 'futex'], ['heat', 'coherence-pairs-map', 'Processor 0 to 1'], ['gantt', 'forkjoin-timeline-timeline', '']])
  test(`arrow keys show the value that they read, and its tip goes with the focus: ${kind}`, async () => {
    await quietly(report(everything()), async (page) => {
      const figure = page.locator(`#${id}`);
      const shown = () => figure.locator('.tip:visible').count();
      await figure.locator('.chart').focus();
      assert.equal(await shown(), 0);
      await page.keyboard.press('ArrowRight');
      await figure.locator('.tip').waitFor({ state: 'visible' });
      assert.ok((await figure.locator('.tip-title').innerText()).startsWith(title));
      await figure.locator('summary').first().focus();
      await figure.locator('.tip').waitFor({ state: 'hidden' });
    }, { drawn: [id] });
  });

test('what matters most comes first, in the page and in the list of figures', async () => {
  const level = (value, half) => cell('coherence.local', { level: 'l1' }, 'latency', 'ns', value, { half });
  const ticket = (value) => cell('locks.ticket', { lock: 'ticket', threads: 2 }, 'latency', 'ns', value);
  const free = (value, half) => cell('locks.uncontested', { lock: 'mcs', distance: 'same_cpu' }, 'pair', 'ns', value, { half });
  const slept = (value) => cell('wake.idle', { primitive: 'event', idle: 100, distance: 'same_cache' }, 'latency', 'ns', value);
  const orders = (page) => page.evaluate(() => ['.figure', 'nav .figures a'].map((what) =>
    [...window.document.querySelectorAll(what)].map((e) => (e.hash ?? `#${e.id}`).slice(1).split('-').slice(0, 2).join('.'))));
  const inOrder = async (order, ...documents) => quietly(report(...documents), async (page) => {
    assert.deepEqual(await orders(page), [order, order]);
  }, { drawn: false });
  // One run: what the summary tells of, then what is sure, then that of which nothing is.
  await inOrder(['locks.uncontested', 'locks.ticket', 'wake.idle', 'coherence.local'], document([level(5, 0.3), ticket(30), free(10), slept(3000)]));
  await inOrder(['coherence.local', 'locks.ticket', 'locks.uncontested', 'wake.idle'], document([level(5), ticket(30), free(10, 0.3), slept(3000)]));
  // Several: where they differ.
  const run = (label, ns) => document([level(5), ticket(30), free(10), slept(ns)], { label });
  await inOrder(['wake.idle', 'locks.uncontested', 'locks.ticket', 'coherence.local'], run('before', 3000), run('after', 9000));
});

test('choices, tables, definitions and downloads are one step away', async () => {
  await quietly(report(everything()), async (page) => {
    const figure = page.locator('#locks-throughput-threads');
    await figure.locator('select').first().selectOption('16');
    await figure.locator('summary', { hasText: 'All values' }).click();
    assert.match(await figure.locator('table').innerText(), /std\/mutex/);
    await figure.locator('summary', { hasText: 'How this was measured' }).click();
    assert.match(await figure.innerText(), /Acquisitions of the whole team/);
    for (const [kind, start] of [['CSV', 'machine,experiment'], ['JSON', '['], ['SVG', '<?xml']]) {
      const [download] = await Promise.all([page.waitForEvent('download'), figure.getByRole('button', { name: kind }).click()]);
      const { readFileSync } = await import('node:fs');
      assert.ok(readFileSync(await download.path(), 'utf8').startsWith(start), kind);
    }
  }, { drawn: ['locks-throughput-threads'] });
});

test('on paper everything is drawn, in light colours', async () => {
  const { page, trouble } = await open(report(everything()), { scheme: 'dark', drawn: false });
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => [...window.document.querySelectorAll('.chart')].every((c) => c.childElementCount > 0));
  assert.equal(await page.evaluate(() => getComputedStyle(window.document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.equal(await page.locator('nav').isVisible(), false);
  assert.deepEqual(await page.evaluate(faint), []);
  const wide = await page.evaluate(() => [...window.document.querySelectorAll('.chart svg')].filter((s) => s.getBoundingClientRect().width > 670).length);
  assert.equal(wide, 0);
  assert.ok((await page.pdf({ format: 'A4' })).length > 10000);
  assert.deepEqual(trouble, []);
  await page.close();
});

test('on paper, too, the first of a ranking has another colour than those behind it', async () => {
  const rates = ['tas', 'mcs', 'clh'].map((lock, i) => cell('locks.throughput', { lock, locks: 1, threads: 2 }, 'throughput', 'op/s', 1e7 * (i + 1)));
  const { page } = await open(report(document(rates)));
  const colours = () => page.locator('#locks-throughput-ranking .chart svg').evaluate((svg) => new Set([...svg.querySelectorAll('path')]
    .filter((p) => p.getBoundingClientRect().height > 8 && p.getBoundingClientRect().width > 20).map((p) => p.getAttribute('fill'))
    .filter((fill) => /^#[0-9a-f]{6}$/i.test(fill ?? ''))).size);
  assert.equal(await colours(), 2);
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => [...window.document.querySelectorAll('.chart svg')].every((s) => s.getBoundingClientRect().width < 670));
  assert.equal(await colours(), 2);
  await page.close();
});

test('claims have verdicts with figures, and wait for what is not measured', async () => {
  const seconds = { 1: 109.17, 2: 55.44, 3: 60.14, 4: 67.56, 64: 67.59, 0: 67.55 };
  const log = Object.entries(seconds).map(([permits, s]) => cell('throttle.sum', { variant: 'integer', threads: 64, permits: Number(permits) }, 'time',
    'ns', s * 1e9));
  await quietly(report(document(log)), async (page) => {
    const text = await page.locator('#claims').innerText();
    assert.match(text, /T1.*fastest[^]*holds here: .*ratio/);
    assert.match(text, /T6[^]*does not hold here: .*ratio/);
    assert.match(await page.locator('#claims').textContent(), /not measured: .*needs synchroscope run coherence\.states/);
    assert.match(await page.locator('#claims').textContent(), /Open question[^]*no verdict/);
    assert.equal(await page.locator('.claim').count(), 70);
  });
});

test('nothing sticks out of a narrow screen', async () => {
  await quietly(report(everything()), async (page) => {
    assert.ok((await page.evaluate(() => window.document.documentElement.scrollWidth)) <= 391);
  }, { width: 390 });
});
