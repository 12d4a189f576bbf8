// SPDX-License-Identifier: MIT
// Sends the same frame to many viewers 60 times per second: Weft, a bare epoll sender, `ws` and Colyseus. Also measures the
// punctuality of ticks under load.

import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { bars } from './chart.mjs';
import { short, table } from './bench.mjs';
import { cpuSeconds, residentBytes, start, startWeftd, stop, threadSeconds } from './servers.mjs';

const PARTICLE_BYTES = 12; // size of a particle in a raw frame
const SIZES = { '6k': { columns: 32, rows: 16 }, '48k': { columns: 64, rows: 64 } };
const PORT = /port (\d+)/;
const SECONDS = 5;
const ROUNDS = 5;
// The comparisons and their repetitions: those that the targets name are interleaved, the others run once.
const MATCHES = [
  { viewers: 100, size: '6k', servers: ['weft', 'bare', 'ws', 'colyseus'], rounds: 1 },
  { viewers: 500, size: '6k', servers: ['weft', 'bare', 'ws', 'colyseus'], rounds: 1 },
  { viewers: 2000, size: '6k', servers: ['weft', 'bare'], rounds: ROUNDS },
  { viewers: 2000, size: '6k', servers: ['ws'], rounds: 1 },
  { viewers: 100, size: '48k', servers: ['weft', 'bare', 'ws', 'colyseus'], rounds: 1 },
  { viewers: 500, size: '48k', servers: ['weft', 'bare', 'ws', 'colyseus'], rounds: 1 },
  { viewers: 1000, size: '48k', servers: ['weft', 'bare'], rounds: ROUNDS },
  { viewers: 1000, size: '48k', servers: ['ws'], rounds: 1 },
];
const IDLE_CLIENTS = 2000;
// The loads under which the punctuality of ticks is measured: no viewers, and the two loads that the targets name.
const LATENESS = [
  { name: 'idle', viewers: 0, size: '6k', seconds: 20 },
  { name: 'v2000_6k', viewers: 2000, size: '6k', seconds: 15 },
  { name: 'v1000_48k', viewers: 1000, size: '48k', seconds: 15 },
];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const bytesOf = (size) => 32 + PARTICLE_BYTES * SIZES[size].columns * SIZES[size].rows;
const figuresOf = (line) => Object.fromEntries([...line.matchAll(/(\w+)=([\d.]+)/g)].map(([, name, value]) => [name, Number(value)]));
const totalOf = (text) => figuresOf(text.trim().split('\n').at(-1));

// ---- servers --------------------------------------------------------------------------------------------------------

async function startWeft(bench, size) {
  const server = await startWeftd(bench, ['--world', 'bench=empty', '--max-clients', 8000]);
  const client = await speakTo(server);
  await client.call('cloth.spawn', { ...SIZES[size], position: [0, 4, 0], spacing: 0.05 });
  client.close();
  return server;
}

