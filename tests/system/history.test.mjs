// SPDX-License-Identifier: MIT
// History: any tick can be sought, to the bit; commands can be undone; abandoned timelines remain.
//
// WEFT_HISTORY_TICKS says how long the history of the default scene is (`make soak`: 36,000 ticks, ten minutes).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder, randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

const SLOW = process.env.WEFT_SANITIZER === 'thread';
const TICKS = Number(process.env.WEFT_HISTORY_TICKS ?? (SLOW ? 150 : 600));
const SEEKS = SLOW ? 15 : 50;
const SEEK_MS = process.env.WEFT_SANITIZER ? 20000 : 1000;
const NOT_THEN = [-32002, -32004, -32602]; // the target of a random command may not exist

async function keeping(t, more = []) {
  return laboratory(t, ['--data', await dataFolder(t), ...more]);
}

async function refused(promise, code, words) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

test(`seeking ${SEEKS} random ticks of ${TICKS} finds the state of the first run, each within a second`, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const { call, hash } = await keeping(t, ['--log-level', 'warn']);
  await call('scene.load', { name: 'default' });
  const hashes = [await hash()];
  const objects = [];
  while (hashes.length <= TICKS) {
    await call('world.step', { ticks: 1 });
    hashes.push(await hash());
    if (random.integer(10) > 0) continue;
    const { method, params } = randomChange(random, objects);
    const { object } = await call(method, params).catch(({ code, message }) => assert.ok(NOT_THEN.includes(code), message) ?? {});
    if (object && objects.length < 20) objects.push(object);
  }
  const epochs = new Set();
  let slowestMs = 0;
  for (let i = 0; i < SEEKS; i++) {
    const tick = i === 0 ? 0 : random.integer(TICKS + 1);
    const begun = performance.now();
    const { epoch, tick: arrived } = await call('world.seek', { tick });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    assert.equal(arrived, tick);
    assert.equal(await hash(), hashes[tick], `tick ${tick}`);
    assert.ok(!epochs.has(epoch), 'epochs never recur');
    epochs.add(epoch);
  }
  t.diagnostic(`${SEEKS} seeks in ${TICKS} ticks of the default scene, the slowest took ${slowestMs.toFixed(0)} ms`);
  assert.ok(slowestMs <= SEEK_MS, `a seek took ${slowestMs.toFixed(0)} ms`);
});

test('a seek changes nothing that was; what follows it is a timeline of its own', async (t) => {
  const { call, hash } = await keeping(t);
  await call('particles.spawn', { positions: [[0, 5, 0]] });
  await call('world.step', { ticks: 50 });
  const at50 = await hash();
  await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5 });
  await call('world.step', { ticks: 50 });
  const at100 = await hash();
  await call('world.seek', { tick: 50 });
  assert.equal(await hash(), at50);
  assert.equal((await call('object.list')).objects.length, 1, 'the rope came after');
  await call('world.seek', { tick: 100 });
  assert.equal(await hash(), at100, 'forward again: nothing has changed yet');
  await call('world.seek', { tick: 50 });
  await call('world.step', { ticks: 50 });
  const without = await hash();
  assert.notEqual(without, at100);
  const { timelines, home, timeline, last } = await call('world.history');
  assert.equal(home, timeline, 'after a change the newest is at home');
  assert.equal(last, 100);
  await call('world.seek', { tick: 100, timeline: timelines[0].timeline }).catch(() => {});
  const first = timelines.find(({ last: end, commands }) => end === 100 && commands > 2);
  await call('world.seek', { tick: 100, timeline: first.timeline });
  assert.equal(await hash(), at100, 'the one that was left can be named');
});

test('without a tick a seek goes to the end, with what was changed there', async (t) => {
  const { call, hash } = await keeping(t);
  await call('world.step', { ticks: 20 });
  await call('particles.spawn', { positions: [[0, 5, 0]] });
  const end = await hash();
  await call('world.seek', { tick: 3 });
  await call('world.seek');
  assert.equal(await hash(), end);
});

test('a seek survives a kill, and so does what follows it', async (t) => {
  const folder = await dataFolder(t);
  const args = ['--data', folder, '--world', 'lab=rope', '--paused'];
  const server = await Weftd.start(t, args);
  const client = await server.connect('lab');
  await client.call('world.step', { ticks: 80 });
  await client.call('world.seek', { tick: 30 });
  const at30 = (await client.call('world.get')).stateHash;
  await server.end('SIGKILL');
  const again = await Weftd.start(t, args);
  const state = await (await again.connect('lab')).call('world.get');
  assert.deepEqual([state.tick, state.stateHash, state.running], [30, at30, false]);
});

test('the first tick of a timeline that can be gone to may be one of the timeline it comes from', async (t) => {
  const { call } = await keeping(t);
  await call('world.step', { ticks: 60 });
  await call('world.seek', { tick: 40 });
  await call('particles.spawn', { positions: [[0, 1, 0]] });
  const { first, home, timelines } = await call('world.history');
  assert.deepEqual([first, timelines.find(({ timeline }) => timeline === home).first], [0, 40]);
  assert.equal((await call('world.seek', { tick: first, timeline: home })).tick, 0);
});

