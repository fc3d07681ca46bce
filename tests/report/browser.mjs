// The program, and a browser that watches what its report does.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { PROGRAM, REPORT_WORK, CHROMIUM } = process.env;

export const home = mkdtempSync(join(tmpdir(), 'synchroscope-report-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

let files = 0;

/** Runs the program; {status, stderr}. */
export function call(...args) {
  try {
    execFileSync(PROGRAM, args, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
    return { status: 0, stderr: '' };
  } catch (e) {
    return { status: e.status, stderr: String(e.stderr) };
  }
}

export function write(content) {
  const name = join(home, `results-${++files}.json`);
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

/** The path of a report of these documents. */
export function report(...documents) {
  const name = join(home, `report-${++files}.html`);
  const result = call('report', ...documents.map((d) => (d === '--paper' ? d : write(d))), '-o', name);
  if (result.status !== 0) throw new Error(result.stderr);
  return name;
}

let browser;

export async function launch() {
  const { chromium } = createRequire(join(REPORT_WORK, 'package.json'))('playwright-core');
  browser = await chromium.launch({ executablePath: CHROMIUM, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

export const close = () => browser?.close();

/** Opens the file, lets everything be drawn, and gives the page with all that it complained of or asked for. */
export async function open(file, { scheme = 'light', width = 1280, drawn = true, hash = '' } = {}) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const trouble = [];
  page.on('console', (m) => trouble.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => trouble.push(`error: ${e.message}`));
  page.on('request', (r) => !/^(data|blob):/.test(r.url()) && r.url().split('#')[0] !== `file://${file}` && trouble.push(`request: ${r.url().slice(0, 200)}`));
  await page.goto(`file://${file}${hash}`, { timeout: 200_000 }); // a large file on a busy machine
  if (drawn) await drawAll(page);
  return { page, trouble };
}

/** Figures draw when they come near the screen. */
async function drawAll(page) {
  for (const figure of await page.locator('.figure').all()) await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll('.chart')].every((c) => c.childElementCount > 0));
}
