// Results files of very many pairs of processors, written piece by piece.

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { home } from './browser.mjs';
import { cell, document } from './documents.mjs';

export const local = (value) => cell('coherence.local', { level: 'l1' }, 'latency', 'ns', value);

/** A cell for each pair for which there is [value, low, high], and one number behind them. */
export async function writeWide(n, numbers) {
  const file = join(home, 'wide.json');
  const out = createWriteStream(file);
  out.write(JSON.stringify(document([], { cpus: n, label: 'wide' })).replace(/"cells":\[\]\}$/, '"cells":['));
  for (let from = 0; from < n; ++from) {
    const row = [];
    for (let to = 0; to < n; ++to) {
      const [value, low, high] = numbers(from, to) ?? [];
      if (value !== undefined)
        row.push(JSON.stringify({ ...cell('coherence.pairs', { protocol: 'cas', from, to, home: 'from' }, 'latency', 'ns', value), ci: [low, high],
          samples: [] }));
    }
    if (row.length > 0 && !out.write(`${row.join(',')},`)) await once(out, 'drain');
  }
  out.end(`${JSON.stringify(local(1))}]}`);
  await once(out, 'finish');
  return file;
}

/** As a clock of 2.1 GHz gives them: 500 round trips take so many ticks. */
const inTicks = (...ticks) => ticks.map((t) => (Math.round(t) * (1e9 / 2.1e9)) / 1000);

/** Different for each pair, also the other way round. */
export function measured(from, to) {
  const ns = from >> 1 === to >> 1 ? 20 : from >> 7 === to >> 7 ? 60 : 240;
  const scatter = (k) => Math.abs(Math.sin(from * 12.9898 + to * 78.233 + k) * 43758.5453) % 1;
  const ticks = 2100 * ns * (0.95 + 0.1 * scatter(1));
  return inTicks(ticks, ticks * (1 - 0.03 * scatter(3)), ticks * (1 + 0.03 * scatter(5)));
}
