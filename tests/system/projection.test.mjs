// SPDX-License-Identifier: MIT
// The direction of projection for ropes and added sticks: a requested direction is reported, saved, stored in snapshots, and
// effective.

import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

// Scenes are saved to a folder of the test's own.
async function keeping(t) {
  const scenes = join(await dataFolder(t), 'scenes');
  await cp(join(ROOT, 'server/scenes'), scenes, { recursive: true });
  return laboratory(t, ['--data', await dataFolder(t), '--scenes', scenes, '--log-level', 'warn']);
}
const TICKS = 600;

test('ropes and added sticks have the projection that is asked for, and tell of it', async (t) => {
  const { call } = await keeping(t);
  const rope = (more) => call('rope.spawn', { from: [0, 4, 0], to: [1, 4, 0], particles: 3, ...more });
  const { object: plain } = await rope({});
  const { object: swinging } = await rope({ from: [0, 4, 1], to: [1, 4, 1], projection: 'start' });
  assert.equal((await call('object.get', { object: plain })).projection, 'current');
  assert.equal((await call('object.get', { object: swinging })).projection, 'start');
  const ends = (a, b) => ({ a: { object: plain, particle: a }, b: { object: swinging, particle: b } });
  await call('stick.add', ends(1, 1));
  await call('stick.add', { ...ends(2, 2), projection: 'current', kind: 'atMost' });
  const { sticks } = await call('object.list', {});
  assert.deepEqual(sticks.map(({ projection, kind }) => [projection, kind]), [['start', 'equal'], ['current', 'atMost']]);
  await assert.rejects(call('stick.add', { ...ends(0, 0), projection: 'sideways' }), /projection/);
  await assert.rejects(rope({ projection: 1 }), /projection/);
  await call('scene.save', { name: 'joined' });
  await call('world.reset', {});
  await call('scene.load', { name: 'joined' });
  const again = await call('object.list', {});
  assert.deepEqual(again.sticks.map(({ projection }) => projection), ['start', 'current']);
  const ropes = await Promise.all(again.objects.map(({ id, object }) => call('object.get', { object: id ?? object })));
  assert.deepEqual(ropes.map(({ projection }) => projection), ['current', 'start']);
});

test('a pendulum of two particles and a stick keeps its energy, as one of a rope with start does', async (t) => {
  const { call } = await keeping(t);
  await call('world.set', { airDensity: 0, damping: 0, substeps: 8, iterations: 1 });
  const made = async (kind) => {
    const from = kind === 'stick' ? 0 : 5;
    if (kind !== 'stick') return call('rope.spawn', { from: [from, 0, 0], to: [from + 1, 0, 0], particles: 2, projection: kind });
    const pair = await call('particles.spawn', { positions: [0, 0, 0, 1, 0, 0] });
    await call('particle.pin', { object: pair.object, particles: [0] });
    await call('stick.add', { a: { object: pair.object, particle: 0 }, b: { object: pair.object, particle: 1 } });
    return pair;
  };
  const kept = {};
  for (const kind of ['stick', 'start', 'current']) {
    const { object } = await made(kind);
    const energy = async () => {
      const { kineticEnergy, potentialEnergy, mass } = await call('world.measure', {});
      return [kineticEnergy + potentialEnergy, mass];
    };
    const [before] = await energy();
    await call('world.step', { ticks: TICKS });
    const [after, mass] = await energy();
    kept[kind] = (after - before) / (mass * 9.81 * 0.5); // half of the mass hangs 1 m below the nail at the lowest point
    await call('object.remove', { object });
  }
  console.log(`energy changed in ${TICKS / 60} s: stick ${kept.stick}, rope with start ${kept.start}, with current ${kept.current}`);
  // Velocities are those of half a substep earlier, so energy is measured to some thousandths; sim_pendulum_test is more
  // precise.
  assert.ok(Math.abs(kept.stick) < 5e-3 && Math.abs(kept.start) < 5e-3, JSON.stringify(kept));
  assert.ok(kept.current < -0.1, JSON.stringify(kept));
});
