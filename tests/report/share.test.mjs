// What a reader takes from the page to show it to others: pictures and links.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, card, close, figure, home, launch, open, report, write } from './browser.mjs';
import { cell, document, everything, pairs } from './documents.mjs';

before(launch);
after(close);

/** Of many downloads in a row Chromium drops one now and then: it is asked again. */
async function saved(page, button, attempts = 3) {
  const waiting = page.waitForEvent('download', { timeout: 10_000 }).catch((e) => e);
  await button.click();
  const download = await waiting;
  if (!(download instanceof Error)) return readFileSync(await download.path());
  if (attempts === 1) throw download;
  return saved(page, button, attempts - 1);
}

const button = (figure, name) => figure.getByRole('button', { name, exact: true });

/** What a reader of the file finds in it, or that it is not XML. */
const looked = (page, text) =>
  page.evaluate((content) => {
    const xml = new DOMParser().parseFromString(content, 'image/svg+xml');
    const all = (selector) => [...xml.querySelectorAll(selector)].map((t) => t.textContent);
    const place = (selector) => {
      const at = [...xml.querySelectorAll(selector)].map((t) => Number(t.getAttribute('y')));
      return [Math.min(...at) - 14, Math.max(...at) + 2];
    };
    return {
      trouble: xml.querySelector('parsererror')?.textContent ?? null,
      title: all('text.title').join(' '), about: all('text.about').join(' '), found: all('text.found').join(' '),
        legend: all('g.legend text'), notes: all('text.note').join(' '),
      panels: xml.querySelectorAll('svg > svg').length, places: { title: place('text.title'), legend: place('g.legend text') },
      size: ['width', 'height'].map((a) => Number(xml.documentElement.getAttribute(a))),
    };
  }, text);

test('every figure is a drawing that stands by itself', async () => {
  const { page, trouble } = await open(report(everything()));
  let figures = 0;
  for (const figure of await page.locator('.figure:not([data-kind=paper])').all()) {
    const id = await figure.getAttribute('id');
    const svg = await looked(page, (await saved(page, button(figure, 'SVG'))).toString());
    assert.equal(svg.trouble, null, id);
    assert.equal(svg.title, await figure.locator('h3').innerText(), id);
    assert.match(svg.about, /everything · Test CPU 9000 · 4 processors · measured 2 January 2026, 03:04 UTC · Synchroscope 0\.1\.0/, id);
    assert.match(svg.about, /Synchroscope 0\.1\.0( .* · as published)* [a-z]+\.[a-z]+/, id);
    assert.equal(svg.panels, 1, id);
    assert.equal(svg.found, (await figure.locator('.found').allInnerTexts()).join(' '), id);
    const shown = await figure.locator('.entry:not([aria-pressed=false])').allTextContents();
    assert.deepEqual(svg.legend.filter((t) => shown.includes(t)), shown, id);
    if ((await figure.getAttribute('data-kind')) === 'heat') assert.deepEqual(svg.legend, ['20.0\u00a0ns', '50.0\u00a0ns']);
    if (await figure.locator('.below .small').count()) assert.match(svg.notes, /95 % confidence|logarithm|At each bar|doubtful|Box: the middle half/, id);
    ++figures;
  }
  assert.ok(figures > 20);
  assert.deepEqual(trouble, []);
  await page.close();
});

/** How many dots of a picture differ from its ground between two heights. */
const dots = (page, bytes, places) =>
  page.evaluate(async ([base64, bands]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = window.document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    const ground = pen.getImageData(1, 1, 1, 1).data.join();
    const counted = (from, to) => {
      const { data } = pen.getImageData(0, from, canvas.width, Math.max(1, to - from));
      let n = 0;
      for (let i = 0; i < data.length; i += 4) if (data.slice(i, i + 4).join() !== ground) ++n;
      return n;
    };
    return { ground, width: image.width, ...Object.fromEntries(Object.entries(bands).map(([part, band]) => [part, counted(...band)])) };
  }, [bytes.toString('base64'), places]);

