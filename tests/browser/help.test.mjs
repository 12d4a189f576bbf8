// SPDX-License-Identifier: MIT
// Help: the list of keys, the palette, the first steps of a newcomer, and the message if the page cannot draw.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { sleep } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { findObject, keepScreenshot, openPanel, screenOf } from './page.mjs';

const LONG = { timeout: 300000 };

/** A proxy to the server that delays all data from the server by `lateMs`. @returns {Promise<{url: string, lateMs: number}>} */
async function detour(t, server) {
  const way = { url: '', lateMs: 0 };
  const sockets = new Set();
  const proxy = createServer((near) => {
    const far = connect(server.port, '127.0.0.1');
    let sent = Promise.resolve(); // in order, even if the delay is shortened meanwhile
    near.pipe(far);
    far.on('data', (data) => {
      const due = performance.now() + way.lateMs;
      sent = sent.then(() => sleep(Math.max(0, due - performance.now()))).then(() => near.write(data));
    });
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => sent.then(() => other.destroy()));
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  way.url = `http://127.0.0.1:${proxy.address().port}/`;
  return way;
}

test('the question mark lists all keys by group, and a search finds every command', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await browser.open(t, server.http('/'));
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help and shortcuts' });
  await help.waitFor();
  const actions = await page.evaluate(() => window.weft.page.actions.list().map(({ title, group, keys }) => ({ title, group, keys })));
  const shown = await help.locator('section').evaluateAll((sections) => sections.map((section) => ({
    group: section.querySelector('h3').textContent,
    rows: [...section.querySelectorAll('tbody tr')].map((row) => ({ title: row.querySelector('th').textContent, keys: row.querySelectorAll('kbd').length })),
  })));
  for (const { title, group, keys } of actions.filter((action) => action.keys.length > 0)) {
    const row = shown.find((one) => one.group === group)?.rows.find((one) => one.title === title);
    assert.equal(row?.keys, keys.length, `${title} of ${group}`);
  }
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'help')}`);
  const silent = actions.find((action) => action.keys.length === 0);
  await help.getByRole('searchbox').fill(silent.title);
  await help.getByRole('rowheader', { name: silent.title }).waitFor();
  await help.getByRole('searchbox').fill('nothing is called so');
  await help.getByText('No matching commands.').waitFor();
  await help.getByRole('button', { name: 'Close' }).click();
  assert.equal(await help.count(), 0);
  await page.getByRole('button', { name: 'Help and shortcuts' }).click();
  await help.waitFor();
  await help.getByRole('button', { name: 'All commands' }).click();
  await page.getByRole('dialog', { name: 'Find a command' }).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('the palette narrows down as one types, chooses by arrows, and does what is chosen', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await browser.open(t, server.http('/'));
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Command' });
  await input.fill('resume');
  const first = page.locator('#palette-list [role=option]').first();
  assert.match(await first.textContent(), /Pause or resume/);
  assert.equal(await first.getAttribute('aria-selected'), 'true');
  assert.equal(await input.getAttribute('aria-activedescendant'), await first.getAttribute('id'));
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'palette')}`);
  await page.keyboard.press('Enter');
  await page.locator('#pause[data-paused]').waitFor();
  await page.keyboard.press('Control+k');
  await input.waitFor();
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('#palette-list [role=option]').last().getAttribute('aria-selected'), 'true', 'the arrows go around');
  await input.fill('xyzzy');
  await page.getByText('No matching commands.').waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('dialog').count(), 1, 'nothing to do, nothing done');
  await page.keyboard.press('Escape');
  assert.deepEqual(page.complaints, []);
});

