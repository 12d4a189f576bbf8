// SPDX-License-Identifier: MIT
// Controlled experiments in a paused world: figures that the method guarantees, measured through the protocol.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laboratory } from '../support/weftd.mjs';

const GRAVITY = 9.81; // m/s²
const TICK = 1 / 60; // s

for (const substeps of [1, 4, 16]) {
  test(`free fall over 2 s is g·h²·n(n + 1)/2 with ${substeps} substeps`, async (t) => {
    const { call } = await laboratory(t);
    await call('world.set', { substeps, damping: 0 });
    const { object } = await call('particles.spawn', { positions: [0, 50, 0] });
    let ticks = 0;
    for (const some of [1, 1, 58, 60]) {
      await call('world.step', { ticks: some });
      ticks += some;
      const [h, n] = [TICK / substeps, ticks * substeps];
      const expected = (GRAVITY * h * h * n * (n + 1)) / 2;
      const fallen = 50 - (await call('particle.read', { object })).positions[0][1];
      // A position near 50 m is a multiple of 2^-18 m, too coarse to measure a fall of one or two ticks.
      const allowed = Math.max(2e-5 * expected, 2 ** -18);
      assert.ok(Math.abs(fallen - expected) <= allowed, `after ${ticks} ticks: ${fallen} m, not ${expected} m`);
    }
  });
}

test('a force acts during its ticks and not after', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { gravity: [0, 0, 0], substeps: 4 });
  const { object } = await call('particles.spawn', { positions: [0, 0, 0], masses: [2] });
  await call('force.apply', { object, force: [12, 0, 0], ticks: 3 });
  const speeds = [];
  for (let tick = 0; tick < 6; tick++) {
    await call('world.step');
    speeds.push((await call('particle.read', { object })).velocities[0][0]);
  }
  [1, 2, 3, 3, 3, 3].forEach((ticks, i) => {
    const expected = (12 / 2) * TICK * ticks;
    assert.ok(Math.abs(speeds[i] - expected) < 1e-5 * expected, `tick ${i + 1}: ${speeds[i]} m/s, not ${expected}`);
  });
});

test('a sheet falls at its terminal velocity in still air, and freely in a vacuum', async (t) => {
  const { call } = await laboratory(t);
  assert.equal((await call('world.get')).airDensity.toFixed(3), '1.200');
  const triangle = { positions: [[0, 0, 0], [0.4, 0, 0], [0.1, 0, 0.3]], triangles: [[0, 1, 2]], arealDensity: 0.1 };
  const speedAfter = async (ticks) => {
    const { object } = await call('mesh.spawn', { ...triangle, position: [0, 50, 0] });
    await call('world.step', { ticks });
    const { velocities } = await call('particle.read', { object, particles: [0] });
    await call('object.remove', { object });
    return -velocities[0][1];
  };
  const terminal = Math.sqrt(2 * 0.1 * 9.81 / 1.2);
  for (const substeps of [1, 32]) {
    await call('world.set', { substeps });
    const speed = await speedAfter(60);
    assert.ok(Math.abs(speed / terminal - 1) < 0.03, `${substeps} substeps: ${speed} m/s, not ${terminal}`);
  }
  await call('world.set', { airDensity: 0, wind: { velocity: [0, 30, 0] } });
  assert.ok(Math.abs((await speedAfter(60)) - 9.81) < 1e-3);
  await assert.rejects(call('world.set', { airDensity: -1 }), /airDensity/);
  assert.equal((await call('world.get')).airDensity, 0);
});

test('a pinned particle never moves', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { wind: { velocity: [20, 5, 8], gust: 1 } });
  const { object } = await call('cloth.spawn', { columns: 10, rows: 10, pin: [0, 9, 55], position: [0.1, 3, 0.7] });
  await call('force.apply', { object, force: [500, -300, 200], ticks: 100 });
  const pinned = async () => (await call('particle.read', { object, particles: [0, 9, 55] })).positions;
  const before = await pinned();
  for (let i = 0; i < 10; i++) {
    await call('world.step', { ticks: 20 });
    assert.deepEqual(await pinned(), before);
  }
  const { positions, inverseMasses } = await call('particle.read', { object, particles: [0, 44] });
  assert.equal(inverseMasses[0], 0);
  assert.ok(inverseMasses[1] > 0);
  assert.ok(positions.flat().every(Number.isFinite));
  await call('particle.unpin', { object, particles: [0] });
  await call('world.step', { ticks: 5 });
  assert.notDeepEqual((await pinned())[0], before[0], 'unpinned it does');
});

