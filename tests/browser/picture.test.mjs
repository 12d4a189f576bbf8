// SPDX-License-Identifier: MIT
// The page draws fast enough without a graphics processor: time is measured, so no other test runs at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { sleep } from '../support/wait.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const SETTLE_MS = 8000; // the page adapts its quality to this machine
const MEASURE_MS = 4000;
const WINDOWS = 4; // a busy machine has quieter moments
const WANTED = 20; // pictures/s

function picturesPerSecond(page) {
  return page.evaluate((ms) => new Promise((resolve) => {
    const start = performance.now();
    let count = 0;
    requestAnimationFrame(function picture(now) {
      count++;
      if (now - start < ms) requestAnimationFrame(picture);
      else resolve(count / (now - start) * 1000);
    });
  }), MEASURE_MS);
}

test('the default scene runs smoothly in software, without a word on the console', async (t) => {
  const server = await Weftd.start(t);
  const browser = await openBrowser(t, { pictures: Infinity });
  const page = await openPage(browser, server.http('/'));
  await sleep(SETTLE_MS);
  let pictures = 0;
  for (let i = 0; i < WINDOWS && pictures < WANTED; i++) pictures = Math.max(pictures, await picturesPerSecond(page));
  const { quality, frames } = await page.evaluate(() => ({ quality: window.weft.quality, frames: window.weft.frames }));
  t.diagnostic(`${pictures.toFixed(1)} pictures/s (wanted: ${WANTED}) at 1280×720, resolution ×${quality.ratio}, shadow map ${quality.shadow}`);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'default-dark')}`);
  assert.ok(quality.software, 'the renderer was not recognised as software');
  assert.ok(frames > 100, `only ${frames} frames arrived`);
  assert.ok(pictures >= WANTED, `${pictures.toFixed(1)} pictures/s`);
  assert.deepEqual(page.complaints, []);
});
