// SPDX-License-Identifier: MIT
// The page where a token is wanted: it asks, tells what is wrong, lets in, and out again; under its content policy nothing
// of it is missing.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { openBrowser } from './page.mjs';

const READY_MS = 60000;

test('the page asks for a token, keeps it where no script reads it, and logs out', { timeout: 180000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-login-'));
  t.after(() => rm(folder, { recursive: true }));
  const tokens = join(folder, 'tokens');
  const token = (await run(WEFTCTL, ['token', 'make', 'editor', '<b>class</b>', '--tokens', tokens])).stdout.trim();
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--tokens', tokens]);
  const browser = await openBrowser(t);
  const page = await (await browser.newContext()).newPage();
  const refused = [];
  page.on('console', (message) => /Content Security Policy|WebAssembly/.test(message.text()) && refused.push(message.text()));
  await page.goto(server.http('/'));
  const form = page.getByRole('dialog', { name: 'This world asks for a token' });
  await form.waitFor({ timeout: READY_MS });
  await form.getByLabel('Token').fill('weft_wrong');
  await form.getByRole('button', { name: 'Enter' }).click();
  await form.getByText('This is no valid token.').waitFor();
  assert.equal(await form.getByText('This is no valid token.').locator('*').count(), 0, 'text only');
  await form.getByLabel('Token').fill(token);
  await Promise.all([page.waitForNavigation({ timeout: READY_MS }), form.getByRole('button', { name: 'Enter' }).click()]);
  await page.waitForFunction(() => window.weft, null, { timeout: READY_MS });
  await page.evaluate(() => window.weft.ready);
  assert.deepEqual(await page.evaluate(() => [window.weft.client.hello.role, document.cookie, location.search]), ['editor', '', '']);
  assert.equal(await form.isVisible(), false);
  const removed = await page.evaluate(() => window.weft.client.call('object.list'));
  assert.ok(removed.objects.length > 0);
  await Promise.all([page.waitForNavigation({ timeout: READY_MS }), page.getByRole('button', { name: 'Log out' }).click()]);
  await form.waitFor({ timeout: READY_MS });
  assert.deepEqual(refused, []);
});
