// A file of 200 MB, of a machine of 576 processors: a page that can be read, and says what it leaves out.

import assert from 'node:assert/strict';
import { createWriteStream, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, close, findsPair, home, launch, misplaced, open } from './browser.mjs';
import { cell, document } from './documents.mjs';

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

test('200 MB of results are a page that opens', async () => {
  const file = join(home, 'large.json');
  const page = join(home, 'large.html');
  await writeLarge(file, 200);
  assert.ok(statSync(file).size > 200e6);
  const result = call('report', file, '-o', page);
  assert.equal(result.status, 0, result.stderr);
  assert.ok(statSync(page).size < 8 << 20); // each pair takes seven bytes
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
