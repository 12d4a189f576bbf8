// SPDX-License-Identifier: MIT
// The basic use of the page: it opens without errors, in the light theme and with every scene, reports a lost connection, and
// its buttons and keys work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Weftd } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import { addFromMenu, drawn, findObject, keepScreenshot, openBrowser, openPage, openPanel, replaceForAll } from './page.mjs';

test('the light theme is shown to who prefers it', async (t) => {
  const server = await Weftd.start(t);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { colorScheme: 'light' });
  await sleep(4000);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'default-light')}`);
  const brightness = await page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    return (r + g + b) / 3;
  });
  assert.ok(brightness > 180, `background of brightness ${brightness}`);
  assert.deepEqual(page.complaints, []);
});

test('every scene that comes with the server opens without a word on the console and leaves nothing behind', async (t) => {
  const server = await Weftd.start(t);
  const client = await server.connect('main');
  const { scenes } = await client.call('scene.list');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  for (const { name } of scenes.filter(({ saved }) => !saved)) {
    await page.selectOption('#scene', name);
    await replaceForAll(page);
    await page.waitForFunction((wanted) => document.getElementById('scene').value === wanted && window.weft.client.topology, name);
    await until(async () => (await client.call('world.get')).scene === name, `the scene ${name}`);
    await drawn(page, 2);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, `scene-${name}`)}`);
    await until(async () => { // a cloth that tears has more particles with each tick
      const there = (await client.call('object.list')).objects.map(({ object, kind, particles }) => ({ id: object, kind, particles }));
      const shown = await page.evaluate(() => window.weft.objects.map(({ id, kind, particles }) => ({ id, kind, particles })));
      return isDeepStrictEqual(shown, there);
    }, `the page to show the objects of ${name}`);
  }
  await page.selectOption('#scene', 'empty');
  await replaceForAll(page);
  await page.waitForFunction(() => window.weft.objects.length === 0);
  await page.waitForFunction(() => window.weft.quality.triangles < 100); // nothing is drawn of an empty world
  assert.deepEqual(page.complaints, []);
});

test('the menu adds things of every kind, and reset takes them away', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const kinds = [
    ['Cloth', 'cloth'], ['Rope', 'rope'], ['Tetrahedron', 'body'], ['Plant', 'plant'], ['Ragdoll', 'ragdoll'], ['Tearable cloth', 'cloth'], ['Box', 'body'],
  ];
  for (const [item, kind] of kinds) {
    await addFromMenu(page, item);
    const { id } = await findObject(page, kind);
    const { objects } = await client.call('object.list');
    assert.equal(objects.find(({ object }) => object === id)?.kind, kind);
  }
  await sleep(1500);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'added')}`);
  await page.getByRole('button', { name: 'Restart scene' }).click();
  await replaceForAll(page);
  await page.waitForFunction(() => window.weft.objects.length === 0);
  assert.deepEqual((await client.call('object.list')).objects, []);
  assert.deepEqual(page.complaints, []);
});

test('the menu opens, is walked through and closes by keys', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const button = page.getByRole('button', { name: 'Add', exact: true });
  const menu = page.getByRole('menu', { name: 'Add' });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await menu.waitFor();
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Ragdoll');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await findObject(page, 'rope');
  assert.equal(await menu.isVisible(), false);
  await button.click();
  await page.keyboard.press('Escape');
  assert.equal(await menu.isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'add');
  assert.deepEqual(page.complaints, []);
});

test('pause, step and resume work by button and by key', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const client = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const running = (wanted) => until(async () => (await client.call('world.get')).running === wanted, `a world that is ${wanted ? 'running' : 'paused'}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await running(false);
  const { tick } = await client.call('world.get');
  await page.getByRole('button', { name: 'Step one tick' }).click();
  await page.locator('#stage').focus();
  await page.keyboard.press('s');
  await until(async () => (await client.call('world.get')).tick >= tick + 2, 'two steps');
  assert.equal((await client.call('world.get')).tick, tick + 2);
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.keyboard.press(' ');
  await running(true);
  assert.deepEqual(page.complaints, []);
});

test('what someone else changes in the world is in the panel, and the panel changes it for everyone', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const client = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  await openPanel(page, 'settings');
  const row = (name) => page.locator('#panel .lil-controller', { has: page.getByText(name, { exact: true }) }).locator('input');
  await client.call('world.set', { substeps: 23, wind: { velocity: [2.5, 0, 0] } });
  await page.waitForFunction(() => [...document.querySelectorAll('#panel input')].some((input) => input.value === '23'));
  assert.equal(await row('Wind X (m/s)').inputValue(), '2.5');
  await row('Gravity (m/s²)').fill('3.7');
  await row('Gravity (m/s²)').press('Enter');
  await until(async () => Math.abs((await client.call('world.get')).gravity[1] + 3.7) < 1e-6, 'the gravity of the panel');
  assert.equal(await row('Air density (kg/m³)').inputValue(), '1.2');
  await row('Air density (kg/m³)').fill('0');
  await row('Air density (kg/m³)').press('Enter');
  await until(async () => (await client.call('world.get')).airDensity === 0, 'the air density of the panel');
  assert.deepEqual(page.complaints, []);
});

test('what the server refuses is told in its own words, as text', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--max-particles', '10']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  await addFromMenu(page, 'Cloth');
  const toast = page.locator('.toast');
  await toast.waitFor();
  assert.match(await toast.textContent(), /particles/);
});

test('an overlay says that the server is gone, counts down, and vanishes when it is back', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const overlay = page.locator('#overlay');
  assert.equal(await overlay.isVisible(), false);
  await server.end('SIGKILL');
  await overlay.waitFor({ state: 'visible', timeout: 15000 });
  assert.match(await overlay.textContent(), /Connection lost/);
  await page.waitForFunction(() => /Retrying in \d+ s|Connecting/.test(document.getElementById('overlay-countdown').textContent));
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'server-gone')}`);
  const frames = await page.evaluate(() => window.weft.frames);
  await Weftd.start(t, ['--port', String(server.port), '--world', 'main=rope']);
  await overlay.waitFor({ state: 'hidden' });
  await page.waitForFunction((before) => window.weft.frames > before + 10, frames);
});
