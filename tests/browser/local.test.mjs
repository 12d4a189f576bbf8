// SPDX-License-Identifier: MIT
// Worlds without a server in the page: `?world=local:SCENE` is computed there; its history is gone back in, its branches are found
// again after a reload, its capsules are dropped on the page, two settings are compared, its programs run on a server.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { findObject, keepScreenshot, openBrowser, openPage, screenOf } from './page.mjs';

const PATIENCE_MS = 60000;

const dock = (page) => page.getByRole('region', { name: 'Time', exact: true });
const button = (page, name) => dock(page).getByRole('button', { name, exact: true });
const call = (page, method, params) => page.evaluate(([wanted, given]) => window.weft.page.client.call(wanted, given), [method, params ?? {}]);
const state = (page) => call(page, 'world.get');
const methods = async (page) => (await call(page, 'world.history', { most: 1000 })).commands.map(({ method }) => method);
const shows = (page, wanted, what) => until(async () => { const got = await state(page); return wanted(got) && got; }, what, PATIENCE_MS);

/** A page of a local world. Nothing but files may come from the server. */
async function openLocal(browser, server, options, more) {
  const page = await openPage(browser, server.http(`/?${options}`), more);
  page.sockets = 0;
  page.on('websocket', () => page.sockets++);
  return page;
}

/** Drops a file on the page. */
async function drop(page, file, bytes) {
  await page.evaluate(([name, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name));
    for (const type of ['dragover', 'drop']) document.getElementById('stage').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, [file, bytes.toString('base64')]);
}

test('a world of the page is dragged, undone, gone back in, branched, reloaded, and dropped again as a capsule', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const browser = await openBrowser(t);
  const page = await openLocal(browser, server, 'world=local:cloth&panel=time+settings');
  await page.waitForFunction(() => [...document.querySelectorAll('#panel input')].find(({ ariaLabel }) => ariaLabel === 'Computed by')?.value === 'This page');

  // A drag, which is taken back as a whole and given again.
  const cloth = await findObject(page, 'cloth');
  const at = await screenOf(page, cloth.id, Math.floor(cloth.particles / 2));
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await until(async () => (await state(page)).counts.grabs === 1, 'the grab', PATIENCE_MS);
  await page.mouse.move(at.x + 60, at.y - 30, { steps: 5 });
  await page.mouse.up();
  await until(async () => (await methods(page)).includes('grab.end'), 'the end of the grab', PATIENCE_MS);
  await page.keyboard.press('Control+z');
  await until(async () => !(await methods(page)).some((method) => method.startsWith('grab.')), 'the undo', PATIENCE_MS);
  await page.keyboard.press('Control+Shift+z');
  await until(async () => (await methods(page)).includes('grab.start'), 'the redo', PATIENCE_MS);
  await keepScreenshot(page, 'local');

  // Back in time, and to the present again.
  await call(page, 'world.pause');
  const end = await state(page);
  await page.keyboard.press(',');
  await shows(page, ({ replay }) => replay?.tick === end.tick - 1, 'the tick before');
  await button(page, 'Go to the end').click();
  assert.equal((await shows(page, ({ replay }) => !replay, 'the present')).stateHash, end.stateHash);
  await call(page, 'world.seek', { tick: 5 });
  const early = await state(page);
  assert.equal(early.tick, 5);

  // A branch, which a reload finds.
  await button(page, 'New world from here…').click();
  await dock(page).getByLabel('Name of the new world').first().fill('side');
  await button(page, 'Create world').click();
  const link = dock(page).getByRole('link', { name: 'Open side' });
  await link.waitFor({ timeout: PATIENCE_MS });
  assert.match(decodeURIComponent(await link.getAttribute('href')), /world=local:side/);
  await Promise.all([page.waitForNavigation({ timeout: PATIENCE_MS }), link.click()]);
  await page.evaluate(() => window.weft.ready);
  assert.deepEqual([(await state(page)).world, (await state(page)).stateHash], ['side', early.stateHash]);
  await call(page, 'body.spawn', { position: [0, 3, 0] });
  await call(page, 'world.step', { ticks: 20 });
  const side = await state(page);
  await until(() => page.evaluate((name) => new Promise((resolve) => { // changes are written within a second
    indexedDB.open('weft').onsuccess = ({ target: { result } }) => {
      result.transaction('heads').objectStore('heads').get(name).onsuccess = (event) => resolve(event.target.result?.tick === 25);
    };
  }), 'side'), 'the stored world', PATIENCE_MS);
  await page.reload();
  await page.waitForFunction(() => window.weft);
  await page.evaluate(() => window.weft.ready);
  assert.deepEqual([(await state(page)).tick, (await state(page)).stateHash], [side.tick, side.stateHash]);
  assert.deepEqual((await call(page, 'world.list')).worlds.map(({ name, kept }) => [name, kept]), [['side', true]]);

  // A capsule, dropped again, as another world of the page; and in the page of someone who may not make worlds on the server.
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download capsule').click()]);
  const bytes = await readFile(await download.path());
  await drop(page, 'again.capsule', bytes);
  const name = dock(page).getByRole('form', { name: 'New world from capsule' }).getByLabel('Name of the new world');
  await name.waitFor({ timeout: PATIENCE_MS });
  assert.equal(await name.inputValue(), 'again');
  await Promise.all([page.waitForNavigation({ timeout: PATIENCE_MS }), button(page, 'Create world').click()]);
  await page.evaluate(() => window.weft.ready);
  assert.equal((await state(page)).stateHash, side.stateHash);
  assert.equal(page.sockets, 0, 'there is no connection to the server');
  assert.deepEqual(page.complaints, []);

  // Who may only look on a server gets the capsule as a local world, too.
  const folder = await dataFolder(t);
  await run(WEFTCTL, ['token', 'make', 'editor', 'teacher', '--tokens', join(folder, 'tokens')]);
  const guarded = await Weftd.start(t, ['--world', 'main=rope', '--tokens', join(folder, 'tokens'), '--guests', 'viewer', '--log-level', 'warn']);
  const guest = await openPage(browser, guarded.http('/?panel=time'));
  await drop(guest, 'guest.capsule', bytes);
  await dock(guest).getByText(/runs in your browser/).waitFor({ timeout: PATIENCE_MS });
  await Promise.all([guest.waitForNavigation({ timeout: PATIENCE_MS }), button(guest, 'Create world').click()]);
  await guest.evaluate(() => window.weft.ready);
  assert.match(decodeURIComponent(guest.url()), /world=local:guest/);
  assert.equal((await state(guest)).stateHash, side.stateHash);
});

