// The program, and a browser that watches what its report does.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { PROGRAM, REPORT_WORK, CHROMIUM } = process.env;

export const home = mkdtempSync(join(tmpdir(), 'synchroscope-report-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

let files = 0;

/** Runs the program; {status, stdout, stderr}. Before its arguments {path} may say where it finds other programs. */
export function call(...args) {
  const path = typeof args[0] === 'object' ? args.shift().path : undefined;
  try {
    const stdout = execFileSync(PROGRAM, args, { ...(path ? { env: { ...process.env, PATH: path } } : {}), cwd: home, stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26 });
    return { status: 0, stdout: String(stdout), stderr: '' };
  } catch (e) {
    return { status: e.status, stdout: String(e.stdout), stderr: String(e.stderr) };
  }
}

export function write(content) {
  const name = join(home, `results-${++files}.json`);
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const reports = new Map();

/** The path of a report of these documents; the same for the same ones. */
export function report(...documents) {
  const key = JSON.stringify(documents);
  if (!reports.has(key)) reports.set(key, newReport(documents));
  return reports.get(key);
}

function newReport(documents) {
  const name = join(home, `report-${++files}.html`);
  const result = call('report', ...documents.map((d) => (d === '--paper' ? d : write(d))), '-o', name);
  if (result.status !== 0) throw new Error(result.stderr);
  return name;
}

/** A figure of these documents as a picture; null where a program that makes such pictures is missing. */
export function figure(name, form, ...documents) {
  const output = join(home, `figure-${++files}.${form}`);
  const result = call('report', ...documents.map(write), '--figure', name, '-o', output);
  if (result.status === 3 && /not installed/.test(result.stderr)) return null;
  if (result.status !== 0) throw new Error(result.stderr);
  return readFileSync(output);
}

/** The card of a document as such a picture, with its caption; with no form into the file that the program names. null as above. */
export function card(form, content) {
  const output = form === '' ? [] : ['-o', join(home, `card-${++files}.${form}`)];
  const before = new Set(readdirSync(home));
  const result = call('report', write(content), '--card', ...output);
  if (result.status === 3 && /not installed/.test(result.stderr)) return null;
  if (result.status !== 0) throw new Error(result.stderr);
  const file = output[1] ?? join(home, readdirSync(home).find((f) => !before.has(f) && !f.startsWith('results-')));
  return { picture: readFileSync(file), caption: result.stdout.trimEnd(), file };
}

const browsers = []; // the last one is used

/** Where there is no browser that can be driven, says so and ends with 77, which means skipped. */
export async function launch() {
  const skip = (why) => {
    console.log(`skipped: ${why}`);
    process.exit(77);
  };
  if (!CHROMIUM) skip('there is no Chromium on this machine');
  const { chromium } = createRequire(join(REPORT_WORK, 'package.json'))('playwright-core');
  try {
    browsers.push(await chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }));
  } catch (e) {
    skip(`${CHROMIUM} cannot be driven: ${String(e.message).split('\n')[0]}`);
  }
}

export const close = () => Promise.all(browsers.map((b) => b.close()));

/** A browser that makes no frames any more, not even for a picture: nothing can be seen in it, whatever its page does. */
class NoFrames extends Error {}

/**
 * Opens the file, lets everything be drawn (or nothing, or the figures of these names), and gives the page with all that it
 * complained of or asked for.
 */
export async function open(file, how = {}) {
  try {
    return await openIn(browsers.at(-1), file, how);
  } catch (e) {
    if (!(e instanceof NoFrames)) throw e;
    console.log('the browser makes no frames: another one is started');
    await launch();
    return openIn(browsers.at(-1), file, how);
  }
}

async function openIn(browser, file, { scheme = 'light', width = 1280, drawn: wanted = true, hash = '' }) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const trouble = [];
  page.on('console', (m) => trouble.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('request', (r) => !/^(data|blob):/.test(r.url()) && r.url().split('#')[0] !== `file://${file}` && trouble.push(`request: ${r.url().slice(0, 200)}`));
  await page.goto(`file://${file}${hash}`, { timeout: 200_000 }); // a large file on a busy machine
  if (Array.isArray(wanted)) for (const id of wanted) await drawn(page, page.locator(`#${id}`));
  else if (wanted) await drawAll(page);
  return { page, trouble };
}

/** Opens the page as above, and nothing may be complained of or asked for, then or while the body looks at it. */
export async function quietly(file, body, how = {}) {
  const { page, trouble } = await open(file, how);
  try {
    assert.deepEqual(trouble, []);
    await body(page);
    assert.deepEqual(trouble, []);
  } finally {
    await page.close();
  }
}

/** Figures draw when they come near the screen: each is brought there, and has its time, however busy the machine is. */
async function drawAll(page) {
  await page.bringToFront(); // a page behind another may not be rendered
  await page.locator('.unsure details').evaluateAll((all) => all.forEach((d) => (d.open = true)));
  const until = Date.now() + 200_000;
  for (const figure of await page.locator('.figure').all()) await drawn(page, figure, until);
}

/** Waits until the figure is drawn, as long as something may take on a busy machine. */
export async function drawn(page, figure, until = Date.now() + 200_000) {
  while (!(await drawnWithin(figure, 5_000))) {
    if (Date.now() > until) throw new Error(`a figure is not drawn: ${await stateOf(figure)}`);
    await makeFrame(page);
  }
}

/** A browser that has stopped to make frames makes one for a picture; without frames nothing is seen to be near. */
const makeFrame = (page) =>
  page.screenshot().catch((e) => {
    throw e.name === 'TimeoutError' ? new NoFrames(e.message) : e;
  });

/** Whether the figure is drawn before these milliseconds are over. What is drawn above it may push it away meanwhile. */
const drawnWithin = (figure, milliseconds) =>
  figure.evaluate(async (element, time) => {
    const until = Date.now() + time;
    element.scrollIntoView({ block: 'nearest' });
    while (element.checkVisibility() === false || ![...element.querySelectorAll('.chart')].every((c) => c.childElementCount > 0)) {
      if (Date.now() > until) return false;
      element.scrollIntoView({ block: 'nearest' });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return true;
  }, milliseconds);

/** What a reader of a failed test needs to know of a figure that is not drawn. */
const stateOf = (figure) =>
  figure.evaluate(async (element) => {
    const frame = await new Promise((resolve) => {
      requestAnimationFrame(() => resolve(true));
      setTimeout(resolve, 1_000, false);
    });
    const { top, bottom, width } = element.getBoundingClientRect();
    return JSON.stringify({ id: element.id, top, bottom, width, window: innerHeight, scrolled: scrollY, visible: document.visibilityState, frame });
  });

/** Opens all that is folded, at once, and waits for tables that are filled when they are seen. */
export async function unfold(page) {
  await page.evaluate(() => window.document.querySelectorAll('details').forEach((d) => (d.open = true)));
  await page.waitForFunction(() => [...window.document.querySelectorAll('details')].every((d) => d.children.length > 1 && (d.lastElementChild.tagName !== 'DIV'
    || d.lastElementChild.childElementCount > 0)));
}

/** Texts of charts that touch each other or leave their chart. */
export function misplaced() {
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

/** A picture has no elements: the pointer still finds the pair. */
export async function findsPair(page, map) {
  const box = await map.locator('canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector('.picture-tip:not([hidden])');
  assert.match(await map.locator('.picture-tip').innerText(), /Processor \d+ to \d+\n.*ns/);
}
