// SPDX-License-Identifier: MIT
// Basics of the protocol: hello, replies and their ids, notifications, helpful errors, the schema.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CheckedSocket } from '../support/contract.mjs';
import { laboratory, RawSocket, ROOT, Weftd } from '../support/weftd.mjs';

test('the server speaks first, and says who it is', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused']);
  const raw = await RawSocket.open(t, server.url('lab'));
  const { jsonrpc, method, params, id } = await raw.next();
  assert.deepEqual([jsonrpc, method, id], ['2.0', 'hello', undefined]);
  assert.deepEqual([params.server, params.protocol, params.world, params.tick, params.tickHz], ['weft', 1, 'lab', 0, 60]);
  assert.match(params.version, /^\d+\.\d+\.\d+/);
  assert.equal(typeof params.instance, 'string');
  assert.ok(params.instance.length > 0);
  assert.ok(Number.isInteger(params.session) && Number.isInteger(params.epoch));
  assert.equal(params.limits.particles, 1000000);
});

test('sessions differ, the instance changes with the process', async (t) => {
  const first = await Weftd.start(t, ['--world', 'lab=empty']);
  const [a, b] = [await first.connect('lab'), await first.connect('lab')];
  const second = await Weftd.start(t, ['--world', 'lab=empty']);
  const c = await second.connect('lab');
  assert.notEqual(a.hello.session, b.hello.session);
  assert.equal(a.hello.instance, b.hello.instance);
  assert.notEqual(a.hello.instance, c.hello.instance);
});

test('an id comes back as it was sent', async (t) => {
  const { server } = await laboratory(t);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  for (const id of [1, 0, -5, 'text', '', 'ü"\\', 9007199254740991]) {
    const answer = await raw.ask(id, 'object.list');
    assert.deepEqual([answer.jsonrpc, answer.id], ['2.0', id]);
    assert.deepEqual(answer.result.objects, []);
  }
});

test('answers come in the order of the requests', async (t) => {
  const { server } = await laboratory(t);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  for (let id = 0; id < 50; id++) raw.send({ jsonrpc: '2.0', id, method: 'particles.spawn', params: { positions: [id, 0, 0] } });
  let before = 0;
  for (let id = 0; id < 50; id++) {
    const answer = await raw.next();
    assert.equal(answer.id, id);
    assert.ok(answer.result.object > before, 'ids of objects rise');
    before = answer.result.object;
  }
});

test('a notification is applied and not answered', async (t) => {
  const { server } = await laboratory(t);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  raw.send({ jsonrpc: '2.0', method: 'particles.spawn', params: { positions: [0, 0, 0] } });
  raw.send({ jsonrpc: '2.0', method: 'particles.spawn', params: { positions: 'nowhere' } });
  raw.send({ jsonrpc: '2.0', method: 'no.such', params: {} });
  raw.send({ jsonrpc: '2.0', id: 1, method: 'object.list' });
  const first = await raw.next();
  assert.equal(first.id, 1, 'nothing is said before the answer to the request');
  assert.equal(first.result.objects.length, 1);
});

test('a change tells the first tick that sees it', async (t) => {
  const { call } = await laboratory(t);
  assert.equal((await call('particles.spawn', { positions: [0, 0, 0] })).tick, 1);
  assert.equal((await call('world.step', { ticks: 5 })).tick, 5, 'the tick reached');
  assert.equal((await call('world.set', { gravity: [0, 0, 0] })).tick, 6);
  assert.equal((await call('world.get')).tick, 5);
});

test('errors name the member, what it got and what is allowed', async (t) => {
  const { call } = await laboratory(t);
  const refusal = async (method, params) => {
    try {
      await call(method, params);
    } catch (error) {
      return error;
    }
    assert.fail(`${method} was not refused`);
  };
  const rows = await refusal('cloth.spawn', { columns: 4, rows: 1 });
  assert.equal(rows.code, -32602);
  assert.equal(rows.data.pointer, '/rows');
  for (const part of ['rows', '1', '2', '4096']) assert.ok(rows.message.includes(part), rows.message);

  const member = await refusal('cloth.spawn', { colums: 4, rows: 4 });
  assert.deepEqual([member.code, member.data.suggestion], [-32602, 'columns']);
  const method = await refusal('cloth.spwan', {});
  assert.deepEqual([method.code, method.data.suggestion], [-32601, 'cloth.spawn']);
  assert.equal((await refusal('planet.spawn', {})).code, -32601);
  assert.equal((await refusal('object.get', { object: 999 })).code, -32002);
  assert.equal((await refusal('cloth.spawn', { rows: 3 })).data.pointer, '/columns');
});

