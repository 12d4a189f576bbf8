// SPDX-License-Identifier: MIT
// The client's topology of a world, from topology messages, deltas and events.

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

test('what tore takes over the triangles that changed and stays what it was otherwise', () => {
  const before = whole();
  const torn = { id: 2, particles: 8, triangles: { offset: 1, count: 2 }, pins: [0, 6] };
  const after = Topology.apply(before, decodeTopology(topology({ epoch: 11, count: 15 }, { base: 10, torn: [torn] }, [9, 1, 0, 6, 1, 3, 7, 4, 2])));
  const [was, is] = [before.findObject(2), after.findObject(2)];
  const expected = [...was.triangles];
  expected.splice(3, 3, 0, 6, 1);
  expected.splice(9, 3, 7, 4, 2);
  assert.deepEqual([...is.triangles], expected);
  assert.deepEqual({ ...is, triangles: null }, { ...was, particles: 8, pins: [0, 6], triangles: null });
  assert.deepEqual(after.objects.map(({ id, first }) => [id, first]), [[2, 0], [4, 8], [5, 11]]);
  assert.equal(after.findObject(4).triangles, before.findObject(4).triangles);
  assert.notDeepEqual([...was.triangles], expected, 'the topology before is as it was');
});

for (const [what, tear, words] of [
  ['of an object that is not known', { id: 3, particles: 8, triangles: { offset: 0, count: 0 } }, []],
  ['that takes particles away', { id: 2, particles: 5, triangles: { offset: 0, count: 0 } }, []],
  ['of a triangle that there is not', { id: 2, particles: 7, triangles: { offset: 0, count: 1 } }, [4, 0, 1, 6]],
  ['with a corner that is no particle', { id: 2, particles: 7, triangles: { offset: 0, count: 1 } }, [0, 0, 1, 7]],
  ['outside of the message', { id: 2, particles: 7, triangles: { offset: 0, count: 1 } }, [0, 0, 1]],
]) {
  test(`a tear ${what} is refused`, () => {
    const refused = () => Topology.apply(whole(), decodeTopology(topology({ epoch: 11, count: 8 + tear.particles - 1 }, { base: 10, torn: [tear] }, words)));
    assert.throws(refused, { name: 'FrameError', message: /tore|torn/ });
  });
}

test('a cloth that tore replaces the one it was, and what follows moves up', () => {
  const before = whole();
  const torn = object(2, 'cloth', 7, { columns: 3, rows: 2, spacing: 0.05, mesh: 'grid', triangles: { offset: 0, count: 1 } });
  const after = Topology.apply(before, decodeTopology(topology({ epoch: 11, count: 14 }, { base: 10, objects: [torn], obstacles: [{ id: 3, shape: 'sphere' }] }, [0, 6, 1])));
  assert.deepEqual(after.objects.map(({ id, first, particles }) => [id, first, particles]), [[2, 0, 7], [4, 7, 3], [5, 10, 4]]);
  assert.deepEqual([...after.findObject(2).triangles], [0, 6, 1]);
  assert.equal(after.findObject(4).triangles, before.findObject(4).triangles, 'the arrays of what only moved are kept');
  assert.equal(before.findObject(2).particles, 6);
});

test('a shape embedded in a body and a frame come with what is needed to draw them', () => {
  const reals = [...new Uint32Array(Float32Array.of(0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0, 0, 1, 0, 0).buffer)];
  const hull = object(1, 'body', 4, { shape: 'hull', hull: { vertices: 3, weights: { offset: 0 }, triangles: { offset: 12, count: 1 } } });
  const objects = [hull, object(2, 'body', 4, { shape: 'frame' })];
  const { objects: [box, frame] } = Topology.apply(null, decodeTopology(topology({ count: 8 }, { objects }, [...reals, 0, 1, 2])));
  assert.deepEqual([...box.hull.weights.slice(0, 5)], [0.25, 0.25, 0.25, 0.25, 1]);
  assert.deepEqual([[...box.hull.triangles], box.triangles.length, box.sticks], [[0, 1, 2], 0, null]);
  assert.deepEqual([[...frame.sticks], frame.triangles.length, frame.hull], [[0, 1, 0, 2, 0, 3], 0, null]);
});

