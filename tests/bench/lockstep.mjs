// SPDX-License-Identifier: MIT
// Lockstep beside frames of the same worlds: bytes a second when nobody acts and while five hands move, what joining takes, how
// soon the cloth follows the hand at a distance, a tick in WebAssembly beside a native one and beside Rapier's, and the pause when a
// world changes between page and server.

import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { loadEngine } from '../../web/client/engine/engine.js';
import { delayingProxy } from '../support/delaying_proxy.mjs';
import { measureAudience } from './audience.mjs';
import { median, short, table } from './bench.mjs';
import { measureHandover } from './handover.mjs';
import { measureRapier } from './rapier.mjs';
import { startWeftd, stop } from './servers.mjs';

const HANDS = 5;
const SECONDS = 5;
const TRIPS_MS = [0, 100, 200];
const MOVES = 100;
const HAND_CLOTH = { columns: 16, rows: 16, spacing: 0.05, position: [0, 2, 0], pin: 'topCorners' };
const HAND_PARTICLE = 120;
const TWO_HANDS_TRIP_MS = 200;
const RECENT_MOVES = 4; // a frame shows one of these: timers and ticks are not in step
const JOIN_CLOTH = { columns: 256, rows: 256, spacing: 0.02, position: [0, 5, 0], pin: 'topCorners' };
const WORLDS = [
  { name: 'default', scene: 'default' },
  { name: 'cloth128', cloth: { columns: 128, rows: 128, spacing: 0.02, position: [0, 3, 0], pin: 'topCorners' } },
  { name: 'cloth256', cloth: JOIN_CLOTH },
];
const GUSTS = { wind: { velocity: [2, 0, 1], gust: 0.8 } };

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function connect(port, options = {}) {
  const client = new WeftClient(`ws://127.0.0.1:${port}/worlds/bench`, { WebSocket, ...options });
  await client.connect();
  return client;
}

async function openWorld(bench, { scene = 'empty', cloth }) {
  const server = await startWeftd(bench, ['--world', `bench=${scene}`]);
  const client = await connect(server.port);
  if (cloth) await client.call('cloth.spawn', cloth);
  await client.call('world.set', GUSTS);
  return { server, client };
}

// ---- bytes ----------------------------------------------------------------------------------------------------------