test('two settings of a local world are compared, and a program of it gives the same hash on a server', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--data', await dataFolder(t)]);
  const browser = await openBrowser(t);
  const page = await openLocal(browser, server, 'world=local:rope', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Compare two settings', exact: true }).click();
  const view = page.getByRole('region', { name: 'Comparison of two settings' });
  await view.getByText(/^Tick \d+$/).waitFor({ timeout: PATIENCE_MS });
  const { worlds } = await call(page, 'world.list');
  assert.deepEqual(worlds.map(({ temporary }) => temporary), [true, true, true]);
  await keepScreenshot(page, 'local-compare');
  await view.getByRole('button', { name: 'Step both' }).click();
  const ticks = async () => (await call(page, 'world.list')).worlds.filter(({ name }) => /-[AB]-/.test(name)).map(({ tick }) => tick);
  const before = worlds.find(({ name }) => /-A-/.test(name)).tick;
  await until(async () => (await ticks()).every((tick) => tick > before), 'a step of both', PATIENCE_MS);

  const other = await openLocal(browser, server, 'world=local:tearing&panel=log', { permissions: ['clipboard-read', 'clipboard-write'] });
  await call(other, 'body.spawn', { position: [0, 3, 0.2] });
  await call(other, 'world.pause');
  const { stateHash } = await state(other);
  await other.getByLabel('Copy as').selectOption('json');
  await other.getByRole('button', { name: /^Copy all as/ }).click();
  const program = other.getByRole('textbox', { name: 'Program' });
  await until(async () => (await program.inputValue()).includes(stateHash), 'the program', PATIENCE_MS);
  const file = join(await dataFolder(t), 'program.json');
  await writeFile(file, await program.inputValue());
  const { stdout, stderr, status } = await run(WEFTCTL, ['rebuild', file], { env: { WEFT_URL: server.url('main') } });
  assert.equal(status, 0, stderr);
  assert.match(stdout + stderr, new RegExp(stateHash));
  assert.deepEqual([...page.complaints, ...other.complaints], []);
});
