// SPDX-License-Identifier: MIT
// Predicted frames (encoding motion) of a real server: the same bits as the grid encoding at the same step, for viewers that
// join late, miss frames or have lower rates, and for all changes of the world.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { sleep, until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';

const STEP = 1 / 1024;
const FINE = 1 / 16384; // the finest step: frames are large, so that a reader's socket is soon full
const PATIENCE_MS = 90000; // for instrumented builds
// Two gaps have to occur within two seconds, for which an instrumented server is too slow.
const TOO_SLOW = process.env.WEFT_SANITIZER === 'thread' && 'instrumented for threads, the server makes too few frames to fall behind twice in two seconds';

/** The frames and faults that a client receives. */
function record(client) {
  const seen = { frames: [], faults: [], missing: 0 };
  client.on('frame', (frame) => seen.frames.push(frame));
  client.on('fault', (error) => seen.faults.push(error));
  return seen;
}

/** The last received frame of each tick of each epoch. */
function byTick({ frames }) {
  return new Map(frames.map((frame) => [`${frame.epoch} ${frame.tick}`, frame]));
}

/** Every frame of `seen` equals, bit for bit, the frame of the same tick that another client received; returns the number of compared frames. */
function assertSame(seen, other, what) {
  assert.deepEqual(seen.faults, []);
  const known = byTick(other);
  let compared = 0;
  for (const [tick, frame] of byTick(seen)) {
    if (!known.has(tick)) continue;
    assert.deepEqual(new Uint32Array(frame.positions.buffer.slice(0)), new Uint32Array(known.get(tick).positions.buffer.slice(0)), `${what}: tick ${tick}`);
    compared++;
  }
  return compared;
}

async function everything(call) {
  const made = {};
  made.cloth = await call('cloth.spawn', { columns: 30, rows: 20, position: [0, 3, 0], pin: 'topCorners' });
  made.hex = await call('cloth.spawn', { columns: 12, rows: 9, mesh: 'hex', position: [3, 3, 0], pin: 'topEdge' });
  made.mesh = await call('mesh.spawn', { positions: [0, 1, 5, 1, 1, 5, 0, 2, 5, 1, 2, 5, 0.5, 2.5, 5.5], triangles: [0, 1, 2, 2, 1, 3, 2, 3, 4] });
  made.rope = await call('rope.spawn', { from: [-5, 4, 1], to: [-3, 4, 2], particles: 61 });
  made.body = await call('body.spawn', { shape: 'box', size: [0.4, 0.4, 0.4], position: [-2, 2, 2], angularVelocity: [1, 2, 3] });
  made.plant = await call('plant.spawn', { position: [5, 0, 5], height: 2 });
  made.ragdoll = await call('ragdoll.spawn', { position: [-6, 3, -3], height: 1.8 });
  made.loose = await call('particles.spawn', { positions: [-9, 5, 9, 0.1, 0.2, 0.3] });
  return Object.fromEntries(Object.entries(made).map(([name, { object }]) => [name, object]));
}

/** A client whose socket can be left unread. */
async function connectUnread(server, world) {
  let socket;
  class Kept extends WebSocket {
    constructor(...args) {
      super(...args);
      socket = this;
    }
  }
  const client = await server.connect(world, { WebSocket: Kept });
  return { client, pause: () => socket._socket.pause(), resume: () => socket._socket.resume() };
}

async function settled(call, ...clients) {
  const { tick, epoch } = await call('world.get');
  const has = ({ frames }) => frames.at(-1)?.tick === tick && frames.at(-1).epoch === epoch;
  await until(() => clients.every(has), `the frame of tick ${tick}`);
}

/** Steps only as fast as all clients receive each tick: a slow one would get the newest frame only. */
async function stepShown(call, ticks, ...clients) {
  for (let i = 0; i < ticks; i++) {
    await call('world.step', { ticks: 1 });
    await settled(call, ...clients);
  }
}

