// SPDX-License-Identifier: MIT
// A page in a world of a cluster: the longest time for which it shows no new picture of the world, while its node is lost.

import { existsSync } from 'node:fs';
import { BROWSER, launchBrowser } from '../browser/launch.mjs';

const WAIT = { timeout: 60000 };
const VIEW = { width: 480, height: 320 };
const SETTLE_TICKS = 60;

export const hasBrowser = () => existsSync(BROWSER);

/** Opens the page of a node with a world. @returns {Promise<{pauseUntil: () => Promise<number>, close: () => Promise<void>}>} */
export async function openPage(url, world) {
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: VIEW });
  await context.addInitScript(() => localStorage.setItem('weft.level', '0')); // drawing by software would take most of the time
  const page = await context.newPage();
  await page.goto(`${url}/?world=${world}`);
  await page.waitForFunction(() => window.weft?.frames > 0, null, WAIT);
  await page.evaluate(() => {
    const noted = { ticks: 0, at: 0, longest: 0, cut: 0 };
    window.noted = noted;
    let shown = -1;
    const look = (now) => { // at each picture
      const tick = window.weft.page.buffer.newest?.tick;
      if (tick !== undefined && tick !== shown) {
        if (noted.at > 0) noted.longest = Math.max(noted.longest, now - noted.at);
        shown = tick;
        noted.at = now;
        noted.ticks++;
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    window.weft.client.on('state', ({ state }) => { if (state !== 'open') noted.cut = noted.ticks; });
  });
  await page.waitForFunction((least) => window.noted.ticks > least, SETTLE_TICKS, WAIT);
  await page.evaluate(() => { window.noted.longest = 0; });
  return {
    /** The longest time in ms between two pictures, once the connection was lost and pictures come again; the page was not loaded anew. */
    pauseUntil: async () => {
      await page.waitForFunction((settle) => window.noted.cut > 0 && window.noted.ticks > window.noted.cut + settle, SETTLE_TICKS, WAIT);
      return page.evaluate(() => window.noted.longest);
    },
    close: () => browser.close(),
  };
}
