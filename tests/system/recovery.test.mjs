// SPDX-License-Identifier: MIT
// A server that is killed at any moment: every answered command is restored, and the world equals that of an uninterrupted
// run of the same commands.
//
// WEFT_KILLS sets the number of kills (`make soak`: 1,000).

import assert from 'node:assert/strict';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, randomChange } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { sleep, until } from '../support/wait.mjs';
import { laboratory, RawSocket, run, WEFTCTL, Weftd } from '../support/weftd.mjs';
import { randomKey } from '../../web/client/client.js';

const KILLS = Number(process.env.WEFT_KILLS ?? (process.env.WEFT_SANITIZER === 'thread' ? 4 : 10));
const CLIENTS = 3;
const LIFE = 10; // kills per world
const WAY_TICKS = process.env.WEFT_SANITIZER ? 40 : 150; // ticks that an undo replays
const OBJECTS_MOST = 40;

/** Changes the world until its connection ends; `told` are the received replies. */
class Hand {
  alive = new Set(); // objects that it made, as answered
  gone = new Set(); // objects that it removed, as answered
  asked = new Set(); // objects whose removal was not answered
  answers = 0;

  constructor(random) {
    this.random = random;
  }

  async work(client) {
    for (;;) {
      const { method, params } = randomChange(this.random, [...this.alive]);
      if (this.alive.size > OBJECTS_MOST && method.endsWith('.spawn')) continue;
      const removes = method === 'object.remove';
      if (removes) this.asked.add(params.object);
      let result;
      try {
        result = await client.call(method, params);
      } catch (error) {
        if (error.code === 'closed') return;
        assert.ok([-32002, -32004, -32602, -32000].includes(error.code), `${method}: ${error.message}`); // the target of the command had gone
        if (removes) this.asked.delete(params.object);
        continue;
      }
      this.answers++;
      if (removes) this.#remove(params.object);
      for (const { object } of [result, ...(result.results ?? [])]) if (object && !this.gone.has(object)) this.alive.add(object);
    }
  }

  #remove(object) {
    this.asked.delete(object);
    this.alive.delete(object);
    this.gone.add(object);
  }
}

test(`no answered command is lost in ${KILLS} kills at random moments`, { timeout: KILLS * 30000 + 60000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  let answers = 0;
  for (let done = 0; done < KILLS; done += LIFE) answers += await live(t, random, Math.min(LIFE, KILLS - done));
  t.diagnostic(`${KILLS} kills, ${answers} answered commands, none lost`);
  assert.ok(answers > 5 * KILLS, `only ${answers} commands were answered`);
});

// Kills one world's server repeatedly. @returns {Promise<number>} number of answered commands
async function live(t, random, kills) {
  const folder = await dataFolder(t);
  const args = ['--data', folder, '--world', 'lab=empty', '--log-level', 'warn'];
  const hands = Array.from({ length: CLIENTS }, () => new Hand(random));
  for (let kill = 0; kill < kills; kill++) {
    const server = await Weftd.start(t, args);
    const clients = await Promise.all(hands.map(() => server.connect('lab')));
    const work = hands.map((hand, i) => hand.work(clients[i]));
    await sleep(50 + random.integer(500));
    await server.end('SIGKILL');
    await Promise.all(work);
    await compare(t, args, hands, kill, kill === kills - 1 && folder);
  }
  return hands.reduce((sum, hand) => sum + hand.answers, 0);
}

// The state that the complete log makes of an empty world in one run.
async function uninterrupted(client, folder) {
  const file = join(folder, 'all.capsule');
  await writeFile(file, Buffer.from((await client.call('world.export')).capsule, 'base64'));
  const { status, stdout, stderr } = await run(WEFTCTL, ['replay', file, '--verify']);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /ticks 0 to/);
  return /the hash is ([0-9a-f]{16})/.exec(stdout)[1];
}

async function compare(t, args, hands, kill, folder) {
  const server = await Weftd.start(t, [...args, '--paused']);
  const client = await server.connect('lab');
  const { objects } = await client.call('object.list');
  const { tick, stateHash } = await client.call('world.get');
  if (folder) assert.equal(await uninterrupted(client, folder), stateHash, 'as if it had never been killed');
  const there = new Set(objects.map(({ object }) => object));
  for (const hand of hands) {
    for (const object of hand.alive) {
      assert.ok(there.has(object) || hand.asked.has(object), `kill ${kill}: object ${object} was answered and is lost`);
    }
    for (const object of hand.gone) assert.ok(!there.has(object), `kill ${kill}: object ${object} was removed and is back`);
    for (const object of hand.asked) {
      if (!there.has(object)) hand.alive.delete(object);
    }
    hand.asked.clear();
  }
  await server.end('SIGKILL');
  const again = await Weftd.start(t, [...args, '--paused']);
  const state = await (await again.connect('lab')).call('world.get');
  assert.deepEqual([state.tick, state.stateHash], [tick, stateHash], 'brought back twice, it is the same');
  await again.end('SIGKILL');
}

