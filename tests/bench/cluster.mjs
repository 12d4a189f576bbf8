// SPDX-License-Identifier: MIT
// Three nodes, twenty worlds of the default scene, a client in each: a node with all worlds is killed, again and again, and gets them
// back by draining the others; the synchronous standby takes the place of the primary; the database is gone for a minute. Clients send
// numbered commands all the time, and those that were acknowledged are compared with the worlds. ROUNDS says how often a node is killed,
// and TICK_HZ the rate of the worlds, for a machine that cannot run all of them in real time; NO_BROWSER leaves the page out.

import { postgresProxy } from '../support/postgres_proxy.mjs';
import { startPostgres } from '../support/postgres.mjs';
import { until } from '../support/wait.mjs';
import { median, short, table } from './bench.mjs';
import { hasBrowser, openPage } from './cluster_page.mjs';
import { checkAll, Nodes, Watcher } from './nodes.mjs';

const NODES = 3;
const WORLDS = 20;
const ROUNDS = 5;
const TICK_HZ = Number(process.env.TICK_HZ || 60);
const GRACE_MS = 6000; // a node that has just joined takes no world of another
const QUIET_MS = 2000; // before and after each measurement
const OUTAGE_MS = 60000;
const PATIENCE_MS = 60000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const most = (values) => Math.max(...values);

