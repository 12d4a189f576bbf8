// SPDX-License-Identifier: MIT
// Topology messages: shapes, obstacles with arrays, tearing cloth, sleeping objects.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { next, until } from '../support/wait.mjs';
import { laboratory, RawSocket } from '../support/weftd.mjs';

const EPSILON = 1e-5;

/** Waits until the client's topology has the world's epoch. */
async function current(call, client) {
  const { epoch } = await call('world.get');
  return until(() => client.topology?.epoch === epoch && client.topology, `the topology of epoch ${epoch}`);
}

/** A topology in a form for comparison: without slots, with arrays as lists. */
function plain({ objects, obstacles, particles }) {
  return JSON.parse(JSON.stringify({ objects, obstacles, particles }, (key, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
}

test('a box is told as weights of its particles that give its corners', async (t) => {
  const { call, client } = await laboratory(t);
  await client.subscribeFrames();
  const size = [0.6, 0.2, 0.4];
  const { object } = await call('body.spawn', { shape: 'box', size, position: [1, 2, 3] });
  const { hull, shape, triangles } = (await current(call, client)).findObject(object);
  assert.deepEqual([shape, hull.vertices, hull.triangles.length, triangles.length], ['box', 8, 36, 0]);
  const { positions } = await call('particle.read', { object });
  const corners = Array.from({ length: 8 }, (_, v) => [0, 1, 2].map((axis) => positions.reduce((sum, p, i) => sum + hull.weights[4 * v + i] * p[axis], 0)));
  for (const corner of corners) {
    [1, 2, 3].forEach((middle, axis) => assert.ok(Math.abs(Math.abs(corner[axis] - middle) - size[axis] / 2) < EPSILON, `${corner}`));
  }
  assert.equal(new Set(corners.map((corner) => corner.map((value) => value.toFixed(3)).join())).size, 8, 'eight different corners');
});

test('arrays of obstacles come once, in the topology and in object.list alike', async (t) => {
  const { call, client } = await laboratory(t);
  await client.subscribeFrames();
  const heights = [0, 0.5, 0.25, 0, 1, 0];
  await call('obstacle.add', { shape: 'heightfield', columns: 3, rows: 2, spacing: 0.5, heights });
  await call('obstacle.add', { shape: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0], triangles: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2], position: [0, 3, 0] });
  await call('obstacle.add', { shape: 'capsule', from: [0, 1, 0], to: [1, 1, 0], radius: 0.2 });
  const before = await current(call, client);
  assert.deepEqual([...before.obstacles[0].heights], heights);
  assert.equal(before.obstacles[1].positions.length, 12);
  assert.deepEqual(before.obstacles[2].to, [1, 1, 0]);
  await call('particles.spawn', { positions: [[0, 4, 0]] });
  const after = await current(call, client);
  assert.notEqual(after.epoch, before.epoch);
  assert.equal(after.obstacles, before.obstacles, 'a delta leaves them alone');
  const { obstacles } = await call('object.list');
  assert.deepEqual(obstacles[0].heights, heights);
  assert.deepEqual(obstacles.map(({ shape }) => shape), ['heightfield', 'mesh', 'capsule']);
});

test('a batch that is taken back while the clock stands leaves viewers in the present epoch', async (t) => {
  const { call, client } = await laboratory(t);
  await client.subscribeFrames();
  await call('particles.spawn', { positions: [[0, 4, 0]] });
  const before = await current(call, client);
  const commands = [{ method: 'particles.spawn', params: { positions: [[0, 5, 0]] } }, { method: 'object.remove', params: { object: 99 } }];
  await assert.rejects(call('batch.run', { commands }), /command 1 \(object.remove\)/);
  assert.deepEqual(plain(await current(call, client)), plain(before));
});

test('a cloth that tears is told to who watches and to who comes later alike, and by events', async (t) => {
  const { server, call, client } = await laboratory(t);
  await client.subscribeFrames();
  await client.subscribeEvents(['stick.broken']);
  let broken = 0;
  client.on('stick.broken', ({ object: torn, particles }) => { broken += torn === object && particles.length === 2 ? 1 : NaN; });
  const { object } = await call('cloth.spawn', { columns: 12, rows: 12, spacing: 0.1, pin: 'topEdge', position: [0, 3, 0], tear: 1.2 });
  const { object: other } = await call('particles.spawn', { positions: [[3, 3, 3]] });
  const { grab } = await call('grab.start', { object, particle: 66 });
  for (let i = 1; i <= 20; i++) {
    await call('grab.move', { grab, position: [0, 3, 0.15 * i] });
    await call('world.step', { ticks: 3 });
  }
  const watched = await current(call, client);
  const cloth = watched.findObject(object);
  assert.ok(cloth.particles > 144, 'it did not tear');
  assert.equal(cloth.triangles.length, 3 * 2 * 11 * 11, 'tearing takes no triangle away');
  assert.equal(watched.findObject(other).first, cloth.particles);
  assert.ok(broken > 0, `${broken} broken sticks were told`);
  const late = await server.connect('lab');
  const shown = next(late, 'frame');
  await late.subscribeFrames();
  await shown;
  assert.deepEqual(plain(late.topology), plain(watched));
});

test('a tear is told by the triangles that changed, however large the cloth', async (t) => {
  const { server, call } = await laboratory(t);
  const { object } = await call('cloth.spawn', { columns: 60, rows: 60, spacing: 0.05, pin: 'topEdge', position: [0, 4, 0], tear: 1.2 });
  const { socket } = await RawSocket.open(t, server.url('lab'));
  const topologies = []; // bytes
  socket.on('message', (data, isBinary) => { if (isBinary && data[0] === 2) topologies.push(data.length); });
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'frames.subscribe', params: {} }));
  await until(() => topologies.length === 1, 'the topology');
  const { grab } = await call('grab.start', { object, particle: 1830 });
  for (let i = 1; i <= 40; i++) {
    await call('grab.move', { grab, position: [0, 3, 0.05 * i] });
    await call('world.step', { ticks: 1 });
  }
  await until(() => topologies.length > 5, 'tears');
  const whole = 4 * 3 * 2 * 59 * 59;
  t.diagnostic(`the largest of ${topologies.length - 1} tears took ${Math.max(...topologies.slice(1))} bytes; all triangles are ${whole}`);
  assert.ok(Math.max(...topologies.slice(1)) < whole / 20);
});

