// SPDX-License-Identifier: MIT
// Ropes and particles with `collision`: the member, its errors, and that a saved world goes on as it would have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laboratory } from '../support/weftd.mjs';

const BEADS = { positions: [[0, 1, 0], [0.02, 1.2, 0]], radius: 0.05, collision: true };

test('particles and ropes with collision keep apart; without it they pass', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 4, 2] } });
  const heights = async (params) => {
    const { object } = await call('particles.spawn', params);
    await call('world.step', { ticks: 120 });
    const { positions } = await call('particle.read', { object });
    await call('object.remove', { object });
    return Math.hypot(...positions[0].map((value, axis) => value - positions[1][axis]));
  };
  assert.ok((await heights(BEADS)) > 0.09);
  assert.ok((await heights({ ...BEADS, collision: false })) < 0.09);
});

test('collision without a thickness or a radius is refused, and nothing is made', async (t) => {
  const { call } = await laboratory(t);
  await assert.rejects(call('rope.spawn', { from: [0, 1, 0], to: [1, 1, 0], collision: true }), /collision needs a thickness above 0 m/);
  await assert.rejects(call('particles.spawn', { ...BEADS, radius: 0 }), /collision needs a radius above 0 m/);
  await assert.rejects(call('rope.spawn', { from: [0, 1, 0], to: [1, 1, 0], thickness: 0.02, collision: 1 }), /collision must be true or false/);
  assert.equal((await call('world.get')).counts.objects, 0);
});

test('what lies on a rope falls when the rope is removed', async (t) => {
  const { call } = await laboratory(t);
  const rope = { from: [-0.5, 1, 0], to: [0.5, 1, 0], particles: 40, pin: 'both', thickness: 0.02, collision: true };
  const { object } = await call('particles.spawn', { positions: [[0, 1.2, 0]], masses: [0.01], radius: 0.05, collision: true });
  const { object: under } = await call('rope.spawn', rope);
  await call('world.step', { ticks: 20 });
  await call('object.remove', { object: under });
  await call('world.step', { ticks: 60 });
  const { positions } = await call('particle.read', { object });
  assert.ok(positions[0][1] < 0.9, String(positions));
});
