// SPDX-License-Identifier: MIT
// Several clients in one world: they see the same state, grab the same objects, and receive each other's events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { next, sleep, until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

const LATENCY_MS = process.env.WEFT_SANITIZER ? 1000 : 100; // instrumented builds are slow

test('two viewers and a script decode the same positions', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const [one, two, script] = [await server.connect('lab'), await server.connect('lab'), await server.connect('lab')];
  const { object } = await script.call('cloth.spawn', { columns: 20, rows: 20, position: [0, 3, 0] });
  const seen = [new Map(), new Map()];
  [one, two].forEach((client, i) => client.on('frame', ({ tick, positions }) => seen[i].set(tick, positions.slice())));
  await one.subscribeFrames();
  await two.subscribeFrames();
  const reads = [];
  for (let i = 0; i < 10; i++) {
    reads.push(await script.call('particle.read', { object }));
    await sleep(30);
  }
  await until(() => seen.every((frames) => frames.has(reads.at(-1).tick)), 'the frames of what was read');
  const both = [...seen[0].keys()].filter((tick) => seen[1].has(tick));
  assert.ok(both.length > 10);
  for (const tick of both) assert.deepEqual(seen[0].get(tick), seen[1].get(tick));
  let compared = 0;
  for (const { tick, positions } of reads) {
    const frame = seen[0].get(tick);
    if (!frame) continue;
    positions.flat().forEach((x, i) => assert.ok(Math.abs(x - frame[i]) <= 1 / 8192 + 1e-6, `tick ${tick}, value ${i}`));
    compared++;
  }
  assert.ok(compared >= 5, `${compared} reads compared`);
});

test('what one client drags is in the other\'s frame within 100 ms', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const [hand, eye] = [await server.connect('lab'), await server.connect('lab')];
  const { object } = await hand.call('cloth.spawn', { columns: 20, rows: 20, position: [0, 3, 0] });
  const particle = 399;
  await eye.subscribeFrames();
  await next(eye, 'frame');
  const { grab } = await hand.call('grab.start', { object, particle });
  const delays = [];
  for (let i = 0; i < 21; i++) {
    const target = [0.3 + 0.02 * i, 2.5, 0.2];
    const start = performance.now();
    const seen = next(eye, 'frame', ({ positions }) => target.every((x, axis) => Math.abs(positions[3 * particle + axis] - x) < 1e-3));
    hand.notify('grab.move', { grab, position: target });
    await seen;
    delays.push(performance.now() - start);
  }
  delays.sort((a, b) => a - b);
  t.diagnostic(`median ${delays[10].toFixed(1)} ms, longest ${delays[20].toFixed(1)} ms`);
  assert.ok(delays[10] < LATENCY_MS, `median ${delays[10].toFixed(1)} ms`);
});

test('a held particle stays in the hand, and what is let go in motion flies on', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { gravity: [0, 0, 0] });
  const { object } = await call('particles.spawn', { positions: [0, 0, 0] });
  const { grab } = await call('grab.start', { object, particle: 0 });
  for (let i = 1; i <= 30; i++) {
    await call('grab.move', { grab, position: [0.05 * i, 0, 0] });
    await call('world.step');
    const [x] = (await call('particle.read', { object })).positions[0];
    assert.ok(Math.abs(x - 0.05 * i) < 1e-5, `tick ${i}: ${x}`);
  }
  await call('grab.end', { grab });
  await call('world.step', { ticks: 30 });
  const [x] = (await call('particle.read', { object })).positions[0];
  assert.ok(Math.abs(x - 3) < 0.1, `flew to ${x} m with the hand's 3 m/s`);
  await assert.rejects(call('grab.move', { grab, position: [0, 0, 0] }), { code: -32002 });
});

