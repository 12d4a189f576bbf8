// SPDX-License-Identifier: MIT
// A local world answers as a server does: the same calls give the same replies and, to the bit, the same states, for every scene.
// It keeps its history, branches and capsules, and is found again when it is opened later.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { WeftClient } from '../../web/client/client.js';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, ROOT, WEFTCTL } from '../support/weftd.mjs';

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const SCENES = readdirSync(join(ROOT, 'server/scenes')).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));

async function enter(t, address) {
  const client = new WeftClient(`local:${address}`);
  t.after(() => client.close());
  await client.connect();
  return client;
}

/** A paused, empty local world that is kept, like the server's laboratory, and a client in it. */
async function localLaboratory(t, name) {
  const first = await enter(t, `${name}-door=empty`);
  await first.call('world.create', { name, scene: 'empty', paused: true });
  const client = await enter(t, name);
  return { client, call: (method, params) => client.call(method, params) };
}

/** What a call came to: its result, or its refusal. */
const outcomeOf = (call, method, params) => call(method, params).then((result) => ({ result }), ({ code, message, data }) => ({ code, message, data }));

// Of a server's replies, what depends on the machine, the moment or the name of the world, and the numbers of layouts.
const OWN = new Set(['timing', 'memory', 'kept', 'snapshots', 'epoch', 'bytes', 'capsule', 'world', 'people', 'name']);

function comparable(value, key = '') {
  if (Array.isArray(value)) return value.map((inner) => comparable(inner));
  if (key === 'frame') return digest(Buffer.from(value, 'base64').fill(0, 2, 4)); // whether it is the first one that its viewer sees
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !OWN.has(name)).map(([name, inner]) => [name, comparable(inner, name)]));
}

/** The calls of the comparison, in turn; a function gets the outcomes so far. */
const CALLS = (scene) => [
  ['scene.load', { name: scene }],
  ['world.get'],
  ['world.step', { ticks: 14 }],
  ['body.spawn', { position: [0.3, 3, 0.2] }],
  ['batch.run', { commands: [{ method: 'rope.spawn', params: { from: [-1, 3, 0], to: [1, 3, 0], particles: 12, pin: 'both' } }, { method: 'world.set', params: { damping: 0.02 } }] }],
  ['world.step', { ticks: 10 }],
  ['world.get'],
  (done) => ['grab.start', { object: done[3].result.object, particle: 0 }],
  (done) => ['grab.move', { grab: done[7].result.grab, position: [0.5, 2.5, 0] }],
  ['world.step', { ticks: 4 }],
  (done) => ['grab.move', { grab: done[7].result.grab, position: [0.5, 2.8, 0.4] }],
  ['world.step', { ticks: 4 }],
  (done) => ['grab.end', { grab: done[7].result.grab }],
  ['world.step', { ticks: 2 }],
  ['world.history', { most: 20 }],
  ['world.undo'], // the grab
  ['world.get'],
  ['world.undo'], // the batch
  ['world.step', { ticks: 3 }],
  ['world.get'],
  ['world.redo'],
  ['world.get'],
  ['world.redo'],
  ['world.get'],
  ['world.redo'],
  ['world.history'],
  ['world.log'],
  ['world.log', { from: 2, most: 2 }],
  ['world.seek', { tick: 16 }],
  ['world.get'],
  ['world.history'],
  ['world.seek', { tick: 100000 }],
  ['world.seek', {}],
  ['world.get'],
  ['world.replay', { from: 4, to: 20, tick: 16, speed: 0 }],
  ['world.get'],
  ['world.log', { from: 1 }],
  ['world.replay', { from: 20, to: 10 }],
  ['world.replay', { from: 10, to: 20, speed: 0.05 }],
  ['world.pause'],
  ['world.seek', {}],
  ['world.get'],
  ['world.replay', { from: 11, to: 20, speed: 0 }],
  ['particles.spawn', { positions: [[0, 4, 0]] }], // goes on from tick 11
  ['world.history'],
  ['world.get'],
  ['world.seek', { tick: 12, timeline: 2 }],
  ['world.history', { timeline: 99 }],
  ['object.list'],
  ['world.reset'],
  ['world.step', { ticks: 3 }],
  ['world.get'],
  ['world.undo', { scene: true }],
  ['world.get'],
  ['world.redo'],
  ['world.get'],
  ['world.cancel'],
  ['scene.list'],
  ['scene.preview', { name: 'rope', ticks: 5 }],
  ['scene.delete', { name: 'rope' }],
  ['scene.load', { name: 'no-such-scene' }],
  ['scene.load', { nam: 'rope' }],
  ['world.remove', { name: 'nowhere' }],
  ['world.create', { name: 'a b' }],
  ['world.seek', { tick: 'one' }],
];