test('positions are those of the grid bit for bit, and within half a step of the raw ones, whatever happens', async (t) => {
  const { server, call, client } = await laboratory(t);
  const made = await everything(call);
  const [grid, raw] = [await server.connect('lab'), await server.connect('lab')];
  const [mine, theirs, exact] = [record(client), record(grid), record(raw)];
  const reply = await client.subscribeFrames({ step: STEP });
  assert.deepEqual([reply.encoding, reply.step, reply.everyTicks], ['motion', STEP, 1]);
  await grid.subscribeFrames({ encoding: 'grid', step: STEP });
  await raw.subscribeFrames({ encoding: 'raw' });
  const all = [mine, theirs, exact];
  const stages = [
    () => stepShown(call, 60, ...all),
    () => call('particle.move', { object: made.cloth, particle: 310, position: [0.2, 2, 0.7] }), // a refresh
    () => call('particle.move', { object: made.cloth, particle: 311, position: [0.3, 2, 0.7] }), // and another of the same tick
    () => call('world.step', { ticks: 5 }),
    () => call('cloth.spawn', { columns: 9, rows: 9, position: [8, 4, 0] }), // a new epoch
    () => call('world.step', { ticks: 20 }),
    () => call('object.remove', { object: made.rope }),
    () => call('world.resume'),
    () => sleep(500),
    () => call('world.pause'),
    () => call('world.step', { ticks: 1 }),
    () => call('world.reset'),
    () => everything(call),
    () => call('world.step', { ticks: 30 }),
  ];
  for (const stage of stages) {
    await stage();
    if (!(await call('world.get')).running) await settled(call, ...all);
  }
  assert.ok(assertSame(mine, theirs, 'grid') > 60);
  const known = byTick(exact);
  let worst = 0;
  for (const [tick, { positions }] of byTick(mine)) {
    const real = known.get(tick)?.positions;
    for (let i = 0; real && i < real.length; i++) worst = Math.max(worst, Math.abs(positions[i] - real[i]));
  }
  assert.ok(worst <= STEP / 2 + 2 ** -19, `off by ${worst} m`);
  assert.equal(client.statistics.framesSkipped, 0);
  const [small, large] = [mine, theirs].map(({ frames }) => frames.slice(10, 60).reduce((sum, { bytes }) => sum + bytes, 0));
  assert.ok(small < large / 2, `${small} bytes where the grid takes ${large}`);
});

test('a cloth that tears apart is decoded as the grid is, by who watches and who comes later', async (t) => {
  const { server, call, client } = await laboratory(t);
  const grid = await server.connect('lab');
  const { object } = await call('cloth.spawn', { columns: 24, rows: 24, position: [0, 4, 0], pin: 'topEdge', tear: 1.2 });
  const { object: mesh } = await call('mesh.spawn', { positions: [0, 1, 5, 1, 1, 5, 0, 2, 5, 1, 2, 5], triangles: [0, 1, 2, 2, 1, 3], tear: 1.1 });
  const [mine, theirs] = [record(client), record(grid)];
  await client.subscribeFrames({ step: STEP });
  await grid.subscribeFrames({ encoding: 'grid', step: STEP });
  const before = client.topology.particles;
  await call('grab.start', { object, particle: 23 * 24 + 12 });
  for (let i = 0; i < 30; i++) {
    await call('force.apply', { object, particles: [23 * 24 + 3, 23 * 24 + 20], force: [0, -4000, 900 - 60 * i], ticks: 1 });
    await call('force.apply', { object: mesh, particles: [0], force: [-900, 0, 0], ticks: 1 });
    await stepShown(call, 2, mine, theirs);
  }
  assert.ok(client.topology.particles > before, 'nothing tore');
  const late = await server.connect('lab');
  const latest = record(late);
  await late.subscribeFrames({ step: STEP });
  await call('world.step', { ticks: 10 });
  await settled(call, mine, theirs, latest);
  assert.ok(assertSame(mine, theirs, 'who watched') > 40);
  assert.ok(assertSame(latest, theirs, 'who came later') >= 1);
});

test('what sleeps costs next to nothing, and is where it lies, asleep, woken and asleep again', async (t) => {
  const { server, call, client } = await laboratory(t);
  await call('world.set', { bounds: { min: [-4, 0, -4], max: [4, 4, 4] }, damping: 0.02 });
  const bodies = [];
  for (let i = 0; i < 80; i++) {
    bodies.push((await call('body.spawn', { shape: 'box', size: [0.2, 0.2, 0.2], position: [0.4 * (i % 10) - 2, 0.11, 0.4 * Math.floor(i / 10) - 2] })).object);
  }
  const grid = await server.connect('lab');
  const slow = await server.connect('lab');
  const [mine, theirs, fourth] = [record(client), record(grid), record(slow)];
  await client.subscribeFrames({ step: STEP });
  await grid.subscribeFrames({ encoding: 'grid', step: STEP });
  await slow.subscribeFrames({ step: STEP, everyTicks: 4 });
  const asleep = async () => (await call('object.list')).objects.filter((object) => object.asleep).length;
  await call('world.step', { ticks: 600 });
  assert.equal(await asleep(), bodies.length);
  await call('world.step', { ticks: 8 });
  await settled(call, mine, theirs);
  const { bytes, count } = mine.frames.at(-1);
  assert.ok(bytes - 32 <= 0.09 * count, `${bytes} bytes for ${count} particles at rest`);
  for (let round = 0; round < 4; round++) {
    await call('force.apply', { object: bodies[7 * round], force: [0, 30, 5], ticks: 3 });
    await stepShown(call, 31, mine, theirs); // sleeping objects are stepped faster than frames are sent
    const late = await server.connect('lab');
    const latest = record(late);
    await late.subscribeFrames({ step: STEP });
    await call('world.step', { ticks: 400 });
    await settled(call, mine, theirs, latest);
    assert.ok(assertSame(latest, theirs, 'who came later') > 0);
    late.close();
  }
  assert.equal(await asleep(), bodies.length);
  assert.ok(assertSame(mine, theirs, 'every tick') > 100);
  assert.ok(assertSame(fourth, theirs, 'every fourth tick') > 10);
});

