// SPDX-License-Identifier: MIT
// The tool Cut: a line drawn with the mouse, a finger or the arrow keys cuts cloth and ropes, and the cut is undone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until as untilWithin } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { findObject, keepScreenshot, openBrowser, openPage, screenOf } from './page.mjs';

const until = (condition, what) => untilWithin(condition, what, 30000); // pictures may be slow

/** A paused world with a cloth of 12 × 12 and a rope, a page on it, and a client. */
async function opened(t) {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused', '--data', await dataFolder(t)]);
  const client = await server.connect('main');
  await client.call('world.set', { bounds: { min: [-3, 0, -3], max: [3, 4, 3] } });
  const { object: cloth } = await client.call('cloth.spawn', { columns: 12, rows: 12, spacing: 0.12, position: [0, 2, 0] });
  const { object: rope } = await client.call('rope.spawn', { from: [1.2, 2.8, 0], to: [1.2, 0.9, 0], particles: 20 });
  const page = await openPage(await openBrowser(t), server.http('/'), { viewport: { width: 1000, height: 640 } });
  await findObject(page, 'cloth');
  const get = (object) => client.call('object.get', { object });
  return { client, page, cloth, rope, get };
}

test('a line drawn with the mouse cuts cloth and rope, and undo joins them again', async (t) => {
  const { client, page, cloth, rope, get } = await opened(t);
  const button = page.getByRole('button', { name: 'Cut', exact: true });
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  const from = await screenOf(page, cloth, 60);
  const to = await screenOf(page, rope, 9);
  await page.mouse.move(from.x - 60, from.y + 8);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2 + 10, { steps: 8 });
  await page.mouse.move(to.x + 40, to.y + 6, { steps: 8 });
  assert.ok((await page.locator('#knife polyline').first().getAttribute('points')).split(' ').length > 8, 'the line is shown');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'cut-line')}`);
  await page.mouse.up();
  await until(async () => (await get(cloth)).particles > 144, 'the cloth is cut');
  assert.equal((await client.call('object.sticks', { object: rope })).sticks, 18);
  assert.equal(await page.locator('#knife polyline').first().getAttribute('points'), '');
  assert.equal((await client.call('world.get')).counts.grabs, 0, 'nothing was held meanwhile');
  await client.call('world.step', { ticks: 25 });
  await until(() => page.evaluate(([id]) => window.weft.objects.find((object) => object.id === id).particles > 144, [cloth]), 'the page shows it');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'cut-done')}`);
  await page.keyboard.press('Escape');
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await get(cloth)).particles === 144, 'the cut is undone');
  assert.equal((await client.call('object.sticks', { object: rope })).sticks, 19);
});

test('the arrow keys draw the line as well, and Escape drops it', async (t) => {
  const { page, cloth, get } = await opened(t);
  await page.locator('#stage').focus();
  await page.keyboard.press('c');
  const press = async (key, times) => { for (let i = 0; i < times; i++) await page.keyboard.press(key); };
  await press('ArrowUp', 6);
  await press('ArrowLeft', 12);
  await press('Enter', 1);
  await press('ArrowRight', 3);
  await press('Escape', 1);
  assert.equal(await page.locator('#knife polyline').first().getAttribute('points'), '', 'dropped');
  await press('ArrowLeft', 8);
  await press('Enter', 1);
  await press('ArrowRight', 26);
  await press('Enter', 1);
  await until(async () => (await get(cloth)).particles > 144, 'the cloth is cut');
  await press('Escape', 1);
  assert.equal(await page.getByRole('button', { name: 'Cut', exact: true }).getAttribute('aria-pressed'), 'false');
});

test('a line beside everything says that nothing parts, and another tool takes the pointer', async (t) => {
  const { page, cloth } = await opened(t);
  const cut = page.getByRole('button', { name: 'Cut', exact: true });
  await cut.click();
  const at = await screenOf(page, cloth, 0);
  await page.mouse.move(at.x - 150, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x - 150, at.y + 80, { steps: 4 });
  await page.mouse.up();
  await page.getByText('the blade parts nothing', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  assert.equal(await cut.getAttribute('aria-pressed'), 'false');
  await cut.click();
  assert.equal(await cut.getAttribute('aria-pressed'), 'false', 'the pointer belongs to the selection');
});
