// SPDX-License-Identifier: MIT
// Accessibility of the page: axe-core finds nothing in any state or dock, the keyboard alone reaches every control
// and its focus is visible, and the page stays usable with enlarged text and forced colors.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';
import { audit, browser, walk } from './access.mjs';
import { keepScreenshot, openPanel } from './page.mjs';

const LONG = { timeout: 600000 };

const dockIds = (page) => page.$$eval('.rail-button', (all) => all.map((button) => button.getAttribute('aria-controls')));

/** Opens a dock like a user and waits until it is built. */
async function openDock(page, id) {
  await openPanel(page, id.replace('dock-', ''));
  await page.waitForFunction((dock) => {
    const body = document.querySelector(`#${dock}:not([hidden]) .dock-body`);
    return body && !body.matches('[aria-busy], :has([aria-busy])') && body.children.length > 0;
  }, id);
}

async function closeSteps(page) {
  await page.getByRole('button', { name: 'Close first steps' }).click();
}

test('nothing keeps anyone out of the page, its menu, its dialogs, or any of its docks', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=tearing']);
  const page = await browser.open(t, server.http('/'));
  await page.getByRole('complementary', { name: 'First steps' }).waitFor();
  await audit(page, 'the page as a newcomer sees it');
  await closeSteps(page);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await audit(page, 'the menu');
  await page.keyboard.press('Escape');
  const docks = await dockIds(page);
  assert.ok(docks.length >= 8, `${docks.length} docks`);
  for (const id of docks) {
    await openDock(page, id);
    await audit(page, id);
    await page.locator(`#${id}`).press('Escape');
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Help and shortcuts' }).waitFor();
  await audit(page, 'the help');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Find a command' }).waitFor();
  await audit(page, 'the palette');
  await page.keyboard.press('Escape');
  assert.deepEqual(page.complaints, []);
});

test('in the light as well', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=tearing']);
  const page = await browser.open(t, server.http('/'), { colorScheme: 'light' });
  await audit(page, 'the light page');
  for (const id of await dockIds(page)) {
    await openDock(page, id);
    await audit(page, `${id} in the light`);
    if (id === 'dock-explain') t.diagnostic(`screenshot: ${await keepScreenshot(page, 'light-explain')}`);
  }
  assert.deepEqual(page.complaints, []);
});

test('the Tab key alone comes to every control of the page and of each dock, shows where it is, and comes around', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await browser.open(t, server.http('/'));
  await page.getByRole('complementary', { name: 'First steps' }).waitFor();
  const plain = await walk(page, 'the page');
  for (const name of ['Help and shortcuts', 'Close first steps', 'Add', 'Pause', 'Frame all']) {
    assert.ok(plain.some((reached) => reached.includes(name)), `${name} is not among ${plain.join(', ')}`);
  }
  await closeSteps(page);
  for (const id of await dockIds(page)) {
    await openDock(page, id);
    assert.equal(await page.evaluate((dock) => document.getElementById(dock).contains(document.activeElement), id), true, `${id} takes the focus`);
    const reached = await walk(page, id);
    assert.ok(reached.length > plain.length - 2, `${id} adds nothing`);
    await page.locator(`#${id} .dock-close`).focus();
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-controls')), id, `${id} gives the focus back to its button`);
  }
  assert.deepEqual(page.complaints, []);
});

test('the keyboard does what it comes to: it adds, pauses, opens, finds and goes back', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await browser.open(t, server.http('/'));
  const objects = await page.evaluate(() => window.weft.objects.length);
  await page.locator('#add').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction((before) => window.weft.objects.length > before, objects);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'add', 'the menu gives the focus back');
  await page.locator('#stage').focus();
  await page.keyboard.press('Space');
  await page.locator('#pause[data-paused]').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('explain');
  await page.keyboard.press('Enter');
  await page.locator('#dock-explain math').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Help and shortcuts' }).waitFor();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest('dialog') !== null), true, 'the dialog keeps the focus');
  }
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), 'BODY', 'the focus is somewhere');
  assert.deepEqual(page.complaints, []);
});

