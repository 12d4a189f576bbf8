// SPDX-License-Identifier: MIT
// The joints of the client library, in a local world: they hold, and a hinge turns about its axis within its limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WeftClient } from '../../web/client/client.js';
import { ballJoint, hinge, line } from '../../web/client/joints.js';

let sites = 0;
const HELD = 0.002; // m: how far a joint may come apart

/** A paused world without ground, with a fixed post, and a bar beside it along +x whose end is at the origin. */
async function site(t, gravity = [0, 0, 0]) {
  const client = new WeftClient(`local:joints${++sites}=empty`);
  t.after(() => client.close());
  await client.connect();
  const call = (method, params) => client.call(method, params);
  await call('world.pause');
  await call('world.set', { gravity, bounds: { min: [-50, -50, -50], max: [50, 50, 50] }, sleep: false });
  const { object: post } = await call('body.spawn', { shape: 'box', size: [0.1, 0.1, 0.1], position: [-0.06, 0, 0] });
  await call('particle.pin', { object: post, particles: [0, 1, 2, 3] });
  const { object: bar } = await call('body.spawn', { shape: 'box', size: [0.5, 0.05, 0.05], position: [0.26, 0, 0] });
  return { call, post, bar, add: (commands) => call('batch.run', { commands }) };
}

/** The angle of the bar about the axis z, from its joint at the origin to its centre. */
async function angleOf(call, bar) {
  const { positions } = await call('particle.read', { object: bar });
  const [x, y] = [0, 1].map((axis) => positions.reduce((sum, place) => sum + place[axis], 0));
  return Math.atan2(y, x);
}

test('a hinge turns about its axis, from its smallest to its greatest angle', async (t) => {
  const { call, post, bar, add } = await site(t);
  const limits = [-0.5, 1.2];
  await add(hinge(post, bar, [0, 0, 0], [0, 0, 2], { limits, width: 0.2, arm: 0.3 }));
  const reached = [0, 0];
  for (const way of [1, -1]) {
    for (let turn = 0; turn < 60; turn++) {
      await call('force.apply', { object: bar, force: [0, way * 2, 0], ticks: 5 });
      await call('world.step', { ticks: 5 });
      const angle = await angleOf(call, bar);
      reached[way > 0 ? 1 : 0] = way > 0 ? Math.max(reached[1], angle) : Math.min(reached[0], angle);
    }
  }
  t.diagnostic(`from ${reached[0].toFixed(3)} to ${reached[1].toFixed(3)} rad, wanted ${limits.join(' to ')}`);
  reached.forEach((angle, i) => assert.ok(Math.abs(angle - limits[i]) < 0.03, `${angle} rad instead of ${limits[i]}`));
  const { positions } = await call('particle.read', { object: bar });
  const aside = positions.reduce((sum, [, , z]) => sum + z, 0) / 4;
  assert.ok(Math.abs(aside) < HELD, `it is ${aside} m beside its plane`);
});

test('a ball joint swings in every direction, and a line only holds where it is tight', async (t) => {
  const { call, post, bar, add } = await site(t, [0, -9.81, 0]);
  await add(ballJoint(post, bar, [0, 0, 0]));
  await call('force.apply', { object: bar, force: [0, 0, 5], ticks: 10 });
  await call('world.step', { ticks: 30 });
  const { positions } = await call('particle.read', { object: bar });
  const centre = [0, 1, 2].map((axis) => positions.reduce((sum, place) => sum + place[axis] / 4, 0));
  assert.ok(Math.abs(Math.hypot(...centre) - 0.26) < HELD, `its centre is ${Math.hypot(...centre)} m from the joint`);
  assert.ok(centre[1] < -0.05 && Math.abs(centre[2]) > 0.01, `it swings to ${centre}`);
  const { object: weight } = await call('body.spawn', { shape: 'sphere', radius: 0.05, position: [0, 3, 0] });
  await add(line({ object: post, anchor: [0, 3.2, 0] }, { object: weight, anchor: [0, 3, 0] }, 0.8));
  await call('world.step', { ticks: 10 });
  const { positions: early } = await call('particle.read', { object: weight });
  assert.ok(early.reduce((sum, [, y]) => sum + y / 4, 0) < 2.9, 'it falls while the line is slack');
  await call('world.step', { ticks: 200 });
  const { positions: late } = await call('particle.read', { object: weight });
  const height = late.reduce((sum, [, y]) => sum + y / 4, 0);
  assert.ok(height > 2.4 - 0.01, `the line holds it at ${height} m`);
});

test('a hinge without an axis, or with limits that it cannot have, is refused', () => {
  assert.throws(() => hinge(1, 2, [0, 0, 0], [0, 0, 0]), /must have a direction/);
  for (const limits of [[0.1, 1], [-1, -0.1], [-2, 2], [0, 0]]) assert.throws(() => hinge(1, 2, [0, 0, 0], [1, 0, 0], { limits }), /smallest angle up to 0/);
});
