// SPDX-License-Identifier: MIT
// The reference page in a browser: every method of the schema is there, and its example can be run, in a temporary world or
// in a shared one.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { ROOT, Weftd } from '../support/weftd.mjs';
import { isComplaint, keepScreenshot, openBrowser } from './page.mjs';

// The examples refer to things that do not exist here: clients, tokens, nodes, a history, worlds, undone commands.
const ABSENT = ['client.close', 'node.list', 'node.drain', 'session.authenticate', 'world.history', 'world.log', 'world.seek', 'world.replay', 'world.undo', 'world.redo',
  'world.branch', 'world.import', 'world.export', 'people.grant', 'people.remove', 'world.copy', 'view.follow'];

async function openReference(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark', ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => { if (isComplaint(message)) page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(`exception: ${error.message}`));
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#methods section') && document.querySelector('#where option'));
  return page;
}

const section = (page, method) => page.locator(`section[id="${method}"]`);

async function tryIt(page, method) {
  await section(page, method).getByRole('button', { name: 'Try it' }).click();
  await page.waitForFunction((id) => /^(Done|Refused)/.test(document.getElementById(id).querySelector('.outcome').textContent), method);
  return section(page, method).locator('.outcome').textContent();
}

test('every method is explained, and its example runs in a world of one’s own or a chosen one', async (t) => {
  const scenes = await mkdtemp(join(tmpdir(), 'weft-scenes-')); // one of the examples saves a scene
  t.after(() => rm(scenes, { recursive: true, force: true }));
  await cp(join(ROOT, 'server/scenes'), scenes, { recursive: true, filter: (path) => !path.endsWith('saved') });
  const server = await Weftd.start(t, ['--world', 'main=empty', '--rate', '0', '--log-level', 'error'], { env: { WEFT_SCENES: scenes } });
  const script = await server.connect('main');
  const { methods } = await script.call('rpc.discover');
  await script.call('world.create', { name: 'kept', scene: 'empty' });
  await script.call('scene.save', { name: 'others', title: 'Somebody’s own' });
  const gallery = await script.call('scene.list');
  const other = await server.connect('main');
  let closed = false;
  other.on('state', ({ state }) => { closed ||= state === 'closed'; });
  const browser = await openBrowser(t);
  const page = await openReference(browser, server.http('/reference.html'));

  await t.test('all methods are there, with params, units, ranges and defaults', async () => {
    assert.equal(await page.locator('#methods section').count(), methods.length);
    assert.match(await section(page, 'cloth.spawn').locator('table').innerText(), /spacing\s+number in m, 0\.0001 … 1000\s+0\.05\s+Distance between neighbouring particles/);
    await page.getByRole('searchbox').fill('rope');
    await page.waitForFunction(() => document.querySelectorAll('#methods section:not([hidden])').length < 5);
    assert.ok(await section(page, 'rope.spawn').isVisible());
    await page.getByRole('searchbox').fill('');
    await page.goto(server.http('/reference.html#rope.spawn'));
    await keepScreenshot(page, 'reference');
  });

  await t.test('examples run in a world of one’s own, which others do not see', async () => {
    for (const { name } of methods) {
      if (['world.freeze', 'frames.subscribe'].includes(name)) continue; // the first would disable, the second flood the following examples
      const outcome = await tryIt(page, name).catch((error) => { throw new Error(name, { cause: error }); });
      if (!ABSENT.includes(name)) assert.match(outcome, /^Done in \d+ ms/, name);
      if (name === 'cloth.spawn') await keepScreenshot(page, 'reference-tried');
    }
    assert.deepEqual((await script.call('object.list')).objects, []);
    assert.deepEqual(await script.call('scene.list'), gallery, 'everybody’s gallery is as it was');
    assert.deepEqual((await script.call('world.list')).worlds.map(({ name, temporary }) => name.startsWith('try-') && temporary ? 'try' : name).filter((name) => name !== 'try'), ['main', 'kept'], 'and so are the worlds');
    const { worlds } = await script.call('world.list');
    assert.ok(worlds.some(({ name }) => name.startsWith('try-')));
  });

  await t.test('what belongs to the whole server cannot be changed from there, whatever name is given', async () => {
    const set = (method, params) => section(page, method).getByLabel('Parameters', { exact: true }).fill(JSON.stringify(params));
    for (const [method, params, outcome] of [
      ['scene.save', { name: 'others', overwrite: true }, /^Done/], ['scene.delete', { name: 'others' }, /^Done/], ['scene.save', { name: 'Not a name' }, /^Refused: .*name/],
      ['world.remove', { name: 'kept' }, /^Done/], ['world.create', { name: 'new', scene: 'rope' }, /^Done/], ['world.branch', { name: 'twig' }, /^Done/],
      ['client.close', { client: other.hello.you.client }, /^Refused: This method does not run from a private world/], ['world.import', { name: 'x', capsule: 'AAAA' }, /^Refused: This method does not run from a private world/],
      ['node.drain', {}, /^Refused: This method does not run from a private world/], ['node.list', {}, /^Refused: this server has its worlds alone/],
    ]) {
      await set(method, params);
      assert.match(await tryIt(page, method), outcome, method);
    }
    assert.deepEqual(await script.call('scene.list'), gallery);
    assert.deepEqual((await script.call('world.list')).worlds.filter(({ temporary }) => !temporary).map(({ name }) => name), ['main', 'kept']);
    assert.equal(closed, false);
  });

  await t.test('methods of the history say why there is none, and where there is', async () => {
    for (const method of ['world.undo', 'world.redo', 'world.history', 'world.log', 'world.seek', 'world.replay', 'world.branch']) {
      if (method === 'world.branch') await section(page, method).getByLabel('Parameters', { exact: true }).fill('{"name": "past", "tick": 3}');
      assert.match(await tryIt(page, method), new RegExp(`^Refused: Your private world is temporary and keeps no history. To try ${method}, start weftd with --data DIR and choose a world above`), method);
    }
    const keeping = await Weftd.start(t, ['--world', 'main=empty', '--rate', '0', '--log-level', 'error', '--data', await dataFolder(t)]);
    const there = await openReference(browser, keeping.http('/reference.html'));
    assert.match(await tryIt(there, 'world.undo'), /keeps no history\. To try world\.undo, choose a world above that has one/);
    await there.getByLabel('Examples run in').selectOption('main');
    assert.match(await tryIt(there, 'world.history'), /^Done/);
  });

  await t.test('in a chosen world it is there for all; what is wrong is said, and chosen in the text', async () => {
    await page.getByLabel('Examples run in').selectOption('main');
    assert.match(await tryIt(page, 'body.spawn'), /^Done/);
    assert.equal((await script.call('object.list')).objects.length, 1);
    const field = section(page, 'rope.spawn').getByLabel('Parameters', { exact: true });
    await field.fill('{"from": [0, 4, 0], "to": [2, 4, 0], "particles": 1}');
    assert.match(await tryIt(page, 'rope.spawn'), /^Refused: .*particles/);
    assert.equal(await field.evaluate((element) => element.value.slice(element.selectionStart, element.selectionEnd)), '1');
    await field.fill('{"from": [0, 4, 0');
    assert.match(await section(page, 'rope.spawn').locator('.outcome').textContent(), /Refused/);
    assert.match(await tryIt(page, 'rope.spawn'), /^Refused: a comma or \] is missing/);
  });
  assert.deepEqual(page.complaints, []);

  await t.test('it fits a small screen', async () => {
    const small = await openReference(browser, server.http('/reference.html#cloth.spawn'), { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'light' });
    await keepScreenshot(small, 'reference-small');
    assert.ok(await small.evaluate(() => document.documentElement.scrollWidth) <= 390);
    assert.deepEqual(small.complaints, []);
  });
});
