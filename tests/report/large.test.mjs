// Maps of many processors: a part that is looked at, every number of 1024, an overview of more, and a file of 200 MB, of a machine
// of 576 processors: a page that can be read, and says what it leaves out.

import assert from 'node:assert/strict';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, close, findsPair, home, launch, misplaced, open, report, write } from './browser.mjs';
import { cell, document, pairs } from './documents.mjs';
import { local, measured, writeWide } from './wide.mjs';

before(launch);
after(close);

/** Written piece by piece: as one text it would be too long for some. */
async function writeLarge(path, megabytes) {
  const out = createWriteStream(path);
  const shell = JSON.stringify(document([], { cpus: 576 }));
  out.write(shell.replace(/"cells":\[\]\}$/, '"cells":['));
  let size = 0;
  for (let i = 0; size < megabytes << 20; ++i) {
    const c = cell('coherence.pairs', { protocol: 'cas', from: i % 576, to: Math.floor(i / 576) % 576, home: `page${Math.floor(i / 331776)}` }, 'latency',
      'ns', 20 + (i % 90));
    const text = (i > 0 ? ',' : '') + JSON.stringify({ ...c, noise: { repetition: c.samples.map((_, k) => k) } });
    size += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end(']}');
  await once(out, 'finish');
}

/** What a map shows: the processors at the upper edge, the first and the last that are written. */
const columns = async (map) => {
  const said = await map.locator('.chart').first().getAttribute('aria-label');
  return /between (?:(\d+) and )?(\d+) processors/.exec(said).slice(1).filter((n) => n !== undefined).map(Number);
};

test('a part of a map is looked at by dragging, by keys and by buttons, with its numbers where there is room', async () => {
  const { page: tab, trouble } = await open(report(document(pairs(128), { cpus: 128 })));
  const map = tab.locator('#coherence-pairs-map');
  await map.scrollIntoViewIfNeeded();
  assert.deepEqual(await columns(map), [128]);
  assert.equal(await map.locator('canvas').count(), 1); // a picture
  const box = await map.locator('.canvas').boundingBox();
  const at = async (share) => tab.mouse.move(box.x + 44 + 600 * share, box.y + 56 + 600 * share);
  await at(0.5);
  await tab.mouse.down();
  await at(0.6);
  assert.ok(await map.locator('.brush').isVisible());
  await tab.mouse.up();
  const [side] = await columns(map);
  assert.ok(side >= 12 && side <= 15, `${side}`);
  assert.equal(await map.locator('.chart svg').count(), 1); // field by field, with numbers
  assert.ok((await map.locator('.chart svg text').allTextContents()).includes('50.0'));
  assert.equal(await map.locator('.color-key').innerText(), '20.0\u00a0ns\n220\u00a0ns'); // colours mean what they did
  await map.locator('.chart').focus();
  await tab.keyboard.press('ArrowRight');
  assert.match(await map.locator('.live').innerText(), /^processor \d+ to \d+: /);
  await tab.keyboard.press('-');
  assert.deepEqual(await columns(map), [side * 2]);
  await tab.keyboard.press('0');
  assert.deepEqual(await columns(map), [128]);
  const button = (name) => map.getByRole('button', { name, exact: true });
  await button('Zoom in').click();
  assert.deepEqual(await columns(map), [64]);
  await button('Further right').click();
  await button('The whole map').click();
  assert.equal(await button('The whole map').count(), 0);
  assert.deepEqual(trouble, []);
  await tab.close();
});

/** Drawn anew for paper, with its colours, and no wider. */
async function fitsPaper(tab, map) {
  await tab.emulateMedia({ media: 'print' });
  await tab.waitForFunction((id) => {
    const canvas = window.document.querySelector(`#${id} canvas`);
    return canvas && canvas.getBoundingClientRect().width <= 660;
  }, await map.getAttribute('id'));
  const isColoured = await map.locator('canvas').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 40, 40);
    return data.some((v, i) => i % 4 < 3 && v !== data[i % 4]);
  });
  assert.ok(isColoured);
  await tab.emulateMedia({ media: 'screen' });
}

/** What the reader of a map can save: of each line the pair, and [value, low, high]. */
async function csvOf(tab, map) {
  const [download] = await Promise.all([tab.waitForEvent('download'), map.getByRole('button', { name: 'CSV', exact: true }).click()]);
  const [head, ...lines] = readFileSync(await download.path(), 'utf8').trimEnd().split('\r\n');
  const places = ['from', 'to', 'value', 'ci_low', 'ci_high'].map((name) => head.split(',').indexOf(name));
  return lines.map((line) => {
    const fields = line.split(',');
    const [from, to, ...found] = places.map((i) => Number(fields[i]));
    return { from, to, found };
  });
}

