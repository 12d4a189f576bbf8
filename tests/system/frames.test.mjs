// SPDX-License-Identifier: MIT
// Frames compared with the results of particle.read: both encodings, late subscriptions, chosen objects, rates, epochs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { next, until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

async function scene(call) {
  const cloth = await call('cloth.spawn', { columns: 23, rows: 17, position: [0.3, 3, -2], pin: 'topEdge' });
  const rope = await call('rope.spawn', { from: [-5, 4, 1], to: [-3, 4, 2], particles: 131 });
  const body = await call('body.spawn', { position: [40, 70, -90], angularVelocity: [1, 2, 3] });
  const loose = await call('particles.spawn', { positions: [-99, 50, 99, 0.1, 0.2, 0.3] });
  return [cloth, rope, body, loose].map(({ object }) => object);
}

/** Steps the world, and returns the frame of the new tick. */
async function step(call, client, ticks = 1) {
  const target = (await call('world.get')).tick + ticks;
  const frame = next(client, 'frame', ({ tick }) => tick === target);
  await call('world.step', { ticks });
  return frame;
}

/** The positions of particle.read: numbers that parse to the same float32. */
async function readAll(call, objects) {
  const reads = [];
  for (const object of objects) reads.push((await call('particle.read', { object })).positions.flat());
  return reads.flat().map(Math.fround);
}

for (const [encoding, gridStep] of [['raw', 0], ['grid', 1 / 4096], ['grid', 1 / 16384], ['grid', 1 / 64]]) {
  test(`${encoding} frames${gridStep ? ` with a step of 1/${1 / gridStep} m` : ''} equal particle.read within half a step`, async (t) => {
    const { call, client } = await laboratory(t);
    const objects = await scene(call);
    const chosen = await client.subscribeFrames({ encoding, ...(gridStep && { step: gridStep }) });
    assert.equal(chosen.encoding, encoding);
    for (const ticks of [1, 30, 200]) {
      const frame = await step(call, client, ticks);
      const positions = await readAll(call, objects);
      assert.equal(frame.positions.length, positions.length);
      // A float32 of up to 100 m is exact to 2^-18 m.
      const allowed = gridStep ? gridStep / 2 + 2 ** -18 : 0;
      const worst = Math.max(...positions.map((x, i) => Math.abs(x - frame.positions[i])));
      assert.ok(worst <= allowed, `off by ${worst} m`);
    }
  });
}

test('the topology says where in the frame each object lies, and what it is', async (t) => {
  const { call, client } = await laboratory(t);
  const [cloth, rope, body, loose] = await scene(call);
  const { object: mesh } = await call('mesh.spawn', { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], triangles: [0, 1, 2, 2, 1, 3], color: '#12ab34', name: 'a patch' });
  await call('obstacle.add', { shape: 'sphere', position: [0, 1, 0], radius: 0.5 });
  const shape = next(client, 'topology');
  await client.subscribeFrames();
  const { objects, particles, obstacles, bounds } = await shape;
  assert.deepEqual(objects.map(({ id, kind, first }) => [id, kind, first]), [
    [cloth, 'cloth', 0], [rope, 'rope', 391], [body, 'body', 522], [loose, 'particles', 526], [mesh, 'mesh', 528],
  ]);
  assert.equal(particles, 532);
  assert.deepEqual([objects[0].columns, objects[0].rows, objects[0].mesh], [23, 17, 'grid']);
  assert.deepEqual(objects[0].pins, Array.from({ length: 23 }, (_, i) => i));
  assert.deepEqual([...objects[4].triangles], [0, 1, 2, 2, 1, 3]);
  assert.deepEqual([objects[4].color, objects[4].name], ['#12ab34', 'a patch']);
  assert.deepEqual([obstacles[0].shape, obstacles[0].radius], ['sphere', 0.5]);
  assert.deepEqual(bounds, (await call('world.get')).bounds);
  assert.equal((await call('object.get', { object: cloth })).triangles * 3, objects[0].triangles.length, 'the lattice has as many triangles as in the core');
});

test('objects that come and go arrive as deltas ahead of the frames that need them', async (t) => {
  const { call, client } = await laboratory(t);
  await client.subscribeFrames({ encoding: 'raw' });
  const faults = [];
  client.on('fault', (error) => faults.push(error));
  let frames = 0;
  client.on('frame', ({ epoch, count }) => {
    frames++;
    assert.equal(epoch, client.topology.epoch);
    assert.equal(count, client.topology.particles);
  });
  await call('world.resume');
  const made = [];
  for (let i = 0; i < 30; i++) {
    made.push((await call('cloth.spawn', { columns: 2 + i, rows: 3, position: [0, i, 0] })).object);
    if (i % 3 === 2) await call('object.remove', { object: made.splice(i % made.length, 1)[0] });
    await next(client, 'frame');
  }
  await until(() => client.topology.objects.length === made.length && client.topology.objects.at(-1).id === made.at(-1), 'the last delta');
  const frame = await next(client, 'frame', ({ count }) => count === client.topology.particles);
  assert.equal(frame.positions.length, 3 * client.topology.particles);
  assert.deepEqual(client.topology.objects.map(({ id }) => id), made);
  assert.deepEqual(faults, []);
  assert.equal(client.statistics.framesSkipped, 0);
  assert.ok(frames > 10);
});

