// SPDX-License-Identifier: MIT
// Clients in a world: names and colors, grabs, pointers and selections; undo and redo.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next } from '../support/wait.mjs';
import { laboratory, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const HEX = /^#[0-9a-f]{6}$/;

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

const find = (people, client) => people.find((person) => person.client === client.hello.session);

test('everyone who comes has a name and a color of their own, and others hear who came and went', async (t) => {
  const { server, client, call } = await laboratory(t);
  const { you } = client.hello;
  assert.equal(you.client, client.hello.session);
  assert.ok(you.name.length > 0);
  assert.match(you.color, HEX);
  assert.equal(you.role, 'admin');
  await client.subscribeEvents(['client.joined', 'client.changed', 'client.left']);
  const joined = next(client, 'client.joined');
  const others = [];
  for (let i = 0; i < 8; i++) others.push(await server.connect('lab'));
  const { clients, ...who } = await joined;
  assert.deepEqual(who, others[0].hello.you);
  assert.equal(clients, 2);
  const { people } = await call('people.list');
  assert.equal(people.length, 9);
  assert.equal(new Set(people.map(({ name }) => name)).size, 9, 'names differ');
  assert.equal(new Set(people.map(({ color }) => color)).size, 9, 'colors differ');
  const changed = next(client, 'client.changed');
  const answer = await others[0].call('client.introduce', { name: 'Ada Lovelace', color: '#AA00ff' });
  assert.deepEqual(answer, { client: others[0].hello.session, name: 'Ada Lovelace', color: '#aa00ff', role: 'admin' });
  assert.deepEqual(await changed, answer);
  assert.equal(find((await call('people.list')).people, others[0]).name, 'Ada Lovelace');
  assert.equal((await others[0].call('client.introduce', { color: '#010203' })).name, 'Ada Lovelace', 'the name stays');
  const left = next(client, 'client.left');
  others[0].close();
  assert.deepEqual((({ client: number, name, color }) => [number, name, color])(await left), [answer.client, 'Ada Lovelace', '#010203']);
});

test('a name has 1 to 40 characters, none of them for control, and a color is #rrggbb', async (t) => {
  const { client, call } = await laboratory(t);
  assert.equal((await call('client.introduce', { name: '𝔸'.repeat(40) })).name, '𝔸'.repeat(40));
  const before = (await call('people.list')).people;
  for (const name of ['', 'x'.repeat(41), 'a\nb', 'a\u0007', '\u007f', '   ', 7, null]) {
    await refused(call('client.introduce', { name }), -32602, /name/);
  }
  await refused(call('client.introduce', { name: 'x'.repeat(41) }), -32602, /1 to 40 characters/);
  for (const color of ['red', '#fff', '#12345g', 3]) await refused(call('client.introduce', { color }), -32602, /color/);
  await refused(call('client.introduce', { name: 'Ada', color: 'red' }), -32602, /color/);
  await refused(call('client.introduce', { nme: 'Ada' }), -32602, /did you mean name/);
  assert.deepEqual((await call('people.list')).people, before, 'nothing changed');
  assert.equal(client.state, 'open');
});

test('selections are seen by all, told to those who come late, and lose what goes', async (t) => {
  const { server, client, call, hash } = await laboratory(t);
  const { object: cloth } = await call('cloth.spawn', { columns: 4, rows: 4, position: [0, 3, 0] });
  const { object: body } = await call('body.spawn', { position: [2, 3, 0] });
  const before = await hash();
  const other = await server.connect('lab');
  await other.subscribeEvents(['selection.changed']);
  const changed = next(other, 'selection.changed');
  await call('selection.show', { objects: [body], particles: [[cloth, 0, 4], [cloth, 8, 1]] });
  assert.deepEqual(await changed, { client: client.hello.session, objects: [body], particles: [[cloth, 0, 4], [cloth, 8, 1]] });
  const late = await server.connect('lab');
  const selected = async () => find((await late.call('people.list')).people, client).selection;
  assert.deepEqual(await selected(), { objects: [body], particles: [[cloth, 0, 4], [cloth, 8, 1]] });
  await refused(call('selection.show', { objects: [999] }), -32002, /no object 999/);
  await refused(call('selection.show', { particles: [[999, 0, 1]] }), -32002, /no object 999/);
  await refused(call('selection.show', { particles: [[cloth, 15, 2]] }), -32602, /has 16/);
  await refused(call('selection.show', { particles: [[cloth, 0, 0]] }), -32602, /at least one/);
  await refused(call('selection.show', { particles: [cloth, 0] }), -32602, /multiple of 3/);
  await refused(call('selection.show', { objects: Array(257).fill(body) }), -32602, /0 to 256/);
  await refused(call('selection.show', { particles: Array(257).fill([cloth, 0, 1]) }), -32602, /particles/);
  assert.deepEqual(await selected(), { objects: [body], particles: [[cloth, 0, 4], [cloth, 8, 1]] }, 'nothing changed');
  assert.equal(await hash(), before, 'it is no state of the world');
  await call('object.remove', { object: body });
  assert.deepEqual(await selected(), { objects: [], particles: [[cloth, 0, 4], [cloth, 8, 1]] });
  const { obstacle } = await call('obstacle.add', { shape: 'sphere', radius: 0.2 });
  await call('selection.show', { objects: [cloth, obstacle] });
  assert.deepEqual(await selected(), { objects: [cloth, obstacle], particles: [] });
  await call('obstacle.remove', { obstacle });
  assert.deepEqual(await selected(), { objects: [cloth], particles: [] });
  await call('selection.show');
  assert.deepEqual(await selected(), { objects: [], particles: [] });
});

test('pointers and grabs are told with whose they are', async (t) => {
  const { server, client, call } = await laboratory(t);
  const { object } = await call('cloth.spawn', { columns: 4, rows: 4, position: [0, 3, 0] });
  const other = await server.connect('lab');
  await other.call('client.introduce', { name: 'Grace' });
  await client.subscribeEvents(['grab.started', 'pointer.moved']);
  const moved = next(client, 'pointer.moved');
  await other.call('pointer.move', { position: [1, 2, 3] });
  assert.deepEqual(await moved, { client: other.hello.session, position: [1, 2, 3] });
  assert.deepEqual(find((await call('people.list')).people, other).pointer, [1, 2, 3]);
  const gone = next(client, 'pointer.moved');
  await other.call('pointer.move');
  assert.deepEqual(await gone, { client: other.hello.session });
  assert.equal(find((await call('people.list')).people, other).pointer, undefined);
  const started = next(client, 'grab.started');
  const { grab } = await other.call('grab.start', { object, particle: 15 });
  assert.equal((await started).client, other.hello.session);
  const [held] = find((await call('people.list')).people, other).grabs;
  assert.deepEqual([held.grab, held.object, held.particles], [grab, object, [15]]);
  await refused(call('grab.start', { object, particle: 15 }), -32004, /held by grab \d+, of Grace \(client \d+\)/);
  await refused(other.call('grab.start', { object, particle: 15 }), -32004, /of yourself/);
  const mine = await call('grab.start', { object, particle: 12 });
  assert.ok(mine.grab > grab, 'two hands hold one cloth');
});

test('the list of worlds tells who is where, and a token names who shows it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-presence-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const { stdout } = await run(WEFTCTL, ['token', 'make', 'viewer', 'class-7b', '--tokens', file]);
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--world', 'hall=empty', '--tokens', file]);
  const token = stdout.trim();
  const one = await server.connect('lab', { token });
  const two = await server.connect('hall', { token });
  const { people } = await one.call('people.list'); // permitted for a viewer
  assert.deepEqual(people.map(({ name, role }) => [name, role]), [['class-7b', 'viewer']]);
  await two.call('client.introduce', { name: 'Linus', color: '#112233' });
  const { worlds } = await one.call('world.list');
  assert.deepEqual(worlds.find(({ name }) => name === 'hall').people,
    [{ client: two.hello.session, name: 'Linus', color: '#112233', role: 'viewer' }]);
  assert.equal(worlds.find(({ name }) => name === 'lab').people[0].name, 'class-7b');
});

