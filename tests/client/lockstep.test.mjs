// SPDX-License-Identifier: MIT
// A client that computes the ticks itself shows, tick for tick, the very positions that the server has; it finds a wrong
// state, and uses the server's frames where it cannot compute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WeftClient } from '../../web/client/client.js';
import { loadEngine } from '../../web/client/engine/engine.js';
import { laboratory } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';

// Half as many ticks a second, so that a busy machine computes them in time.
const UNHURRIED = ['--tick-hz', '30'];

/** The first positions of each tick that a client shows: what is changed while the world stands is not always shown at once. */
function positionsByTick(client) {
  const seen = new Map();
  client.on('frame', (frame) => {
    if (!seen.has(frame.tick)) seen.set(frame.tick, { positions: [...frame.positions], source: client.statistics.source });
    client.recycle(frame);
  });
  return seen;
}

async function connect(t, server, options = {}) {
  const { default: WebSocket } = await import('ws');
  const client = new WeftClient(server.url('lab'), { WebSocket, predict: false, ...options });
  t.after(() => client.close());
  await client.connect();
  return client;
}

test('positions of ticks that are computed here are those of the server to the bit', async (t) => {
  const { server, call } = await laboratory(t, UNHURRIED);
  await call('scene.load', { name: 'cloth' });
  const [raw, own] = [await connect(t, server), await connect(t, server)];
  const [expected, seen] = [positionsByTick(raw), positionsByTick(own)];
  await raw.subscribeFrames({ encoding: 'raw' });
  await own.subscribeFrames({ encoding: 'ticks' });
  let object;
  for (let tick = 1; tick <= 40; tick++) { // in steps, which a slow machine can follow, too
    if (tick === 20) ({ object } = await call('body.spawn', { position: [0, 2, 0] }));
    await call('world.step', { ticks: 1 });
    await until(() => seen.has(tick) && expected.has(tick), `tick ${tick}`);
  }
  await until(() => own.topology.objects.some(({ id }) => id === object), 'the body');
  const both = [...seen.keys()].filter((each) => expected.has(each));
  assert.ok(both.length > 20, `${both.length} ticks`);
  for (const each of both) assert.deepEqual(seen.get(each).positions, expected.get(each).positions, `tick ${each}`);
  assert.equal(own.topology.particles, raw.topology.particles);
  assert.deepEqual(own.topology.objects.map(({ id, name, kind }) => ({ id, name, kind })), raw.topology.objects.map(({ id, name, kind }) => ({ id, name, kind })));
  assert.equal(own.statistics.source, 'ticks');
  assert.ok(own.statistics.bytesReceived < raw.statistics.bytesReceived / 2);
});

test('a world that stands is shown, and so is what is changed in it', async (t) => {
  const { server, call } = await laboratory(t);
  await call('cloth.spawn', { columns: 5, rows: 5, position: [0, 2, 0] });
  for (const predict of [false, true]) {
    const client = await connect(t, server, { predict });
    let newest = 0; // coordinates
    client.on('frame', ({ positions }) => { newest = positions.length; });
    const seen = positionsByTick(client);
    await client.subscribeFrames({ encoding: 'ticks' });
    await until(() => seen.size > 0, 'a first frame');
    const { object } = await call('cloth.spawn', { columns: 4, rows: 4, position: [0, 3, 0] });
    await until(() => client.topology?.objects.some(({ id }) => id === object), 'the new cloth');
    await until(() => newest === 3 * client.topology.particles, 'a frame of it');
    assert.equal(seen.size, 1, 'ticks that the world has not made were shown');
  }
});

test('with the encoding "auto" a client begins with frames and goes on with ticks', { timeout: 30000 }, async (t) => {
  const { server, call } = await laboratory(t);
  await call('scene.load', { name: 'rope' });
  const client = await connect(t, server);
  const seen = positionsByTick(client);
  await client.subscribeFrames({ encoding: 'auto', adapt: true });
  await call('world.resume');
  await until(() => seen.size > 10, 'frames');
  assert.equal(client.statistics.source, 'frames');
  await until(() => client.statistics.source === 'ticks', 'the change to ticks');
  const before = seen.size;
  await until(() => seen.size > before + 10, 'frames of ticks computed here');
  assert.match(client.statistics.sourceReason, /computes the ticks itself/);
});

/** An engine whose worlds compute a wrong state at some tick. */
async function faultyEngine(atTick, times) {
  const engine = await loadEngine();
  const { createWorld } = engine;
  engine.createWorld = (options) => {
    const world = createWorld.call(engine, options);
    const { follow } = world;
    let right = true; // so far
    world.follow = (bytes) => {
      follow.call(world, bytes);
      if (bytes[0] !== 6 || world.tickCount < atTick || times.left === 0 || !right) return;
      right = false;
      times.left--;
      world.positions().y[0] += 2 ** -20;
    };
    return world;
  };
  return engine;
}

