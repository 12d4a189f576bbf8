// SPDX-License-Identifier: MIT
// Scenes and worlds in the page: a gallery whose pictures the page draws itself, a list of worlds with their clients, and
// addresses that lead back to the same view.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';
import { keepScreenshot, openBrowser, openPage, replaceForAll } from './page.mjs';

const SLOW = { timeout: 120000 };

const dock = (page, name) => page.getByRole('region', { name, exact: true });
const openDock = (page, name) => page.getByRole('button', { name, exact: true }).click();
const cards = (page) => page.locator('.scene-card');

/** Waits until every scene has its picture. @returns the number of colours of each picture, and a checksum */
async function picturesOf(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll('.scene-card canvas[data-taken]').length === wanted, count, SLOW);
  return page.evaluate(() => [...document.querySelectorAll('.scene-card canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) {
      colors.add(data[at] >> 3 << 10 | data[at + 1] >> 3 << 5 | data[at + 2] >> 3);
      sum = (sum * 31 + data[at] + 256 * data[at + 1] + 65536 * data[at + 2]) >>> 0;
    }
    return { scene: canvas.closest('button').dataset.scene, width: canvas.width, colors: colors.size, sum };
  }));
}

test('the gallery shows every scene as it is, without touching the world, and loads the one that is pressed', { timeout: 240000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--paused']);
  const script = await server.connect('main');
  const { scenes } = await script.call('scene.list');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const before = await script.call('world.get');

  await openDock(page, 'Scenes');
  const pictures = await picturesOf(page, scenes.length);
  assert.ok(pictures.every(({ width, colors }) => width >= 100 && colors > 12), JSON.stringify(pictures));
  const own = scenes.filter(({ saved }) => !saved).map(({ name }) => name);
  assert.equal(new Set(pictures.filter(({ scene }) => own.includes(scene)).map(({ sum }) => sum)).size, own.length, 'no two pictures are alike');
  await dock(page, 'Scenes').getByText(`${scenes.length} scenes`, { exact: true }).waitFor();
  const after = await script.call('world.get');
  assert.deepEqual([after.stateHash, after.epoch, after.tick], [before.stateHash, before.epoch, before.tick]);
  assert.equal((await script.call('world.list')).worlds.length, 1);
  assert.deepEqual(await page.locator('.scene-card[aria-current="true"]').evaluateAll((all) => all.map(({ dataset }) => dataset.scene)), ['cloth']);
  await keepScreenshot(page, 'gallery');

  await page.getByRole('searchbox', { name: 'Search scenes' }).fill('ROPE');
  const found = await cards(page).filter({ visible: true }).allTextContents();
  assert.ok(found.length > 0 && found.length < scenes.length && found.every((text) => /rope/i.test(text)), found.join('|'));
  await page.getByRole('searchbox', { name: 'Search scenes' }).fill('no such thing');
  await dock(page, 'Scenes').getByText('No scenes match “no such thing”.').waitFor();
  await page.getByRole('searchbox', { name: 'Search scenes' }).fill('');

  await page.locator('.scene-card[data-scene="bump"]').press('Enter');
  await replaceForAll(page);
  await page.locator('.scene-card[data-scene="bump"][aria-current="true"]').waitFor();
  assert.equal((await script.call('world.get')).scene, 'bump');
  assert.equal(await page.locator('.scene-card[aria-current="true"]').count(), 1);
  await page.locator('.scene-card[data-scene="bump"]').getByText('Loaded').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('worlds are listed with their people, entered, made, branched, left and removed; a link shows the same', { timeout: 240000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--world', 'two=rope']);
  const script = await server.connect('two');
  await script.call('client.introduce', { name: 'Ada', color: '#c2410c' });
  const names = async () => (await script.call('world.list')).worlds.map(({ name }) => name);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const shown = () => page.evaluate(() => window.weft?.client.hello?.world);
  const arrived = async (world) => {
    await page.waitForFunction((wanted) => window.weft?.client.hello?.world === wanted, world, SLOW);
    await page.evaluate(() => window.weft.ready);
  };
  const camera = () => page.evaluate(() => window.weft.page.stage.rig.read());
  await arrived('main');

  await t.test('the list tells who is where', async () => {
    await openDock(page, 'Worlds');
    await page.getByRole('list', { name: 'People in two' }).getByText('Ada').waitFor();
    await page.getByText('main · you are here').waitFor();
    assert.equal(await page.getByRole('list', { name: 'People in main' }).getByRole('listitem').count(), 1);
    await keepScreenshot(page, 'worlds');
  });

  await t.test('the camera is in the address and comes back to the digit, here and elsewhere', async () => {
    const fitted = await camera();
    await page.mouse.move(900, 650);
    await page.mouse.down();
    await page.mouse.move(760, 600, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => new URLSearchParams(location.search).has('camera'), null, SLOW);
    await page.waitForFunction(() => new URLSearchParams(location.search).get('camera') === window.weft.page.stage.rig.read().join('_'), null, SLOW);
    const moved = await camera();
    assert.notDeepEqual(moved, fitted);
    const link = page.url();
    assert.match(link, /[?&]world=main(&|$)/);
    await page.reload();
    await arrived('main');
    assert.deepEqual(await camera(), moved);
    await page.getByText('main · you are here').waitFor(); // the panel is open again
    const other = await openPage(browser, link);
    assert.deepEqual(await other.evaluate(() => window.weft.page.stage.rig.read()), moved);
    assert.equal(other.url(), link);
    assert.deepEqual(other.complaints, []);
    await other.context().close();
  });

  await t.test('entering is a link: back leads to where one looked before', async () => {
    const link = page.url();
    const looked = await camera();
    await page.getByRole('link', { name: 'Open two', exact: true }).click();
    await arrived('two');
    assert.equal(new URL(page.url()).searchParams.get('camera'), null, 'the camera was the other world\'s');
    await page.goBack();
    await arrived('main');
    assert.equal(page.url(), link);
    assert.deepEqual(await camera(), looked);
    await page.goForward();
    await arrived('two');
    await page.getByRole('link', { name: 'Leave and open main', exact: true }).click();
    await arrived('main');
  });

  await t.test('a world is made of a scene, a branch of the present; a name that is taken is refused in words', async () => {
    await page.getByLabel('Name of the new world').fill('two');
    await page.getByRole('button', { name: 'Create & open' }).click();
    await page.locator('.toast').getByText('there is a world "two" already').waitFor();
    assert.equal(await shown(), 'main');
    await page.getByLabel('Scene of the new world').selectOption('rope');
    await page.getByLabel('Name of the new world').fill('class-1');
    await page.getByRole('button', { name: 'Create & open' }).click();
    await arrived('class-1');
    assert.equal((await page.evaluate(() => window.weft.client.call('world.get'))).scene, 'rope');
    const branch = page.getByLabel('Name of the copy');
    assert.equal(await branch.inputValue(), 'class-1-2');
    await branch.fill('what-if');
    await branch.press('Enter');
    await arrived('what-if');
    assert.equal((await page.evaluate(() => window.weft.client.call('world.get'))).scene, 'rope');
    await page.getByRole('link', { name: 'Leave and open class-1', exact: true }).click();
    await arrived('class-1');
  });

  await t.test('removing is asked twice, and who removes the world that they are in goes to another', async () => {
    await page.getByRole('button', { name: 'Remove what-if', exact: true }).click();
    assert.ok((await names()).includes('what-if'));
    await page.getByRole('button', { name: 'Confirm removal of what-if and its history' }).click();
    await until(async () => !(await names()).includes('what-if'), 'the end of what-if', 30000);
    await page.getByRole('button', { name: 'Remove class-1', exact: true }).click();
    await page.getByRole('button', { name: 'Confirm removal of class-1 and its history' }).click();
    await page.waitForFunction(() => ['main', 'two'].includes(window.weft?.client.hello?.world), null, SLOW);
    assert.deepEqual(await names(), ['main', 'two']);
  });
  assert.deepEqual(page.complaints, []);
});

test('a viewer gets every picture and is told ahead what takes others', { timeout: 240000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-worlds-'));
  t.after(() => rm(folder, { recursive: true }));
  const tokens = join(folder, 'tokens');
  const token = (await run(WEFTCTL, ['token', 'make', 'admin', 'teacher', '--tokens', tokens])).stdout.trim();
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--world', 'two=rope', '--tokens', tokens, '--guests', 'viewer']);
  const script = await server.connect('main', { token });
  const { scenes } = await script.call('scene.list');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?panel=scenes'));
  await picturesOf(page, scenes.length);
  await dock(page, 'Scenes').getByText('View only. You can browse scenes, but only editors can load them.').waitFor();
  await page.locator('.scene-card[data-scene="bump"]').press('Enter');
  await page.locator('.toast').getByText('only editors can load them').waitFor();
  await keepScreenshot(page, 'gallery-viewer');
  await openDock(page, 'Worlds');
  await page.getByText('You are a viewer here. You can open worlds; only owners can create, duplicate and remove them.').waitFor();
  for (const name of ['Create & open', 'Duplicate & open', 'Remove two']) assert.equal(await page.getByRole('button', { name, exact: true }).isDisabled(), true, name);
  await page.getByRole('link', { name: 'Open two', exact: true }).waitFor();
  assert.equal((await script.call('world.get')).scene, 'cloth', 'nothing was loaded');
  await openDock(page, 'Compare');
  await page.getByText('Only owners can start a comparison.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Compare two settings' }).isDisabled(), true);
  await page.setViewportSize({ width: 390, height: 780 });
  await openDock(page, 'Worlds');
  await keepScreenshot(page, 'worlds-small');
  assert.deepEqual(page.complaints, []);
});
