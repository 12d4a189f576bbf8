// SPDX-License-Identifier: MIT
// Memory of messages before they are parsed: little for a client without a token, and limited for all clients together.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { laboratory, RawSocket, run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import { frame, OPCODE, Wire } from '../support/wire.mjs';

const IS_SANITIZED = Boolean(process.env.WEFT_SANITIZER);
const MIB = 1 << 20;
const STRANGER_BYTES = 4096;

async function guarded(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-unparsed-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const { stdout, stderr, status } = await run(WEFTCTL, ['token', 'make', 'editor', 'class', '--tokens', file]);
  assert.equal(status, 0, stderr);
  return { token: stdout.trim(), server: await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file]) };
}

const padded = (message, bytes) => JSON.stringify(message).padEnd(bytes);
const LIST = { jsonrpc: '2.0', id: 7, method: 'object.list' };

test('before a client has shown a token its messages may have 4 KB, and afterwards as much as anybody\'s', async (t) => {
  const { token, server } = await guarded(t);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  raw.send(padded(LIST, STRANGER_BYTES));
  assert.equal((await raw.next()).error.code, -32001, 'a message of 4 KB is looked at');
  for (const bytes of [STRANGER_BYTES + 1, 10000, 16 * STRANGER_BYTES]) {
    raw.send(padded(LIST, bytes));
    const { error } = await raw.next();
    assert.match(error.message, /at most 4096 bytes.*session\.authenticate/, `${bytes} bytes`);
  }
  assert.equal((await raw.ask(1, 'session.authenticate', { token })).result.role, 'editor');
  raw.send(padded(LIST, 5 * MIB));
  assert.ok((await raw.next()).result.objects, 'with a token 5 MiB are taken');
});

test('who has shown no token and sends 15 MB is cut off, in fragments too, and the memory stays', async (t) => {
  const { server } = await guarded(t);
  await sleep(200);
  const before = await server.residentBytes();
  for (let client = 0; client < 8; client++) {
    const wire = await Wire.open(t, server.port);
    if (client % 2 === 0) wire.write(frame(OPCODE.text, Buffer.alloc(15 * MIB, ' ')));
    else for (let part = 0; part < 60; part++) wire.write(frame(part === 0 ? OPCODE.text : OPCODE.continuation, Buffer.alloc(MIB / 4, ' '), { final: false }));
    await until(() => wire.closed, 'the end of the connection');
    assert.equal(wire.closeCode, 1009);
  }
  const grown = (await server.residentBytes()) - before;
  if (!IS_SANITIZED) assert.ok(grown < 4 * MIB, `memory grew by ${(grown / MIB).toFixed(1)} MiB`);
});

test('the unfinished messages of all clients have a bounded sum; who does not go on with one gives way to another', async (t) => {
  const { server } = await laboratory(t);
  await sleep(200);
  const before = await server.residentBytes();
  const wires = [];
  for (let client = 0; client < 16; client++) {
    const wire = await Wire.open(t, server.port);
    wire.write(frame(OPCODE.text, Buffer.alloc(12 * MIB, ' '), { final: false }));
    wires.push(wire);
    await sleep(20);
  }
  await until(() => wires.some((wire) => wire.closeCode === 1013), 'a refusal', 10000);
  await sleep(300);
  const grown = (await server.residentBytes()) - before;
  if (!IS_SANITIZED) assert.ok(grown < 96 * MIB, `memory grew by ${(grown / MIB).toFixed(1)} MiB`);
  await sleep(1200); // now the unfinished messages are idle
  const client = await server.connect('lab');
  assert.ok((await client.call('object.list')).objects, 'short messages go on');
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  raw.send(padded(LIST, 14 * MIB));
  assert.ok((await raw.answer(7)).result.objects, 'and so do long ones');
});

test('long messages of clients whose connections have ended are dropped unparsed', async (t) => {
  const { server, client, call } = await laboratory(t);
  const spawn = (particles) => ({ positions: Array.from({ length: particles }, (_, i) => [i % 100, i % 70, i % 30]) });
  const waiting = async () => Number(/^weft_intake_waiting_bytes (\d+)/m.exec(await (await fetch(server.http('/metrics'))).text())[1]);
  const wires = [];
  for (let peer = 0; peer < 6; peer++) wires.push(await Wire.open(t, server.port));
  const first = client.call('particles.spawn', spawn(600000)); // parsing takes long; the others wait
  await until(async () => (await waiting()) > 0, 'the long message');
  const command = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'particles.spawn', params: spawn(1000) });
  for (const wire of wires) {
    wire.write(frame(OPCODE.text, command));
    wire.socket.end(); // everything is sent, then the connection ends
  }
  const { object } = await first;
  await until(async () => (await waiting()) === 0, 'the end of what waits', 20000);
  const { objects } = await call('object.list');
  assert.deepEqual(objects.map(({ object: id }) => id), [object], 'nothing was made for clients that had left');
});
