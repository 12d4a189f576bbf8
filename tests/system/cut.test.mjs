// SPDX-License-Identifier: MIT
// blade.cut through the server: what a blade cuts, what is refused, and that a cut is recorded, undone, and shown to those who
// were there as to those who come late.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { laboratory } from '../support/weftd.mjs';

const ACROSS = { path: [[-3, 2.02, -0.5], [3, 2.02, -0.5]], blade: [0, 0, 1] };

async function refused(promise, pointer, words) {
  const error = await promise.then(() => assert.fail('it was not refused'), (problem) => problem);
  assert.equal(error.data.pointer, pointer, error.message);
  assert.match(error.message, words);
}

/** A laboratory with a cloth, a rope and a soft body side by side. */
async function things(t, options) {
  const lab = await laboratory(t, options);
  const { call } = lab;
  const { object: cloth } = await call('cloth.spawn', { columns: 12, rows: 12, spacing: 0.1, position: [0, 2, 0] });
  const { object: rope } = await call('rope.spawn', { from: [1, 3, 0], to: [1, 1.1, 0], particles: 20, stretchCompliance: 0.0001 });
  const { object: soft } = await call('soft.spawn', { shape: 'box', size: [0.3, 0.3, 0.3], position: [-1.5, 2, 0] });
  return { ...lab, cloth, rope, soft };
}

async function topologyOf(call, client) {
  const { epoch } = await call('world.get');
  return until(() => client.topology?.epoch === epoch && client.topology, `the topology of epoch ${epoch}`);
}

test('a blade cuts all that it crosses, or one object alone', async (t) => {
  const { call, cloth, rope } = await things(t);
  const first = await call('blade.cut', { ...ACROSS, object: rope });
  assert.deepEqual([first.objects, first.made, first.sticks], [1, 0, 1]);
  const { objects, made, sticks } = await call('blade.cut', ACROSS);
  assert.deepEqual([objects, made, sticks], [1, 12, 0], 'the rope has a gap there now');
  assert.equal((await call('object.get', { object: cloth })).particles, 156);
  assert.equal((await call('object.get', { object: rope })).particles, 20);
  await call('world.step', { ticks: 30 });
  const { positions } = await call('particle.read', { object: cloth, particles: [0, 143] });
  assert.ok(positions[0][1] - positions[1][1] > 2, 'the lower half falls');
  const links = await call('object.sticks', { object: rope });
  assert.equal(links.sticks, 18);
});

test('the far end of the blade may have a path of its own', async (t) => {
  const { call } = await things(t);
  const path = [[0, 5, -0.5], [0.02, 2, -0.5]].flat();
  assert.ok((await call('blade.cut', { path, farPath: [0, 5, 0.5, 0.02, 2, 0.5] })).made >= 5);
});

test('what makes no sense is refused and changes nothing', async (t) => {
  const { call, hash, soft } = await things(t);
  const before = await hash();
  await refused(call('blade.cut', { path: ACROSS.path }), '/farPath', /exactly one of farPath and blade/);
  await refused(call('blade.cut', { ...ACROSS, farPath: ACROSS.path }), '/blade', /exactly one/);
  await refused(call('blade.cut', { path: ACROSS.path, farPath: [[0, 0, 0], [0, 1, 0], [0, 2, 0]] }), '/farPath', /as many points as path, 2, got 3/);
  await refused(call('blade.cut', { ...ACROSS, path: [[0, 0, 0]] }), '/path', /6 to 768 numbers/);
  await refused(call('blade.cut', { ...ACROSS, blade: [0, 0, 0] }), '/blade', /other than zero/);
  await refused(call('blade.cut', { ...ACROSS, object: soft }), '/object', /neither a cloth, a mesh nor a rope/);
  await refused(call('blade.cut', { ...ACROSS, object: 99 }), '/object', /99/);
  await refused(call('blade.cut', { ...ACROSS, path: [[-3, 9, 0], [3, 9, 0]] }), '/path', /parts nothing/);
  assert.equal(await hash(), before);
});

test('a cut comes back from seeking and capsules, is undone, and is shown alike to all', async (t) => {
  const { server, client, call, hash, rope } = await things(t, ['--data', await dataFolder(t)]);
  await client.subscribeFrames();
  await call('world.step', { ticks: 30 });
  const whole = await hash();
  await call('world.seek', { tick: 10 });
  await call('blade.cut', ACROSS);
  const late = await server.connect('lab');
  await late.subscribeFrames();
  const shown = (topology) => topology.objects.map(({ id, particles, triangles, sticks }) => ({ id, particles, triangles: [...triangles], sticks: sticks && [...sticks] }));
  const seen = shown(await topologyOf(call, client));
  assert.deepEqual(shown(await topologyOf(call, late)), seen);
  assert.equal(seen.find(({ id }) => id === rope).sticks.length, 36, '18 sticks of 19 are left');
  await call('world.step', { ticks: 20 });
  const after = await hash();
  const { capsule } = await call('world.export');
  await call('world.import', { name: 'copy', capsule, paused: true });
  assert.equal((await (await server.connect('copy')).call('world.get')).stateHash, after, 'the capsule');
  await call('world.seek', { tick: 5 });
  await call('world.seek', { tick: 30 });
  assert.equal(await hash(), after, 'computed again from the history');
  assert.notEqual(after, whole);
  await call('world.undo');
  assert.equal(await hash(), whole, 'undone');
});

test('a batch cuts what it has just made', async (t) => {
  const { call } = await laboratory(t);
  const { results } = await call('batch.run', { commands: [
    { method: 'cloth.spawn', params: { columns: 12, rows: 12, spacing: 0.1, position: [0, 2, 0] } },
    { method: 'blade.cut', params: { ...ACROSS, object: '$0' } },
  ] });
  assert.equal(results[1].made, 12);
});

test('a rope and a sheet tear at their force, and a fabric keeps its yield', async (t) => {
  const { call, hash } = await laboratory(t, ['--data', await dataFolder(t)]);
  const masses = [...Array(7).fill(0.01), 2];
  const rope = { from: [0, 3, 0], to: [0, 2.3, 0], particles: 8, masses, stretchCompliance: 0.0001 };
  const { object: weak } = await call('rope.spawn', { ...rope, tearForce: 15 });
  const { object: strong } = await call('rope.spawn', { ...rope, tearForce: 60 });
  const { object: cloth } = await call('cloth.spawn', { columns: 4, rows: 8, fabric: 'denim', creaseCurvature: 12, position: [1, 2, 0] });
  const near = (a, b) => Math.abs(a / b - 1) < 1e-5;
  assert.ok(near((await call('object.get', { object: weak })).tearForce, 15));
  assert.ok(near((await call('object.get', { object: cloth })).creaseCurvature, 12));
  await call('world.step', { ticks: 60 });
  assert.ok((await call('object.sticks', { object: weak })).sticks < 7);
  assert.equal((await call('object.sticks', { object: strong })).sticks, 7);
  const after = await hash();
  await call('world.seek', { tick: 1 });
  await call('world.seek', { tick: 60 });
  assert.equal(await hash(), after);
  await refused(call('cloth.spawn', { columns: 4, rows: 4, creaseCurvature: 3 }), '/creaseCurvature', /needs a fabric/);
  await refused(call('cloth.spawn', { columns: 4, rows: 4, fabric: 'twill', tearForce: 3 }), '/tearForce', /fabric excludes tearForce/);
  await refused(call('rope.spawn', { ...rope, tearForce: 0 }), '/tearForce', /tearForce/);
});
