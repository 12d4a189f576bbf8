// SPDX-License-Identifier: MIT
// Obstacles that move, through the server: commands and refusals, what viewers and late joiners are told, seek, undo, saved
// scenes, and a page's engine that follows to the same hash.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { obstacleAt } from '../../web/viewer/geometry/obstacle_motion.js';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

const BOX = { shape: 'box', position: [0, 0.5, 0], size: [2, 0.2, 1] };
const PATH = [{ time: 1, position: [1, 0.5, 0] }, { time: 2, position: [0, 0.5, 0] }];

const obstaclesOf = async (call) => (await call('object.list')).obstacles;

async function refused(call, method, params, pointer, text) {
  await assert.rejects(call(method, params), (error) => {
    assert.equal(error.data?.pointer ?? error.pointer, pointer, error.message);
    assert.match(error.message, text);
    return true;
  });
}

test('a motion is given, changed and ended; what is impossible is refused and changes nothing', async (t) => {
  const { call } = await laboratory(t);
  const { obstacle } = await call('obstacle.add', { ...BOX, velocity: [1, 0, 0], angularVelocity: [0, 2, 0], pivot: [0, 0, 3] });
  await call('world.step', { ticks: 60 });
  const [{ motion, position }] = await obstaclesOf(call);
  assert.deepEqual(motion, { start: 0, velocity: [1, 0, 0], angularVelocity: [0, 2, 0], pivot: [0, 0, 3] });
  assert.deepEqual(position, [0, 0.5, 0]);
  await refused(call, 'obstacle.set', { obstacle, loop: true }, '/loop', /loop belongs to a path/);
  await refused(call, 'obstacle.set', { obstacle, pathTime: 1 }, '/pathTime', /pathTime belongs to a path/);
  await refused(call, 'obstacle.set', { obstacle, path: PATH, velocity: [1, 0, 0] }, '/path', /either a path or a velocity/);
  await refused(call, 'obstacle.set', { obstacle, path: PATH, loop: true }, '/path', /must end where it begins/);
  await refused(call, 'obstacle.set', { obstacle, path: [PATH[1], PATH[0]] }, '/path/1/time', /at least 0\.001 s after that of the point before/);
  await refused(call, 'obstacle.set', { obstacle, angularVelocity: [0, 101, 0] }, '/angularVelocity/1', /between -100 and 100|-100 to 100/);
  await refused(call, 'obstacle.add', { shape: 'heightfield', columns: 2, rows: 2, spacing: 1, heights: [0, 0, 0, 0], angularVelocity: [0, 1, 0] }, '/angularVelocity', /a height field cannot turn/);
  assert.deepEqual((await obstaclesOf(call))[0].motion, motion);
  await call('obstacle.set', { obstacle, angularVelocity: [0, 0, 0] });
  const [shifted] = await obstaclesOf(call);
  assert.deepEqual(shifted.motion, { start: 60, velocity: [1, 0, 0] });
  const expected = [3 * -Math.sin(2) + 1, 0.5, 3 - 3 * Math.cos(2)];
  shifted.position.forEach((value, axis) => assert.ok(Math.abs(value - expected[axis]) < 1e-5, `${shifted.position} for ${expected}`));
  await call('obstacle.set', { obstacle, path: [{ time: 1, position: [0, 1, 0] }] });
  assert.equal((await obstaclesOf(call))[0].motion.path.length, 1);
  await call('obstacle.set', { obstacle, velocity: [0, 0, 0] });
  const [stopped] = await obstaclesOf(call);
  assert.equal(stopped.motion, undefined);
  await call('world.step', { ticks: 10 });
  assert.deepEqual((await obstaclesOf(call))[0].position, stopped.position);
});

test('viewers and late joiners are told where an obstacle is', async (t) => {
  const { server, call, client } = await laboratory(t);
  await client.subscribeFrames({ encoding: 'motion' });
  await client.subscribeEvents(['obstacle.changed']);
  const { obstacle } = await call('obstacle.add', { ...BOX, friction: 0.5, surfaceVelocity: [0.5, 0, 0] });
  await call('obstacle.add', { shape: 'capsule', from: [2, 1, 0], to: [3, 1, 0], radius: 0.1, angularVelocity: [0, 3, 0] });
  await call('obstacle.add', { shape: 'plane', velocity: [0, 0.1, 0] });
  await call('body.spawn', { shape: 'box', size: [0.2, 0.2, 0.2], position: [-0.5, 0.701, 0] });
  await until(() => client.topology?.obstacles.length === 3, 'the topology of who watches');
  await call('world.step', { ticks: 40 });
  await call('obstacle.set', { obstacle, velocity: [0, 0.2, 0] });
  await call('world.step', { ticks: 20 });
  const late = await server.connect('lab');
  await late.subscribeFrames({ encoding: 'motion' });
  await until(() => late.topology?.obstacles.length === 3, 'the topology of who comes later');
  await until(() => client.topology?.obstacles[0].motion?.start === 40, 'the event of the change');
  assert.deepEqual(JSON.parse(JSON.stringify(client.topology.obstacles)), JSON.parse(JSON.stringify(late.topology.obstacles)));
  const [box, capsule, plane] = late.topology.obstacles.map((each) => obstacleAt(each, 60, 60));
  assert.ok(Math.abs(box.position[1] - (0.5 + 0.2 / 3)) < 1e-6);
  assert.ok(Math.abs(capsule.from[0] - (2.5 - 0.5 * Math.cos(3))) < 1e-6 && Math.abs(capsule.from[2] - 0.5 * Math.sin(3)) < 1e-6, `${capsule.from}`);
  assert.ok(Math.abs(plane.position[1] - 0.1) < 1e-6);
  const body = await call('object.get', { object: (await call('object.list')).objects[0].object });
  assert.ok(body.asleep === false);
});

