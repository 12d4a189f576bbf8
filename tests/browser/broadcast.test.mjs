// SPDX-License-Identifier: MIT
// A broadcast in the element, in a page of another origin: it is played near the present and at any time that is kept.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveSite } from '../support/site.mjs';
import { until } from '../support/wait.mjs';
import { ROOT, Weftd } from '../support/weftd.mjs';
import { isComplaint, keepScreenshot, openBrowser } from './page.mjs';

const PATIENCE_MS = 90000;
const IMPORTS = { three: '/vendor/three/three.module.js', 'three/addons/': '/vendor/three/addons/', 'camera-controls': '/vendor/camera-controls/camera-controls.js' };

/** A world that is broadcast; its client and the address of its files. */
async function broadcast(t, params) {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const client = await server.connect('main');
  const { path } = await client.call('broadcast.start', params);
  const folder = server.http(path);
  await until(async () => {
    const answer = await fetch(`${folder}manifest.json`);
    return answer.ok && (await answer.json()).parts[0].fragments.length >= 2;
  }, 'fragments', PATIENCE_MS);
  return { client, folder };
}

/** An empty page, with the errors of its console in `complaints`. */
async function openWindow(t) {
  const browser = await openBrowser(t);
  const page = await (await browser.newContext({ viewport: { width: 900, height: 600 } })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.complaints = [];
  page.on('console', (message) => { if (isComplaint(message)) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(error.message));
  return page;
}

/** A page of another origin with an element that shows this. */
async function openElement(t, src) {
  const site = await serveSite(t, join(ROOT, 'web'));
  const page = await openWindow(t);
  site.pages['/page'] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A school's page</title><link rel="icon" href="data:,">
    <script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script><script type="module" src="/element/index.js"></script>
    <body><weft-world id="a" src="${src}" controls style="display: block; width: 700px; height: 400px"></weft-world>`;
  await page.goto(`${site.origin}/page`);
  return page;
}

test('the element plays a broadcast, scrubs in it, and says when it has ended', { timeout: 300000 }, async (t) => {
  const { client, folder } = await broadcast(t, { embed: true });
  const page = await openElement(t, `${folder}manifest.json`);
  const read = (name) => page.evaluate((what) => document.getElementById('a')[what], name);
  await page.waitForFunction(() => document.getElementById('a').tick > 0);
  const slider = page.locator('#a').getByRole('slider');
  await page.waitForFunction((from) => document.getElementById('a').tick > from + 60, await read('tick'));
  assert.deepEqual([await read('editable'), await read('paused'), await page.evaluate(() => document.getElementById('a').hello.world)], [false, false, 'main']);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'element-broadcast')}`);
  const before = Number(await slider.getAttribute('max'));
  await until(async () => Number(await slider.getAttribute('max')) > before, 'a longer timeline', PATIENCE_MS);

  await page.locator('#a').getByRole('button', { name: 'Pause' }).click();
  await page.waitForFunction(() => document.getElementById('a').paused);
  const first = Number(await slider.getAttribute('min'));
  await slider.fill(String(first + 50));
  await page.waitForFunction((tick) => document.getElementById('a').tick === tick, first + 50);
  assert.equal(await slider.inputValue(), String(first + 50));
  await page.evaluate(() => { document.getElementById('a').currentTime = 1; });
  await page.waitForFunction((tick) => document.getElementById('a').tick === tick, first + 60);
  await page.locator('#a').getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction((tick) => document.getElementById('a').tick > tick, first + 90);

  await client.call('world.pause');
  await client.call('broadcast.stop');
  await page.waitForFunction(() => document.getElementById('a').shadowRoot.querySelector('.message').textContent.includes('The broadcast has ended'));
  assert.deepEqual(page.complaints.filter((line) => !/404|403|CORS|ERR_FAILED/.test(line)), []);
});

test('the page watch.html of the server plays a broadcast, and says what it needs', { timeout: 300000 }, async (t) => {
  const { folder } = await broadcast(t, {});
  const { origin, pathname } = new URL(folder);
  const page = await openWindow(t);
  await page.goto(`${origin}/watch.html`);
  await page.getByText('This page plays a broadcast').waitFor();
  await page.goto(`${origin}/watch.html?broadcast=${pathname}manifest.json`);
  await page.waitForFunction(() => document.querySelector('weft-world').tick > 0);
  await page.waitForFunction((from) => document.querySelector('weft-world').tick > from + 60, await page.evaluate(() => document.querySelector('weft-world').tick));
  assert.equal(await page.title(), 'Weft · main');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'watch')}`);
  assert.deepEqual(page.complaints, []);
});

test('a page of another origin cannot play a broadcast that does not allow it', { timeout: 300000 }, async (t) => {
  const { folder } = await broadcast(t, {});
  const page = await openElement(t, `${folder}manifest.json`);
  await page.waitForFunction(() => document.getElementById('a').shadowRoot.querySelector('.message').textContent.includes('could not be reached'));
});
