// SPDX-License-Identifier: MIT
// The page without a server: as a folder of a static host, and as one file that opens from a disk without any network.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSite, serveSite } from '../support/site.mjs';
import { BUILD, Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';
import { moves } from './local.mjs';

const BYTES_MOST = 1.2e6; // of the compressed file
const { file } = await buildSite();

/** Opens a page in a browser of its own. @returns {Promise<{page: any, asked: string[]}>} `asked`: the addresses of all that it asks for */
async function openAsking(t, url, options) {
  const browser = await openBrowser(t);
  const asked = [];
  const watched = {
    async newContext(given) {
      const context = await browser.newContext(given);
      context.on('request', (request) => asked.push(request.url()));
      context.on('page', (page) => page.on('websocket', (socket) => asked.push(socket.url())));
      return context;
    },
  };
  return { page: await openPage(watched, url, options), asked };
}

/** Opens all panels, one after the other, and waits until each has its content. */
async function openPanels(page) {
  const buttons = page.locator('#rail button');
  for (const button of await buttons.all()) {
    const dock = page.locator(`#${await button.getAttribute('aria-controls')}`);
    if (await dock.isHidden()) await button.click();
    await dock.locator('.dock-body > *').first().waitFor({ state: 'attached', timeout: 60000 });
  }
  return buttons.count();
}

test('a static host serves a page that runs the default scene, from a path of its own', { timeout: 240000 }, async (t) => {
  const { origin } = await serveSite(t, BUILD);
  const { page, asked } = await openAsking(t, `${origin}/site/`);
  await moves(page);
  assert.equal(await page.evaluate(() => window.weft.page.state?.scene), 'default');
  assert.ok(await openPanels(page) > 9);
  assert.deepEqual(asked.filter((url) => !url.startsWith(`${origin}/site/`) && !url.startsWith('blob:')), []);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'site')}`);
  assert.deepEqual(page.complaints, []);
});

test('its address names another scene', { timeout: 240000 }, async (t) => {
  const { origin } = await serveSite(t, BUILD);
  const page = await openPage(await openBrowser(t), `${origin}/site/?world=local:rope`);
  await moves(page);
  assert.equal(await page.evaluate(() => window.weft.page.state?.scene), 'rope');
  assert.deepEqual(page.complaints, []);
});

test('the page as one file opens from a disk without a network, and has all panels', { timeout: 240000 }, async (t) => {
  const { page, asked } = await openAsking(t, pathToFileURL(file).href, { offline: true });
  await moves(page);
  assert.equal(await page.evaluate(() => window.weft.page.state?.scene), 'default');
  assert.ok(await openPanels(page) > 9);
  assert.deepEqual(asked.filter((url) => !/^(blob|data):/.test(url)), [pathToFileURL(file).href], 'what the page asks for');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'file')}`);
  assert.deepEqual(page.complaints, []);
});

test('the page as one file is small enough to be sent by mail', async (t) => {
  const bytes = gzipSync(await readFile(file), { level: 9 }).length;
  t.diagnostic(`${bytes} bytes compressed, ${BYTES_MOST} allowed`);
  assert.ok(bytes <= BYTES_MOST, `${bytes} bytes`);
});

test('a world of a static host is handed to a server that allows its pages, where the user goes on', { timeout: 240000 }, async (t) => {
  const { origin } = await serveSite(t, BUILD);
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--origin', origin, '--editors-import']);
  const page = await openPage(await openBrowser(t), `${origin}/site/?world=local:rope`);
  await page.evaluate(() => window.weft.client.call('world.pause'));
  const { tick, stateHash } = await page.evaluate(() => window.weft.client.call('world.get'));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('textbox', { name: 'Server', exact: true }).fill(server.http(''));
  await page.getByRole('button', { name: 'Share on a server', exact: true }).click();
  await page.waitForURL((url) => url.href === server.http('/?world=rope'), { timeout: 60000 });
  const there = await (await server.connect('rope')).call('world.get');
  assert.deepEqual([there.tick, there.stateHash], [tick, stateHash]);
});
