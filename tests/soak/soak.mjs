// SPDX-License-Identifier: MIT
// The soak test: a real server, and for a long time clients that connect and disconnect, spawn and remove, pull, tear, pause,
// step and send nonsense, all at random, through the client library. At the end the test checks that no reply is missing,
// that memory has not grown, that no tick was skipped, and that a replay of the stored history has the same hash.
//
//   node tests/soak/soak.mjs [SECONDS]     WEFT_SEED=… makes the same choices again
//
// The clients keep the world small, so that growing memory is a leak.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../support/random.mjs';
import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { sleep } from '../support/wait.mjs';
import { RawSocket, Weftd } from '../support/weftd.mjs';
import { act, leave } from './actions.mjs';
import { verify } from './verify.mjs';

const SECONDS = Number(process.argv[2] ?? 1800);
const CLIENTS = 12;
const WORLDS = ['main', 'other'];
const LOOK_MS = Math.min(5000, (1000 * SECONDS) / 60);
const SETTLED = 1 / 6; // share of the time after which memory must not grow any more: 5 minutes of 30
const GROWTH_MOST = 5; // % of some 20 MB, which include the present contents of the worlds
const STAY_MS = [500, 15000];

const random = seeded();
const endings = [];
const context = { after: (end) => endings.push(end) };
const tally = { answered: 0, refused: 0, missing: 0, actions: {}, connections: 0 };

const folder = await mkdtemp(join(tmpdir(), 'weft-soak-'));
const args = [...WORLDS.flatMap((world) => ['--world', `${world}=empty`]), '--data', folder, '--history', '200MB'];
const server = await Weftd.start(context, args);
const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;

/** Runs one client after the other, each for a while, until the time is over. */
async function guest() {
  while (elapsed() < SECONDS) {
    const client = await server.connect(WORLDS[random.integer(WORLDS.length)]);
    const state = { client, objects: [], grabs: [] };
    const stays = STAY_MS[0] + random.real() * (STAY_MS[1] - STAY_MS[0]);
    const leaves = performance.now() + stays;
    tally.connections++;
    while (performance.now() < leaves && elapsed() < SECONDS) {
      const { name, reply } = act(random, state);
      tally.actions[name] = (tally.actions[name] ?? 0) + 1;
      const outcome = await Promise.race([
        reply.then(() => 'answered', (error) => (error.code < -31999 ? 'refused' : 'missing')),
        sleep(30000, 'missing'),
      ]);
      tally[outcome]++;
      if (outcome === 'missing') console.log(`no reply to ${name}`);
      await sleep(random.integer(60));
    }
    await leave(random, state);
  }
}

/** Sends an invalid message, and disconnects without closing. */
async function vandal() {
  while (elapsed() < SECONDS) {
    const raw = await RawSocket.open({ after: () => {} }, server.url(WORLDS[0]));
    raw.send(['{', '[]', '{"jsonrpc":"2.0","id":1,"method":"nope"}', `"${'x'.repeat(random.integer(100000))}"`][random.integer(4)]);
    await sleep(random.integer(2000));
    raw.socket.terminate();
  }
}

/** Receives the frames of the first world, and counts the ticks whose frame was not sent. */
async function viewer() {
  const client = await server.connect(WORLDS[0]);
  const seen = { frames: 0, left: 0, last: null };
  client.on('frame', (frame) => {
    const follows = seen.last !== null && frame.tick > seen.last;
    if (follows) seen.left += frame.tick - seen.last - 1;
    seen.frames += follows ? 1 : 0;
    seen.last = frame.tick;
    client.recycle(frame);
  });
  await client.subscribeFrames({ encoding: 'grid' });
  return seen;
}

async function watchMemory() {
  const looks = [];
  while (elapsed() < SECONDS) {
    await sleep(LOOK_MS);
    looks.push({ at: elapsed(), bytes: await server.residentBytes() });
  }
  return looks;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The growth from the second to the last sixth, in percent. */
function growth(looks) {
  const within = (from, to) => looks.filter(({ at }) => at >= from * SECONDS && at < to * SECONDS).map(({ bytes }) => bytes);
  const early = median(within(SETTLED, 2 * SETTLED)), late = median(within(1 - SETTLED, 2));
  const sixths = Array.from({ length: 6 }, (_, i) => median(within(i / 6, i < 5 ? (i + 1) / 6 : 2)));
  return { percent: (100 * (late - early)) / early, early, late, sixths };
}

console.log(`soak: seed ${random.seed}, ${SECONDS} s`);
let status;
try {
  const seen = await viewer();
  const [looks] = await Promise.all([watchMemory(), vandal(), ...Array.from({ length: CLIENTS }, guest)]);
  const metrics = readMetrics(await (await fetch(server.http('/metrics'))).text());
  const lost = WORLDS.reduce((sum, world) => sum + valueOf(metrics, 'weft_world_lost_seconds_total', { world }), 0);
  const counted = (name) => WORLDS.map((world) => valueOf(metrics, name, { world }));
  const ran = counted('weft_world_ticks_total'), reached = counted('weft_world_tick');
  const left = reached.reduce((sum, tick, i) => sum + Math.abs(tick - ran[i]), 0);
  const memory = growth(looks);
  await server.everybodyLeaves();
  const replay = await verify(server, WORLDS, folder);
  console.log(`soak: ${elapsed().toFixed(0)} s, ${tally.answered} commands answered, ${tally.refused} refused, ${tally.connections} connections`);
  console.log(`soak: ${Object.entries(tally.actions).map(([name, count]) => `${name} ${count}`).join(', ')}`);
  console.log(`soak: ${tally.missing} replies missing`);
  console.log(`soak: resident memory grew by ${memory.percent.toFixed(2)} % from ${(memory.early / 2 ** 20).toFixed(1)} to ${(memory.late / 2 ** 20).toFixed(1)} MiB`);
  console.log(`soak: by sixths of the time ${memory.sixths.map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(' ')} MiB`);
  console.log(`soak: ${left} ticks left out of ${reached.reduce((a, b) => a + b)}`);
  console.log(`soak: worlds fell behind by ${lost.toFixed(2)} s; a viewer was sent ${seen.frames} frames and missed ${seen.left}`);
  console.log(`soak: ${replay.differing} hashes of ${replay.compared} differ from a replay`);
  const well = tally.missing === 0 && memory.percent <= GROWTH_MOST && left === 0 && replay.differing === 0 && tally.answered > 0;
  console.log(well ? '1 passed, 0 failed' : '0 passed, 1 failed');
  status = well ? 0 : 1;
} catch (error) {
  console.log(error, server.stderr.slice(-2000));
  console.log('0 passed, 1 failed');
  status = 1;
} finally {
  for (const end of endings) await end();
  await rm(folder, { recursive: true, force: true });
}
process.exit(status);
