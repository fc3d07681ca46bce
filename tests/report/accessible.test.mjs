// What axe-core finds in the page: nothing, in light and dark, and on a narrow screen; and what the keyboard reaches: everything.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { close, launch, open, report, unfold } from './browser.mjs';
import { cell, document, everything, pairs } from './documents.mjs';
import { lock, process as running, profile, step } from './profiles.mjs';

before(launch);
after(close);

const axe = readFileSync(join(process.env.REPORT_WORK, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Each violation with the rule, what it says, and the first element. */
async function violations(page) {
  await page.evaluate(axe); // not as an element: the page lets no other script in
  return page.evaluate(async () => (await window.axe.run(window.document)).violations.map((v) =>
    `${v.id} (${v.nodes.length}): ${v.help}: ${v.nodes[0].html.slice(0, 160)}`));
}

async function looksWell(page, looks) {
  for (const [scheme, width] of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await violations(page), [], `${scheme}, ${width} wide`);
  }
}

/** Of rows and claims, which are alike, some are enough: contrast is looked at text by text. */
async function unfoldedInPart(page) {
  await unfold(page);
  await page.evaluate(() => window.document.querySelectorAll('tbody, .claims').forEach((rows) => [...rows.children].slice(4).forEach((r) => r.remove())));
}

const one = () => [everything()];
const two = () => [everything(), { ...everything(), label: 'other' }];
const ten = () => Array.from({ length: 10 }, (_, i) => document([cell('locks.uncontested', { lock: 'mcs', distance: 'same_cpu' }, 'pair', 'ns', 10 + i),
  cell('locks.throughput', { lock: 'mcs', locks: 1, threads: 2, protocol: 'saturated' }, 'throughput', 'op/s', 1e7 * (1 + i))], { label: `machine ${i}` }));
const wide = () => [document(pairs(128), { cpus: 128 })];
for (const [what, documents, ...looks] of [['two machines', two, ['light', 1280], ['light', 1920]],
  ['one machine', one, ['dark', 1280], ['dark', 1920], ['dark', 390], ['light', 390]],
  ['ten machines', ten, ['light', 1280], ['dark', 390]], ['a map of 128 processors', wide, ['light', 1280], ['dark', 390]],
  ['beside the paper', () => [everything(), '--paper'], ['light', 1280]], ['an empty run', () => [document([])], ['light', 1280]]])
  test(`axe finds nothing: ${what}, ${looks.map((l) => l.join(' ')).join(', ')}`, async () => {
    const { page } = await open(report(...documents()), { scheme: looks[0][0], width: looks[0][1] });
    await unfoldedInPart(page);
    await looksWell(page, looks);
    await page.close();
  });

/** A page of everything that a profile may have. */
const profiled = () => profile([running([lock('hot', { samples: 200, contended: 3, waits: [[1024, 2], [4096, 1]] }), lock('cold')],
  { cycles: [[step('a', 'b'), step('b', 'a')]] }), running([], { pid: 101, seconds: null, lost: { samples: 7, spans: 0, orders: 1 } })]);

test('axe finds nothing on the page of a profile: light, dark, 390 wide', async () => {
  const { page } = await open(report(profiled()), { drawn: false });
  await unfoldedInPart(page);
  await looksWell(page, [['light', 1280], ['dark', 1280], ['dark', 390], ['light', 390]]);
  await page.close();
});

test('axe sees what is wrong on such a page', async () => {
  const { page } = await open(report(document([])), { drawn: false });
  await page.locator('main').evaluate((main) => main.insertAdjacentHTML('beforeend', '<button></button><p class="planted">faint</p>'));
  await page.locator('.planted').evaluate((p) => Object.assign(p.style, { color: 'rgb(200, 200, 200)', background: 'white' }));
  const found = (await violations(page)).map((v) => v.split(' ')[0]).sort();
  assert.deepEqual(found, ['button-name', 'color-contrast']);
  await page.close();
});

/** What can be used, and is seen. */
const usable = 'a[href], button, select, input, summary, .chart, .scroll';

test('Tab reaches all that can be used, and arrow keys every value of a chart', async () => {
  const cells = [...pairs(4), ...['tas', 'mcs'].flatMap((lock, i) => [
    ...['same_cpu', 'same_cache'].map((distance, d) => cell('locks.uncontested', { lock, distance }, 'pair', 'ns', 10 + i + 80 * d)),
    ...[1, 2, 4].map((threads) => cell('locks.throughput', { lock, locks: 1, threads, protocol: 'saturated' }, 'throughput', 'op/s', 3e7 / (threads + i)))])];
  const ids = ['coherence-pairs-map', 'locks-uncontested-distance', 'locks-throughput-threads'];
  const { page, trouble } = await open(report(document(cells)));
  const seen = page.locator(usable).filter({ visible: true });
  const count = await seen.count();
  await page.evaluate(() => {
    window.reached = new Set();
    window.document.addEventListener('focusin', (e) => window.reached.add(e.target));
  });
  await page.locator('body').focus();
  for (let i = 0; i < count + 2; ++i) await page.keyboard.press('Tab');
  const left = await seen.evaluateAll((all) => all.filter((e) => !window.reached.has(e)).map((e) => e.outerHTML.slice(0, 100)));
  assert.deepEqual(left, []);
  for (const id of ids) {
    const figure = page.locator(`#${id}`);
    const texts = new Set();
    await figure.locator('details', { hasText: 'All values' }).evaluate((d) => (d.open = true));
    await figure.locator('table tbody tr').first().waitFor();
    const values = await figure.locator('details', { hasText: 'All values' }).locator('tbody tr').count();
    await figure.locator('.chart').focus();
    for (let i = 0; i < values + 1; ++i) {
      await page.keyboard.press('ArrowRight');
      texts.add(await figure.locator('.live').innerText());
    }
    assert.equal(texts.size, values, `${id}: ${[...texts].join('|')}`);
  }
  assert.deepEqual(trouble, []);
  await page.close();
});
