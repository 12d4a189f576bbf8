// SPDX-License-Identifier: MIT
// Many connections with one session key: in any order, the newest one is answered, no stale client remains, and no request is
// executed twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { seeded } from '../support/random.mjs';
import { sleep, until } from '../support/wait.mjs';
import { handshake, Wire } from '../support/wire.mjs';
import { laboratory, RawSocket, run, Weftd, WEFTCTL } from '../support/weftd.mjs';

const SLOW = Boolean(process.env.WEFT_SANITIZER);
const SPAWN = { method: 'particles.spawn', params: { positions: [[0, 1, 0]] } };
const resume = (key) => ({ jsonrpc: '2.0', id: 'key', method: 'session.resume', params: { session: key } });
const request = (id, { method, params } = { method: 'world.get' }) => ({ jsonrpc: '2.0', id, method, params });

/** A connection after its hello. */
async function come(t, server, world = 'lab') {
  const raw = await RawSocket.open(t, server.url(world));
  await raw.next();
  return raw;
}

/** Sends everything in one segment, so that the server receives it together. */
function sendAtOnce(raw, messages) {
  raw.socket._socket.cork();
  for (const message of messages) raw.send(message);
  raw.socket._socket.uncork();
}

/** Two connections that resume the session of a third at the same moment. */
async function crossing(t, server, key, world = 'lab') {
  const [first, second, third] = [await come(t, server, world), await come(t, server, world), await come(t, server, world)];
  assert.ok((await ask(first, resume(key))).result);
  for (const raw of [second, third]) sendAtOnce(raw, [resume(key), request(1), request(2)]);
  return [first, second, third];
}

async function ask(raw, message) {
  raw.send(message);
  return raw.answer(message.id);
}

const kinds = {
  'without a store': () => [],
  'with a store': async (t) => ['--data', await dataFolder(t)],
};

for (const [kind, options] of Object.entries(kinds)) {
  test(`two that resume one session in the same moment do not wait for each other, ${kind}`, async (t) => {
    const { server, client } = await laboratory(t, await options(t));
    for (let round = 0; round < 20; round++) {
      const [first, second, third] = await crossing(t, server, `key-${round % 3}`);
      const answers = await Promise.all([second, third].map((raw) => raw.answer('key')));
      const loser = await Promise.race([second, third].map((raw) => raw.closed.then(() => raw)));
      const winner = loser === second ? third : second;
      assert.ok(answers[winner === second ? 0 : 1].result, 'the newest has the session');
      assert.ok((await winner.answer(2)).result, 'what it sent behind is answered');
      for (const raw of [first, loser]) assert.equal((await raw.closed).code, 1008);
      const later = await come(t, server);
      assert.ok((await ask(later, resume(`key-${round % 3}`))).result, 'who comes later is answered');
      await until(async () => (await server.clients()) === 2, 'only those who are there');
      later.socket.terminate();
    }
    await until(async () => (await client.call('people.list')).people.length === 1, 'nobody but the laboratory');
    await server.everybodyLeaves();
  });

  test(`a storm of connections for a few keys leaves nobody behind, ${kind}`, { timeout: 60000 }, async (t) => {
    const { server, client } = await laboratory(t, await options(t));
    const random = seeded();
    t.diagnostic(`seed ${random.seed}`);
    for (let wave = 0; wave < (SLOW ? 2 : 6); wave++) {
      const all = await Promise.all(Array.from({ length: SLOW ? 30 : 120 }, () => come(t, server)));
      for (const raw of all) {
        sendAtOnce(raw, [resume(`key-${random.integer(3)}`), request(1, SPAWN), request(2)]);
        const terminated = random.integer(2) === 0;
        if (terminated) raw.socket.terminate();
        else if (random.integer(2) === 0) raw.socket.close();
      }
      for (const raw of all) if (random.integer(3) === 0) raw.socket.terminate();
    }
    for (const key of ['key-0', 'key-1', 'key-2']) {
      const raw = await come(t, server);
      assert.ok((await ask(raw, resume(key))).result, `${key} is free`);
      assert.ok((await ask(raw, request(3))).result);
      raw.socket.terminate();
    }
    assert.ok((await client.call('world.get')).tick >= 0);
    await server.everybodyLeaves();
  });
}

test('what was sent behind a resume that its client did not wait for is done once, when it comes back', async (t) => {
  const { server, client } = await laboratory(t, ['--data', await dataFolder(t)]);
  const holder = await come(t, server);
  await ask(holder, resume('key'));
  for (let round = 0; round < 10; round++) {
    const hasty = await come(t, server);
    sendAtOnce(hasty, [resume('key'), request(round, SPAWN)]);
    hasty.socket.close();
    const back = await come(t, server);
    assert.ok((await ask(back, resume('key'))).result);
    const { result } = await ask(back, request(round, SPAWN));
    assert.equal((await ask(back, request(round, SPAWN))).result.object, result.object);
    await until(async () => (await client.call('object.list')).objects.length === round + 1, 'one object a round');
  }
  await server.everybodyLeaves();
});

