// SPDX-License-Identifier: MIT
// A client that sends far more than it reads: each of its requests is answered in order, no other client is delayed, and the
// server's memory does not grow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../support/wait.mjs';
import { RawSocket, Weftd } from '../support/weftd.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER); // an instrumented build: neither its speed nor its memory is tested
const GROWTH = 64 * 2 ** 20;
const PATIENCE_MS = 1000;

async function standing(t, args = []) {
  const server = await Weftd.start(t, ['--world', 'lab=empty', ...args]);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  return { server, raw };
}

/** Sends all requests at once and reads nothing until told to. */
async function flood(t, server, count, request) {
  const flooder = await RawSocket.open(t, server.url('lab'));
  await flooder.next();
  flooder.socket.pause();
  for (let id = 0; id < count; id++) flooder.send({ jsonrpc: '2.0', id, ...request(id) });
  return flooder;
}

async function slowest(raw, times) {
  let most = 0;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await raw.ask(`get ${i}`, 'world.get');
    most = Math.max(most, performance.now() - start);
    await sleep(20);
  }
  return most;
}

async function assertAllAnswered(flooder, count) {
  flooder.socket.resume();
  for (let id = 0; id < count; id++) {
    const answer = await flooder.next();
    assert.equal(answer?.id, id);
    assert.ok(answer.result, JSON.stringify(answer));
  }
}

test('nobody waits behind a client that asks for more than it reads', { timeout: 90000 }, async (t) => {
  const { server, raw } = await standing(t);
  const { object } = (await raw.ask(1, 'cloth.spawn', { columns: 30, rows: 30, position: [0, 4, 0] })).result;
  const before = await server.residentBytes();
  const count = SLOW ? 50 : 4000; // about 60 kB each
  const flooder = await flood(t, server, count, () => ({ method: 'particle.read', params: { object } }));
  const most = await slowest(raw, 50);
  const grown = (await server.residentBytes()) - before;
  t.diagnostic(`the slowest answer took ${most.toFixed(0)} ms, memory grew by ${(grown / 2 ** 20).toFixed(1)} MiB`);
  assert.ok(SLOW || most < PATIENCE_MS, `an answer took ${most} ms`);
  assert.ok(SLOW || grown < GROWTH, `resident memory grew by ${grown} bytes`);
  await assertAllAnswered(flooder, count);
  await server.everybodyLeaves();
});

test('what a client sends during a long step is not piled up', { timeout: 90000 }, async (t) => {
  const { server, raw } = await standing(t, ['--paused']);
  await raw.ask(1, 'cloth.spawn', { columns: 40, rows: 40, position: [0, 4, 0] });
  const before = await server.residentBytes();
  raw.send({ jsonrpc: '2.0', id: 'step', method: 'world.step', params: { ticks: 1000000 } });
  const flooder = await flood(t, server, 30000, () => ({ method: 'particles.spawn', params: { positions: [0, 0, 0], name: 'x'.repeat(64) } }));
  const reader = await RawSocket.open(t, server.url('lab'));
  await reader.next();
  const most = await slowest(reader, 50);
  const grown = (await server.residentBytes()) - before;
  t.diagnostic(`the slowest answer took ${most.toFixed(0)} ms, memory grew by ${(grown / 2 ** 20).toFixed(1)} MiB`);
  assert.ok(SLOW || most < PATIENCE_MS, `an answer took ${most} ms`);
  assert.ok(SLOW || grown < GROWTH, `resident memory grew by ${grown} bytes`);
  flooder.socket.terminate();
  await server.everybodyLeaves();
});

test('fifty thousand commands in one go are all applied and answered', { timeout: 90000 }, async (t) => {
  const { server, raw } = await standing(t);
  const count = SLOW ? 5000 : 50000;
  const flooder = await flood(t, server, count, (id) => ({ method: 'world.set', params: { friction: (id % 10) / 10 } }));
  const most = await slowest(raw, 20);
  assert.ok(SLOW || most < PATIENCE_MS, `an answer took ${most} ms`);
  await assertAllAnswered(flooder, count);
  assert.ok(Math.abs((await raw.ask(1, 'world.get')).result.friction - ((count - 1) % 10) / 10) < 1e-6);
  await server.everybodyLeaves();
});
