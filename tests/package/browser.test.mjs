// SPDX-License-Identifier: MIT
// The npm package weft-world in the browser: built into applications with Vite and React, and as one file without a build.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isComplaint, keepScreenshot, openBrowser } from '../browser/page.mjs';
import { copyExample, installPackage } from '../support/npm_package.mjs';
import { serveSite } from '../support/site.mjs';
import { until } from '../support/wait.mjs';
import { ROOT, Weftd } from '../support/weftd.mjs';

const READY_MS = 60000;
const [major, minor] = process.versions.node.split('.').map(Number);
const skip = major > 20 || (major === 20 && minor >= 19) ? false : 'Vite needs Node 20.19';
const { folder, installed } = await installPackage();

/** Builds an example. @returns {Promise<string>} the folder of its site */
async function buildExample(name, plugins = []) {
  const { build } = await import('vite');
  const root = await copyExample(folder, name);
  await build({ root, base: './', plugins, logLevel: 'error', configFile: false, build: { outDir: 'site', target: 'es2022', chunkSizeWarningLimit: 2000 } });
  return join(root, 'site');
}

/** Opens a page of the site that shows the world `main` of a server, once it does. */
async function openExample(t, site, path = '/') {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--origin', site.origin]);
  const page = await (await (await openBrowser(t)).newContext({ viewport: { width: 700, height: 420 } })).newPage();
  page.complaints = [];
  page.on('console', (message) => { if (isComplaint(message)) page.complaints.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => page.complaints.push(`exception: ${error.message}`));
  await page.goto(`${site.origin}${path}?src=${encodeURIComponent(server.url('main'))}`);
  await shows(page);
  return { server, page };
}

/** Adds an element that plays a capsule of the site. */
const playsCapsule = (page) => page.evaluate(() => new Promise((done, fail) => {
  const element = Object.assign(document.createElement('weft-world'), { src: '/changes.capsule' });
  element.addEventListener('tick', ({ detail }) => { if (detail.tick > 3) done(); });
  element.addEventListener('error', ({ message }) => fail(new Error(message)));
  document.body.append(element);
  element.scrollIntoView(); // what is out of sight is not drawn
}));

const shows = (page) => page.waitForFunction(() => document.querySelector('weft-world')?.tick > 0, null, { timeout: READY_MS });

test('a Vite application shows a world and a capsule, whose clients run in workers, and runs the engine', { skip, timeout: 120000 }, async (t) => {
  const capsule = await readFile(join(ROOT, 'tests/capsules/physics-2/changes-format-3.capsule'));
  const { page } = await openExample(t, await serveSite(t, await buildExample('vite'), { '/changes.capsule': capsule }));
  await page.waitForFunction(() => document.body.dataset.particles === '16');
  await playsCapsule(page);
  assert.equal(page.workers().length, 2);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'package-vite')}`);
  assert.deepEqual(page.complaints, []);
});

test('so it does while it is developed', { skip, timeout: 120000 }, async (t) => {
  const { createServer } = await import('vite');
  const root = await copyExample(folder, 'vite');
  const dev = await createServer({ root, logLevel: 'error', configFile: false, server: { host: '127.0.0.1', port: 0, hmr: false, ws: false, fs: { allow: [folder] } } });
  t.after(() => dev.close());
  await dev.listen();
  const { page } = await openExample(t, { origin: `http://127.0.0.1:${dev.httpServer.address().port}` });
  assert.equal(page.workers().length, 1);
  await page.waitForFunction(() => document.body.dataset.particles === '16');
});

test('a React application shows a world, changes it, and takes it away', { skip, timeout: 120000 }, async (t) => {
  const { default: react } = await import('@vitejs/plugin-react');
  const { server, page } = await openExample(t, await serveSite(t, await buildExample('react', [react()])));
  await page.waitForFunction(() => document.querySelector('output').textContent !== '0 s');
  assert.equal(await page.evaluate(() => document.querySelector('weft-world').getCamera().join(' ')), '0 2 8 0 1 0');
  await page.getByRole('button', { name: 'Controls' }).click();
  await page.locator('weft-world').getByRole('button', { name: 'Pause' }).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'package-react')}`);
  await page.getByRole('button', { name: 'Hide' }).click();
  await until(async () => (await server.clients()) === 0 && page.workers().length === 0, 'the world is left');
  await page.getByRole('button', { name: 'Show' }).click();
  await shows(page);
  assert.deepEqual(page.complaints, []);
});

test('one file with three.js inside shows a world in a page without a build', { timeout: 120000 }, async (t) => {
  const bundle = await readFile(join(installed, 'dist/weft-world.js'));
  const site = await serveSite(t, installed, {
    '/changes.capsule': await readFile(join(ROOT, 'tests/capsules/physics-2/changes-format-3.capsule')),
    '/page': `<!doctype html><title>One file</title><link rel="icon" href="data:,"><script type="module" src="/dist/weft-world.js"></script>
      <weft-world style="width: 640px; height: 360px"></weft-world><script>document.querySelector('weft-world').setAttribute('src', new URLSearchParams(location.search).get('src'))</script>`,
  });
  const { page } = await openExample(t, site, '/page');
  await playsCapsule(page);
  assert.equal(page.workers().length, 2);
  t.diagnostic(`${(bundle.length / 1024).toFixed(0)} KB`);
  assert.deepEqual(page.complaints, []);
});
