// SPDX-License-Identifier: MIT
// Shutdown: earlier requests are answered and stored, every client gets a close frame, and it takes at most 5 s, whichever
// client is slow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { sleep, until } from '../support/wait.mjs';
import { RawSocket, Weftd } from '../support/weftd.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER); // an instrumented build: its speed is not tested

async function ended(server) {
  const began = performance.now();
  const exit = await server.end();
  const ms = performance.now() - began;
  assert.equal(exit.signal, null);
  assert.ok(SLOW || exit.code === 0, server.stderr); // an instrumented build on a busy machine may be stopped by the time limit
  assert.ok(SLOW || ms < 5000, `it took ${ms} ms`);
  return ms;
}

test('what was read before the end is answered before the good-bye, and kept', async (t) => {
  const data = await dataFolder(t);
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--data', data]);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  const count = 100; // fewer than are read at once
  for (let id = 0; id < count; id++) raw.send({ jsonrpc: '2.0', id, method: 'body.spawn', params: { position: [id, 2, 0] } });
  await until(async () => /^weft_net_messages_received_total 100$/m.test(await (await fetch(server.http('/metrics'))).text()), 'all to be read');
  const ms = await ended(server);
  for (let id = 0; id < count; id++) assert.ok((await raw.answer(id)).result);
  assert.equal((await raw.closed).code, 1001);
  t.diagnostic(`it ended in ${ms.toFixed(0)} ms`);
  const again = await Weftd.start(t, ['--world', 'lab=empty', '--data', data]);
  const client = await again.connect('lab');
  assert.equal((await client.call('world.get')).counts.objects, count);
});

test('a long message that is being parsed is answered too', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  const size = SLOW ? 1e5 : 5e5;
  raw.send(`{"jsonrpc":"2.0","id":1,"method":"particles.spawn","params":{"positions":[0,0,0${',1,2,3'.repeat(size / 6)}],"nope":1}}`);
  const text = await until(async () => {
    const metrics = await (await fetch(server.http('/metrics'))).text();
    return /^weft_intake_waiting_bytes [1-9]/m.test(metrics) && metrics;
  }, 'a long message on its way', 5000).catch(() => undefined);
  await ended(server);
  assert.equal((await raw.answer(1)).error.code, -32602);
  assert.equal((await raw.closed).code, 1001);
  if (text === undefined) t.diagnostic('it was answered before the end was asked for');
});

test('healthz and readyz say that the end is near, and nobody new gets in', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused']);
  const client = await server.connect('lab');
  await client.call('cloth.spawn', { columns: 60, rows: 60, position: [0, 4, 0] });
  await client.call('world.set', { wind: { velocity: [0, 0, 6], gust: 1 } }); // keeps the cloth moving, because sleeping objects would finish the step at once
  const stepping = client.call('world.step', { ticks: 1000000 }).catch((error) => error);
  await sleep(100);
  const ending = ended(server); // waits for that step for two seconds, in vain
  await sleep(200);
  const health = await fetch(server.http('/healthz'));
  assert.equal(health.status, 503);
  assert.equal((await health.json()).status, 'draining');
  const ready = await fetch(server.http('/readyz'));
  assert.deepEqual([ready.status, await ready.json()], [503, { status: 'failing', reasons: ['the server is about to end'] }]);
  assert.equal((await fetch(server.http('/livez'))).status, 200);
  await assert.rejects(server.connect('lab'));
  await ending;
  assert.ok((await stepping) instanceof Error);
});

test('clients that take nothing and connections that say nothing do not hold up the end', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const client = await server.connect('lab');
  const { object } = await client.call('cloth.spawn', { columns: 60, rows: 60, position: [0, 4, 0] });
  for (let k = 0; k < 5; k++) {
    const raw = await RawSocket.open(t, server.url('lab'));
    await raw.next();
    raw.send({ jsonrpc: '2.0', id: 1, method: 'frames.subscribe' });
    raw.socket.pause();
    for (let id = 2; id < (SLOW ? 6 : 40); id++) raw.send({ jsonrpc: '2.0', id, method: 'particle.read', params: { object } });
  }
  await sleep(500);
  t.diagnostic(`it ended in ${(await ended(server)).toFixed(0)} ms`);
});
