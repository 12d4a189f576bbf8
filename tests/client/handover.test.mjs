// SPDX-License-Identifier: MIT
// Clients change from a server's world to a local one and back: the state of the first tick there is the last one here, to the bit,
// and listeners and subscriptions go on.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { loadEngine } from '../../web/client/engine/engine.js';
import { dataFolder } from '../support/data.mjs';
import { next, until } from '../support/wait.mjs';
import { laboratory, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

/** A client in a world, which counts its frames and events. @param {string} url */
async function enter(t, url, options = {}) {
  const client = new WeftClient(url, { WebSocket, ...options });
  t.after(() => client.close());
  const seen = { frames: 0, ticks: [], spawned: 0, moved: [] };
  client.on('frame', (frame) => {
    seen.frames++;
    seen.ticks.push(frame.tick);
    client.recycle(frame);
  });
  client.on('world.changed', () => seen.spawned++);
  client.on('moved', ({ url: address }) => seen.moved.push(address));
  await client.connect();
  return { client, seen, call: (method, params) => client.call(method, params) };
}

const stateOf = ({ tick, stateHash, running }) => ({ tick, stateHash, running });
const hasFrameAfter = (seen, tick, name) => until(() => seen.ticks.some((each) => each > tick), name);

for (const predict of [false, true]) {
  test(`a client that has lost its server goes on alone with the last confirmed state${predict ? ', not the predicted one' : ''}`, async (t) => {
    const { server, call } = await laboratory(t, ['--data', await dataFolder(t)]);
    await call('scene.load', { name: 'cloth' });
    const { client, seen, call: own } = await enter(t, server.url('lab'), { predict });
    await client.subscribeEvents();
    await client.subscribeFrames({ encoding: 'ticks' });
    await until(() => client.topology?.objects.length > 0 && client.statistics.source === 'ticks', 'the cloth');
    await call('world.resume');
    await hasFrameAfter(seen, 20, 'ticks that are computed here');
    const { object } = client.topology.objects.map(({ id }) => ({ object: id }))[0];
    await own('grab.start', { object, particle: 0 });
    await call('world.pause');
    const { tick, stateHash } = await call('world.get');
    await until(() => seen.ticks.at(-1) === tick, 'the last tick');
    server.process.kill('SIGKILL');
    await next(client, 'state', ({ state }) => state === 'closed');

    const state = await client.goOnAlone({ name: `alone-${predict}`, paused: true });
    assert.deepEqual(state, { world: `alone-${predict}`, tick, hash: stateHash });
    assert.deepEqual(seen.moved, [`local:alone-${predict}`]);
    assert.equal(client.hello.world, `alone-${predict}`);
    assert.deepEqual(stateOf(await own('world.get')), { tick, stateHash, running: false });
    await own('world.resume');
    await hasFrameAfter(seen, tick + 5, 'frames of the local world');
    await until(() => client.topology.grabs.length === 0, 'the grabs of the other world to end');
    await own('body.spawn', { position: [0, 3, 0] });
    const { undone } = await own('world.undo');
    assert.equal(undone, 'body.spawn');
    assert.ok(seen.spawned > 0, 'events go on');
    assert.equal(client.statistics.source, 'ticks');
  });
}

for (const predict of [false, true]) {
  test(`a client whose snapshot is still being restored when it loses its server goes on with that${predict ? ', with prediction' : ''}`, async (t) => {
    const { server, call } = await laboratory(t);
    await call('scene.load', { name: 'cloth' });
    const { tick, stateHash } = await call('world.get');
    const waiting = []; // for the engine of their world; the first one is loaded before the subscription
    let loads = 0;
    const slow = () => (loads++ === 0 ? loadEngine() : new Promise((resolve) => { waiting.push(resolve); }));
    const { client } = await enter(t, server.url('lab'), { predict, loadEngine: slow, reconnect: false });
    await client.subscribeFrames({ encoding: 'ticks' });
    await until(() => waiting.length === 1, 'the snapshot');
    server.process.kill('SIGKILL');
    await next(client, 'state', ({ state }) => state === 'closed');
    const alone = client.goOnAlone({ name: `restored-${predict}`, paused: true });
    for (const resolve of waiting) resolve(await loadEngine());
    assert.deepEqual(await alone, { world: `restored-${predict}`, tick, hash: stateHash });
  });
}

test('from a local world to a server and back: every hash is that of before, and others watch', async (t) => {
  const { server, client: admin } = await laboratory(t, ['--data', await dataFolder(t)]);
  const { client, seen, call } = await enter(t, 'local:shared=rope');
  await client.subscribeFrames();
  await client.subscribeEvents();
  await call('body.spawn', { position: [0, 3, 0] });
  await hasFrameAfter(seen, 30, 'frames');
  await call('world.pause');
  const here = stateOf(await call('world.get'));
  const { world, tick, url } = await client.handOver(server.url('lab'));
  assert.deepEqual({ world, tick, url }, { world: 'shared', tick: here.tick, url: server.url('shared') });
  assert.deepEqual(stateOf(await call('world.get')), here);
  assert.equal(client.hello.world, 'shared');
  const watchers = [];
  for (let i = 0; i < 3; i++) {
    const watcher = await enter(t, server.url('shared'));
    await watcher.client.subscribeFrames({ encoding: 'ticks' });
    watchers.push(watcher);
  }
  await call('world.resume');
  await hasFrameAfter(seen, here.tick + 10, 'frames of the server');
  for (const watcher of watchers) await hasFrameAfter(watcher.seen, here.tick + 10, 'frames of the others');
  const before = seen.frames;
  await client.subscribeFrames({ encoding: 'ticks' });
  await until(() => client.statistics.source === 'ticks' && seen.frames > before + 1, 'ticks that are computed here');
  await call('world.pause');
  const there = stateOf(await call('world.get'));
  await until(() => watchers.every(({ seen: { ticks } }) => ticks.at(-1) === there.tick), 'the last tick');
  assert.ok((await admin.call('world.list')).worlds.some(({ name }) => name === 'shared'));
  await until(() => seen.ticks.at(-1) === there.tick, 'the last tick, computed here');
  server.process.kill('SIGKILL');
  for (const [index, watcher] of [{ client, call }, ...watchers].entries()) {
    await until(() => watcher.client.state !== 'open', 'the loss');
    const alone = await watcher.client.goOnAlone({ name: `back-${index}`, paused: true });
    assert.deepEqual([alone.tick, alone.hash], [there.tick, there.stateHash]);
    assert.deepEqual(stateOf(await watcher.call('world.get')), there);
  }
});

test('a world that runs goes on running, on the server at the tick where it was paused', async (t) => {
  const { server } = await laboratory(t);
  const { client, seen, call } = await enter(t, 'local:running=rope');
  await client.subscribeFrames();
  await hasFrameAfter(seen, 10, 'frames');
  const { tick } = await client.handOver(server.url('lab'), { name: 'other' });
  await hasFrameAfter(seen, tick + 10, 'frames of the server');
  assert.equal((await call('world.get')).running, true);
  const again = await enter(t, 'local:running=rope');
  const left = stateOf(await again.call('world.get'));
  assert.deepEqual({ tick: left.tick, running: left.running }, { tick, running: false });
});

test('a world that is refused stays, and runs on', async (t) => {
  const { server } = await laboratory(t);
  const { client, seen, call } = await enter(t, 'local:lab=rope');
  await client.subscribeFrames();
  await assert.rejects(client.handOver(server.url('lab'), { name: 'lab' }), /"lab".*already/);
  await assert.rejects(client.handOver(server.url('lab'), { name: 'a b' }), /letters/);
  await assert.rejects(client.handOver('ws://127.0.0.1:9/'), /closed/);
  const { tick } = await call('world.get');
  await hasFrameAfter(seen, tick + 5, 'frames');
  assert.deepEqual(seen.moved, []);
  const { world } = await client.handOver(server.url('lab'));
  assert.equal(world, 'lab-2', 'a free name');
});

test('a local world has a well-formed name, with a number if there is one of that name', async (t) => {
  const { server, call } = await laboratory(t);
  await call('rope.spawn', { from: [-1, 3, 0], to: [1, 3, 0], particles: 12 });
  const { client } = await enter(t, server.url('lab'));
  await client.subscribeFrames({ encoding: 'ticks' });
  await until(() => client.topology?.objects.length === 1, 'the rope');
  await assert.rejects(client.goOnAlone({ name: 'a b' }), /name.*letters/);
  assert.equal(client.hello.world, 'lab');
  assert.equal((await client.goOnAlone({ name: 'numbered' })).world, 'numbered');
  const second = await enter(t, server.url('lab'));
  await second.client.subscribeFrames({ encoding: 'ticks' });
  await until(() => second.client.topology?.objects.length === 1, 'the rope');
  assert.equal((await second.client.goOnAlone({ name: 'numbered' })).world, 'numbered-2');
});

test('a client that shows the frames of the server has no state to go on with', async (t) => {
  const { server } = await laboratory(t);
  const { client, call } = await enter(t, server.url('lab'));
  await client.subscribeFrames();
  await assert.rejects(client.goOnAlone(), /did not compute the ticks/);
  assert.equal((await call('world.get')).tick, 0);
});

test('editors may bring worlds where the server says so', async (t) => {
  const folder = await dataFolder(t);
  const tokens = join(folder, 'tokens');
  const token = (await run(WEFTCTL, ['token', 'make', 'editor', 'Ada', '--tokens', tokens])).stdout.trim();
  for (const [args, allowed] of [[[], false], [['--editors-import'], true]]) {
    const server = await Weftd.start(t, ['--world', 'lab=empty', '--tokens', tokens, '--own-worlds', '1', ...args]);
    const { client, call } = await enter(t, `local:by-editor-${allowed}=rope`);
    await call('world.pause');
    const { stateHash } = await call('world.get');
    if (!allowed) {
      await assert.rejects(client.handOver(server.url('lab'), { token }), /world\.import takes the role admin, yours is editor/);
      continue;
    }
    await client.handOver(server.url('lab'), { token });
    assert.equal((await call('world.get')).stateHash, stateHash);
    const second = await enter(t, 'local:by-editor-2=rope');
    await assert.rejects(second.client.handOver(server.url('lab'), { token }), /at most 1/);
  }
});
