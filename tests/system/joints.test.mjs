// SPDX-License-Identifier: MIT
// Sticks between points, ball joints and muscles through the server: what they report, late joiners, scenes, going back,
// batches and refusals.

import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next, until } from '../support/wait.mjs';
import { laboratory, ROOT, Weftd } from '../support/weftd.mjs';

async function keeping(t) {
  const scenes = join(await dataFolder(t), 'scenes');
  await cp(join(ROOT, 'server/scenes'), scenes, { recursive: true });
  return laboratory(t, ['--data', await dataFolder(t), '--scenes', scenes, '--log-level', 'warn']);
}

const blaming = (pointer) => (error) => error.data?.pointer === pointer || assert.fail(`${error.data?.pointer}: ${error.message}`);

// A lever on a hinge of two nails, with a muscle at its end and a load that hangs on its surface.
async function lever(call) {
  const { results } = await call('batch.run', {
    commands: [
      { method: 'particles.spawn', params: { positions: [0, 2, -0.1, 0, 2, 0.1, 1, 3, 0] } },
      { method: 'particle.pin', params: { object: '$0', particles: [0, 1, 2] } },
      { method: 'body.spawn', params: { shape: 'box', size: [1, 0.1, 0.2], position: [0.5, 2, 0], mass: 2 } },
      { method: 'body.spawn', params: { shape: 'box', size: [0.2, 0.2, 0.2], position: [1, 1, 0] } },
      { method: 'stick.add', params: { a: { object: '$0', particle: 0 }, b: { object: '$2', anchor: [0, 2, -0.1] }, restLength: 0 } },
      { method: 'stick.add', params: { a: { object: '$0', particle: 1 }, b: { object: '$2', anchor: [0, 2, 0.1] }, restLength: 0 } },
      { method: 'stick.add', params: { a: { object: '$0', particle: 2 }, b: { object: '$2', anchor: [1, 2, 0] } } },
      {
        method: 'stick.add',
        params: {
          a: { object: '$2', point: [1, 1, 0] }, b: { object: '$3', point: [1, 1.5, 0.05] }, breakForce: 2000,
          swing: { amplitude: 0.1, period: 0.8, phase: 0 },
        },
      },
    ],
  });
  return { muscle: results[6].stick, load: results[7].stick, box: results[2].object };
}

test('points carry the ends of sticks; all of it is reported, saved, and made again', async (t) => {
  const { call } = await keeping(t);
  const { muscle, load, box } = await lever(call);
  await call('stick.set', { stick: muscle, restLength: 0.7, rate: 0.25 });
  await call('world.step', { ticks: 60 });
  const { sticks } = await call('object.list', {});
  const moving = sticks.find(({ id }) => id === muscle);
  assert.ok(Math.abs(moving.restLength - 0.75) < 1e-5, `${moving.restLength}`);
  assert.deepEqual([moving.targetLength, moving.rate].map((value) => Math.round(100 * value)), [70, 25]);
  const hanging = sticks.find(({ id }) => id === load);
  assert.equal(hanging.a.particles.length, 4);
  assert.ok(Math.abs(hanging.a.weights.reduce((sum, weight) => sum + weight) - 1) < 1e-5);
  assert.equal(hanging.breakForce, 2000);
  assert.ok(hanging.force > 1, `${hanging.force}`);
  await call('scene.save', { name: 'lever' });
  await call('world.reset', {});
  await call('scene.load', { name: 'lever' });
  const again = (await call('object.list', {})).sticks;
  const bare = ({ a, b, restLength, compliance, kind, projection, swing, breakForce }) => ({
    a: [a.particle, a.particles, a.weights], b: [b.particle, b.particles, b.weights], restLength, compliance, kind, projection, swing, breakForce,
  });
  assert.deepEqual(again.map(bare), sticks.map(bare)); // the same weights, to the last digit
  assert.ok(box > 0);
});

