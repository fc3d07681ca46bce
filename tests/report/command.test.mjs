// What `synchroscope report` says and leaves.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, figure, home, report, write } from './browser.mjs';
import { cell, document, everything } from './documents.mjs';
import { lock, process as running, profile } from './profiles.mjs';

/** One sentence on standard error, and the status. */
function refuses(status, saying, ...args) {
  const result = call('report', ...args, '-o', join(home, 'refused.html'));
  assert.equal(result.status, status, result.stderr);
  assert.match(result.stderr, /^synchroscope: [^\n]+\n$/);
  assert.match(result.stderr, saying);
  assert.ok(!existsSync(join(home, 'refused.html')));
}

test('the page is one file that loads nothing and allows nothing inline', () => {
  const html = readFileSync(report(everything()), 'utf8');
  const policy = html.match(/Content-Security-Policy" content="([^"]+)"/)[1];
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'sha256-[^ ]+';/);
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe|https?:/);
  assert.doesNotMatch(html.replace(/<script[\s\S]*<\/script>/, ''), /<(link|img|iframe|script src)|@import|url\(/);
});

test('without data it is smaller than 1.5 MB', () => {
  assert.ok(Buffer.byteLength(readFileSync(report(document([])))) < 1.5e6);
});

test('a name cannot leave the data', () => {
  const hostile = '</script><script>alert(1)</script>';
  const html = readFileSync(report(document([cell('locks.throughput', { lock: hostile, threads: 1 }, 'throughput', 'op/s', 1)], { label: hostile })), 'utf8');
  assert.ok(!html.includes('<script>alert'));
});

test('bad input is one sentence', () => {
  refuses(2, /does not exist/, join(home, 'nowhere.json'));
  refuses(2, /is empty/, write(''));
  refuses(2, /cut off/, write('{"schema": "synchroscope/1", "cells": ['));
  refuses(2, /not JSON/, write('{"schema": NaN}'));
  refuses(2, /newer Synchroscope/, write({ ...document([]), schema: 'synchroscope/3' }));
  refuses(2, /schema/, write({ hello: 'world' }));
});

test('a profile is reported alone, and only a whole one', () => {
  const whole = () => profile([running([lock('a', { waits: [[64, 1]] })])]);
  assert.ok(readFileSync(report(whole()), 'utf8').includes('"profile":{"format":"synchroscope-profile-1"'));
  const without = (change) => {
    const broken = whole();
    change(broken, broken.processes[0].locks[0]);
    return write(broken);
  };
  refuses(2, /is not a profile that can be read here: it is of a newer Synchroscope: its format is synchroscope-profile-2/, without((p) => {
    p.format = 'synchroscope-profile-2';
  }));
  refuses(2, /the field "seconds" is missing in processes\[0\]/, without((p) => delete p.processes[0].seconds));
  refuses(2, /the field "side" is missing in processes\[0\]\.locks\[0\]/, without((_, l) => delete l.side));
  refuses(2, /locks\[0\]\.name must be text, not 5/, without((_, l) => (l.name = 5)));
  refuses(2, /hold\.samples must be a count, not -1/, without((_, l) => (l.hold.samples = -1)));
  refuses(2, /"count" is missing in processes\[0\]\.locks\[0\]\.wait\.histogram\[0\]/, without((_, l) => delete l.wait.histogram[0].count));
  refuses(2, /cycles\[0\] must be an array, not text/, without((p) => (p.processes[0].cycles = ['a'])));
  refuses(2, /command\[0\] must be text/, without((p) => (p.command = [null])));
  refuses(2, /schema/, write({ format: 'another', processes: [] }));
  refuses(2, /alone/, write(whole()), write(document([])));
  refuses(2, /alone/, write(document([])), write(whole()));
  refuses(2, /no paper/, write(whole()), '--paper');
  const figure = call('report', write(whole()), '--figure', 'locks', '-o', join(home, 'a.svg'));
  assert.equal(figure.status, 2);
  assert.match(figure.stderr, /^synchroscope: a profile has no figures[^\n]*\n$/);
});

test('a results file is not written over', () => {
  const file = write(document([]));
  const result = call('report', file, '-o', file);
  assert.equal(result.status, 2);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).schema, 'synchroscope/1');
});

test('a folder or a place that does not exist cannot be written', () => {
  const file = write(document([]));
  for (const output of [home, join(home, 'no', 'such', 'folder.html')]) {
    const result = call('report', file, '-o', output);
    assert.equal(result.status, 2, result.stderr);
    assert.match(result.stderr, /^synchroscope: [^\n]+\n$/);
  }
});

