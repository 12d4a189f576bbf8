// SPDX-License-Identifier: MIT
// The order of snapshots and ticks in a client that follows a world: snapshots are restored in their order, and ticks of a
// snapshot that another one has replaced are dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { loadEngine } from '../../web/client/engine/engine.js';
import { Follower } from '../../web/client/lockstep/follower.js';
import { Predictor } from '../../web/client/lockstep/predictor.js';
import { sleep, until } from '../support/wait.mjs';

const HEADER = 16;
const DEFLATED = 1;
const [SNAPSHOT, TICKS] = [5, 6];
const KEEP_EVERY = 12; // ticks between states that a Predictor keeps
const STANDING_MS = 300; // without ticks a Predictor takes the world for one that stands
const SETTLED_MS = 300; // timers of a follower are shorter

/** Messages of a world as its server sends them: a snapshot, then ticks. */
async function messagesOfWorld(ticks) {
  const world = (await loadEngine()).createWorld({ particles: 2000, sticks: 8000, objects: 64, obstacles: 64 });
  const submit = (method, params) => world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const take = () => Array.from(world.outputs()).filter(({ kind, bytes }) => kind === 'binary' && bytes[0] >= SNAPSHOT).map(({ bytes }) => bytes);
  world.join(1);
  submit('cloth.spawn', { columns: 8, rows: 8, position: [0, 2, 0] });
  world.tick();
  submit('frames.subscribe', { encoding: 'ticks' });
  world.apply();
  const [snapshot] = take();
  for (let tick = 0; tick < ticks; tick++) world.tick();
  return { snapshot, ticks: take(), world, submit, take };
}

function inGeneration(message, generation) {
  const copy = message.slice();
  new DataView(copy.buffer).setUint32(4, generation, true);
  return copy;
}

function deflated(message) {
  const header = message.slice(0, HEADER);
  header[1] |= DEFLATED;
  return new Uint8Array(Buffer.concat([header, deflateSync(message.subarray(HEADER))]));
}

/** A follower, the engine's worlds that it has made, and what it has reported. */
function follow(Kind) {
  const worlds = [], failures = [];
  let told = 0;
  const load = async () => {
    const engine = await loadEngine();
    const createWorld = engine.createWorld.bind(engine);
    engine.createWorld = (room) => {
      worlds.push(createWorld(room));
      return worlds.at(-1);
    };
    return engine;
  };
  const follower = new Kind({ load, name: 'world', tickHz: 60, client: 1, tell: () => told++, fail: (reason, error) => failures.push(`${reason}: ${error.message}`) });
  return { follower, worlds, failures, told: () => told };
}

test('a world that stands while it is changed is not predicted to go on', async (t) => {
  const { snapshot, ticks, submit, world, take } = await messagesOfWorld(6);
  const { follower, worlds, failures, told } = follow(Predictor);
  t.after(() => follower.end());
  follower.receive(snapshot);
  await until(() => told() > 0, 'the snapshot');
  for (const message of ticks) follower.receive(message);
  submit('world.pause', {});
  submit('grab.start', { object: 1, particle: 12 });
  world.tick();
  take().forEach((message) => follower.receive(message));
  let step = 0;
  await until(() => {
    submit('grab.move', { grab: 2, position: [0.01 * (step++ % 10), 2, 0] });
    world.apply();
    take().forEach((message) => follower.receive(message));
    return step > 200 && worlds.at(-1).tickCount === world.tickCount;
  }, 'the tick of the world that stands');
  await until(() => worlds.at(-1).tickCount === world.tickCount && worlds.at(-1).hash === world.hash, 'its state');
  assert.deepEqual(failures, []);
});

test('a client that takes too long to go back says that it is too slow', async (t) => {
  const { snapshot, ticks } = await messagesOfWorld(40);
  const { follower, worlds, failures, told } = follow(Predictor);
  t.after(() => follower.end());
  follower.receive(snapshot);
  await until(() => told() > 0, 'the snapshot');
  const [own] = worlds;
  const takeLong = () => { for (const end = performance.now() + 80; performance.now() < end;); };
  for (const name of ['follow', 'step']) {
    const call = own[name].bind(own);
    own[name] = (...parameters) => {
      takeLong();
      return call(...parameters);
    };
  }
  const record = [2, 99, 4, 255, 255, 255, 255]; // another client's grab is released, which there is none of
  const [first, ...rest] = ticks;
  const acted = Uint8Array.from([...first.subarray(0, HEADER), ...record]);
  acted[3] = 1; // records
  follower.receive(acted);
  for (const message of rest) follower.receive(message);
  await until(() => failures.length > 0, 'the end');
  assert.match(failures[0], /^slow: This machine /);
});