/** Bytes a second of the binary messages that a subscription brings, and how many ticks of the world they show. */
async function received(port, params, seconds) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/worlds/bench`, ['weft.v1'], { perMessageDeflate: false });
  let [bytes, largest] = [0, 0];
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return;
    bytes += data.length;
    largest = Math.max(largest, data.length);
  });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'frames.subscribe', params }));
  await sleep(1500); // the snapshot or the topology has come
  const before = bytes;
  await sleep(1000 * seconds);
  const perSecond = (bytes - before) / seconds;
  socket.terminate();
  return { perSecond, largest };
}

/** Hands that hold particles and move them in each tick. @returns {Promise<() => Promise<void>>} lets go */
async function moveHands(client) {
  const { objects } = await client.call('object.list');
  const { object, particles } = objects.reduce((most, other) => (other.particles > most.particles ? other : most));
  const grabs = [];
  for (let hand = 0; hand < HANDS; hand++) {
    const particle = Math.floor((particles * (hand + 0.5)) / HANDS);
    const { grab } = await client.call('grab.start', { object, particle });
    const [place] = (await client.call('particle.read', { object, particles: [particle] })).positions;
    grabs.push({ grab, place });
  }
  let step = 0;
  const timer = setInterval(() => {
    step++;
    for (const { grab, place } of grabs) client.notify('grab.move', { grab, position: [place[0] + 0.2 * Math.sin(step / 20), place[1], place[2] + 0.2 * Math.cos(step / 20)] });
  }, 1000 / 60);
  return async () => {
    clearInterval(timer);
    for (const { grab } of grabs) await client.call('grab.end', { grab });
  };
}

async function measureBytes(bench, world) {
  const { server, client } = await openWorld(bench, world);
  try {
    const seconds = bench.quick ? 1 : SECONDS;
    const idle = await received(server.port, { encoding: 'ticks' }, seconds);
    const letGo = await moveHands(client);
    const ticks = await received(server.port, { encoding: 'ticks' }, seconds);
    const frames = await received(server.port, { encoding: 'motion' }, seconds);
    await letGo();
    const { counts, timing } = await client.call('world.get');
    return { idle: idle.perSecond, hands: ticks.perSecond, frames: frames.perSecond, snapshot: ticks.largest, particles: counts.particles, realTime: timing?.realTimeFactor ?? 1 };
  } finally {
    client.close();
    await stop(server);
  }
}

// ---- joining --------------------------------------------------------------------------------------------------------

async function measureJoin(bench) {
  const { server, client } = await openWorld(bench, { cloth: JOIN_CLOTH });
  try {
    await sleep(500);
    await client.call('world.pause');
    const joining = await connect(server.port, { predict: false });
    await joining.subscribeFrames({ encoding: 'raw' });
    joining.close();
    const viewer = await connect(server.port, { predict: false, loadEngine });
    const begun = performance.now();
    const shown = new Promise((resolve) => viewer.on('frame', resolve));
    await viewer.subscribeFrames({ encoding: 'ticks' });
    await shown;
    const ms = performance.now() - begun;
    viewer.close();
    const { largest } = await received(server.port, { encoding: 'ticks' }, 0.5);
    return { ms, bytesPerParticle: largest / (JOIN_CLOTH.columns * JOIN_CLOTH.rows) };
  } finally {
    client.close();
    await stop(server);
  }
}

// ---- the hand -------------------------------------------------------------------------------------------------------

/** From the call of a move until a frame shows the held particle there, in ms: median and 95th percentile. */
async function measureHand(bench, tripMs, options, params) {
  const ends = [];
  const { server, client } = await openWorld(bench, { cloth: HAND_CLOTH });
  const own = await connect(await delayingProxy({ after: (end) => ends.push(end) }, server.port, tripMs), options);
  try {
    let wanted = null;
    own.on('frame', (frame) => {
      if (wanted && Math.abs(frame.positions[3 * HAND_PARTICLE + 1] - wanted.y) < 0.005) {
        wanted.resolve(performance.now());
        wanted = null;
      }
      own.recycle(frame);
    });
    await own.subscribeFrames(params);
    await sleep(1000);
    const { objects: [{ object }] } = await client.call('object.list');
    const { grab } = await own.call('grab.start', { object, particle: HAND_PARTICLE });
    const delays = [];
    for (let move = 0; move < (bench.quick ? 10 : MOVES); move++) {
      const y = 1.6 + 0.3 * Math.abs(Math.sin(move * 1.7));
      const sentAt = performance.now();
      const seenAt = new Promise((resolve) => { wanted = { y, resolve }; });
      own.notify('grab.move', { grab, position: [0, y, 0.2] });
      delays.push((await Promise.race([seenAt, sleep(2000).then(() => Infinity)])) - sentAt);
      await sleep(10 + 10 * Math.random());
    }
    delays.sort((a, b) => a - b);
    return { median: median(delays), p95: delays[Math.floor(0.95 * delays.length)] };
  } finally {
    own.close();
    client.close();
    for (const end of ends) end();
    await stop(server);
  }
}

/**
 * Two people pull at one cloth, each at a distance: how far the particle in one's own hand is shown from where the hand was at the
 * last moves, in mm, 99th percentile of all frames.
 */
async function measureTwoHands(bench) {
  const ends = [];
  const { server, client } = await openWorld(bench, { cloth: HAND_CLOTH });
  const proxy = { after: (end) => ends.push(end) };
  const people = [];
  for (const particle of [HAND_PARTICLE, HAND_PARTICLE + 4]) {
    people.push({ particle, client: await connect(await delayingProxy(proxy, server.port, TWO_HANDS_TRIP_MS), { loadEngine }), sent: [], off: [] });
  }
  try {
    const { objects: [{ object }] } = await client.call('object.list');
    for (const person of people) {
      person.client.on('frame', (frame) => {
        const shown = frame.positions.subarray(3 * person.particle, 3 * person.particle + 3);
        const distance = (place) => Math.hypot(...place.map((value, axis) => value - shown[axis]));
        if (person.sent.length === RECENT_MOVES) person.off.push(Math.min(...person.sent.map(distance)));
        person.client.recycle(frame);
      });
      await person.client.subscribeFrames({ encoding: 'ticks' });
    }
    await sleep(1000);
    for (const person of people) ({ grab: person.grab } = await person.client.call('grab.start', { object, particle: person.particle }));
    for (let move = 0; move < 60 * (bench.quick ? 1 : SECONDS); move++) {
      people.forEach((person, index) => {
        const turn = move / 12 + 2 * index;
        const position = [0.1 + 0.2 * index + 0.15 * Math.sin(turn), 1.6 + 0.15 * Math.cos(turn), 0.2];
        person.sent = [...person.sent, position].slice(-RECENT_MOVES);
        person.client.notify('grab.move', { grab: person.grab, position });
      });
      await sleep(1000 / 60);
    }
    const off = people.flatMap((person) => person.off).sort((a, b) => a - b);
    return { p99: 1000 * off[Math.floor(0.99 * off.length)] };
  } finally {
    for (const person of people) person.client.close();
    client.close();
    for (const end of ends) end();
    await stop(server);
  }
}

// ---- a tick ---------------------------------------------------------------------------------------------------------

const TICK_CLOTH = { columns: 64, rows: 64, spacing: 0.02, position: [0, 3, 0], pin: 'topCorners' };

const WARM_TICKS = 30;
const SSE2_LANES = 4;

/** ms a tick of the engine in WebAssembly, natively with vectors of the same width, and as wide as the processor is. */
async function measureTick(bench) {
  const bytes = await readFile(new URL('../../web/client/engine/weft-simd.wasm', import.meta.url));
  const engine = await loadEngine({ bytes });
  const ticks = bench.quick ? 60 : 300;
  const hashes = new Set();
  const native = (lanes) => async () => {
    const { ms, hash } = await bench.json(bench.program('engine_tick'), [lanes, WARM_TICKS, ticks, JSON.stringify(TICK_CLOTH), JSON.stringify(GUSTS)]);
    hashes.add(hash);
    return { ms };
  };
  const inWebAssembly = () => {
    const world = engine.createWorld({ particles: 10000, sticks: 80000, objects: 10, obstacles: 10 });
    world.join(1);
    world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cloth.spawn', params: TICK_CLOTH }));
    world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'world.set', params: GUSTS }));
    for (let tick = 0; tick < WARM_TICKS; tick++) world.tick();
    for (const output of world.outputs()) void output;
    const begun = process.cpuUsage();
    for (let tick = 0; tick < ticks; tick++) world.tick();
    const { user, system } = process.cpuUsage(begun);
    hashes.add(world.hash);
    world.destroy();
    return { ms: (user + system) / 1000 / ticks };
  };
  inWebAssembly(); // the optimising compiler of the JavaScript engine gets its time
  const [wasm, sse2, widest] = await bench.inTurn([inWebAssembly, native(SSE2_LANES), native(0)], 5);
  if (hashes.size !== 1) throw new Error(`The same world has different states: ${[...hashes].join(', ')}.`);
  return { wasm: wasm.ms, sse2: sse2.ms, widest: widest.ms };
}

// ---- the part -------------------------------------------------------------------------------------------------------

export async function run(bench) {
  const figures = {};
  const bytes = [];
  for (const world of WORLDS) {
    bench.say(`bytes: ${world.name}`);
    const { name } = world;
    const measured = await measureBytes(bench, world);
    Object.assign(figures, {
      [`lockstep.${name}.idle_bytes_s`]: measured.idle, [`lockstep.${name}.hands_bytes_s`]: measured.hands, [`lockstep.${name}.frames_ratio`]: measured.frames / measured.hands,
    });
    bytes.push([name, measured.particles, short(measured.idle), short(measured.hands), short(measured.frames), short(measured.frames / measured.hands)]);
  }
  bench.say('joining');
  const [join] = await bench.inTurn([() => measureJoin(bench)], 3);
  Object.assign(figures, { 'lockstep.join_ms': join.ms, 'lockstep.join_bytes_particle': join.bytesPerParticle });
  const hands = [];
  for (const trip of TRIPS_MS) {
    bench.say(`the hand, ${trip} ms`);
    const [predicted, frames] = await bench.inTurn([
      () => measureHand(bench, trip, { loadEngine }, { encoding: 'ticks' }), () => measureHand(bench, trip, {}, { encoding: 'motion' }),
    ], 3);
    Object.assign(figures, { [`lockstep.hand${trip}.median_ms`]: predicted.median, [`lockstep.hand${trip}.p95_ms`]: predicted.p95 });
    hands.push([`${trip} ms`, short(predicted.median), short(predicted.p95), short(frames.median), short(frames.p95)]);
  }
  bench.say('two hands');
  const [twoHands] = await bench.inTurn([() => measureTwoHands(bench)], 3);
  figures['lockstep.own_hand_p99_mm'] = twoHands.p99;
  bench.say('a tick');
  const tick = await measureTick(bench);
  figures['lockstep.wasm_over_sse2'] = tick.wasm / tick.sse2;
  const rapier = await measureRapier(bench);
  const handover = await measureHandover(bench);
  const audience = await measureAudience(bench);
  Object.assign(figures, rapier.figures, handover.figures, audience.figures);
  const text = [
    `Bytes a second to one viewer, with gusts; ${HANDS} hands move in each tick.`,
    table(['world', 'particles', 'ticks, nobody acts', 'ticks, hands', 'frames, hands', 'frames over ticks'], bytes),
    `Joining a world of 65,536 particles: ${short(join.ms)} ms until the first frame, ${short(join.bytesPerParticle)} bytes a particle.`,
    'From a move of the hand to the frame that shows it, ms; 256 particles in the world.',
    table(['round trip added', 'ticks: median', 'p95', 'frames: median', 'p95'], hands),
    `Two people pull at one cloth, with ${TWO_HANDS_TRIP_MS} ms of round trip each: what one holds is shown ${short(twoHands.p99)} mm from the hand at most in 99 % of the frames.`,
    `A tick of a 64×64 cloth on one thread: ${short(tick.wasm)} ms in WebAssembly, ${short(tick.sse2)} ms natively with vectors of the same width (${short(tick.wasm / tick.sse2)} times), ${short(tick.widest)} ms with the widest of this processor.`,
    rapier.text,
    handover.text,
    audience.text,
  ].join('\n\n');
  return { title: 'Lockstep', figures, text };
}
