// SPDX-License-Identifier: MIT
// Capsules: an interval of a world's history in one file, replayed to the bit by weftctl and by another server; and the
// stored capsules of tests/capsules, whose replay must not change.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { dataFolder, randomChange } from '../support/data.mjs';
import { CapsuleReplay, readCapsule } from '../../web/client/engine/capsule.js';
import { loadEngine } from '../../web/client/engine/engine.js';
import { seeded } from '../support/random.mjs';
import { laboratory, RawSocket, ROOT, run, WEFTCTL } from '../support/weftd.mjs';

const CAPSULES = join(ROOT, 'tests/capsules');
// weftctl replays with one thread, so the thread sanitizer has nothing to check.
const ALONE = { skip: process.env.WEFT_SANITIZER === 'thread' && 'one thread alone' };
const TICKS = process.env.WEFT_SANITIZER === 'thread' ? 120 : 400;
const PART = { from: TICKS / 4, to: TICKS / 2 + 33 };
const replay = (file, ...more) => run(WEFTCTL, ['replay', file, ...more]);

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

/** A world with changes of all kinds; its capsule as a file. */
async function lived(t, ticks = TICKS) {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const folder = await dataFolder(t);
  const lab = await laboratory(t, ['--data', join(folder, 'data'), '--log-level', 'warn']);
  await lab.call('scene.load', { name: 'rope' });
  const objects = [];
  for (let done = 0; done < ticks; done += 10) {
    const { method, params } = randomChange(random, objects);
    const { object } = await lab.call(method, params).catch(() => ({}));
    if (object && objects.length < 8) objects.push(object);
    await lab.call('world.step', { ticks: 10 });
  }
  const { capsule, bytes } = await lab.call('world.export');
  const file = join(folder, 'lab.capsule');
  const content = Buffer.from(capsule, 'base64');
  assert.equal(content.length, bytes);
  await writeFile(file, content);
  return { ...lab, folder, file, content, capsule };
}

test('a capsule replays to the bit without a server, and says what is in it', ALONE, async (t) => {
  const { file, hash } = await lived(t);
  const looked = await replay(file);
  assert.deepEqual([looked.status, looked.stderr], [0, '']);
  assert.match(looked.stdout, new RegExp(`world "lab".*60 ticks a second.*ticks 0 to ${TICKS}.*commands`));
  const verified = await replay(file, '--verify');
  assert.deepEqual([verified.status, verified.stderr], [0, '']);
  assert.match(verified.stdout, new RegExp(`equal to the bit up to tick ${TICKS}.*${await hash()}`));
});

test('a browser reads a capsule and replays it to the same hashes', ALONE, async (t) => {
  const { content, call, hash } = await lived(t);
  const capsule = await readCapsule(content);
  assert.deepEqual([capsule.world, capsule.tickHz, capsule.firstTick, capsule.lastTick, capsule.physics], ['lab', 60, 0, TICKS, (await call('world.get')).physics]);
  assert.ok(Math.abs(Date.now() - capsule.made) < 60000 && capsule.hashes.length >= TICKS / 60 && capsule.ticks.length > 10);
  const bytes = await readFile(join(ROOT, 'web/client/engine/weft.wasm'));
  const replay = new CapsuleReplay(await loadEngine({ bytes }), capsule);
  while (replay.tick < capsule.lastTick) replay.step();
  assert.equal(replay.world.hash, await hash());
  assert.equal(replay.applied, capsule.hashes.at(-1).records);
  replay.dispose();
  const changed = { ...capsule, hashes: capsule.hashes.map((known, index) => (index === 2 ? { ...known, hash: '0'.repeat(16) } : known)) };
  const other = new CapsuleReplay(await loadEngine({ bytes }), changed);
  assert.throws(() => {
    while (other.tick < capsule.lastTick) other.step();
  }, new RegExp(`At tick ${capsule.hashes[2].tick} the hash of the state is`));
});

test('a browser refuses files that are no capsule, damaged or of an older format', async (t) => {
  const { content } = await lived(t, 60);
  const damaged = Buffer.from(content);
  damaged[damaged.length >> 1] ^= 1;
  await assert.rejects(readCapsule(damaged), /CapsuleError: The capsule is damaged/);
  await assert.rejects(readCapsule(content.subarray(0, 100)), /CapsuleError: The capsule is damaged/);
  await assert.rejects(readCapsule(gzipSync('something else')), /CapsuleError: This is not a Weft capsule/);
  await assert.rejects(readCapsule(Buffer.from('{}')), /CapsuleError: This is not a Weft capsule/);
  await assert.rejects(readCapsule(await readFile(join(CAPSULES, 'physics-2/history.capsule'))), /older format, which only servers read/);
});