test('the least that the schema names is taken, and what is below it refused with just that', async (t) => {
  const { call } = await laboratory(t);
  const heights = [0, 0, 0, 0];
  const lengths = [
    ['cloth.spawn', (spacing) => ({ columns: 2, rows: 2, spacing }), 'spacing', 0.0001],
    ['body.spawn', (size) => ({ size }), 'size', 0.0001],
    ['body.spawn', (size) => ({ shape: 'frame', size }), 'size', 0.0001],
    ['plant.spawn', (height) => ({ height }), 'height', 0.01],
    ['ragdoll.spawn', (height) => ({ height }), 'height', 0.01],
    ['obstacle.add', (spacing) => ({ shape: 'heightfield', columns: 2, rows: 2, spacing, heights }), 'spacing', 0.0001],
  ];
  for (const [method, params, member, least] of lengths) {
    await call(method, params(least));
    await assert.rejects(call(method, params(0.9 * least)), ({ code, message, data }) =>
      code === -32602 && data.pointer === `/${member}` && message.startsWith(`${member} must be a `) && message.includes(`from ${least} to `));
  }
  const { object } = await call('particles.spawn', { positions: [0, 0, 0] });
  await call('particle.set', { object, particles: [0], inverseMass: 1e12 });
  const thin = (y) => ({ shape: 'box', size: [0.1, y, 0.1] });
  await call('body.spawn', thin(0.001));
  await assert.rejects(call('body.spawn', thin(0.0009)), ({ message, data }) => data.pointer === '/size/1' && message.startsWith('size[1] must be 0.001 to'));
});

test('what does not fit into a world is refused with the limit', async (t) => {
  const { call } = await laboratory(t, ['--max-particles', '100']);
  await call('cloth.spawn', { columns: 10, rows: 9 });
  await assert.rejects(call('cloth.spawn', { columns: 10, rows: 9 }), (error) => error.code === -32003 && /100/.test(error.message));
  await call('cloth.spawn', { columns: 5, rows: 2 });
});

test('stepping a world that runs is refused', async (t) => {
  const { call } = await laboratory(t);
  await call('world.resume');
  await assert.rejects(call('world.step'), { code: -32004 });
});

test('ids are never used again', async (t) => {
  const { call } = await laboratory(t);
  const { object } = await call('particles.spawn', { positions: [0, 0, 0] });
  await call('object.remove', { object });
  assert.ok((await call('particles.spawn', { positions: [0, 0, 0] })).object > object);
  await assert.rejects(call('object.get', { object }), { code: -32002 });
});

test('what an object is made of is told as it was given', async (t) => {
  const { call } = await laboratory(t);
  const material = { friction: 0.25, restitution: 0.75 };
  const triangle = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
  const made = [
    ['cloth.spawn', { columns: 3, rows: 3, ...material }, material],
    ['mesh.spawn', { ...triangle, ...material }, material],
    ['particles.spawn', { positions: [0, 5, 0], radius: 0.125, ...material }, { radius: 0.125, ...material }],
    ['rope.spawn', { from: [0, 3, 0], to: [1, 3, 0], particles: 5, ...material }, material],
    ['body.spawn', { ...material }, material],
    ['plant.spawn', { friction: 0.25 }, { friction: 0.25, restitution: 0 }],
    ['ragdoll.spawn', {}, { friction: 0.5, restitution: 0 }],
  ];
  const { methods } = await call('rpc.discover');
  const told = methods.find(({ name }) => name === 'object.get').result.schema.required.filter((member) => member !== 'tick');
  for (const [i, [method, params, expected]] of made.entries()) {
    const { object } = await call(method, params);
    const { tick, ...one } = await call('object.get', { object });
    assert.equal(tick, 0);
    for (const [member, value] of Object.entries(expected)) assert.equal(one[member], value, `${method}: ${member}`);
    for (const member of told) assert.ok(member in one, `${method}: no ${member}`);
    const listed = (await call('object.list')).objects[i];
    for (const [member, value] of Object.entries(listed)) assert.deepEqual(one[member], value, `${method}: ${member} as object.list has it`);
  }
});

