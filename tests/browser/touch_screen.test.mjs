// SPDX-License-Identifier: MIT
// A screen of 390 pixels with touch: dragging objects, rotating the view, adding objects, and docks as sheets that open and
// close by touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { audit } from './access.mjs';
import { distance, findObject, keepScreenshot, openBrowser, openPage, positionOf, screenOf } from './page.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const THUMB_PX = 40;

/** Touch points of a real touch screen. */
async function handOf(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (...points) => send('touchStart', points.map(({ x, y }, id) => ({ x, y, id }))),
    move: (...points) => send('touchMove', points.map(({ x, y }, id) => ({ x, y, id }))),
    up: () => send('touchEnd', []),
    async swipe(from, to) {
      await this.down(from);
      for (let i = 1; i <= 10; i++) await this.move({ x: from.x + ((to.x - from.x) * i) / 10, y: from.y + ((to.y - from.y) * i) / 10 });
    },
  };
}

const eyeOf = (page) => page.evaluate(() => window.weft.page.stage.rig.read());

test('on a screen of 390 pixels fingers drag, turn and zoom, add, and open every dock', { timeout: 600000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), PHONE);
  const hand = await handOf(page);

  await t.test('the page fits, and what a thumb needs is large enough for it', async () => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await audit(page, 'the small page');
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'small-first')}`);
    await page.getByRole('button', { name: 'Close first steps' }).tap();
    await page.getByRole('button', { name: 'Tools', exact: true }).tap();
    await page.locator('#rail').waitFor();
    for (const selector of ['#add', '#pause', '#frame', '#tools', '.rail-button', '#help']) {
      const { width, height } = await page.locator(selector).first().boundingBox();
      assert.ok(width >= THUMB_PX && height >= THUMB_PX, `${selector} is ${width} × ${height}`);
    }
    const rail = await page.locator('#rail').boundingBox();
    assert.ok(rail.y > 844 / 3 && rail.y + rail.height > 0.7 * 844, 'the list of tools lies where the thumb is');
    await page.getByRole('button', { name: 'Tools', exact: true }).tap();
  });

  await t.test('a finger drags the cloth', async () => {
    const { id } = await findObject(page, 'cloth');
    const particle = 36 * 40 + 20; // near the middle of the lower edge, which sways
    const from = await screenOf(page, id, particle);
    const before = await positionOf(page, id, particle);
    await hand.swipe(from, { x: from.x - 90, y: from.y - 60 });
    await page.waitForFunction(([object, index, was]) => {
      const { positions } = window.weft.objects.find((one) => one.id === object);
      return Math.hypot(...[0, 1, 2].map((axis) => positions[3 * index + axis] - was[axis])) > 0.15;
    }, [id, particle, before]);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'small-drag')}`);
    await hand.up();
  });

  await t.test('a finger beside it turns the world, two fingers come nearer', async () => {
    const before = await eyeOf(page);
    await hand.swipe({ x: 60, y: 560 }, { x: 200, y: 580 });
    await hand.up();
    await page.waitForFunction((was) => Math.hypot(...window.weft.page.stage.rig.read().map((v, i) => v - was[i])) > 0.3, before);
    const turned = await eyeOf(page);
    const far = distance(turned.slice(0, 3), turned.slice(3));
    await hand.down({ x: 160, y: 580 }, { x: 230, y: 580 });
    for (let i = 1; i <= 10; i++) await hand.move({ x: 160 - 10 * i, y: 580 }, { x: 230 + 10 * i, y: 580 });
    await hand.up();
    await page.waitForFunction((was) => {
      const [x, y, z, a, b, c] = window.weft.page.stage.rig.read();
      return Math.hypot(x - a, y - b, z - c) < 0.8 * was;
    }, far);
  });

  await t.test('the menu adds a box and a rope', async () => {
    for (const name of ['Box', 'Rope']) {
      await page.getByRole('button', { name: 'Add', exact: true }).tap();
      await page.getByRole('menuitem', { name, exact: true }).tap();
    }
    await findObject(page, 'body');
    await findObject(page, 'rope');
  });

  await t.test('each dock is a sheet within the screen, one at a time', async () => {
    const docks = await page.$$eval('.rail-button', (all) => all.map((button) => button.getAttribute('aria-controls')));
    for (const id of docks) {
      await page.getByRole('button', { name: 'Tools', exact: true }).tap();
      await page.locator(`[aria-controls="${id}"]`).tap();
      await page.waitForFunction((dock) => {
        const body = document.querySelector(`#${dock}:not([hidden]) .dock-body`);
        return body && !body.hasAttribute('aria-busy') && body.children.length > 0;
      }, id);
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, `${id} lies at ${JSON.stringify(box)}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, `${id} makes the page wider`);
      assert.equal(await page.locator('.dock:not([hidden])').count(), 1, `${id} is alone`);
      const wide = await page.locator(`#${id} .dock-body`).evaluate((body) => body.scrollWidth - body.clientWidth);
      assert.ok(wide <= 1, `${id} is ${wide} px wider than its sheet`);
      await keepScreenshot(page, `small-${id}`);
    }
    await page.locator('.dock:not([hidden]) .dock-close').tap();
    await page.locator('.dock:not([hidden])').waitFor({ state: 'detached' });
  });
  assert.deepEqual(page.complaints, []);
});