for (const [scheme, ground] of [['light', '255,255,255,255'], ['dark', '29,34,41,255']])
  test(`a figure is a picture with its title and legend, ${scheme}`, async () => {
    const { page, trouble } = await open(report(everything()), { scheme });
    for (const id of ['locks-throughput-threads', 'coherence-pairs-map', 'locks-throughput-ranking']) {
      const figure = page.locator(`#${id}`);
      const { places, size } = await looked(page, (await saved(page, button(figure, 'SVG'))).toString());
      const double = Object.fromEntries(Object.entries(places).map(([name, band]) => [name, band.map((y) => 2 * y)]));
      const seen = await dots(page, await saved(page, button(figure, 'PNG')), double);
      assert.equal(seen.width, 2 * size[0], id);
      assert.equal(seen.ground, ground, id);
      assert.ok(seen.title > 500, `${id}: ${seen.title} dots of title`);
      assert.ok(seen.legend > 500, `${id}: ${seen.legend} dots of legend`);
    }
    assert.deepEqual(trouble, []);
    await page.close();
  });

test('without a browser a figure is the same drawing', async () => {
  const { page } = await open(report(everything()));
  for (const id of ['locks-throughput-threads', 'locks-throughput-ranking', 'locks-throughput-best', 'coherence-pairs-map', 'forkjoin-timeline-timeline']) {
    const here = await looked(page, (await saved(page, button(page.locator(`#${id}`), 'SVG'))).toString());
    const there = await looked(page, figure(id, 'svg', everything()).toString());
    assert.equal(there.trouble, null, id);
    for (const part of ['title', 'about', 'legend', 'panels']) assert.deepEqual(there[part], here[part], `${part} of ${id}`);
    assert.equal(there.notes.replace(/\s/g, ''), here.notes.replace(/\s/g, ''), id);
  }
  const chosen = await looked(page, figure('locks.throughput-threads?locks=16&lines=mcs~tas&scale=linear', 'svg', everything()).toString());
  assert.match(chosen.about, /number of locks: 16/);
  assert.deepEqual(chosen.legend, ['tas', 'mcs', 'linear ideal']);
  assert.doesNotMatch(chosen.notes, /logarithmic/);
  await page.close();
});

test('each of two bounds is a line of its own', () => {
  const cells = ['mcs', 'tas'].flatMap((lock) => [1, 2, 4].flatMap((threads) => [['throughput', 1e6], ['bound', 2e6], ['ceiling', threads * 1e6]].map(
    ([metric, value]) => cell('locks.throughput', { lock, locks: 1, threads, protocol: 'saturated', placement: 'compact' }, metric, 'op/s', value))));
  const { panels } = JSON.parse(figure('locks-throughput-threads', 'json', document(cells)).toString());
  const curve = (name) => panels[0].lines.filter((l) => l.name === name).map((l) => [l.x, l.y]);
  assert.deepEqual(curve('bound'), [[[1, 2, 4], [2e6, 2e6, 2e6]]]);
  assert.deepEqual(curve('ceiling'), [[[1, 2, 4], [1e6, 2e6, 4e6]]]);
});

test('without a browser a figure becomes a PNG with its title and legend, and a PDF', async (t) => {
  const names = ['locks-throughput-threads', 'coherence-pairs-map'];
  const many = document(pairs(100), { cpus: 100, label: 'many' });
  const { page } = await open(report(document([])));
  for (const [name, data] of [...names.map((n) => [n, everything()]), ['coherence-pairs-map', many]]) {
    const png = figure(name, 'png', data);
    if (!png) return t.skip('there is no rsvg-convert');
    const { places, size } = await looked(page, figure(name, 'svg', data).toString());
    const bands = Object.entries({ ...places, chart: [150, size[1] - 150] });
    const double = Object.fromEntries(bands.map(([part, band]) => [part, band.map((y) => Math.round(2 * y))]));
    const seen = await dots(page, png, double);
    assert.equal(seen.width, 2 * size[0], name);
    assert.equal(seen.ground, '255,255,255,255', name);
    assert.ok(seen.title > 500 && seen.legend > 500, `${name}: ${seen.title} dots of title, ${seen.legend} of legend`);
    if (data === many) assert.ok(seen.chart > 1e5, `${seen.chart} dots of a map of 100 processors`);
  }
  assert.match(figure(names[0], 'pdf', everything()).subarray(0, 5).toString(), /^%PDF-/);
  await page.close();
});

