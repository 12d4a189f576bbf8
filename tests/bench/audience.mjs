// SPDX-License-Identifier: MIT
// A large audience on one weftd: viewers in lockstep beside viewers of frames of the same world. The viewers are `weftctl load` on
// the same machine, which computes nothing.

import { short, table } from './bench.mjs';
import { cpuSeconds, residentBytes, startWeftd, stop, threadSeconds } from './servers.mjs';

const VIEWERS = [1000, 2500, 5000];
const SECONDS = 6;
const ENCODINGS = ['ticks', 'motion'];
const CONNECT_MS = 90000;

const percentOf = (value) => (value === undefined ? '–' : `${short(value)} %`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const totalOf = (text) => Object.fromEntries([.../^total (.*)$/m.exec(text)[1].matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, Number(value)]));

/** Waits until all viewers are subscribed. */
async function untilSubscribed(server, viewers) {
  const count = async () => Number(/^weft_world_viewers\{world="bench"\} (\d+)$/m.exec(await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text())?.[1]);
  for (const end = Date.now() + CONNECT_MS; (await count()) < viewers;) {
    if (Date.now() > end) throw new Error(`${viewers} viewers were not subscribed within ${CONNECT_MS / 1000} s`);
    await sleep(200);
  }
}

/** The world that a page opens with, and so many viewers of it. */
async function measure(bench, viewers, encoding) {
  const server = await startWeftd(bench, ['--world', 'bench=default', '--max-clients', viewers + 10, '--log-level', 'error']);
  try {
    const before = residentBytes(server.pid);
    const seconds = bench.quick ? 2 : SECONDS;
    const running = bench.text(bench.weftctl, ['--port', server.port, '--world', 'bench', '--timeout', CONNECT_MS / 1000, 'load', '--clients', viewers, '--seconds', seconds, '--encoding', encoding]);
    running.catch(() => {});
    await untilSubscribed(server, viewers);
    await sleep(700); // snapshots or keyframes have gone out
    const [cpu, thread, at] = [cpuSeconds(server.pid), threadSeconds(server.pid), performance.now()];
    await sleep(1000 * (seconds - 1));
    const elapsed = (performance.now() - at) / 1000;
    const used = (cpuSeconds(server.pid) - cpu) / elapsed;
    const net = (threadSeconds(server.pid) - thread) / elapsed;
    const memory = residentBytes(server.pid) - before;
    const total = totalOf(await running);
    return {
      cpu: 100 * used, net: 100 * net, fps: total.framesPerSecond, bytes: total.framesPerSecond * total.bytesPerFrame,
      p50: total.p50Ms, p99: total.p99Ms, missed: total.missedFrames, kilobytes: memory / viewers / 1024,
    };
  } finally {
    await stop(server);
  }
}

/** Frames for so many may be more than the machine can send, or the generator can take. */
async function measureAnyway(bench, viewers, encoding) {
  try {
    return await measure(bench, viewers, encoding);
  } catch (error) {
    bench.say(`${viewers} viewers, ${encoding}: could not be measured: ${error.message}`);
    return {};
  }
}

/** @param {import('./bench.mjs').Bench} bench */
export async function measureAudience(bench) {
  const figures = {}, rows = [];
  for (const viewers of bench.quick ? [100] : VIEWERS) {
    for (const encoding of ENCODINGS) {
      bench.say(`${viewers} viewers, ${encoding}`);
      const found = await measureAnyway(bench, viewers, encoding);
      for (const name of ['cpu', 'p99', 'kilobytes']) if (found[name] !== undefined) figures[`lockstep.audience${viewers}.${encoding}_${name}`] = found[name];
      rows.push([viewers, encoding === 'ticks' ? 'lockstep' : 'frames', percentOf(found.cpu), percentOf(found.net), short(found.fps), short(found.bytes), short(found.p50), short(found.p99), short(found.kilobytes)]);
    }
  }
  const text = [
    'Viewers of the default scene on one weftd: CPU in % of a core, all threads and that of the network; ticks or frames a second and bytes a second that a viewer is sent; lateness of the last byte in ms; memory that the server grew by, in KiB a viewer.',
    table(['viewers', 'by', 'CPU', 'network', 'a second', 'bytes/s', 'p50', 'p99', 'KiB a viewer'], rows),
  ].join('\n\n');
  return { figures, text };
}
