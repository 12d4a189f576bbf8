// SPDX-License-Identifier: MIT
// The geometry of many cylinders or spheres: where instances are repeated as vertices, each vertex has the values of its shape,
// and the triangles are those that instances would have.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setDraft } from '../../web/viewer/scene/material.js';
import { putShape, putSphere, rodGeometry, sphereGeometry } from '../../web/viewer/scene/round.js';

afterEach(() => setDraft(false));

const FACES = { across: 5, down: 3 };

/** Spheres 0 … count − 1 around the particles 10, 11 …, with radii of 1, 2 … */
function spheres(count) {
  const geometry = sphereGeometry(FACES, count);
  for (let i = 0; i < count; i++) {
    putSphere(geometry, i, 10 + i);
    putShape(geometry, 'girth', i, [1 + i]);
  }
  return geometry;
}

test('a machine with a graphics processor draws instances, whose values stand once', () => {
  const { isInstancedBufferGeometry, instanceCount, attributes } = spheres(3);
  assert.deepEqual([isInstancedBufferGeometry, instanceCount], [true, 3]);
  assert.deepEqual([...attributes.ends.array], [10, 10, 11, 11, 12, 12]);
  assert.deepEqual([...attributes.girth.array], [1, 2, 3]);
});

test('a draft repeats them as vertices, in the places and triangles of the instances', () => {
  const one = spheres(3);
  setDraft(true);
  const all = spheres(3);
  assert.ok(!all.isInstancedBufferGeometry);
  const vertices = one.attributes.position.count;
  for (let i = 0; i < 3; i++) {
    for (let v = 0; v < vertices; v++) {
      const at = i * vertices + v;
      assert.deepEqual([all.attributes.ends.getX(at), all.attributes.ends.getY(at), all.attributes.girth.getX(at)], [10 + i, 10 + i, 1 + i]);
      for (const name of ['position', 'normal']) for (const axis of ['getX', 'getY', 'getZ']) assert.equal(all.attributes[name][axis](at), one.attributes[name][axis](v));
    }
    const corners = [...all.index.array].slice(i * one.index.count, (i + 1) * one.index.count);
    assert.deepEqual(corners.map((corner) => corner - i * vertices), [...one.index.array]);
  }
  assert.equal(all.index.count, 3 * one.index.count);
  assert.ok(all.attributes.color.array.every((value) => value === 1), 'a sphere has the color of its material');
});

test('a draft with very many of them draws instances all the same', () => {
  setDraft(true);
  assert.ok(!sphereGeometry(FACES, 1000).isInstancedBufferGeometry);
  assert.ok(sphereGeometry(FACES, 5000).isInstancedBufferGeometry);
});

test('the carriers of each end of a rod stand at all its vertices', () => {
  setDraft(true);
  const shape = sphereGeometry(FACES, 1);
  const rods = rodGeometry(shape, 2);
  for (let i = 0; i < 2; i++) {
    putShape(rods, 'fromFour', i, [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    putShape(rods, 'toWeights', i, [i, 0.25, 0.5, 0.75]);
  }
  const vertices = shape.attributes.position.count;
  for (let at = 0; at < 2 * vertices; at++) {
    const i = Math.floor(at / vertices);
    assert.deepEqual([...rods.attributes.fromFour.array.slice(4 * at, 4 * at + 4)], [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]);
    assert.deepEqual([...rods.attributes.toWeights.array.slice(4 * at, 4 * at + 4)], [i, 0.25, 0.5, 0.75]);
  }
  assert.equal(rods.attributes.ends, undefined);
});