test('who joins late gets the topology, a keyframe, and then what the others get', async (t) => {
  const { call, client, server } = await laboratory(t);
  await scene(call);
  await client.subscribeFrames();
  await call('world.step', { ticks: 77 });
  const late = await server.connect('lab');
  const [shape, first] = [next(late, 'topology'), next(late, 'frame')];
  await late.subscribeFrames();
  assert.equal((await shape).particles, 528);
  const keyframe = await first;
  assert.deepEqual([keyframe.tick, keyframe.keyframe], [77, true]);
  const [mine, theirs] = await Promise.all([next(client, 'frame', ({ tick }) => tick === 78), next(late, 'frame', ({ tick }) => tick === 78), call('world.step')]);
  assert.deepEqual(mine.positions, theirs.positions);
  assert.equal(mine.epoch, theirs.epoch);
});

test('a filter of objects sends these and no others, by name of their slots', async (t) => {
  const { call, client } = await laboratory(t);
  const [, rope, , loose] = await scene(call);
  await client.subscribeFrames({ objects: [loose, rope], encoding: 'raw' });
  const frame = await step(call, client, 3);
  assert.deepEqual(frame.ranges, [{ first: 391, count: 131 }, { first: 526, count: 2 }]);
  assert.deepEqual([...frame.positions], await readAll(call, [rope, loose]));
  await call('object.remove', { object: rope });
  const after = await step(call, client, 1);
  assert.deepEqual(after.ranges, [{ first: 395, count: 2 }]);
  await assert.rejects(client.subscribeFrames({ objects: [rope] }), { code: -32002 });
});

test('every tick of a running world is one frame, and every n-th where asked so', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const [all, third] = [await server.connect('lab'), await server.connect('lab')];
  await all.call('cloth.spawn', { columns: 10, rows: 10 });
  const ticks = new Map([[all, []], [third, []]]);
  for (const [client, seen] of ticks) client.on('frame', ({ tick }) => seen.push(tick));
  await all.subscribeFrames();
  await third.subscribeFrames({ everyTicks: 3 });
  await until(() => ticks.get(third).length > 20, 'frames');
  const steps = (seen) => new Set(seen.slice(2).map((tick, i) => tick - seen[i + 1]));
  assert.deepEqual([...steps(ticks.get(third))], [3]);
  assert.ok(ticks.get(third).slice(1).every((tick) => tick % 3 === 0));
  assert.deepEqual([...steps(ticks.get(all))], [1]);
});

test('a command in a paused world is seen at once, in a frame of the same tick', async (t) => {
  const { call, client } = await laboratory(t);
  const { object } = await call('particles.spawn', { positions: [1, 2, 3] });
  const keyframe = next(client, 'frame');
  await client.subscribeFrames({ encoding: 'raw' });
  await keyframe;
  const frame = next(client, 'frame', ({ positions }) => positions[0] === 4);
  await call('particle.move', { object, particle: 0, position: [4, 5, 6] });
  const { tick, refresh, positions } = await frame;
  assert.deepEqual([tick, refresh, [...positions]], [0, true, [4, 5, 6]]);
});

test('a viewer of every seventh tick sees a command in a paused world too', async (t) => {
  const { call, client } = await laboratory(t);
  const { object } = await call('particles.spawn', { positions: [1, 2, 3] });
  await call('world.step', { ticks: 3 });
  await client.subscribeFrames({ encoding: 'raw', everyTicks: 7 });
  const frame = next(client, 'frame', ({ positions }) => positions[0] === 4);
  await call('particle.move', { object, particle: 0, position: [4, 5, 6] });
  assert.equal((await frame).tick, 3);
});

test('after unsubscribing no more frames come', async (t) => {
  const { call, client } = await laboratory(t);
  await call('particles.spawn', { positions: [1, 2, 3] });
  await client.subscribeFrames();
  await step(call, client);
  await client.unsubscribeFrames();
  let frames = 0;
  client.on('frame', () => frames++);
  await call('world.step', { ticks: 20 });
  await call('world.get');
  assert.equal(frames, 0);
});

test('a reset begins a new epoch at tick 0 with the same state as at first, for viewers too', async (t) => {
  const { call, client, hash } = await laboratory(t);
  const before = await hash();
  await client.subscribeFrames({ encoding: 'raw' });
  const { epoch } = await call('world.get');
  const { object } = await call('cloth.spawn', { columns: 5, rows: 5 });
  await call('world.set', { substeps: 3, gravity: [1, 2, 3] });
  await call('world.step', { ticks: 30 });
  assert.notEqual(await hash(), before);
  const frame = next(client, 'frame', ({ tick, count }) => tick === 0 && count === 0);
  await call('world.reset');
  assert.ok((await frame).epoch > epoch);
  assert.equal(await hash(), before);
  assert.equal((await call('world.get')).tick, 0);
  assert.deepEqual(client.topology.objects, []);
  const again = await call('cloth.spawn', { columns: 5, rows: 5 });
  assert.ok(again.object > object, 'ids go on');
});
