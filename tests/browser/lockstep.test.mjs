// SPDX-License-Identifier: MIT
// The page computes the ticks itself: it begins with the server's frames, goes on with ticks without a jump, and says so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

// The sheets of the default scene may tear, so that it needs room for all that its server has room for.
for (const scene of ['cloth', 'default']) {
  test(`the page goes on with ticks of the scene ${scene} that it computes itself, draws them, and says so`, { timeout: 120000 }, async (t) => {
    const server = await Weftd.start(t, ['--world', `main=${scene}`, '--paused']); // stepped, so that a machine which draws slowly can follow, too
    const browser = await openBrowser(t);
    const page = await openPage(browser, server.http('/?source=ticks&panel=settings'));
    await page.waitForFunction(() => window.weft.page.client.statistics.source === 'ticks');
    const script = await server.connect('main');
    const received = await page.evaluate(() => window.weft.page.client.statistics.bytesReceived);
    const { object } = await script.call('body.spawn', { position: [0, 4, 0] });
    await page.waitForFunction((spawned) => window.weft.objects.some(({ id }) => id === spawned), object);
    await script.call('world.step', { ticks: 30 });
    const { positions } = await script.call('particle.read', { object, particles: [0, 1, 2, 3] });
    const expected = positions.flat();
    await page.waitForFunction(([id, wanted]) => {
      const shown = window.weft.objects.find((known) => known.id === id).positions;
      return wanted.every((value, index) => Math.abs(shown[index] - value) < 1e-6);
    }, [object, expected]);
    const after = await page.evaluate(() => window.weft.page.client.statistics.bytesReceived);
    t.diagnostic(`${after - received} bytes since the change; screenshot: ${await keepScreenshot(page, `lockstep-${scene}`)}`);
    await page.waitForFunction(() => [...document.querySelectorAll('#panel input')].find(({ ariaLabel }) => ariaLabel === 'Computed by')?.value === 'This page');
    assert.deepEqual(page.complaints, []);
  });
}
