// SPDX-License-Identifier: MIT
// Probes without a browser: what is derived from samples of a local world agrees with mechanics, every tick is sampled, and a tick
// that comes again replaces what followed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WeftClient } from '../../web/client/client.js';
import { periodOf } from '../../web/viewer/tools/probe/period.js';
import { Probe } from '../../web/viewer/tools/probe/probe.js';
import { until } from '../support/wait.mjs';

const GRAVITY = [0, -9.81, 0];
const HZ = 60;
const range = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** A paused local world without air and damping, whose clock only steps. */
async function enter(t, name) {
  const client = new WeftClient(`local:${name}=empty`);
  t.after(() => client.close());
  await client.connect();
  await client.call('world.pause');
  await client.call('world.set', { gravity: GRAVITY, damping: 0, airDensity: 0 });
  await client.subscribeFrames();
  return client;
}

/** A probe that takes what a client tells of its one watched part. */
function probe(client, what, masses) {
  const made = Object.assign(new Probe({ name: 'A', color: 0, particle: null, tickHz: HZ, ...what }), { masses });
  client.on('samples', ({ tick, step, positions: [positions] }) => {
    assert.equal(step, 0, 'positions of a local world are exact');
    if (positions) made.add({ tick, positions }, GRAVITY);
  });
  client.watch([made.watched]);
  return made;
}

const masses = async (client, params) => (await client.call('particle.read', params)).inverseMasses.map((inverse) => 1 / inverse);

/** The exact period of a pendulum, by the arithmetic-geometric mean. */
function pendulum(length, angle) {
  let [a, b] = [1, Math.cos(angle / 2)];
  for (let i = 0; i < 8; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return 2 * Math.PI * Math.sqrt(length / 9.81) / a;
}

test('a particle in free fall has the acceleration of gravity, its weight as net force, and keeps its energy', async (t) => {
  const client = await enter(t, 'probe-fall');
  const { object } = await client.call('particles.spawn', { positions: [[0, 5, 0], [1, 5, 0]], masses: [0.25, 0.25] });
  const all = await masses(client, { object });
  const falling = probe(client, { object, particle: 1 }, all.slice(1));
  await client.call('world.step', { ticks: 40 });
  await until(() => falling.length >= 38, 'the samples');
  assert.equal(falling.missing, 0, 'no tick is left out');
  const { ay, ax, az, vy, y, tick, kinetic, potential } = falling.columns;
  for (const [i, value] of ay.entries()) assert.ok(Math.abs(value + 9.81) < 0.02, `tick ${tick[i]}: ${value} m/s²`);
  assert.ok(Math.abs(ay.reduce((sum, value) => sum + value) / ay.length + 9.81) < 0.0981 / 100);
  assert.ok(Math.max(...ax.map(Math.abs), ...az.map(Math.abs)) < 1e-3);
  assert.ok(Math.abs(falling.mass * 9.81 - falling.mass * Math.hypot(ax.at(-1), ay.at(-1), az.at(-1))) < 0.01);
  assert.ok(Math.abs(vy.at(-1) - (vy[0] - 9.81 * (vy.length - 1) / HZ)) < 0.01);
  assert.ok(y[0] > y.at(-1));
  const energies = kinetic.map((value, i) => value + potential[i]);
  assert.ok(Math.abs(energies.at(-1) - energies[0]) < 1e-3 * Math.abs(energies[0]), `${energies[0]} J became ${energies.at(-1)} J`);
  const measured = await client.call('world.measure');
  assert.ok(Math.abs(measured.kineticEnergy / measured.mass - (vy.at(-1) - 9.81 / HZ) ** 2 / 2) < 0.2, 'that of the world, a tick later');
});

test('the period of a pendulum is that of theory within 1 %', async (t) => {
  for (const degrees of [10, 60]) {
    const client = await enter(t, `probe-pendulum-${degrees}`);
    const angle = degrees * Math.PI / 180;
    const { object } = await client.call('rope.spawn', {
      from: [0, 3, 0], to: [Math.sin(angle), 3 - Math.cos(angle), 0], particles: 2, mass: 1, pin: 'start', projection: 'start',
    });
    const bob = probe(client, { object, particle: 1 }, await masses(client, { object, particles: [1] }));
    await client.call('world.step', { ticks: 800 });
    await until(() => bob.length >= 798, 'the samples');
    const wanted = pendulum(1, angle);
    const { period, uncertainty, periods, axis } = bob.period;
    t.diagnostic(`${degrees}°: ${period.toFixed(5)} ± ${uncertainty.toFixed(5)} s (${periods} periods), theory ${wanted.toFixed(5)} s`);
    assert.equal(axis, 'x');
    assert.ok(periods >= 5);
    assert.ok(Math.abs(period - wanted) < 0.01 * wanted, `${period} s, not ${wanted} s`);
    assert.ok(uncertainty < 0.01 * wanted);
  }
});

test('a whole body is measured at its centre of mass, with the energy of its rotation, and a pinned particle has no mass', async (t) => {
  const client = await enter(t, 'probe-body');
  await client.call('world.set', { gravity: [0, 0, 0] });
  const { object } = await client.call('body.spawn', { shape: 'box', size: [0.4, 0.2, 0.2], position: [0.5, 2, -1], velocity: [1, 0, 0], angularVelocity: [0, 0, 3] });
  const body = probe(client, { object }, await masses(client, { object }));
  await client.call('world.step', { ticks: 30 });
  await until(() => body.length >= 28, 'the samples');
  const { last } = body;
  const measured = await client.call('world.measure');
  assert.ok(Math.abs(body.mass - measured.mass) < 1e-5);
  assert.ok(Math.abs(last.vx - 1) < 0.01 && Math.abs(last.y - 2) < 1e-3 && Math.abs(last.z + 1) < 1e-3);
  assert.ok(last.kinetic > 0.5 * body.mass * 1.05, 'more than that of its centre');
  assert.ok(Math.abs(last.kinetic - measured.kineticEnergy) < 0.02 * measured.kineticEnergy, `${last.kinetic} J, ${measured.kineticEnergy} J`);
  const { object: rope } = await client.call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 2, pin: 'start' });
  assert.equal(Object.assign(body, { masses: await masses(client, { object: rope, particles: [0] }) }).mass, null);
});

