// SPDX-License-Identifier: MIT
// batch.run: commands in order, all or none, with "$k", and at a chosen tick.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { next, sleep } from '../support/wait.mjs';
import { laboratory } from '../support/weftd.mjs';

const TRIANGLE = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] };

test('commands of a batch are applied in order, and "$k" names what command k made', async (t) => {
  const { call } = await laboratory(t);
  const { results, tick } = await call('batch.run', {
    commands: [
      { method: 'world.set', params: { gravity: [0, 0, 0] } },
      { method: 'particles.spawn', params: TRIANGLE },
      { method: 'rope.spawn', params: { from: [5, 0, 0], to: [6, 0, 0], particles: 3 } },
      { method: 'stick.add', params: { a: { object: '$1', particle: 0 }, b: { object: '$2', particle: 2 } } },
      { method: 'particle.pin', params: { object: '$1', particles: [1] } },
    ],
  });
  assert.equal(tick, 1);
  assert.equal(results.length, 5);
  assert.equal(results[1].particles, 3);
  assert.ok(results[3].stick > 0);
  const { inverseMasses } = await call('particle.read', { object: results[1].object });
  assert.deepEqual(inverseMasses, [1, 0, 1]);
});

test('a batch that fails in the middle changes nothing and says which command it was', async (t) => {
  const { call, hash, client } = await laboratory(t);
  const { object } = await call('particles.spawn', TRIANGLE);
  await call('world.step', { ticks: 3 });
  await client.subscribeEvents();
  const events = [];
  client.on('event', ({ method }) => events.push(method));
  const before = await hash();
  const failing = [
    [{ method: 'object.remove', params: { object: 999999 } }, -32002],
    [{ method: 'cloth.spawn', params: { columns: 1, rows: 3 } }, -32602],
    [{ method: 'cloth.spwan', params: {} }, -32601],
    [{ method: 'object.remove', params: { object: '$1' } }, -32602],
    [{ method: 'body.spawn', params: { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] } }, -32602],
    [{ method: 'world.get' }, -32602],
    [{ method: 'world.step', params: {} }, -32602],
    [{ method: 'batch.run', params: { commands: [] } }, -32602],
  ];
  for (const [command, code] of failing) {
    const commands = [
      { method: 'cloth.spawn', params: { columns: 4, rows: 4 } },
      { method: 'world.set', params: { substeps: 3 } },
      { method: 'object.remove', params: { object } },
      command,
    ];
    await assert.rejects(call('batch.run', { commands }), (error) => {
      assert.equal(error.code, code, `${command.method}: ${error.message}`);
      assert.match(`${error.data?.pointer}`, /^\/commands\/3/, error.message);
      return true;
    });
    assert.equal(await hash(), before, command.method);
  }
  assert.deepEqual(events, [], 'and nobody hears of it');
  assert.equal((await call('object.list')).objects.length, 1);
  const next = await call('particles.spawn', TRIANGLE);
  assert.equal(next.object, object + 1, 'no id was used up');
});

test('a batch is met at its tick inside of a step', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { gravity: [0, 0, 0], substeps: 1 });
  const { object } = await call('particles.spawn', { positions: [0, 0, 0], velocities: [1, 0, 0] });
  const planned = call('batch.run', { atTick: 31, commands: [{ method: 'particle.move', params: { object, particle: 0, position: [0, 7, 0] } }] });
  await call('world.step', { ticks: 30 });
  assert.equal((await call('particle.read', { object })).positions[0][1], 0);
  await call('world.step', { ticks: 30 });
  assert.equal((await planned).tick, 31);
  const { positions } = await call('particle.read', { object });
  assert.deepEqual(positions[0], [0, 7, 0], 'a teleport stops it');
});

test('a batch in the middle of one long step is the same as between two short ones', async (t) => {
  const hashes = [];
  const commands = [{ method: 'body.spawn', params: { position: [0, 5, 0], angularVelocity: [1, 2, 3] } }, { method: 'world.set', params: { damping: 0.1 } }];
  for (const atTick of [101, undefined]) {
    const { call, hash } = await laboratory(t);
    await call('cloth.spawn', { columns: 10, rows: 10, position: [0, 3, 0] });
    if (atTick) {
      const planned = call('batch.run', { atTick, commands });
      await call('world.step', { ticks: 200 });
      await planned;
    } else {
      await call('world.step', { ticks: 100 });
      await call('batch.run', { commands });
      await call('world.step', { ticks: 100 });
    }
    hashes.push(await hash());
  }
  assert.equal(hashes[0], hashes[1]);
});

test('a running world meets a batch at its tick', async (t) => {
  const { call, client } = await laboratory(t);
  await call('world.resume');
  const { tick } = await call('world.get');
  await client.subscribeEvents(['object.added']);
  const added = next(client, 'object.added');
  const answer = await call('batch.run', { atTick: tick + 20, commands: [{ method: 'particles.spawn', params: TRIANGLE }] });
  assert.equal(answer.tick, tick + 20);
  assert.equal((await added).tick, tick + 20);
});

test('a tick that has passed is refused', async (t) => {
  const { call } = await laboratory(t);
  await call('world.step', { ticks: 10 });
  const commands = [{ method: 'particles.spawn', params: TRIANGLE }];
  await assert.rejects(call('batch.run', { atTick: 10, commands }), (error) => /atTick/.test(error.message));
  assert.equal((await call('batch.run', { atTick: 11, commands })).tick, 11);
});

test('batches for one tick run in the order in which they came, also between those for others', async (t) => {
  const { call } = await laboratory(t);
  const plan = (atTick) => call('batch.run', { atTick, commands: [{ method: 'particles.spawn', params: TRIANGLE }] });
  const planned = [7, 5, 7, 5, 7].map(plan);
  await call('world.step', { ticks: 10 });
  const done = await Promise.all(planned);
  assert.deepEqual(done.map(({ tick }) => tick), [7, 5, 7, 5, 7]);
  const [a, b, c, d, e] = done.map(({ results }) => results[0].object);
  assert.ok(b < d && d < a && a < c && c < e, [a, b, c, d, e].join());
});

test('a world that begins anew refuses what was planned in the old one', async (t) => {
  const { call } = await laboratory(t);
  const commands = [{ method: 'particles.spawn', params: TRIANGLE }];
  const refused = assert.rejects(call('batch.run', { atTick: 5, commands }), { code: -32004 });
  await call('world.reset');
  await refused;
  await call('world.step', { ticks: 10 });
  assert.deepEqual((await call('object.list')).objects, []);
});

test('who plans a batch and leaves has it run all the same, or not at all, and the world goes on', async (t) => {
  const { call, server } = await laboratory(t);
  const other = await server.connect('lab');
  other.call('batch.run', { atTick: 50, commands: [{ method: 'particles.spawn', params: TRIANGLE }] }).catch(() => {});
  await other.call('world.get');
  other.close();
  await sleep(50);
  await call('world.step', { ticks: 100 });
  assert.equal((await call('world.get')).tick, 100);
});