/** The number of fans at each particle: triangles that share an edge at the particle belong to one fan. */
function fansOf({ particles, triangles }) {
  const corners = Array.from({ length: particles }, () => []);
  for (let k = 0; k < triangles.length; k += 3) {
    for (let i = 0; i < 3; i++) corners[triangles[k + i]].push([triangles[k + ((i + 1) % 3)], triangles[k + ((i + 2) % 3)]]);
  }
  return corners.map((links) => connected(links));
}

/** The number of groups of lists, where lists that share a number are in one group. */
function connected(lists) {
  let groups = [];
  for (const list of lists) {
    const met = groups.filter((group) => list.some((number) => group.has(number)));
    groups = [...groups.filter((group) => !met.includes(group)), new Set([...list, ...met.flatMap((group) => [...group])])];
  }
  return groups.length;
}

/** The sizes of the connected pieces of triangles, largest first. */
function piecesOf({ particles, triangles }) {
  const parent = Uint32Array.from({ length: particles }, (_, i) => i);
  const root = (i) => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const sizes = new Map();
  for (let k = 0; k < triangles.length; k += 3) for (let i = 1; i < 3; i++) parent[root(triangles[k])] = root(triangles[k + i]);
  for (let k = 0; k < triangles.length; k += 3) sizes.set(root(triangles[k]), (sizes.get(root(triangles[k])) ?? 0) + 1);
  return [...sizes.values()].sort((a, b) => b - a);
}

/** Compares topologies independently of the order of their members. */
function topologyHash(topology) {
  const sorted = (key, value) => (value === null || typeof value !== 'object' || Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).sort()));
  return createHash('sha256').update(JSON.stringify(plain(topology), sorted)).digest('hex');
}

test('a cloth of 60 × 60 is torn in two by a drag, and two clients and a late joiner have the same topology', { timeout: 120000 }, async (t) => {
  const { server, call, client } = await laboratory(t);
  const other = await server.connect('lab');
  for (const watcher of [client, other]) await watcher.subscribeFrames();
  const { object, particles } = await call('cloth.spawn', { columns: 60, rows: 60, pin: 'topEdge', position: [0, 3, 0], tear: 1.2 });
  const middle = 59 * 60 + 30; // in the middle of the lower edge
  const [[x, y, z]] = (await call('particle.read', { object, particles: [middle] })).positions;
  const { grab } = await call('grab.start', { object, particle: middle });
  for (let i = 1; i <= 40; i++) {
    await call('grab.move', { grab, position: [x, y - 0.2 * i, z] });
    await call('world.step', { ticks: 3 });
  }
  await call('grab.end', { grab });
  const late = await server.connect('lab');
  await late.subscribeFrames();
  const topologies = await Promise.all([client, other, late].map((watcher) => current(call, watcher)));
  const cloth = topologies[2].findObject(object);
  const [largest, second] = piecesOf(cloth);
  assert.equal(cloth.triangles.length, 3 * 2 * 59 * 59, 'tearing takes no triangle away');
  assert.ok(cloth.particles > particles && largest > 5000 && second > 100, `${cloth.particles} particles; pieces of ${largest} and ${second}`);
  const shared = fansOf(cloth).filter((fans) => fans !== 1).length;
  const hashes = new Set(topologies.map(topologyHash));
  t.diagnostic(`60 × 60 torn in two: ${shared} shared torn corners, ${hashes.size} topology hash of 3 clients`);
  assert.equal(shared, 0);
  assert.equal(hashes.size, 1);
});

