// SPDX-License-Identifier: MIT
// Figures of the X-ray and the plots: colours, scales, texts, tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axesOf, COLUMNS, magnitudeOf, Recording, ROWS_MAX, sampleOf, stack, STAGES } from '../../web/viewer/tools/plots/series.js';
import { batchColor, ColorScale, parseRange, rampTable, summarise } from '../../web/viewer/tools/xray/scale.js';
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

test('round numbers are at least what is asked for', () => {
  assert.deepEqual([0.013, 1, 1.01, 3, 7, 90].map((value) => roundUp(value, 0.001)), [0.02, 1, 2, 5, 10, 100]);
  assert.equal(roundUp(0, 0.5), 0.5);
});

test('a scale fits what nearly all values are, follows smoothly, and shows its ends', () => {
  const scale = new ColorScale('mm', 0.1);
  const values = Float32Array.from({ length: 1000 }, (_, i) => (i < 985 ? -2 * (i / 985) : 500));
  scale.follow(values);
  assert.ok(scale.high > 1.9 && scale.high <= 2, `outliers do not count: ${scale.high}`);
  assert.deepEqual([0, -1, 2, 500].map((value) => Math.round(scale.indexOf(value) / 64)), [0, 2, 4, 4]);
  assert.match(scale.ticks.join(' | '), /^0 mm \| [\d.]+ mm \| ≥ 1?\.?[\d.]+ mm$/);

  // A jump of the data is followed step by step, up and down, and arrives.
  for (const factor of [100, 0.001]) {
    const goal = factor * 2;
    let before = scale.high;
    for (let i = 0; i < 60; i++) {
      scale.follow(values.map((value) => value * factor));
      const rate = scale.high / before;
      assert.ok(rate < 60 && rate > 1 / 60 && (rate - 1) * (factor - 1) >= -1e-9, `update ${i}: ${before} to ${scale.high}`);
      before = scale.high;
    }
    assert.ok(Math.abs(scale.high - Math.max(0.1, goal * 0.99)) < 0.03 * Math.max(0.1, goal), `${scale.high} for ${goal}`);
  }
  const many = Float32Array.from({ length: 100000 }, (_, i) => i % 100);
  const large = new ColorScale('m/s', 0.1);
  large.follow(many);
  assert.ok(large.high > 90 && large.high <= 99, `${large.high}`);
  const none = new ColorScale('%', 0.1);
  none.follow([]);
  assert.equal(none.high, 0.1);

  scale.fixed = parseRange('1', '3', 'mm');
  scale.follow(values);
  assert.deepEqual([scale.ticks, [0, 1, 2, 3, 9].map((value) => scale.indexOf(value))], [['≤ 1 mm', '2 mm', '≥ 3 mm'], [0, 0, 128, 255, 255]]);
});

test('a range that cannot be shown is refused with what is allowed', () => {
  assert.deepEqual(parseRange(' 0 ', '2.5', '%'), { low: 0, high: 2.5 });
  for (const [from, to, words] of [
    ['', '1', '“From” must be a number from 0 to 1000000 %, such as 0.5.'],
    ['abc', '1', '“From” must be a number from 0 to 1000000 %, such as 0.5, not “abc”.'],
    ['0', '-1', '“To” must be a number from 0 to 1000000 %, such as 0.5, not “-1”.'],
    ['0', '1e9', '“To” must be a number from 0 to 1000000 %, such as 0.5, not “1e9”.'],
    ['0', 'Infinity', '“To” must be a number from 0 to 1000000 %, such as 0.5, not “Infinity”.'],
    ['2', '2', '“To” must be greater than “From”: more than 2 %, not 2 %.'],
  ]) assert.throws(() => parseRange(from, to, '%'), { message: words });
});

test('figures are short', () => {
  assert.deepEqual([0, 0.12345, 12.345, 1234.5, 123456, 0.00001234, NaN].map(figure), ['0', '0.123', '12.3', '1235', '1.2e5', '1.2e-5', '–']);
  assert.deepEqual([percent(0.01234), percent(0.5, true), percent(-0.02, true), percent(0)], ['1.23%', '+50%', '-2%', '0%']);
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

test('series of another unit or magnitude get an axis of their own, which does not change to and fro', () => {
  const series = (axes) => axes.map((axis) => axis.series);
  assert.deepEqual(series(axesOf(['J', 'J', 'J'], [3, 900, 903])), [[1, 2], [0]]);
  assert.deepEqual(series(axesOf(['J', 'J', 'J'], [300, 900, 903])), [[0, 1, 2]]);
  assert.deepEqual(axesOf(['kB/s', 'ms'], [30, 30]), [{ unit: 'kB/s', series: [0] }, { unit: 'ms', series: [1] }]);
  assert.deepEqual(series(axesOf(['%', '%'], [0, 0])), [[0, 1]], 'nothing yet');
  assert.deepEqual(series(axesOf(['J', 'J', 'J'], [0, 1e6, 1])), [[0, 1], [2]], 'one that is zero fits any');
  const together = axesOf(['J', 'J'], [1, 15]);
  assert.equal(axesOf(['J', 'J'], [1, 35], together), together, 'a little more does not split them');
  const apart = axesOf(['J', 'J'], [1, 45], together);
  assert.deepEqual(series(apart), [[1], [0]]);
  assert.equal(axesOf(['J', 'J'], [1, 12], apart), apart, 'a little less does not join them');
  assert.deepEqual(series(axesOf(['J', 'J'], [1, 5], apart)), [[0, 1]]);
  assert.deepEqual([magnitudeOf([1, -4, null]), magnitudeOf([null]), magnitudeOf([])], [4, 0, 0]);
});

test('areas lie on one another', () => {
  assert.deepEqual(stack([[1, 2], [3, null], [5, 6]]), [[1, 2], [4, null], [9, 6]]);
  assert.equal(STAGES.length, 10);
});