test('a client that has stopped reading does not keep its session', { timeout: 60000 }, async (t) => {
  const { server } = await laboratory(t);
  const stopped = await come(t, server);
  await ask(stopped, resume('key'));
  stopped.socket.pause();
  const [second, third] = [await come(t, server), await come(t, server)];
  for (const raw of [second, third]) raw.send(resume('key'));
  const answers = await Promise.race([Promise.all([second.closed, third.next(20000)]), Promise.all([third.closed, second.next(20000)])]);
  assert.ok(answers[1]?.result, 'the newest has it');
  await server.everybodyLeaves();
});

test('a session can be resumed while the world steps, goes through time, or is shown as it was', async (t) => {
  const { server, client, call } = await laboratory(t, ['--data', await dataFolder(t)]);
  await call('cloth.spawn', { columns: 20, rows: 20, position: [0, 4, 0] });
  await call('world.step', { ticks: 60 });
  const changes = {
    step: () => call('world.step', { ticks: 100 }),
    seek: () => call('world.seek', { tick: 30 }),
    replay: () => call('world.replay', { from: 0, to: 50, speed: 4 }),
    undo: async () => (await call('rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 9 }), call('world.undo')),
  };
  for (const [name, change] of Object.entries(changes)) {
    const done = change();
    const [, second, third] = await crossing(t, server, name);
    const answers = await Promise.all([second, third].map((raw) => raw.answer('key')));
    assert.ok(answers.some(({ result }) => result), `during ${name}`);
    await done;
    const later = await come(t, server);
    assert.ok((await ask(later, resume(name))).result, `after ${name}`);
    for (const raw of [second, third, later]) raw.socket.terminate();
  }
  await until(async () => (await server.clients()) === 1, 'the others to be gone');
  client.close();
  await server.everybodyLeaves();
});

test('a viewer can neither wedge a session nor a world', async (t) => {
  const file = `${await dataFolder(t)}/tokens`;
  const { stdout } = await run(WEFTCTL, ['token', 'make', 'viewer', 'class', '--tokens', file]);
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--tokens', file]);
  server.token = stdout.trim();
  const enter = async () => {
    const raw = await come(t, server);
    assert.ok((await ask(raw, request('token', { method: 'session.authenticate', params: { token: server.token } }))).result);
    return raw;
  };
  for (let round = 0; round < 10; round++) {
    const all = [await enter(), await enter(), await enter()];
    await ask(all[0], resume('key'));
    for (const raw of all.slice(1)) raw.send(resume('key'));
    await Promise.all(all.slice(1).map((raw) => raw.answer('key')));
    const later = await enter();
    assert.ok((await ask(later, resume('key'))).result);
    later.socket.terminate();
    await until(async () => (await server.clients()) === 0, 'nobody to be there');
  }
  await server.everybodyLeaves();
});

test('sessions of a world that is removed hold nobody up', async (t) => {
  const { server, call } = await laboratory(t);
  for (let round = 0; round < 5; round++) {
    await call('world.create', { name: 'short', scene: 'empty' });
    await crossing(t, server, 'key', 'short');
    await call('world.remove', { name: 'short' });
  }
  await until(async () => (await server.clients()) === 1, 'the world\'s clients to be gone');
  await server.everybodyLeaves();
});

test('who has gone but is still to be taken leave of counts among the clients that a server takes', async (t) => {
  const { server, client, call } = await laboratory(t, ['--max-clients', '8', '--max-per-address', '100']);
  await call('cloth.spawn', { columns: 60, rows: 60, position: [0, 4, 0] });
  client.call('world.step', { ticks: 1000000 }).catch(() => {}); // changes by others wait for its end
  let refused = false;
  for (let i = 0; i < 30 && !refused; i++) {
    const wire = new Wire(t, server.port);
    wire.write(handshake());
    await until(() => wire.status !== undefined && (wire.status !== 101 || wire.text.includes('"hello"')), 'an answer');
    refused = wire.status === 503;
    const raw = refused ? null : await RawSocket.open(t, server.url('lab')).catch(() => null);
    raw?.send(request(1, SPAWN));
    await sleep(20);
    raw?.socket.terminate();
    wire.socket.destroy();
  }
  assert.ok(refused, 'those who wait to leave are counted');
  await server.everybodyLeaves();
  await until(async () => RawSocket.open(t, server.url('lab')).catch(() => null), 'room again');
  await server.everybodyLeaves();
});
