// SPDX-License-Identifier: MIT
// The table of measured reliability: its rows exist in the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { measure, render, sameRows } from './physics.mjs';
import { HEAD, rows, tableOf } from './reliability.mjs';

const row = (what) => rows.find((candidate) => candidate.what.startsWith(what));

test('no two rows are called the same', () => {
  const names = rows.map(({ item, what }) => `${item} ${what}`);
  assert.equal(new Set(names).size, names.length);
});

test('figures are read from the lines that the steps print', () => {
  const soak = { soak: 'soak: 1800 s, 51234 commands answered, 9 refused, 70 connections\nsoak: 1 replies missing\nsoak: resident memory grew by -0.52 % from 1 to 2 MiB\n' };
  assert.deepEqual([measure(row('soak: time'), soak).figure, measure(row('soak: time'), soak).fault], [1800, null]);
  assert.equal(measure(row('soak: commands'), soak).figure, 51234);
  assert.match(measure(row('soak: replies missing'), soak).fault, /1 is not = 0/);
  assert.equal(measure(row('soak: growth'), soak).fault, null);
  const fuzz = { 'fuzz-json': '#123 DONE\nfuzz json: 0 findings in 8123 runs, 60 s\n1 passed, 0 failed\n' };
  assert.equal(measure(row('fuzzing messages and scenes: findings'), fuzz).fault, null);
  assert.match(measure(row('fuzzing messages and scenes: time'), fuzz).fault, /60 is not ≥ 1800 s/);
  const cluster = { 'cluster-test': 'cluster: 300 runs of random faults, 123456 commands acknowledged, 1 refused, 2 of unknown outcome\ncluster: 2 acknowledged commands lost\n' };
  assert.equal(measure(row('clusters under random faults: commands acknowledged'), cluster).figure, 123456);
  assert.match(measure(row('clusters under random faults: acknowledged commands lost'), cluster).fault, /2 is not = 0/);
  const flood = { system: 'ℹ beside a flood: latency 1 / 2 / 3 ms alone\nbeside a flood: the median latency moved by -0.02 ms\n' };
  assert.equal(measure(row('beside a flood'), flood).fault, null);
});

test('the file has the rows of the table', () => {
  const results = rows.map((one) => ({ row: one, figure: NaN, fault: 'not read here' }));
  const file = readFileSync(new URL('../RELIABILITY.md', import.meta.url), 'utf8');
  assert.ok(sameRows(tableOf(file), results, HEAD), 'run `make reliability`');
  assert.ok(!sameRows(render(results.slice(1), HEAD), results, HEAD));
});