for (const scene of SCENES) {
  test(`a local world gives the replies and states of a server: ${scene}`, { timeout: 300000 }, async (t) => {
    const server = await laboratory(t, ['--data', await dataFolder(t)]);
    const local = await localLaboratory(t, `lab-${scene}`);
    const expected = [];
    const found = [];
    for (const next of CALLS(scene)) {
      const [method, params] = typeof next === 'function' ? next(expected) : next;
      expected.push(await outcomeOf(server.call, method, params));
      found.push(await outcomeOf(local.call, method, params));
      assert.deepEqual(comparable(found.at(-1)), comparable(expected.at(-1)), `${expected.length - 1}: ${method} ${JSON.stringify(params)}`);
    }
    assert.ok(expected.filter(({ result }) => result?.stateHash).length > 10);
  });
}

test('a running local world sends frames and events, and a drag is taken back while it runs', { timeout: 60000 }, async (t) => {
  const client = await enter(t, 'running=cloth');
  const frames = new Set();
  client.on('frame', (frame) => {
    frames.add(frame.tick);
    client.recycle(frame);
  });
  const reasons = [];
  client.on('world.changed', ({ reason }) => reasons.push(reason));
  const news = [];
  client.on('undo.progress', (event) => news.push(event));
  await client.subscribeEvents();
  await client.subscribeFrames();
  await until(() => frames.size > 20, 'frames');
  const { objects: [{ object }] } = await client.call('object.list');
  const { grab } = await client.call('grab.start', { object, particle: 5 });
  for (let move = 0; move < 5; move++) {
    client.notify('grab.move', { grab, position: [0.1 * move, 3, 0.5] });
    const before = frames.size;
    await until(() => frames.size > before, 'a frame');
  }
  await client.call('grab.end', { grab });
  assert.equal((await client.call('world.history')).commands.filter(({ method }) => method.startsWith('grab.')).length, 7);
  assert.deepEqual(await client.call('world.undo', { background: true }), { background: true });
  await until(() => news.some(({ state }) => state === 'done'), 'the end of the undo');
  const { commands } = await client.call('world.history');
  assert.equal(commands.filter(({ method }) => method.startsWith('grab.')).length, 0);
  assert.ok(reasons.includes('undo'), reasons.join());
  assert.equal((await client.call('world.get')).running, true);
  const last = Math.max(...frames);
  await until(() => frames.has(last + 5), 'frames after it');
});

test('the past can be sought, played and computed again from the midst of a drag whose hand is still here', { timeout: 60000 }, async (t) => {
  const { localServer } = await import('../../web/client/local/server.js');
  const client = await enter(t, 'dragging=rope');
  const local = await (await localServer()).open('dragging');
  await client.call('world.pause');
  const { objects: [{ object }] } = await client.call('object.list');
  const { grab } = await client.call('grab.start', { object, particle: 2 });
  const hashes = new Map();
  const pull = async (count) => {
    for (let move = 0; move < count; move++) {
      await client.call('grab.move', { grab, position: [Math.sin(move / 9), 2 + Math.cos(move / 7) / 4, 0.25] });
      const { tick } = await client.call('world.step', { ticks: 1 });
      hashes.set(tick, (await client.call('world.get')).stateHash);
    }
  };
  await pull(20);
  local.keepSnapshot(); // as on a slower machine
  await pull(20);
  await client.call('grab.end', { grab });
  await client.call('body.spawn', { position: [0, 3, 0] });
  const { tick: last } = await client.call('world.step', { ticks: 1 });
  assert.deepEqual((({ undone, dropped }) => [undone, dropped])(await client.call('world.undo')), ['body.spawn', 0]);
  await client.call('world.redo');
  const from = last - 10;
  await client.call('world.replay', { from, to: last - 2, speed: 4 });
  await until(async () => (await client.call('world.get')).tick === last - 2, 'the end of what is played');
  assert.equal((await client.call('world.get')).stateHash, hashes.get(last - 2), 'played');
  await client.call('world.seek', {});
  await client.call('world.seek', { tick: from });
  assert.equal((await client.call('world.get')).stateHash, hashes.get(from), 'sought');
});

