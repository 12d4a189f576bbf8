// SPDX-License-Identifier: MIT
// Viewers that stop reading: closed after the time that --stall-timeout sets, while viewers that read slowly stay connected.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { laboratory, run, WEFTCTL } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER);
const STALL_S = 1;

const HANDSHAKE = 'GET /worlds/lab HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: d2VmdGN0bCBsb2FkIDEyMw==\r\nSec-WebSocket-Version: 13\r\n\r\n';

/** A text message of a client: masked with zeros. */
function masked(text) {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}

async function worldWithViewers(t) {
  const { server, call } = await laboratory(t, ['--stall-timeout', String(STALL_S)]);
  await call('cloth.spawn', { columns: 64, rows: 64, position: [0, 6, 0], pin: 'topEdge' });
  await call('world.resume');
  return { server, call };
}

test('viewers that take nothing are closed, those that read are not', async (t) => {
  const { server, call } = await worldWithViewers(t);
  const [readers, stalled] = SLOW ? [3, 2] : [20, 5];
  const { status, stdout, stderr } = await run(WEFTCTL, ['--url', server.url('lab'), 'load', '--clients', readers + stalled, '--stalled', stalled, '--seconds', 8, '--encoding', 'raw'].map(String));
  assert.equal(status, 0, stderr);
  assert.match(stdout, new RegExp(`^total .* lost=0 dropped=${stalled} moved=0$`, 'm'));
  await until(async () => (await call('world.get')).timing.viewers === 0, 'all viewers to be gone');
  await server.everybodyLeaves();
});

test('a viewer that reads slowly, and one for whom nothing waits, are kept', async (t) => {
  const { server, call } = await worldWithViewers(t);
  const slow = connect(server.port, '127.0.0.1');
  const silent = connect(server.port, '127.0.0.1');
  const gone = [];
  for (const socket of [slow, silent]) {
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => gone.push(socket));
    socket.write(HANDSHAKE);
  }
  slow.write(masked('{"jsonrpc":"2.0","id":1,"method":"frames.subscribe","params":{"encoding":"raw"}}'));
  await until(async () => (await call('world.get')).timing.viewers === 1, 'the slow viewer to be one');
  silent.pause();
  for (let turn = 0; turn < 20; turn++) { // reads a little every 200 ms: far less than is sent
    slow.resume();
    await sleep(20);
    slow.pause();
    await sleep(180);
  }
  assert.deepEqual(gone, []);
  const { timing } = await call('world.get');
  assert.deepEqual([timing.viewers, timing.clients], [1, 3]);
  for (const socket of [slow, silent]) socket.destroy();
  await server.everybodyLeaves();
});