test('chosen objects come alone, and go on when one of them is gone', async (t) => {
  const { server, call, client } = await laboratory(t);
  const made = await everything(call);
  const grid = await server.connect('lab');
  const [mine, theirs] = [record(client), record(grid)];
  const objects = [made.ragdoll, made.rope, made.hex];
  await client.subscribeFrames({ objects, step: STEP });
  await grid.subscribeFrames({ objects, step: STEP, encoding: 'grid' });
  await stepShown(call, 20, mine, theirs);
  assert.deepEqual(mine.frames.at(-1).ranges, theirs.frames.at(-1).ranges);
  assert.equal(mine.frames.at(-1).ranges.length, 3);
  await call('object.remove', { object: made.rope });
  await stepShown(call, 20, mine, theirs);
  assert.equal(mine.frames.at(-1).ranges.length, 2);
  assert.ok(assertSame(mine, theirs, 'chosen') >= 40);
});

test('who looks every 2nd, 4th or 8th tick is shown the same, from frames of its own', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const all = await server.connect('lab');
  await all.call('cloth.spawn', { columns: 40, rows: 40, pin: 'topCorners', position: [0, 3, 0] });
  await all.call('world.set', { wind: { velocity: [2, 0, 3], gust: 1 } });
  const theirs = record(all);
  await all.subscribeFrames({ step: STEP, encoding: 'grid' });
  const tiers = [];
  for (const everyTicks of [1, 2, 4, 8, 7, 100]) {
    const client = await server.connect('lab');
    const seen = record(client);
    assert.equal((await client.subscribeFrames({ step: STEP, everyTicks })).everyTicks, everyTicks);
    tiers.push({ everyTicks, seen });
  }
  await until(() => tiers.find(({ everyTicks }) => everyTicks === 8).seen.frames.length > 20, 'twenty frames');
  for (const { everyTicks, seen } of tiers) {
    const frames = seen.frames.slice(1); // without the frame of the subscription
    assert.ok(frames.every(({ tick }) => tick % everyTicks === 0), `${everyTicks}: ${frames.map(({ tick }) => tick)}`);
    assert.ok(frames.slice(1).every(({ tick }, i) => tick - frames[i].tick === everyTicks), 'evenly');
    assert.ok(assertSame(seen, theirs, `every ${everyTicks}`) >= (everyTicks === 100 ? 1 : 20));
    assert.deepEqual(frames.slice(0, 1).map(({ keyframe }) => keyframe), everyTicks === 100 && frames.length === 0 ? [] : [everyTicks > 85 || frames[0].keyframe]);
    assert.ok(frames.slice(4).every(({ keyframe }) => keyframe === everyTicks > 85));
  }
});

/** A world that makes large frames at little cost, and a client in it. */
async function rushingWorld(t) {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--stall-timeout', '600']);
  const all = await server.connect('lab');
  await all.call('world.set', { substeps: 1, iterations: 1, wind: { velocity: [2, 0, 3], gust: 1 } });
  await all.call('cloth.spawn', { columns: 150, rows: 150, spacing: 0.02, pin: 'topCorners', position: [0, 3, 0] });
  return { server, all };
}

/** The number of frames that the server has skipped, for all clients. */
async function skippedBy(server) {
  const text = await (await fetch(server.http('/metrics'))).text();
  return Number(/^weft_net_frames_skipped_total (\d+)$/m.exec(text)[1]);
}

/** Stops reading until the server has skipped so many more frames. */
async function fallBehind(server, unread, frames = 1) {
  const before = await skippedBy(server);
  unread.pause();
  await until(async () => (await skippedBy(server)) >= before + frames, 'frames to be skipped', PATIENCE_MS);
}

const keyframes = ({ frames }) => frames.filter(({ keyframe }) => keyframe).length;