test('the page places obstacles as the server does', async (t) => {
  const { call } = await laboratory(t);
  const half = Math.SQRT1_2;
  await call('obstacle.add', { ...BOX, path: [{ time: 0.7, position: [1, 1, 0], rotation: [0, half, 0, half] }, { time: 1.6, position: [0, 0.5, 0], rotation: [0, 0, 0, 1] }], loop: true, pathTime: 0.3 });
  await call('obstacle.add', { shape: 'box', position: [4, 0, 0], size: [1, 1, 1], velocity: [0, 0.3, 0], angularVelocity: [0.5, 1, 0.2], pivot: [4, 1, 1] });
  await call('obstacle.add', { shape: 'capsule', from: [8, 0, 0], to: [9, 0, 1], radius: 0.1, path: [{ time: 2, position: [8, 2, 0], rotation: [half, 0, 0, half] }] });
  await call('obstacle.add', { shape: 'plane', position: [0, -3, 0], angularVelocity: [0.02, 0.5, 0] });
  for (const ticks of [31, 60, 75]) {
    const told = await obstaclesOf(call);
    await call('world.step', { ticks });
    const { tick } = await call('world.get');
    const pages = told.map((each) => obstacleAt(each, tick, 60));
    for (const { id, motion } of told) {
      await call('obstacle.set', { obstacle: id, velocity: [0, 0, 0], angularVelocity: [0, 0, 0] }); // the server tells where it has stopped
      const stopped = (await obstaclesOf(call)).find((each) => each.id === id);
      const page = pages.find((each) => each.id === id);
      for (const member of ['position', 'from', 'to', 'normal']) {
        page[member]?.forEach((value, axis) => assert.ok(Math.abs(value - stopped[member][axis]) < 2e-5, `${member} ${page[member]} for ${stopped[member]}`));
      }
      const same = page.rotation?.reduce((sum, value, i) => sum + value * stopped.rotation[i], 0) ?? 1;
      assert.ok(Math.abs(Math.abs(same) - 1) < 1e-6, `${page.rotation} for ${stopped.rotation}`);
      const { start, path, loop, pathTime, ...moves } = motion;
      await call('obstacle.set', path ? { obstacle: id, path: [{ time: 2, position: [id, 2, 1], rotation: [0, half, 0, half] }], pathTime: 0.1 } : { obstacle: id, ...moves });
    }
  }
});

test('seek, undo and a saved scene keep the motion to the bit', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(folder, 'empty.json'));
  const { call, hash } = await laboratory(t, ['--scenes', folder, '--data', await dataFolder(t)]);
  const { obstacle } = await call('obstacle.add', { ...BOX, friction: 0.6, path: PATH, loop: true });
  await call('body.spawn', { shape: 'box', size: [0.3, 0.2, 0.3], position: [0, 0.8, 0] });
  await call('cloth.spawn', { columns: 8, rows: 8, spacing: 0.06, position: [0.4, 1.2, 0.2], rotation: [0.7071068, 0, 0, 0.7071068], pin: 'none' });
  await call('world.step', { ticks: 90 });
  const at90 = await hash();
  await call('obstacle.set', { obstacle, velocity: [0, 0, 0.4] });
  await call('world.step', { ticks: 60 });
  const at150 = await hash();
  await call('world.seek', { tick: 90 });
  assert.equal(await hash(), at90);
  await call('obstacle.set', { obstacle, velocity: [0, 0, 0.4] });
  await call('world.step', { ticks: 60 });
  assert.equal(await hash(), at150);
  await call('world.undo', { force: true });
  assert.notEqual(await hash(), at150);
  assert.equal((await obstaclesOf(call))[0].motion.loop, true);
  await call('world.redo', { force: true });
  assert.equal(await hash(), at150);
  await call('scene.save', { name: 'moving' });
  await call('scene.load', { name: 'moving' });
  const [again] = await obstaclesOf(call);
  assert.deepEqual(again.motion.velocity, [0, 0, 0.4]);
  assert.ok(again.position[2] > 0.39 && again.position[2] < 0.41, `${again.position}`);
});