async function speakTo(server) {
  const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/bench`, { WebSocket, reconnect: false });
  await client.connect();
  return client;
}

const STARTERS = {
  weft: startWeft,
  bare: (bench, size) => start(bench.program('sender'), [bytesOf(size)], PORT),
  ws: (bench, size) => start(process.execPath, [script('ws_sender.mjs'), bytesOf(size)], PORT),
  colyseus: (bench, size) => start(process.execPath, [script('colyseus_sender.mjs'), bytesOf(size)], PORT),
};

// ---- one run --------------------------------------------------------------------------------------------------------

/** Runs a number of viewers for some seconds. */
function load(bench, name, server, viewers, { seconds = SECONDS, stalled = 0 } = {}) {
  if (name === 'colyseus') return bench.text(process.execPath, [script('colyseus_viewers.mjs'), server.port, viewers, seconds]);
  const options = ['--port', server.port, '--world', name === 'weft' ? 'bench' : 'main', '--timeout', 60, 'load', '--clients', viewers, '--seconds', seconds, '--stalled', stalled];
  return bench.text(bench.weftctl, name === 'weft' ? [...options, '--encoding', 'raw'] : options);
}

/** Measures one server under one load: CPU seconds per second while all viewers are connected, latency, memory. */
async function measure(bench, name, { viewers, size }) {
  const server = await STARTERS[name](bench, size);
  try {
    const before = residentBytes(server.pid);
    const running = load(bench, name, server, viewers, { seconds: SECONDS });
    running.catch(() => {});
    await untilWatched(bench, name, server, viewers);
    const [cpu, thread, at] = [cpuSeconds(server.pid), threadSeconds(server.pid), performance.now()];
    await sleep((SECONDS - 1) * 1000);
    const elapsed = (performance.now() - at) / 1000;
    const used = cpuSeconds(server.pid) - cpu;
    const first = threadSeconds(server.pid) - thread; // weftd's network thread
    const memory = residentBytes(server.pid) - before;
    const total = totalOf(await running);
    const delivered = viewers * total.framesPerSecond * elapsed;
    const own = name === 'weft' ? first : used;
    return { cpu: own / elapsed, whole: used / elapsed, usPerFrame: (1e6 * own) / delivered, fps: total.framesPerSecond, p50: total.p50Ms, p99: total.p99Ms, most: total.maxMs, memoryMb: memory / 2 ** 20 };
  } finally {
    await stop(server);
  }
}

/** Waits until the load has connected: until the number of sockets stops growing. */
async function untilWatched(bench, name, server, viewers) {
  for (let patience = 0; patience < 600; patience++) {
    if (readdirSync(`/proc/${server.pid}/fd`).length >= viewers) break;
    await sleep(50);
  }
  await sleep(700);
}

/** Reports that another server cannot serve so many viewers, and continues. */
async function measureAnyway(bench, name, match) {
  try {
    return await measure(bench, name, match);
  } catch (error) {
    if (name === 'weft' || name === 'bare') throw error;
    bench.say(`${match.viewers} viewers of ${match.size}, ${name}: could not be measured: ${error.message}`);
    return {};
  }
}

async function stalledViewers(bench) {
  const server = await STARTERS.weft(bench, '48k');
  try {
    const alone = totalOf(await load(bench, 'weft', server, 400));
    const running = load(bench, 'weft', server, 500, { stalled: 100, seconds: 8 });
    running.catch(() => {});
    await untilWatched(bench, 'weft', server, 500);
    const early = residentBytes(server.pid);
    await sleep(6000);
    const late = residentBytes(server.pid);
    const beside = totalOf(await running);
    return { alone: alone.p99Ms, beside: beside.p99Ms, growthMb: (late - early) / 2 ** 20, dropped: beside.dropped };
  } finally {
    await stop(server);
  }
}

/** Memory of connected clients without subscriptions. */
async function idleClients(bench) {
  const server = await STARTERS.weft(bench, '6k');
  const sockets = [];
  try {
    await sleep(300);
    const before = residentBytes(server.pid);
    const hello = `GET /worlds/bench HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: d2VmdGN0bCBsb2FkIDEyMw==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    for (let at = 0; at < IDLE_CLIENTS; at++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      const greeted = new Promise((resolve) => socket.once('data', resolve));
      socket.write(hello);
      if (at % 50 === 49) await greeted;
    }
    await sleep(1500);
    return (residentBytes(server.pid) - before) / IDLE_CLIENTS;
  } finally {
    for (const socket of sockets) socket.destroy();
    await stop(server);
  }
}

// ---- punctuality ----------------------------------------------------------------------------------------------------

