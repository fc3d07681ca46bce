// How long a reader waits: from opening the report of a machine to the map of all pairs. Median of seven, each in a
// fresh tab. Aimed at: under 2 s for 128 processors, under 3 s and 10 MB for 1,024.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { call, close, home, launch, open, report } from '../../tests/report/browser.mjs';
import { document, pairs } from '../../tests/report/documents.mjs';
import { measured, writeWide } from '../../tests/report/wide.mjs';

async function opening(file) {
  const start = performance.now();
  const { page, trouble } = await open(file, { drawn: false });
  await page.waitForSelector('#coherence-pairs-map canvas');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const time = performance.now() - start;
  if (trouble.length > 0) throw new Error(trouble.join('\n'));
  await page.close();
  return time / 1000;
}

/** Whether it was as fast as it should be, in seconds. */
async function timed(what, file, aim) {
  const times = [];
  for (let i = 0; i < 7; ++i) times.push(await opening(file));
  times.sort((a, b) => a - b);
  const [least, median, most] = [times[0], times[3], times[6]].map((t) => t.toFixed(2));
  console.log(`report of ${what}, time to the map: ${median} s (${least} to ${most} s), aimed at: under ${aim} s`);
  return times[3] < aim;
}

/** Both ways between each two. */
async function thousand() {
  const page = join(home, 'thousand.html');
  const result = call('report', await writeWide(1024, (from, to) => (from === to ? null : measured(from, to))), '-o', page);
  if (result.status !== 0) throw new Error(result.stderr);
  console.log(`report of 1024 processors: ${(statSync(page).size / 1e6).toFixed(2)} MB, aimed at: under 10 MB`);
  return page;
}

const small = report(document(pairs(128), { cpus: 128 }));
const large = await thousand();
await launch();
const fast = [await timed('128 processors', small, 2), await timed('1024 processors', large, 3)];
await close();
process.exit(fast.every((f) => f) && statSync(large).size < 10e6 ? 0 : 1);
