// SPDX-License-Identifier: MIT
// The shape in which the page draws ragdolls fits the particles that the server gives them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFigure, placeRagdoll, ragdollShape, STANCE } from '../../web/viewer/scene/ragdoll_shape.js';
import { Weftd } from '../support/weftd.mjs';

test('the server makes ragdolls in the stance that the page draws', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  const { object } = await client.call('ragdoll.spawn', { position: [0, 2, 0], height: 2 });
  const { positions } = await client.call('particle.read', { object });
  assert.ok(isFigure({ kind: 'ragdoll', particles: positions.length }));
  positions.forEach((place, i) => place.forEach((value, axis) => {
    const wanted = [0, 2, 0][axis] + 2 * STANCE[i][axis];
    assert.ok(Math.abs(value - wanted) < 1e-5, `particle ${i}, axis ${axis}: ${value}, not ${wanted}`);
  }));
});

test('the figure is as high as the ragdoll, symmetrical, closed, and turns with its particles', () => {
  const shape = ragdollShape(8, 3);
  const places = new Float32Array(3 * shape.vertices);
  placeRagdoll(shape, STANCE.flat(), places);
  const range = (axis) => {
    const values = Array.from({ length: shape.vertices }, (_, v) => places[3 * v + axis]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [low, high]] = [range(0), range(1)];
  assert.ok(Math.abs(left + right) < 1e-4, `${left} to ${right}`);
  assert.ok(low > -0.55 && low < -0.52 && high > 0.45 && high < 0.48, `${low} to ${high}`);

  // All triangles face outwards: they enclose a positive volume. Turned and moved particles carry all of it along.
  const volume = (points) => {
    let sum = 0;
    for (let i = 0; i < shape.triangles.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => points.subarray(3 * shape.triangles[i + k], 3 * shape.triangles[i + k] + 3));
      sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
    }
    return sum;
  };
  assert.ok(volume(places) > 0.01 && volume(places) < 0.02, `${volume(places)}`);
  const turned = new Float32Array(places.length);
  placeRagdoll(shape, STANCE.flatMap(([x, y, z]) => [y + 3, -x, z - 1]), turned);
  for (let v = 0; v < shape.vertices; v++) {
    const [x, y, z] = places.subarray(3 * v, 3 * v + 3);
    [y + 3, -x, z - 1].forEach((wanted, axis) => assert.ok(Math.abs(turned[3 * v + axis] - wanted) < 1e-4));
  }
});
