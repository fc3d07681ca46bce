// The page of a fleet as a reader meets it, in a browser.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, close, home, launch, quietly, write } from './browser.mjs';
import { alike, host } from './fleets.mjs';

before(launch);
after(close);

let pages = 0;

/** The page of these files. */
function gathered(...documents) {
  const output = join(home, `fleet-${++pages}.html`);
  const { status, stderr } = call('fleet', 'gather', ...documents.map(write), '-o', output);
  assert.equal(status, 0, stderr);
  return output;
}

const undrawn = (file, body, how = {}) => quietly(file, body, { drawn: false, ...how });

const hostile = '</script><img src=x onerror="window.broken = 1">\u202e';
let everything;
/** A slow host, one of another kind, one with a history, one whose name is markup, and a file that is none. */
const all = () => (everything ??= gathered(...alike(30), host(hostile, { factor: 3, governor: 'powersave' }),
  host('slow', { factor: 1.5, governor: 'powersave' }), host('lonely', { model: 'Another' }),
  host('host-3', { started: '2026-10-01T01:00:00Z', id: 'before', factor: 0.5 }), '{"cut'));

test('the page begins with who differs and in what, the most different first', async () => {
  await undrawn(all(), async (page) => {
    assert.equal(await page.title(), 'Fleet of 33 hosts – Synchroscope');
    const items = await page.locator('.called-hosts li').allInnerTexts();
    assert.equal(items.length, 2);
    assert.match(items[0], /worse by a factor of 3\.?\d* in .*its governor is powersave, not performance\.$/);
    assert.match(items[1], /^slow: worse by 5\d % in /);
    assert.match(await page.locator('.verdict').innerText(),
      /Both hosts whose governor is powersave, not performance, are called[^]*Over all [\d\s]+ comparisons of 32 hosts/);
  });
});

test('each host that is called has what it differs in, with the usual values', async () => {
  await undrawn(all(), async (page) => {
    await page.locator('.called-hosts a', { hasText: 'slow' }).click();
    const article = page.locator(new URL(page.url()).hash);
    assert.match(await article.locator('h3').innerText(), /^slow$/);
    const rows = await article.locator('tbody tr').evaluateAll((found) => found.map((r) => [...r.children].map((c) => c.textContent)));
    const cell = rows.find((r) => r[1] === 'latency: threads 2');
    assert.ok(cell, JSON.stringify(rows));
    assert.match(cell[2], /^[45]\d\s% worse$/);
    assert.match(cell[3], /^(29|30)\d\sns$/);
    assert.match(cell[4], /^(19|20)\d\sns$/);
    assert.equal(cell[5], '31');
  });
});

test('strips show every experiment, and the hosts that are called at their places', async () => {
  await undrawn(all(), async (page) => {
    const strips = page.locator('#group-1 .track[role=img]');
    assert.equal(await strips.count(), 4);
    assert.match(await strips.nth(1).getAttribute('aria-label'), /^a\.first: half of 32 hosts from .*; .*slow 5\d\s% worse$/);
    const [middle, slow] = await strips.nth(1).evaluate((t) =>
      ['.middle', '.called[title^=slow]'].map((what) => t.querySelector(what).getBoundingClientRect().left));
    assert.ok(slow > middle + 50, `${slow} is right of ${middle}`);
  });
});

test('where half of the hosts are printed alike, a strip says it once', async () => {
  const same = Array.from({ length: 12 }, (_, i) => ({ ...host('same', { id: i }), os: { hostname: `same-${i}` } }));
  await undrawn(gathered(...same), async (page) => {
    const said = await page.locator('#group-1 .track[role=img]').evaluateAll((all) => all.map((track) => track.getAttribute('aria-label')));
    assert.deepEqual(said, ['Everything', 'a.first', 'a.second', 'b.third'].map((title) => `${title}: half of 12 hosts as usual`));
  });
});

test('small groups, histories, facts and refused files are shown', async () => {
  await undrawn(all(), async (page) => {
    assert.match(await page.locator('#group-2').innerText(), /1 host alike: too few to call one ill, which takes 8/);
    assert.match(await page.locator('#history').innerText(), /host-3\s+2026-10-01\s+2026-11-26\s+(100|99)\s% worse/);
    assert.match(await page.locator('#facts').innerText(), /governor\s+powersave\s+performance\s/);
    assert.match(await page.locator('#refused').innerText(), /ends in the middle of the JSON: it was cut off/);
  });
});

test('names with markup are names', async () => {
  await undrawn(all(), async (page) => {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator('img').count(), 0);
  });
});

test('nobody called, too few hosts: said', async () => {
  await undrawn(gathered(...alike(12)), async (page) => assert.match(await page.locator('.says').innerText(), /^No host differs from the others of its kind/));
  await undrawn(gathered(...alike(3)), async (page) => assert.match(await page.locator('.says').innerText(), /^There are too few alike hosts/));
});

test('on a phone tables are as wide as the screen, and each value has the name of its column', async () => {
  await undrawn(all(), async (page) => {
    const frames = page.locator('.scroll');
    assert.ok((await frames.count()) >= 4);
    assert.deepEqual(await frames.evaluateAll((found) => found.filter((f) => f.scrollWidth > f.clientWidth).map((f) =>
      `${f.getAttribute('aria-label')}: ${f.scrollWidth} of ${f.clientWidth}`)), []);
    const cells = await page.locator('.deviations').first().locator('tbody tr').last().locator('td').evaluateAll((found) => found.map((c) =>
      [getComputedStyle(c, '::before').content, c.textContent]));
    assert.deepEqual(cells.map(([name]) => name), ['"In"', '"By"', '"Value"', '"Usual"', '"Compared with"']);
    assert.equal(cells.at(-1)[1], '31');
    const rows = page.getByRole('table', { name: 'Facts of few hosts' }).getByRole('row');
    assert.deepEqual(await rows.nth(1).getByRole('cell').first().innerText(), 'powersave');
  }, { width: 390 });
});

const axe = () => readFileSync(join(process.env.REPORT_WORK, 'node_modules/axe-core/axe.min.js'), 'utf8');
for (const [width, scheme] of [[390, 'light'], [390, 'dark'], [1440, 'dark'], [1280, 'light']])
  test(`nothing sticks out of a screen of ${width}, ${scheme}, and axe finds nothing`, async () => {
    await undrawn(all(), async (page) => {
      assert.ok((await page.evaluate(() => window.document.documentElement.scrollWidth)) <= width + 1);
      await page.evaluate(axe());
      assert.deepEqual(await page.evaluate(async () => (await window.axe.run(window.document)).violations.map((v) =>
        `${v.id}: ${v.nodes[0].html.slice(0, 160)}`)), []);
    }, { width, scheme });
  });
