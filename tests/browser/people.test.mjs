// SPDX-License-Identifier: MIT
// Several people in one world, each in a window: names and colors, pointers, grabs and selections of others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until as untilWithin } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { findObject, keepScreenshot, openBrowser, openPage, openPanel, restOf, screenOf } from './page.mjs';

const PATIENCE_MS = 60000; // pictures may be slow
const until = (condition, what) => untilWithin(condition, what, PATIENCE_MS);
const SIZE = { viewport: { width: 1180, height: 560 } };
const FREE = [560, 430]; // a place in the window that no panel covers

test('two people see each other\'s names, pointers, hands and selections', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const script = await server.connect('main');
  await script.call('world.set', { wind: { velocity: [0, 0, 0] }, damping: 0.3 });
  const browser = await openBrowser(t);
  const ada = await openPage(browser, server.http('/?panel=people'), SIZE);
  const grace = await openPage(browser, server.http('/?panel=people'), SIZE);
  const seen = (page, text) => page.locator('.people li').filter({ hasText: text }).first();

  await t.test('a name and a color are chosen, seen by others and kept', async () => {
    await ada.getByLabel('Your name').fill('Ada');
    await ada.getByLabel('Your name').press('Enter');
    await ada.getByRole('button', { name: 'Pink' }).click();
    await grace.getByLabel('Your name').fill('Grace');
    await grace.getByLabel('Your name').press('Enter');
    await seen(grace, 'Ada').waitFor();
    await seen(ada, 'Grace').waitFor();
    await until(async () => (await script.call('people.list')).people.some(({ name, color }) => name === 'Ada' && color === '#e93d82'), 'the color');
    assert.match(await seen(grace, 'Grace').innerText(), /\(you\)/);
    await ada.reload();
    await ada.evaluate(() => window.weft.ready);
    await seen(ada, 'Ada').waitFor();
    assert.match(await seen(ada, 'Ada').innerText(), /\(you\)/, 'kept by the browser');
    await ada.getByRole('button', { name: 'Close People' }).click();
    await until(async () => (await script.call('people.list')).people.some(({ name, color }) => name === 'Ada' && color === '#e93d82'), 'said again');
  });

  const { id, particles } = await findObject(ada, 'cloth');
  const [corner, middle] = [particles - 1, particles - 18]; // to the right of the panel in the other window

  await t.test('a pointer is a mark with a name in the other window, and goes with it', async () => {
    await ada.mouse.move(...FREE);
    const mark = grace.locator('.person-mark.pointing:not([hidden])');
    await mark.waitFor();
    assert.equal(await mark.innerText(), 'Ada');
    assert.equal(await mark.evaluate((element) => element.style.getPropertyValue('--person')), '#e93d82');
    const { x, y } = await mark.boundingBox();
    const middle = (page) => page.locator('#stage').evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    });
    const [[fromX, fromY], [toX, toY]] = [await middle(ada), await middle(grace)]; // panels leave the pictures unlike room
    assert.ok(Math.hypot(x - toX - (FREE[0] - fromX), y - toY - (FREE[1] - fromY)) < 60, `it is at ${x}, ${y}`);
    await seen(grace, 'pointing').waitFor();
    await ada.mouse.move(60, 250); // a button of the list of tools
    await mark.waitFor({ state: 'hidden' });
  });

  await t.test('two hands hold one cloth, each is told to be whose it is, and what is held is refused by name', async () => {
    const at = await restOf(ada, id, corner);
    await ada.mouse.move(at.x, at.y);
    await ada.mouse.down();
    await until(async () => (await script.call('world.get')).counts.grabs === 1, 'the first hand');
    const left = await restOf(grace, id, middle);
    await grace.mouse.move(left.x, left.y);
    await grace.mouse.down();
    await until(async () => (await script.call('world.get')).counts.grabs === 2, 'the second hand');
    await grace.locator('.person-mark.holding:not([hidden])').filter({ hasText: 'Ada' }).waitFor();
    await ada.locator('.person-mark.holding:not([hidden])').filter({ hasText: 'Grace' }).waitFor();
    await seen(grace, `holding particle ${corner} of cloth`).waitFor();
    await ada.mouse.move(at.x + 30, at.y - 60, { steps: 4 });
    await grace.mouse.move(left.x - 20, left.y - 60, { steps: 4 });
    await until(async () => {
      const [one, two] = [await screenOf(ada, id, corner), await screenOf(grace, id, middle)];
      return Math.hypot(one.x - at.x - 30, one.y - at.y + 60) < 12 && Math.hypot(two.x - left.x + 20, two.y - left.y + 60) < 12;
    }, 'both follow their hands');
    t.diagnostic(`screenshot: ${await keepScreenshot(grace, 'people-hands')}`);
    await assert.rejects(script.call('grab.start', { object: id, particle: corner }), /of Ada/);
    await ada.mouse.up();
    await grace.mouse.up();
    await until(async () => (await script.call('world.get')).counts.grabs === 0, 'both let go');
    await until(() => grace.locator('.person-mark.holding:not([hidden])').count().then((count) => count === 0), 'no mark is left');
  });

  await t.test('a selection is outlined for others, with the name, also for who comes later', async () => {
    await ada.evaluate((object) => window.weft.page.selection.set({ particles: [[object, [0, 1, 2, 3, 40]]] }), id);
    await grace.locator('.person-mark.selecting:not([hidden])').filter({ hasText: 'Ada' }).waitFor();
    await seen(grace, '5 particles').waitFor();
    const late = await openPage(browser, server.http('/?panel=people'), SIZE);
    await late.locator('.person-mark.selecting:not([hidden])').filter({ hasText: 'Ada' }).waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(late, 'people-selection')}`);
    await late.close();
    assert.deepEqual(late.complaints, []);
    await until(async () => (await script.call('people.list')).people.length === 3, 'who came late has gone');
    await ada.evaluate(() => window.weft.page.selection.clear());
    await until(() => grace.locator('.person-mark.selecting:not([hidden])').count().then((count) => count === 0), 'nothing is selected');
  });

  await t.test('who leaves is gone from the list', async () => {
    await ada.close();
    await until(() => seen(grace, 'Ada').count().then((count) => count === 0), 'Ada has gone');
  });
  assert.deepEqual([...ada.complaints, ...grace.complaints], []);
});

test('two fingers hold two places of one cloth, and names from outside are text', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const script = await server.connect('main');
  await script.call('client.introduce', { name: '<img src=x onerror=alert(1)>' });
  await script.call('world.set', { wind: { velocity: [0, 0, 0] }, damping: 0.3 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { hasTouch: true, isMobile: true, viewport: { width: 390, height: 760 } });
  const { id, particles } = await findObject(page, 'cloth');
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, i) => ({ x, y, id: i })) });
  const [right, left] = [await restOf(page, id, particles - 1), await restOf(page, id, particles - 40)];
  await send('touchStart', [right]);
  await until(async () => (await script.call('world.get')).counts.grabs === 1, 'the first finger');
  await send('touchStart', [right, left]);
  await until(async () => (await script.call('world.get')).counts.grabs === 2, 'the second finger');
  const [there, other] = [{ x: right.x - 20, y: right.y - 40 }, { x: left.x + 20, y: left.y - 30 }];
  await send('touchMove', [there, other]);
  await until(async () => {
    const [one, two] = [await screenOf(page, id, particles - 1), await screenOf(page, id, particles - 40)];
    return Math.hypot(one.x - there.x, one.y - there.y) < 12 && Math.hypot(two.x - other.x, two.y - other.y) < 12;
  }, 'both corners follow');
  await send('touchEnd', []);
  await until(async () => (await script.call('world.get')).counts.grabs === 0, 'both let go');
  await openPanel(page, 'people');
  await page.locator('.people li').filter({ hasText: '<img src=x onerror=alert(1)>' }).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'people-small')}`);
  assert.deepEqual(page.complaints, []);
});