test('the schema is served as it stands in the source', async (t) => {
  const { call, server } = await laboratory(t);
  const source = JSON.parse(await readFile(`${ROOT}/proto/weft.openrpc.json`, 'utf8'));
  assert.deepEqual(await call('rpc.discover'), source);
  const answer = await fetch(server.http('/openrpc.json'));
  assert.match(answer.headers.get('content-type'), /json/);
  assert.deepEqual(await answer.json(), source);
});

test('every method of the schema is there', async (t) => {
  const { call } = await laboratory(t);
  const { methods } = await call('rpc.discover');
  assert.ok(methods.length > 30);
  for (const { name } of methods) {
    await call(name, { 'not a member': 1 }).then(
      () => assert.fail(`${name} took an unknown member`),
      (error) => assert.equal(error.code, -32602, `${name}: ${error.message}`),
    );
  }
});

const refused = (url, protocols) =>
  new Promise((resolve, reject) => {
    const socket = new CheckedSocket(url, protocols);
    socket.once('open', () => (socket.terminate(), reject(new Error('it was let in'))));
    socket.once('error', (error) => resolve(error.message));
  });

test('a world that is not there and another subprotocol are refused; no subprotocol is version 1', async (t) => {
  const { server } = await laboratory(t);
  assert.match(await refused(server.url('elsewhere'), ['weft.v1']), /404/);
  await refused(server.url('lab'), ['weft.v2']);
  const plain = await RawSocket.open(t, server.url('lab'), []);
  assert.equal((await plain.next()).method, 'hello');
});

test('worlds of one process know nothing of each other', async (t) => {
  const server = await Weftd.start(t, ['--world', 'one=empty', '--world', 'two=empty', '--paused']);
  const [one, two] = [await server.connect('one'), await server.connect('two')];
  await one.call('cloth.spawn', { columns: 5, rows: 5 });
  await one.call('world.step', { ticks: 10 });
  assert.deepEqual((await two.call('object.list')).objects, []);
  assert.equal((await two.call('world.get')).tick, 0);
  assert.equal((await one.call('world.get')).tick, 10);
});

test('what would be faster than the speed limit is held to it, and the result says so', async (t) => {
  const { call } = await laboratory(t);
  const box = { shape: 'box', size: [0.3, 0.3, 0.3], position: [0, 2, 0] };
  const slow = await call('body.spawn', { ...box, velocity: [900, 0, 0] });
  assert.ok(!('capped' in slow));
  const fast = await call('body.spawn', { ...box, velocity: [1000, 0, 1000] });
  assert.equal(fast.capped, true);
  const { velocities } = await call('particle.read', { object: fast.object });
  for (const [x, y, z] of velocities) assert.ok(Math.abs(Math.hypot(x, y, z) - 1000) < 0.1 && Math.abs(x - z) < 0.1, `${x}, ${y}, ${z}`);
  assert.ok(!('capped' in await call('world.pause')), 'a command that throws nothing says nothing of the one before');
  assert.equal((await call('ragdoll.spawn', { position: [3, 2, 0], velocity: [1000, 1000, 0] })).capped, true);
  const { object, capped } = await call('particles.spawn', { positions: [[-3, 2, 0], [-3, 3, 0]], velocities: [[0, 0, 0], [1000, 1000, 0]] });
  assert.equal(capped, true);
  assert.ok(!('capped' in await call('particle.move', { object, particle: 0, position: [-3, 2.1, 0], mode: 'push' })));
  assert.equal((await call('particle.move', { object, particle: 0, position: [40, 2, 0], mode: 'push' })).capped, true);
  const { results } = await call('batch.run', { commands: [
    { method: 'body.spawn', params: { ...box, position: [0, 2, 3], velocity: [1000, 1000, 0] } },
    { method: 'body.spawn', params: { ...box, position: [0, 2, -3] } },
  ] });
  assert.deepEqual(results.map(({ capped: told }) => told), [true, undefined]);
});
