// SPDX-License-Identifier: MIT
// The time per stage of a tick in the panel: one bar per second, and the same as text for screen readers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

test('the panel shows the stages of a tick as bars, with a legend and in words', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=default']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, `http://127.0.0.1:${server.port}/?panel=settings`);
  await page.waitForFunction(() => document.querySelector('.stages canvas')?.dataset.bars >= 8, null, { timeout: 60000 });
  const seen = await page.evaluate(() => {
    const canvas = document.querySelector('.stages canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) colors.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
    return { role: canvas.getAttribute('role'), label: canvas.getAttribute('aria-label'), colors: colors.size, legend: [...document.querySelectorAll('.stages li')].map((entry) => entry.textContent) };
  });
  assert.equal(seen.role, 'img');
  assert.match(seen.label, /^A tick takes \d+\.\d\d ms: \w+ \d+\.\d\d(, \w+ \d+\.\d\d)*$/);
  assert.deepEqual(seen.legend.map((entry) => /^[a-z]+/.exec(entry)[0]), ['commands', 'forces', 'integrate', 'detect', 'sticks', 'contacts', 'finish', 'upkeep', 'encode', 'send']);
  assert.ok(seen.legend.every((entry) => /\d+\.\d\d$/.test(entry)), seen.legend.join());
  assert.ok(seen.colors >= 4, `only ${seen.colors} colours in the bars`);
  await keepScreenshot(page, 'stages');
  assert.deepEqual(page.complaints, []);
});