test('what stands beside the paper is saved with the paper’s columns', async () => {
  const { page } = await open(report(everything()));
  for (const [id, platform, value] of [['coherence-states-paper', 'Opteron', 252], ['coherence-local-paper', 'Niagara', 3],
    ['overhead-calls-paper', 'Windows 7', null]]) {
    const table = page.locator(`#${id}`);
    const columns = (await table.locator('th.machine').allInnerTexts()).sort();
    const lines = (await saved(page, button(table, 'CSV'))).toString().split('\r\n').slice(1, -1);
    assert.deepEqual([...new Set(lines.map((l) => l.split(',')[0]))].sort(), columns, id);
    const groups = JSON.parse((await saved(page, button(table, 'JSON'))).toString());
    assert.deepEqual(groups.map((g) => g.machine).filter((m) => columns.includes(m)).sort(), columns, id);
    const own = groups.find((g) => g.machine === platform).cells;
    assert.ok(own.length > 0 && (value === null || own.some((c) => c.value === value)), id);
  }
  await page.close();
});

test('the names of files hold the machine', async () => {
  const nameOf = async (page, id, name) => {
    const waiting = page.waitForEvent('download');
    await button(page.locator(`#${id}`), name).click();
    return (await waiting).suggestedFilename();
  };
  const { page } = await open(report({ ...everything(), label: 'Laptop, 2nd try' }), { drawn: false });
  assert.equal(await nameOf(page, 'locks-throughput-threads', 'SVG'), 'synchroscope-laptop-2nd-try-locks-throughput-threads.svg');
  assert.equal(await nameOf(page, 'coherence-states-paper', 'CSV'), 'synchroscope-laptop-2nd-try-coherence-states-paper.csv');
  await page.close();
  const { page: both } = await open(report({ ...everything(), label: 'here' }, { ...everything(), label: 'there' }), { drawn: false });
  assert.equal(await nameOf(both, 'locks-throughput-threads', 'JSON'), 'synchroscope-here-and-1-more-locks-throughput-threads.json');
  await both.close();
});

test('several machines are one picture, each with its name', async () => {
  const { page } = await open(report(everything(), { ...everything(), label: 'other' }), { drawn: false });
  const svg = await looked(page, (await saved(page, button(page.locator('#atomics-throughput-threads'), 'SVG'))).toString());
  assert.equal(svg.trouble, null);
  assert.equal(svg.panels, 2);
  assert.match(svg.about, /everything .*other /);
  await page.close();
});

test('names with quotes and markup stay names in a picture', async () => {
  const hostile = ['"><script>', "a'b", '&amp;', ']]>', '\u202egnp'];
  const { page } = await open(report(document(hostile.flatMap((lock) => [1, 2, 4].map((threads) => cell('locks.throughput', { lock, threads, locks: 1 },
    'throughput', 'op/s', 1e6))), { label: '"<quoted>"' })));
  const svg = await looked(page, (await saved(page, button(page.locator('#locks-throughput-threads'), 'SVG'))).toString());
  assert.equal(svg.trouble, null);
  assert.ok(svg.legend.includes('"><script>') && svg.legend.includes('&amp;'), svg.legend.join('|'));
  assert.match(svg.about, /^"<quoted>"/);
  await page.close();
});

test('the picture is copied', async () => {
  const { page } = await open(report(everything()), { drawn: ['coherence-pairs-map'] });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const figure = page.locator('#coherence-pairs-map');
  await button(figure, 'Copy the picture').click();
  await page.waitForFunction(() => window.document.querySelector('#coherence-pairs-map .said').textContent !== '');
  assert.equal(await figure.locator('.said').innerText(), 'The picture is in the clipboard.');
  const type = await page.evaluate(async () => (await navigator.clipboard.read())[0].types.join());
  assert.match(type, /image\/png/);
  await page.close();
});

