// SPDX-License-Identifier: MIT
// Parameter sweeps without a browser: grids of values, plans that are refused, and the files of results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf, npzOf } from '../../web/viewer/tools/compare/sweep_files.js';
import { FIGURES, PARAMETERS, RUNS_MAX, faultOf, faultOfRange, gridOf, spread, summarise } from '../../web/viewer/tools/compare/sweep_plan.js';

const parameter = (id) => PARAMETERS.find((one) => one.id === id);
const figure = (id) => FIGURES.find((one) => one.id === id);
const plan = (more = {}) => ({
  axes: [{ parameter: parameter('gravity'), values: [5, 10] }, { parameter: parameter('object.stretchCompliance'), values: [0, 0.1, 0.2] }],
  ticks: 60, every: 1, figures: [figure('total'), figure('height')], statistic: 'mean', object: 4, ...more,
});
const topology = { findObject: (id) => (id === 4 ? { particles: 9 } : id === 5 ? { particles: 9999 } : undefined) };
const SWEEP = {
  tick: 7, hash: '0000000000000001',
  runs: gridOf(plan().axes).map((values, i) => ({ values, figures: [i + 0.5, -i], tick: 67, hash: `ffffffffffffff0${i}` })),
};

test('values are spread evenly or by equal ratios, and both ends are exact', () => {
  assert.deepEqual(spread(1, 3, 5, false), [1, 1.5, 2, 2.5, 3]);
  assert.deepEqual(spread(0.001, 10, 5, true), [0.001, 0.01, 0.1, 1, 10]);
  assert.deepEqual(spread(1, 4, 7, false, true), [1, 2, 3, 4]);
  assert.deepEqual(spread(0.1, 0.3, 1, false), [0.1]);
  assert.deepEqual(gridOf(plan().axes), [[5, 0], [5, 0.1], [5, 0.2], [10, 0], [10, 0.1], [10, 0.2]]);
});

test('what is impossible is refused with a sentence', () => {
  const range = { from: 1, to: 2, count: 3, isLogarithmic: false };
  assert.equal(faultOfRange(parameter('gravity'), range), null);
  assert.match(faultOfRange(parameter('damping'), range), /^Damping must be 0 to 0\.999\.$/);
  assert.match(faultOfRange(parameter('substeps'), { ...range, from: 1.5 }), /whole number/);
  assert.match(faultOfRange(parameter('gravity'), { ...range, from: NaN }), /m\/s²/);
  assert.match(faultOfRange(parameter('gravity'), { ...range, count: RUNS_MAX + 1 }), /number of values/);
  assert.match(faultOfRange(parameter('tolerance'), { ...range, from: 0, to: 1, isLogarithmic: true }), /above 0/);
  assert.equal(faultOf(plan(), topology), null);
  assert.match(faultOf(plan({ axes: [plan().axes[0], plan().axes[0]] }), topology), /different/);
  const many = { parameter: parameter('gravity'), values: Array.from({ length: 101 }, (_, i) => i) };
  assert.match(faultOf(plan({ axes: [many, plan().axes[1]] }), topology), /303 runs; .* at most 200/);
  assert.match(faultOf(plan({ ticks: 36001 }), topology), /Ticks/);
  assert.match(faultOf(plan({ axes: [many], ticks: 36000, every: 36000 }), topology), /in all/);
  assert.match(faultOf(plan({ every: 0 }), topology), /between two measurements/);
  assert.match(faultOf(plan({ figures: [] }), topology), /at least one/);
  assert.match(faultOf(plan({ object: null }), topology), /Choose an object for “Stretch compliance of the object”/);
  assert.match(faultOf(plan({ object: 5 }), topology), /9999/);
});

test('samples are summarised', () => {
  assert.deepEqual(['end', 'mean', 'min', 'max'].map((statistic) => summarise([3, 1, 5], statistic)), [5, 3, 1, 5]);
});

test('a CSV file has a line for each run, with units and the hash', () => {
  const [head, ...rows] = csvOf(plan(), SWEEP).trim().split('\n');
  assert.equal(head, 'gravity (m/s²),object.stretchCompliance (m/N),total (J) mean,height (m) mean,tick,state_hash');
  assert.equal(rows.length, 6);
  assert.equal(rows[4], '10,0.1,4.5,-4,67,ffffffffffffff04');
});

/** The stored files of a zip archive without compression. */
function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = {};
  for (let at = 0; view.getUint32(at, true) === 0x04034b50;) {
    assert.equal(view.getUint16(at + 8, true), 0, 'stored');
    const [size, name, extra] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const start = at + 30 + name + extra;
    files[new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + name))] = bytes.slice(start, start + size);
    at = start + size;
  }
  return files;
}

test('an NPZ file has arrays that NumPy reads, a dimension for each parameter', () => {
  const files = unzip(npzOf(plan(), SWEEP));
  assert.deepEqual(Object.keys(files), ['gravity.npy', 'object.stretchCompliance.npy', 'total.npy', 'height.npy', 'tick.npy', 'state_hash.npy']);
  const arrays = Object.fromEntries(Object.entries(files).map(([name, bytes]) => {
    assert.deepEqual([...bytes.subarray(0, 8)], [0x93, ...new TextEncoder().encode('NUMPY'), 1, 0]);
    const length = bytes[8] + 256 * bytes[9];
    assert.equal((10 + length) % 64, 0, 'the data are aligned');
    const header = new TextDecoder().decode(bytes.subarray(10, 10 + length));
    assert.match(header, /^\{'descr': '<[fiu]8', 'fortran_order': False, 'shape': \(\d+,(?: \d+)?\), \} *\n$/);
    return [name.slice(0, -4), { type: header.slice(11, 14), shape: /\((.*)\)/.exec(header)[1], data: bytes.slice(10 + length).buffer }];
  }));
  assert.deepEqual([arrays.gravity.shape, arrays.total.shape], ['2,', '2, 3']);
  assert.deepEqual([...new Float64Array(arrays['object.stretchCompliance'].data)], [0, 0.1, 0.2]);
  assert.deepEqual([...new Float64Array(arrays.total.data)], [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
  assert.deepEqual([...new BigInt64Array(arrays.tick.data)], Array(6).fill(67n));
  assert.equal(new BigUint64Array(arrays.state_hash.data)[5], 0xffffffffffffff05n);
});
