// SPDX-License-Identifier: MIT
// A page that has lost its server goes on alone, and a page with a local world hands it to a server, without being loaded anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const PATIENCE_MS = 60000;
const WAIT = { timeout: PATIENCE_MS };
const stateOf = (page) => page.evaluate(async () => {
  const { tick, stateHash, running } = await window.weft.client.call('world.get');
  return { tick, stateHash, running };
});
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

const NEEDED = [/^\/app\/scenes-\w+\.json$/, /^\/app\/share-\w+\.js$/]; // the last files for the worker and for the panel

/** Waits until the page computes the ticks, and has what it needs without a server. @param {Set<string>} loaded paths of files */
async function computesTicks(page, loaded) {
  await page.waitForFunction(() => window.weft.client.statistics.source === 'ticks', null, WAIT);
  await until(() => NEEDED.every((needed) => [...loaded].some((path) => needed.test(path))), 'the files for local worlds', PATIENCE_MS);
  await page.waitForLoadState('networkidle');
}

test('a page whose server is lost goes on alone with the very state, and brings it to the server that has come back', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--tick-hz', '30']);
  const browser = await openBrowser(t);
  const loaded = new Set();
  const watched = { newContext: async (options) => {
    const context = await browser.newContext(options);
    context.on('requestfinished', (request) => loaded.add(new URL(request.url()).pathname));
    return context;
  } };
  const page = await openPage(watched, server.http('/?source=ticks'));
  await computesTicks(page, loaded);
  await page.evaluate(() => { window.isTheSamePage = true; });
  const admin = await server.connect('main');
  await admin.call('world.pause');
  const last = await admin.call('world.get');
  await page.waitForFunction((tick) => window.weft.client.statistics.source === 'ticks' && window.weft.page.buffer.newest?.tick === tick, last.tick, WAIT);
  server.process.kill('SIGKILL');

  const alone = page.getByRole('button', { name: 'Continue offline', exact: true });
  await alone.waitFor(WAIT);
  await keepScreenshot(page, 'handover-lost');
  await alone.click();
  await page.locator('#overlay').waitFor({ state: 'hidden', ...WAIT });
  assert.deepEqual(await stateOf(page), { tick: last.tick, stateHash: last.stateHash, running: false });
  assert.equal(await page.evaluate(() => window.isTheSamePage), true);
  assert.equal(new URL(page.url()).searchParams.get('world'), 'local:main');
  await press(page, 'Resume');
  await until(async () => (await stateOf(page)).tick > last.tick + 10, 'the world to go on', PATIENCE_MS);
  await page.waitForFunction((tick) => window.weft.page.buffer.newest?.tick > tick, last.tick + 10, WAIT);
  await press(page, 'Pause');
  const here = await stateOf(page);

  const again = await Weftd.start(t, ['--world', 'main=empty', '--port', new URL(server.http('')).port]);
  await press(page, 'Share');
  await keepScreenshot(page, 'handover-share');
  await press(page, 'Share on the server');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('world') === 'main-2' && window.weft.client.state === 'open', null, WAIT);
  assert.deepEqual(await stateOf(page), here);
  assert.equal(await page.evaluate(() => window.isTheSamePage), true);
  const there = await again.connect('main-2');
  const state = await there.call('world.get');
  assert.deepEqual({ tick: state.tick, stateHash: state.stateHash, running: state.running }, here);
});

test('a local world is handed to the server of its page, which stays open and goes on', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=local:cloth'));
  await page.evaluate(() => { window.isTheSamePage = true; });
  await page.evaluate(() => window.weft.client.call('world.pause'));
  const here = await stateOf(page);
  await press(page, 'Share');
  await press(page, 'Share on the server');
  const there = await until(() => server.connect('cloth').catch(() => null), 'the world on the server', PATIENCE_MS);
  await page.waitForFunction(() => new URLSearchParams(location.search).get('world') === 'cloth', null, WAIT);
  await page.waitForFunction(() => window.weft.client.state === 'open', null, WAIT);
  assert.deepEqual(await stateOf(page), here);
  const state = await there.call('world.get');
  assert.deepEqual({ tick: state.tick, stateHash: state.stateHash }, { tick: here.tick, stateHash: here.stateHash });
  assert.equal(await page.evaluate(() => window.isTheSamePage), true);
  await press(page, 'Resume');
  await page.waitForFunction((tick) => window.weft.page.buffer.newest?.tick > tick, here.tick + 10, WAIT);
  const second = await openPage(browser, server.http('/?world=cloth'), { viewport: { width: 480, height: 320 } });
  await second.waitForFunction((tick) => window.weft.page.buffer.newest?.tick > tick, here.tick + 10, WAIT);
  await keepScreenshot(page, 'handover-shared');
  assert.deepEqual([...page.complaints, ...second.complaints], []);
});

test('a world that the server refuses stays in the page, which says why', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--max-worlds', '1']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=local:rope'));
  await press(page, 'Share');
  await press(page, 'Share on the server');
  await page.locator('.hand-over [role=status]', { hasText: 'The world could not be shared' }).waitFor(WAIT);
  const { tick } = await stateOf(page);
  await until(async () => (await stateOf(page)).tick > tick + 5, 'the world to go on', PATIENCE_MS);
  assert.equal(new URL(page.url()).searchParams.get('world'), 'local:rope');
  await keepScreenshot(page, 'handover-refused');
});
