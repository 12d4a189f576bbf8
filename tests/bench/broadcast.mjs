// SPDX-License-Identifier: MIT
// A broadcast behind nginx, as docker/nginx.conf configures it: the requests that reach the server with 100, 1,000 and 5,000
// viewers, each of which asks for the manifest once a second and for every new fragment.

import http from 'node:http';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { countingProxy, startNginx } from '../support/cache.mjs';
import { short, table } from './bench.mjs';
import { cpuSeconds, startWeftd, stop } from './servers.mjs';

const VIEWERS = [100, 1000, 5000];
const SECONDS = 15;
const POLL_MS = 1000;
const CLOTH = { columns: 64, rows: 64, spacing: 0.03, position: [0, 3, 0], pin: 'topCorners' };

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Gets a file; resolves to its bytes. */
function get(agent, port, path) {
  return new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece)).on('error', reject).on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(pieces));
        else reject(new Error(`${path}: ${answer.statusCode}`));
      });
    }).on('error', reject);
  });
}

/** One viewer, until `end`: a poll that comes late is not made up for. */
async function watch(agent, port, folder, end, totals) {
  const seen = new Set();
  await sleep(POLL_MS * Math.random());
  for (let due = performance.now(); due < end; due = Math.max(due + POLL_MS, performance.now())) {
    await sleep(Math.max(0, due - performance.now()));
    const manifest = await get(agent, port, `${folder}manifest.json`);
    const { parts } = JSON.parse(manifest);
    const wanted = parts.at(-1).fragments.map(({ file }) => file);
    if (seen.size === 0) for (const file of wanted.slice(0, -1)) seen.add(file); // it begins at the newest
    totals.requests++;
    totals.bytes += manifest.length;
    for (const file of wanted) {
      if (seen.has(file)) continue;
      seen.add(file);
      totals.requests++;
      totals.bytes += (await get(agent, port, folder + file)).length;
    }
  }
}

async function measure(bench, viewers) {
  const ends = [];
  const server = await startWeftd(bench, ['--world', 'bench=empty']);
  const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/bench`, { WebSocket });
  const agent = new http.Agent({ keepAlive: true, maxSockets: Math.min(viewers, 400) });
  try {
    await client.connect();
    await client.call('cloth.spawn', CLOTH);
    const { path } = await client.call('broadcast.start');
    const proxy = await countingProxy({ after: (end) => ends.push(end) }, server.port);
    const { port } = await startNginx({ after: (end) => ends.push(end) }, proxy.port);
    await sleep(3500); // a manifest with fragments
    const seconds = bench.quick ? 4 : SECONDS;
    const totals = { requests: 0, bytes: 0 };
    const began = performance.now();
    const cpu = cpuSeconds(server.pid);
    await Promise.all(Array.from({ length: viewers }, () => watch(agent, port, path, began + 1000 * seconds, totals)));
    const lasted = (performance.now() - began) / 1000;
    const origin = [...proxy.counts.values()].reduce((sum, count) => sum + count, 0);
    return { origin: origin / lasted, asked: totals.requests / lasted, bytes: totals.bytes / viewers / lasted, cpu: (cpuSeconds(server.pid) - cpu) / lasted };
  } finally {
    agent.destroy();
    client.close();
    for (const end of ends.reverse()) await end();
    await stop(server);
  }
}

export async function run(bench) {
  const figures = {};
  const rows = [];
  for (const viewers of VIEWERS) {
    bench.say(`${viewers} viewers`);
    const { origin, asked, bytes, cpu } = await measure(bench, viewers);
    Object.assign(figures, { [`broadcast.v${viewers}.origin_per_s`]: origin, [`broadcast.v${viewers}.asked_per_s`]: asked, [`broadcast.v${viewers}.cpu_percent`]: 100 * cpu });
    rows.push([viewers, short(asked), short(origin), short(bytes), short(100 * cpu)]);
  }
  const [few] = VIEWERS;
  figures['broadcast.origin_ratio'] = Math.max(...VIEWERS.map((viewers) => figures[`broadcast.v${viewers}.origin_per_s`])) / figures[`broadcast.v${few}.origin_per_s`];
  const text = [
    'A cloth of 4,096 particles that moves, behind one nginx on the same machine, whose processors the viewers share.',
    table(['viewers', 'requests/s of the viewers', 'of them at the server', 'bytes/s a viewer', 'CPU of the server, %'], rows),
  ].join('\n\n');
  return { title: 'Broadcast', figures, text };
}