// ---- exactly once ----------------------------------------------------------------------------------------------------

const SPAWN = { method: 'particles.spawn', params: { positions: [[0, 1, 0]] } };
const count = async (raw, id) => (await raw.ask(id, 'object.list')).result.objects.length;

async function named(t, server, key) {
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next(); // hello
  assert.ok((await raw.ask('name', 'session.resume', { session: key })).result, 'the key is taken');
  return raw;
}

for (const [where, options] of [['in memory', () => []], ['in the store', async (t) => ['--data', await dataFolder(t)]]]) {
  test(`a request that is repeated after coming back is answered as the first time, ${where}`, async (t) => {
    const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', ...(await options(t))]);
    const first = await named(t, server, 'a-key');
    const told = await first.ask(7, SPAWN.method, SPAWN.params);
    assert.deepEqual(await first.ask(7, SPAWN.method, SPAWN.params), told, 'on the same connection too');
    first.socket.terminate();
    const second = await named(t, server, 'a-key');
    assert.deepEqual(await second.ask(7, SPAWN.method, SPAWN.params), told);
    assert.equal(await count(second, 8), 1);
    const stranger = await named(t, server, 'another');
    assert.notDeepEqual(await stranger.ask(7, SPAWN.method, SPAWN.params), told, 'ids are each key\'s own');
    const nobody = await RawSocket.open(t, server.url('lab'));
    await nobody.next();
    await nobody.ask(7, SPAWN.method, SPAWN.params);
    await nobody.ask(7, SPAWN.method, SPAWN.params);
    assert.equal(await count(second, 9), 4, 'who has no key is done what it asks');
  });
}

test('a reply is remembered across a kill, and so is that of a step', async (t) => {
  const args = ['--world', 'lab=empty', '--paused', '--data', await dataFolder(t)];
  const server = await Weftd.start(t, args);
  const raw = await named(t, server, 'key');
  const told = await raw.ask('x', SPAWN.method, SPAWN.params);
  const stepped = await raw.ask('y', 'world.step', { ticks: 5 });
  await server.end('SIGKILL');
  const again = await named(t, await Weftd.start(t, args), 'key');
  assert.deepEqual(await again.ask('x', SPAWN.method, SPAWN.params), told);
  assert.deepEqual(await again.ask('y', 'world.step', { ticks: 5 }), stepped);
  assert.equal(await count(again, 'z'), 1);
  assert.equal((await again.ask('w', 'world.get')).result.tick, 5);
});

test('what is sent behind the key, without waiting, is answered though the world stands still', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--data', await dataFolder(t)]);
  for (let round = 0; round < 100; round++) {
    const raw = await RawSocket.open(t, server.url('lab'));
    await raw.next(); // hello
    const { _socket: socket } = raw.socket;
    socket.cork(); // so that everything has arrived before the store is asked for the key
    raw.send({ jsonrpc: '2.0', id: 'key', method: 'session.resume', params: { session: `key-${round}` } });
    for (let id = 0; id < 20; id++) raw.send({ jsonrpc: '2.0', id, ...SPAWN });
    socket.uncork();
    assert.ok((await raw.answer(19)).result, `round ${round}`);
    raw.socket.terminate();
  }
});

test('a batch that waits for its tick is not made twice', async (t) => {
  const { server } = await laboratory(t);
  const batch = { commands: [SPAWN], atTick: 10 };
  const first = await named(t, server, 'key');
  first.send({ jsonrpc: '2.0', id: 1, method: 'batch.run', params: batch });
  first.send({ jsonrpc: '2.0', id: 2, method: 'world.get' });
  await first.answer(2);
  const second = await named(t, server, 'key'); // the first connection is closed
  assert.equal((await first.closed).code, 1008);
  second.send({ jsonrpc: '2.0', id: 1, method: 'batch.run', params: batch });
  second.send({ jsonrpc: '2.0', id: 3, method: 'world.step', params: { ticks: 20 } });
  assert.equal((await second.answer(1)).result.tick, 10);
  await second.answer(3);
  assert.equal(await count(second, 4), 1);
});

test('a client with a key makes its calls exactly once, whatever becomes of the server', async (t) => {
  const args = ['--world', 'lab=empty', '--paused', '--data', await dataFolder(t)];
  const server = await Weftd.start(t, args);
  const client = await server.connect('lab', { reconnect: true, session: randomKey() });
  const calls = Array.from({ length: 50 }, () => client.call(SPAWN.method, SPAWN.params));
  await calls[3];
  await server.end('SIGKILL');
  await Weftd.start(t, [...args, '--port', String(server.port)]);
  const made = await Promise.all(calls);
  assert.equal(new Set(made.map(({ object }) => object)).size, 50, 'each has its own');
  await until(() => client.state === 'open', 'the client to be back'); // if everything was answered before the kill
  assert.equal((await client.call('object.list')).objects.length, 50);
  client.close();
});

