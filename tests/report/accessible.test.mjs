// What axe-core finds in the page: nothing, in light and dark, and on a narrow screen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { close, launch, open, report } from './browser.mjs';
import { document, everything } from './documents.mjs';

before(launch);
after(close);

const axe = readFileSync(join(process.env.REPORT_WORK, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Each violation with the rule, what it says, and the first element. */
async function violations(page) {
  await page.evaluate(axe); // not as an element: the page lets no other script in
  return page.evaluate(async () => (await window.axe.run(window.document)).violations.map((v) =>
    `${v.id} (${v.nodes.length}): ${v.help}: ${v.nodes[0].html.slice(0, 160)}`));
}

const one = () => [everything()];
const two = () => [everything(), { ...everything(), label: 'other' }];
for (const [what, documents, options] of [['two machines, light', two, {}], ['one machine, dark', one, { scheme: 'dark' }],
  ['one machine, 390 wide', one, { width: 390 }], ['beside the paper', () => [everything(), '--paper'], {}], ['an empty run', () => [document([])], {}]])
  test(`axe finds nothing: ${what}`, async () => {
    const { page } = await open(report(...documents()), options);
    for (const s of await page.locator('summary').all()) await s.click();
    assert.deepEqual(await violations(page), []);
    await page.close();
  });
