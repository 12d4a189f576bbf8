// SPDX-License-Identifier: MIT
// Assignments: a world of which each student gets a copy, which is found again by the student's key.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next, until } from '../support/wait.mjs';
import { laboratory, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const ROPE = { from: [0, 2, 0], to: [1, 2, 0], particles: 6 };
const [DENIED, INVALID, STATE, LIMIT] = [-32001, -32602, -32004, -32003];

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

const rowOf = async (client, name) => (await client.call('world.list')).worlds.find((world) => world.name === name);

test('each key gets a copy of the original as it was, once, and finds it again', async (t) => {
  const { server, call } = await laboratory(t);
  await call('rope.spawn', ROPE);
  const { stateHash } = await call('world.get');
  await call('world.branch', { name: 'homework', copies: 2, paused: true });
  await call('rope.spawn', ROPE); // the teacher goes on
  const original = await server.connect('homework');
  assert.equal(original.hello.copies, 2);
  assert.equal((await rowOf(original, 'homework')).copies, 2);
  assert.deepEqual(await original.call('world.copy', { key: 'Ada' }), { world: 'homework-1', made: true });
  assert.deepEqual(await original.call('world.copy', { key: 'Ada' }), { world: 'homework-1', made: false });
  const twice = await Promise.all([original.call('world.copy', { key: 'Bo' }), original.call('world.copy', { key: 'Bo' })]);
  assert.deepEqual(twice.map(({ world }) => world), ['homework-2', 'homework-2']);
  assert.deepEqual(twice.map(({ made }) => made).sort(), [false, true]);
  await refused(original.call('world.copy', { key: 'Cy' }), LIMIT, /all 2 copies of "homework" are taken/);
  const copy = await server.connect('homework-1');
  assert.equal((await copy.call('world.get')).stateHash, stateHash);
  assert.equal((await copy.call('world.get')).running, false);
  assert.equal((await rowOf(copy, 'homework-1')).copyOf, 'homework');
  assert.equal('key' in (await rowOf(copy, 'homework-1')), false, 'a key is a secret');
  assert.equal(copy.hello.copies, undefined);
  const gone = next(copy, 'state', ({ state }) => state === 'closed');
  await call('world.remove', { name: 'homework-1' });
  await gone;
  await until(async () => (await original.call('world.copy', { key: 'Cy' }).catch(() => ({}))).world === 'homework-1', 'a place that is free again');
});

test('copies run if the world ran, while the original stands', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const client = await server.connect('lab');
  await client.call('world.branch', { name: 'homework', copies: 3 });
  const original = await server.connect('homework');
  assert.equal(original.hello.running, false);
  const { world } = await original.call('world.copy', { key: 'Ada' });
  assert.equal((await server.connect(world)).hello.running, true);
});

test('copies are found again after the server has come back', async (t) => {
  const folder = await dataFolder(t);
  const args = ['--world', 'lab=empty', '--data', folder];
  const first = await Weftd.start(t, args);
  await (await first.connect('lab')).call('world.branch', { name: 'homework', copies: 5, paused: true });
  await (await first.connect('homework')).call('world.copy', { key: 'Ada' });
  await first.stop();
  const second = await Weftd.start(t, args);
  const original = await second.connect('homework');
  assert.equal(original.hello.copies, 5);
  assert.deepEqual(await original.call('world.copy', { key: 'Ada' }), { world: 'homework-1', made: false });
  assert.deepEqual(await original.call('world.copy', { key: 'Bo' }), { world: 'homework-2', made: true });
  assert.equal((await (await second.connect('homework-2')).call('world.get')).running, false);
});

test('editors copy but do not change the original, viewers do neither, and what makes no sense is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-copies-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const tokens = {};
  for (const role of ['admin', 'editor', 'viewer']) tokens[role] = (await run(WEFTCTL, ['token', 'make', role, role, '--tokens', file])).stdout.trim();
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file, '--own-worlds', '2', '--max-worlds', '4']);
  const connect = (role, world) => server.connect(world, { token: tokens[role] });
  const teacher = await connect('admin', 'lab');
  await refused(teacher.call('world.branch', { name: 'homework', copies: 0 }), INVALID, /copies/);
  await refused(teacher.call('world.branch', { name: 'homework', copies: 64 }), INVALID, /copies/);
  await refused(teacher.call('world.branch', { name: 'homework', copies: 2, temporary: true }), INVALID, /temporary does not go with copies/);
  await refused(teacher.call('world.branch', { name: 'x'.repeat(62), copies: 2 }), INVALID, /at most 61 characters/);
  await refused(teacher.call('world.copy', { key: 'Ada' }), STATE, /"lab" is not the original/);
  await teacher.call('world.branch', { name: 'x'.repeat(61), copies: 30 });
  const pupil = await connect('editor', 'x'.repeat(61));
  await refused(pupil.call('rope.spawn', ROPE), DENIED, /administrators alone change/);
  await refused(pupil.call('batch.run', { commands: [{ method: 'rope.spawn', params: ROPE }] }), DENIED, /administrators alone change/);
  await refused(pupil.call('world.resume'), DENIED, /administrators alone change/);
  await refused((await connect('viewer', 'x'.repeat(61))).call('world.copy', { key: 'Ada' }), DENIED, /takes the role editor/);
  await refused(pupil.call('world.copy', { key: 'not a key' }), INVALID, /key/);
  const { world } = await pupil.call('world.copy', { key: 'Ada' });
  assert.equal(world, `${'x'.repeat(61)}-1`);
  assert.ok((await (await connect('editor', world)).call('rope.spawn', ROPE)).object > 0, 'a copy is one\'s own');
  await pupil.call('world.copy', { key: 'Bo' });
  await refused(pupil.call('world.copy', { key: 'Cy' }), LIMIT, /--max-worlds/);
});
