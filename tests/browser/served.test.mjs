// SPDX-License-Identifier: MIT
// The page as `make run` serves it: a few bundled files, which browsers keep, and the modules of the source beside them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { BUILD, ROOT, Weftd } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';
import { isComplaint, openBrowser } from './page.mjs';

const PATIENCE_MS = 90000;
const REQUESTS_MOST = 12; // before the first picture; 118 of single modules

/** Builds the folder, unless it is up to date. */
async function buildServed() {
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  await promisify(execFile)('make', ['--no-print-directory', `OUT=${BUILD}`, join(BUILD, 'web/index.html')], { cwd: ROOT, env });
  return join(BUILD, 'web');
}

test('the page that servers serve loads a few files, and its tools when they are opened', { timeout: 400000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth'], { env: { WEFT_WEB: await buildServed() } });
  const browser = await openBrowser(t);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const [requests, complaints, workers] = [[], [], []];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname));
  page.on('console', (message) => { if (isComplaint(message)) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(server.http('/'));
  await page.waitForFunction(() => performance.getEntriesByName('first-picture').length > 0);
  t.diagnostic(`${requests.length} requests: ${requests.join(' ')}`);
  assert.ok(requests.length <= REQUESTS_MOST, requests.join('\n'));
  assert.deepEqual(requests.filter((path) => path !== '/' && !path.startsWith('/app/')), []);
  assert.ok(workers[0].startsWith('/app/worker-'), 'the worker is bundled, too');

  const sizes = await Promise.all(requests.filter((path) => path.endsWith('.js')).map(async (path) => ({ path, size: (await (await fetch(server.http(path))).text()).length })));
  const { path: bundled } = sizes.sort((one, other) => other.size - one.size)[0];
  const { headers } = await fetch(server.http(bundled), { headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual([headers.get('cache-control'), headers.get('content-encoding')], ['public, max-age=31536000, immutable', 'gzip']);
  assert.equal((await fetch(server.http('/'))).headers.get('cache-control'), 'no-cache');
  const map = await (await fetch(server.http(`${bundled}.map`))).json();
  assert.ok(map.sources.length > 0 && map.sourcesContent.some((text) => text.includes('SPDX')), 'the source is at hand');

  const titles = await page.evaluate(() => ['share', 'export', 'console', 'plots', 'xray', 'time'].map((id) => window.weft.page.docks.open(id).then(() => document.querySelector(`#dock-${id} .dock-body`).childElementCount > 0))
    .reduce(async (all, next) => [...await all, await next], Promise.resolve([])));
  assert.deepEqual(titles, [true, true, true, true, true, true]);
  const client = await page.evaluate(async () => {
    const { WeftClient } = await import('/client/client.js');
    const made = new WeftClient(`ws://${location.host}/worlds/main`, { worker: true });
    const { world } = await made.connect();
    made.close();
    return world;
  });
  assert.equal(client, 'main', 'the public client is at its address');
  assert.deepEqual(complaints, []);

  const local = await (await browser.newContext()).newPage();
  local.on('console', (message) => { if (isComplaint(message)) complaints.push(message.text()); });
  await local.goto(server.http('/?world=local:rope'));
  await until(() => local.evaluate(() => performance.getEntriesByName('first-picture').length > 0), 'a local world', PATIENCE_MS);
  await local.goto(server.http('/source.html'));
  await until(() => local.evaluate(() => performance.getEntriesByName('first-picture').length > 0), 'the page of single modules', PATIENCE_MS);
  assert.deepEqual(complaints, []);
});