test('an undo that is killed half-way is made whole or not at all, and once', { timeout: 120000 }, async (t) => {
  const folder = await dataFolder(t);
  const args = (data) => ['--world', 'lab=empty', '--paused', '--data', join(folder, data)];
  const first = await Weftd.start(t, args('before'));
  const [raw, other] = [await named(t, first, 'key'), await first.connect('lab')];
  await raw.ask('spawn', SPAWN.method, SPAWN.params); // the first command: replaying without it takes long
  await other.call('cloth.spawn', { columns: 24, rows: 24, position: [0, 4, 0], thickness: 0.02, selfCollision: true });
  await other.call('world.step', { ticks: WAY_TICKS });
  const ask = async (socket, id, method) => { // it may take long on a busy machine
    socket.send({ jsonrpc: '2.0', id, method });
    for (;;) {
      const message = await socket.next(60000);
      assert.ok(message, `no answer to ${id}`);
      if (message.id === id) return message;
    }
  };
  const state = async (socket) => {
    const { tick, stateHash } = (await ask(socket, `state-${performance.now()}`, 'world.get')).result;
    return `tick ${tick}, hash ${stateHash}`;
  };
  const before = await state(raw);
  await first.end('SIGKILL');
  await cp(join(folder, 'before'), join(folder, 'whole'), { recursive: true });
  const whole = await Weftd.start(t, args('whole'));
  const undoing = await named(t, whole, 'key');
  const began = performance.now();
  assert.equal((await ask(undoing, 'undo', 'world.undo')).result.undone, SPAWN.method);
  const wayMs = performance.now() - began;
  const after = await state(undoing);
  assert.notEqual(after, before);
  await whole.end();
  for (const share of [0.3, 0.6, 0.9, 1]) {
    const data = `killed-${share}`;
    await cp(join(folder, 'before'), join(folder, data), { recursive: true });
    const killed = await Weftd.start(t, args(data));
    (await named(t, killed, 'key')).send({ jsonrpc: '2.0', id: 'undo', method: 'world.undo' });
    await sleep(share * wayMs);
    await killed.end('SIGKILL');
    const again = await Weftd.start(t, args(data));
    const back = await named(t, again, 'key');
    const there = await state(back);
    assert.ok([before, after].includes(there), `killed at ${share} of the way: ${there} is neither ${before} nor ${after}`);
    assert.equal((await ask(back, 'undo', 'world.undo')).result?.undone, SPAWN.method, 'the second time it is told what was');
    assert.equal(await state(back), after);
    await again.end();
  }
});

// ---- a disk that is full ---------------------------------------------------------------------------------------------

// Limits the size of the server's files, as if the disk were full.
async function limitFiles(server, bytes) {
  const { status, stderr } = await run('prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}:unlimited`]);
  assert.equal(status, 0, stderr);
}

test('a full disk gives errors instead of false answers, the world goes on, and all is well once there is room', async (t) => {
  const args = ['--world', 'lab=empty', '--data', await dataFolder(t), '--log-level', 'error'];
  const server = await Weftd.start(t, args);
  const client = await server.connect('lab');
  const statusOf = async (path) => (await fetch(server.http(path))).status;
  const health = () => statusOf('/healthz');
  const first = await client.call(SPAWN.method, SPAWN.params);
  assert.equal(await health(), 200);
  await limitFiles(server, 4096);
  const errors = [];
  await until(async () => {
    const error = await client.call(SPAWN.method, SPAWN.params).then(() => null, (refusal) => refusal);
    if (error) errors.push(error.message);
    return error;
  }, 'an error');
  await until(async () => (await health()) === 503, 'health to turn red');
  const ready = await fetch(server.http('/readyz'));
  const { status, reasons } = await ready.json();
  assert.deepEqual([ready.status, status, reasons.length], [503, 'failing', 1]);
  assert.match(reasons[0], /disk|database|write|full/i);
  const alive = await fetch(server.http('/livez'));
  assert.deepEqual([alive.status, await alive.json()], [200, { status: 'ok', reasons: [] }], 'a new start would not make room');
  await assert.rejects(client.call(SPAWN.method, SPAWN.params), /nothing was changed.*stored/);
  assert.match(errors[0], /could not be stored/);
  const { tick } = await client.call('world.get');
  await until(async () => (await client.call('world.get')).tick > tick, 'the world to go on');
  await limitFiles(server, 'unlimited');
  const last = await until(() => client.call(SPAWN.method, SPAWN.params).catch(() => null), 'an answer', 20000);
  await until(async () => (await health()) === 200, 'health to be well');
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/livez')], [200, 200]);
  const there = (await client.call('object.list')).objects.map(({ object }) => object);
  await server.end('SIGKILL');
  const again = await (await Weftd.start(t, [...args, '--paused'])).connect('lab');
  const { objects } = await again.call('object.list');
  const back = objects.map(({ object }) => object);
  assert.ok(back.includes(first.object) && back.includes(last.object));
  assert.deepEqual(back, there, 'what was made when nothing could be stored is in the snapshot since');
});
