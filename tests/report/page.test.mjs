// The report as a reader meets it, in a browser.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { call, close, launch, open, report } from './browser.mjs';
import { cell, document, everything, pairs } from './documents.mjs';

before(launch);
after(close);

/** Opens, checks that nothing was complained of or asked for, and hands the page on. */
async function quietly(file, body, how = {}) {
  const { page, trouble } = await open(file, how);
  try {
    assert.deepEqual(trouble, []);
    await body(page);
    assert.deepEqual(trouble, []);
  } finally {
    await page.close();
  }
}

const textsOf = (page, selector) => page.locator(`${selector} svg text`).allTextContents();

/** Texts of charts that touch each other or leave their chart. */
function misplaced() {
  const found = [];
  for (const svg of document.querySelectorAll('.chart svg')) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() })).filter((b) => b.box.width > 0);
    for (const { text, box } of boxes)
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        found.push(`"${text}" leaves its chart in ${svg.closest('.figure').id}`);
    for (let i = 0; i < boxes.length; ++i)
      for (let j = i + 1; j < boxes.length; ++j) {
        const [a, b] = [boxes[i].box, boxes[j].box];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 2) found.push(`"${boxes[i].text}" and "${boxes[j].text}" overlap in ${svg.closest('.figure').id}`);
      }
  }
  return found;
}

for (const width of [1280, 390])
  test(`every kind of chart is there, with titles and units, nothing clipped or overlapping, ${width} wide`, async () => {
    await quietly(report(everything()), async (page) => {
      for (const kind of ['heat', 'lines', 'bars', 'best', 'gantt']) assert.ok((await page.locator(`.figure[data-kind=${kind}] svg`).count()) > 0, kind);
      assert.ok((await page.locator('.figure[data-kind=paper] table').count()) > 0);
      const lines = await textsOf(page, '#atomics-throughput-threads');
      assert.ok(lines.includes('Threads') && lines.some((t) => t.includes('op/s')), lines.join('|'));
      const bars = await textsOf(page, '#locks-uncontested-distance');
      assert.ok(bars.some((t) => /, ns \(lower is better\)/.test(t)) && bars.includes('std/mutex'), bars.join('|'));
      const heat = await textsOf(page, '#coherence-pairs-map');
      assert.ok(heat.includes('From processor') && heat.includes('To processor') && heat.includes('20.0'), heat.join('|'));
      const best = await textsOf(page, '#locks-throughput-best');
      assert.ok(best.some((t) => /^tas : .*×$/.test(t)), best.join('|'));
      const gantt = await textsOf(page, '#forkjoin-timeline-timeline');
      assert.ok(gantt.some((t) => t.includes('48.0')), gantt.join('|'));
      assert.deepEqual(await page.evaluate(misplaced), []);
    }, { width });
  });