test('what falls asleep and what wakes is told by events and in object.get', async (t) => {
  const { call, client } = await laboratory(t);
  await call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 4, 2] }, damping: 0.02 });
  const { object } = await call('body.spawn', { shape: 'box', size: [0.4, 0.4, 0.4], position: [0, 0.25, 0] });
  await client.subscribeFrames();
  await client.subscribeEvents(['object.slept', 'object.woke']);
  const slept = next(client, 'object.slept');
  await call('world.step', { ticks: 600 });
  assert.equal((await slept).object, object);
  assert.equal((await call('object.get', { object })).asleep, true);
  assert.equal(client.topology.findObject(object).asleep, true);
  const woke = next(client, 'object.woke');
  await call('force.apply', { object, force: [0, 40, 0], ticks: 5 });
  await call('world.step', { ticks: 5 });
  assert.equal((await woke).object, object);
  assert.equal((await call('object.get', { object })).asleep, false);
  assert.equal(client.topology.findObject(object).asleep, false);
});

test('a world with sleep: false wakes everything, and nothing falls asleep until it is true again', async (t) => {
  const { call, client } = await laboratory(t);
  await call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 4, 2] }, damping: 0.02 });
  assert.equal((await call('world.get')).sleep, true);
  const { object } = await call('body.spawn', { shape: 'box', size: [0.4, 0.4, 0.4], position: [0, 0.25, 0] });
  await call('world.step', { ticks: 600 });
  assert.equal((await call('object.get', { object })).asleep, true);
  await client.subscribeEvents(['object.woke']);
  const woke = next(client, 'object.woke');
  await call('world.set', { sleep: false });
  await call('world.step', { ticks: 600 });
  assert.equal((await woke).object, object);
  assert.equal((await call('world.get')).sleep, false);
  assert.equal((await call('object.get', { object })).asleep, false);
  await assert.rejects(call('world.set', { sleep: 1 }), /sleep/);
  await call('world.set', { sleep: true });
  await call('world.step', { ticks: 600 });
  assert.equal((await call('object.get', { object })).asleep, true);
});

test('what sleeps is left out of frames, and is where it lies all the same, for who watches and who comes later', async (t) => {
  const { server, call, client } = await laboratory(t);
  await call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 4, 2] }, damping: 0.02 });
  for (let i = 0; i < 6; i++) await call('body.spawn', { shape: 'box', size: [0.3, 0.3, 0.3], position: [0.5 * i - 1.25, 0.2, 0] });
  const { object: moving } = await call('particles.spawn', { positions: [[0, 3, 1]], radius: 0 });
  const { object: last } = await call('body.spawn', { shape: 'box', size: [0.3, 0.3, 0.3], position: [0, 0.2, -1] });
  const shownTo = async (watcher, ticks, change) => {
    const { tick } = await call('world.get');
    const frame = next(watcher, 'frame', (news) => news.tick >= tick + ticks);
    await change();
    return frame;
  };
  const step = (ticks) => shownTo(client, ticks, () => call('world.step', { ticks }));
  await client.subscribeFrames({ encoding: 'grid' });
  const first = await step(1);
  await call('world.step', { ticks: 599 });
  const { objects } = await call('object.list');
  assert.ok(objects.every(({ asleep }) => asleep), 'not all sleep');
  await call('particle.move', { object: moving, particle: 0, position: [0, 3.5, 1] });
  const watched = await step(1);
  assert.ok(watched.bytes < first.bytes / 2, `${watched.bytes} bytes after ${first.bytes}`);
  assert.deepEqual([watched.ranges, watched.count], [null, first.count]);
  const late = await server.connect('lab');
  const came = await shownTo(late, 0, () => late.subscribeFrames({ encoding: 'grid' }));
  assert.deepEqual([...came.positions], [...watched.positions]);
  const exact = await call('particle.read', { object: last });
  const slot = client.topology.findObject(last).first;
  exact.positions.flat().forEach((value, i) => assert.ok(Math.abs(watched.positions[3 * slot + i] - value) < 1 / 4096));

  await call('object.remove', { object: moving });
  const moved = await step(1);
  assert.deepEqual([...moved.positions], [...watched.positions].filter((_, i) => Math.floor(i / 3) !== 24), 'in a new epoch too');
  await call('force.apply', { object: last, force: [0, 60, 0], ticks: 10 });
  const woken = await step(10);
  assert.ok(woken.positions[3 * (slot - 1) + 1] > moved.positions[3 * (slot - 1) + 1] + 0.01, 'what woke is shown moving');
});
