// SPDX-License-Identifier: MIT
// Layout: no element of the page covers another that is to be read or used at the same time, on a laptop and on a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';

const LONG = { timeout: 300000 };
const PHONE = { viewport: { width: 390, height: 780 } };

const boxOf = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { left: x, top: y, right: x + width, bottom: y + height };
};
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
const open = (page, dock) => page.locator(`[aria-controls="${dock}"]`).press('Enter');

/** Whether a click on the centre of an element reaches it, or an element within it. */
const isOnTop = (locator) => locator.evaluate((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
});

test('on 1280 × 720 all of the rail is seen, docks stay apart, and the menu opens over them', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']);
  const page = await browser.open(t, server.http('/'));
  const rail = await boxOf(page.locator('#rail'));
  for (const button of await page.locator('.rail-button').all()) {
    const { bottom } = await boxOf(button);
    assert.ok(bottom <= rail.bottom, `${await button.textContent()} ends at ${bottom}, the rail at ${rail.bottom}`);
  }
  assert.ok(apart(rail, await boxOf(page.locator('#toolbar .group').first())));

  await open(page, 'dock-xray');
  await open(page, 'dock-log');
  const [left, low] = [await boxOf(page.locator('#dock-xray')), await boxOf(page.locator('#dock-log'))];
  assert.ok(apart(left, low), `${left.bottom} and ${low.top}`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  for (const item of await page.getByRole('menuitem').all()) assert.ok(await isOnTop(item), await item.textContent());
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Keys and help' }).click();
  const dialog = await boxOf(page.getByRole('dialog', { name: 'Keys and help' }));
  const search = await boxOf(page.locator('#help-search'));
  assert.ok(search.left - dialog.left >= 12 && dialog.right - search.right >= 12, `from ${search.left - dialog.left} to ${dialog.right - search.right} within the dialog`);
});

test('on 390 × 780 notices, first steps, the selection and the names of scenes can be read', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--paused']);
  const teacher = await server.connect('main');
  const page = await browser.open(t, server.http('/'), PHONE);
  const steps = page.locator('#first-steps');
  await steps.waitFor();
  await teacher.call('world.freeze', { frozen: true, message: 'Look at me for a moment' });
  const chips = page.locator('#chips');
  await chips.locator('li', { hasText: 'Look at me' }).waitFor();
  assert.ok(apart(await boxOf(steps), await boxOf(chips)));
  assert.ok(apart(await boxOf(steps), await boxOf(page.locator('#rail'))));
  await teacher.call('world.freeze', { frozen: false });

  const [shown, wanted] = await page.locator('#toolbar select').evaluate((select) => {
    const before = select.offsetWidth;
    select.style.maxWidth = 'none';
    return [before, select.offsetWidth];
  });
  assert.equal(shown, wanted, 'the longest name of a scene fits');

  await page.getByRole('button', { name: 'Close the first steps' }).click();
  await open(page, 'dock-objects');
  await page.locator('#dock-objects').getByText('pendulum').click();
  const bar = page.locator('#selection-bar');
  await bar.waitFor();
  assert.ok(apart(await boxOf(bar), await boxOf(page.locator('#title p').first())));
});