test('obstacles keep their arrays and stay the same records from epoch to epoch', () => {
  const [heights, corners] = [Float32Array.of(0, 1, 2, 3), Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1)];
  const words = [...new Uint32Array(heights.buffer), ...new Uint32Array(corners.buffer), 0, 2, 1];
  const field = { id: 1, shape: 'heightfield', columns: 2, rows: 2, spacing: 1 };
  const mesh = { id: 2, shape: 'mesh' };
  const first = Topology.apply(null, decodeTopology(topology({ epoch: 1 }, {
    obstacles: [{ ...field, heights: { offset: 0 } }, { ...mesh, positions: { offset: 4, count: 3 }, triangles: { offset: 13, count: 1 } }],
  }, words)));
  assert.deepEqual([first.obstacles[0].heights, first.obstacles[1].positions], [heights, corners]);
  assert.deepEqual([...first.obstacles[1].triangles], [0, 2, 1]);
  const second = Topology.apply(first, decodeTopology(topology({ epoch: 2 }, { base: 1, obstacles: [field, mesh] })));
  assert.equal(second.obstacles, first.obstacles);
  const third = Topology.apply(second, decodeTopology(topology({ epoch: 3 }, { base: 2, obstacles: [mesh, { id: 9, shape: 'capsule' }] })));
  assert.equal(third.obstacles[0], first.obstacles[1]);
  assert.deepEqual(third.obstacles.map(({ id }) => id), [2, 9]);
  const unknown = decodeTopology(topology({ epoch: 2 }, { base: 1, obstacles: [{ ...mesh, id: 5 }] }));
  assert.throws(() => Topology.apply(first, unknown), FrameError);
  const told = Topology.applyEvent(third, 'obstacle.added', { obstacle: { ...field, id: 12, heights: [0, 1, 2, 3] } });
  assert.deepEqual(told.obstacles[2].heights, heights);
});

test('events tell what falls asleep and what wakes', () => {
  const before = whole();
  assert.equal(before.findObject(5).asleep, false);
  const slept = Topology.applyEvent(before, 'object.slept', { object: 5, tick: 9 });
  assert.equal(slept.findObject(5).asleep, true);
  assert.equal(Topology.applyEvent(slept, 'object.woke', { object: 5, tick: 10 }).findObject(5).asleep, false);
});

test('events tell other looks and materials', () => {
  const before = whole();
  const named = Topology.applyEvent(before, 'object.changed', { object: 5, name: 'lid', color: '#102030', friction: 1, restitution: 0, tick: 9 });
  assert.deepEqual([named.findObject(5).name, named.findObject(5).color], ['lid', '#102030']);
  assert.equal(named.findObject(2), before.findObject(2), 'others are the same');
  assert.equal(Topology.applyEvent(named, 'object.changed', { object: 5, name: 'body 5', tick: 10 }).findObject(5).color, null);
  const icy = Topology.applyEvent(before, 'obstacle.changed', { obstacle: 3, name: 'ice', friction: 0.01, restitution: 0.5, tick: 9 });
  const { name, color, friction, shape } = icy.obstacles[0];
  assert.deepEqual([name, color, friction, shape], ['ice', null, 0.01, before.obstacles[0].shape]);
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
  'a torn cloth with fewer particles than its lattice': topology({ count: 5 }, { objects: [{ ...CLOTH, particles: 5, triangles: { offset: 0, count: 0 } }] }),
  'weights outside of the message': topology({ count: 4 }, { objects: [object(1, 'body', 4, { hull: { vertices: 1, weights: { offset: 0 }, triangles: { offset: 0, count: 0 } } })] }, [0, 0, 0]),
  'a face of a vertex that is none': topology({ count: 4 }, { objects: [object(1, 'body', 4, { hull: { vertices: 1, weights: { offset: 0 }, triangles: { offset: 1, count: 1 } } })] }, [0, 0, 0, 1]),
  'heights outside of the message': topology({}, { obstacles: [{ id: 1, shape: 'heightfield', columns: 2, rows: 2, heights: { offset: 0 } }] }, [0, 0, 0]),
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