test('a capsule names no session, request or address', async (t) => {
  const folder = await dataFolder(t);
  const { server, call } = await laboratory(t, ['--data', join(folder, 'data'), '--log-level', 'warn']);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  raw.send({ jsonrpc: '2.0', id: 'a-request-of-mine', method: 'session.resume', params: { session: 'a-session-key-of-mine' } });
  assert.equal((await raw.answer('a-request-of-mine')).error, undefined);
  raw.send({ jsonrpc: '2.0', id: 'another-request-of-mine', method: 'particles.spawn', params: { positions: [[0, 1, 0]] } });
  assert.equal((await raw.answer('another-request-of-mine')).error, undefined);
  await call('world.step', { ticks: 5 });
  const { capsule } = await call('world.export', { from: 0 });
  const inside = gunzipSync(Buffer.from(capsule, 'base64')).toString('latin1');
  assert.ok(inside.includes('weftcaps') && inside.length > 500);
  const stored = Buffer.concat(await Promise.all(['weft.db', 'weft.db-wal'].map((name) => readFile(join(folder, 'data', name))))).toString('latin1');
  assert.ok(stored.includes('a-session-key-of-mine'), 'the database has the key');
  for (const secret of ['of-mine', '127.0.0.1']) assert.ok(!inside.includes(secret), secret);
});

test('a capsule makes the same world on another server, with its names', async (t) => {
  const { capsule, hash, call } = await lived(t);
  const { object } = await call('particles.spawn', { positions: [[0, 9, 0]], name: 'a name' });
  const now = await call('world.export');
  for (const options of [[], ['--data', await dataFolder(t)]]) {
    const other = await laboratory(t, options);
    assert.deepEqual(await other.call('world.import', { name: 'copy', capsule: now.capsule, paused: true }), { world: 'copy', tick: TICKS });
    const copy = await other.server.connect('copy');
    assert.equal((await copy.call('world.get')).stateHash, await hash());
    assert.equal((await copy.call('object.get', { object })).name, 'a name');
    await copy.call('world.step', { ticks: 30 });
    await other.call('world.import', { name: 'older', capsule });
  }
});

test('a server that keeps nothing gives its present', async (t) => {
  const { call, hash } = await laboratory(t);
  await call('cloth.spawn', { columns: 5, rows: 5 });
  await call('world.step', { ticks: 7 });
  const { capsule } = await call('world.export');
  const folder = await dataFolder(t);
  await writeFile(join(folder, 'now.capsule'), Buffer.from(capsule, 'base64'));
  const { status, stdout } = await replay(join(folder, 'now.capsule'), '--verify');
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`tick 7.*${await hash()}`));
});

test('GET /worlds/NAME/capsule gives the file', async (t) => {
  const { server, folder, hash } = await lived(t, 60);
  const response = await fetch(server.http('/worlds/lab/capsule'));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition'), /filename="lab\.capsule"/);
  await writeFile(join(folder, 'got.capsule'), Buffer.from(await response.arrayBuffer()));
  const { stdout } = await replay(join(folder, 'got.capsule'), '--verify');
  assert.match(stdout, new RegExp(`tick 60.*${await hash()}`));
  assert.equal((await fetch(server.http('/worlds/nosuch/capsule'))).status, 404);
  const { server: plain } = await laboratory(t);
  assert.equal((await fetch(plain.http('/worlds/lab/capsule'))).status, 200);
});

test('GET /worlds/NAME/moments/TIMELINE-FROM-TO gives some seconds, also when the world has gone on', async (t) => {
  const { server, client, folder } = await lived(t, 240);
  const { timeline } = await client.call('world.history', { most: 0 });
  const { stateHash } = await client.call('world.get');
  await client.call('world.step', { ticks: 60 });
  await client.call('world.reset');
  const ask = (path) => fetch(server.http(`/worlds/lab/moments/${path}`));
  const response = await ask(`${timeline}-120-240`);
  assert.equal(response.status, 200);
  const capsule = await readCapsule(new Uint8Array(await response.clone().arrayBuffer()));
  assert.ok(capsule.firstTick <= 120);
  assert.equal(capsule.lastTick, 240);
  await writeFile(join(folder, 'moment.capsule'), Buffer.from(await response.arrayBuffer()));
  const { stdout } = await replay(join(folder, 'moment.capsule'), '--verify');
  assert.match(stdout, new RegExp(`tick 240.*${stateHash}`));
  for (const [path, status, words] of [
    [`${timeline}-240-120`, 400, /TO is after FROM/], [`${timeline}-0-3601`, 400, /up to 60 s/], [`${timeline}-0-3000`, 404, /tick 3000/],
    ['99-0-60', 404, /timeline 99/], ['0-0-60', 404, /./], ['1-0', 404, /./], ['1-0-99999999999999999999', 404, /./], ['1-0-60x', 404, /./],
  ]) {
    const refused = await ask(path);
    assert.equal(refused.status, status, path);
    assert.match(await refused.text(), words, path);
  }
  const { server: plain } = await laboratory(t);
  const none = await fetch(plain.http('/worlds/lab/moments/1-0-60'));
  assert.deepEqual([none.status, await none.text()], [404, 'this world keeps no history\n']);
});

