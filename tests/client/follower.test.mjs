// SPDX-License-Identifier: MIT
// The order of snapshots and ticks in a client that follows a world: snapshots are restored in their order, and ticks of a
// snapshot that another one has replaced are dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { loadEngine } from '../../web/client/engine/engine.js';
import { Follower } from '../../web/client/lockstep/follower.js';
import { Predictor } from '../../web/client/lockstep/predictor.js';
import { sleep, until } from '../support/wait.mjs';

const HEADER = 16;
const DEFLATED = 1;
const [SNAPSHOT, TICKS] = [5, 6];
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
  return { snapshot, ticks: take() };
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
}