for (const Kind of [Follower, Predictor]) {
  test(`ticks that wait when another snapshot comes are dropped (${Kind.name})`, async (t) => {
    const { snapshot, ticks } = await messagesOfWorld(9);
    assert.ok(ticks.length >= 4 && ticks.every(([type]) => type === TICKS));
    const { follower, worlds, failures, told } = follow(Kind);
    t.after(() => follower.end());
    follower.receive(snapshot);
    await until(() => told() > 0, 'the first snapshot');
    follower.receive(ticks[0]);
    follower.receive(inGeneration(snapshot, 1));
    await sleep(SETTLED_MS); // the timer for the ticks that waited has run
    assert.deepEqual(failures, []);
    for (const message of ticks) follower.receive(inGeneration(message, 1));
    await until(() => worlds.at(-1).tickCount >= 9, 'the ticks of the second snapshot');
    assert.deepEqual(failures, []);
  });

  test(`snapshots are restored in the order in which they came (${Kind.name})`, async (t) => {
    const { snapshot, ticks } = await messagesOfWorld(5);
    const { follower, worlds, failures, told } = follow(Kind);
    t.after(() => follower.end());
    follower.receive(deflated(snapshot)); // takes longer than the one after it
    follower.receive(inGeneration(snapshot, 1));
    await until(() => told() > 0, 'a snapshot');
    for (const message of ticks) follower.receive(inGeneration(message, 1));
    await until(() => worlds.at(-1).tickCount >= 5, 'the ticks of the second snapshot');
    assert.equal(worlds.length, 1);
    assert.deepEqual(failures, []);
  });

  test(`whoever has ended makes no world of a snapshot that was being restored (${Kind.name})`, async () => {
    const { snapshot } = await messagesOfWorld(0);
    const { follower, worlds, failures, told } = follow(Kind);
    follower.receive(deflated(snapshot));
    follower.end();
    const other = follow(Kind); // takes as long for the same
    other.follower.receive(deflated(snapshot));
    await until(() => other.told() > 0, 'the snapshot in another one');
    other.follower.end();
    assert.deepEqual([worlds.length, told(), failures.length], [0, 0, 0]);
  });
}

test('a command whose record comes before its tick is computed is applied once, also after going back', async () => {
  const { snapshot, world, submit, take } = await messagesOfWorld(0);
  const { follower, worlds, failures } = follow(Predictor);
  const receive = () => take().forEach((message) => follower.receive(message));
  follower.receive(snapshot);
  await until(() => worlds[0]?.tickCount === world.tickCount, 'the world of the snapshot');
  const first = world.tickCount;
  const keepsNow = () => worlds[0].tickCount > first && (worlds[0].tickCount - first) % KEEP_EVERY === 0;
  const isAhead = () => worlds[0].tickCount >= world.tickCount + 2;
  for (let toldAt = -Infinity; !keepsNow() || !isAhead(); await nextTurn()) {
    if (!isAhead() && performance.now() - toldAt < STANDING_MS / 2) continue;
    world.tick();
    world.tick(); // ticks are told of in pairs
    receive();
    toldAt = performance.now();
  }
  while (world.tickCount < worlds[0].tickCount) world.tick();
  receive();

  // The server applies the command after the very tick that was computed last here, and says so before the next one is.
  const act = follower.act(2, 'rope.spawn', { from: [0, 2, 0], to: [1, 2, 0], particles: 5 });
  assert.equal(act?.atTick, world.tickCount + 1);
  submit('rope.spawn', { from: [0, 2, 0], to: [1, 2, 0], particles: 5 });
  world.tick();
  receive();
  await until(() => worlds[0].tickCount > world.tickCount + 1, 'the next ticks');
  for (let tick = 0; tick < 4; tick++) world.tick();
  receive();
  world.join(2);
  world.submit(2, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'world.set', params: { damping: 0.5 } })); // was not predicted
  world.tick();
  receive();
  const state = await follower.confirmed();
  assert.deepEqual([state?.tick, state?.hash, failures], [world.tickCount, world.hash, []]);
  follower.end();
});