test('a part of a history is a capsule too', async (t) => {
  const { call, folder } = await lived(t);
  const { capsule } = await call('world.export', PART);
  await writeFile(join(folder, 'part.capsule'), Buffer.from(capsule, 'base64'));
  const { status, stdout } = await replay(join(folder, 'part.capsule'), '--verify');
  assert.equal(status, 0, stdout);
  assert.match(stdout, new RegExp(`up to tick ${PART.to}`));
  assert.ok(Number(new RegExp(`ticks (\\d+) to ${PART.to}`).exec(stdout)[1]) <= PART.from);
});

test('a part that ends before it begins is refused', async (t) => {
  const { call } = await laboratory(t);
  await refused(call('world.export', { from: 20, to: 10 }), -32602, /to must be at least from, 20, got 10/);
});

test('what is no capsule, or a damaged one, is refused wherever it comes', async (t) => {
  const { call, content, folder } = await lived(t, 60);
  const damaged = Buffer.from(content);
  for (let at = 5000; at < damaged.length; at += 997) damaged[at] ^= 1;
  await refused(call('world.import', { name: 'x', capsule: damaged.toString('base64') }), -32602, /capsule/i);
  await refused(call('world.import', { name: 'x', capsule: 'bm8gY2Fwc3VsZQ==' }), -32602, /capsule/i);
  await refused(call('world.import', { name: 'x', capsule: '!!!!' }), -32602, /base64/);
  await refused(call('world.import', { name: 'lab', capsule: content.toString('base64') }), -32004, /already/);
  await writeFile(join(folder, 'bad'), damaged);
  const { status, stderr } = await replay(join(folder, 'bad'), '--verify');
  assert.equal(status, 4);
  assert.match(stderr, /bad/);
  assert.equal((await replay(join(folder, 'nosuch'))).status, 2);
  assert.equal((await run(WEFTCTL, ['replay'])).status, 2);
});

/** The stored capsules, by the physics version that made them. @returns {Promise<Map<number, string[]>>} */
async function keptCapsules() {
  const kept = new Map();
  for (const name of await readdir(CAPSULES)) {
    const version = /^physics-(\d+)$/.exec(name)?.[1];
    if (!version) continue;
    const files = (await readdir(join(CAPSULES, name))).filter((file) => file.endsWith('.capsule'));
    kept.set(Number(version), files.map((file) => join(CAPSULES, name, file)));
  }
  return kept;
}

test('the capsules that are kept of this physics version still replay to the bit', ALONE, async (t) => {
  const { call } = await laboratory(t);
  const files = (await keptCapsules()).get((await call('world.get')).physics) ?? [];
  t.diagnostic(`${files.length} capsules`);
  for (const file of files) {
    const { status, stdout, stderr } = await replay(file, '--verify');
    assert.equal(status, 0, `${file}: ${stderr}`);
    t.diagnostic(stdout.trim().split('\n').at(-1));
  }
});

test('a capsule of an older physics version is replayed, and reported as not verified', ALONE, async (t) => {
  const { call } = await laboratory(t);
  const { physics } = await call('world.get');
  const older = [...(await keptCapsules())].filter(([version]) => version < physics);
  assert.ok(older.length > 0);
  for (const [version, files] of older) {
    assert.ok(files.length > 0);
    for (const file of files) {
      const looked = await replay(file);
      assert.equal(looked.status, 0, looked.stderr);
      assert.match(looked.stdout, new RegExp(`made with physics version ${version}; this is version ${physics}\n`));
      const { status, stdout, stderr } = await replay(file, '--verify');
      assert.equal(status, 4, stdout);
      assert.match(stderr, new RegExp(`not verified: it was made with physics version ${version}, .* [1-9]\\d* hashes were not compared`));
      assert.match(stdout, /replayed up to tick [1-9]\d*, where the hash is now [0-9a-f]{16}; 0 commands were skipped/);
      t.diagnostic(stdout.trim().split('\n').at(-1));
    }
  }
});

test('a world that is made from a capsule of an older physics version says what was computed again', async (t) => {
  const { call } = await laboratory(t, ['--log-level', 'warn']);
  const [version, [file]] = [...(await keptCapsules())].find(([number]) => number === 1);
  const { tick } = await call('world.import', { name: 'old', capsule: (await readFile(file)).toString('base64') });
  const { worlds } = await call('world.list');
  const { recomputed } = worlds.find(({ name }) => name === 'old');
  assert.deepEqual([recomputed.physics, recomputed.to], [version, tick]);
  assert.ok(recomputed.commands > 0);
  assert.equal(worlds.find(({ name }) => name === 'lab').recomputed, undefined);
});