test('a newcomer is led from one step to the next, each is acknowledged, and they do not come again', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--paused']); // a dragged object stays in place
  const page = await browser.open(t, server.http('/'));
  const steps = page.getByRole('complementary', { name: 'First steps' });
  await steps.getByText('Drag an object.').waitFor();
  const { id } = await findObject(page, 'cloth');
  const { x, y } = await screenOf(page, id, 39 * 40 + 20);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y - 20, { steps: 4 });
  await page.mouse.up();
  await steps.getByText('You moved it.').waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'first-steps')}`);
  await openPanel(page, 'time'); // a step before its turn
  await steps.getByRole('button', { name: 'Add something', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Box', exact: true }).click();
  await steps.getByText('There it is.').waitFor();
  await steps.getByRole('button', { name: 'Get the link', exact: true }).click();
  await page.locator('#dock-share').waitFor();
  await steps.getByText('Copy everything you did as a program.').waitFor();
  await steps.getByRole('button', { name: 'Skip' }).click();
  await steps.getByText('That’s the tour.').waitFor();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.evaluate(() => window.weft.ready);
  await page.locator('#pause').waitFor();
  assert.equal(await steps.count(), 0, 'once is enough');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('first steps');
  await page.keyboard.press('Enter');
  await steps.waitFor();
  await steps.getByRole('button', { name: 'Close first steps' }).click();
  assert.equal(await steps.count(), 0);
  assert.deepEqual(page.complaints, []);
});

test('a newcomer to an empty world is asked to put something there before dragging it', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const page = await browser.open(t, server.http('/'));
  const steps = page.getByRole('complementary', { name: 'First steps' });
  await steps.getByText('Drop something into the scene.').waitFor();
  await steps.getByRole('button', { name: 'Add something', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Box', exact: true }).click();
  await steps.getByText('Drag an object.').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('what is wrong is said: no network, nothing comes, drawing was interrupted, the world was removed', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const admin = await server.connect('main');
  await admin.call('world.create', { name: 'brief', scene: 'cloth' });
  const page = await browser.open(t, server.http('/?world=brief'));
  const chip = (state) => page.locator(`#chips [data-state="${state}"]`);

  await page.context().setOffline(true);
  await chip('offline').waitFor();
  await page.context().setOffline(false);
  await chip('offline').waitFor({ state: 'detached' });

  await page.evaluate(() => {
    window.lost = document.querySelector('#stage canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.lost.loseContext();
  });
  await chip('drawing').waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'drawing-interrupted')}`);
  await page.waitForFunction(() => performance.now() > 5000);
  await Promise.all([page.waitForNavigation({ timeout: 60000 }), page.evaluate(() => window.lost.restoreContext())]);
  await page.waitForFunction(() => window.weft, null, { timeout: 60000 });
  await page.evaluate(() => window.weft.ready);
  assert.equal(await chip('drawing').count(), 0);

  server.process.kill('SIGSTOP');
  try {
    await chip('silence').waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'silence')}`);
  } finally {
    server.process.kill('SIGCONT');
  }
  await chip('silence').waitFor({ state: 'detached' });

  await admin.call('world.remove', { name: 'brief' });
  await page.locator('#overlay', { hasText: 'The world “brief” was removed' }).waitFor();
  await page.getByRole('link', { name: 'main' }).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'world-removed')}`);
});

test('a connection that answers late is said to be slow, until it is quick again', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']); // no pictures that this machine could draw late
  const way = await detour(t, server);
  const page = await browser.open(t, new URL('/source.html', way.url).href); // the page of the module used below
  const chip = page.locator('#chips [data-state="connection"]');
  await page.waitForFunction(() => window.weft.client.statistics.roundTripMs < 200);
  await chip.waitFor({ state: 'detached' });
  way.lateMs = 1500;
  await chip.waitFor();
  const text = await chip.textContent();
  assert.ok(Number(/^Slow connection: (\d+) ms$/.exec(text)?.[1]) > 350, text);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'slow')}`);
  way.lateMs = 0;
  await chip.waitFor({ state: 'detached' });
  // The event of the worker that the server reduces the frame rate.
  const paced = (everyTicks) => page.evaluate(async (ticks) => {
    const { worker } = await import('/viewer/preload.js');
    worker.onmessage({ data: { name: 'event', value: { method: 'frames.paced', params: { everyTicks: ticks, tick: 0 } }, statistics: window.weft.client.statistics } });
  }, everyTicks);
  await paced(4);
  await page.waitForFunction(() => /^Slow connection: \d+ ms, 15 frames\/s$/.test(document.querySelector('#chips [data-state="connection"]')?.textContent));
  await paced(1);
  await chip.waitFor({ state: 'detached' });
  assert.deepEqual(page.complaints, []);
});

test('an empty world says what to do, and a browser that cannot draw is told so', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const page = await browser.open(t, server.http('/'));
  await page.getByText('Nothing here yet.').waitFor();
  assert.equal(await page.locator('#loading').isVisible(), false);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'empty')}`);
  const context = await browser.context(t);
  await context.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function without(kind, ...rest) {
      return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
    };
  });
  const blind = await context.newPage();
  await blind.goto(server.http('/'));
  await blind.locator('#overlay', { hasText: 'This browser can’t show the world' }).waitFor();
  assert.equal(await blind.locator('#loading').isVisible(), false, 'it is not being opened any more');
  t.diagnostic(`screenshot: ${await keepScreenshot(blind, 'no-webgl')}`);
});
