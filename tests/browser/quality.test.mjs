// SPDX-License-Identifier: MIT
// The quality of the picture follows what the machine affords. Nothing runs beside this file, because that would cost pictures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { openBrowser } from './page.mjs';

/** In the page: simulates a display of so many pictures per second, whatever the machine could draw. */
function capFrames(hz) {
  const request = window.requestAnimationFrame.bind(window);
  let next = performance.now();
  window.requestAnimationFrame = (draw) => setTimeout(() => request(() => {
    next = Math.max(next + 1000 / hz, performance.now());
    draw(performance.now());
  }), Math.max(0, next - performance.now() - 4));
  localStorage.setItem('weft.level', '0'); // the level that an older page had stored on such a display
}

test('on a display of 30 Hz pictures become as fine as the machine affords, coarser under load, and fine again after it', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const browser = await openBrowser(t, { pictures: Infinity });
  const context = await browser.newContext({ viewport: { width: 320, height: 240 } });
  t.after(() => context.close());
  await context.addInitScript(capFrames, 30);
  const page = await context.newPage();
  await page.goto(server.http('/'));
  await page.waitForFunction(() => window.weft, null, { timeout: 60000 });
  await page.evaluate(() => window.weft.ready);
  const quality = () => page.evaluate(() => ({ ...window.weft.quality, fps: window.weft.fps }));
  const settled = (ratio, what) => page.waitForFunction((wanted) => Math.abs(window.weft.quality.ratio - wanted) < 1e-6, ratio, { timeout: 90000 })
    .catch(async () => assert.fail(`${what}: ${JSON.stringify(await quality())}`));
  await settled(1, 'it rises');
  await page.evaluate(() => Object.assign(window.weft.page.stage.gpuTimer, { timer: null, ms: null })); // as in browsers without timer queries
  // A busy page polls the fence too late to measure more than "at once", which is 0.
  await page.waitForFunction(() => window.weft.page.stage.gpuTimer.ms !== null && window.weft.page.stage.gpuTimer.ms < 1000, null, { timeout: 90000 });
  const { fps } = await quality();
  t.diagnostic(`${fps.toFixed(1)} pictures a second`);
  assert.ok(fps < 40, 'the display shows no more');
  await page.evaluate(() => {
    const { renderer } = window.weft.page.stage;
    const { render } = renderer;
    window.relieve = () => { renderer.render = render; };
    renderer.render = (...args) => {
      for (const end = performance.now() + 60; performance.now() < end;);
      render.apply(renderer, args);
    };
  });
  await settled(0.4, 'it falls');
  await page.evaluate(() => window.relieve());
  await settled(1, 'it recovers');
});
