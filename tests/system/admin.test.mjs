// SPDX-License-Identifier: MIT
// Administration: the state of the whole server, the list of connections, closing a connection; and weftctl top, which
// displays them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { sleep } from '../support/wait.mjs';
import { RawSocket, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const started = (t, args = []) => Weftd.start(t, ['--world', 'lab=empty', '--world', 'other=default', ...args]);

test('server.get tells of the process and of every world', async (t) => {
  const server = await started(t);
  const client = await server.connect('lab');
  await client.call('body.spawn', { position: [0, 2, 0] });
  await sleep(300);
  const told = await client.call('server.get');
  assert.deepEqual(told.worlds.map(({ world }) => world), ['lab', 'other']);
  const [lab, other] = told.worlds;
  assert.equal(lab.objects, 1);
  assert.equal(lab.clients, 1);
  assert.equal(lab.commands, 1);
  assert.ok(lab.tick > 0 && lab.running && !lab.stuck && lab.tickMs > 0);
  assert.equal(other.clients, 0);
  assert.ok(other.particles > 0);
  assert.equal(told.clients, 1);
  assert.equal(told.store.kept, false);
  assert.ok(told.uptime > 0 && told.residentBytes > 1e6 && told.bytesReceived > 0);
});

test('client.list tells who is connected in all worlds, and client.close sends one away', async (t) => {
  const server = await started(t, ['--rate', '100']);
  const client = await server.connect('lab');
  const raw = await RawSocket.open(t, server.url('other'));
  const { params: hello } = await raw.next();
  for (let id = 0; id < 3; id++) await raw.ask(id, 'world.set', { friction: 0.5 });
  const { clients } = await client.call('client.list');
  assert.equal(clients.length, 2);
  const [own, other] = clients;
  assert.deepEqual([own.own, own.world, own.address, own.role, own.rate], [true, 'lab', '127.0.0.1', 'admin', 100]);
  assert.deepEqual([other.own, other.world, other.session, other.messages], [false, 'other', hello.session, 3]);
  assert.ok(other.bytesReceived > 100 && other.bytesSent > 500 && other.seconds >= 0);
  await assert.rejects(client.call('client.close', { client: 999999 }), { code: -32002 });
  await client.call('client.close', { client: other.client, reason: 'this class is over' });
  assert.deepEqual(await raw.closed, { code: 1008, reason: 'this class is over' });
  assert.equal((await client.call('client.list')).clients.length, 1);
  const last = await RawSocket.open(t, server.url('other'));
  await last.next();
  const { clients: now } = await client.call('client.list');
  await client.call('client.close', { client: now.find((one) => !one.own).client, reason: `a${'🙂'.repeat(63)}` });
  assert.deepEqual(await last.closed, { code: 1008, reason: `a${'🙂'.repeat(30)}` }, 'cut between two characters');
});

test('commands of administrators are in the log unless told otherwise', async (t) => {
  const server = await started(t);
  const client = await server.connect('lab');
  await client.call('client.list');
  await client.call('world.set', { friction: 0.5 });
  await sleep(200);
  assert.match(server.stderr, /info audit: session 1 \(admin\) client\.list in lab at tick \d+$/m);
  assert.doesNotMatch(server.stderr, /audit: .*world\.set/);
});

// ---- weftctl top -------------------------------------------------------------------------------------------------

test('weftctl top shows worlds and clients, once a second, for as long as it is asked to', async (t) => {
  const server = await started(t);
  await server.connect('other');
  const { status, stdout, stderr } = await run(WEFTCTL, ['--port', String(server.port), '--world', 'lab', 'top', '--seconds', '2.2']);
  assert.equal(status, 0, stderr);
  const shown = stdout.split(/^(?=weftd )/m).filter(Boolean);
  assert.ok(shown.length >= 2 && shown.length <= 4, stdout);
  for (const one of shown) {
    assert.match(one, /^weftd 0\.1\.0, up \d+ s, \d+\.\d+ MB, 2 clients/);
    assert.match(one, /^world +tick +speed +tick ms +most +late +clients +particles$/m);
    assert.match(one, /^lab +\d+ +\d+ % +[\d.]+ +[\d.]+ +\d+ +1 +0$/m);
    assert.match(one, /^other +\d+ +\d+ % +[\d.]+ +[\d.]+ +\d+ +1 +\d+$/m);
    assert.match(one, /^ *client +world +address +role +name +rate +in\/s +out\/s +refused +seconds$/m);
    assert.match(one, /^ *\d+ +other +127\.0\.0\.1 +admin +- +- /m);
  }
});

test('weftctl top says why it is refused, and ends when the server does', async (t) => {
  const server = await started(t);
  const wrong = await run(WEFTCTL, ['--port', String(server.port), '--world', 'lab', 'top', 'more']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /top takes no arguments/);
  const child = spawn(WEFTCTL, ['--port', String(server.port), '--world', 'lab', 'top']);
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  server.process.kill('SIGTERM');
  const [status] = await once(child, 'close');
  assert.equal(status, 3);
});
