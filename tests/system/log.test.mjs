// SPDX-License-Identifier: MIT
// The log: optionally one JSON object per line, whichever part writes it; audit entries that name the client; and ticks that
// never wait for the reader of the log.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { sleep, until } from '../support/wait.mjs';
import { FOLDERS, RawSocket, Weftd, WEFTD } from '../support/weftd.mjs';

const linesOf = (server) => server.stderr.split('\n').slice(0, -1);
const auditEntriesOf = (server) => linesOf(server).map((line) => JSON.parse(line)).filter(({ area }) => area === 'audit');

test('with --log-format json every line is one object with time, level and area', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--log-format', 'json', '--log-level', 'debug', '--audit', 'all']);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  raw.send('{"jsonrpc":"2.0","id":"a\\n\\u001b[31m","method":"no\\nsuch\\u202emethod"}');
  await raw.next();
  await raw.ask(1, 'scene.load', { name: 'no-such-scene' });
  await fetch(server.http('/no%0Asuch%1b[31mfile'));
  await server.end();
  const lines = linesOf(server).map((line) => JSON.parse(line));
  assert.ok(lines.length >= 4);
  for (const { time, level, area } of lines) {
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(['error', 'warn', 'info', 'debug'].includes(level));
    assert.match(area, /^[a-z]+$/);
  }
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(server.stderr, /[\x00-\x09\x0b-\x1f\x7f\u202e]/);
});

test('audit entries tell who did what, where and when, at the level that was chosen', async (t) => {
  for (const [audit, told] of [['off', []], ['admin', ['client.list']], ['change', ['body.spawn', 'object.remove', 'client.list']], ['all', ['body.spawn', 'world.get', 'object.remove', 'client.list']]]) {
    const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--log-format', 'json', '--audit', audit]);
    const client = await server.connect('lab');
    const { tick } = await client.call('body.spawn', { position: [0, 1, 0] });
    await client.call('world.get');
    await assert.rejects(client.call('object.remove', { object: 4000000000 }));
    await client.call('client.list');
    await server.end();
    const entries = auditEntriesOf(server);
    assert.deepEqual(entries.map(({ method }) => method), told, audit);
    for (const { session, name, role, world, tick: at, code, method } of entries) {
      assert.deepEqual([session, name, role, world, at], [1, '', 'admin', 'lab', tick]);
      assert.equal(code, method === 'object.remove' ? -32002 : 0);
    }
  }
});

test('a flood of audited commands becomes a few lines that say how many there were', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--log-format', 'json', '--audit', 'change']);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  const count = 3000;
  for (let id = 0; id < count; id++) raw.send({ jsonrpc: '2.0', id, method: 'world.set', params: { friction: 0.5 } });
  await raw.answer(count - 1);
  await server.end();
  const entries = auditEntriesOf(server);
  assert.ok(entries.length < count / 4, `${entries.length} lines`);
  assert.equal(entries.reduce((sum, { repeated = 1 }) => sum + repeated, 0), count);
});

test('a reader of the log that does not read holds up no tick', { timeout: 60000 }, async (t) => {
  const child = spawn(WEFTD, ['--port', '0', '--world', 'lab=empty', '--log-level', 'debug', '--audit', 'all'], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...FOLDERS } });
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (data) => (out += data)); // the test does not read stderr
  await until(() => /:(\d+)\//.test(out), 'its port');
  const port = /:(\d+)\//.exec(out)[1];
  const metric = async (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())[1]);
  for (let round = 0; (await metric('weft_log_lost_total')) === 0; round++) {
    assert.ok(round < 400, 'nothing was lost');
    await Promise.all(Array.from({ length: 20 }, async () => {
      const raw = await RawSocket.open(t, `ws://127.0.0.1:${port}/worlds/lab`);
      await raw.next();
      for (let id = 0; id < 15; id++) await raw.ask(id, ['world.get', 'object.list', 'events.unsubscribe'][id % 3]);
      raw.socket.terminate();
    }));
  }
  const tick = () => metric('weft_world_tick\\{world="lab"\\}');
  const before = await tick();
  await sleep(500);
  assert.ok((await tick()) > before);
  child.kill('SIGTERM');
  const [status] = await once(child, 'exit');
  assert.equal(status, 0);
});
