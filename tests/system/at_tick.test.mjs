// SPDX-License-Identifier: MIT
// atTick: a command that waits for a tick is applied exactly at that tick, or refused then if it is no longer permitted.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { next, until } from '../support/wait.mjs';
import { laboratory, RawSocket, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const ROPE = { from: [0, 2, 0], to: [1, 2, 0] };
const AHEAD = 120; // ticks in 2 s
const QUEUE = 256;
const INVALID = -32602;
const BUSY = -32000;
const DENIED = -32001;
const STATE = -32004;
const FROZEN = -32006;

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'weft-at-tick-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

test('a command at a tick in the middle of one long step is the same as between two short ones', async (t) => {
  const hashes = [];
  const commands = [['rope.spawn', ROPE], ['cloth.spawn', { columns: 4, rows: 4, position: [0, 3, 0] }], ['world.set', { damping: 0.1 }]];
  for (const atTick of [41, undefined]) {
    const { call, hash } = await laboratory(t);
    await call('body.spawn', { position: [0, 5, 0], angularVelocity: [1, 2, 3] });
    if (atTick) {
      const planned = commands.map(([method, params]) => call(method, { ...params, atTick }));
      await call('world.step', { ticks: 80 });
      assert.deepEqual((await Promise.all(planned)).map(({ tick }) => tick), [41, 41, 41]);
    } else {
      await call('world.step', { ticks: 40 });
      for (const [method, params] of commands) await call(method, params);
      await call('world.step', { ticks: 40 });
    }
    hashes.push(await hash());
  }
  assert.equal(hashes[0], hashes[1]);
});

test('a running world meets a command at its tick, and a grab moves and ends at theirs', async (t) => {
  const { call, client } = await laboratory(t);
  await call('world.resume');
  const { tick } = await call('world.get');
  await client.subscribeEvents(['object.added', 'grab.ended']);
  const added = next(client, 'object.added');
  const ended = next(client, 'grab.ended');
  const { object, tick: made } = await call('rope.spawn', { ...ROPE, atTick: tick + 20 });
  assert.equal(made, tick + 20);
  assert.equal((await added).tick, tick + 20);
  const { grab, tick: begun } = await call('grab.start', { object, particle: 5 });
  const moved = call('grab.move', { grab, position: [0, 3, 0], atTick: begun + 20 });
  const last = call('grab.end', { grab, atTick: begun + 25 });
  assert.deepEqual([(await moved).tick, (await last).tick, (await ended).tick], [begun + 20, begun + 25, begun + 25]);
});

test('commands for one tick run in the order in which they came, batches among them', async (t) => {
  const { call } = await laboratory(t);
  const one = (atTick) => call('rope.spawn', { ...ROPE, atTick });
  const batch = (atTick) => call('batch.run', { commands: [{ method: 'rope.spawn', params: ROPE }], atTick }).then(({ results, tick }) => ({ ...results[0], tick }));
  const planned = [one(7), batch(5), batch(7), one(5), one(7)];
  await call('world.step', { ticks: 10 });
  const done = await Promise.all(planned);
  assert.deepEqual(done.map(({ tick }) => tick), [7, 5, 7, 5, 7]);
  const [a, b, c, d, e] = done.map(({ object }) => object);
  assert.ok(b < d && d < a && a < c && c < e, [a, b, c, d, e].join());
});

test('a move that comes too late for its tick is applied at the next one', async (t) => {
  const { call } = await laboratory(t);
  const { object } = await call('rope.spawn', ROPE);
  await call('world.step', { ticks: 10 });
  const { grab } = await call('grab.start', { object, particle: 5 });
  assert.equal((await call('grab.move', { grab, position: [0, 3, 0], atTick: 4 })).tick, 11);
  await call('world.step', { ticks: 1 });
  assert.deepEqual((await call('particle.read', { object, particles: [5] })).positions, [[0, 3, 0]]);
});

test('a tick that has passed, one too far ahead and one in a batch are refused', async (t) => {
  const { call } = await laboratory(t);
  await call('world.step', { ticks: 10 });
  const refused = (method, params, pointer) => assert.rejects(call(method, params), ({ code, data }) => {
    assert.deepEqual([code, data.pointer], [INVALID, pointer]);
    return true;
  });
  for (const atTick of [1, 10, 10 + AHEAD + 1, 9007199254740991]) {
    await refused('rope.spawn', { ...ROPE, atTick }, '/atTick');
    await refused('batch.run', { commands: [{ method: 'rope.spawn', params: ROPE }], atTick }, '/atTick');
  }
  await refused('batch.run', { commands: [{ method: 'rope.spawn', params: { ...ROPE, atTick: 20 } }] }, '/commands/0/params/atTick');
  await refused('world.get', { atTick: 20 }, '/atTick');
  assert.equal((await call('rope.spawn', { ...ROPE, atTick: 11 })).tick, 11, 'the next tick is the present one');
  const farthest = call('rope.spawn', { ...ROPE, atTick: 10 + AHEAD });
  await call('world.step', { ticks: AHEAD });
  assert.equal((await farthest).tick, 10 + AHEAD);
});

test('a queue that is full refuses more of its client, and of no other', async (t) => {
  const { call, server } = await laboratory(t, ['--rate', '0']);
  const planned = Array.from({ length: QUEUE }, () => call('world.set', { damping: 0.1, atTick: 5 }));
  await assert.rejects(call('world.set', { damping: 0.2, atTick: 5 }), { code: BUSY });
  const other = await server.connect('lab');
  const late = other.call('world.set', { damping: 0.3, atTick: 5 });
  await other.call('world.get');
  await call('world.step', { ticks: 10 });
  assert.ok((await Promise.all([...planned, late])).every(({ tick }) => tick === 5));
  assert.equal((await call('world.set', { damping: 0.1 })).tick, 11);
});

test('what is no longer possible or allowed at its tick is refused then', async (t) => {
  const { call, server } = await laboratory(t);
  const pupil = await server.connect('lab');
  const { object } = await call('rope.spawn', ROPE);
  const gone = assert.rejects(call('particle.pin', { object, particles: [0], atTick: 8 }), { code: -32002 });
  await call('object.remove', { object });
  const frozen = assert.rejects(pupil.call('rope.spawn', { ...ROPE, atTick: 9 }), { code: FROZEN });
  await pupil.call('world.get');
  await call('world.freeze', { frozen: true });
  await call('world.step', { ticks: 10 });
  await Promise.all([gone, frozen]);
  const anew = assert.rejects(call('rope.spawn', { ...ROPE, atTick: 20 }), { code: STATE });
  await call('world.reset');
  await anew;
  await call('world.step', { ticks: 30 });
  assert.equal((await call('world.get')).counts.objects, 0);
});

test('a quota that is used up by the tick refuses the command', async (t) => {
  const { call } = await laboratory(t, ['--own-objects', '2']);
  const planned = [5, 6, 7].map((atTick) => call('rope.spawn', { ...ROPE, atTick }).then(() => 'made', ({ code }) => code));
  await call('world.step', { ticks: 10 });
  assert.deepEqual(await Promise.all(planned), ['made', 'made', -32003]);
});

test('a command of a client whose token was revoked is not applied', async (t) => {
  const file = join(await folder(t), 'tokens');
  const tokens = {};
  for (const role of ['editor', 'admin']) tokens[role] = (await run(WEFTCTL, ['token', 'make', role, role, '--tokens', file])).stdout.trim();
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file]);
  const connect = async (role) => {
    const raw = await RawSocket.open(t, server.url('lab'));
    await raw.next(); // hello
    await raw.ask('auth', 'session.authenticate', { token: tokens[role] });
    return raw;
  };
  const [editor, admin] = [await connect('editor'), await connect('admin')];
  for (const [raw, name] of [[editor, 'of the editor'], [admin, 'of the administrator']]) {
    raw.send({ jsonrpc: '2.0', id: 1, method: 'rope.spawn', params: { ...ROPE, name, atTick: 5 } });
    await raw.ask(2, 'world.get');
  }
  const { stdout } = await run(WEFTCTL, ['token', 'list', '--tokens', file]);
  await run(WEFTCTL, ['token', 'revoke', /^(\w+) {2}editor/m.exec(stdout)[1], '--tokens', file]);
  assert.equal((await editor.closed).code, 1008);
  await admin.ask(3, 'world.step', { ticks: 10 });
  assert.deepEqual((await admin.ask(4, 'object.list')).result.objects.map(({ name }) => name), ['of the administrator']);
});

