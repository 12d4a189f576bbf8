// SPDX-License-Identifier: MIT
// A broadcast is played by the client as a world to watch: near the present, and at any tick that is kept.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { WeftClient } from '../../web/client/client.js';
import { until } from '../support/wait.mjs';
import { laboratory } from '../support/weftd.mjs';

const PATIENCE_MS = 60000;
const eventually = (condition, what) => until(condition, what, PATIENCE_MS);

/** A client of a broadcast, which keeps each tick's positions as they were first seen, and the newest. */
async function watch(t, address) {
  const client = new WeftClient(`broadcast:${address}`, { reconnect: false });
  t.after(() => client.close());
  const seen = { first: new Map(), tick: -1, changes: [], reason: null };
  client.on('frame', ({ tick, positions }) => {
    const bytes = Buffer.from(positions.buffer, positions.byteOffset, positions.byteLength).toString('base64');
    if (!seen.first.has(tick)) seen.first.set(tick, bytes);
    seen.tick = tick;
    seen.newest = bytes;
  });
  client.on('event', ({ method, params }) => { if (method === 'playback.changed') seen.changes.push(params); });
  client.on('state', ({ state, reason }) => { if (state === 'closed') seen.reason = reason; });
  await client.connect();
  await client.subscribeFrames({ encoding: 'raw' });
  return { client, seen };
}

async function broadcast(t, scene) {
  const { server, call } = await laboratory(t);
  await call('scene.load', { name: scene });
  const { path } = await call('broadcast.start');
  const folder = `http://127.0.0.1:${server.port}${path}`;
  await eventually(async () => (await fetch(`${folder}manifest.json`)).ok, 'a manifest');
  return { call, folder };
}

test('it is shown near the present, and any tick of it looks the same when it is sought', { timeout: 240000 }, async (t) => {
  const { call, folder } = await broadcast(t, 'cloth');
  await call('world.resume');
  const { client, seen } = await watch(t, `${folder}manifest.json`);
  assert.deepEqual([client.hello.role, client.hello.world], ['viewer', 'lab']);
  await eventually(() => seen.first.size > 150, 'frames');
  const live = await client.call('playback.get');
  assert.equal(live.live, true);
  assert.ok(live.last >= live.tick && live.first <= live.tick, JSON.stringify(live));
  await client.call('playback.set', { running: false });
  const known = [...seen.first.keys()];
  for (const tick of [known[100], known[20], known[120], known[0]]) {
    const state = await client.call('playback.seek', { tick });
    assert.deepEqual([state.tick, state.live], [tick, false]);
    await eventually(() => seen.tick === tick, 'the frame of the tick');
    assert.equal(seen.newest, seen.first.get(tick), `tick ${tick}`);
  }
  const { first } = await client.call('playback.get');
  assert.equal((await client.call('playback.seek', { tick: 0 })).tick, first);
  await client.call('playback.set', { running: true });
  await eventually(() => seen.tick > first + 30, 'what follows on it');
  await eventually(() => seen.changes.some(({ last }) => last > live.last), 'a longer range');
  assert.equal((await client.call('playback.seek', { tick: 1e9 })).live, true);
});

test('what is changed in a world that stands is shown, jumps are crossed, and the end is told', { timeout: 240000 }, async (t) => {
  const { call, folder } = await broadcast(t, 'rope');
  const { client, seen } = await watch(t, folder);
  await eventually(() => seen.tick >= 0, 'the first frame');
  const has = (id) => client.topology?.objects.some((known) => known.id === id) ?? false;
  const { object } = await call('cloth.spawn', { columns: 6, rows: 6, position: [0, 3, 0] });
  await eventually(() => has(object), 'the new cloth');
  await call('world.step', { ticks: 90 });
  const { tick } = await call('world.get');
  await eventually(() => seen.tick === tick, 'the steps');
  await call('world.reset');
  await call('world.step', { ticks: 7 });
  const after = (await call('world.get')).tick;
  await eventually(() => seen.tick === after && !has(object), 'the world after a reset');
  const { first, last } = await client.call('playback.get');
  assert.ok(first < tick && last === after);
  await call('broadcast.stop');
  await eventually(() => seen.reason !== null, 'the end');
  assert.match(seen.reason, /The broadcast has ended/);
});

test('an address without a broadcast, and one whose files are damaged, end the connection with a sentence', { timeout: 120000 }, async (t) => {
  const { server } = await laboratory(t);
  const refused = async (address, words) => {
    const client = new WeftClient(`broadcast:${address}`, { reconnect: false });
    t.after(() => client.close());
    await assert.rejects(client.connect(), words);
  };
  await refused(`http://127.0.0.1:${server.port}/worlds/lab/broadcast/manifest.json`, /There is no such broadcast/);
  const part = { snapshot: 'snapshot-5-0123456789abcdef', tick: 5, continues: false, fragments: [] };
  const list = { format: 1, world: 'lab', tickHz: 60, physics: 2, parts: [part] };
  let files = {};
  const other = createServer((request, response) => {
    const body = files[request.url.slice(1)];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise((resolve) => { other.listen(0, '127.0.0.1', resolve); });
  t.after(() => other.close());
  const address = `http://127.0.0.1:${other.address().port}/manifest.json`;
  files = { 'manifest.json': 'no JSON' };
  await refused(address, /it is no JSON/);
  files = { 'manifest.json': JSON.stringify(list), 'timeline.json': JSON.stringify(list), [part.snapshot]: Buffer.alloc(10) };
  await refused(address, /A snapshot of the broadcast is damaged/);
  files[part.snapshot] = Buffer.concat([Buffer.from([5, 0, 0, 0]), Buffer.alloc(60)]);
  await refused(address, /these bytes are no snapshot/);
});
