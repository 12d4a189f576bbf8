// SPDX-License-Identifier: MIT
// Arrays of requests (JSON-RPC 2.0, 6): executed in order, answered by one array that a client can match with the requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { request } from '../support/post.mjs';
import { laboratory, RawSocket, Weftd } from '../support/weftd.mjs';

const [PARSE, REQUEST, METHOD, INVALID, NOT_FOUND, LIMIT, RATE] = [-32700, -32600, -32601, -32602, -32002, -32003, -32005];
const MOST = 100;

async function open(t, args = []) {
  const { server, call } = await laboratory(t, args);
  const raw = await RawSocket.open(t, server.url('lab'));
  assert.equal((await raw.next()).method, 'hello');
  const array = async (requests) => {
    raw.send(requests);
    return raw.next();
  };
  return { server, call, raw, array };
}

const outcomes = (replies) => replies.map(({ id, error }) => [id, error?.code ?? 'result']);

test('the requests of an array are run in their order and answered by one array, in the same order', async (t) => {
  const { array } = await open(t);
  const replies = await array([
    request('spawn', 'cloth.spawn', { columns: 50, rows: 50 }),
    request(1, 'world.step', { ticks: 5 }),
    request(2, 'world.get'),
    request(3, 'particle.read', { object: 1 }), // a long reply, written by another thread
    request(4, 'scene.list'), // read from the disk
    request(5, 'world.list'),
    request(6, 'server.get'),
    request(7, 'world.step', { ticks: 3 }),
    request(8, 'world.get'),
    request(9, 'scene.load', { name: 'rope' }),
    request(10, 'rpc.discover'),
  ]);
  assert.deepEqual(replies.map(({ id }) => id), ['spawn', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(replies.filter(({ error }) => error), []);
  assert.equal(replies[2].result.tick, 5);
  assert.equal(replies[3].result.positions.length, 2500);
  assert.equal(replies[8].result.tick, 8);
});

test('each request of an array stands by itself: those that fail have an error each, and notifications have nothing', async (t) => {
  const { array, call } = await open(t);
  const replies = await array([
    request(1, 'cloth.spawn', { columns: 3, rows: 3 }),
    request(undefined, 'cloth.spawn', { columns: 3, rows: 3 }),
    request(2, 'cloth.spwan'),
    request(3, 'cloth.spawn', { columns: 1, rows: 3 }),
    request(undefined, 'cloth.spwan'),
    7,
    [request(4, 'world.get')],
    { jsonrpc: '2.0', id: 5 },
    { id: {}, method: 'world.get' },
    request(null, 'world.pause', null),
    request('6', 'world.pause'),
  ]);
  assert.deepEqual(outcomes(replies), [
    [1, 'result'], [2, METHOD], [3, INVALID], [null, REQUEST], [null, REQUEST], [5, REQUEST], [null, REQUEST], [null, 'result'], ['6', 'result'],
  ]);
  assert.equal((await call('object.list')).objects.length, 2, 'the notification was applied');
});

test('an array of notifications alone has no reply', async (t) => {
  const { raw, array, call } = await open(t);
  raw.send([request(undefined, 'cloth.spawn', { columns: 3, rows: 3 }), request(undefined, 'nothing.such')]);
  const [reply] = await array([request(1, 'object.list')]);
  assert.equal(reply.id, 1, 'the first that came');
  assert.equal(reply.result.objects.length, 1);
  assert.equal((await call('object.list')).objects.length, 1);
});

test('what is no array of requests has one error', async (t) => {
  const { array, raw } = await open(t);
  const one = async (text) => {
    const { id, error } = await array(text);
    return [id, error.code];
  };
  assert.deepEqual(await one('[]'), [null, REQUEST]);
  assert.deepEqual(await one(' [ ] '), [null, REQUEST]);
  assert.deepEqual(await one('[{"jsonrpc":"2.0","id":1,"method":"world.get"},'), [null, PARSE]);
  assert.deepEqual(await one('[{"jsonrpc":"2.0","id":1,"method":"world.get"}]]'), [null, PARSE]);
  const many = (count) => Array.from({ length: count }, (_, id) => request(id, 'world.pause'));
  assert.deepEqual(await one(JSON.stringify(many(MOST + 1))), [null, LIMIT]);
  assert.equal((await array(many(MOST))).length, MOST);
  assert.ok((await raw.ask('still', 'world.get')).result);
});

test('long arrays keep their place among the messages of their client', async (t) => {
  const { raw, array } = await open(t);
  const positions = Array.from({ length: 3000 }, (_, i) => i / 1000);
  raw.send([request(1, 'particles.spawn', { positions }), request(2, 'particles.spawn', { positions })]); // parsed by another thread
  const last = await Promise.all([raw.next(), array([request(3, 'object.list')])]);
  assert.deepEqual(outcomes(last[0]), [[1, 'result'], [2, 'result']]);
  assert.equal(last[1][0].result.objects.length, 2);
});

test('params that are null are absent, in a request and in a batch', async (t) => {
  const { raw, server } = await open(t);
  for (const method of ['world.get', 'world.pause', 'object.list', 'people.list', 'events.subscribe', 'rpc.discover']) {
    assert.ok((await raw.ask(method, method, null)).result, method);
  }
  assert.equal((await raw.ask(1, 'cloth.spawn', null)).error.data.pointer, '/columns', 'what is required is still missing');
  const batch = await raw.ask(2, 'batch.run', { commands: [{ method: 'world.set', params: { friction: 0.25 } }, { method: 'plant.spawn', params: null }] });
  assert.equal(batch.result.results.length, 2);
  assert.equal((await raw.ask(3, 'world.get', [])).error.code, INVALID);
  assert.ok((await server.connect('lab').then((client) => client.call('world.get', null))).tick >= 0);
});

test('an array is paid for request by request, and what is over the rate is refused by its id', async (t) => {
  const { array } = await open(t, ['--rate', '50']);
  const replies = await array(Array.from({ length: 60 }, (_, id) => request(id, 'world.measure'))); // each costs 20 units, of 200
  const refused = replies.filter(({ error }) => error);
  assert.deepEqual(replies.map(({ id }) => id), Array.from({ length: 60 }, (_, id) => id));
  assert.ok(refused.length >= 45 && refused.length <= 55, `${refused.length} of 60`);
  assert.ok(refused.every(({ error }) => error.code === RATE && error.data.retryAfterMs > 0));
});

test('an array of who has nothing left is not even parsed, and each of its requests is refused', async (t) => {
  const { array, raw } = await open(t, ['--rate', '1']);
  assert.ok((await raw.ask(0, 'world.measure')).result, 'which owes 16 units, so many seconds');
  const replies = await array([request('a', 'world.get'), request(undefined, 'world.get'), request('b', 'world.get')]);
  assert.deepEqual(outcomes(replies), [['a', RATE], ['b', RATE]]);
  assert.deepEqual(outcomes([await array('[]')]), [[null, RATE]]);
});

test('what a named session sends again as an array is not done again, and has the same replies', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused', '--data', await dataFolder(t)]);
  const requests = [request('x', 'cloth.spawn', { columns: 3, rows: 3 }), request('y', 'rope.spawn', { from: [0, 1, 0], to: [1, 1, 0] }), request('z', 'world.step')];
  const said = [];
  for (let round = 0; round < 2; round++) {
    const raw = await RawSocket.open(t, server.url('lab'));
    await raw.next();
    assert.ok((await raw.ask(0, 'session.resume', { session: 'the-same' })).result);
    raw.send(requests);
    said.push(await raw.next());
    assert.equal((await raw.ask(1, 'object.list')).result.objects.length, 2, `round ${round}`);
    raw.socket.close();
  }
  assert.deepEqual(said[1], said[0]);
});

test('an undo and a redo in an array are answered in their places, refused or done', async (t) => {
  const { array } = await open(t, ['--data', await dataFolder(t)]);
  const replies = await array([
    request(1, 'world.undo'), // there is nothing to undo yet
    request(2, 'cloth.spawn', { columns: 3, rows: 3 }),
    request(3, 'world.undo'),
    request(4, 'world.redo'),
    request(5, 'world.redo'), // nor to redo
    request(6, 'world.get'),
  ]);
  assert.deepEqual(outcomes(replies), [[1, NOT_FOUND], [2, 'result'], [3, 'result'], [4, 'result'], [5, NOT_FOUND], [6, 'result']]);
});

test('many clients send arrays at once, and each has its own replies', async (t) => {
  const { server } = await open(t);
  const answered = await Promise.all(Array.from({ length: 20 }, async (_, client) => {
    const raw = await RawSocket.open(t, server.url('lab'));
    await raw.next();
    const ids = [];
    for (let round = 0; round < 5; round++) {
      raw.send(Array.from({ length: 30 }, (_, at) => request(`${client}.${round}.${at}`, at % 3 ? 'world.measure' : 'scene.list')));
    }
    for (let round = 0; round < 5; round++) ids.push(...(await raw.next(30000)).map(({ id }) => id));
    return ids.join();
  }));
  answered.forEach((ids, client) => {
    const wanted = Array.from({ length: 150 }, (_, i) => `${client}.${Math.floor(i / 30)}.${i % 30}`).join();
    assert.equal(ids.split(',').sort().join(), wanted.split(',').sort().join());
  });
});
