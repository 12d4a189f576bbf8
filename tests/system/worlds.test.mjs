// SPDX-License-Identifier: MIT
// Creating and removing worlds while the server runs: from a scene, as a branch of another at any tick; and restoring them
// after a kill.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

const names = async (client) => (await client.call('world.list')).worlds.map(({ name }) => name).sort();

test('a world is made, lived in, listed and removed', async (t) => {
  const { server, client, call } = await laboratory(t);
  assert.deepEqual(await names(client), ['lab']);
  assert.deepEqual(await call('world.create', { name: 'B-2', scene: 'rope', paused: true, tickHz: 120 }), { world: 'B-2', tick: 0 });
  assert.deepEqual(await names(client), ['B-2', 'lab']);
  const guest = await server.connect('B-2', { reconnect: false });
  assert.deepEqual([guest.hello.world, guest.hello.tickHz, guest.hello.running, guest.hello.scene], ['B-2', 120, false, 'rope']);
  assert.ok((await guest.call('object.list')).objects.length > 0);
  const gone = new Promise((resolve) => guest.on('state', ({ state, reason }) => state === 'closed' && resolve(reason)));
  assert.deepEqual(await call('world.remove', { name: 'B-2' }), { world: 'B-2' });
  assert.match(await gone, /removed/);
  assert.deepEqual(await names(client), ['lab']);
  await assert.rejects(server.connect('B-2'));
});

test('names are taken once, are well-formed, and the last world stays', async (t) => {
  const { call } = await laboratory(t);
  await refused(call('world.create', { name: 'lab' }), -32004, /"lab".*already/);
  await refused(call('world.create', { name: 'a/b' }), -32602, /letters, digits/);
  await refused(call('world.create', { name: 'x', scene: 'nosuchscene' }), -32002, /nosuchscene/);
  await refused(call('world.create', { name: 'x', tickHz: 0 }), -32602, /tickHz/);
  await refused(call('world.remove', { name: 'nosuch' }), -32002, /nosuch/);
  await refused(call('world.remove', { name: 'lab' }), -32004, /only world/);
  await call('world.create', { name: 'x' });
  await call('world.remove', { name: 'x' });
  await call('world.create', { name: 'x' }); // the name can be used again
});

test('there are as many worlds as allowed, and a removed one makes room', async (t) => {
  const { call } = await laboratory(t, ['--max-worlds', '3', '--max-particles', '1000']);
  await call('world.create', { name: 'b' });
  await call('world.create', { name: 'c' });
  await refused(call('world.create', { name: 'd' }), -32003, /at most 3 worlds/);
  for (let i = 0; i < (process.env.WEFT_SANITIZER === 'thread' ? 10 : 80); i++) { // more than the server permits
    await call('world.remove', { name: 'c' });
    const waiting = ({ code, data }) => assert.ok(code === -32000 && data.retryAfterMs > 0);
    await until(() => call('world.create', { name: 'c' }).catch(waiting), 'room for another world');
  }
});

test('a server has hundreds of worlds if it may', async (t) => {
  const count = 200;
  const names = Array.from({ length: count }, (_, at) => `lab-${at}`);
  const server = await Weftd.start(t, ['--max-worlds', String(count), '--paused', ...names.flatMap((name) => ['--world', `${name}=empty`])]);
  const client = await server.connect(names.at(-1));
  assert.deepEqual((await client.call('world.list')).worlds.map(({ name }) => name).sort(), names.sort());
  await client.call('particles.spawn', { positions: [[0, 1, 0]] });
  assert.equal((await client.call('world.get')).counts.particles, 1);
  await refused(client.call('world.create', { name: 'one-more' }), -32003, /at most 200 worlds/);
  assert.equal((await (await fetch(server.http('/metrics'))).text()).match(/^weft_world_running\{/gm).length, count);
});

test('a branch begins as its parent is, to the bit, and each goes its own way', async (t) => {
  const { server, client, call, hash } = await laboratory(t);
  const { object } = await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 6, name: 'a rope' });
  await call('world.step', { ticks: 30 });
  assert.deepEqual(await call('world.branch', { name: 'other' }), { world: 'other', tick: 30 });
  const other = await server.connect('other');
  const state = async () => (await other.call('world.get')).stateHash;
  assert.equal(await state(), await hash());
  assert.equal((await other.call('object.get', { object })).name, 'a rope');
  await Promise.all([call('world.step', { ticks: 60 }), other.call('world.step', { ticks: 60 })]);
  assert.equal(await state(), await hash(), 'without commands of their own they stay the same');
  const mine = await call('particles.spawn', { positions: [[0, 5, 0]] });
  assert.notEqual(await state(), await hash());
  const theirs = await other.call('particles.spawn', { positions: [[0, 5, 0]] });
  assert.equal(theirs.object, mine.object, 'ids go on alike');
  assert.equal(await state(), await hash(), 'the same command does the same');
  assert.deepEqual(await names(client), ['lab', 'other']);
});