test('a 40 × 40 cloth keeps its mean stretch below 1.2 % at 5 s', { timeout: 60000 }, async (t) => {
  const { call } = await laboratory(t);
  const [size, spacing] = [40, 0.05];
  await call('world.set', { substeps: 8, iterations: 1, damping: 0.01 });
  const { object, particles } = await call('cloth.spawn', { columns: size, rows: size, spacing, pin: 'topCorners', position: [0, 3, 0] });
  assert.equal(particles, size * size);
  await call('world.step', { ticks: 300 });
  const { positions } = await call('particle.read', { object });
  const stretches = [];
  for (let i = 0; i < particles; i++) {
    for (const j of [(i + 1) % size && i + 1, i + size]) {
      if (!j || j >= particles) continue;
      stretches.push(Math.hypot(...positions[i].map((x, axis) => x - positions[j][axis])) / spacing - 1);
    }
  }
  assert.equal(stretches.length, 2 * size * (size - 1));
  const mean = stretches.reduce((sum, stretch) => sum + stretch, 0) / stretches.length;
  assert.ok(mean < 0.012 && mean > 0, `mean stretch ${(100 * mean).toFixed(3)} %`);
  t.diagnostic(`mean stretch ${(100 * mean).toFixed(3)} %`);
});

test('loose particles come to rest on an obstacle and within the bounds', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 10, 2] }, damping: 0.02 });
  await call('obstacle.add', { shape: 'sphere', position: [0, 1, 0], radius: 0.5 });
  await call('obstacle.add', { shape: 'box', position: [1, 0.5, 0], size: [0.5, 1, 0.5] });
  const { object } = await call('particles.spawn', { positions: [0, 3, 0, 1, 3, 0, -1.5, 3, 0, 0.3, 4, 0.2], radius: 0.05 });
  await call('world.step', { ticks: 600 });
  const { positions } = await call('particle.read', { object });
  for (const [x, y, z] of positions) {
    assert.ok(y >= 0.05 - 1e-4 && Math.abs(x) <= 1.95 + 1e-4 && Math.abs(z) <= 1.95 + 1e-4, `inside of the bounds: ${[x, y, z]}`);
    assert.ok(Math.hypot(x, y - 1, z) >= 0.55 - 1e-3, `outside of the sphere: ${[x, y, z]}`);
  }
  assert.ok(Math.abs(positions[1][1] - 1.05) < 1e-3, `on the box: ${positions[1]}`);
  assert.ok(Math.abs(positions[2][1] - 0.05) < 1e-3, `on the floor: ${positions[2]}`);
});

test('a body keeps its edges and a stick its length', async (t) => {
  const { call } = await laboratory(t);
  const { object: body } = await call('body.spawn', { size: 0.5, position: [0, 5, 0], angularVelocity: [3, 5, 1] });
  const { object: pair } = await call('particles.spawn', { positions: [3, 5, 0, 4, 5, 0], velocities: [0, 2, 0, 0, -2, 0] });
  await call('stick.add', { a: { object: pair, particle: 0 }, b: { object: pair, particle: 1 } });
  await call('world.step', { ticks: 60 });
  const distance = (p, q) => Math.hypot(...p.map((x, axis) => x - q[axis]));
  const { positions } = await call('particle.read', { object: body });
  for (let i = 0; i < 4; i++) for (let j = 0; j < i; j++) assert.ok(Math.abs(distance(positions[i], positions[j]) - 0.5) < 5e-3);
  const ends = (await call('particle.read', { object: pair })).positions;
  assert.ok(Math.abs(distance(...ends) - 1) < 1e-2);
});

test('the same commands give the same state, and another command another', async (t) => {
  const histories = [];
  for (const last of [0.5, 0.5, 0.25]) {
    const { call, hash } = await laboratory(t);
    await call('world.set', { wind: { velocity: [3, 0, 1], gust: 0.5 } });
    await call('cloth.spawn', { columns: 20, rows: 20, position: [0, 3, 0] });
    await call('body.spawn', { position: [0, 6, 0], angularVelocity: [1, 2, 3] });
    await call('rope.spawn', { from: [2, 3, 0], to: [3, 3, 0] });
    await call('world.step', { ticks: 200 });
    await call('body.spawn', { position: [0, 6, 0], size: last });
    const hashes = [await hash()];
    for (let i = 0; i < 8; i++) {
      await call('world.step', { ticks: 100 });
      hashes.push(await hash());
    }
    assert.equal(new Set(hashes).size, hashes.length, 'every tick has its own');
    histories.push(hashes);
  }
  assert.deepEqual(histories[0], histories[1]);
  assert.notEqual(histories[0].at(-1), histories[2].at(-1));
});
