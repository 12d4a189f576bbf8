// SPDX-License-Identifier: MIT
// Soft bodies and gas through the server: what viewers and late joiners are told, save and load, seek and undo, refusals.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

const OCTAHEDRON = {
  positions: [0.3, 0, 0, -0.3, 0, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.3, 0, 0, -0.3],
  triangles: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
};

async function everything(call) {
  const box = await call('soft.spawn', { size: [0.4, 0.3, 0.3], cells: [3, 2, 2], position: [0, 1, 0], young: 30000, pin: [0] });
  const ball = await call('soft.spawn', { shape: 'ball', radius: 0.2, cells: [4], position: [1, 0.5, 0] });
  const given = await call('soft.spawn', { shape: 'tetrahedra', positions: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]], tetrahedra: [0, 1, 2, 3], position: [2, 1, 0] });
  const balloon = await call('mesh.spawn', { ...OCTAHEDRON, position: [-1, 1, 0], pressure: 2000 });
  return { box, ball, given, balloon };
}

test('viewers and late joiners are told the same tetrahedra and surfaces', async (t) => {
  const { server, call, client } = await laboratory(t);
  await client.subscribeFrames({ encoding: 'motion' });
  const { box, ball, given, balloon } = await everything(call);
  assert.deepEqual([box, ball, given, balloon].map(({ particles }) => particles), [36, 125, 4, 6]);
  await until(() => client.topology?.objects.length === 4, 'the topology of who watches');
  await call('world.step', { ticks: 30 });
  const late = await server.connect('lab');
  await late.subscribeFrames({ encoding: 'motion' });
  await until(() => late.topology?.objects.length === 4, 'the topology of who comes later');
  for (const viewer of [client, late]) {
    const objects = viewer.topology.objects.map(({ kind, tetrahedra, triangles }) => [kind, (tetrahedra?.length ?? 0) / 4, triangles.length / 3]);
    assert.deepEqual(objects, [['soft', 60, 64], ['soft', 320, 192], ['soft', 1, 4], ['mesh', 0, 8]]);
  }
  assert.deepEqual(late.topology.objects.map(({ tetrahedra }) => tetrahedra), client.topology.objects.map(({ tetrahedra }) => tetrahedra));
});

test('objects tell their material, their volume and their gas, and change them', async (t) => {
  const { call } = await laboratory(t);
  const { ball, balloon } = await everything(call);
  const soft = await call('object.get', { object: ball.object });
  assert.equal(soft.kind, 'soft');
  assert.equal(soft.tetrahedra, 320);
  assert.equal(soft.young, 20000);
  assert.ok(Math.abs(soft.volume / (4 / 3 * Math.PI * 0.2 ** 3) - 1) < 0.2, `${soft.volume}`);
  await call('object.set', { object: ball.object, young: 50000, poisson: 0.45, viscosity: 0.004 });
  assert.equal((await call('object.get', { object: ball.object })).young, 50000);
  const before = (await call('object.get', { object: balloon.object })).gas;
  assert.ok(Math.abs(before.volume / 0.036 - 1) < 1e-5 && Math.abs(before.pressure - 2000) < 1);
  await call('object.set', { object: balloon.object, pressure: 5000 });
  const after = await call('object.get', { object: balloon.object });
  assert.equal(after.pressure, 5000);
  assert.ok(after.gas.pressure > 4000);
});

test('a saved scene makes the same objects again, and a seek and an undo lead back to the same hashes', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(scenes, 'empty.json'));
  const { call, hash } = await laboratory(t, ['--scenes', scenes, '--data', await dataFolder(t)]);
  const { box, balloon } = await everything(call);
  await call('object.set', { object: box.object, young: 40000 });
  await call('object.set', { object: balloon.object, pressure: 3000 });
  await call('world.step', { ticks: 10 });
  const first = await hash();
  await call('world.step', { ticks: 40 });
  const later = await hash();
  await call('scene.save', { name: 'volumes' });
  await call('world.seek', { tick: 10 });
  assert.equal(await hash(), first);
  await call('world.step', { ticks: 40 });
  assert.equal(await hash(), later);
  await call('soft.spawn', { position: [0, 3, 0] });
  await call('world.undo');
  assert.equal(await hash(), later);
  await call('scene.load', { name: 'volumes' });
  const { objects } = await call('object.list');
  assert.deepEqual(objects.map(({ kind, tetrahedra }) => [kind, tetrahedra]), [['soft', 60], ['soft', 320], ['soft', 1], ['mesh', undefined]]);
  assert.equal((await call('object.get', { object: objects[0].object })).young, 40000);
  assert.equal((await call('object.get', { object: objects[3].object })).pressure, 3000);
});

test('what cannot be made is refused with the member to blame', async (t) => {
  const { call } = await laboratory(t);
  const square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]];
  for (const [method, params, pointer, why] of [
    ['soft.spawn', { shape: 'tetrahedra', positions: square, tetrahedra: [0, 1, 2, 3] }, '/tetrahedra/0', /flat/],
    ['soft.spawn', { shape: 'tetrahedra', positions: square, tetrahedra: [0, 1, 2, 3, 0] }, '/tetrahedra', /four indices/],
    ['soft.spawn', { shape: 'tetrahedra', positions: square }, '/tetrahedra', /missing/],
    ['soft.spawn', { shape: 'ball', size: [1, 1, 1] }, '/size', /takes no size/],
    ['soft.spawn', { shape: 'ball', cells: [3] }, '/cells', /even/],
    ['soft.spawn', { cells: [3, 3] }, '/cells', /one number or three/],
    ['soft.spawn', { pin: 'topCorners' }, '/pin', /none or a list/],
    ['mesh.spawn', { positions: square.slice(0, 3), triangles: [0, 1, 2], pressure: 100 }, '/pressure', /closed mesh/],
  ]) {
    await assert.rejects(call(method, params), ({ data, message }) => data.pointer === pointer && why.test(message), `${method} ${pointer}`);
  }
});
