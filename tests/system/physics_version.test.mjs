// SPDX-License-Identifier: MIT
// A store of an older physics version: tests/stores/physics-1.db.gz is the database of a killed server of version 1. Timeline
// 1 goes from tick 0 to 260, timeline 2 from its snapshot of tick 260 to 381, with three entries.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dataFolder } from '../support/data.mjs';
import { ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const SNAPSHOT_TICK = 260;
const LAST_TICK = 381;

/** A folder with the old store. */
async function oldFolder(t) {
  const folder = await dataFolder(t);
  await writeFile(join(folder, 'weft.db'), gunzipSync(await readFile(join(ROOT, 'tests/stores/physics-1.db.gz'))));
  return folder;
}

async function open(t, folder) {
  const server = await Weftd.start(t, ['--data', folder, '--paused']);
  const client = await server.connect('lab');
  return { server, call: (method, params) => client.call(method, params) };
}

test('a world of an older physics version opens at its newest snapshot, and says what was computed again', async (t) => {
  const folder = await oldFolder(t);
  const { server, call } = await open(t, folder);
  const recomputed = { physics: 1, from: SNAPSHOT_TICK, to: LAST_TICK, commands: 3, leftOut: 0 };
  const world = await call('world.get');
  assert.equal(world.tick, LAST_TICK);
  assert.ok(world.physics > 1);
  assert.deepEqual(world.recomputed, recomputed);
  assert.equal(world.counts.objects, 8, 'those of the scene, two boxes and a cloth');
  assert.deepEqual(world.gravity, [0, -9, 0]);
  const listed = (await call('world.list')).worlds.find(({ name }) => name === 'lab');
  assert.deepEqual([listed.physics, listed.recomputed], [world.physics, recomputed]);
  assert.deepEqual((await call('world.history')).timelines.map(({ physics }) => physics), [1, 1, world.physics]);
  assert.match(server.stderr, /warn world: lab: ticks 260 to 381 were computed with physics version 1; they are computed again/);

  await server.end('SIGTERM');
  const again = await open(t, folder);
  const after = await again.call('world.get');
  assert.deepEqual([after.tick, after.stateHash, after.recomputed], [LAST_TICK, world.stateHash, undefined]);
  assert.doesNotMatch(again.server.stderr, /physics version/);
});

test('what an older physics version computed can be sought, replayed, branched and undone, and each reply says so', async (t) => {
  const { call } = await open(t, await oldFolder(t));
  const { physics } = await call('world.get');
  const sought = await call('world.seek', { tick: 150 });
  assert.deepEqual([sought.tick, sought.recomputed?.physics, sought.recomputed?.to], [150, 1, 150]);
  const back = await call('world.seek', {});
  assert.equal(back.tick, LAST_TICK);
  assert.equal((await call('world.get')).tick, LAST_TICK);
  const shown = await call('world.replay', { from: 200, to: 300 });
  assert.deepEqual([shown.tick, shown.recomputed?.physics], [200, 1]);
  await call('world.seek', {});
  await call('world.branch', { name: 'side', tick: 300 });
  const side = (await call('world.list')).worlds.find(({ name }) => name === 'side');
  assert.deepEqual([side.tick, side.physics, side.recomputed.physics, side.recomputed.to], [300, physics, 1, 300]);
  await call('body.spawn', { shape: 'box', size: [0.2, 0.2, 0.2], position: [0, 4, 0] });
  await call('world.step', { ticks: 60 });
  const undone = await call('world.undo');
  assert.deepEqual([undone.undone, undone.recomputed], ['body.spawn', undefined], 'all of it is of this version');
});

test('what was computed since an older physics version is still compared with its hashes', async (t) => {
  const folder = await oldFolder(t);
  const { server, call } = await open(t, folder);
  await call('world.step', { ticks: 180 });
  await call('world.set', { gravity: [0, -8, 0] });
  await call('world.step', { ticks: 60 });
  const { stateHash } = await call('world.get');
  const sought = await call('world.seek', { tick: LAST_TICK + 120 });
  assert.equal(sought.recomputed, undefined);
  assert.equal((await call('world.seek', { tick: LAST_TICK + 240 })).recomputed, undefined);
  assert.equal((await call('world.get')).stateHash, stateHash);
  const newer = await call('world.export', { from: LAST_TICK });
  await writeFile(join(folder, 'newer.capsule'), Buffer.from(newer.capsule, 'base64'));
  const verified = await run(WEFTCTL, ['replay', join(folder, 'newer.capsule'), '--verify']);
  assert.equal(verified.status, 0, verified.stderr);
  const mixed = await call('world.export');
  await writeFile(join(folder, 'mixed.capsule'), Buffer.from(mixed.capsule, 'base64'));
  const unverified = await run(WEFTCTL, ['replay', join(folder, 'mixed.capsule'), '--verify']);
  assert.equal(unverified.status, 4);
  assert.match(unverified.stderr, /not verified: it was made with physics version 1/);
  server.process.kill('SIGKILL');
  await server.exited;
  const again = await open(t, folder);
  assert.equal((await again.call('world.get')).stateHash, stateHash);
});
