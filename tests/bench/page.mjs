// SPDX-License-Identifier: MIT
// Measures the cost of the page: CPU time per frame of its main thread and of its worker while 65,536 particles move, pauses
// of the garbage collector, allocations, bytes until the first picture, and the time of the first picture. Measured with the
// trace of headless Chromium, per thread and in CPU time: the work of a graphics processor happens in another process and is
// not included. Here that process renders in software and shares the cores, so there are fewer pictures than on a screen; the
// cost per picture is the same.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../browser/launch.mjs';
import { delayingProxy } from '../support/delaying_proxy.mjs';
import { serveSite } from '../support/site.mjs';
import { median, short, table } from './bench.mjs';
import { startWeftd, stop } from './servers.mjs';
import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';

const SIDE = 256; // number of particles along each side of the cloth
const MEASURE_S = 60;
const WARM_S = 8;
const ROUND_TRIP_MS = 200; // of a far server
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', '__metadata'];
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

export async function run(bench) {
  const server = await startWeftd(bench, ['--world', 'wind=empty', '--world', 'main=default', '--max-particles', 200000]);
  const ends = [() => stop(server)];
  try {
    const browser = await launchBrowser();
    ends.push(() => browser.close());
    const site = await serveSite({ after: (end) => ends.push(end) }, bench.out);
    const far = await delayingProxy({ after: (end) => ends.push(end) }, server.port, ROUND_TRIP_MS);
    const first = await measureOpening(bench, browser, {
      far: `http://127.0.0.1:${far}/`,
      served: `http://127.0.0.1:${server.port}/`, site: `${site.origin}/site/`, file: pathToFileURL(join(bench.out, 'weft.html')).href,
    });
    await hangCloth(server);
    const moving = await measureMoving(bench, browser, `http://127.0.0.1:${server.port}/?world=wind`);
    const figures = {
      'page.main_ms': moving.mainMs, 'page.loop_ms': moving.loopMs, 'page.loop_p99_ms': moving.loopP99Ms, 'page.worker_ms': moving.workerMs, 'page.gc_ms': moving.gcMs,
      'page.allocated_bytes': moving.allocatedBytes, 'page.pictures_hz': moving.picturesHz, 'page.frames_hz': moving.framesHz, 'page.step_mm': moving.stepMm,
      'page.first_picture_ms': first.served.pictureMs, 'page.transfer_bytes': first.served.bytes,
      'page.requests': first.served.requests, 'page.far_picture_ms': first.far.pictureMs,
      'page.site_picture_ratio': first.site.pictureMs / first.served.pictureMs, 'page.file_picture_ratio': first.file.pictureMs / first.served.pictureMs,
    };
    return { title: 'The page', figures, text: report(figures, moving) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

// ---- opening ------------------------------------------------------------------------------------------------------------

// The page with the default scene, as weftd serves it, on a static host, and as one file; they are opened in turn.
async function measureOpening(bench, browser, urls) {
  const opener = (url) => async () => {
    const opened = await open(browser, url);
    const figures = { pictureMs: await pictureMs(opened.page), bytes: opened.bytes(), requests: opened.requests() };
    await opened.page.context().close();
    return figures;
  };
  const openers = Object.values(urls).map(opener);
  for (const start of openers) await start(); // the first start of a browser reads its files from the disk
  const medians = await bench.inTurn(openers, bench.quick ? 1 : 5);
  const results = Object.fromEntries(Object.keys(urls).map((name, index) => [name, medians[index]]));
  bench.say(`first picture after ${short(results.served.pictureMs)} ms, ${results.served.requests} requests, ${results.served.bytes} bytes; from a server ${ROUND_TRIP_MS} ms away after ${short(results.far.pictureMs)} ms; on a static host after ${short(results.site.pictureMs)} ms, as one file after ${short(results.file.pictureMs)} ms`);
  return results;
}

async function open(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let [bytes, requests] = [0, 0];
  session.on('Network.requestWillBeSent', () => { requests++; });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('first-picture').length > 0, null, { timeout: 60000 });
  return { page, session, bytes: () => bytes, requests: () => requests };
}

const pictureMs = (page) => page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime);

// ---- 65,536 particles in the wind -----------------------------------------------------------------------------------------

async function hangCloth(server) {
  const client = new WeftClient(`ws://127.0.0.1:${server.port}/worlds/wind`, { WebSocket, reconnect: false });
  await client.connect();
  await client.call('world.set', { wind: { velocity: [3, 0, -4], gust: 0.6 } });
  const { object } = await client.call('cloth.spawn', { columns: SIDE, rows: SIDE, position: [-3, 7, 0], spacing: 0.025 });
  await client.call('particle.pin', { object, particles: Array.from({ length: SIDE }, (_, column) => column) });
  client.close();
}

async function measureMoving(bench, browser, url) {
  const { page, session } = await open(browser, url);
  await sleep(bench.quick ? 3 : WARM_S);
  const seconds = bench.quick ? 6 : MEASURE_S;
  const { result: frames, events } = await traced(session, () => countFrames(page, seconds));
  const figures = { ...read(events, frames), framesHz: frames.shown / seconds, seconds };
  figures.stepMm = await page.evaluate(() => 1000 * window.weft.page.precision.step);
  figures.allocatedBytes = (await allocatedBytes(session, Math.min(10, seconds))) / figures.picturesHz;
  await page.context().close();
  bench.say(`main thread ${short(figures.mainMs)} ms a picture, worker ${short(figures.workerMs)} ms a frame, positions to ${short(figures.stepMm)} mm`);
  return figures;
}

// The number of frames that the worker received and decoded, and of those that it delivered for display.
async function countFrames(page, seconds) {
  const count = () => page.evaluate(() => ({ received: window.weft.client.statistics.framesReceived, shown: window.weft.frames }));
  const before = await count();
  await sleep(seconds);
  const after = await count();
  return { received: after.received - before.received, shown: after.shown - before.shown };
}

export async function traced(session, work) {
  const events = [];
  const gather = ({ value }) => { for (const event of value) if (wanted(event)) events.push(event); };
  session.on('Tracing.dataCollected', gather);
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: CATEGORIES, recordMode: 'recordAsMuchAsPossible' } });
  const result = await work();
  const complete = new Promise((resolve) => { session.once('Tracing.tracingComplete', resolve); });
  await session.send('Tracing.end');
  await complete;
  return { result, events };
}

