// SPDX-License-Identifier: MIT
// Figures of the X-ray and the plots: colours, scales, texts, tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLUMNS, Recording, ROWS_MAX, sampleOf, stack, STAGES } from '../../web/viewer/tools/plots/series.js';
import { batchColor, followTop, rampTable, summarise } from '../../web/viewer/tools/xray/scale.js';
import { residualOf, stretchOf } from '../../web/viewer/tools/xray/sticks.js';
import { figure, percent, roundUp } from '../../web/viewer/ui/numbers.js';

const lightness = (color) => {
  const [r, g, b] = [1, 3, 5].map((at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

test('a ramp tells amounts by lightness alone, towards the contrast with its page', () => {
  for (const [theme, sign] of [['dark', 1], ['light', -1]]) {
    const table = rampTable(theme).map(lightness);
    assert.equal(table.length, 256);
    for (let i = 1; i < 256; i++) assert.ok(sign * (table[i] - table[i - 1]) > -1e-3, `${theme} ${i}`);
    assert.ok(Math.abs(table[255] - table[0]) > 0.3);
  }
});

test('batches beside each other have other colours, and begin anew after the last', () => {
  for (const theme of ['dark', 'light']) {
    const colors = Array.from({ length: 12 }, (_, i) => batchColor(i, theme));
    assert.equal(new Set(colors).size, 12);
    assert.equal(batchColor(12, theme), colors[0]);
  }
});

test('scales end at round numbers, grow at once and shrink late', () => {
  assert.deepEqual([0.013, 1, 1.01, 3, 7, 90].map((value) => roundUp(value, 0.001)), [0.02, 1, 2, 5, 10, 100]);
  assert.equal(roundUp(0, 0.5), 0.5);
  assert.equal(followTop(1, 4, 0.1), 5);
  assert.equal(followTop(5, 2.1, 0.1), 5);
  assert.equal(followTop(5, 1.1, 0.1), 5);
  assert.equal(followTop(5, 0.9, 0.1), 1);
});

test('figures are short', () => {
  assert.deepEqual([0, 0.12345, 12.345, 1234.5, 123456, 0.00001234, NaN].map(figure), ['0', '0.123', '12.3', '1235', '1.2e5', '1.2e-5', '–']);
  assert.deepEqual([percent(0.01234), percent(0.5, true), percent(-0.02, true), percent(0)], ['1.23 %', '+50 %', '-2 %', '0 %']);
  assert.deepEqual(summarise([1, -4, 3]), { mean: 8 / 3, worst: -4, at: 1 });
  assert.deepEqual(summarise([]), { mean: 0, worst: 0, at: -1 });
});

test('a stick is held to what its kind asks of it', () => {
  const batches = [
    { kind: 'equal', bends: false, compliance: 0 }, { kind: 'atMost', bends: false, compliance: 0 },
    { kind: 'atLeast', bends: false, compliance: 0 }, { kind: 'equal', bends: true, compliance: 0.1 },
  ];
  const layout = { batches, batch: [0, 1, 1, 2, 2, 3], rests: [2, 2, 2, 2, 2, 2], lengths: [2.5, 2.5, 1.5, 2.5, 1.5, 2.5] };
  assert.deepEqual([0, 1, 2, 3, 4, 5].map((i) => residualOf(layout, i)), [0.5, 0.5, 0, 0, -0.5, NaN]);
  assert.deepEqual([0, 1, 5].map((i) => stretchOf(layout, i)), [0.25, NaN, NaN]);
});

test('a recording keeps the newest rows and becomes a table', () => {
  const measure = { tick: 7, kineticEnergy: 2, potentialEnergy: 3, momentum: [3, 4, 0], angularMomentum: [0, 0, 2], stretch: { mean: 0.01, worst: -0.05 } };
  const row = sampleOf(1.5, measure, { tickMs: 4, stagesMs: { sticks: 1 } }, { bytesPerSecond: 2500, roundTripMs: null });
  assert.deepEqual([row.total, row.momentum, row.angular, row.mean, row.worst, row.sticks, row.forces, row.bytes, row.latency], [5, 5, 2, 1, -5, 1, null, 2.5, null]);
  const recording = new Recording();
  recording.add(row);
  const [names, values] = recording.csv().trim().split('\n').map((line) => line.split(','));
  assert.equal(names.length, COLUMNS.length);
  assert.equal(values[names.indexOf('total_energy_J')], '5');
  assert.equal(values[names.indexOf('round_trip_ms')], '', 'what is not known is left empty');
  for (let i = 0; i < ROWS_MAX + 5; i++) recording.add({ ...row, tick: i });
  assert.deepEqual([recording.length, recording.last('tick'), recording.columns.tick[0]], [ROWS_MAX, ROWS_MAX + 4, 5]);
  recording.clear();
  assert.deepEqual([recording.length, recording.last('tick')], [0, null]);
});

test('areas lie on one another', () => {
  assert.deepEqual(stack([[1, 2], [3, null], [5, 6]]), [[1, 2], [4, null], [9, 6]]);
  assert.equal(STAGES.length, 10);
});