/** Lateness of ticks as reported by world.get, each tick once, compared with a bare loop that sleeps until the same deadlines. */
async function lateness(bench, { viewers, size }, seconds) {
  const server = await STARTERS.weft(bench, size);
  try {
    const client = await speakTo(server);
    const running = viewers > 0 ? load(bench, 'weft', server, viewers, { seconds: seconds + 2 }) : undefined;
    running?.catch(() => {});
    if (viewers > 0) await untilWatched(bench, 'weft', server, viewers);
    const bare = bench.json(bench.program('deadline'), [60, seconds]);
    const seen = new Map();
    const first = await client.call('world.get');
    const started = performance.now();
    while (performance.now() - started < seconds * 1000) {
      const { tick, timing } = await client.call('world.get');
      seen.set(tick, timing.latenessMs);
      await sleep(4);
    }
    const elapsed = performance.now() - started;
    const last = await client.call('world.get');
    client.close();
    const watched = running === undefined ? undefined : totalOf(await running);
    const late = [...seen.values()].sort((a, b) => a - b);
    const quantile = (share) => late[Math.min(late.length - 1, Math.floor(share * late.length))];
    // A skipped tick, or lost time that the world did not report.
    const wanted = (elapsed / 1000) * 60 * (last.timing.realTimeFactor >= 0.999 ? 1 : last.timing.realTimeFactor);
    return { p50: quantile(0.5), p99: quantile(0.99), p999: quantile(0.999), ticks: last.tick - first.tick, wanted, bare: await bare, missed: watched?.missedFrames };
  } finally {
    await stop(server);
  }
}

// ---- the part -------------------------------------------------------------------------------------------------------

export async function run(bench) {
  const figures = {};
  const rows = [];
  const results = new Map();
  for (const match of MATCHES) {
    const found = await bench.inTurn(match.servers.map((name) => () => measureAnyway(bench, name, match)), match.rounds);
    match.servers.forEach((name, at) => {
      const result = found[at];
      if (result.fps === undefined) {
        rows.push([match.viewers, match.size, name, ...Array(9).fill('–')]);
        return;
      }
      results.set(`${name} ${match.viewers} ${match.size}`, result);
      note(figures, name, match, result);
      rows.push([match.viewers, match.size, name, short(100 * result.cpu), short(100 * result.whole), short(result.usPerFrame), short(result.fps), short(result.p50), short(result.p99), short(result.most), short(result.memoryMb), short((1024 * result.memoryMb) / match.viewers)]);
      bench.say(`${match.viewers} viewers of ${match.size}, ${name}: ${short(100 * result.cpu)} % of a core, ${short(result.fps)} frames/s, p99 ${short(result.p99)} ms, ${short(result.memoryMb)} MB`);
    });
    compare(figures, match, results);
  }
  figures['fanout.idle_client_bytes'] = await idleClients(bench);
  bench.say(`an idle client takes ${short(figures['fanout.idle_client_bytes'])} bytes`);
  const stalled = await stalledViewers(bench);
  figures['fanout.stalled100.p99_moved_ms'] = stalled.beside - stalled.alone;
  figures['fanout.stalled100.memory_growth_mb'] = stalled.growthMb;
  figures['fanout.stalled100.dropped'] = stalled.dropped;
  bench.say(`100 stalled viewers move the p99 of 400 from ${short(stalled.alone)} to ${short(stalled.beside)} ms, memory by ${short(stalled.growthMb)} MB`);
  const punctual = await punctuality(bench, figures);
  return { title: 'Fan-out', figures, text: await describe(bench, rows, results, stalled, figures, punctual) };
}