test('a client that leaves before its tick has its commands applied without it, and the world goes on', async (t) => {
  const { call, server } = await laboratory(t);
  const { object } = await call('rope.spawn', ROPE);
  const other = await server.connect('lab');
  const planned = [['cloth.spawn', { columns: 3, rows: 3 }], ['grab.start', { object, particle: 3 }], ['object.remove', { object }]];
  for (const [method, params] of planned) other.call(method, { ...params, atTick: 9 }).catch(() => {});
  const { grab } = await other.call('grab.start', { object, particle: 5 });
  for (const method of ['grab.move', 'grab.end']) other.call(method, { grab, ...(method === 'grab.move' && { position: [0, 1, 0] }), atTick: 8 }).catch(() => {});
  await other.call('world.get');
  other.close();
  await until(async () => (await call('world.get')).counts.grabs === 0, 'the client to be gone');
  await call('world.step', { ticks: 20 });
  const { counts, tick } = await call('world.get');
  assert.deepEqual([counts.objects, counts.grabs, tick], [1, 0, 20]);
});

test('who lacks the role is refused at once', async (t) => {
  const file = join(await folder(t), 'tokens');
  const { stdout: token } = await run(WEFTCTL, ['token', 'make', 'viewer', 'viewer', '--tokens', file]);
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--tokens', file]);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next(); // hello
  await raw.ask('auth', 'session.authenticate', { token: token.trim() });
  assert.equal((await raw.ask(1, 'rope.spawn', { ...ROPE, atTick: 5 })).error.code, DENIED);
});