test('viewers and late comers are told of ends, changes and breaks', async (t) => {
  const { server, call, client } = await keeping(t);
  await client.subscribeFrames();
  await client.subscribeEvents(['stick.changed', 'stick.broken', 'stick.removed']);
  const { muscle, load } = await lever(call);
  const { sticks } = await call('object.list', {});
  const known = (of) => of.topology?.sticks.find(({ id }) => id === load)?.a;
  await until(() => known(client), 'the stick of the load');
  assert.deepEqual(known(client), sticks.find(({ id }) => id === load).a);
  const changed = next(client, 'stick.changed');
  await call('stick.set', { stick: muscle, kind: 'atMost', compliance: 0.001 });
  assert.equal((await changed).stick.kind, 'atMost');
  assert.equal(client.topology.sticks.find(({ id }) => id === muscle).kind, 'atMost');
  const late = await server.connect('lab');
  await late.subscribeFrames();
  await until(() => known(late), 'the stick of the load, for one who came later');
  assert.deepEqual(late.topology.sticks.find(({ id }) => id === muscle), client.topology.sticks.find(({ id }) => id === muscle));
  const broken = next(client, 'stick.broken');
  await call('stick.set', { stick: load, breakForce: 1 });
  await call('world.step', { ticks: 2 });
  assert.equal((await broken).stick, load);
  await until(() => !known(client) && !known(late), 'the topology without the stick that broke');
  assert.equal((await call('object.list', {})).sticks.length, 3);
});

test('history, undo, a capsule and a restart have the same sticks, to the bit', { timeout: 120000 }, async (t) => {
  const data = await dataFolder(t);
  const args = ['--data', data, '--log-level', 'warn'];
  const { server, call, hash } = await laboratory(t, args);
  const { muscle, load } = await lever(call);
  await call('world.step', { ticks: 20 });
  await call('stick.set', { stick: muscle, restLength: 0.5, rate: 0.3 });
  await call('world.step', { ticks: 20 });
  await call('stick.set', { stick: load, swing: { amplitude: 0.2, period: 0.5 }, breakForce: 5000 });
  await call('world.step', { ticks: 60 });
  const after = await hash();
  await call('world.seek', { tick: 30 });
  await call('world.seek', { tick: 100 });
  assert.equal(await hash(), after, 'computed again from the history');
  const { capsule } = await call('world.export');
  await call('world.import', { name: 'copy', capsule, paused: true });
  assert.equal((await (await server.connect('copy')).call('world.get')).stateHash, after, 'the capsule');
  await assert.rejects(call('batch.run', { commands: [
    { method: 'stick.set', params: { stick: muscle, restLength: 0.1 } }, { method: 'stick.set', params: { stick: muscle, rate: 1 } },
  ] }));
  assert.equal(await hash(), after, 'a batch that is refused changes nothing');
  await call('world.undo');
  assert.notEqual(await hash(), after);
  await call('world.redo');
  assert.equal(await hash(), after, 'taken back and given again');
  await server.end('SIGTERM');
  const again = await Weftd.start(t, ['--world', 'lab=empty', '--paused', ...args]);
  assert.equal((await (await again.connect('lab')).call('world.get')).stateHash, after, 'after a restart');
});

test('ends and changes that cannot be are refused with the member to blame', async (t) => {
  const { call } = await keeping(t);
  const { muscle, box } = await lever(call);
  const end = { object: box, particle: 0 };
  const add = (a, more = {}) => call('stick.add', { a, b: end, restLength: 1, ...more });
  await assert.rejects(add({ object: box }), blaming('/a'));
  await assert.rejects(add({ object: box, particle: 1, point: [0, 0, 0] }), blaming('/a'));
  await assert.rejects(add({ object: box, particles: [0, 1] }), blaming('/a'));
  await assert.rejects(add({ object: box, particles: [0, 1], weights: [1] }), blaming('/a/weights'));
  await assert.rejects(add({ object: box, particles: [0, 1], weights: [1, 1] }), blaming('/a/weights'));
  await assert.rejects(add({ object: box, particles: [0, 9], weights: [0.5, 0.5] }), blaming('/a/particles'));
  await assert.rejects(add({ object: box, particle: 1 }, { restLength: 0, kind: 'atLeast' }), blaming('/restLength'));
  await assert.rejects(call('stick.set', { stick: muscle }), /nothing is changed/);
  await assert.rejects(call('stick.set', { stick: 9999, restLength: 1 }), blaming('/stick'));
  await assert.rejects(call('stick.set', { stick: muscle, rate: 1 }), blaming('/rate'));
  await assert.rejects(call('stick.set', { stick: muscle, swing: { amplitude: 5 } }), blaming('/swing/amplitude'));
});