// ---- giving again ----------------------------------------------------------------------------------------------------

const keeping = async (t) => laboratory(t, ['--data', await dataFolder(t)]);

test('what was taken back is given again at its own tick, under its own ids, to the same state', async (t) => {
  const { server, call, hash } = await keeping(t);
  const other = await server.connect('lab');
  await refused(call('world.redo'), -32002, /nothing to redo/);
  const { object } = await call('cloth.spawn', { columns: 6, rows: 6, position: [0, 3, 0] });
  await call('world.step', { ticks: 5 });
  await other.call('rope.spawn', { from: [2, 3, 0], to: [3, 3, 0], particles: 5 });
  const { grab } = await call('grab.start', { object, particle: 35 });
  for (let i = 0; i < 6; i++) {
    await call('grab.move', { grab, position: [i / 10, 2, 0.5] });
    await call('world.step', { ticks: 2 });
  }
  await call('grab.end', { grab });
  await call('particle.unpin', { object, particles: [0] });
  await call('world.step', { ticks: 4 });
  const states = [await hash()];
  const undone = [];
  for (let i = 0; i < 3; i++) {
    undone.unshift((await call('world.undo')).undone);
    states.unshift(await hash());
  }
  assert.equal(new Set(states).size, 4, 'each makes a difference');
  assert.deepEqual((await call('object.list')).objects.map(({ kind }) => kind), ['rope']);
  for (let i = 0; i < 3; i++) {
    const { redone, dropped, tick } = await call('world.redo');
    assert.deepEqual([redone, dropped, tick], [undone[i], 0, 21]);
    assert.equal(await hash(), states[i + 1], `after ${redone}`);
  }
  assert.ok((await call('object.list')).objects.some((known) => known.object === object), 'ids stay');
  await refused(call('world.redo'), -32002, /nothing to redo/);
  assert.equal((await call('world.undo')).undone, undone[2], 'and back again');
});