test('a tick that comes again replaces what was recorded from there on', () => {
  const one = Object.assign(new Probe({ name: 'A', color: 0, object: 1, particle: 0, tickHz: HZ }), { masses: [2] });
  for (const tick of range(10, (i) => i)) one.add({ tick, positions: [tick / HZ, 0, 0] }, GRAVITY);
  assert.deepEqual(one.columns.tick, [1, 2, 3, 4, 5, 6, 7, 8]);
  for (const tick of [5, 6, 7]) one.add({ tick, positions: [2 * tick / HZ - 5 / HZ, 1, 0] }, GRAVITY);
  assert.deepEqual(one.columns.tick, [1, 2, 3, 6], 'the samples of the ticks before are gone, too');
  assert.ok(Math.abs(one.last.vx - 2) < 1e-9);
  one.add({ tick: 500, positions: [0, 0, 0] }, GRAVITY);
  one.add({ tick: 501, positions: [0, 0, 0] }, GRAVITY);
  assert.equal(one.last.tick, 6, 'nothing is derived across a gap');
});

test('unequal intervals are taken into account', () => {
  const one = Object.assign(new Probe({ name: 'A', color: 0, object: 1, particle: 0, tickHz: HZ }), { masses: [1] });
  for (const tick of [0, 1, 4, 6, 7, 12]) one.add({ tick, positions: [3 * (tick / HZ) ** 2, 0, 0] }, GRAVITY);
  for (const [i, tick] of one.columns.tick.entries()) {
    assert.ok(Math.abs(one.columns.ax[i] - 6) < 1e-9 && Math.abs(one.columns.vx[i] - 6 * tick / HZ) < 1e-9);
  }
});

test('noise around the mean is not counted as a period, and one period has no uncertainty', () => {
  const times = range(600, (i) => i / HZ);
  const noisy = times.map((time, i) => Math.cos(2 * Math.PI * time / 1.25) + 0.04 * Math.sin(1e4 * Math.sin(i)) + 7);
  const { period, uncertainty, periods } = periodOf(times, noisy);
  assert.equal(periods, 7);
  assert.ok(Math.abs(period - 1.25) < 0.01 && uncertainty > 0 && uncertainty < 0.01);
  const single = periodOf(times.slice(0, 150), noisy.slice(0, 150));
  assert.deepEqual([single.periods, single.uncertainty], [1, null]);
  assert.equal(periodOf(times, times.map(() => 1)), null, 'nothing moves');
  assert.equal(periodOf(times, times), null, 'it moves one way');
});