async function punctuality(bench, figures) {
  const rows = [];
  let skipped = 0;
  for (const load of LATENESS) {
    const found = await lateness(bench, load, bench.quick ? 4 : load.seconds);
    for (const share of ['p50', 'p99', 'p999']) {
      figures[`lateness.${load.name}.${share}_ms`] = found[share];
      figures[`lateness.${load.name}.bare_${share}_ms`] = found.bare[share];
    }
    figures[`lateness.${load.name}.ratio_bare`] = found.p999 / found.bare.p999;
    skipped += Math.max(0, Math.round(found.wanted - found.ticks - 1));
    for (const [who, values] of [['weftd', found], ['bare sleep loop', found.bare]]) rows.push([load.viewers === 0 ? 'idle' : `${load.viewers} × ${load.size}`, who, short(values.p50), short(values.p99), short(values.p999)]);
    bench.say(`ticks, ${load.name}: p99.9 ${short(found.p999)} ms late, a bare loop ${short(found.bare.p999)} ms; ${found.ticks} ticks of ${short(found.wanted)}`);
  }
  const loaded = LATENESS.filter(({ viewers }) => viewers > 0);
  figures['lateness.loaded.ratio_bare'] = Math.max(...loaded.map(({ name }) => figures[`lateness.${name}.ratio_bare`]));
  figures['lateness.skipped_ticks'] = skipped;
  return rows;
}

function note(figures, name, { viewers, size }, result) {
  const base = `fanout.v${viewers}_${size}.${name}`;
  Object.assign(figures, { [`${base}.cpu`]: result.cpu, [`${base}.cpu_whole`]: result.whole, [`${base}.us_per_frame`]: result.usPerFrame, [`${base}.frames_per_second`]: result.fps, [`${base}.p50_ms`]: result.p50, [`${base}.p99_ms`]: result.p99, [`${base}.memory_mb`]: result.memoryMb, [`${base}.memory_per_client_kb`]: (1024 * result.memoryMb) / viewers });
}

function compare(figures, { viewers, size }, results) {
  const base = `fanout.v${viewers}_${size}`;
  const [weft, bare] = [results.get(`weft ${viewers} ${size}`), results.get(`bare ${viewers} ${size}`)];
  if (!weft || !bare) return;
  figures[`${base}.cpu_ratio_bare`] = weft.usPerFrame / bare.usPerFrame;
  figures[`${base}.p99_over_bare_ms`] = weft.p99 - bare.p99;
  figures[`${base}.memory_mb`] = weft.memoryMb;
  for (const rival of ['ws', 'colyseus']) {
    const other = results.get(`${rival} ${viewers} ${size}`);
    if (other) figures[`${base}.cpu_ratio_${rival}`] = weft.usPerFrame / other.usPerFrame;
  }
}

async function describe(bench, rows, results, stalled, figures, punctual) {
  const groups = [...new Set(MATCHES.map(({ viewers, size }) => `${viewers} × ${size}`))];
  const series = Object.keys(STARTERS).map((name) => ({ name, values: groups.map((group) => results.get(`${name} ${group.replace(' × ', ' ')}`)?.usPerFrame) }));
  const chart = await bench.chart('fanout', bars({ title: 'CPU for a frame to one viewer', unit: 'µs', groups, series }));
  return [
    chart,
    `Frames of 6 KB are those of 512 particles, of 48 KB those of 4,096, raw, at 60 Hz over loopback; the viewers are \`weftctl load\`, on the same machine; those of Colyseus are a script, which is busy with 500. CPU is that of the network's thread, in % of a core (all of weftd's threads beside it), and by frame delivered, which is what is compared: a server that delivers fewer frames must not look cheap. Latency is that of a frame's last byte against the rhythm of the ticks. Memory is what the server grew by with its viewers.`,
    table(['viewers', 'frame', 'server', 'CPU %', 'all threads %', 'µs a frame', 'frames/s', 'p50 ms', 'p99 ms', 'most ms', 'memory MB', 'KB a client'], rows),
    `An idle client takes ${short(figures['fanout.idle_client_bytes'])} bytes. 100 stalled viewers of 48 KB beside 400 that read: p99 from ${short(stalled.alone)} to ${short(stalled.beside)} ms, memory grew by ${short(stalled.growthMb)} MB in 6 s, ${stalled.dropped} of them were dropped.`,
    'How late ticks begin, in ms, beside a loop that does nothing but sleep until the same deadlines, in the same seconds, with nobody watching and under load:',
    table(['', '', 'p50', 'p99', 'p99.9'], punctual),
  ].join('\n\n');
}
