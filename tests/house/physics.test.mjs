// SPDX-License-Identifier: MIT
// The table of measured physics: parsing of logs, and accepted and rejected values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure, render, rows, sameRows, table } from './physics.mjs';

const row = (what) => rows.find((candidate) => candidate.what.startsWith(what));
const stack = (line) => ({ unit: `-- build/tests/sim_stack_test\n[ RUN      ] a\n${line}\n-- build/tests/sim_tear_test\n[ RUN      ] b\n` });

test('every item of the list has its rows, and no two rows are called the same', () => {
  assert.deepEqual(Object.keys(table), ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '20']);
  assert.ok(Object.values(table).every((list) => list.length > 0));
  const names = rows.map(({ item, what }) => `${item} ${what}`);
  assert.equal(new Set(names).size, names.length);
});

test('a figure within its limit passes, one beyond it does not', () => {
  const top = row('five stacked boxes for 20 s');
  const told = (mm) => measure(top, stack(`top of the stack: within ${mm} mm of its place over 20 s; at the end (0, 2, 0) m`));
  assert.deepEqual([told('1.9').figure, told('1.9').fault], [1.9, null]);
  assert.equal(told('50').fault, null);
  assert.match(told('50.1').fault, /50\.1 is not ≤ 50 mm/);
  assert.match(told('nan').fault, /NaN/);
});

test('a line that is missing, or another test printed, fails', () => {
  const mirrored = row('spinning drops');
  assert.equal(measure(mirrored, stack('0 of 1000 mirrored; volume after a second within 8e-02')).fault, null);
  assert.match(measure(mirrored, {}).fault, /sim_stack_test printed 0 lines/);
  assert.match(measure(mirrored, { unit: '-- build/tests/sim_tear_test\n0 of 1000 mirrored;\n' }).fault, /printed 0 lines/);
});

test('of several lines the worst counts, and all have to be there', () => {
  const bump = row('a stick at rest on a bump');
  const lines = ['0.250', '0.000', '-0.300', '0.250', '-0.100'].map((height) => `stick on a box edge: ${height} mm above its top`);
  const logs = (list) => ({ unit: `-- build/tests/sim_obstacle_test\n${list.join('\n')}\n` });
  assert.deepEqual([measure(bump, logs(lines)).figure, measure(bump, logs(lines)).fault], [0.3, null]);
  assert.match(measure(bump, logs([...lines.slice(1), 'stick on a sphere: -1.2 mm above its top'])).fault, /1\.2 is not < 1 mm/);
  assert.match(measure(bump, logs(lines.slice(1))).fault, /printed 4 lines/);
});

test('a file of other figures has the same rows, one of other limits has not', () => {
  const results = rows.map((one) => ({ row: one, figure: 0, fault: null }));
  const others = rows.map((one) => ({ row: one, figure: 0.125, fault: 'far' }));
  assert.ok(sameRows(render(others), results));
  assert.ok(!sameRows(render(results.slice(1)), results));
  assert.ok(!sameRows(render([{ ...results[0], row: { ...results[0].row, limit: 1 } }, ...results.slice(1)]), results));
  assert.ok(!sameRows('', results));
});