test('every state of the page is told in words and found sound: frozen, looking only, no token, no such world, no server', LONG, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-states-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const make = async (role) => (await run(WEFTCTL, ['token', 'make', role, role, '--tokens', file])).stdout.trim();
  const [admin, viewer] = [await make('admin'), await make('viewer')];
  const server = await Weftd.start(t, ['--world', 'main=rope', '--world', 'other=cloth', '--tokens', file]);
  const context = await browser.context(t, { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(server.http('/'));
  await page.getByRole('dialog', { name: 'Access token required' }).waitFor({ timeout: 60000 });
  await audit(page, 'asked for a token');
  await page.getByRole('textbox', { name: 'Token' }).fill(viewer);
  await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Log in' }).click()]);
  await page.waitForFunction(() => window.weft, null, { timeout: 60000 });
  await page.evaluate(() => window.weft.ready);
  await page.locator('#chips [data-state="read-only"]').waitFor();
  assert.equal(await page.locator('#add').isDisabled(), true, 'who may only look cannot add');
  assert.equal(await page.locator('#frame').isDisabled(), false, 'but look around');
  await openDock(page, 'dock-explain');
  assert.match(await page.locator('#explain-why').textContent(), /view only/);
  await audit(page, 'looking only');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'read-only')}`);

  const teacher = await server.connect('main', { token: admin });
  await teacher.call('world.freeze', { frozen: true, message: 'Eyes on me' });
  await page.locator('#chips [data-state="frozen"]', { hasText: 'Eyes on me' }).waitFor();
  await audit(page, 'frozen');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'frozen')}`);

  await page.goto(server.http('/?world=nowhere'));
  await page.locator('#overlay', { hasText: 'There is no world “nowhere” here' }).waitFor({ timeout: 60000 });
  await page.getByRole('link', { name: 'other' }).waitFor();
  await audit(page, 'no such world');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'no-such-world')}`);
  await page.getByRole('link', { name: 'other' }).focus();
  await server.connect('other', { token: viewer });
  await page.locator('#overlay li', { hasText: 'other 1 person' }).waitFor({ timeout: 60000 }); // the list is requested on each attempt
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'other', 'a link keeps the keyboard while the list is told anew');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.weft?.client.hello?.world === 'other', null, { timeout: 60000 });
  await page.evaluate(() => window.weft.ready);

  await page.locator('#pause').waitFor();
  await server.end();
  await page.locator('#overlay', { hasText: 'Connection lost' }).waitFor();
  await audit(page, 'no server');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'no-server')}`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('#bar, #rail, .dock-place') === null), true, 'nothing behind it takes the focus');
});

test('at twice the size, with forced colors and less motion everything is there and nothing moves by itself', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const page = await browser.open(t, server.http('/'), {
    viewport: { width: 640, height: 360 }, deviceScaleFactor: 2, forcedColors: 'active', reducedMotion: 'reduce',
  });
  await closeSteps(page);
  for (const id of await dockIds(page)) {
    await openDock(page, id);
    const { left, top, right, bottom, wide } = await page.evaluate((dock) => {
      const box = document.getElementById(dock).getBoundingClientRect();
      return { left: box.left, top: box.top, right: box.right, bottom: box.bottom, wide: document.documentElement.scrollWidth };
    }, id);
    assert.ok(left >= 0 && top >= 0 && right <= 640 && bottom <= 360 && bottom - top > 120, `${id} lies at ${left}, ${top}, ${right}, ${bottom}`);
    assert.ok(wide <= 640, `${id} makes the page ${wide} px wide`);
    if (id === 'dock-explain') t.diagnostic(`screenshot: ${await keepScreenshot(page, 'twice-the-size')}`);
    await page.locator(`#${id}`).press('Escape');
  }
  await audit(page, 'forced colors');
  await until(() => page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length === 0), 'everything to stand still');
  await page.evaluate(() => window.weft.page.toasts.show('a refusal'));
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0, 'what comes does not move');
  assert.deepEqual(page.complaints, []);
});
