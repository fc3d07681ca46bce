// Screenshots of the page's figures that are "as Fig. 3" to "as Fig. 12" of the paper on synchronization, for those who compare
// them with the paper: ./dev bench papers_figures FOLDER FILES... makes FOLDER/NAME-fig3.png of NAME.json, and so on, and
// FOLDER/NAME-first.png of the first screen, 1280 by 800. With --unnamed before the folder nothing in a picture but axes, legend
// and choices says what it shows, its name is a number, and FOLDER/key.txt says of which figure each is.

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { call, close, drawn, home, launch, open } from '../../tests/report/browser.mjs';

const words = process.argv.slice(2);
const unnamed = words[0] === '--unnamed' && words.shift() !== undefined;
const [folder, ...files] = words.map((word) => resolve(word));

/** Of the figures on the page, which one of the paper each is as, in the page's order. */
const likened = (page) => page.locator('.figure').evaluateAll((all) => all.flatMap((figure) => {
  const [, number] = [...figure.querySelectorAll('p.small')].map((p) => /^As Fig\. (\d+)/.exec(p.textContent)).find((found) => found) ?? [];
  return number === undefined ? [] : [{ id: figure.id, number }];
}));

const captions = '.figure > h3, .figure > .lead, .figure > .small, .figure .found, .figure details';

/** The name of each figure's picture: the second one of a number has a 2 behind it. */
function namesOf(figures, run) {
  const seen = new Map();
  return figures.map(({ number }) => {
    seen.set(number, (seen.get(number) ?? 0) + 1);
    return `${run}-fig${number}${seen.get(number) > 1 ? `-${seen.get(number)}` : ''}`;
  });
}

/** Of one results file: the pictures' names, with the pictures. */
async function shots(file) {
  const [run, html] = [basename(file, '.json'), join(home, `${basename(file)}.html`)];
  const { status, stderr } = call('report', file, '-o', html);
  if (status !== 0) throw new Error(stderr);
  const { page, trouble } = await open(html);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => window.scrollTo(0, 0));
  const found = unnamed ? [] : [{ name: `${run}-first`, picture: await page.screenshot() }];
  const figures = await likened(page);
  if (unnamed) await page.locator(captions).evaluateAll((all) => all.forEach((e) => (e.style.display = 'none')));
  for (const [i, name] of namesOf(figures, run).entries()) {
    const figure = page.locator(`#${figures[i].id}`);
    await drawn(page, figure);
    found.push({ name, picture: await figure.screenshot() });
  }
  await page.close();
  if (trouble.length > 0) throw new Error(trouble.join('\n'));
  return found;
}

if (files.length === 0) throw new Error('papers_figures wants a folder and results files');
mkdirSync(folder, { recursive: true });
await launch();
const pictures = [];
for (const file of files) pictures.push(...await shots(file));
await close();
if (unnamed) pictures.sort(() => Math.random() - 0.5);
const called = pictures.map(({ name }, i) => (unnamed ? String(i + 1) : name));
pictures.forEach(({ picture }, i) => writeFileSync(join(folder, `${called[i]}.png`), picture));
if (unnamed) writeFileSync(join(folder, 'key.txt'), pictures.map(({ name }, i) => `${called[i]} ${name}\n`).join(''));
console.log(called.map((name) => join(folder, `${name}.png`)).join('\n'));
