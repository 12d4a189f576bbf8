// SPDX-License-Identifier: MIT
// A database and a capsule of an earlier server with the same physics version (tests/stores/record.mjs): the world has the
// same state, all of its history can be sought, and a session gets its earlier reply again.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dataFolder } from '../support/data.mjs';
import { RawSocket, ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const stored = (ending) => join(ROOT, `tests/stores/physics-2${ending}`);
const expected = JSON.parse(await readFile(stored('.json'), 'utf8'));
const last = expected.states.at(-1);

async function open(t, folder) {
  const server = await Weftd.start(t, ['--data', folder, '--paused']);
  const client = await server.connect('lab');
  return { server, call: (method, params) => client.call(method, params) };
}

async function oldFolder(t) {
  const folder = await dataFolder(t);
  await writeFile(join(folder, 'weft.db'), gunzipSync(await readFile(stored('.db.gz'))));
  return folder;
}

test('a database of an earlier server opens with its last state, and again after that', async (t) => {
  const folder = await oldFolder(t);
  const { server, call } = await open(t, folder);
  const world = await call('world.get');
  const { grabs, ...counts } = expected.counts;
  assert.deepEqual([world.tick, world.stateHash, world.recomputed], [last.tick, last.stateHash, undefined]);
  assert.deepEqual(world.counts, { ...counts, grabs }, 'the grab of a client that is gone is kept until it is missed');
  await server.end('SIGTERM');
  const again = await (await open(t, folder)).call('world.get');
  assert.deepEqual([again.tick, again.stateHash], [last.tick, last.stateHash]);
});

test('every state of its history can be sought, before and after an undo', async (t) => {
  const { call } = await open(t, await oldFolder(t));
  for (const { timeline, tick, stateHash } of [...expected.states].reverse()) {
    await call('world.seek', { timeline, tick });
    assert.equal((await call('world.get')).stateHash, stateHash, `timeline ${timeline}, tick ${tick}`);
  }
});

test('a session of an earlier server gets the reply to a request that it repeats', async (t) => {
  const { server, call } = await open(t, await oldFolder(t));
  const { counts } = await call('world.get');
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next(); // hello
  for (const message of [{ id: 'key', method: 'session.resume', params: { session: expected.session } }, expected.request]) {
    raw.send({ jsonrpc: '2.0', ...message });
    const { result } = await raw.answer(message.id);
    if (message === expected.request) assert.deepEqual(result, expected.result);
  }
  assert.equal((await call('world.get')).counts.particles, counts.particles, 'it is not done twice');
});

test('a capsule of an earlier server replays to its last hash', async () => {
  const { status, stdout, stderr } = await run(WEFTCTL, ['replay', join(ROOT, 'tests/capsules/physics-2/history.capsule'), '--verify']);
  assert.equal(status, 0, stderr);
  assert.ok(stdout.includes(`tick ${last.tick}, where the hash is ${last.stateHash}`), stdout);
});
