// SPDX-License-Identifier: MIT
// Round and compound bodies through the server: refusals, topology for whoever comes late, scenes saved and loaded, seeks
// and undo.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { next } from '../support/wait.mjs';
import { laboratory, ROOT } from '../support/weftd.mjs';

const BODIES = [
  { shape: 'sphere', radius: 0.1, restitution: 0.4 },
  { shape: 'capsule', radius: 0.05, length: 0.3 },
  { shape: 'cylinder', radius: 0.1, height: 0.2 },
  { shape: 'box', size: [0.2, 0.1, 0.15], radius: 0.03 },
  {
    shape: 'compound', mass: 4,
    parts: [
      { shape: 'box', size: [0.4, 0.04, 0.4] },
      { shape: 'cylinder', radius: 0.03, height: 0.4, position: [0, -0.22, 0], density: 2 },
      { shape: 'sphere', radius: 0.06, position: [0, 0.1, 0] },
      { shape: 'hull', vertices: [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], position: [0.1, 0.05, 0.1] },
    ],
  },
];

async function fill(call) {
  await call('obstacle.add', { shape: 'plane', position: [0, 0, 0], normal: [0.1, 1, 0] });
  for (const [k, body] of BODIES.entries()) await call('body.spawn', { ...body, position: [0.6 * k - 1.2, 1 + 0.1 * k, 0] });
}

test('each shape says which members it needs and takes', async (t) => {
  const { call } = await laboratory(t);
  const refused = async (params, pointer, message) => {
    await assert.rejects(call('body.spawn', params), (error) => {
      assert.equal(error.data.pointer, pointer);
      assert.match(error.message, message);
      return true;
    });
  };
  await refused({ shape: 'sphere' }, '/radius', /a sphere needs one/);
  await refused({ shape: 'sphere', radius: 0.1, size: 1 }, '/size', /takes no size/);
  await refused({ shape: 'sphere', radius: 0 }, '/radius', /0\.0005/);
  await refused({ shape: 'capsule', radius: 0.1 }, '/length', /distance between the centres/);
  await refused({ shape: 'cylinder', radius: 0.1, length: 1 }, '/length', /takes no length/);
  await refused({ shape: 'compound' }, '/parts', /1 to 32 parts/);
  await refused({ shape: 'compound', parts: [] }, '/parts', /1 to 32 objects/);
  await refused({ shape: 'compound', parts: [{ shape: 'frame' }] }, '/parts/0/shape', /"box"/);
  await refused({ shape: 'compound', parts: [{ shape: 'box', size: [1, 1, 1] }, { shape: 'sphere' }] }, '/parts/1/radius', /radius is missing/);
  await refused({ shape: 'compound', parts: [{ shape: 'hull', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }] }, '/parts/0/vertices', /plane/);
  await refused({ shape: 'box', size: [1, 1, 1], parts: [{ shape: 'sphere', radius: 1 }] }, '/parts', /takes no parts/);
});

test('who comes late sees the same shapes', async (t) => {
  const { server, call } = await laboratory(t);
  await fill(call);
  await call('world.step', { ticks: 30 });
  const late = await server.connect('lab');
  const shape = next(late, 'topology');
  await late.subscribeFrames();
  const { objects } = await shape;
  assert.deepEqual(objects.map((object) => object.shape), BODIES.map((body) => body.shape));
  for (const { hull, shape: name } of objects) {
    assert.ok(hull.triangles.length > 0 && hull.triangles.every((vertex) => vertex < hull.vertices), name);
    assert.equal(hull.bends.length, 4 * hull.triangles.length, name);
    for (let v = 0; v < hull.vertices; v++) {
      const [a, b, c, d] = hull.weights.subarray(4 * v, 4 * v + 4);
      assert.ok(Math.abs(a + b + c + d - 1) < 1e-4, name);
    }
  }
});

test('a scene that is saved builds the same world', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-'));
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes/empty.json'), join(scenes, 'empty.json'));
  const { call, hash } = await laboratory(t, ['--scenes', scenes]);
  await fill(call);
  const before = await hash();
  await call('scene.save', { name: 'rounds' });
  await call('scene.load', { name: 'rounds' });
  assert.equal(await hash(), before);
});

test('seek and undo come to the same states', async (t) => {
  const { call, hash } = await laboratory(t, ['--data', await dataFolder(t)]);
  await fill(call);
  await call('world.step', { ticks: 40 });
  const before = await hash();
  await call('body.spawn', { ...BODIES[0], position: [0, 2, 0] });
  await call('world.step', { ticks: 40 });
  await call('world.seek', { tick: 40 });
  assert.equal(await hash(), before);
  await call('body.spawn', { ...BODIES[4], position: [0, 3, 0] });
  assert.notEqual(await hash(), before);
  await call('world.undo');
  assert.equal(await hash(), before);
});