test('a link shows the figure as its reader left it', async () => {
  const file = report(everything());
  const { page } = await open(file);
  const figure = page.locator('#locks-throughput-threads');
  await figure.locator('label', { hasText: 'Number of locks' }).locator('select').selectOption('16');
  await figure.locator('label', { hasText: 'Scale' }).locator('select').selectOption('linear');
  await figure.locator('label', { hasText: 'One thread' }).locator('select').selectOption('without');
  await figure.getByRole('button', { name: 'ttas', exact: true }).click();
  const address = page.url();
  assert.match(address, /#locks-throughput-threads\?/);
  const chart = await figure.locator('.chart svg').innerHTML();
  await page.close();

  const { page: again, trouble } = await open(file, { hash: address.slice(address.indexOf('#')) });
  const other = again.locator('#locks-throughput-threads');
  assert.deepEqual(await other.locator('.controls select').evaluateAll((all) => all.map((s) => s.value)), ['16', 'medians', 'linear', 'without']);
  assert.equal(await other.getByRole('button', { name: 'ttas', exact: true }).getAttribute('aria-pressed'), 'false');
  const plain = (svg) => svg.replace(/zr\d+/g, 'zr');
  assert.equal(plain(await other.locator('.chart svg').innerHTML()), plain(chart));
  assert.deepEqual(trouble, []);
  await again.close();
});

test('what “Copy the link” gives names no folder of the sender, and shows the same in the file that was sent', async () => {
  const file = report(everything());
  const id = 'locks-throughput-threads';
  const { page } = await open(file, { drawn: [id] });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const figure = page.locator(`#${id}`);
  await figure.locator('label', { hasText: 'Number of locks' }).locator('select').selectOption('16');
  await figure.getByRole('button', { name: 'ttas', exact: true }).click();
  await button(figure, 'Copy the link').click();
  await page.waitForFunction((of) => window.document.querySelector(`#${of} .said`).textContent !== '', id);
  const said = await figure.locator('.said').innerText();
  assert.equal(said, 'Copied. Whoever has this file opens it and adds “#” and what follows it to its address.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.close();
  const [name, hash] = link.split(/(?=#)/);
  assert.equal(name, basename(file));

  const sent = join(mkdtempSync(join(home, 'sent-')), name);
  copyFileSync(file, sent);
  for (const first of [hash, '']) {
    const { page: there, trouble } = await open(sent, { drawn: false, hash: first });
    if (first === '') await there.goto(`file://${sent}${hash}`); // behind the address of what is open already
    const other = there.locator(`#${id}`);
    await other.locator('.chart svg').first().waitFor();
    assert.equal(await other.locator('label', { hasText: 'Number of locks' }).locator('select').inputValue(), '16');
    assert.equal(await other.getByRole('button', { name: 'ttas', exact: true }).getAttribute('aria-pressed'), 'false');
    assert.deepEqual(trouble, []);
    await there.close();
  }
});

test('an address that says nonsense is no trouble', async () => {
  const { page, trouble } = await open(report(everything()), { hash: '#locks-throughput-threads?locks=nonsense&__proto__=1&%%%&scale=log&lines=none' });
  assert.equal(await page.locator('#locks-throughput-threads select').first().inputValue(), '1');
  assert.deepEqual(trouble, []);
  await page.close();
});

const unsure = (c) => ({ ...c, ci: [c.value * 0.5, c.value * 1.5], flag: 'unreliable' });

test('the machine is one card of 1200 by 630, with its map and what is sure, and a caption', async () => {
  const { page, trouble } = await open(report({ ...everything(), label: 'Laptop, 2nd try' }), { drawn: false });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const sending = page.locator('.sending');
  const waiting = page.waitForEvent('download');
  await button(sending, 'Picture').click();
  const download = await waiting;
  assert.equal(download.suggestedFilename(), 'synchroscope-laptop-2nd-try-card.png');
  const seen = await dots(page, readFileSync(await download.path()), { title: [30, 70], map: [200, 520], facts: [130, 580] });
  assert.equal(seen.width, 1200);
  assert.ok(seen.title > 500 && seen.map > 50_000 && seen.facts > seen.map, JSON.stringify(seen));
  await button(sending, 'Copy the caption').click();
  await page.waitForFunction(() => window.document.querySelector('.sending .said').textContent !== '');
  const told = await page.evaluate(() => navigator.clipboard.readText());
  const there = card('svg', { ...everything(), label: 'Laptop, 2nd try' });
  assert.equal(told, there.caption);
  const facts = await page.locator('.facts li').count();
  assert.match(told, /^Laptop, 2nd try · Test CPU 9000 · 4 processors/);
  assert.equal(told.split('2 January 2026').length, 2); // the date once
  assert.equal(told.split('\n').filter((t) => t.startsWith('- ')).length, Math.min(5, facts));
  assert.match(told, /Map: how far apart the processors are, 20\.0 ns to 50\.0 ns\./);
  const svg = await parts(page, there.picture);
  assert.deepEqual(svg.size, ['1200', '630']);
  assert.equal(svg.facts.length, Math.min(5, facts));
  assert.equal(svg.maps, 1);
  assert.deepEqual(svg.outside, []);
  assert.deepEqual(trouble, []);
  await page.close();
});

/** What stands on a card, and what of it touches another text or leaves the card. */
const parts = (page, bytes) =>
  page.evaluate((text) => {
    const frame = window.document.createElement('div');
    frame.innerHTML = text.replace(/^<\?xml[^>]*>/, '');
    window.document.body.append(frame);
    const svg = frame.firstElementChild;
    const boxes = [...svg.querySelectorAll(':scope > text, .told text, .legend text')].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() }));
    const whole = svg.getBoundingClientRect();
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
    const outside = boxes.filter(({ box }, i) => box.left < whole.left || box.right > whole.right || box.bottom > whole.bottom
      || boxes.some((b, j) => i !== j && !apart(box, b.box))).map((b) => b.text);
    const found = { outside, size: ['width', 'height'].map((a) => svg.getAttribute(a)),
      facts: [...svg.querySelectorAll('.told .figure')].map((t) => t.textContent), maps: svg.querySelectorAll(':scope > svg').length,
      processors: svg.querySelectorAll('.topology .processor').length, text: svg.textContent };
    frame.remove();
    return found;
  }, bytes.toString());

test('a card tells nothing that is not sure, and shows the processors where no map was measured', async () => {
  const { page } = await open(report(document([])), { drawn: false });
  const doubtful = card('svg', { ...document(everything().cells.map(unsure), { label: 'noisy' }) });
  const svg = await parts(page, doubtful.picture);
  assert.deepEqual(svg.facts, []);
  assert.match(svg.text, /No reliable finding: no value is sure/);
  assert.match(doubtful.caption, /^No reliable finding: no value is sure.*: synchroscope run /m);
  assert.doesNotMatch(doubtful.caption, /^Map: /m, 'what is not sure');
  assert.doesNotMatch(doubtful.caption, /^- /m);
  const none = await parts(page, card('svg', document(everything().cells.filter((c) => !/pairs/.test(c.experiment)), { cpus: 48, label: '<i>"&' })).picture);
  assert.equal(none.maps, 0);
  assert.equal(none.processors, 48);
  assert.ok(none.text.includes('<i>"&') && none.facts.length > 2);
  await page.close();
});

test('a card is of one machine, into a file called after it', () => {
  const png = card('', { ...everything(), label: 'Box "7"' });
  if (png) assert.match(png.file, /\/synchroscope-box-7-card\.png$/);
  const refuse = (saying, ...args) => {
    const result = call('report', ...args);
    assert.equal(result.status, 2, result.stderr);
    assert.match(result.stderr, saying);
  };
  const [a, b] = [write(everything()), write({ ...everything(), label: 'b' })];
  refuse(/a card shows one machine, and these results are of 2: everything, b/, a, b, '--card', '-o', 'x.svg');
  refuse(/--card and --figure are two pictures/, a, '--card', '--figure', 'x', '-o', 'x.svg');
  refuse(/--card writes a \.svg, \.png or \.pdf file/, a, '--card', '-o', 'x.html');
});
