// SPDX-License-Identifier: MIT
// A capsule is played for a client as a world to watch: every tick looks the same however one gets there.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CapsuleRecording } from '../../web/client/capsule/recording.js';
import { WeftClient } from '../../web/client/client.js';
import { readCapsule } from '../../web/client/engine/capsule.js';
import { loadEngine } from '../../web/client/engine/engine.js';
import { decodeFrame, MESSAGE_TOPOLOGY, messageWords, readHeader } from '../../web/client/frame.js';
import { Player } from '../../web/client/playback/player.js';
import { until } from '../support/wait.mjs';
import { ROOT } from '../support/weftd.mjs';

const engine = await loadEngine({ bytes: await readFile(join(ROOT, 'web/client/engine/weft-simd.wasm')) });
const capsule = await readCapsule(new Uint8Array(await readFile(join(ROOT, 'tests/capsules/physics-2/changes-format-3.capsule'))));

/** A player whose spectator keeps every frame by its tick. */
function spectator(t) {
  const seen = { replies: new Map(), events: [], frames: new Map(), topologies: 0, failures: [] };
  const player = new Player(new CapsuleRecording(engine, capsule), {
    fail: (error) => seen.failures.push(error.message),
    deliver(data) {
      if (typeof data === 'string') {
        const message = JSON.parse(data);
        if (message.method) seen.events.push(message);
        else seen.replies.set(message.id, message.result ?? message.error);
      } else if (readHeader(messageWords(data)).type === MESSAGE_TOPOLOGY) seen.topologies++;
      else {
        const { tick, positions } = decodeFrame(data);
        seen.frames.set(tick, Buffer.from(positions.buffer, 0, positions.byteLength).toString('base64'));
      }
    },
  });
  t.after(() => player.dispose());
  let id = 0;
  const ask = async (method, params = {}) => {
    player.receive(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }));
    const mine = id;
    await until(() => seen.replies.has(mine), method);
    return seen.replies.get(mine);
  };
  return { player, seen, ask };
}

test('a tick looks the same played, sought forwards and sought backwards', async (t) => {
  const { player, seen, ask } = spectator(t);
  player.start();
  assert.equal(seen.events[0].method, 'hello');
  assert.equal(seen.events[0].params.role, 'viewer');
  await ask('frames.subscribe', { encoding: 'raw' });
  await until(() => seen.frames.size > 20, 'frames in real time');
  await ask('playback.set', { running: false });
  const played = new Map(seen.frames);
  assert.deepEqual(await ask('playback.get'), { first: 0, last: 600, tick: Math.max(...played.keys()), running: false, loop: false, live: false });
  const ends = [];
  for (const tick of [600, 10, 300, 15, 600, 300, 10]) {
    assert.equal((await ask('playback.seek', { tick })).tick, tick);
    ends.push([tick, seen.frames.get(tick)]);
  }
  for (const [tick, frame] of ends) assert.equal(frame, ends.find(([other]) => other === tick)[1], `tick ${tick}`);
  for (const tick of [10, 15]) assert.equal(ends.find(([other]) => other === tick)[1], played.get(tick), `tick ${tick}`);
  assert.equal(seen.events.filter(({ method }) => method === 'hello').length, 1);
  assert.ok(seen.topologies >= 7, 'each time what is shown is told anew');
  assert.deepEqual(seen.failures, []);
});

test('of several ticks that are sought at once the last one is shown, within the capsule', async (t) => {
  const { player, seen, ask } = spectator(t);
  player.start();
  await ask('frames.subscribe', { encoding: 'raw' });
  await ask('playback.set', { running: false });
  seen.frames.clear();
  const answers = await Promise.all([500, 20, 1e9, -7, 40].map((tick) => ask('playback.seek', { tick })));
  assert.deepEqual(answers.map(({ tick }) => tick), [40, 40, 40, 40, 40]);
  assert.deepEqual([...seen.frames.keys()], [40]);
  assert.equal((await ask('playback.seek', { tick: 1e9 })).tick, 600);
});

test('a spectator changes nothing, and is told what is wrong', async (t) => {
  const { player, seen, ask } = spectator(t);
  player.receive('{');
  player.start();
  assert.match((await ask('cloth.spawn', { columns: 3, rows: 3 })).message, /editor|role|may/);
  assert.match((await ask('playback.seek', { tick: 'late' })).message, /^tick must be a whole number$/);
  assert.match((await ask('playback.steal')).message, /^there is no method "playback\.steal"$/);
  assert.ok((await ask('object.list')).objects.length > 0);
  player.dispose();
  player.receive('{"jsonrpc":"2.0","id":9,"method":"object.list"}');
  assert.ok(!seen.replies.has(9));
});

test('played to its end it stops, and a file that is no capsule ends the connection with a sentence', async (t) => {
  const { player, seen, ask } = spectator(t);
  player.start();
  await ask('playback.seek', { tick: 595 });
  await until(() => seen.events.some(({ method }) => method === 'playback.changed'), 'the end');
  assert.deepEqual(seen.events.at(-1).params, { first: 0, last: 600, tick: 600, running: false, loop: false, live: false });
  const client = new WeftClient('capsule:data:text/plain,no', { reconnect: false });
  client.on('fault', assert.ifError);
  await assert.rejects(client.connect(), { code: 'closed' });
});