/** Runs `work` with nodes that share a new database, and a client in each world. */
async function withCluster(bench, { standby = false, proxied = false }, work) {
  const ends = [];
  const t = { after: (end) => ends.push(end) };
  try {
    const database = await startPostgres(t, { sync: true, standby });
    const way = proxied ? await postgresProxy(t, database.address) : undefined;
    const worlds = Array.from({ length: WORLDS }, (_, at) => `bench-${at}`);
    const cluster = new Nodes(bench, way?.address ?? database.address, worlds, 'default', TICK_HZ);
    ends.push(() => cluster.stop());
    await cluster.start(NODES);
    const watchers = worlds.map((world, at) => new Watcher(cluster.nodes[at % NODES].url, world));
    ends.push(() => Promise.all(watchers.map((watcher) => watcher.stop())));
    await Promise.all(watchers.map((watcher) => watcher.start()));
    await sleep(GRACE_MS);
    return await work({ cluster, watchers, database, way });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Reports the errors, each once. */
function sayErrors(bench, where, errors) {
  const counts = new Map();
  for (const error of errors) counts.set(error, (counts.get(error) ?? 0) + 1);
  for (const [error, count] of [...counts].slice(0, 8)) bench.say(`${where}: ${count} × ${error}`);
}

// ---- a node is killed, and drained ---------------------------------------------------------------------------------------

async function kill({ cluster, watchers }, page) {
  const [victim, ...others] = cluster.nodes;
  for (const watcher of watchers) watcher.mark();
  const killed = performance.now();
  victim.server.child.kill('SIGKILL');
  const ticking = await cluster.untilTicking(others);
  await until(() => watchers.every(({ framesAt }) => framesAt !== undefined), 'frames at all clients', PATIENCE_MS);
  await victim.server.ended;
  const pagePauseMs = await page?.pauseUntil();
  await sleep(QUIET_MS);
  const checked = await checkAll(watchers);
  return { ticks: ticking.map((at) => at - killed), frames: watchers.map(({ framesAt }) => framesAt - killed), again: most(watchers.map(({ again }) => again)), pagePauseMs, ...checked };
}

/** Moves all worlds to the first node. */
async function gather({ cluster, watchers }) {
  const [first, ...others] = cluster.nodes;
  await cluster.restart(first);
  const { client } = watchers[0];
  const drain = async (url, draining) => {
    await until(() => client.state === 'open', 'a connection', PATIENCE_MS);
    await client.call('node.drain', { url, draining });
  };
  await sleep(QUIET_MS);
  for (const watcher of watchers) watcher.mark();
  const began = performance.now();
  for (const { url } of others) await drain(url, true);
  await cluster.untilTicking([first]);
  const lasted = performance.now() - began;
  await sleep(QUIET_MS);
  const found = { pauses: watchers.map(({ pauseMs }) => pauseMs), lost: watchers.reduce((sum, { again }) => sum + again, 0), lasted, ...(await checkAll(watchers)) };
  for (const { url } of others) await drain(url, false);
  return found;
}

async function measureTakeover(bench) {
  const rounds = bench.quick ? 1 : Number(process.env.ROUNDS || ROUNDS);
  return withCluster(bench, {}, async (running) => {
    const [kills, drains, realTime] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      realTime.push(median(await running.cluster.realTime()));
      const page = round === rounds - 1 && hasBrowser() && !process.env.NO_BROWSER ? await openPage(running.cluster.nodes[1].url, 'bench-0') : undefined;
      try {
        kills.push(await kill(running, page));
      } finally {
        await page?.close();
      }
      drains.push(await gather(running));
      sayErrors(bench, 'killed', kills.at(-1).errors);
      sayErrors(bench, 'drained', drains.at(-1).errors);
      bench.say(`kill ${round + 1} of ${rounds}: ticks after ${short(most(kills.at(-1).ticks))} ms, frames after ${short(most(kills.at(-1).frames))} ms at worst; drain: pause ${short(most(drains.at(-1).pauses))} ms at worst`);
    }
    return { kills, drains, realTime: median(realTime) };
  });
}

const all = (found, name) => found.flatMap((one) => one[name]);
const sum = (found, name) => found.reduce((total, one) => total + one[name], 0);

function takeoverFigures({ kills, drains, realTime }) {
  const [page] = all(kills, 'pagePauseMs').filter((ms) => ms !== undefined);
  return {
    'cluster.tick_hz': TICK_HZ, 'cluster.real_time': realTime,
    'cluster.takeover.kills': kills.length, 'cluster.takeover.takeovers': all(kills, 'ticks').length,
    'cluster.takeover.ticks_ms': median(all(kills, 'ticks')), 'cluster.takeover.ticks_worst_ms': most(all(kills, 'ticks')),
    'cluster.takeover.frames_ms': median(all(kills, 'frames')), 'cluster.takeover.frames_worst_ms': most(all(kills, 'frames')),
    'cluster.takeover.ticks_again': most(all(kills, 'again')), 'cluster.takeover.acknowledged': sum(kills, 'acknowledged'), 'cluster.takeover.lost': sum(kills, 'wrong'),
    'cluster.takeover.refused': sum(kills, 'refused'), 'cluster.takeover.errors': all(kills, 'errors').length,
    'cluster.drain.pause_ms': median(all(drains, 'pauses')), 'cluster.drain.pause_worst_ms': most(all(drains, 'pauses')), 'cluster.drain.whole_ms': median(all(drains, 'lasted')),
    'cluster.drain.ticks_lost': sum(drains, 'lost'), 'cluster.drain.acknowledged': sum(drains, 'acknowledged'), 'cluster.drain.lost': sum(drains, 'wrong'),
    'cluster.drain.errors': all(drains, 'errors').length + sum(drains, 'refused'),
    ...(page !== undefined && { 'cluster.page.pause_ms': page }),
  };
}

// ---- the database -----------------------------------------------------------------------------------------------------

/** Per watcher, the ms from a time to the first acknowledgement of a command sent after it. */
async function acknowledgedAfter(watchers, time) {
  await until(() => watchers.every(({ numbered }) => numbered.firstAfter(time) !== undefined), 'acknowledged commands', PATIENCE_MS);
  return watchers.map(({ numbered }) => numbered.firstAfter(time) - time);
}

function measurePromotion(bench) {
  return withCluster(bench, { standby: true }, async ({ watchers, database }) => {
    for (const watcher of watchers) watcher.mark();
    const standby = database.address.replace(/host=([^,]*),.*/, 'host=$1&port=5433');
    const began = performance.now();
    process.kill(database.pid, 'SIGQUIT'); // it ends at once, as in a crash
    await bench.text('psql', [standby, '--no-psqlrc', '--quiet', '-c', 'SELECT pg_promote(true, 60)']);
    const promoted = performance.now() - began;
    const acknowledged = await acknowledgedAfter(watchers, began);
    const pauses = watchers.map(({ pauseMs }) => pauseMs);
    const checked = await checkAll(watchers);
    sayErrors(bench, 'promoted', checked.errors);
    return { promotedMs: promoted, backMs: median(acknowledged), backWorstMs: most(acknowledged), pauseMs: most(pauses), acknowledged: checked.acknowledged, refused: checked.refused, wrong: checked.wrong, errors: checked.errors.length };
  });
}

function measureOutage(bench) {
  return withCluster(bench, { proxied: true }, async ({ watchers, way }) => {
    const lasts = bench.quick ? 5000 : OUTAGE_MS;
    for (const watcher of watchers) watcher.mark();
    const began = performance.now();
    way.cut();
    await sleep(lasts);
    const mended = performance.now();
    way.mend();
    const acknowledged = await acknowledgedAfter(watchers, mended);
    const refusals = watchers.flatMap(({ numbered }) => numbered.answers.find(({ message, askedAt }) => message !== undefined && askedAt > began)?.answeredAt - began);
    await sleep(QUIET_MS);
    const found = { seconds: lasts / 1000, pauseMs: most(watchers.map(({ pauseMs }) => pauseMs)), again: most(watchers.map(({ again }) => again)), refusedMs: most(refusals), backMs: most(acknowledged) };
    const checked = await checkAll(watchers);
    sayErrors(bench, 'outage', checked.errors);
    return { ...found, ...checked };
  });
}

// ---- the part -------------------------------------------------------------------------------------------------------

export async function run(bench) {
  const takeover = takeoverFigures(await measureTakeover(bench));
  const [promotion] = await bench.inTurn([() => measurePromotion(bench)], 3);
  bench.say(`promotion: the standby takes writes after ${short(promotion.promotedMs)} ms, changes are acknowledged after ${short(promotion.backMs)} ms, ${short(promotion.backWorstMs)} ms at worst`);
  const outage = await measureOutage(bench);
  bench.say(`the database is gone for ${outage.seconds} s: no tick for ${short(outage.pauseMs)} ms, ${outage.refused} changes refused, one acknowledged ${short(outage.backMs)} ms after it is back`);
  const figures = {
    ...takeover,
    'cluster.promotion.promoted_ms': promotion.promotedMs, 'cluster.promotion.back_ms': promotion.backMs, 'cluster.promotion.back_worst_ms': promotion.backWorstMs,
    'cluster.promotion.pause_ms': promotion.pauseMs, 'cluster.promotion.lost': promotion.wrong, 'cluster.promotion.errors': promotion.errors,
    'cluster.outage.seconds': outage.seconds, 'cluster.outage.pause_ms': outage.pauseMs, 'cluster.outage.ticks_again': outage.again, 'cluster.outage.refused': outage.refused,
    'cluster.outage.refused_ms': outage.refusedMs, 'cluster.outage.back_ms': outage.backMs, 'cluster.outage.acknowledged': outage.acknowledged,
    'cluster.outage.lost': outage.wrong, 'cluster.outage.errors': outage.errors.length,
  };
  return { title: 'Nodes that fail', figures, text: report(figures) };
}

function report(figures) {
  const row = (words, ...names) => [words, names.map((name) => short(figures[`cluster.${name}`])).join(', ')];
  const page = figures['cluster.page.pause_ms'] === undefined ? 'No page was watched: there is no Chromium here, or NO_BROWSER is set.' : `A page in one of the worlds showed no new picture for ${short(figures['cluster.page.pause_ms'])} ms, and went on by itself.`;
  return [
    `${NODES} nodes on one PostgreSQL that syncs to the disk, ${WORLDS} worlds of the default scene, a client with a session in each, which gets all frames and sends four numbered commands a second. All of it shares the processors of this machine, on which the worlds run at ${short(figures['cluster.real_time'])} of real time (${TICK_HZ} ticks a second) before a kill: where that is far below 1, the processors are measured, and not the cluster. ${figures['cluster.takeover.kills']} times the node that has all worlds is killed with SIGKILL, so ${figures['cluster.takeover.takeovers']} worlds are taken over; then it is started again, and the others are drained to it. A node's lease holds for 3 s, so no world can be taken sooner than 2 to 3 s after its node's end.`,
    table(['', 'here'], [
      row('a killed node’s world ticks elsewhere after, median and worst, ms', 'takeover.ticks_ms', 'takeover.ticks_worst_ms'),
      row('its client has frames again after, median and worst, ms', 'takeover.frames_ms', 'takeover.frames_worst_ms'),
      row('ticks that clients saw a second time, at most', 'takeover.ticks_again'),
      row('acknowledged commands; of them lost, twice or out of order', 'takeover.acknowledged', 'takeover.lost'),
      row('commands refused meanwhile; other errors', 'takeover.refused', 'takeover.errors'),
      row(`drain: longest time between two ticks at a client, median of the worlds and worst, ms`, 'drain.pause_ms', 'drain.pause_worst_ms'),
      row(`drain of all ${WORLDS} worlds, ms`, 'drain.whole_ms'),
      row('ticks lost; errors at clients', 'drain.ticks_lost', 'drain.errors'),
      row('acknowledged commands; of them lost, twice or out of order', 'drain.acknowledged', 'drain.lost'),
    ]),
    page,
    `Promotion of a synchronous standby, asked for at the moment when the primary ends: it takes writes after ${short(figures['cluster.promotion.promoted_ms'])} ms, and changes are acknowledged again after ${short(figures['cluster.promotion.back_ms'])} ms, ${short(figures['cluster.promotion.back_worst_ms'])} ms in the last of ${WORLDS} worlds; no tick was seen for at most ${short(figures['cluster.promotion.pause_ms'])} ms, and ${short(figures['cluster.promotion.lost'])} acknowledged commands were lost.`,
    `The database cannot be reached for ${short(figures['cluster.outage.seconds'])} s: the longest time without a tick at a client is ${short(figures['cluster.outage.pause_ms'])} ms, the first refusal comes after ${short(figures['cluster.outage.refused_ms'])} ms, ${short(figures['cluster.outage.refused'])} changes are refused with “nothing was changed, because it could not be stored”, ${short(figures['cluster.outage.errors'])} with anything else; a change is acknowledged in every world ${short(figures['cluster.outage.back_ms'])} ms after the database is back, and of ${short(figures['cluster.outage.acknowledged'])} acknowledged ones ${short(figures['cluster.outage.lost'])} are lost.`,
  ].join('\n\n');
}
