// SPDX-License-Identifier: MIT
// Probes: a pendulum that is picked in the scene shows its period, a body of a server's world its fall; energy is compared with a
// baseline, and the record copied as CSV, with a row for every tick.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { audit } from './access.mjs';
import { keepScreenshot, openBrowser, openPage, restOf } from './page.mjs';

const PATIENCE_MS = 60000;

const dock = (page) => page.getByRole('region', { name: 'Probe', exact: true });
const button = (page, name) => dock(page).getByRole('button', { name, exact: true });
const call = (page, method, params) => page.evaluate(([wanted, given]) => window.weft.page.client.call(wanted, given), [method, params ?? {}]);
const card = (page, name) => dock(page).getByRole('region', { name });
/** The value with this title in a card, once it fits. */
async function value(within, title, wanted) {
  let last = '';
  await until(async () => wanted.test(last = await within.locator('dt', { hasText: new RegExp(`^${title}$`) }).locator('xpath=following-sibling::dd[1]').textContent()),
    `${title} like ${wanted}`, PATIENCE_MS).catch((error) => { throw new Error(`${error.message}; it says: ${last}`); });
  return last;
}

/** Rows of the copied CSV as objects. */
async function copied(page) {
  await page.evaluate(() => navigator.clipboard.writeText('')); // all tests of a file share the clipboard
  await button(page, 'Copy as CSV').click();
  let text = '';
  await until(async () => (text = await page.evaluate(() => navigator.clipboard.readText())).startsWith('probe,time_s'), 'the copy', PATIENCE_MS);
  const [head, ...lines] = text.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.match(/"(?:[^"]|"")*"|[^,]+/g).map((part, i) => [names[i], part.startsWith('"') ? part : Number(part)])));
}

test('a pendulum that is picked in the scene shows its period and keeps its energy', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?world=local:empty&panel=probe'), { permissions: ['clipboard-read', 'clipboard-write'] });
  await call(page, 'world.set', { damping: 0, airDensity: 0 });
  const angle = Math.PI / 6;
  const { object } = await call(page, 'rope.spawn', {
    name: 'pendulum', from: [0, 2.4, 0], to: [Math.sin(angle), 2.4 - Math.cos(angle), 0], particles: 2, mass: 1, pin: 'start', projection: 'start',
  });
  await call(page, 'world.pause');
  await dock(page).getByText(/^No probes yet/).waitFor();
  await button(page, 'Pick in scene').click();
  await page.waitForFunction((id) => window.weft.page.world.find(id), object);
  await page.evaluate(() => window.weft.page.stage.rig.frame(window.weft.page.world.framedBox(), false));
  const at = await restOf(page, object, 1);
  await page.mouse.click(at.x, at.y);
  const pendulum = card(page, /pendulum, particle 1/);
  await pendulum.waitFor({ timeout: PATIENCE_MS });
  assert.equal((await call(page, 'world.get')).counts.grabs, 0, 'a click that picks does not grab');
  await page.keyboard.press('Escape');
  assert.equal(await button(page, 'Pick in scene').getAttribute('aria-pressed'), 'false');
  assert.ok(await dock(page).isVisible(), 'the key ended the picking only');

  await call(page, 'world.resume');
  await value(pendulum, 'Mass', /^0\.5 kg$/);
  await value(pendulum, 'Energy', /J \(.* kinetic, .* potential\)$/);
  await button(page, 'Set baseline').click();
  const text = await value(pendulum, 'Period', /\([3-9] periods in x\)$/);
  await call(page, 'world.pause');
  const wanted = 2 * Math.PI * Math.sqrt(1 / 9.81) * (1 + angle ** 2 / 16 + 11 * angle ** 4 / 3072);
  assert.ok(Math.abs(Number.parseFloat(text) - wanted) < 0.01 * wanted, `${text}, theory ${wanted} s`);
  assert.match(await value(pendulum, 'Change from baseline', /%/), /J \([+-]?0(\.\d+)?%\)$/);
  await dock(page).getByText(/^Positions are exact .* none missing\./).waitFor({ timeout: PATIENCE_MS });

  const rows = await copied(page);
  assert.ok(rows.length > 360);
  for (let i = 1; i < rows.length; i++) assert.equal(rows[i].tick, rows[i - 1].tick + 1);
  const read = await call(page, 'particle.read', { object, particles: [1] });
  assert.ok(read.tick - rows.at(-1).tick <= 2);
  assert.ok(rows.every(({ x_m: x, y_m: y }) => Math.abs(Math.hypot(x, y - 2.4) - 1) < 1e-3), 'it hangs on its rope');

  const shown = await restOf(page, object, 1);
  const mark = await page.locator('.probe-mark').boundingBox();
  assert.ok(Math.hypot(mark.x + mark.width / 2 - shown.x, mark.y + mark.height / 2 - shown.y) < 3, 'the marker is at the particle');
  await dock(page).getByLabel('Plot', { exact: true }).selectOption({ label: 'Position x (m)' });
  await dock(page).getByRole('img', { name: /^Position x in m over time/ }).waitFor();
  assert.ok(await dock(page).locator('canvas').isVisible());
  await keepScreenshot(page, 'probe');
  await audit(page, 'the dock of probes');
  await page.evaluate(() => { document.documentElement.dataset.theme = 'light'; });
  await audit(page, 'the dock of probes in the light theme');

  await call(page, 'object.remove', { object });
  await pendulum.getByText(/^This is no longer in the world/).waitFor({ timeout: PATIENCE_MS });
  await pendulum.getByRole('button', { name: /^Remove probe/ }).click();
  await dock(page).getByText(/^No probes yet/).waitFor();
  assert.deepEqual(page.complaints, []);
});

test('a body of a server’s world is probed from the selection, with what the server says', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  await client.call('world.set', { damping: 0, airDensity: 0 });
  const { object } = await client.call('body.spawn', { name: 'stone', shape: 'box', size: [0.3, 0.3, 0.3], position: [0, 40, 0], mass: 2 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?panel=probe&source=frames'), { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  await page.evaluate((id) => window.weft.page.selection.set({ objects: [id] }), object);
  await button(page, 'Probe selection').click();
  const stone = card(page, /stone/);
  await stone.waitFor({ timeout: PATIENCE_MS });
  await client.call('world.resume');
  await value(stone, 'Speed', /^\d.* m\/s$/);
  await until(async () => (await client.call('world.get')).tick > 90, 'the fall', PATIENCE_MS);
  await client.call('world.pause');
  await dock(page).getByText(/^Positions and velocities are read from the server/).waitFor({ timeout: PATIENCE_MS });
  const rows = await copied(page);
  assert.ok(rows.length >= 3);
  for (const row of rows) assert.ok(Math.abs(row.ay_m_s2 + 9.81) < 0.05, `tick ${row.tick}: ${row.ay_m_s2} m/s²`);
  await value(stone, 'Net force', /^19\.[567]\d* N$/);
  await value(stone, 'Mass', /^2 kg$/);
  for (const name of ['Pick in scene', 'Set baseline', 'Copy as CSV']) assert.ok((await button(page, name).boundingBox()).height >= 44, name);
  await keepScreenshot(page, 'probe-phone');
  await page.evaluate((id) => window.weft.page.client.call('obstacle.add', { shape: 'sphere', radius: 0.2 }).then(({ obstacle }) => window.weft.page.selection.set({ objects: [obstacle ?? id] })), object);
  await button(page, 'Probe selection').click();
  await page.getByText(/^Only particles and objects/).waitFor({ timeout: PATIENCE_MS });
  assert.deepEqual(page.complaints, []);
});
