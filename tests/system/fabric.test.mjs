// SPDX-License-Identifier: MIT
// Cloth of fabric through the server: by name and by figures, told to everyone, changed and taken back, refused where it makes no
// sense, kept over saving, seeking and undoing, and sent to those who come late.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next } from '../support/wait.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

const DENIM = { columns: 7, rows: 9, position: [0, 2, 0], fabric: 'denim' };

async function refused(promise, pointer, words) {
  const error = await promise.then(() => assert.fail('it was not refused'), (problem) => problem);
  assert.equal(error.code, -32602, error.message);
  assert.equal(error.data.pointer, pointer);
  assert.match(error.message, words);
}

const near = (a, b) => Math.abs(a / b - 1) < 1e-5;

test('a named fabric has its figures and its weight, and single ones take precedence', async (t) => {
  const { client, call } = await laboratory(t);
  const { object } = await call('cloth.spawn', DENIM);
  const denim = await call('object.get', { object });
  assert.ok(near(denim.stretchWarp, 1044.1) && near(denim.stretchWeft, 224.2) && near(denim.shearStiffness, 71.8));
  assert.ok(near(denim.bendWarp, 113.1e-6) && near(denim.bendWeft, 60.9e-6));
  assert.ok(near(denim.mass, 0.324 * 0.3 * 0.4), `${denim.mass} kg`);
  assert.ok(!('stretchCompliance' in denim));
  const { object: own } = await call('cloth.spawn', { ...DENIM, bendWarp: 2e-4, arealDensity: 0.5 });
  const other = await call('object.get', { object: own });
  assert.ok(near(other.bendWarp, 2e-4) && near(other.bendWeft, 60.9e-6) && near(other.mass, 0.06));
  const { object: plain } = await call('cloth.spawn', { columns: 4, rows: 4, stretchWarp: 300 });
  const figures = await call('object.get', { object: plain });
  assert.ok(figures.stretchWeft === 300 && near(figures.shearStiffness, 30) && figures.bendWarp === 0);
  await client.subscribeEvents(['object.changed']);
  const told = next(client, 'object.changed');
  await call('object.set', { object: plain, stretchWeft: 150, bendWeft: 1e-5 });
  const changed = await told;
  assert.ok(changed.stretchWarp === 300 && changed.stretchWeft === 150 && near(changed.bendWeft, 1e-5));
});

test('what makes no sense is refused', async (t) => {
  const { call } = await laboratory(t);
  await refused(call('cloth.spawn', { ...DENIM, bend: true }), '/fabric', /excludes bend/);
  await refused(call('cloth.spawn', { ...DENIM, stretchCompliance: 0.1 }), '/fabric', /excludes/);
  await refused(call('cloth.spawn', { columns: 3, rows: 3, bendWarp: 1e-5 }), '/stretchWarp', /need stretchWarp/);
  await refused(call('cloth.spawn', { ...DENIM, fabric: 'paper' }), '/fabric', /cotton/);
  const { object } = await call('cloth.spawn', { columns: 3, rows: 3 });
  await refused(call('object.set', { object, bendWarp: 1e-5 }), '/stretchWarp', /not of fabric/);
});

test('fabric comes back from seeking, undoing and capsules with the same hashes', async (t) => {
  const { server, call, hash } = await laboratory(t, ['--data', await dataFolder(t)]);
  await call('obstacle.add', { shape: 'sphere', radius: 0.2, position: [0, 1.6, 0] });
  const { object } = await call('cloth.spawn', DENIM);
  await call('world.step', { ticks: 40 });
  await call('object.set', { object, bendWarp: 1e-3 });
  await call('world.step', { ticks: 30 });
  const after = await hash();
  await call('world.step', { ticks: 20 });
  await call('world.seek', { tick: 45 });
  await call('world.seek', { tick: 70 });
  assert.equal(await hash(), after, 'computed again from the history');
  await call('object.set', { object, stretchWarp: 500, bendWeft: 1e-3 });
  assert.notEqual(await hash(), after);
  await call('world.undo');
  assert.equal(await hash(), after, 'taken back');
  const { capsule } = await call('world.export');
  await call('world.import', { name: 'copy', capsule, paused: true });
  const copy = await server.connect('copy');
  assert.equal((await copy.call('world.get')).stateHash, after, 'the capsule');
});

test('a saved scene has the fabric of now, to the bit', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(scenes, 'empty.json'));
  const { call, hash } = await laboratory(t, ['--scenes', scenes]);
  const { object } = await call('cloth.spawn', DENIM);
  await call('object.set', { object, shearStiffness: 20, bendWeft: 1e-3 });
  const before = await hash();
  await call('scene.save', { name: 'soft' });
  await call('scene.load', { name: 'soft' });
  assert.equal(await hash(), before);
});
