// SPDX-License-Identifier: MIT
// A link holds a local world: the page that opens it computes the same state. A world that is too long for a link is offered as a capsule.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { linkOfLocal } from '../../web/viewer/tools/share/link.js';
import { PAGE_OPTIONS, withoutLink } from '../../web/viewer/page/world_address.js';
import { until } from '../support/wait.mjs';
import { ROOT, Weftd } from '../support/weftd.mjs';
import { findObject, keepScreenshot, openBrowser, openPage, screenOf } from './page.mjs';

const PATIENCE_MS = 60000;

const call = (page, method, params) => page.evaluate(([wanted, given]) => window.weft.page.client.call(wanted, given), [method, params ?? {}]);
const field = (page) => page.getByLabel('Link to this world');
const methods = async (page) => (await call(page, 'world.history', { most: 1000 })).commands.map(({ method }) => method);

test('a link keeps the page’s options, and only these are its own', async () => {
  const seen = 'http://weft.test/?world=local:x&gravity=0,-1,0&tick=7&panel=share&theme=light#AbC';
  assert.equal(withoutLink(seen), 'http://weft.test/?world=local%3Ax&panel=share&theme=light');
  const link = linkOfLocal(withoutLink(seen), { scene: 'cloth', search: 'gravity=0,-3,0&tick=9', fragment: 'Ax_-', reason: '' }, { view: true, panels: false, embed: true });
  assert.equal(link, 'http://weft.test/?world=local%3Acloth&theme=light&embed&gravity=0,-3,0&tick=9#Ax_-');

  // The options that parts of the page name, in all of its modules.
  const folder = join(ROOT, 'web/viewer');
  const found = new Set();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, name] of text.matchAll(/address\.(?:add|get)\('(\w+)'/g)) found.add(name);
  }
  assert.deepEqual([...found].filter((name) => !PAGE_OPTIONS.includes(name)), [], 'PAGE_OPTIONS in page/world_address.js lacks these');
  assert.ok(found.size >= 6, [...found].join());
});

test('a world of the page is dragged, shared as a link, and opened from it with the same state', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  const page = await openPage(browser, server.http('/?world=local:cloth&gravity=0,-4,0'), options);
  assert.deepEqual((await call(page, 'world.get')).gravity, [0, -4, 0]);
  const cloth = await findObject(page, 'cloth');
  const at = await screenOf(page, cloth.id, Math.floor(cloth.particles / 2));
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(async () => (await call(page, 'world.get')).counts.grabs === 1, 'the grab', PATIENCE_MS);
  await page.mouse.move(at.x + 60, at.y - 30, { steps: 12 });
  await page.mouse.up();
  await until(async () => (await methods(page)).includes('grab.end'), 'the end of the grab', PATIENCE_MS);
  await call(page, 'world.pause');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByText('This link holds the world as it is now.').waitFor();
  await until(async () => (await field(page).inputValue()).includes('#'), 'the link', PATIENCE_MS);
  await page.getByRole('button', { name: 'Copy link', exact: true }).click();
  await page.getByText('Copied the link.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\?world=local%3Acloth&gravity=0,-4,0&tick=\d+&paused=true#[\w-]+$/);
  await keepScreenshot(page, 'share-local');
  const state = await call(page, 'world.get');

  const other = await openPage(browser, link);
  const opened = await call(other, 'world.get');
  assert.deepEqual([opened.tick, opened.stateHash, opened.running], [state.tick, state.stateHash, false]);
  assert.ok((await methods(other)).includes('grab.end'), 'it can be undone there');
  await call(other, 'world.resume');
  await until(async () => (await call(other, 'world.get')).tick > state.tick + 5, 'it goes on', PATIENCE_MS);
  assert.equal((await call(page, 'world.get')).tick, state.tick, 'the first world is another one');
});

test('a world that is too long for a link is offered as a capsule', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=local:empty&panel=share'));
  await call(page, 'world.pause');
  const positions = Array.from({ length: 3000 }, (_, index) => [Math.sqrt(index), Math.sin(index), Math.cos(7 * index)]);
  await call(page, 'particles.spawn', { positions });
  await page.getByLabel('with the panels I have open').check();
  await page.getByText(/This world has no link: its link would have \d+ characters, and at most 8000 are passed on safely\. A capsule holds it/).waitFor();
  assert.equal(await field(page).inputValue(), '');
  assert.equal(await page.getByRole('button', { name: 'Copy link', exact: true }).isDisabled(), true);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download capsule', exact: true }).first().click();
  assert.equal((await download).suggestedFilename(), 'empty.capsule');
});

test('the page says what is wrong with a link', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.http('/?world=local:cloth&gravty=0,-3,0'));
  await page.getByText(/world\.set has no gravty; did you mean gravity\?/).first().waitFor({ timeout: PATIENCE_MS });
  await page.getByText(/Correct the link in the address, or open a scene as it is:/).waitFor();
  assert.equal(await page.getByRole('link', { name: 'cloth', exact: true }).getAttribute('href'), server.http('/?world=local%3Acloth'));
  await context.close();
});