test('a list that is asked for before the first turn of a branch has its tick and its particles', async (t) => {
  const { call } = await laboratory(t);
  await call('cloth.spawn', { columns: 3, rows: 4 });
  await call('world.step', { ticks: 30 });
  for (let i = 0; i < 20; i++) {
    const name = `branch${i}`;
    const [, { worlds }] = await Promise.all([call('world.branch', { name }), call('world.list')]);
    const { tick, particles, running } = worlds.find((world) => world.name === name);
    assert.deepEqual({ tick, particles, running }, { tick: 30, particles: 12, running: false });
  }
});

test('a branch may begin at any tick of a history', async (t) => {
  const { server, call, hash } = await laboratory(t, ['--data', await dataFolder(t)]);
  await call('scene.load', { name: 'rope' });
  const hashes = [];
  for (let tick = 0; tick < 90; tick++) {
    hashes.push(await hash()); // changes of this tick come after the hash
    if (tick === 40) await call('particles.spawn', { positions: [[0, 5, 0]] });
    await call('world.step', { ticks: 1 });
  }
  for (const tick of [0, 17, 41, 42, 89]) {
    const name = `at-${tick}`;
    assert.deepEqual(await call('world.branch', { name, tick }), { world: name, tick });
    const branch = await server.connect(name);
    const state = await branch.call('world.get');
    assert.deepEqual([state.tick, state.stateHash, state.running], [tick, hashes[tick], false], name);
  }
  await refused(call('world.branch', { name: 'never', tick: 91 }), -32002, /91/);
  const plain = await laboratory(t);
  await refused(plain.call('world.branch', { name: 'past', tick: 0 }), -32004, /--data/);
});

test('worlds that were made are there after a kill, removed ones are not', async (t) => {
  const args = ['--data', await dataFolder(t), '--world', 'lab=empty', '--paused'];
  const server = await Weftd.start(t, args);
  const client = await server.connect('lab');
  await client.call('world.create', { name: 'kept', scene: 'rope', tickHz: 30 });
  await client.call('world.create', { name: 'dropped' });
  const kept = await server.connect('kept');
  await kept.call('world.step', { ticks: 25 });
  await kept.call('world.branch', { name: 'branch', tick: 10 });
  await client.call('world.remove', { name: 'dropped' });
  const before = await kept.call('world.get');
  await server.end('SIGKILL');
  const again = await Weftd.start(t, args);
  const visitor = await again.connect('kept');
  const after = await visitor.call('world.get');
  assert.deepEqual([after.tick, after.stateHash, after.tickHz, after.scene], [25, before.stateHash, 30, 'rope']);
  assert.deepEqual(await names(visitor), ['branch', 'kept', 'lab']);
  assert.equal((await (await again.connect('branch')).call('world.get')).tick, 10);
});

test('a world is removed while it takes a command back: that is no loss, and a new one of its name is another', async (t) => {
  const { server, call } = await laboratory(t, ['--data', await dataFolder(t)]);
  await call('world.create', { name: 'side', paused: true });
  const [side, other] = [await server.connect('side'), await server.connect('side')];
  await side.call('particles.spawn', { positions: [[0, 1, 0]] }); // the first command: replaying without it takes long
  await other.call('cloth.spawn', { columns: 40, rows: 40, position: [0, 4, 0], thickness: 0.02, selfCollision: true });
  await other.call('world.step', { ticks: 40 });
  side.call('world.undo').catch(() => {}); // its connection ends
  await call('world.list'); // the undo has begun by now
  await call('world.remove', { name: 'side' });
  await until(() => side.state === 'closed', 'the connection to end', 30000);
  await call('world.create', { name: 'side', paused: true });
  assert.equal((await (await server.connect('side')).call('world.get')).counts.objects, 0);
  assert.doesNotMatch(server.stderr, / error /);
});