test('clients of a thread meet in a local world; one takes back only what is its own, and is told what others would lose', { timeout: 60000 }, async (t) => {
  const [one, other] = [await enter(t, 'shared=empty'), await enter(t, 'shared')];
  await one.call('world.pause');
  const { object } = await one.call('cloth.spawn', { columns: 4, rows: 4 });
  await other.call('particle.pin', { object, particles: [9] });
  await assert.rejects(one.call('world.undo'), ({ code, data }) => code === -32004 && data.pointer === '/force' && data.lost[0].method === 'particle.pin' && data.lost[0].client === other.hello.session);
  assert.equal((await other.call('object.list')).objects.length, 1);
  const { dropped, lost } = await one.call('world.undo', { force: true });
  assert.deepEqual([dropped, lost.length], [1, 1]);
  assert.equal((await other.call('object.list')).objects.length, 0);
  await one.call('world.redo');
  assert.equal((await other.call('object.get', { object })).pins, 3, 'two corners, and that of the other client');
  await assert.rejects(one.call('server.get'), ({ code, message }) => code === -32004 && /needs a server/.test(message));
});

test('a capsule of a local world is replayed by weftctl and by a server, and a server’s capsule by a local world', { timeout: 60000 }, async (t) => {
  const server = await laboratory(t);
  const local = await enter(t, 'source=tearing');
  await local.call('world.pause');
  await local.call('world.step', { ticks: 70 });
  await local.call('body.spawn', { position: [0, 3, 0] });
  await local.call('world.step', { ticks: 60 });
  await local.call('world.undo');
  await local.call('world.redo');
  const { stateHash, tick } = await local.call('world.get');
  for (const range of [{}, { from: 90 }]) {
    const { capsule } = await local.call('world.export', range);
    const name = `taken-${range.from ?? 0}`;
    assert.equal((await server.call('world.import', { name, capsule, paused: true })).tick, tick);
    const there = await server.server.connect(name);
    assert.equal((await there.call('world.get')).stateHash, stateHash, name);
    const back = (await there.call('world.export')).capsule;
    await local.call('world.import', { name, capsule: back, paused: true });
    const again = await enter(t, name);
    assert.equal((await again.call('world.get')).stateHash, stateHash, name);
  }
  const { capsule } = await local.call('world.export');
  const file = join(await dataFolder(t), 'local.capsule');
  await writeFile(file, Buffer.from(capsule, 'base64'));
  const { stdout } = await promisify(execFile)(WEFTCTL, ['replay', file, '--verify']);
  assert.match(stdout, new RegExp(stateHash));
  const damaged = Buffer.from(capsule, 'base64');
  damaged[damaged.length >> 1] ^= 4;
  await assert.rejects(local.call('world.import', { name: 'damaged', capsule: damaged.toString('base64') }), ({ code, data }) => code === -32602 && data.pointer === '/capsule');
});