test('seeking asks for a history, a paused world, and a tick there is', async (t) => {
  const plain = await laboratory(t);
  await refused(plain.call('world.seek', { tick: 0 }), -32004, /--data/);
  await refused(plain.call('world.undo'), -32004, /--data/);
  await refused(plain.call('world.history'), -32004, /--data/);
  const { call } = await keeping(t);
  await call('world.step', { ticks: 5 });
  await refused(call('world.seek', { tick: 6 }), -32002, /0 to 5/);
  await refused(call('world.seek', { tick: 2, timeline: 99 }), -32002, /timeline 99/);
  await call('world.resume');
  await refused(call('world.seek', { tick: 2 }), -32004, /world\.pause/);
});

test('the first tick that is kept can be gone to, where what came before it has been folded', { timeout: 60000 }, async (t) => {
  const folder = await dataFolder(t);
  const server = await Weftd.start(t, ['--data', folder, '--history', '1s', '--world', 'lab=cloth', '--paused']);
  const client = await server.connect('lab');
  const folded = async () => {
    await client.call('particles.spawn', { positions: [[0, 5, 0]] });
    await client.call('world.step', { ticks: 40 });
    return (await client.call('world.history', { most: 0 })).first > 100;
  };
  await until(folded, 'the beginning to be folded', 40000);
  for (const [method, params] of [['world.seek', (tick) => ({ tick })], ['world.replay', (from) => ({ from, speed: 0 })], ['world.branch', (tick) => ({ name: 'branch', tick })]]) {
    for (;;) {
      const { first, home } = await client.call('world.history', { most: 0 });
      const error = await client.call(method, { ...params(first), timeline: home }).then(() => null, (refusal) => refusal);
      if (error === null) break;
      assert.ok((await client.call('world.history', { most: 0 })).first > first, `${method} to tick ${first}: ${error.message}`); // compacted again meanwhile
    }
    if (method !== 'world.branch') await client.call('world.seek');
  }
});

test('undo takes back the last command of who asks, and the rest goes on as if it had never been', async (t) => {
  const { server, call, hash } = await keeping(t);
  const other = await server.connect('lab');
  const scene = async (withMine) => {
    await call('world.reset');
    await call('particles.spawn', { positions: [[0, 5, 0]] });
    await call('world.step', { ticks: 30 });
    if (withMine) await call('force.apply', { object: first, force: [100, 0, 0] });
    await call('world.step', { ticks: 10 });
    await other.call('rope.spawn', { from: [2, 3, 0], to: [3, 3, 0], particles: 5 });
    await call('world.step', { ticks: 10 });
    return hash();
  };
  await call('world.reset');
  let first = (await call('particles.spawn', { positions: [[0, 5, 0]] })).object + 1;
  const without = await scene(false);
  first = (await call('object.list')).objects[0].object + 3; // ids continue: the id of the next scene's particle
  const objects = async () => (await call('object.list')).objects.map(({ object }) => object);
  await call('world.reset');
  first = (await call('particles.spawn', { positions: [[0, 5, 0]] })).object;
  await call('world.step', { ticks: 30 });
  await call('force.apply', { object: first, force: [100, 0, 0] });
  await call('world.step', { ticks: 10 });
  await other.call('rope.spawn', { from: [2, 3, 0], to: [3, 3, 0], particles: 5 });
  await call('world.step', { ticks: 10 });
  const with_ = await hash();
  const before = await objects();
  assert.notEqual(with_, without);
  const { undone, dropped, tick } = await call('world.undo');
  assert.deepEqual([undone, dropped, tick], ['force.apply', 0, 50]);
  assert.equal(await hash(), without);
  assert.deepEqual(await objects(), before, 'ids stay');
  const again = await call('world.undo');
  assert.equal(again.undone, 'particles.spawn');
  assert.deepEqual(await objects(), [before[1]]);
});

test('undo drops what needed the command, counts a grab as one, and takes a scene back', async (t) => {
  const { call, hash } = await keeping(t);
  const { object } = await call('particles.spawn', { positions: [[0, 5, 0]] });
  await call('world.step', { ticks: 5 });
  const before = await hash();
  const { grab } = await call('grab.start', { object, particle: 0 });
  for (let i = 0; i < 8; i++) {
    await call('grab.move', { grab, position: [i / 10, 5, 0] });
    await call('world.step', { ticks: 1 });
  }
  await call('grab.end', { grab });
  await call('world.step', { ticks: 2 });
  const undone = await call('world.undo');
  assert.equal(undone.undone, 'grab.end');
  assert.equal(undone.tick, 15);
  await call('world.seek', { tick: 5 });
  assert.equal(await hash(), before);
  await call('world.seek', { tick: 15 });
  await call('scene.load', { name: 'rope' });
  await call('world.step', { ticks: 3 });
  const back = await call('world.undo');
  assert.deepEqual([back.undone, back.tick], ['scene.load', 15]);
});

test('who has changed nothing has nothing to take back', async (t) => {
  const { server, call } = await keeping(t);
  await call('particles.spawn', { positions: [[0, 5, 0]] });
  const other = await server.connect('lab');
  await refused(other.call('world.undo'), -32002, /no change to undo/);
});

test('a running world takes a command back as well and runs on', async (t) => {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--world', 'lab=rope']);
  const client = await server.connect('lab');
  const { object } = await client.call('particles.spawn', { positions: [[0, 5, 0]] });
  const { tick } = await client.call('world.undo');
  const { objects } = await client.call('object.list');
  assert.ok(!objects.some(({ object: id }) => id === object));
  const state = await client.call('world.get');
  assert.ok(state.running && state.tick >= tick);
});
