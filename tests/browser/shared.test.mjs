// SPDX-License-Identifier: MIT
// Actions that affect other clients of a world: the user is asked for confirmation, others are informed, and can have the
// action undone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { delayingProxy } from '../support/delaying_proxy.mjs';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const LONG = { timeout: 240000 };

const toast = (page, text) => page.locator('.toast').filter({ hasText: text });
const dialog = (page) => page.getByRole('alertdialog').filter({ visible: true });
const kinds = async (client) => (await client.call('object.list')).objects.map(({ kind }) => kind);
/** Calls a method as the user of this page, so that it counts as this client's command. */
const callAsUser = (page, method, params) => page.evaluate(([name, given]) => window.weft.page.call(name, given), [method, params]);
const nameOf = (page) => page.evaluate(() => window.weft.client.hello.you.name);

/** Two pages in one stored world, and a script that observes it. */
async function two(t, scene = 'room') {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--world', `main=${scene}`]);
  const browser = await openBrowser(t);
  const [ann, bea] = [await openPage(browser, server.http('/')), await openPage(browser, server.http('/'))];
  for (const page of [ann, bea]) await page.waitForFunction(() => window.weft.page.editable);
  return { server, ann, bea };
}

test('a reset asks when others are there; all are told who did it, and anyone undoes it', LONG, async (t) => {
  const { server, ann, bea } = await two(t);
  const eye = await server.connect('main');
  await callAsUser(bea, 'rope.spawn', { from: [-1, 2, 0], to: [1, 2, 0], particles: 12 });
  await ann.click('#reset');
  await dialog(ann).getByText('replaces what everyone sees').waitFor();
  assert.match(await dialog(ann).textContent(), new RegExp(await nameOf(bea)), 'it says who is there');
  t.diagnostic(`screenshot: ${await keepScreenshot(ann, 'reset-asks')}`);
  await dialog(ann).getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await kinds(eye), ['rope'], 'nothing happened');

  await ann.click('#reset');
  await dialog(ann).getByRole('button', { name: 'Restart for everyone' }).click();
  const told = toast(bea, `${await nameOf(ann)} restarted the scene`);
  await told.hover(); // it stays while the pointer is on it
  assert.deepEqual(await kinds(eye), []);
  t.diagnostic(`screenshot: ${await keepScreenshot(bea, 'reset-told')}`);
  await told.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await kinds(eye)).includes('rope'), 'the rope to be back');

  await ann.selectOption('#scene', 'cloth');
  await dialog(ann).getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await ann.locator('#scene').inputValue(), 'room', 'the list shows what is there');
  await ann.selectOption('#scene', 'cloth');
  await dialog(ann).getByRole('button', { name: 'Load for everyone' }).click();
  const own = toast(ann, 'You loaded the scene “cloth”');
  await Promise.all([own.hover(), toast(bea, 'loaded the scene “cloth”').waitFor()]);
  await own.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await kinds(eye)).includes('rope'), 'the rope to be back');
});

test('who is alone is not asked', LONG, async (t) => {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--world', 'main=rope']);
  const page = await openPage(await openBrowser(t), server.http('/'));
  await page.waitForFunction(() => window.weft.page.editable);
  await page.evaluate(() => { window.anew = 0; window.weft.client.on('world.changed', ({ reason }) => { window.anew += reason === 'reset'; }); });
  await page.click('#reset');
  await page.waitForFunction(() => window.anew === 1);
  assert.equal(await dialog(page).count(), 0);
  assert.equal(await toast(page, 'anew').count(), 0);
});

test('an undo that takes others\' work with it asks, tells them, and Redo brings it back', LONG, async (t) => {
  const { server, ann, bea } = await two(t);
  const eye = await server.connect('main');
  const { object } = await callAsUser(ann, 'cloth.spawn', { columns: 8, rows: 8, position: [0, 3, 0], name: 'curtain' });
  await callAsUser(bea, 'particle.pin', { object, particles: [3] });
  await callAsUser(bea, 'particle.pin', { object, particles: [4] });
  await ann.keyboard.press('Control+z');
  await dialog(ann).getByText('Pin on “curtain”, 2 times').waitFor();
  assert.match(await dialog(ann).textContent(), new RegExp(await nameOf(bea)));
  t.diagnostic(`screenshot: ${await keepScreenshot(ann, 'undo-asks')}`);
  await dialog(ann).getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await kinds(eye), ['cloth']);

  await ann.keyboard.press('Control+z');
  await dialog(ann).getByRole('button', { name: 'Undo anyway' }).click();
  await toast(bea, `${await nameOf(ann)} undid “Add cloth”, and these changes of yours are lost: Pin on “curtain”, 2 times.`).waitFor();
  await until(async () => (await kinds(eye)).length === 0, 'the cloth to be gone');
  await ann.getByRole('button', { name: 'Redo' }).click();
  await until(async () => (await kinds(eye)).length === 1, 'the cloth to be back');
  const { objects: [{ pins }] } = await eye.call('object.list');
  assert.ok(pins >= 2, `${pins} pins`);
});

