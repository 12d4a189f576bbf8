// SPDX-License-Identifier: MIT
// Layout: no element of the page covers another that is to be read or used at the same time, on screens of all sizes; panels
// leave the picture its room, are resized, and are remembered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { drawn, keepScreenshot, openBrowser, openPage, openPanel } from './page.mjs';

const LONG = { timeout: 300000 };
const PHONE = { viewport: { width: 390, height: 780 } };

const boxOf = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { left: x, top: y, right: x + width, bottom: y + height };
};
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** Whether a click on the centre of an element reaches it, or an element within it. */
const isOnTop = (locator) => locator.evaluate((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
});

/** Small and large screens, upright and across. */
const SIZES = [[360, 640], [640, 360], [390, 844], [844, 390], [1280, 720], [3840, 2160]];

/**
 * In the page: the visible controls that lie over one another, or of which a part is cut off and cannot be scrolled to.
 * @returns {string[]} a sentence for each
 */
function misplaced() {
  const name = (element) => `${element.tagName.toLowerCase()} “${element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30)}”${element.id && ` #${element.id}`}`;
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role="option"], [role="slider"]')].filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 2 && height > 2 && !element.closest('[inert], .time-track') && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  });
  const faults = [];
  const boxes = [];
  for (const element of controls) {
    const whole = element.getBoundingClientRect();
    let box = { left: whole.left, right: whole.right, top: whole.top, bottom: whole.bottom };
    let scrolls = false;
    const clip = (by) => { box = { left: Math.max(box.left, by.left), right: Math.min(box.right, by.right), top: Math.max(box.top, by.top), bottom: Math.min(box.bottom, by.bottom) }; };
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      if (overflowX !== 'visible' || overflowY !== 'visible') clip(at.getBoundingClientRect());
      scrolls ||= [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll');
      if (position === 'fixed') break;
    }
    clip({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    const part = [box.right - box.left, box.bottom - box.top];
    const cut = part[0] < whole.width - 1 || part[1] < whole.height - 1;
    if (cut && !scrolls) faults.push(`${name(element)} is cut off: ${JSON.stringify(whole)}`);
    if (part[0] > 1 && part[1] > 1) boxes.push({ element, ...box });
  }
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 1) faults.push(`${name(a.element)} and ${name(b.element)} overlap by ${Math.round(wide)} × ${Math.round(high)}`);
    }
  }
  return faults;
}

for (const [width, height] of SIZES) {
  test(`no two controls overlap and none is cut off in any panel at ${width} × ${height}`, LONG, async (t) => {
    const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']);
    const page = await openPage(await openBrowser(t, { pictures: width > 2000 ? 0.5 : 2 }), server.http('/'), { viewport: { width, height } });
    assert.deepEqual(await page.evaluate(misplaced), [], 'as the page begins');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    for (const item of await page.getByRole('menuitem').all()) assert.ok(await isOnTop(item), await item.textContent());
    await page.keyboard.press('Escape');
    const docks = await page.$$eval('.rail-button', (all) => all.map((button) => button.getAttribute('aria-controls').slice('dock-'.length)));
    for (const id of docks) {
      await openPanel(page, id);
      await page.waitForFunction((dock) => {
        const body = document.querySelector(`#dock-${dock} .dock-body`);
        return !body.hasAttribute('aria-busy') && body.children.length > 0;
      }, id);
      assert.deepEqual(await page.evaluate(misplaced), [], `with the panel ${id}`);
      const picture = await boxOf(page.locator('#stage'));
      assert.ok(picture.right - picture.left > 120 && picture.bottom - picture.top > 100, `the panel ${id} leaves the picture ${JSON.stringify(picture)}`);
    }
  });
}

test('panels are resized by pointer and keys, and a reloaded page remembers what was open, and how large', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']);
  const page = await browser.open(t, server.http('/'));
  await openPanel(page, 'objects');
  await openPanel(page, 'log');
  await page.locator('#dock-objects').getByText('pendulum').click();
  const [before, picture] = [await boxOf(page.locator('#dock-objects')), await boxOf(page.locator('#stage'))];
  assert.ok(apart(before, picture) && apart(await boxOf(page.locator('#dock-log')), picture));

  const edge = await boxOf(page.getByRole('separator', { name: 'Size of the left panel' }));
  const [x, y] = [(edge.left + edge.right) / 2, 300];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 4 });
  await page.mouse.up();
  const wider = await boxOf(page.locator('#dock-objects'));
  assert.ok(Math.abs(wider.right - before.right - 80) <= 2, `${before.right} → ${wider.right}`);
  const low = page.getByRole('separator', { name: 'Size of the bottom panel' });
  const height = Number(await low.getAttribute('aria-valuenow'));
  await low.press('ArrowUp');
  assert.equal(Number(await low.getAttribute('aria-valuenow')), height + 16);

  await page.goto(server.http('/'));
  await page.waitForFunction(() => window.weft);
  await page.evaluate(() => window.weft.ready);
  await page.locator('#dock-log').waitFor();
  const again = await boxOf(page.locator('#dock-objects'));
  assert.ok(Math.abs(again.right - wider.right) <= 2, `${wider.right} → ${again.right}`);
  await page.getByRole('separator', { name: 'Size of the left panel' }).dblclick();
  assert.ok(Math.abs((await boxOf(page.locator('#dock-objects'))).right - before.right) <= 2, 'a double click gives the default size');
  assert.deepEqual(page.complaints, []);
});