for (const { times, source } of [{ times: 1, source: 'ticks' }, { times: 2, source: 'frames' }]) {
  test(`a wrong bit is found within 60 ticks; after ${times} the source is ${source}`, { timeout: 30000 }, async (t) => {
    const { server, call } = await laboratory(t, UNHURRIED);
    await call('scene.load', { name: 'cloth' });
    await call('world.step', { ticks: 5 });
    const left = { left: times };
    const client = await connect(t, server, { loadEngine: () => faultyEngine(10, left) });
    const seen = positionsByTick(client);
    const faults = [];
    client.on('fault', (error) => faults.push(error.message));
    await client.subscribeFrames({ encoding: 'ticks' });
    await call('world.resume');
    await until(() => left.left === 0 && client.statistics.mismatches === 1 && client.statistics.source === source, 'the end of the faults');
    const [before] = [...seen.keys()].slice(-1);
    await until(() => [...seen.keys()].at(-1) > before + 10, 'frames after it');
    assert.equal(faults.length, source === 'frames' ? 1 : 0, faults.join());
  });
}

test('a client without the engine uses frames and says why', { timeout: 30000 }, async (t) => {
  const { server, call } = await laboratory(t);
  await call('scene.load', { name: 'rope' });
  const client = await connect(t, server, { loadEngine: () => Promise.reject(new Error('There is no WebAssembly here.')) });
  const seen = positionsByTick(client);
  await client.subscribeFrames({ encoding: 'auto' });
  await call('world.resume');
  await until(() => client.statistics.sourceReason !== '', 'the reason');
  assert.match(client.statistics.sourceReason, /could not be loaded/);
  const before = seen.size;
  await until(() => seen.size > before + 10, 'frames');
  await assert.rejects(client.subscribeFrames({ encoding: 'ticks' }), /There is no WebAssembly here/);
});

test('a subscription to ticks that fails leaves the subscription before as it was', { timeout: 60000 }, async (t) => {
  const { default: WebSocket } = await import('ws');
  const { server, call } = await laboratory(t, UNHURRIED);
  await call('scene.load', { name: 'rope' });
  await call('world.resume');
  const sockets = [];
  class Socket extends WebSocket {
    constructor(...args) {
      super(...args);
      sockets.push(this);
    }
  }
  const engines = { load: () => Promise.reject(new Error('There is no WebAssembly here.')) };
  const client = await connect(t, server, { WebSocket: Socket, loadEngine: () => engines.load() });
  const seen = positionsByTick(client);
  const goesOn = async (what) => {
    const before = [...seen.keys()].at(-1) ?? -1;
    await until(() => [...seen.keys()].at(-1) > before + 10, what);
  };
  await assert.rejects(client.subscribeFrames({ encoding: 'ticks' }), /There is no WebAssembly here/);
  await client.subscribeFrames({ encoding: 'raw', everyTicks: 1 });
  await goesOn('frames');
  await assert.rejects(client.subscribeFrames({ encoding: 'ticks' }), /There is no WebAssembly here/);
  await goesOn('frames of the same connection');
  sockets.at(-1).terminate();
  await until(() => sockets.length === 2, 'another connection');
  await goesOn('frames of the next connection');
  assert.equal(client.statistics.source, 'frames');

  engines.load = loadEngine;
  await client.subscribeFrames({ encoding: 'ticks' });
  await goesOn('ticks');
  assert.equal(client.statistics.source, 'ticks');
  await assert.rejects(client.subscribeFrames({ encoding: 'raw', objects: [4711] }), /4711/);
  await goesOn('ticks, after frames were refused');
  assert.equal(client.statistics.source, 'ticks');
});

test('of several subscriptions the newest one decides, however long the engine takes to load', { timeout: 60000 }, async (t) => {
  const { server, call } = await laboratory(t, UNHURRIED);
  await call('scene.load', { name: 'rope' });
  await call('world.resume');
  let finish;
  const loaded = new Promise((resolve) => (finish = resolve));
  const client = await connect(t, server, { loadEngine: async () => (await loaded, loadEngine()) });
  const seen = positionsByTick(client);
  const ticks = client.subscribeFrames({ encoding: 'ticks' });
  await client.subscribeFrames({ encoding: 'raw' });
  finish();
  await ticks;
  await until(() => seen.size > 10, 'frames');
  assert.equal(client.statistics.source, 'frames');
});

test('a world whose sheets may tear, such as the default scene, is computed here with equal hashes', { timeout: 60000 }, async (t) => {
  const { server, call } = await laboratory(t, UNHURRIED);
  await call('scene.load', { name: 'default' });
  const client = await connect(t, server);
  const seen = positionsByTick(client);
  const faults = [];
  client.on('fault', (error) => faults.push(error.message));
  await client.subscribeFrames({ encoding: 'ticks' });
  await until(() => seen.size > 0, 'frames');
  for (let tick = 20; tick <= 140; tick += 20) { // two hashes of the server; in steps, which a slow machine can follow, too
    await call('world.step', { ticks: 20 });
    await until(() => seen.has(tick), `tick ${tick}`);
  }
  assert.deepEqual([client.statistics.source, client.statistics.mismatches, faults], ['ticks', 0, []]);
});

test('a world that may become larger than this client has room for comes as frames', { timeout: 60000 }, async (t) => {
  const { server, call } = await laboratory(t, ['--max-particles', '1000001']);
  await call('scene.load', { name: 'tearing' });
  await call('world.resume');
  const client = await connect(t, server);
  const seen = positionsByTick(client);
  const faults = [];
  client.on('fault', (error) => faults.push(error.message));
  await client.subscribeFrames({ encoding: 'auto' });
  await until(() => /larger than this page has room for/.test(client.statistics.sourceReason), 'the reason');
  const before = seen.size;
  await until(() => seen.size > before + 10, 'frames');
  assert.deepEqual([client.statistics.source, faults], ['frames', []]);
});
