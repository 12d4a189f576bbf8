// SPDX-License-Identifier: MIT
// Stiffness, bending and mass of objects that exist already: told to everyone, taken back and given again, gone back to, kept over a
// restart, in capsules and in saved scenes, always with the same hashes.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next } from '../support/wait.mjs';
import { laboratory, ROOT, Weftd } from '../support/weftd.mjs';

const CLOTH = { columns: 8, rows: 6, position: [0, 3, 0], bend: true, bendCompliance: 0.01 };
const ROPE = { from: [2, 3, 0], to: [2, 2, 0], particles: 2, mass: 2, stretchCompliance: 0.01 };

async function refused(promise, pointer, words) {
  const error = await promise.then(() => assert.fail('it was not refused'), (problem) => problem);
  assert.equal(error.code, -32602, error.message);
  assert.equal(error.data.pointer, pointer);
  assert.match(error.message, words);
}

test('stiffness, bending and mass are set, told, and refused where an object has none', async (t) => {
  const { client, call } = await laboratory(t);
  const { object: cloth } = await call('cloth.spawn', CLOTH);
  const { object: rope } = await call('rope.spawn', ROPE);
  const { object: body } = await call('body.spawn', { mass: 3, position: [5, 3, 0] });
  await client.subscribeEvents(['object.changed']);
  const told = next(client, 'object.changed');
  await call('object.set', { object: cloth, stretchCompliance: 0.001, bendCompliance: 0.5, mass: 0.25 });
  const { stretchCompliance, bendCompliance, mass } = await told;
  const got = await call('object.get', { object: cloth });
  assert.deepEqual([got.stretchCompliance, got.bendCompliance, got.mass], [stretchCompliance, bendCompliance, mass]);
  assert.ok(Math.abs(stretchCompliance - 0.001) < 1e-9 && bendCompliance === 0.5 && Math.abs(mass - 0.25) < 1e-6);
  await call('object.set', { object: body, mass: 6 });
  const heavy = await call('object.get', { object: body });
  assert.ok(Math.abs(heavy.mass - 6) < 1e-5);
  assert.ok(!('stretchCompliance' in heavy) && !('bendCompliance' in heavy));
  await refused(call('object.set', { object: body, stretchCompliance: 0.1 }), '/stretchCompliance', /only cloths, meshes and ropes/);
  await refused(call('object.set', { object: rope, bendCompliance: 0.1 }), '/bendCompliance', /no bending sticks/);
  await refused(call('object.set', { object: rope, stretchCompliance: -1 }), '/stretchCompliance', /0/);
  await refused(call('object.set', { object: rope, mass: 0 }), '/mass', /mass/);
  await refused(call('object.set', { object: rope }), '', /stretchCompliance, bendCompliance, mass/);
});

test('half the compliance halves the stretch, and twice the mass doubles it', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { damping: 0.2, airDensity: 0, sleep: false });
  const { object } = await call('rope.spawn', ROPE);
  const stretch = async () => {
    await call('world.step', { ticks: 600 });
    const { positions: [[, top], [, bottom]] } = await call('particle.read', { object });
    return top - bottom - 1;
  };
  const soft = await stretch();
  assert.ok(Math.abs(soft - 9.81 * 0.01) < 1e-3, `${soft} m`);
  await call('object.set', { object, stretchCompliance: 0.005 });
  const stiff = await stretch();
  assert.ok(Math.abs(soft / stiff - 2) < 0.02, `${soft} and ${stiff} m`);
  await call('object.set', { object, mass: 4 });
  const heavy = await stretch();
  assert.ok(Math.abs(heavy / stiff - 2) < 0.02, `${heavy} and ${stiff} m`);
});

test('history, undo, a restart, a capsule and a scene have the same materials, to the bit', { timeout: 120000 }, async (t) => {
  const data = await dataFolder(t);
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(scenes, 'empty.json'));
  const args = ['--data', data, '--scenes', scenes, '--log-level', 'warn'];
  const { server, call, hash } = await laboratory(t, args);
  const { object: cloth } = await call('cloth.spawn', CLOTH);
  const { object: rope } = await call('rope.spawn', ROPE);
  await call('world.step', { ticks: 30 });
  const before = await hash();
  await call('batch.run', { commands: [
    { method: 'object.set', params: { object: cloth, stretchCompliance: 0.002, bendCompliance: 0.3, mass: 0.5 } },
    { method: 'object.set', params: { object: rope, stretchCompliance: 0.02, mass: 3 } },
  ] });
  const changed = await hash();
  assert.notEqual(changed, before);
  await call('world.step', { ticks: 30 });
  const after = await hash();

  await call('world.seek', { tick: 45 });
  await call('world.seek', { tick: 60 });
  assert.equal(await hash(), after, 'computed again from the history');
  const { capsule } = await call('world.export');
  await call('world.import', { name: 'copy', capsule, paused: true });
  const copy = await server.connect('copy');
  assert.equal((await copy.call('world.get')).stateHash, after, 'the capsule');

  await assert.rejects(call('batch.run', { commands: [
    { method: 'object.set', params: { object: cloth, mass: 9 } }, { method: 'object.set', params: { object: rope, bendCompliance: 1 } },
  ] }));
  assert.equal(await hash(), after, 'a batch that is refused changes nothing');

  await call('world.undo');
  assert.ok(Math.abs((await call('object.get', { object: rope })).stretchCompliance - 0.01) < 1e-8);
  assert.ok(Math.abs((await call('object.get', { object: cloth })).bendCompliance - 0.01) < 1e-8);
  await call('world.redo');
  assert.equal(await hash(), after, 'taken back and given again');
  await server.end('SIGTERM');
  const again = await Weftd.start(t, ['--world', 'lab=empty', '--paused', ...args]);
  assert.equal((await (await again.connect('lab')).call('world.get')).stateHash, after, 'after a restart');
});

test('a saved scene has the materials of now, to the bit', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(scenes, 'empty.json'));
  const { call, hash } = await laboratory(t, ['--scenes', scenes]);
  const { object: cloth } = await call('cloth.spawn', CLOTH);
  const { object: rope } = await call('rope.spawn', ROPE);
  await call('object.set', { object: cloth, stretchCompliance: 0.002, bendCompliance: 0.3, mass: 0.7 });
  await call('object.set', { object: rope, mass: 1.1 });
  const before = await hash();
  await call('scene.save', { name: 'soft' });
  await call('scene.load', { name: 'soft' });
  assert.equal(await hash(), before);
});
