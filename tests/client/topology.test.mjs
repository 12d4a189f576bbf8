// SPDX-License-Identifier: MIT
// What a world is made of, from whole messages, deltas and events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameError } from '../../web/client/errors.js';
import { decodeTopology, Topology } from '../../web/client/topology.js';
import { object, topology } from '../support/messages.mjs';

const CLOTH = object(2, 'cloth', 6, { columns: 3, rows: 2, spacing: 0.05, mesh: 'grid', pins: [0, 2] });
const MESH = object(4, 'mesh', 3, { triangles: { offset: 3, count: 1 } });
const ROPE = object(5, 'rope', 4);

function whole() {
  const text = { objects: [CLOTH, MESH, ROPE], obstacles: [{ id: 3, shape: 'sphere' }], sticks: [{ id: 9 }] };
  return Topology.apply(null, decodeTopology(topology({ epoch: 10, count: 13 }, text, [9, 9, 9, 0, 1, 2])));
}

test('objects lie one after another, with the triangles and sticks of their kind', () => {
  const { objects, epoch, particles } = whole();
  assert.deepEqual([epoch, particles], [10, 13]);
  assert.deepEqual(objects.map(({ first }) => first), [0, 6, 9]);
  assert.deepEqual([...objects[0].triangles], [0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5]);
  assert.deepEqual([...objects[1].triangles], [0, 1, 2]);
  assert.deepEqual([...objects[2].sticks], [0, 1, 1, 2, 2, 3]);
  assert.equal(objects[0].sticks, null);
  assert.equal(objects[2].triangles.length, 0);
});

test('a body has four faces that turn outwards', () => {
  const body = Topology.apply(null, decodeTopology(topology({ count: 4 }, { objects: [object(1, 'body', 4)] }))).findObject(1);
  assert.deepEqual([...body.triangles], [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]);
});

test('all triangles of a hexagonal cloth are equilateral and turn the same way', () => {
  const [columns, rows] = [5, 4];
  const cloth = object(1, 'cloth', columns * rows, { columns, rows, mesh: 'hex' });
  const { triangles } = Topology.apply(null, decodeTopology(topology({ count: 20 }, { objects: [cloth] }))).findObject(1);
  const at = (i) => [(i % columns) + (Math.floor(i / columns) % 2) / 2, -Math.floor(i / columns) * Math.sqrt(0.75)];
  assert.equal(triangles.length, 6 * (columns - 1) * (rows - 1));
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => at(triangles[i + k]));
    for (const [p, q] of [[a, b], [b, c], [c, a]]) assert.ok(Math.abs(Math.hypot(p[0] - q[0], p[1] - q[1]) - 1) < 1e-9);
    assert.ok((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
  }
});

test('a delta removes and adds, and leaves the topology before it as it was', () => {
  const before = whole();
  const delta = decodeTopology(topology({ epoch: 11, count: 11 }, { base: 10, removed: [4], objects: [object(12, 'particles', 1)] }));
  const after = Topology.apply(before, delta);
  assert.deepEqual(after.objects.map(({ id, first }) => [id, first]), [[2, 0], [5, 6], [12, 10]]);
  assert.equal(after.findObject(4), undefined);
  assert.equal(after.objects[0], before.objects[0], 'what stayed is the same record');
  assert.deepEqual(before.objects.map(({ id }) => id), [2, 4, 5]);
  assert.equal(before.findObject(5).first, 9);
});

test('a delta on another epoch is refused', () => {
  const delta = decodeTopology(topology({ epoch: 12, count: 13 }, { base: 11 }));
  assert.throws(() => Topology.apply(whole(), delta), FrameError);
  assert.throws(() => Topology.apply(null, delta), FrameError);
});

test('events change pins, obstacles, sticks and grabs in a new topology', () => {
  const before = whole();
  const pinned = Topology.applyEvent(before, 'particle.pinned', { object: 2, particles: [5, 0] });
  assert.deepEqual(pinned.findObject(2).pins, [0, 2, 5]);
  assert.deepEqual(before.findObject(2).pins, [0, 2]);
  assert.deepEqual(Topology.applyEvent(pinned, 'particle.unpinned', { object: 2, particles: [0, 2] }).findObject(2).pins, [5]);
  assert.deepEqual(Topology.applyEvent(before, 'obstacle.added', { obstacle: { id: 20 } }).obstacles.map(({ id }) => id), [3, 20]);
  assert.deepEqual(Topology.applyEvent(before, 'obstacle.removed', { obstacle: 3 }).obstacles, []);
  assert.deepEqual(Topology.applyEvent(before, 'stick.removed', { stick: 9 }).sticks, []);
  const grab = { grab: 30, object: 2, particles: [1], weights: [1], client: 7 };
  const held = Topology.applyEvent(before, 'grab.started', { ...grab, tick: 4 });
  assert.deepEqual(held.grabs, [grab]);
  assert.deepEqual(Topology.applyEvent(held, 'grab.ended', { grab: 30, client: 7 }).grabs, []);
  assert.equal(Topology.applyEvent(before, 'client.joined', { client: 1 }), before);
});

for (const [what, bytes] of Object.entries({
  'particles that do not add up': topology({ count: 12 }, { objects: [CLOTH] }),
  'a lattice that does not hold its particles': topology({ count: 6 }, { objects: [{ ...CLOTH, rows: 3 }] }),
  'triangles outside of the message': topology({ count: 3 }, { objects: [MESH] }, [0, 1, 2]),
  'a corner that is no particle': topology({ count: 3 }, { objects: [{ ...MESH, triangles: { offset: 0, count: 1 } }] }, [0, 1, 3]),
  'objects out of order': topology({ count: 8 }, { objects: [object(2, 'rope', 4), object(1, 'rope', 4)] }),
  'no list of objects': topology({}, { objects: 3 }),
  'a text that is longer than the message': topology({}, {}).fill(0xff, 32, 35),
  'a text that is no JSON': topology({}, {}).fill(0x7b, 36, 44),
})) {
  test(`a topology with ${what} is refused`, () => {
    assert.throws(() => Topology.apply(null, decodeTopology(bytes)), FrameError);
  });
}
