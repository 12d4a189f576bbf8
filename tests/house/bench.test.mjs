// SPDX-License-Identifier: MIT
// The benchmark's report: medians, verdicts and charts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bench, median, percent, short } from '../bench/bench.mjs';
import { bars, lines } from '../bench/chart.mjs';
import { latenessBetween, latenessOf } from '../bench/store.mjs';
import { judge, verdicts } from '../bench/targets.mjs';
import { Numbered } from '../support/numbered.mjs';

test('a median is the middle value, or the mean of the middle two', () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('contenders run in turn, and each gets the medians of its own figures', async () => {
  const order = [];
  const contender = (name, values) => (round) => (order.push(name + round), { value: values[round], note: 'no number' });
  const bench = new Bench('out', 'folder');
  bench.quick = false;
  assert.deepEqual(await bench.inTurn([contender('a', [1, 9, 2]), contender('b', [7, 5, 6])], 3), [{ value: 2 }, { value: 6 }]);
  assert.deepEqual(order, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
});

test('a target is met on its bound, missed beyond it, and not met when nothing was measured', () => {
  const met = (figures, name) => judge(figures).find((row) => row.name === name).met;
  assert.equal(met({ 'solver.grid128.exact.ratio_bullet': 25 }, 'solver.grid128.exact.ratio_bullet'), true);
  assert.equal(met({ 'solver.grid128.exact.ratio_bullet': 24.99 }, 'solver.grid128.exact.ratio_bullet'), false);
  assert.equal(met({ 'tick.cloth256.ms': 8 }, 'tick.cloth256.ms'), true);
  assert.equal(met({ 'tick.cloth256.ms': 8.01 }, 'tick.cloth256.ms'), false);
  assert.equal(met({ 'tick.cloth256.ms': NaN }, 'tick.cloth256.ms'), false);
  assert.equal(met({}, 'tick.cloth256.ms'), false);
});

test('what is missed is said with its figure and its target, what was not measured is not', () => {
  assert.deepEqual(verdicts(judge({ 'tick.cloth256.ms': 9.5, 'frames.encode_ns': 10 })), ['missed: whole tick of a 256×256 cloth with encoding, ms: 9.5, wanted ≤ 8 (tick.cloth256.ms)']);
});

test('the figures that the report promises by name have targets', () => {
  const names = judge({}).map(({ name }) => name);
  for (const name of ['solver.grid128.exact.ratio_bullet', 'solver.grid128.sqrtfree.ratio_bullet', 'solver.irregular.ratio_bullet', 'solver.grid256.threads2_ratio', 'tick.cloth256.ms', 'frames.rest.bytes_1024', 'frames.encode_ns', 'frames.decode_wasm_ns', 'fanout.v2000_6k.cpu_ratio_bare', 'fanout.v1000_48k.cpu_ratio_bare', 'store.worlds.late_ratio', 'cluster.takeover.ticks_worst_ms', 'cluster.drain.pause_worst_ms', 'cluster.outage.lost']) {
    assert.ok(names.includes(name), name);
  }
});

test('a quantile of lateness counts the ticks of all worlds between two readings, and lies within their bucket', () => {
  const reading = (...counts) => new Map([['weft_world_tick_lateness_seconds', { samples: counts.flatMap((buckets, world) => Object.entries(buckets).map(([le, value]) => ({ name: 'weft_world_tick_lateness_seconds_bucket', labels: { world: String(world), le }, value }))) }]]);
  const before = latenessOf(reading({ 0.001: 10, 0.002: 10, '+Inf': 10 }, { 0.001: 0, 0.002: 0, '+Inf': 0 }));
  const after = latenessOf(reading({ 0.001: 60, 0.002: 110, '+Inf': 110 }, { 0.001: 0, 0.002: 90, '+Inf': 100 }));
  const close = (share, ms) => assert.ok(Math.abs(latenessBetween(before, after, share) - ms) < 1e-9, `${latenessBetween(before, after, share)}`);
  close(0.25, 1);
  close(0.125, 0.5);
  close(0.6, 1.5);
  close(0.999, 2); // at least the largest bound
});

test('a command that was acknowledged and is not there, is there twice, or comes before its predecessor, is noticed', async () => {
  const names = [];
  const client = { state: 'open', call: async (method, params) => (method === 'object.list' ? { objects: names.map((name, at) => ({ object: at + 1, name })) } : { object: names.push(params.name) }) };
  const numbered = new Numbered(client);
  for (let count = 0; count < 4; count++) await numbered.send();
  const check = async () => { const { lost, twice, disordered } = await numbered.check(); return [lost, twice, disordered]; };
  assert.deepEqual(await check(), [0, 0, 0]);
  names.push('number 4');
  assert.deepEqual(await check(), [0, 1, 0]);
  names.splice(0, names.length, 'number 1', 'number 3', 'number 2');
  assert.deepEqual(await check(), [1, 0, 1]);
  client.state = 'closed';
  await numbered.send(); // not sent
  client.state = 'open';
  client.call = () => Promise.reject(new Error('nothing was changed, because it could not be stored: disk full'));
  await numbered.send();
  client.call = () => Promise.reject(new Error('something else'));
  await numbered.send();
  assert.deepEqual(numbered.errors(), { refused: 1, other: ['something else'] });
});

test('charts leave out what was not measured and draw the rest to scale', () => {
  const chart = bars({ title: 'A & B', unit: 'ms', groups: ['x', 'y'], series: [{ name: 'one', values: [10, undefined] }, { name: 'two', values: [5, NaN] }] });
  const heights = [...chart.matchAll(/height="([\d.]+)" fill="#[0-9a-f]{6}"><title>/g)].map(([, height]) => Number(height));
  assert.equal(heights.length, 2);
  assert.ok(Math.abs(heights[0] - 2 * heights[1]) < 0.2, String(heights));
  assert.ok(chart.includes('A &#38; B') && !/NaN|undefined|Infinity/.test(chart), chart);
  const line = lines({ title: 't', unit: 'ns', across: 'n', x: [10, 100, 1000], series: [{ name: 's', values: [1, 2, 4] }] });
  assert.equal([...line.matchAll(/<circle/g)].length, 3);
  assert.ok(!/NaN|undefined|Infinity/.test(line), line);
});

test('numbers are short, and what is not finite is said', () => {
  assert.deepEqual([short(1234.5), short(12.345), short(0.012345), short(0), short(undefined), short(Infinity)], ['1235', '12.3', '0.012', '0', '–', 'not finite']);
  assert.deepEqual([percent(0.01234), percent(0.5), percent(30)], ['1.23 %', '50.0 %', 'exploded']);
});
