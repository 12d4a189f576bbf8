// SPDX-License-Identifier: MIT
// From a local world to a server's and back: how long no tick is shown in the page that shares its world, and in the three windows
// that go on alone when the server is lost; and whether every hash is that of before.

import { launchBrowser } from '../browser/launch.mjs';
import { short } from './bench.mjs';
import { startWeftd, stop } from './servers.mjs';

const WINDOWS = 3;
const VIEW = { width: 480, height: 320 };
const WAIT = { timeout: 60000 };
const SETTLE_TICKS = 60;

const state = (page) => page.evaluate(() => window.weft.client.call('world.get').then(({ tick, stateHash }) => ({ tick, hash: stateHash })));

async function open(browser, url) {
  const context = await browser.newContext({ viewport: VIEW });
  await context.addInitScript(() => localStorage.setItem('weft.level', '0')); // drawing by software would take most of the time
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => window.weft?.frames > 0, null, WAIT);
  return page;
}

/** In the page: notes the ticks that its client shows and the longest time between two of them. */
function noteTicks() {
  const noted = { tick: 0, at: 0, longest: 0 };
  window.noted = noted;
  window.weft.client.on('frame', ({ tick }) => {
    if (tick <= noted.tick) return;
    const now = performance.now();
    if (noted.at > 0) noted.longest = Math.max(noted.longest, now - noted.at);
    noted.tick = tick;
    noted.at = now;
  });
}

const reaches = (page, tick) => page.waitForFunction((least) => window.noted.tick >= least, tick, WAIT);

/** The longest pause in ms while `work` runs, until some ticks after it. */
async function pauseDuring(page, work) {
  await page.evaluate(() => { window.noted.longest = 0; });
  const { tick } = await work();
  await reaches(page, tick + SETTLE_TICKS);
  return page.evaluate(() => window.noted.longest);
}

async function measure(bench) {
  const server = await startWeftd(bench, ['--world', 'lab=empty']);
  const browser = await launchBrowser();
  try {
    const address = `http://127.0.0.1:${server.port}/`;
    const first = await open(browser, `${address}?world=local:default&source=ticks`);
    await first.evaluate(noteTicks);
    await reaches(first, 2 * SETTLE_TICKS);
    // The state at the very tick is compared by the server: a capsule whose hash differs is refused.
    const shared = await pauseDuring(first, () => first.evaluate((url) => window.weft.client.handOver(url), `ws://127.0.0.1:${server.port}/`));
    const windows = [first];
    while (windows.length < WINDOWS) {
      const page = await open(browser, `${address}?world=default&source=ticks`);
      await page.evaluate(noteTicks);
      windows.push(page);
    }
    for (const page of windows) await page.waitForFunction(() => window.weft.client.statistics.source === 'ticks' && window.weft.client.state === 'open', null, WAIT);
    for (const page of windows) await page.waitForLoadState('networkidle');
    await first.evaluate(() => window.weft.client.call('world.pause'));
    const last = await state(first);
    for (const page of windows) await page.waitForFunction((tick) => window.weft.page.buffer.newest?.tick === tick, last.tick, WAIT);
    server.child.kill('SIGKILL');
    for (const page of windows) await page.waitForFunction(() => window.weft.client.state === 'closed', null, WAIT);
    const alone = [];
    for (const page of windows) {
      // From the click on, as the server's world stands before it.
      const { hash, ms } = await page.evaluate(async () => {
        const began = performance.now();
        const ticked = new Promise((resolve) => {
          const off = window.weft.client.on('frame', ({ tick }) => {
            if (tick <= window.noted.tick && tick <= window.lastTick) return;
            off();
            resolve(performance.now() - began);
          });
        });
        window.lastTick = window.weft.page.buffer.newest.tick;
        window.noted.tick = window.lastTick;
        const { hash: found } = await window.weft.client.goOnAlone();
        return { hash: found, ms: await ticked };
      });
      if (hash !== last.hash) throw new Error(`a window goes on with the hash ${hash}, the server had ${last.hash}`);
      alone.push(ms);
    }
    return { shared, alone: Math.max(...alone) };
  } finally {
    await browser.close();
    await stop(server);
  }
}

export async function measureHandover(bench) {
  bench.say('from a local world to a server and back');
  const [{ shared, alone }] = await bench.inTurn([() => measure(bench)], 3);
  return {
    figures: { 'lockstep.shared_pause_ms': shared, 'lockstep.alone_pause_ms': alone },
    text: `A local world that is handed to a server shows no tick for ${short(shared)} ms; when the server is lost, ${WINDOWS} windows show the next tick at most ${short(alone)} ms after the user has decided to go on alone. All hashes are equal.`,
  };
}
