// SPDX-License-Identifier: MIT
// The data that the page loads: all in gzip, less than a megabyte with every panel opened, and the modules of the first
// picture listed for preloading; the time of the first picture is reported, not tested, because machines differ.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT, Weftd } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';
import { isComplaint, openBrowser, openPage } from './page.mjs';

const MEGABYTE = 1e6;
const QUIET_MS = 1500;
const SHORT = 600; // smaller files are not worth compressing

test('the page names all modules that its first picture needs', async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'web/preload.mjs'), '--check']);
});

test('the first picture comes from less than 700 kB, and all panels together stay below a megabyte', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=default']);
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 640, height: 400 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const complaints = [];
  page.on('console', (message) => { if (isComplaint(message)) complaints.push(message.text()); });
  page.on('pageerror', ({ message }) => complaints.push(message));
  const answers = new Map();
  let bytes = 0;
  let lastAt = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => answers.set(requestId, response));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    lastAt = performance.now();
  });
  await page.goto(server.http('/'));
  await page.waitForFunction(() => performance.getEntriesByName('first-picture').length > 0, null, { timeout: 60000 });
  const first = bytes;
  const pictureMs = await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime);
  t.diagnostic(`first picture after ${pictureMs.toFixed(0)} ms (wanted on a machine that does nothing else: 1500)`);
  t.diagnostic(`until then ${(first / 1000).toFixed(0)} kB in ${answers.size} answers`);
  assert.ok(first < 0.7 * MEGABYTE, `${first} bytes`);

  for (const { url, headers, mimeType } of answers.values()) {
    if (!/javascript|css/.test(mimeType) || Number(headers['Content-Length']) < SHORT) continue;
    assert.equal(headers['Content-Encoding'], 'gzip', url);
  }

  const docks = await page.evaluate(() => window.weft.page.actions.list().map(({ id }) => id).filter((id) => id.startsWith('dock.')));
  assert.ok(docks.length > 4, `${docks}`);
  for (const id of docks) await page.evaluate(async (action) => window.weft.page.docks.open(action.slice('dock.'.length), false), id);
  await until(async () => performance.now() - lastAt > QUIET_MS, 'an end of what the panels load');
  t.diagnostic(`with all ${docks.length} panels ${(bytes / 1000).toFixed(0)} kB`);
  assert.ok(bytes < MEGABYTE, `${bytes} bytes`);
  assert.deepEqual(complaints, []);
});

test('a page that is opened again fetches nothing anew', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?embed'), { viewport: { width: 400, height: 300 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.reload();
  await page.evaluate(() => window.weft.ready);
  t.diagnostic(`${(bytes / 1000).toFixed(0)} kB of headers and of the document`);
  assert.ok(bytes < 0.12 * MEGABYTE, `${bytes} bytes`);
  assert.deepEqual(page.complaints, []);
});
