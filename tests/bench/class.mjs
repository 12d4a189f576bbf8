// SPDX-License-Identifier: MIT
// Measures a class: twenty copies of one world on one server, a client in lockstep in each, one of them pulling, and the teacher's
// page with the wall that shows all copies. Figures are the ticks of the copies, the server's CPU time, and the CPU time and
// pictures of the page. Server, clients, page and the software that draws for the page share the processors of this machine.

import { launchBrowser } from '../browser/launch.mjs';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { median, short, table } from './bench.mjs';
import { read, traced } from './page.mjs';
import { cpuSeconds, startWeftd, stop } from './servers.mjs';

const COPIES = 20;
const WARM_S = 10;
const MEASURE_S = 30;
const SAMPLE_S = 0.5;
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

export async function run(bench) {
  const server = await startWeftd(bench, ['--world', 'main=default']);
  const ends = [() => stop(server)];
  try {
    const seconds = bench.quick ? 5 : MEASURE_S;
    const teacher = await join(server, 'main', ends);
    await teacher.call('world.branch', { name: 'homework', copies: COPIES });
    const homework = await join(server, 'homework', ends);
    for (let student = 0; student < COPIES; student++) {
      const { world } = await homework.call('world.copy', { key: `student-of-the-benchmark-${student}` });
      const client = await join(server, world, ends);
      await client.call('frames.subscribe', { encoding: 'motion' });
      if (student === 0) pull(client, ends);
    }
    await sleep(bench.quick ? 2 : WARM_S);
    const alone = await watch(server, teacher, seconds);

    const browser = await launchBrowser();
    ends.push(() => browser.close());
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
    const session = await page.context().newCDPSession(page);
    await page.goto(`http://127.0.0.1:${server.port}/?world=homework&wall`);
    await page.locator('.tiles > li').nth(COPIES - 1).waitFor({ timeout: 60000 });
    await sleep(bench.quick ? 3 : WARM_S);
    const { result: walled, events } = await traced(session, () => watch(server, teacher, seconds));
    const { picturesHz, loopMs, loopP99Ms, gcMs, pictures } = read(events, { shown: 1, received: 1 });
    const figures = {
      'class.tick_ms': alone.tickMs, 'class.tick_max_ms': alone.tickMaxMs, 'class.real_time': alone.realTime, 'class.server_cores': alone.cores,
      'class.walled_tick_ms': walled.tickMs, 'class.walled_real_time': walled.realTime,
      'class.wall_loop_ms': loopMs, 'class.wall_loop_p99_ms': loopP99Ms, 'class.wall_pictures_hz': picturesHz, 'class.wall_gc_ms': gcMs,
    };
    bench.say(`${COPIES} copies: a tick takes ${short(alone.tickMs)} ms, ${short(alone.cores)} processors; the wall ${short(loopMs)} ms a picture`);
    return { title: 'A class', figures, text: report(figures, { seconds, pictures }) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function join(server, world, ends) {
  const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/${world}`, { WebSocket, reconnect: false });
  await client.connect();
  ends.push(() => client.close());
  return client;
}

// A hand that swings the largest object of its world.
async function pull(client, ends) {
  const { objects } = await client.call('object.list');
  const { object } = objects.reduce((most, one) => (one.particles > most.particles ? one : most));
  const { grab } = await client.call('grab.start', { object, particle: 0 });
  const { positions: [[x, y, z]] } = await client.call('particle.read', { object, particles: [0] });
  let step = 0;
  const timer = setInterval(() => {
    step++;
    client.notify('grab.move', { grab, position: [x + 0.5 * Math.sin(step / 20), y, z + 0.5 * Math.cos(step / 20)] });
  }, 1000 / 30);
  ends.push(() => clearInterval(timer));
}

// The ticks of the copies and the CPU time of the server during so many seconds.
async function watch(server, client, seconds) {
  const [tickMs, slowest, factors] = [[], [], []];
  const [before, from] = [cpuSeconds(server.pid), performance.now()];
  for (let at = 0; at < seconds; at += SAMPLE_S) {
    await sleep(SAMPLE_S);
    const { worlds } = await client.call('server.get');
    for (const one of worlds.filter(({ world }) => world.startsWith('homework-'))) {
      tickMs.push(one.tickMs);
      slowest.push(one.tickMaxMs);
      factors.push(one.realTimeFactor);
    }
  }
  const cores = (cpuSeconds(server.pid) - before) / ((performance.now() - from) / 1000);
  return { tickMs: median(tickMs), tickMaxMs: Math.max(...slowest), realTime: median(factors), cores };
}

function report(figures, { seconds, pictures }) {
  const row = (words, name) => [words, short(figures[`class.${name}`])];
  return [
    `${COPIES} copies of the default scene, a client in each, one of them pulling: ${seconds} s without and ${seconds} s with the teacher’s page, which shows all copies and drew ${pictures} pictures in software on the same processors.`,
    table(['', 'here'], [
      row('a tick of a copy, median, ms', 'tick_ms'), row('the slowest, ms', 'tick_max_ms'), row('world time over real time, median', 'real_time'),
      row('processors that the server uses', 'server_cores'),
      row('with the wall: a tick of a copy, median, ms', 'walled_tick_ms'), row('world time over real time, median', 'walled_real_time'),
      row('the page’s own loop, median, ms a picture', 'wall_loop_ms'), row('and p99, ms', 'wall_loop_p99_ms'), row('pictures a second', 'wall_pictures_hz'),
      row('longest pause for garbage, main thread, ms', 'wall_gc_ms'),
    ]),
  ].join('\n\n');
}