const KEPT = new Set(['RunTask', 'FireAnimationFrame', 'MinorGC', 'MajorGC', 'thread_name']);
const wanted = ({ name }) => KEPT.has(name);

// Tasks of each thread of the page, in CPU time. On a display each frame is one picture; here, where drawing takes longer,
// there are more frames than pictures: the cost per frame is that of a picture plus its share of all other tasks.
export function read(events, frames) {
  const threads = new Map();
  for (const { name, pid, tid, args } of events) if (name === 'thread_name') threads.set(`${pid} ${tid}`, args.name);
  const { pid, tid } = events.find(({ name }) => name === 'FireAnimationFrame');
  const onMain = (event) => event.pid === pid && event.tid === tid;
  const onWorker = (event) => event.pid === pid && /Worker/.test(threads.get(`${pid} ${event.tid}`) ?? '');
  const drawn = events.filter((event) => event.name === 'FireAnimationFrame' && onMain(event));
  const tasks = events.filter(({ name, tdur }) => name === 'RunTask' && tdur !== undefined);
  const total = (chosen) => chosen.reduce((sum, { tdur }) => sum + tdur, 0) / 1000;
  const main = tasks.filter(onMain);
  const pictureTasks = containing(main, drawn);
  const pictureMs = total(pictureTasks) / drawn.length;
  const collections = events.filter((event) => /GC$/.test(event.name) && onMain(event)).map(({ tdur, dur }) => (tdur ?? dur) / 1000);
  const times = drawn.map(({ tdur }) => tdur / 1000).sort((a, b) => a - b);
  return {
    mainMs: pictureMs + (total(main) - total(pictureTasks)) / frames.shown,
    pictureMs,
    loopMs: median(times),
    loopP99Ms: times[Math.floor(0.99 * times.length)],
    workerMs: total(tasks.filter(onWorker)) / frames.received,
    gcMs: Math.max(0, ...collections),
    collections: collections.length,
    pictures: drawn.length,
    picturesHz: drawn.length / ((drawn.at(-1).ts - drawn[0].ts) / 1e6),
  };
}

// Finds the tasks that contain one of the events. Both lists are of one thread.
function containing(tasks, events) {
  const inside = new Set();
  const sorted = [...tasks].sort((a, b) => a.ts - b.ts);
  let at = 0;
  for (const { ts } of [...events].sort((a, b) => a.ts - b.ts)) {
    while (at + 1 < sorted.length && sorted[at + 1].ts <= ts) at++;
    if (sorted[at].ts <= ts && ts < sorted[at].ts + sorted[at].dur) inside.add(sorted[at]);
  }
  return [...inside];
}

// Measures the main thread's allocations per second by sampling, including objects that are collected at once.
async function allocatedBytes(session, seconds) {
  await session.send('HeapProfiler.startSampling', { samplingInterval: 4096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
  await sleep(seconds);
  const { profile } = await session.send('HeapProfiler.stopSampling');
  return profile.samples.reduce((sum, { size }) => sum + size, 0) / seconds;
}

// ---- report -----------------------------------------------------------------------------------------------------------------

function report(figures, { pictures, collections, seconds }) {
  return [
    `A cloth of ${SIDE}×${SIDE} particles in gusty wind, ${seconds} s, ${pictures} pictures at ${short(figures['page.pictures_hz'])} a second from ${short(figures['page.frames_hz'])} frames a second, positions to ${short(figures['page.step_mm'])} mm as the page chose for this machine. Headless Chromium without a graphics processor: CPU time of the page's threads by Chromium's trace, all their tasks included; what is drawn is drawn in another process and not counted.`,
    table(['', 'here'], [
      ['main thread, all tasks, ms a frame', short(figures['page.main_ms'])],
      ['of which the page’s own loop, median and p99, ms', `${short(figures['page.loop_ms'])}, ${short(figures['page.loop_p99_ms'])}`],
      ['worker, all tasks, ms a frame', short(figures['page.worker_ms'])],
      ['longest pause for garbage, main thread, ms', `${short(figures['page.gc_ms'])} (of ${collections})`],
      ['allocated on the main thread, bytes a picture', short(figures['page.allocated_bytes'])],
      ['first picture after, ms', short(figures['page.first_picture_ms'])],
      ['transferred until then, bytes', short(figures['page.transfer_bytes'])],
      ['requests until then', short(figures['page.requests'])],
      ['first picture from a server 200 ms away, ms', short(figures['page.far_picture_ms'])],
      ['first picture of the page on a static host, × that', short(figures['page.site_picture_ratio'])],
      ['first picture of the page as one file, × that', short(figures['page.file_picture_ratio'])],
    ]),
  ].join('\n\n');
}
