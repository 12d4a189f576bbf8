// SPDX-License-Identifier: MIT
// Changing colors and materials, tearing by command, and measurements of a world: sticks, energy, contacts.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next, until } from '../support/wait.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

const keeping = async (t) => laboratory(t, ['--data', await dataFolder(t), '--log-level', 'warn']);
const row = (columns, y) => Array.from({ length: columns }, (_, x) => y * columns + x);

test('another color, name and material is seen by everyone, also by who comes later, and saved', async (t) => {
  const { server, client, call, hash } = await keeping(t);
  const { object } = await call('cloth.spawn', { columns: 6, rows: 5, position: [0, 2, 0] });
  const { obstacle } = await call('obstacle.add', { shape: 'sphere', position: [0, 0, 0], radius: 0.5 });
  await client.subscribeFrames();
  await client.subscribeEvents(['object.changed', 'obstacle.changed']);
  await until(() => client.topology?.findObject(object), 'the cloth');
  const before = await hash();
  const told = next(client, 'object.changed');
  await call('object.set', { object, color: '#12ab34', name: 'banner', friction: 0.25 });
  const { mass, ...news } = await told;
  assert.deepEqual(news, { object, name: 'banner', color: '#12ab34', friction: 0.25, restitution: 0, stretchCompliance: 0, tick: 1 });
  assert.ok(Math.abs(mass - (await call('world.measure')).mass) < 1e-9);
  const toldToo = next(client, 'obstacle.changed');
  await call('obstacle.set', { obstacle, color: '#445566', restitution: 0.5 });
  assert.equal((await toldToo).restitution, 0.5);
  assert.notEqual(await hash(), before, 'friction is state');
  const { name, color } = client.topology.findObject(object);
  assert.deepEqual([name, color], ['banner', '#12ab34']);
  assert.deepEqual([client.topology.obstacles[0].color, client.topology.obstacles[0].restitution], ['#445566', 0.5]);
  const late = await server.connect('lab');
  await late.subscribeFrames();
  await until(() => late.topology, 'a topology');
  assert.deepEqual([late.topology.findObject(object).name, late.topology.findObject(object).color], ['banner', '#12ab34']);
  assert.equal(late.topology.obstacles[0].color, '#445566');
  assert.equal((await call('object.get', { object })).friction, 0.25);

  const state = await hash();
  const { capsule } = await call('world.export');
  await call('world.import', { name: 'copy', capsule, paused: true });
  const copy = await server.connect('copy');
  const there = await copy.call('object.get', { object });
  assert.deepEqual([there.name, there.friction], ['banner', 0.25]);
  assert.equal((await copy.call('world.get')).stateHash, state);
});

test('a saved scene has the looks and materials of now', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(scenes, 'empty.json'));
  const { call, hash } = await laboratory(t, ['--scenes', scenes]);
  const { object } = await call('cloth.spawn', { columns: 4, rows: 4, position: [0, 2, 0], pin: [0] });
  const { obstacle } = await call('obstacle.add', { shape: 'sphere', radius: 0.5 });
  await call('object.set', { object, color: '#12ab34', name: 'banner', friction: 0.25, restitution: 0.5 });
  await call('obstacle.set', { obstacle, name: 'ball', friction: 2 });
  const before = await hash();
  await call('scene.save', { name: 'painted' });
  await call('scene.load', { name: 'painted' });
  assert.equal(await hash(), before);
  const { objects, obstacles } = await call('object.list');
  assert.deepEqual([objects[0].name, objects[0].color, objects[0].friction, objects[0].pins], ['banner', '#12ab34', 0.25, 1]);
  assert.deepEqual([obstacles[0].name, obstacles[0].friction], ['ball', 2]);
});