test('what waited for its tick is in the log, can be undone and done again, and is there after a restart', async (t) => {
  const args = ['--world', 'lab=empty', '--paused', '--data', await folder(t)];
  const server = await Weftd.start(t, args);
  const client = await server.connect('lab');
  const planned = [client.call('rope.spawn', { ...ROPE, atTick: 20 }), client.call('world.set', { atTick: 25, damping: 0.2 })];
  await client.call('world.step', { ticks: 40 });
  await Promise.all(planned);
  const { commands } = await client.call('world.log');
  const logged = commands.filter(({ method }) => method !== 'scene').map(({ method, tick, params }) => ({ method, tick, params }));
  assert.deepEqual(logged, [{ method: 'rope.spawn', tick: 20, params: ROPE }, { method: 'world.set', tick: 25, params: { damping: 0.2 } }]);
  await client.call('world.undo');
  assert.equal((await client.call('world.get')).damping, 0);
  await client.call('world.redo');
  const { damping, stateHash, tick } = await client.call('world.get');
  assert.equal(damping, 0.2);
  client.close();
  await server.end('SIGKILL');
  const again = await (await Weftd.start(t, args)).connect('lab');
  const back = await again.call('world.get');
  assert.deepEqual([back.tick, back.stateHash], [tick, stateHash]);
});

test('a command of a client with a key is made once, also when the client comes back before its tick', async (t) => {
  const { server, call } = await laboratory(t);
  const request = { jsonrpc: '2.0', id: 1, method: 'rope.spawn', params: { ...ROPE, atTick: 10 } };
  const named = async () => {
    const raw = await RawSocket.open(t, server.url('lab'));
    await raw.next(); // hello
    await raw.ask('resume', 'session.resume', { session: 'key-of-this-test' });
    return raw;
  };
  const first = await named();
  first.send(request);
  await first.ask(2, 'world.get');
  const second = await named(); // the first connection is closed
  second.send(request);
  await second.ask(3, 'world.get');
  await call('world.step', { ticks: 20 });
  assert.equal((await second.answer(1)).result.tick, 10);
  assert.equal((await call('world.get')).counts.objects, 1);
});
