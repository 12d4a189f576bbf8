// SPDX-License-Identifier: MIT
// The client and frames that are predicted from earlier frames: a server in this process sends the golden streams. The
// connection is in this thread, and then behind a message port, as in a browser's worker.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { serveClient } from '../../web/client/host.js';
import { FakeServer } from '../support/fake_server.mjs';
import { object, topology } from '../support/messages.mjs';
import { next, sleep, until } from '../support/wait.mjs';

const FOLDER = new URL('../../proto/vectors/streams/', import.meta.url);
const EPOCH = 1;

function golden(name) {
  const described = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  const bytes = readFileSync(new URL(`${name}.bin`, FOLDER));
  const messages = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32LE(at)) {
    const message = Uint8Array.from(bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)));
    new DataView(message.buffer).setUint32(4, EPOCH, true);
    messages.push(message);
  }
  return { ...described, frames: described.messages, messages };
}

/** The topology of a golden stream's world. */
function worldOf({ objects }) {
  const words = [];
  const told = objects.map(({ kind, particles, columns, rows, triangles }, i) => {
    const more = { ...(columns && { columns, rows, mesh: 'grid' }) };
    if (triangles?.length) {
      more.triangles = { offset: words.length, count: triangles.length / 3 };
      words.push(...triangles);
    }
    return object(i + 1, kind, particles, more);
  });
  return topology({ epoch: EPOCH, count: objects.reduce((sum, { particles }) => sum + particles, 0) }, { objects: told }, words);
}

function startPort() {
  const { port1, port2 } = new MessageChannel();
  serveClient(port2, { WebSocket });
  return port1;
}

for (const [where, way] of Object.entries({ 'in this thread': { WebSocket }, 'in a worker': { worker: startPort } })) {
  const scenario = (name, body) =>
    test(`${name} (${where})`, { timeout: 20000 }, async (t) => {
      const server = await FakeServer.start();
      const client = new WeftClient(server.url, { ...way });
      t.after(() => {
        client.close();
        return server.stop();
      });
      const frames = [];
      const faults = [];
      client.on('frame', (frame) => frames.push(frame));
      client.on('fault', (fault) => faults.push(fault));
      await client.connect();
      await client.subscribeFrames();
      await body({ server, client, frames, faults });
    });
  const positionsOf = (stream, i) => Float32Array.from(stream.frames[i].grid.map((q) => q * Math.fround(stream.step)));

  scenario('a stream of all kinds of objects is shown as it was packed', async ({ server, client, frames, faults }) => {
    const stream = golden('kinds');
    server.send(worldOf(stream));
    await next(client, 'topology');
    for (const [i, message] of stream.messages.entries()) {
      const shown = stream.frames[i].rest ? null : next(client, 'frame');
      server.send(message);
      if (shown) assert.deepEqual((await shown).positions, positionsOf(stream, i));
    }
    assert.equal(frames[0].keyframe, true);
    assert.deepEqual([frames.at(-1).ranges, frames.at(-1).count, faults], [null, client.topology.particles, []]);
  });

  scenario('a page that lags is shown the newest frame, for which those it did not see were decoded', async ({ server, client, frames, faults }) => {
    const stream = golden('lattice');
    server.send(worldOf(stream));
    await next(client, 'topology');
    for (const message of stream.messages) server.send(message); // all messages at once
    const { tick } = stream.frames.at(-1);
    await until(() => frames.at(-1)?.tick === tick, 'the newest frame');
    assert.deepEqual(frames.at(-1).positions, positionsOf(stream, stream.frames.length - 1));
    assert.deepEqual(faults, []);
  });

  scenario('what builds on a frame that is missing is not shown, and after a second all is asked for anew', async ({ server, client, frames, faults }) => {
    const stream = golden('lattice');
    server.send(worldOf(stream));
    await next(client, 'topology');
    const asked = () => server.calls('frames.subscribe').length;
    server.send(stream.messages[0]);
    await until(() => frames.length === 1, 'the keyframe');
    const late = stream.frames.findIndex(({ baselines }) => baselines === 3);
    for (let i = 0; i < 5; i++) server.send(stream.messages[late + 1]);
    await sleep(300);
    assert.deepEqual([frames.length, asked()], [1, 1]);
    await sleep(900);
    for (let i = 0; i < 5; i++) server.send(stream.messages[late + 1]);
    await until(() => asked() === 2, 'another subscription');
    assert.deepEqual(server.calls('frames.subscribe')[1].params, { encoding: 'motion' });
    server.send(worldOf(stream));
    for (let i = 0; i <= late; i++) server.send(stream.messages[i]);
    await until(() => frames.at(-1).tick === stream.frames[late].tick, 'frames again');
    assert.deepEqual(frames.at(-1).positions, positionsOf(stream, late));
    assert.ok(client.statistics.framesSkipped >= 10, `${client.statistics.framesSkipped} frames skipped`);
    assert.deepEqual(faults, []);
  });

  scenario('a damaged frame is a fault, and all is asked for anew', async ({ server, client, frames, faults }) => {
    const stream = golden('lattice');
    server.send(worldOf(stream));
    await next(client, 'topology');
    server.send(stream.messages[0]);
    await until(() => frames.length === 1, 'the keyframe');
    server.send(stream.messages[1].slice(0, -4));
    await until(() => server.calls('frames.subscribe').length === 2, 'another subscription');
    assert.equal(faults[0].name, 'FrameError');
    assert.equal(frames.length, 1);
  });
}
