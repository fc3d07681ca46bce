// What `synchroscope report` says and leaves.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, home, report, write } from './browser.mjs';
import { cell, document, everything } from './documents.mjs';

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
  refuses(2, /newer Synchroscope/, write({ ...document([]), schema: 'synchroscope/2' }));
  refuses(2, /schema/, write({ hello: 'world' }));
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
    assert.equal(result.status, 3, result.stderr);
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
  wanted(2, /--figure needs -o with the name of a \.svg, \.png or \.pdf file/, 'locks.throughput-threads', 'a.jpg');
  wanted(2, /--figure needs -o/, 'locks.throughput-threads');
  wanted(3, /Node\.js, which is not installed/, 'locks.throughput-threads', 'a.svg', '/nowhere');
  const only = join(home, 'only-node');
  mkdirSync(only);
  symlinkSync(process.execPath, join(only, 'node'));
  wanted(3, /rsvg-convert, which is not installed/, 'locks.throughput-threads', 'a.png', only);
});
