// SPDX-License-Identifier: MIT
// Ropes that begin as their positions say: coiled, or hung over something.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laboratory } from '../support/weftd.mjs';

const BENT = [[0, 1, 0], [0, 2, 0], [0.5, 2, 0], [0.5, 1.75, 0]];

test('a rope lies as its positions say, and its sticks keep their distances', async (t) => {
  const { call } = await laboratory(t);
  const { object, particles } = await call('rope.spawn', { positions: BENT, pin: 'both' });
  assert.equal(particles, 4);
  assert.deepEqual((await call('particle.read', { object })).positions.flat(), BENT.flat());
  const { ends, restLengths } = await call('object.sticks', { object });
  const byStart = restLengths.map((length, stick) => [ends[2 * stick], length]).sort(([a], [b]) => a - b);
  assert.deepEqual(byStart, [[0, 1], [1, 0.5], [2, 0.25]]);
});

test('straight and given ropes of the same places have the same state', async (t) => {
  const hashes = [];
  for (const params of [{ from: [0, 1, 0], to: [1, 1, 0], particles: 5 }, { positions: [0, 1, 0, 0.25, 1, 0, 0.5, 1, 0, 0.75, 1, 0, 1, 1, 0] }]) {
    const { call } = await laboratory(t);
    await call('rope.spawn', params);
    await call('world.step', { ticks: 30 });
    hashes.push((await call('world.get')).stateHash);
  }
  assert.equal(hashes[0], hashes[1]);
});

test('a rope without places, or with two kinds of them, is refused', async (t) => {
  const { call } = await laboratory(t);
  for (const [params, pointer, why] of [
    [{}, '/from', /needs from and to, or positions/],
    [{ from: [0, 1, 0] }, '/to', /needs from and to, or positions/],
    [{ positions: BENT, from: [0, 1, 0] }, '/positions', /positions and from exclude each other/],
    [{ positions: BENT, particles: 4 }, '/positions', /positions and particles exclude each other/],
    [{ positions: BENT.slice(0, 1) }, '/positions', /at least 2 particles/],
    [{ positions: [BENT[0], BENT[1], BENT[1]] }, '/positions', /particles 1 and 2 of the rope would lie 0 m apart/],
    [{ positions: BENT, masses: [1] }, '/masses', /each of the 4 particles/],
  ]) {
    await assert.rejects(call('rope.spawn', params), ({ data, message }) => data.pointer === pointer && why.test(message), JSON.stringify(params));
  }
});
