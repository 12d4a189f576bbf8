// SPDX-License-Identifier: MIT
// An assignment from one link: each student gets a copy and finds it again, and the wall shows all copies live.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until as untilWithin } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { keepScreenshot } from './page.mjs';

const until = (condition, what) => untilWithin(condition, what, 60000);

test('students get copies from one link, and the wall shows them', { timeout: 420000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const teacher = await browser.open(t, server.http('/?panel=present'));
  const dock = teacher.locator('#dock-present');
  await dock.getByLabel('Name', { exact: true }).fill('homework');
  await dock.getByLabel('Copies at most').fill('3');
  await dock.getByRole('button', { name: 'Make link' }).click();
  await dock.getByText('0 of 3 copies taken, 0 in use').waitFor();
  const link = new URL(await dock.getByLabel('Link to homework', { exact: true }).inputValue());
  const open = server.http(`${link.pathname}${link.search}`);
  const student = async () => { // the page leads on to a copy while it opens
    const page = await (await browser.context(t, { viewport: { width: 640, height: 480 } })).newPage();
    await page.goto(open);
    return page;
  };
  const pupil = await student();
  await pupil.waitForURL(/world=homework-1/);
  await pupil.waitForFunction(() => window.weft?.client.hello?.world === 'homework-1');
  await pupil.goto(open);
  await pupil.waitForURL(/world=homework-1/);
  const other = await student();
  await other.waitForURL(/world=homework-2/);
  await dock.getByText('2 of 3 copies taken, 2 in use').waitFor();

  await teacher.goto(server.http('/?world=homework&wall'));
  const wall = teacher.getByRole('region', { name: 'Wall of copies' });
  await wall.getByText('2 copies').waitFor();
  const tile = wall.getByRole('link', { name: /homework-1/ });
  const drawn = () => tile.locator('canvas').evaluate((canvas) => canvas.toDataURL());
  const showsCloth = () => tile.locator('canvas').evaluate((canvas) => { // which is blue, and the only thing that is
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let blue = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 2] > 2 * data[i] && data[i + 2] > 60) blue++;
    return blue > 500;
  });
  await until(showsCloth, 'the cloth');
  assert.equal(await teacher.evaluate(() => {
    const { left, top, right, bottom } = document.querySelector('.wall').getBoundingClientRect();
    return left === 0 && top === 0 && right === innerWidth && bottom === innerHeight;
  }), true, 'the wall covers the page');
  const first = await drawn();
  await until(async () => (await drawn()) !== first, 'a picture');
  const second = await drawn();
  await until(async () => (await drawn()) !== second, 'a live picture');
  await pupil.waitForFunction(() => window.weft?.client.state === 'open');
  await pupil.evaluate(() => window.weft.client.call('hand.raise'));
  await tile.filter({ hasText: 'hand raised' }).waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(teacher, 'wall')}`);
  await tile.click();
  await teacher.waitForFunction(() => window.weft?.client.hello?.world === 'homework-1');
  assert.deepEqual(teacher.complaints, []);
});