test('who does not read for a while goes on with a keyframe, and the others notice nothing', async (t) => {
  const { server, all } = await rushingWorld(t);
  const theirs = record(all);
  await all.subscribeFrames({ step: FINE });
  const unread = await connectUnread(server, 'lab');
  const mine = record(unread.client);
  await unread.client.subscribeFrames({ step: FINE });
  await until(() => mine.frames.length > 10, 'frames', PATIENCE_MS);
  for (let round = 0; round < 2; round++) {
    const before = keyframes(mine);
    await fallBehind(server, unread, 3);
    const { tick } = await all.call('world.get');
    unread.resume();
    await until(() => keyframes(mine) > before && mine.frames.at(-1).tick > tick + 30, 'frames of now', PATIENCE_MS);
  }
  const gaps = mine.frames.slice(1).filter(({ tick }, i) => tick > mine.frames[i].tick + 1);
  assert.ok(gaps.length >= 2 && gaps.every(({ keyframe }) => keyframe), 'a gap ends with a keyframe');
  assert.equal(unread.client.statistics.framesSkipped, 0, 'nothing came that could not be decoded');
  assert.ok(assertSame(mine, theirs, 'after gaps') > 50);
  const ticks = theirs.frames.slice(2).map(({ tick }, i) => tick - theirs.frames[i + 1].tick);
  assert.ok(ticks.filter((apart) => apart !== 1).length <= 2, 'the other missed frames');
});

test('who was behind when the world was paused is shown where it stopped', async (t) => {
  const { server, all } = await rushingWorld(t);
  const unread = await connectUnread(server, 'lab');
  const mine = record(unread.client);
  await unread.client.subscribeFrames({ step: FINE });
  await until(() => mine.frames.length > 10, 'frames', PATIENCE_MS);
  await fallBehind(server, unread);
  await all.call('world.pause');
  const { tick } = await all.call('world.get');
  assert.ok(mine.frames.at(-1).tick < tick);
  unread.resume();
  await until(() => mine.frames.at(-1).tick === tick, 'the frame at which it stopped', PATIENCE_MS);
  assert.equal(mine.frames.at(-1).keyframe, true);
  assert.deepEqual(mine.faults, []);
});

test('who reads on just as the world comes to a stop is shown where it stopped', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused']);
  const all = await server.connect('lab');
  await all.call('cloth.spawn', { columns: 100, rows: 100, spacing: 0.02, pin: 'topCorners', position: [0, 3, 0] });
  const unread = await connectUnread(server, 'lab');
  const mine = record(unread.client);
  await unread.client.subscribeFrames({ step: STEP });
  for (let round = 0; round < 24; round += process.env.WEFT_SANITIZER === 'thread' ? 4 : 1) {
    unread.pause();
    const ticks = 60 + 5 * round;
    const done = all.call('world.step', { ticks });
    await sleep(20 * round);
    unread.resume();
    await done;
    const { tick } = await all.call('world.get');
    await until(() => mine.frames.at(-1).tick === tick, `the frame of tick ${tick} in round ${round}`, 3000);
  }
  assert.deepEqual(mine.faults, []);
});

test('who keeps missing frames and asked to adapt gets an even slower rate, and a faster one when that goes well', { timeout: 240000, skip: TOO_SLOW }, async (t) => {
  const { server } = await rushingWorld(t);
  const unread = await connectUnread(server, 'lab');
  const mine = record(unread.client);
  const paces = [];
  unread.client.on('frames.paced', ({ everyTicks }) => paces.push(everyTicks));
  await unread.client.subscribeEvents(['frames.paced']);
  await unread.client.subscribeFrames({ step: FINE, adapt: true });
  const missFrames = async () => { // repeatedly
    const before = keyframes(mine);
    await fallBehind(server, unread);
    unread.resume();
    await until(() => keyframes(mine) > before, 'a keyframe', PATIENCE_MS);
    return paces.length > 0;
  };
  await until(missFrames, 'a slower rate', PATIENCE_MS);
  assert.equal(paces[0], 2);
  const slower = paces.at(-1);
  await until(() => mine.frames.slice(-8).every(({ tick }, i, last) => tick % slower === 0 && (i === 0 || tick - last[i - 1].tick === slower)), 'an even rate', PATIENCE_MS);
  await until(() => paces.at(-1) === slower / 2, 'a faster rate', PATIENCE_MS);
  assert.deepEqual(mine.faults, []);
  assert.equal(unread.client.statistics.framesSkipped, 0);
});

test('more streams than there is room for are refused, and what adapts is motion', async (t) => {
  const { server, call } = await laboratory(t);
  await call('cloth.spawn', { columns: 5, rows: 5 });
  const clients = [];
  for (let i = 0; i < 8; i++) {
    clients.push(await server.connect('lab'));
    await clients[i].subscribeFrames({ step: STEP * (1 + i) });
  }
  const one = await server.connect('lab');
  await assert.rejects(one.subscribeFrames({ step: STEP, everyTicks: 2 }), { code: -32003, message: /at most 8 different choices of encoding, step and rate/ });
  await one.subscribeFrames({ step: STEP * 3 });
  clients[0].close();
  await until(() => one.subscribeFrames({ step: STEP, everyTicks: 2 }).then(() => true, () => false), 'room for another');
  await assert.rejects(one.subscribeFrames({ encoding: 'grid', adapt: true }), { code: -32602 });
});