test('a figure that cannot be is one sentence', () => {
  const file = write(everything());
  const wanted = (status, saying, figure, output, path) => {
    const result = call({ path }, 'report', file, '--figure', figure, ...(output ? ['-o', join(home, output)] : []));
    assert.equal(result.status, status, result.stderr);
    assert.match(result.stderr, /^synchroscope: [^\n]+\n$/);
    assert.match(result.stderr, saying);
    assert.ok(!output || !existsSync(join(home, output)));
  };
  wanted(2, /there is no figure 'nonsense' in these results; there are coherence-local-levels, /, 'nonsense', 'a.svg');
  wanted(2, /scale of locks-throughput-threads is one of linear, log, not wild/, 'locks.throughput-threads?scale=wild', 'a.svg');
  wanted(2, /colour cannot be chosen in locks-throughput-threads/, 'locks.throughput-threads?colour=red', 'a.svg');
  wanted(2, /--figure needs -o with the name of a \.svg, \.png, \.pdf, \.html or \.json file/, 'locks.throughput-threads', 'a.jpg');
  wanted(2, /--figure needs -o/, 'locks.throughput-threads');
  wanted(2, /there is no figure 'nonsense' in these results/, 'nonsense', 'a.html');
  wanted(3, /Node\.js, which is not installed/, 'locks.throughput-threads', 'a.svg', '/nowhere');
  const only = join(home, 'only-node');
  mkdirSync(only);
  symlinkSync(process.execPath, join(only, 'node'));
  wanted(3, /rsvg-convert, which is not installed/, 'locks.throughput-threads', 'a.png', only);
});

test("an experiment's name is that of its first figure, in every form", () => {
  const whole = everything();
  const known = call('report', write(whole), '--figure', 'nonsense', '-o', join(home, 'a.json')).stderr.match(/there are (.*)\n/)[1].split(', ');
  for (const experiment of ['coherence.pairs', 'hashtable.throughput', 'locks.throughput', 'unknown.experiment']) {
    const first = known.find((id) => id.startsWith(`${experiment.replaceAll(/[._]/g, '-')}-`));
    assert.deepEqual(figure(experiment, 'json', whole), figure(first, 'json', whole), experiment);
  }
  const choices = '?scale=log&locks=16';
  assert.deepEqual(figure(`locks.throughput${choices}`, 'svg', whole), figure(`locks-throughput-threads${choices}`, 'svg', whole));
  assert.match(figure('locks-throughput', 'html', whole).toString(), /"only": ?"locks-throughput"/);
  const others = write(document(whole.cells.filter((c) => c.experiment !== 'locks.throughput')));
  assert.match(call('report', others, '--figure', 'locks.throughput', '-o', join(home, 'a.svg')).stderr, /there is no figure 'locks.throughput' in/);
});

/** Of everything(), with these choices. */
const valuesOf = (wanted) => everything().cells.filter((c) => Object.entries(wanted).every(([axis, value]) => (c[axis] ?? c.at[axis]) === value));

test('a figure as data holds what its cells say, in their unit', () => {
  const told = (name) => JSON.parse(figure(name, 'json', everything())).panels[0];
  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
  const lines = told('locks.throughput-threads?locks=16&lines=mcs~ticket').lines.filter((l) => l.points.length > 0);
  assert.deepEqual(lines.map((l) => l.name).sort(), ['mcs', 'ticket']);
  for (const { name, x, y } of lines) {
    const cells = valuesOf({ experiment: 'locks.throughput', lock: name, locks: 16 });
    assert.deepEqual([x, y], [cells.map((c) => c.at.threads), cells.map((c) => c.value)]);
  }
  const bars = told('coherence.local-levels?(metric)=latency');
  const local = valuesOf({ experiment: 'coherence.local', metric: 'latency' });
  assert.deepEqual([bars.y.scale, bars.y.ticks.map(([at]) => at), bars.y.from > bars.y.to], ['rows', [0, 1, 2, 3], true]);
  for (const [row, { value, ci }] of local.entries()) {
    const here = bars.shapes.filter((s) => s.at.every(([, y]) => Math.abs(y - row) < 0.5)).map((s) => s.at.map(([x]) => x));
    for (const wanted of [value, ...ci]) assert.ok(here.some((xs) => xs.some((x) => near(x, wanted))), `${wanted} in row ${row}`);
  }
  const fields = told('coherence.pairs-map').shapes.filter((s) => s.fill);
  assert.equal(fields.length, 12);
});

test('every figure that is a chart can be had as data, all of which has a place', () => {
  const file = write(everything());
  const names = call('report', file, '--figure', 'nonsense', '-o', join(home, 'a.json')).stderr.match(/there are ([^\n]+)/)[1].split(', ');
  assert.ok(names.length > 20);
  for (const name of names) {
    const output = join(home, 'figure.json');
    assert.equal(call('report', file, '--figure', name, '-o', output).status, 0, name);
    const text = readFileSync(output, 'utf8');
    for (const p of JSON.parse(text).panels) {
      const places = [...p.lines.flatMap((l) => [...l.x, ...l.y]), ...p.shapes.flatMap((s) => s.at.flat()), ...p.texts.flatMap((t) => [t.x, t.y]), p.x.from,
        p.y.to];
      assert.ok(places.length > 6 && places.every(Number.isFinite), name);
    }
  }
});
