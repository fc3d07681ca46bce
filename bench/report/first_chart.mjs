// How long a reader waits: from opening the report of a machine with 128 processors to its first chart, the map of all
// pairs. Median of seven, each in a fresh tab. Aimed at: under 2 s.

import { close, launch, open, report } from '../../tests/report/browser.mjs';
import { document, pairs } from '../../tests/report/documents.mjs';

const file = report(document(pairs(128), { cpus: 128 }));
await launch();
const times = [];
for (let i = 0; i < 7; ++i) {
  const start = performance.now();
  const { page, trouble } = await open(file, { drawn: false });
  await page.waitForSelector('.chart svg, .chart canvas');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  times.push(performance.now() - start);
  if (trouble.length > 0) throw new Error(trouble.join('\n'));
  await page.close();
}
await close();
times.sort((a, b) => a - b);
const median = times[3];
console.log(`report of 128 processors, time to the first chart: ${(median / 1000).toFixed(2)} s (${(times[0] / 1000).toFixed(2)} to ${(times[6] / 1000).toFixed(2)} s), aimed at: under 2 s`);
process.exit(median < 2000 ? 0 : 1);