test('what others do meanwhile stays, and their ids are theirs', async (t) => {
  const { server, call } = await keeping(t);
  const other = await server.connect('lab');
  const { object: mine } = await call('particles.spawn', { positions: [[0, 5, 0]] });
  await call('world.step', { ticks: 3 });
  await call('world.undo');
  const { object: theirs } = await other.call('particles.spawn', { positions: [[2, 5, 0]] });
  assert.notEqual(theirs, mine);
  await call('world.step', { ticks: 3 });
  await other.call('world.undo');
  await other.call('world.redo');
  await call('world.redo');
  const objects = (await call('object.list')).objects.map(({ object }) => object).sort((a, b) => a - b);
  assert.deepEqual(objects, [mine, theirs].sort((a, b) => a - b));
  const { positions: [[x, y]] } = await call('particle.read', { object: mine });
  assert.equal(x, 0);
  assert.ok(y < 5, 'it has fallen as if it had never been away');
});

test('a new command, a scene and going back in time end what can be given again; the clock does not', async (t) => {
  const { call } = await keeping(t);
  const spawn = () => call('particles.spawn', { positions: [[0, 5, 0]] });
  await spawn();
  await call('world.undo');
  await call('world.resume');
  await call('world.pause');
  assert.equal((await call('world.redo')).redone, 'particles.spawn');
  await call('world.undo');
  await spawn();
  await refused(call('world.redo'), -32002, /nothing to redo/);
  await call('world.undo');
  await call('scene.load', { name: 'rope' });
  await refused(call('world.redo'), -32002, /nothing to redo/);
  await spawn();
  await call('world.step', { ticks: 5 });
  await call('world.undo');
  await call('world.seek', { tick: 1 });
  await refused(call('world.redo'), -32002, /nothing to redo/);
});

test('without a history there is nothing to give again', async (t) => {
  const { call } = await laboratory(t, ['--data', ':memory:']);
  await refused(call('world.redo'), -32004, /--data/);
});