test('a body is taken at the point of its surface that is nearest', async (t) => {
  const { call } = await laboratory(t);
  await call('world.set', { gravity: [0, 0, 0] });
  const { object } = await call('body.spawn', { size: 1, position: [0, 2, 0] });
  const corners = (await call('particle.read', { object })).positions;
  const middle = [0, 1, 2].map((axis) => (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3);
  const { grab } = await call('grab.start', { object, point: middle });
  for (let i = 1; i <= 60; i++) {
    await call('grab.move', { grab, position: [middle[0] + 0.02 * i, middle[1], middle[2]] });
    await call('world.step');
  }
  const now = (await call('particle.read', { object })).positions;
  const held = [0, 1, 2].map((axis) => (now[0][axis] + now[1][axis] + now[2][axis]) / 3);
  assert.ok(Math.abs(held[0] - (middle[0] + 1.2)) < 0.02, `the middle of the face is at ${held[0]}, the hand at ${middle[0] + 1.2}`);
});

test('a particle in one hand is refused to another, and free when its client leaves', async (t) => {
  const { call, client, server } = await laboratory(t);
  const { object } = await call('cloth.spawn', { columns: 5, rows: 5 });
  const other = await server.connect('lab');
  await client.subscribeEvents(['grab.started', 'grab.ended', 'client.left']);
  const started = next(client, 'grab.started');
  const { grab } = await other.call('grab.start', { object, particle: 12 });
  assert.deepEqual([(await started).grab, (await started).particles, (await started).client], [grab, [12], other.hello.session]);
  await assert.rejects(call('grab.start', { object, particle: 12 }), { code: -32004 });
  await assert.rejects(call('grab.end', { grab }), (error) => [-32001, -32002, -32004].includes(error.code), 'nor can another let go of it');
  assert.equal((await call('particle.read', { object, particles: [12] })).inverseMasses[0], 0);
  const [ended, left] = [next(client, 'grab.ended'), next(client, 'client.left')];
  other.close();
  assert.equal((await ended).grab, grab);
  assert.equal((await left).client, other.hello.session);
  assert.ok((await call('particle.read', { object, particles: [12] })).inverseMasses[0] > 0);
  await call('grab.start', { object, particle: 12 });
});

test('events tell all who asked, and only them, of what they asked for', async (t) => {
  const { call, client, server } = await laboratory(t);
  const [some, none] = [await server.connect('lab'), await server.connect('lab')];
  const heard = new Map([[client, []], [some, []], [none, []]]);
  for (const [listener, list] of heard) listener.on('event', (event) => list.push(event));
  assert.ok((await client.call('events.subscribe')).events.length >= 14);
  await some.subscribeEvents(['object.removed']);
  const { object } = await call('cloth.spawn', { columns: 3, rows: 3, name: 'flag' });
  await call('particle.pin', { object, particles: [4] });
  await call('particle.unpin', { object, particles: [4] });
  const { obstacle } = await call('obstacle.add', { shape: 'plane' });
  await call('obstacle.remove', { obstacle });
  const { stick } = await call('stick.add', { a: { object, particle: 0 }, b: { object, particle: 8 } });
  await call('stick.remove', { stick });
  await call('world.set', { damping: 0.01 });
  await some.call('pointer.move', { position: [1, 2, 3] });
  await call('object.remove', { object });
  await until(() => heard.get(some).length === 1 && heard.get(client).some(({ method }) => method === 'object.removed'), 'the last event');
  assert.deepEqual(heard.get(client).map(({ method }) => method), [
    'object.added', 'particle.pinned', 'particle.unpinned', 'obstacle.added', 'obstacle.removed', 'stick.added', 'stick.removed',
    'world.changed', 'pointer.moved', 'object.removed',
  ]);
  const [added, pinned, , obstacleAdded] = heard.get(client).map(({ params }) => params);
  assert.deepEqual([added.object, added.kind, added.name, added.particles], [object, 'cloth', 'flag', 9]);
  assert.deepEqual([pinned.object, pinned.particles], [object, [4]]);
  assert.equal(obstacleAdded.obstacle.id, obstacle);
  assert.deepEqual(heard.get(client)[8].params, { client: some.hello.session, position: [1, 2, 3] });
  assert.deepEqual(heard.get(some).map(({ params }) => params.object), [object]);
  assert.deepEqual(heard.get(none), []);
});

test('clients hear of each other\'s coming and going', async (t) => {
  const { client, server } = await laboratory(t);
  await client.subscribeEvents(['client.joined', 'client.left']);
  const joined = next(client, 'client.joined');
  const other = await server.connect('lab');
  assert.deepEqual(await joined, { ...other.hello.you, clients: 2 });
  const left = next(client, 'client.left');
  other.close();
  assert.deepEqual(await left, { ...other.hello.you, clients: 1 });
});

test('pause and resume stop and start the clock for all', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const [one, two] = [await server.connect('lab'), await server.connect('lab')];
  await two.subscribeEvents(['world.changed']);
  const paused = next(two, 'world.changed', ({ reason }) => reason === 'pause');
  await one.call('world.pause');
  assert.equal((await paused).running, false);
  const { tick, running } = await two.call('world.get');
  assert.equal(running, false);
  await sleep(100);
  assert.equal((await two.call('world.get')).tick, tick);
  await two.call('world.resume');
  await until(async () => (await one.call('world.get')).tick > tick + 3, 'the clock to run');
});

test('a world keeps its rate', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--tick-hz', '100']);
  const client = await server.connect('lab');
  assert.equal(client.hello.tickHz, 100);
  const [from, start] = [(await client.call('world.get')).tick, performance.now()];
  await sleep(2000);
  const ticks = (await client.call('world.get')).tick - from;
  const expected = (performance.now() - start) / 10;
  assert.ok(Math.abs(ticks - expected) < 0.1 * expected, `${ticks} ticks, not ${expected.toFixed(0)}`);
});
