// SPDX-License-Identifier: MIT
// Pages that run a world of their own.

import { until } from '../support/wait.mjs';

const READY_MS = 120000;

/**
 * Starts the scene of the page's world anew, and waits until the page shows that something has moved; in a scene without particles,
 * until ticks have been computed.
 */
export async function moves(page) {
  await page.waitForFunction(() => window.weft.page.state, null, { timeout: READY_MS });
  const tick = await page.evaluate(async () => (await window.weft.client.call('world.reset')).tick);
  await page.evaluate(() => { window.shownBefore = null; });
  await until(() => page.evaluate(async (from) => {
    const shown = JSON.stringify(window.weft.objects.map(({ positions }) => Array.from(positions)));
    window.shownBefore ??= shown;
    return (await window.weft.client.call('world.get')).tick > from + 10 && (shown === '[]' || shown !== window.shownBefore);
  }, tick), 'the motion of the scene', READY_MS);
}