test('what is set can be taken back, alone and with its batch', async (t) => {
  const { call, hash } = await keeping(t);
  const { object } = await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5, name: 'line' });
  await call('world.step', { ticks: 5 });
  const before = await hash();
  const look = async () => {
    const { objects } = await call('object.list');
    return [objects[0].name, objects[0].color, objects[0].friction];
  };
  const [name, color, friction] = await look();
  await refused(call('batch.run', { commands: [
    { method: 'object.set', params: { object, name: 'other', color: '#ff0000', friction: 3 } },
    { method: 'object.set', params: { object, name: 'again' } },
    { method: 'object.set', params: { object: 999, name: 'nobody' } },
  ] }), -32002, /command 2 .*999/);
  assert.deepEqual(await look(), [name, color, friction]);
  assert.equal(await hash(), before);
  await call('object.set', { object, color: '#00ff00', friction: 2 });
  assert.deepEqual(await look(), [name, '#00ff00', 2]);
  await call('world.undo');
  assert.deepEqual(await look(), [name, color, friction]);
  assert.equal(await hash(), before);
});

test('what cannot be set says so', async (t) => {
  const { call } = await laboratory(t);
  const { object } = await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5 });
  await refused(call('object.set', { object }), -32602, /at least one of color, name, friction, restitution/);
  await refused(call('object.set', { object, friction: 11 }), -32602, /friction/);
  await refused(call('object.set', { object, color: 'red' }), -32602, /color/);
  await refused(call('obstacle.set', { obstacle: 77, friction: 1 }), -32002, /no obstacle 77/);
  await refused(call('particle.tear', { object, particles: [1, 2] }), -32602, /neither a cloth nor a mesh/);
});

test('a cloth torn along a row falls apart, is torn alike again by replay, and viewers follow', async (t) => {
  const { client, call, hash } = await keeping(t);
  const columns = 9;
  const { object, particles } = await call('cloth.spawn', { columns, rows: 8, position: [0, 3, 0], pin: 'topEdge' });
  await client.subscribeFrames();
  await call('world.step', { ticks: 20 });
  const { made, particles: now } = await call('particle.tear', { object, particles: row(columns, 3) });
  assert.deepEqual([made, now], [columns, particles + columns]);
  await until(() => client.topology?.findObject(object)?.particles === now, 'the tear');
  await call('world.step', { ticks: 60 });
  const { positions } = await call('particle.read', { object });
  const height = (y) => Math.min(...row(columns, y).map((index) => positions[index][1]));
  assert.ok(height(2) - height(7) > 2, `the lower half fell: ${height(2)} ${height(7)}`);
  const torn = await hash();
  const { tick } = await call('world.get');
  await call('world.seek', { tick: 10 });
  assert.equal((await call('object.get', { object })).particles, particles);
  await call('world.seek', { tick });
  assert.equal(await hash(), torn);
  await refused(call('particle.tear', { object, particles: [0, 4 * columns] }), -32602, /no edge of object/);
  await refused(call('particle.tear', { object, particles: [100000] }), -32002, /100000/);
  await refused(call('particle.tear', { object, particles: row(columns, 3) }), -32602, /cannot part there/);
  assert.equal(await hash(), torn, 'a refusal changes nothing');
});

test('world.measure tells how much of the force of compliant sticks is missing', async (t) => {
  const { call } = await laboratory(t);
  assert.deepEqual((await call('world.measure')).compliance, { residual: 0, sticks: 0 });
  await call('rope.spawn', { from: [0, 5, 0], to: [2, 5, 0], particles: 21, stretchCompliance: 1e-6, pin: 'both' });
  await call('world.step', { ticks: 20 });
  const rope = (await call('world.measure')).compliance;
  assert.equal(rope.sticks, 20);
  assert.ok(rope.residual < 0.01, `${rope.residual}`);
  await call('world.reset');
  await call('cloth.spawn', { columns: 10, rows: 10, position: [0, 5, 0], pin: 'topEdge', stretchCompliance: 1e-6, arealDensity: 4 });
  await call('world.step', { ticks: 20 });
  const few = (await call('world.measure')).compliance;
  assert.ok(few.sticks > 200 && few.residual > 0.5 && few.residual <= 1.001, JSON.stringify(few));
  await call('world.set', { substeps: 64, iterations: 64 });
  await call('world.step', { ticks: 20 });
  const many = (await call('world.measure')).compliance;
  assert.ok(many.residual < 0.5 * few.residual, JSON.stringify([few, many]));
});