test('an undo that is asked for before its command is answered can be redone', LONG, async (t) => {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--world', 'main=cloth']);
  const eye = await server.connect('main');
  const [{ object }] = (await eye.call('object.list')).objects;
  const pins = async () => (await eye.call('object.list')).objects[0].pins;
  const page = await openPage(await openBrowser(t), `http://127.0.0.1:${await delayingProxy(t, server.port, 400)}/`);
  await page.waitForFunction(() => window.weft.page.editable && window.weft.objects.length === 1);
  const before = await pins();
  const answered = callAsUser(page, 'particle.pin', { object, particles: [200, 201] });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await answered;
  await until(async () => await pins() === before && await page.locator('[role="status"]', { hasText: 'Undid' }).count() === 1, 'the undo', 30000);
  await page.keyboard.press('Control+Shift+Z');
  await until(async () => await pins() === before + 2, 'the redo', 30000);
});

test('an undo that takes long shows everybody how far it is, can be cancelled, and offers the quick way', LONG, async (t) => {
  const { server, ann, bea } = await two(t);
  const eye = await server.connect('main');
  await eye.call('world.pause');
  const { object } = await callAsUser(ann, 'particles.spawn', { positions: [[3, 1, 3]] });
  await eye.call('cloth.spawn', { columns: 40, rows: 40, position: [0, 3, 0], thickness: 0.02, selfCollision: true });
  // Far more than the 5 s from which on the page asks. Once all objects sleep, ticks are so fast that this may be minutes of
  // the world.
  const began = performance.now();
  for (let ticks = 0; performance.now() - began < 12000; ticks += 50) await eye.call('world.step', { ticks: 50 });

  const asked = callAsUser(ann, 'world.undo', {}); // without a limit
  const bar = bea.locator('#undo-progress');
  await bar.getByText(/is undoing “Add particles”: \d+%/).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(bea, 'undo-progress')}`);
  await bar.getByRole('button', { name: 'Cancel' }).click();
  await asked;
  await bar.waitFor({ state: 'hidden' });
  assert.ok((await eye.call('object.list')).objects.some(({ object: id }) => id === object), 'the world is what it was');

  await ann.keyboard.press('Control+z');
  await dialog(ann).getByText(/takes about \d+ (seconds|minutes)/).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(ann, 'undo-long')}`);
  await dialog(ann).getByRole('button', { name: 'Remove it now' }).click();
  await until(async () => !(await eye.call('object.list')).objects.some(({ object: id }) => id === object), 'it to be removed');
});

test('a new world is a room with a floor, unless another scene is chosen', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await openPage(await openBrowser(t), server.http('/'));
  await page.waitForFunction(() => window.weft.page.editable);
  await page.getByRole('button', { name: 'Worlds', exact: true }).click();
  const scenes = page.getByRole('combobox', { name: 'Scene of the new world' });
  await scenes.locator('option[value="cloth"]').waitFor({ state: 'attached' });
  assert.equal(await scenes.inputValue(), 'room');
  assert.ok(await scenes.locator('option[value="empty"]').count() === 1, 'the laboratory can be chosen');
  await page.getByRole('textbox', { name: 'Name of the new world' }).fill('mine');
  await page.getByRole('button', { name: 'Create & open' }).click();
  await page.waitForFunction(() => window.weft?.client.hello?.world === 'mine');
  await page.waitForFunction(() => window.weft.page.editable);
  await page.click('#add');
  await page.getByRole('menuitem', { name: 'Box', exact: true }).click();
  const client = await server.connect('mine');
  const { bounds } = await client.call('world.get');
  assert.deepEqual([bounds.min, bounds.max[0] - bounds.min[0], bounds.max[2] - bounds.min[2]], [[-4, 0, -4], 8, 8]);
  await until(async () => {
    const { objects: [box] } = await client.call('object.list');
    if (!box) return false;
    const { positions, velocities } = await client.call('particle.read', { object: box.object });
    return positions.every(([, y]) => y < 2 && y > 0) && velocities.every((velocity) => Math.hypot(...velocity) < 0.1);
  }, 'the box to lie on the floor', 20000);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'room')}`);
});
