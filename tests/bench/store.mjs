// SPDX-License-Identifier: MIT
// The cost of PostgreSQL as the store, beside SQLite: one world with five hands that drag all the time, and many worlds
// on one node, each of which gets a command a second. Both stores are on the same disk and wait for it with each commit
// (--durability full).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { freePort } from '../support/nodes.mjs';
import { startPostgres } from '../support/postgres.mjs';
import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { short, table } from './bench.mjs';
import { cpuSeconds, familySeconds, startWeftd, stop } from './servers.mjs';

const MOVES_HZ = [30, 37, 45, 52, 60]; // of each hand
const COMMAND_MS = 100; // between two acknowledged commands of a hand
const WORLDS = 200;
const WORLD_COMMAND_MS = 1000; // between two commands to one of them
const SECONDS = 15;
const ROUNDS = 3;
const LATENESS = 'weft_world_tick_lateness_seconds';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

// ---- the stores -----------------------------------------------------------------------------------------------------

/** A server with a new store: the options that name it, and the CPU time in s so far of the database's own processes. */
const STORES = {
  sqlite: async (ends) => {
    const folder = await mkdtemp(join(tmpdir(), 'weft-bench-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    return { args: ['--data', join(folder, 'data')], seconds: () => 0 };
  },
  postgres: async (ends) => {
    const { address, pid } = await startPostgres({ after: (end) => ends.push(end) }, { sync: true });
    const port = await freePort();
    return { args: ['--store', address, '--port', port, '--node-url', `http://127.0.0.1:${port}`], seconds: () => familySeconds(pid) };
  },
};

/** Runs `work` with a server of its own on a new store. */
async function withServer(bench, kind, args, work) {
  const ends = [];
  try {
    const store = await STORES[kind](ends);
    const server = await startWeftd(bench, ['--durability', 'full', '--log-level', 'error', ...store.args, ...args]);
    ends.push(() => stop(server));
    const connect = async (world) => {
      const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/${world}`, { WebSocket, reconnect: false });
      await client.connect();
      ends.push(() => client.close());
      return client;
    };
    return await work({ server, connect, ends, databaseSeconds: store.seconds });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const metricsOf = async ({ port }) => readMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());

/** The ticks of all worlds that began at most so late, by the histogram's bounds in s. */
export function latenessOf(metrics) {
  const counts = new Map();
  for (const { name, labels, value } of metrics.get(LATENESS).samples) {
    if (name.endsWith('_bucket')) counts.set(Number(labels.le.replace('+Inf', 'Infinity')), (counts.get(Number(labels.le.replace('+Inf', 'Infinity'))) ?? 0) + value);
  }
  return counts;
}

/** A quantile in ms of the ticks between two readings, evenly spread within a bucket. */
export function latenessBetween(before, after, share) {
  const rises = [...after].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)]);
  const wanted = share * rises.at(-1)[1];
  const at = rises.findIndex(([, count]) => count >= wanted);
  const [lower, fewer] = at === 0 ? [0, 0] : rises[at - 1];
  const [upper, more] = rises[at];
  if (upper === Infinity) return 1000 * lower;
  return 1000 * (lower + ((upper - lower) * (wanted - fewer)) / (more - fewer));
}

/** Measures CPU times, commits and lateness for so many seconds. `latencies` grows meanwhile. */
async function watch({ server, databaseSeconds }, latencies, seconds) {
  const before = await metricsOf(server);
  latencies.length = 0;
  const [own, database, began] = [cpuSeconds(server.pid), databaseSeconds(), performance.now()];
  await sleep(1000 * seconds);
  const elapsed = (performance.now() - began) / 1000;
  const cpu = { own: (cpuSeconds(server.pid) - own) / elapsed, database: (databaseSeconds() - database) / elapsed };
  const measured = [...latencies];
  const after = await metricsOf(server);
  const rise = (name) => (valueOf(after, name) - valueOf(before, name)) / elapsed;
  const [early, late] = [latenessOf(before), latenessOf(after)];
  return {
    p50: quantile(measured, 0.5), p99: quantile(measured, 0.99), acknowledged: measured.length / elapsed,
    cpu: 100 * cpu.own, database: 100 * cpu.database, commits: rise('weft_store_commits_total'), entries: rise('weft_store_entries_total'),
    late50: latenessBetween(early, late, 0.5), late99: latenessBetween(early, late, 0.99), late999: latenessBetween(early, late, 0.999),
    roundTrips: valueOf(after, 'weft_store_commit_round_trips'), failures: rise('weft_store_failures_total'),
  };
}

// ---- one world with five hands ------------------------------------------------------------------------------------------

/** Drags a particle in circles, and asks for an acknowledged change again and again. */
async function drag(client, at, object, latencies, ends) {
  const { grab } = await client.call('grab.start', { object: object.object, particle: Math.floor((object.particles * (at + 0.5)) / MOVES_HZ.length) });
  const [[x, y, z]] = (await client.call('particle.read', { object: object.object, particles: [0] })).positions;
  const state = { ended: false, step: 0 };
  const timer = setInterval(() => {
    state.step++;
    client.notify('grab.move', { grab, position: [x + 0.4 * Math.sin(state.step / 20 + at), y, z + 0.4 * Math.cos(state.step / 20 + at)] });
  }, 1000 / MOVES_HZ[at]);
  const ask = async () => {
    for (let count = 0; !state.ended; count++) {
      await sleep(COMMAND_MS * (0.5 + Math.random())); // at any time of a tick
      const began = performance.now();
      await client.call('world.set', { friction: 0.6 + 0.001 * (count % 2) });
      latencies.push(performance.now() - began);
    }
  };
  const asking = ask();
  asking.catch(() => {});
  ends.push(async () => {
    state.ended = true;
    clearInterval(timer);
    await asking;
  });
}

function measureHands(bench, kind) {
  return withServer(bench, kind, ['--world', 'bench=default'], async (running) => {
    const latencies = [];
    const first = await running.connect('bench');
    const { objects } = await first.call('object.list');
    const largest = objects.reduce((most, one) => (one.particles > most.particles ? one : most));
    for (const at of MOVES_HZ.keys()) await drag(await running.connect('bench'), at, largest, latencies, running.ends);
    await sleep(bench.quick ? 500 : 2000);
    return watch(running, latencies, bench.quick ? 4 : SECONDS);
  });
}

// ---- many worlds ----------------------------------------------------------------------------------------------------

/** Commands to a world at an even rhythm, whether or not the last one was answered. */
function command(client, latencies, ends) {
  let count = 0;
  const send = async () => {
    const began = performance.now();
    await client.call('world.set', { friction: 0.6 + 0.001 * (count++ % 2) });
    latencies.push(performance.now() - began);
  };
  const pending = new Set();
  const start = () => {
    const one = send();
    pending.add(one);
    one.then(() => pending.delete(one), () => {});
  };
  let timer = setTimeout(() => {
    start();
    timer = setInterval(start, WORLD_COMMAND_MS);
  }, WORLD_COMMAND_MS * Math.random());
  ends.push(async () => {
    clearTimeout(timer); // ends an interval, too
    await Promise.all(pending);
  });
}

function measureWorlds(bench, kind) {
  const count = bench.quick ? WORLDS / 10 : WORLDS;
  const names = Array.from({ length: count }, (_, at) => `bench-${at}`);
  const args = ['--max-worlds', count, ...names.flatMap((name) => ['--world', `${name}=stick-in-a-box`])];
  return withServer(bench, kind, args, async (running) => {
    const latencies = [];
    for (const name of names) command(await running.connect(name), latencies, running.ends);
    await sleep(bench.quick ? 1500 : 5000);
    return { count, ...(await watch(running, latencies, bench.quick ? 4 : SECONDS)) };
  });
}

// ---- the part -------------------------------------------------------------------------------------------------------

const KINDS = Object.keys(STORES);

async function compare(bench, name, measure) {
  const found = await bench.inTurn(KINDS.map((kind) => () => measure(bench, kind)), ROUNDS);
  KINDS.forEach((kind, at) => {
    const { p50, p99, cpu, database, commits, late999 } = found[at];
    bench.say(`${name}, ${kind}: acknowledged after ${short(p50)} ms, p99 ${short(p99)} ms; weftd ${short(cpu)} % of a core, the database ${short(database)} %; ${short(commits)} commits/s; ticks late by ${short(late999)} ms, p99.9`);
  });
  return Object.fromEntries(KINDS.map((kind, at) => [kind, found[at]]));
}

function figuresOf(name, found) {
  const figures = {};
  for (const kind of KINDS) {
    const { p50, p99, acknowledged, cpu, database, commits, entries, late50, late99, late999, roundTrips, failures } = found[kind];
    Object.assign(figures, {
      [`${name}.${kind}.p50_ms`]: p50, [`${name}.${kind}.p99_ms`]: p99, [`${name}.${kind}.acknowledged_hz`]: acknowledged, [`${name}.${kind}.cpu`]: cpu / 100,
      [`${name}.${kind}.database_cpu`]: database / 100, [`${name}.${kind}.commits_hz`]: commits, [`${name}.${kind}.entries_hz`]: entries,
      [`${name}.${kind}.late_p50_ms`]: late50, [`${name}.${kind}.late_p99_ms`]: late99, [`${name}.${kind}.late_p999_ms`]: late999,
      [`${name}.${kind}.round_trips`]: roundTrips, [`${name}.${kind}.failures_hz`]: failures,
    });
  }
  const { sqlite, postgres } = found;
  Object.assign(figures, {
    [`${name}.p50_ratio`]: postgres.p50 / sqlite.p50, [`${name}.p99_ratio`]: postgres.p99 / sqlite.p99, [`${name}.cpu_ratio`]: postgres.cpu / sqlite.cpu,
    [`${name}.late_ratio`]: postgres.late999 / sqlite.late999,
  });
  return figures;
}

const rowsOf = (words, found) => KINDS.map((kind) => {
  const { p50, p99, cpu, database, commits, entries, late50, late99, late999 } = found[kind];
  const name = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return [words, name, ...[p50, p99, cpu].map(short), kind === 'sqlite' ? 'in weftd' : short(database), ...[commits, entries, late50, late99, late999].map(short)];
});

export async function run(bench) {
  const hands = await compare(bench, `one world with ${MOVES_HZ.length} hands`, measureHands);
  const worlds = await compare(bench, 'many worlds', measureWorlds);
  const { count } = worlds.sqlite;
  const version = await bench.text('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1 | cut -d/ -f5']).then((text) => text.trim());
  const disk = await bench.text('df', ['--output=fstype', tmpdir()]).then((text) => text.trim().split('\n').at(-1));
  const figures = { ...figuresOf('store.hands', hands), ...figuresOf('store.worlds', worlds), 'store.worlds.count': count };
  const text = [
    `SQLite in a folder, and PostgreSQL ${version} on this machine without a standby, for which weftd is a node. Both keep their files in \`${tmpdir()}\` (${disk}) and are as durable: \`--durability full\`, so a command is acknowledged after its commit has been synced to the disk (SQLite: \`synchronous=FULL\`; PostgreSQL: \`fsync=on\`, \`synchronous_commit=on\`).`,
    `One world, the default scene: ${MOVES_HZ.length} clients each move a hand ${MOVES_HZ[0]} to ${MOVES_HZ.at(-1)} times a second, which nobody acknowledges, and ask for an acknowledged change about ${1000 / COMMAND_MS} times a second. Then ${count} worlds of the scene *stick-in-a-box* on one server, each with a client and a command a second. Latency is that of an acknowledged command from the call to the reply, in which it waits for its tick, 8 ms in the mean. CPU is in % of a core. Lateness is that of the beginning of ticks by \`/metrics\`, evenly spread within its buckets. The clients are on the same machine.`,
    table(['', 'store', 'p50 ms', 'p99 ms', 'weftd CPU %', 'database CPU %', 'commits/s', 'commands/s', 'late p50 ms', 'p99', 'p99.9'], [...rowsOf(`one world, ${MOVES_HZ.length} hands`, hands), ...rowsOf(`${count} worlds`, worlds)]),
    `A commit waits ${short(hands.postgres.roundTrips)} times for PostgreSQL, and ${short(worlds.postgres.roundTrips)} times with ${count} worlds.`,
  ].join('\n\n');
  return { title: 'PostgreSQL as the store', figures, text };
}