test('sticks, energy and contacts are what the particles say', async (t) => {
  const { call, hash } = await laboratory(t);
  await call('world.set', { damping: 0 });
  const { object } = await call('cloth.spawn', { columns: 30, rows: 30, position: [0, 1.1, 0], rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], pin: 'none' });
  const { obstacle } = await call('obstacle.add', { shape: 'box', position: [0, 0, 0], size: [4, 2, 4], friction: 0.5 });
  const { sticks: count } = await call('object.get', { object });
  const resting = await call('world.measure');
  assert.ok(Math.abs(resting.kineticEnergy) < 1e-9 && resting.stretch.mean < 1e-4, JSON.stringify(resting));
  assert.ok(Math.abs(resting.potentialEnergy - 9.81 * 1.1 * resting.mass) < 1e-2);
  await call('world.step', { ticks: 30 });
  const before = await hash();

  const { positions } = await call('particle.read', { object });
  const parts = [];
  for (let from = 0; from < count; from += 2000) parts.push(await call('object.sticks', { object, from, most: 2000 }));
  const { batches } = parts[0];
  assert.equal(batches.at(-1).end, count);
  const ends = parts.flatMap((part) => part.ends);
  const lengths = parts.flatMap((part) => part.lengths);
  const rests = parts.flatMap((part) => part.restLengths);
  assert.deepEqual([ends.length, lengths.length, rests.length], [2 * count, count, count]);
  let worst = 0;
  for (let i = 0, batch = 0, taken = new Set(); i < count; i++) {
    if (i === batches[batch].end) {
      batch++;
      taken = new Set();
    }
    const [a, b] = [ends[2 * i], ends[2 * i + 1]];
    assert.ok(!taken.has(a) && !taken.has(b), `stick ${i} of batch ${batch}`);
    taken.add(a).add(b);
    assert.ok(Math.abs(Math.hypot(...positions[a].map((x, axis) => x - positions[b][axis])) - lengths[i]) < 1e-5);
    worst = Math.max(worst, Math.abs(lengths[i] / rests[i] - 1));
  }
  const { stretch, kineticEnergy } = await call('world.measure');
  assert.ok(Math.abs(Math.abs(stretch.worst) - worst) < 1e-5, `${stretch.worst} ${worst}`);
  assert.ok(kineticEnergy > 0 && stretch.object === object && stretch.particles.length === 2);
  const only = await call('object.sticks', { object, lengthsOnly: true });
  assert.deepEqual([only.lengths.length, only.ends, only.batches], [Math.min(count, 4096), undefined, undefined]);

  const all = await call('world.contacts', { most: 4096 });
  assert.ok(all.complete && all.contacts > 500, `${all.contacts} contacts`);
  for (const list of ['kinds', 'objects', 'others', 'points', 'normals', 'depths', 'slips', 'frictions']) {
    assert.equal(all[list].length, Math.min(4096, all.contacts), list);
  }
  assert.ok(all.kinds.every((kind) => kind === 'obstacle') && all.objects.every((id) => id === object));
  assert.ok(all.others.includes(obstacle));
  assert.ok(all.points.every(([, y]) => Math.abs(y - 1) < 0.02) && all.normals.every(([, y]) => y > 0.9));
  const few = await call('world.contacts', { most: 5 });
  assert.ok(few.kinds.length >= 3 && few.kinds.length <= 5 && few.contacts === all.contacts);
  assert.equal(await hash(), before, 'looking changes nothing');
  await refused(call('object.sticks', { object: 99 }), -32002, /99/);
  await refused(call('world.contacts', { most: 0 }), -32602, /most/);
});