test('opening a panel keeps the selection in sight', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']);
  const page = await browser.open(t, server.http('/'));
  await openPanel(page, 'objects');
  await page.locator('#dock-objects').getByText('pendulum').click();
  await page.keyboard.press('Escape');
  const [id] = await page.evaluate(() => [...window.weft.page.selection.objects]);
  // The camera looks so that the selected object is at the left edge of the picture.
  await page.evaluate((object) => {
    const { stage, world } = window.weft.page;
    const box = world.boxOf([object]);
    const [x, y, z] = box.max.toArray();
    stage.rig.write([x + 1.2, y, z + 4, x + 1.2, y, z]);
  }, id);
  await drawn(page, 2); // the camera is there
  await openPanel(page, 'time');
  await openPanel(page, 'objects');
  await page.waitForFunction((object) => {
    const { stage, world } = window.weft.page;
    const { x, y } = stage.project(world.boxOf([object]).getCenter(world.boxOf([object]).min.clone()).toArray());
    const { left, right, top, bottom } = stage.canvas.getBoundingClientRect();
    return x > left && x < right && y > top && y < bottom;
  }, id);
});

test('Frame shows all objects where nothing lies over the picture', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=bodies', '--paused']);
  for (const [width, height] of [[1280, 720], [390, 844], [844, 390]]) {
    const page = await browser.open(t, server.http('/?camera=30_10_30_0_1_0'), { viewport: { width, height }, reducedMotion: 'reduce' });
    await page.locator('#first-steps').waitFor();
    await page.evaluate(() => window.weft.page.selection.set({ objects: [window.weft.objects[0].id] }));
    await page.locator('#selection-bar').waitFor();
    const outside = () => page.evaluate(() => {
      const { page: { stage, world }, objects } = window.weft;
      const boxes = [...document.querySelectorAll('#title, #over-top > *, #over-bottom > *')].map((element) => element.getBoundingClientRect()).filter((box) => box.height > 0);
      const picture = stage.canvas.getBoundingClientRect();
      return objects.flatMap(({ id, particles }) => Array.from({ length: particles }, (_, index) => stage.project(world.find(id).place(index)))).filter(({ x, y }) => (
        x < picture.left || x > picture.right || y < picture.top || y > picture.bottom || boxes.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom))).length;
    });
    const before = await page.evaluate(() => window.weft.page.stage.rig.read().join());
    await page.keyboard.press('f');
    await page.waitForFunction((was) => window.weft.page.stage.rig.read().join() !== was, before);
    await drawn(page, 3);
    assert.equal(await outside(), 0, `particles that are covered on ${width} × ${height}`);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, `framed-${width}`)}`);
  }
});

test('on 390 × 780 notices, first steps, the selection and the names of scenes can be read', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']);
  const teacher = await server.connect('main');
  const page = await browser.open(t, server.http('/'), PHONE);
  const steps = page.locator('#first-steps');
  await steps.waitFor();
  await teacher.call('world.freeze', { frozen: true, message: 'Eyes on the board, please' });
  const chips = page.locator('#chips');
  await chips.locator('li', { hasText: 'Eyes on the board' }).waitFor();
  assert.ok(apart(await boxOf(steps), await boxOf(chips)));
  assert.ok(apart(await boxOf(steps), await boxOf(page.locator('#bar'))));
  await teacher.call('world.freeze', { frozen: false });

  const [shown, wanted] = await page.locator('#toolbar select').evaluate((select) => {
    const before = select.offsetWidth;
    select.style.maxWidth = 'none';
    return [before, select.offsetWidth];
  });
  assert.equal(shown, wanted, 'the longest name of a scene fits');

  await page.getByRole('button', { name: 'Close first steps' }).click();
  await openPanel(page, 'objects');
  await page.locator('#dock-objects').getByText('pendulum').click();
  const bar = page.locator('#selection-bar');
  await bar.waitFor();
  assert.ok(apart(await boxOf(bar), await boxOf(page.locator('#title p').first())));
});