test('branches of a local world are kept with their history, and found again when they are opened later', { timeout: 60000 }, async (t) => {
  const parent = await enter(t, 'parent=rope');
  await parent.call('world.pause');
  await parent.call('world.step', { ticks: 50 });
  const present = await parent.call('world.get');
  assert.deepEqual(await parent.call('world.branch', { name: 'branch' }), { world: 'branch', tick: present.tick });
  await parent.call('world.branch', { name: 'earlier', tick: 20 });
  await parent.call('world.seek', { tick: 20 });
  const past = (await parent.call('world.get')).stateHash;
  const rows = Object.fromEntries((await parent.call('world.list')).worlds.map((row) => [row.name, row]));
  assert.deepEqual(['parent', 'branch', 'earlier'].map((name) => rows[name]?.kept), [false, true, true]);
  await assert.rejects(parent.call('world.branch', { name: 'branch' }), /already/);
  const earlier = await enter(t, 'earlier');
  assert.equal((await earlier.call('world.get')).stateHash, past);

  const first = await enter(t, 'branch');
  assert.equal((await first.call('world.get')).stateHash, present.stateHash);
  const { object } = await first.call('body.spawn', { position: [0, 3, 0] });
  await first.call('world.step', { ticks: 40 });
  const left = await first.call('world.get');
  first.close();
  await until(async () => (await parent.call('world.list')).worlds.find(({ name }) => name === 'branch').clients === 0, 'the client is gone');
  const second = await enter(t, 'branch');
  const found = await second.call('world.get');
  assert.deepEqual([found.tick, found.stateHash], [left.tick, left.stateHash]);
  assert.equal((await second.call('world.undo')).undone, 'body.spawn', 'what was done before is taken back');
  await assert.rejects(second.call('object.get', { object }), ({ code }) => code === -32002);
  await second.call('world.remove', { name: 'branch' });
  await until(() => second.state === 'closed', 'the removed world is left');
  assert.equal((await parent.call('world.list')).worlds.some(({ name }) => name === 'branch'), false);
});

test('an array of requests is answered one by one, in order, with every digit as it was', async (t) => {
  const { localServer } = await import('../../web/client/local/server.js');
  const world = await (await localServer()).open('array', 'empty');
  const replies = [];
  const client = world.join({ deliver: (data) => replies.push(JSON.parse(data)), end: () => {} });
  t.after(() => world.leave(client));
  world.receive(client, '[{"jsonrpc":"2.0","id":1,"method":"world.pause"}, {"jsonrpc":"2.0","id":2,"method":"world.history"},{"jsonrpc":"2.0","id":3,"method":"rope.spawn","params":{"from":[-0.0,3,-0.0],"to":[1,3,-0.0],"name":"a \\"], [b"}},{"id":4},5,{"jsonrpc":"2.0","id":6,"method":"world.log"}]');
  await until(() => replies.some(({ id }) => id === 6), 'the last reply');
  assert.deepEqual(replies.filter(({ method }) => !method).map(({ id, error }) => [id, error?.code]), [[1, undefined], [2, undefined], [3, undefined], [4, -32600], [null, -32600], [6, undefined]]);
  const { params } = replies.at(-1).result.commands.at(-1);
  assert.ok([params.from[0], params.from[2], params.to[2]].every((value) => Object.is(value, -0)), JSON.stringify(params));
  assert.equal(params.name, 'a "], [b');
});

test('an address that names neither a local world nor a scene is refused with a reason', async () => {
  for (const [address, pattern] of [['nothing-here', /no local world and no scene "nothing-here"/], ['a b', /is no name of a world/]]) {
    await assert.rejects(new WeftClient(`local:${address}`).connect(), ({ code, message }) => code === 'closed' && pattern.test(message));
  }
});

test('saved scenes are listed, loaded and deleted', async (t) => {
  const client = await enter(t, 'saving=rope');
  await client.call('world.pause');
  const { commands } = await client.call('scene.save', { name: 'my-rope', title: 'My rope' });
  assert.ok(commands > 3);
  assert.deepEqual((await client.call('scene.list')).scenes.filter(({ saved }) => saved).map(({ name, title }) => [name, title]), [['my-rope', 'My rope']]);
  await assert.rejects(client.call('scene.save', { name: 'my-rope' }), /overwrite/);
  await assert.rejects(client.call('scene.save', { name: 'rope' }), /came with Weft/);
  await client.call('scene.load', { name: 'my-rope' });
  assert.equal((await client.call('world.get')).scene, 'my-rope');
  await client.call('scene.delete', { name: 'my-rope' });
  assert.equal((await client.call('scene.list')).scenes.some(({ saved }) => saved), false);
});