test('of 1024 processors every number is on the page as it is in the file, in less than 10 MB', async () => {
  const n = 1024;
  const numbers = (from, to) => (from < to && (from + to) % 89 !== 5 ? measured(from, to) : null); // with holes
  const page = join(home, 'exact.html');
  const result = call('report', await writeWide(n, numbers), '-o', page);
  assert.equal(result.status, 0, result.stderr);
  assert.ok(statSync(page).size < 10e6, `${statSync(page).size}`);
  const { page: tab, trouble } = await open(page, { drawn: false, hash: '#coherence-pairs-map' });
  const map = tab.locator('#coherence-pairs-map');
  await map.locator('canvas').first().waitFor({ timeout: 60_000 });
  assert.deepEqual(await columns(map), [n]);
  assert.doesNotMatch(await tab.locator('body').innerText(), /[Rr]ounded/);
  const lines = await csvOf(tab, map);
  for (const { from, to, found } of lines) assert.deepEqual(found, numbers(from, to), `${from} ${to}`);
  let pairsThere = 0;
  for (let from = 0; from < n; ++from) for (let to = 0; to < n; ++to) pairsThere += numbers(from, to) ? 1 : 0;
  assert.equal(lines.length, pairsThere);
  await map.locator('.chart').focus();
  await tab.keyboard.press('+');
  assert.deepEqual(await columns(map), [n / 2]);
  await tab.keyboard.press('0');
  assert.deepEqual(await columns(map), [n]);
  await fitsPaper(tab, map);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('numbers without a common clock are rounded where there is no room for them, which the page says', async () => {
  const n = 640;
  const numbers = (from, to) => {
    const value = 20 + Math.abs(Math.sin(from * n + to)) * 200;
    return from === to ? null : [value, value * 0.98, value * (1 + 0.02 * Math.abs(Math.cos(to)))];
  };
  const page = join(home, 'rounded.html');
  const result = call('report', await writeWide(n, numbers), '-o', page);
  assert.equal(result.status, 0, result.stderr);
  assert.ok(statSync(page).size < 10e6, `${statSync(page).size}`);
  const { page: tab, trouble } = await open(page, { drawn: false, hash: '#coherence-pairs-map' });
  const map = tab.locator('#coherence-pairs-map');
  await map.locator('canvas').first().waitFor({ timeout: 60_000 });
  assert.match(await tab.locator('.remark').innerText(), /numbers are rounded, to 9 digits or more/);
  for (const { from, to, found } of await csvOf(tab, map)) assert.deepEqual(found, numbers(from, to).map((v) => Number(v.toPrecision(9))), `${from} ${to}`);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('of 4096 processors with holes there is an overview that says that it is rounded, of which a part is looked at', async () => {
  const page = join(home, 'wider.html');
  const file = await writeWide(4096, (from, to) => (from !== to && (from + to) % 64 === 1 ? [20 + (from >> 6), 19, 21 + (from >> 6)] : null));
  const result = call('report', file, '-o', page);
  assert.equal(result.status, 0, result.stderr);
  assert.ok(statSync(page).size < 10e6, `${statSync(page).size}`);
  const { page: tab, trouble } = await open(page, { drawn: false, hash: '#coherence-pairs-map' });
  const map = tab.locator('#coherence-pairs-map');
  await map.locator('canvas').first().waitFor({ timeout: 60_000 });
  assert.deepEqual(await columns(map), [1024]);
  assert.match(await map.locator('.below').innerText(), /Rounded: a field stands for up to 4 by 4 pairs/);
  const box = await map.locator('.canvas').boundingBox();
  await tab.mouse.move(box.x + 44 + 100, box.y + 56 + 100);
  await tab.mouse.down();
  await tab.mouse.move(box.x + 44 + 200, box.y + 56 + 200, { steps: 3 });
  assert.ok(await map.locator('.brush').isVisible());
  await tab.mouse.up();
  assert.match(await map.locator('.below').innerText(), /Part: \d+ of 1024 rows of processors/);
  await map.getByRole('button', { name: 'Zoom in', exact: true }).click();
  assert.match(await map.locator('.below').innerText(), /Rounded: a field stands for up to 4 by 4 pairs/);
  await map.locator('.chart').focus();
  await tab.keyboard.press('0');
  assert.match(await map.locator('.live').innerText(), /^The whole map: 1024 rows of processors/);
  await fitsPaper(tab, map);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('of more than 1024 processors there is an overview, which says that it is one, and is not compared', async () => {
  const n = 1029;
  // What the other run has at the same places is none of the fields that stand there.
  const pair = (to) => cell('coherence.pairs', { protocol: 'cas', from: 0, to, home: 'from' }, 'latency', 'ns', 20 + to);
  const other = document([...[2, 4, 6].map(pair), local(2)], { cpus: 8, label: 'other' });
  const page = join(home, 'wide.html');
  const around = (value) => [value, 0.98 * value, 1.02 * value];
  const numbers = (from, to) => (from < to ? around(from < 2 ? 20 + to : 400) : null);
  const result = call('report', await writeWide(n, numbers), write(other), '-o', page);
  assert.equal(result.status, 0, result.stderr);
  const { page: tab, trouble } = await open(page, { drawn: false, hash: '#coherence-pairs-map' });
  const map = tab.locator('#coherence-pairs-map');
  await map.locator('canvas').first().waitFor({ timeout: 60_000 });
  assert.deepEqual(await columns(map), [515]);
  assert.match(await map.locator('.below').innerText(), /Rounded: a field stands for up to 2 by 2 pairs/);
  assert.match(await map.locator('.more').innerText(), /An overview is not compared/);
  assert.doesNotMatch(await tab.locator('.overview').innerText(), /coherence\.pairs/);
  assert.match(await tab.locator('.overview').innerText(),
    /wide → other.*: 1 of 1 metric differs; most in .*\(coherence\.local, 1\.00\sns → 2\.00\sns, \+100\s%\)/);
  await map.locator('details', { hasText: 'All values' }).evaluate((d) => (d.open = true));
  const row = map.locator('details:has-text("All values") tbody tr').nth(2); // of 0 and 1 to 4 and 5: 24, 24, 25, 25
  assert.match(await row.innerText(), /^wide\s+0\s+4\s+24\.0\sns.*the median of the pairs of 0 and 1 to 4 and 5/s);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('keys that show no other part are the browser’s, and a new part is said', async () => {
  const { page: tab, trouble } = await open(report(document(pairs(128), { cpus: 128 })));
  const map = tab.locator('#coherence-pairs-map');
  const left = (...keys) => map.locator('.chart').evaluate((chart, pressed) => pressed.map(([key, more]) =>
    chart.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more }))), keys);
  const live = () => map.locator('.live').innerText();
  await map.scrollIntoViewIfNeeded();
  const drawn = await map.locator('canvas').elementHandle();
  assert.deepEqual(await left(['ArrowDown'], ['ArrowLeft'], ['ArrowLeft', { altKey: true }], ['0'], ['-']), [true, true, true, true, true]);
  assert.ok(await drawn.evaluate((canvas) => canvas.isConnected)); // nothing was drawn again
  assert.equal(await live(), '');
  assert.deepEqual(await left(['+']), [false]);
  assert.equal(await live(), 'Part: 64 of 128 processors (rows 32 to 95, columns 32 to 95), from 20.0\u00a0ns to 220\u00a0ns.');
  assert.deepEqual(await left(['ArrowLeft', { altKey: true }], ['ArrowLeft']), [true, false]);
  assert.match(await live(), /rows 32 to 95, columns 0 to 63/);
  assert.deepEqual(await left(['ArrowLeft']), [true]);
  assert.match(await map.locator('.below').innerText(), /Part: 64 of 128 processors .* Its colours are those of the whole map\./);
  assert.match(await map.locator('.chart').getAttribute('aria-label'), /Part: 64 of 128 processors/);
  assert.deepEqual(await left(['0']), [false]);
  assert.match(await live(), /^The whole map: 128 processors, from 20\.0/);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('a drag may end beside the map, and is of the first button', async () => {
  const { page: tab, trouble } = await open(report(document(pairs(128), { cpus: 128 })));
  const map = tab.locator('#coherence-pairs-map');
  await map.scrollIntoViewIfNeeded();
  const drag = async (button) => {
    const box = await map.locator('.canvas').boundingBox();
    await tab.mouse.move(box.x + 44 + 300, box.y + 56 + 300);
    await tab.mouse.down({ button });
    await tab.mouse.move(box.x + 20, box.y + 30, { steps: 3 });
    await tab.mouse.up({ button });
  };
  await drag('right');
  assert.deepEqual(await columns(map), [128]);
  await drag('left');
  assert.match(await map.locator('.below').innerText(), /Part: 6\d of 128 processors \(rows 0 to 6\d, columns 0 to 6\d\)/);
  assert.deepEqual(trouble, []);
  await tab.close();
});

test('200 MB of results are a page that opens', async () => {
  const file = join(home, 'large.json');
  const page = join(home, 'large.html');
  await writeLarge(file, 200);
  assert.ok(statSync(file).size > 200e6);
  const result = call('report', file, '-o', page);
  assert.equal(result.status, 0, result.stderr);
  assert.ok(statSync(page).size < 8 << 20);
  const { page: tab, trouble } = await open(page, { drawn: false });
  await tab.waitForSelector('.figure canvas', { timeout: 60_000 });
  assert.match(await tab.locator('.remark').innerText(), /maps of many processors .* not the single repetitions/);
  const map = tab.locator('#coherence-pairs-map');
  await map.scrollIntoViewIfNeeded();
  await findsPair(tab, map);
  const [, from, to, value] = /Processor (\d+) to (\d+)\s+([\d.]+)\sns/.exec(await map.locator('.picture-tip').innerText());
  assert.equal(Number(value), 20 + ((Number(to) * 576 + Number(from)) % 90));
  assert.deepEqual(await tab.evaluate(misplaced), []);
  assert.deepEqual(trouble, []);
});
