// SPDX-License-Identifier: MIT
// A link holds a local world: the page that opens it computes the same state. A world that is too long for a link is offered as a capsule.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { WeftClient } from '../../web/client/client.js';
import { linkOfLocal } from '../../web/viewer/tools/share/link.js';
import { PAGE_OPTIONS, withoutLink } from '../../web/viewer/page/world_address.js';
import { until } from '../support/wait.mjs';
import { buildSite, serveSite } from '../support/site.mjs';
import { BUILD, ROOT, Weftd } from '../support/weftd.mjs';
import { findObject, keepScreenshot, openBrowser, openPage, screenOf } from './page.mjs';

const PATIENCE_MS = 60000;

const call = (page, method, params) => page.evaluate(([wanted, given]) => window.weft.page.client.call(wanted, given), [method, params ?? {}]);
const field = (page) => page.getByLabel('Link to this world');
const methods = async (page) => (await call(page, 'world.history', { most: 1000 })).commands.map(({ method }) => method);

test('a link keeps the page’s options, and only these are its own', async () => {
  const seen = 'http://weft.test/?world=local:x&gravity=0,-1,0&tick=7&panel=share&theme=light#AbC';
  assert.equal(withoutLink(seen), 'http://weft.test/?world=local%3Ax&panel=share&theme=light');
  const link = linkOfLocal(withoutLink(seen), { scene: 'cloth', search: 'gravity=0,-3,0&tick=9', fragment: 'Ax_-', reason: '' }, { view: true, panels: false, embed: true });
  assert.equal(link, 'http://weft.test/?scene=cloth&gravity=0,-3,0&tick=9&theme=light&embed#Ax_-');

  // The options that parts of the page name, in all of its modules.
  const folder = join(ROOT, 'web/viewer');
  const found = new Set();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, name] of text.matchAll(/(?:address\.(?:add|get)|URLSearchParams\(location\.search\)\.(?:get|has))\('(\w+)'/g)) found.add(name);
  }
  assert.deepEqual([...found].filter((name) => !PAGE_OPTIONS.includes(name)), [], 'PAGE_OPTIONS in page/world_address.js lacks these');
  assert.ok(found.size >= 6, [...found].join());
});

test('a world of the page is dragged, shared as a link, and opened from it with the same state', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  const page = await openPage(browser, server.http('/?scene=cloth&gravity=0,-4,0'), options);
  assert.deepEqual((await call(page, 'world.get')).gravity, [0, -4, 0]);
  const cloth = await findObject(page, 'cloth');
  const at = await screenOf(page, cloth.id, 20 * 40 + 20); // in the middle, where a swaying cloth is not missed
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(async () => (await call(page, 'world.get')).counts.grabs === 1, 'the grab', PATIENCE_MS);
  await page.mouse.move(at.x + 60, at.y - 30, { steps: 12 });
  await page.mouse.up();
  await until(async () => (await methods(page)).includes('grab.end'), 'the end of the grab', PATIENCE_MS);
  await call(page, 'world.pause');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByText('This link contains the world as it is now.').waitFor();
  await until(async () => (await field(page).inputValue()).includes('#'), 'the link', PATIENCE_MS);
  await page.getByRole('button', { name: 'Copy link', exact: true }).click();
  await page.getByText('Copied the link.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\?scene=cloth&gravity=0,-4,0&tick=\d+&paused=true#[\w-]+$/);
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

/** A link of a world in which a body fell on the cloth, and the state to which it leads. */
async function makeLink(t) {
  const client = new WeftClient('local:cloth?paused=true');
  t.after(() => client.close());
  await client.connect();
  await client.call('world.set', { gravity: [0, -5, 0] });
  await client.call('body.spawn', { position: [0.3, 3, 0.5] });
  await client.call('world.step', { ticks: 90 });
  const { scene, search, fragment, reason } = await client.link();
  assert.equal(reason, '');
  const { tick, stateHash } = await client.call('world.get');
  return { part: `?scene=${scene}&${search}#${fragment}`, state: { tick, stateHash } };
}

const stateOf = async (page) => {
  const { tick, stateHash } = await call(page, 'world.get');
  return { tick, stateHash };
};

test('on the page of a server a link is a world of one’s own, which the server can go on with', { timeout: 300000 }, async (t) => {
  const { part, state } = await makeLink(t);
  const server = await Weftd.start(t, ['--world', 'cloth=cloth', '--paused', '--editors-import']);
  const page = await openPage(await openBrowser(t), server.http(`/${part}`));
  assert.deepEqual(await stateOf(page), state);
  const visitor = await server.connect('cloth');
  const worlds = async () => (await visitor.call('world.list')).worlds.map(({ name }) => name);
  assert.deepEqual(await worlds(), ['cloth'], 'the server has no other world');
  assert.equal((await visitor.call('world.get')).tick, 0, 'and its world stays as it was');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Share on the server', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('world') === 'cloth-2' && url.hash === '' && !url.searchParams.has('gravity'), { timeout: PATIENCE_MS });
  const shared = await (await server.connect('cloth-2')).call('world.get');
  assert.deepEqual({ tick: shared.tick, stateHash: shared.stateHash }, state);
  assert.deepEqual(page.complaints, []);
});

test('a static host and a file open a link with the same state, and the next one in the same tab', { timeout: 300000 }, async (t) => {
  const { part, state } = await makeLink(t);
  const { file } = await buildSite();
  const { origin } = await serveSite(t, BUILD);
  const browser = await openBrowser(t);
  for (const base of [`${origin}/site/`, pathToFileURL(file).href]) {
    const page = await openPage(browser, base + part);
    assert.deepEqual(await stateOf(page), state, base);
    await page.evaluate(() => { window.isOld = true; });
    await page.evaluate((damaged) => { location.hash = damaged; }, part.split('#')[1].slice(0, -8)); // its end is missing
    await page.waitForFunction(() => !window.isOld, null, { timeout: PATIENCE_MS });
    await page.getByText(/The link is wrong: its part after # is damaged/).first().waitFor({ timeout: PATIENCE_MS });
    await page.close();
  }
});

test('a world that is too long for a link is offered as a capsule', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=local:empty&panel=share'));
  await call(page, 'world.pause');
  const positions = Array.from({ length: 3000 }, (_, index) => [Math.sqrt(index), Math.sin(index), Math.cos(7 * index)]);
  await call(page, 'particles.spawn', { positions });
  await page.getByLabel('Include my open panels').check();
  await page.getByText(/This world has no link: its link would have \d+ characters; only links of up to 8000 work everywhere\. Download a capsule instead/).waitFor();
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
  await page.goto(server.http('/?scene=cloth&gravty=0,-3,0'));
  await page.getByText(/world\.set has no gravty; did you mean gravity\?/).first().waitFor({ timeout: PATIENCE_MS });
  await page.getByText(/Check the link in the address bar, or open a scene:/).waitFor();
  assert.equal(await page.getByRole('link', { name: 'cloth', exact: true }).getAttribute('href'), server.http('/?world=local%3Acloth'));
  await context.close();
});
