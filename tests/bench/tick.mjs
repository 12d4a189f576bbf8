// SPDX-License-Identifier: MIT
// Measures the whole tick of a 256 × 256 cloth: in the library with the encoder, and in weftd with ten viewers.

import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { median, short, table } from './bench.mjs';
import { startWeftd, stop } from './servers.mjs';

const SIDE = 256;
const ROUNDS = 3;
const TICKS = 200;
const VIEWERS = 10;
const SAMPLES = 40;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function throughServer(bench) {
  const server = await startWeftd(bench, ['--world', 'bench=empty', '--paused']);
  const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/bench`, { WebSocket, reconnect: false });
  try {
    await client.connect();
    const edge = 0.05 * SIDE;
    await client.call('world.set', { damping: 0.01, bounds: { min: [-100, 0, -100], max: [100, 100, 100] }, wind: { velocity: [1, 0, 3], gust: 1 }, substeps: 8 });
    await client.call('obstacle.add', { shape: 'sphere', radius: 0.1 * edge, position: [0, 0.6 * edge, 0.2 * edge] });
    await client.call('cloth.spawn', { columns: SIDE, rows: SIDE, position: [0, 0.6 * edge, 0] });
    await client.call('world.resume');
    const load = bench.text(bench.weftctl, ['--port', server.port, '--world', 'bench', 'load', '--clients', VIEWERS, '--seconds', 8]);
    await sleep(1500);
    const seen = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      await sleep(100);
      seen.push((await client.call('world.get')).timing);
    }
    await load;
    const numbers = Object.keys(seen[0]).filter((name) => seen.every((timing) => typeof timing[name] === 'number'));
    const stages = seen.at(-1).stages === undefined ? {} : Object.fromEntries(Object.keys(seen.at(-1).stages).map((name) => [name, median(seen.map(({ stages: all }) => all[name]))]));
    return { timing: Object.fromEntries(numbers.map((name) => [name, median(seen.map((timing) => timing[name]))])), stages };
  } finally {
    client.close();
    await stop(server);
  }
}

export async function run(bench) {
  const [library] = await bench.inTurn([() => bench.json(bench.program('tick'), [SIDE, TICKS])], ROUNDS);
  bench.say(`library: ${short(library.stepMs)} ms step, ${short(library.packMs)} ms packing, ${short(library.tickMs)} ms in all`);
  const { timing, stages } = await throughServer(bench);
  bench.say(`weftd with ${VIEWERS} viewers: ${short(timing.tickMs)} ms a tick, real time × ${short(timing.realTimeFactor)}`);
  const figures = {
    'tick.cloth256.ms': library.tickMs,
    'tick.cloth256.step_ms': library.stepMs,
    'tick.cloth256.pack_ms': library.packMs,
    'tick.cloth256.coding': library.coding,
    'tick.cloth256.bytes': library.bytes,
    'tick.cloth256.weftd_ms': timing.tickMs,
    'tick.cloth256.weftd_real_time_factor': timing.realTimeFactor,
    ...Object.fromEntries(Object.entries(stages).map(([name, value]) => [`tick.cloth256.stage.${name}`, value])),
  };
  const text = [
    `A cloth of ${SIDE} × ${SIDE} particles, 8 substeps, gusty wind, floor and a sphere in its way, at 60 Hz. The frame is packed once for all viewers, in coding ${library.coding} at 1/4096 m.`,
    table(['ms a tick, median', 'step', 'packing', 'all'], [['library, CPU', short(library.stepMs), short(library.packMs), short(library.tickMs)], [`weftd with ${VIEWERS} viewers, as world.get says`, short(timing.stepMs), short(timing.packMs), short(timing.tickMs)]]),
    ...(Object.keys(stages).length > 0 ? [table(['stage', 'ms'], Object.entries(stages).map(([name, value]) => [name, short(value)]))] : []),
  ].join('\n\n');
  return { title: 'A whole tick', figures, text };
}
