// SPDX-License-Identifier: MIT
// The history on the page: its dock lists commands, goes back and forward, replays an interval for everyone, branches, and
// exports and imports capsules; users without permission are told why.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { audit } from './access.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const PATIENCE_MS = 60000;
const TICKS = 240;

const dock = (page) => page.getByRole('region', { name: 'Time', exact: true });
const button = (page, name) => dock(page).getByRole('button', { name, exact: true });
const status = (page) => dock(page).locator('.time-status').textContent();
const told = (page, words) => until(async () => words.test(await status(page)), `"${words}" in the dock`, PATIENCE_MS);

// A moving finger, as touch events of the browser.
async function drag(page, [fromX, fromY], [toX, toY]) {
  const session = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x: fromX, y: fromY }]);
  for (let i = 1; i <= 6; i++) await touch('touchMove', [{ x: fromX + ((toX - fromX) * i) / 6, y: fromY + ((toY - fromY) * i) / 6 }]);
  await touch('touchEnd', []);
}

/** A world with commands at ticks 1, 61 and 121, stopped at tick 240. */
async function livedIn(t, more = []) {
  const server = await Weftd.start(t, ['--data', await dataFolder(t), '--world', 'main=empty', '--paused', '--log-level', 'warn', ...more]);
  const hand = await server.connect('main');
  const call = (method, params) => hand.call(method, params);
  const { object } = await call('cloth.spawn', { columns: 12, rows: 12, position: [0, 1, 0], pin: 'topCorners' });
  await call('world.step', { ticks: 60 });
  const { grab } = await call('grab.start', { object, particle: 70 });
  await call('grab.move', { grab, position: [0.4, 0.8, 0.6] });
  await call('world.step', { ticks: 60 });
  await call('grab.end', { grab });
  await call('rope.spawn', { from: [1, 2, 0], to: [1.5, 2, 0], particles: 8 });
  await call('world.step', { ticks: TICKS - 120 });
  const now = async () => call('world.get');
  const shows = (wanted, what) => until(async () => { const got = await now(); return wanted(got) && got; }, what, PATIENCE_MS);
  return { server, call, now, shows };
}

test('the timeline is looked through, replayed, branched and kept as a file', { timeout: 600000 }, async (t) => {
  const { server, call, now, shows } = await livedIn(t);
  const end = (await now()).stateHash;
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  const other = await openPage(browser, server.http('/'), { viewport: { width: 900, height: 560 } });
  const otherTick = () => other.evaluate(() => window.weft.page.buffer.newest?.tick);

  await page.keyboard.press('t');
  await told(page, /paused at the end/);
  assert.match(page.url(), /^http/);
  const head = dock(page).getByRole('slider', { name: 'Tick shown' });
  assert.equal(await head.getAttribute('aria-valuenow'), String(TICKS));
  await dock(page).getByText(/^History: /).click();
  await dock(page).locator('.time-list li').nth(3).waitFor();
  const listed = await dock(page).locator('.time-list li').allTextContents();
  assert.deepEqual(listed.map((text) => text.replace(/: .*? (added|dragged|released|started)/, ': … $1')), [
    'tick 1: … started with the scene empty', 'tick 1: … added a cloth', 'tick 61 to 121: … dragged object 1', 'tick 121: … added a rope']);
  await keepScreenshot(page, 'time-present');

  // By pointer, on the track.
  const box = await dock(page).locator('.time-track').boundingBox();
  const at = (share) => [box.x + 14 + share * (box.width - 28), box.y + 36];
  await page.mouse.move(...at(0.9));
  await page.mouse.down();
  for (const share of [0.8, 0.6, 0.5, 0.4]) await page.mouse.move(...at(share));
  await page.mouse.up();
  const seen = await shows(({ replay, tick }) => replay && Math.abs(tick - 0.4 * TICKS) < 6, 'tick 96');
  await told(page, /Everyone is seeing the past/);
  await until(async () => (await otherTick()) === seen.tick, 'the same in the other window', PATIENCE_MS);
  await keepScreenshot(page, 'time-past');

  // By keys, one tick back and forward.
  await page.keyboard.press(',');
  const before = await shows(({ tick }) => tick === seen.tick - 1, 'a tick back');
  await page.keyboard.press('.');
  const again = await shows(({ tick }) => tick === seen.tick, 'a tick on');
  assert.equal(again.stateHash, seen.stateHash, 'to the bit');
  assert.notEqual(before.stateHash, seen.stateHash);
  await head.focus();
  await page.keyboard.press('Home');
  await shows(({ tick }) => tick === 0, 'the beginning');

  // Replays an interval in a loop, at four times the speed.
  const from = dock(page).getByRole('slider', { name: 'Range start' });
  await from.focus();
  for (let i = 0; i < 2; i++) await page.keyboard.press('PageUp');
  const to = dock(page).getByRole('slider', { name: 'Range end' });
  await to.focus();
  await page.keyboard.press('PageDown');
  assert.deepEqual([await from.getAttribute('aria-valuenow'), await to.getAttribute('aria-valuenow')], ['120', '180']);
  await dock(page).getByLabel('Replay speed').selectOption('4');
  await button(page, 'Loop').click();
  await button(page, 'Replay range').click();
  const playing = await shows(({ replay }) => replay?.playing, 'the replay');
  assert.deepEqual([playing.replay.from, playing.replay.to, playing.replay.speed, playing.replay.loop], [120, 180, 4, true]);
  let rounds = 0;
  for (let last = 0; rounds < 2;) {
    const tick = await other.waitForFunction((known) => {
      const { newest } = window.weft.page.buffer;
      return newest && newest.tick !== known && newest.tick;
    }, last).then((handle) => handle.jsonValue());
    assert.ok(last === 0 || (tick >= 120 && tick <= 180), `tick ${tick}`);
    if (tick < last) rounds++;
    last = tick;
  }
  await told(page, /ticks 120 to 180 at ×4, repeated/);
  await keepScreenshot(page, 'time-replay');
  await button(page, 'Stop replay').click();
  const stopped = await shows(({ replay }) => replay && !replay.playing, 'the end of the replay');
  await button(page, 'Replay range').waitFor(); // the page knows of the end, too

  // Branches at the displayed tick.
  await button(page, 'New world from here…').click();
  await dock(page).getByLabel('Name of the new world').first().fill('side');
  await keepScreenshot(page, 'time-branch');
  await audit(page, 'what was done, and the question for a name');
  await button(page, 'Create world').click();
  const link = dock(page).getByRole('link', { name: 'Open side' });
  await link.waitFor({ timeout: PATIENCE_MS });
  const side = await server.connect('side');
  assert.equal((await side.call('world.get')).stateHash, stopped.stateHash);
  assert.match(await link.getAttribute('href'), /world=side/);
  assert.match(await link.getAttribute('href'), /panel=time/);

  // Exports the interval as a capsule, and makes a world from it.
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download capsule').click()]);
  assert.equal(download.suggestedFilename(), 'main-120-180.capsule');
  const at180 = await call('world.replay', { from: 180, speed: 0 }).then(now);
  const buffer = await readFile(await download.path());
  await page.evaluate(([file, text]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], file));
    for (const type of ['dragover', 'drop']) document.getElementById('stage').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, ['main-120-180.capsule', buffer.toString('base64')]);
  const name = dock(page).getByRole('form', { name: 'New world from capsule' }).getByLabel('Name of the new world');
  await name.waitFor({ timeout: PATIENCE_MS });
  assert.equal(await name.inputValue(), 'main-120-180');
  assert.equal(await page.locator('.toast').count(), 0, 'nothing was refused');
  await keepScreenshot(page, 'time-capsule');
  await Promise.all([page.waitForNavigation({ timeout: PATIENCE_MS }), button(page, 'Create world').click()]);
  assert.match(page.url(), /world=main-120-180/);
  const capsule = await server.connect('main-120-180');
  assert.equal((await capsule.call('world.get')).stateHash, at180.stateHash);

  // Back to the end: none of these steps has changed the world.
  await other.keyboard.press('t');
  await button(other, 'Go to the end').click();
  const back = await shows(({ replay }) => !replay, 'the present');
  assert.equal(back.stateHash, end);
  await told(other, /paused at the end/);
  await other.keyboard.press(',');
  await shows(({ replay }) => replay?.tick === TICKS - 1, 'a tick back');
  await button(other, 'Resume from here').click();
  await shows(({ running, tick }) => running && tick > TICKS, 'the world to go on');
  await told(other, /is running/);
  await other.keyboard.press(',');
  await told(other, /Everyone is seeing the past/);
  await dock(other).getByText(/^Branches: /).click();
  assert.ok((await dock(other).getByRole('radio').count()) >= 2, 'the rest is a timeline of its own');
  await keepScreenshot(other, 'time-branches');
  await audit(other, 'timelines');

  // While the dock is closed, a note describes the replay, and the toolbar stops it and steps through the past.
  await other.keyboard.press('t');
  const note = other.locator('#time-note');
  await note.getByText('You are seeing the past.').waitFor();
  await call('world.replay', { from: 10, to: 200, speed: 0.1 });
  await other.getByRole('button', { name: 'Pause', exact: true }).click();
  const held = await shows(({ replay }) => replay && !replay.playing, 'the replay to stop');
  await other.getByRole('button', { name: 'Step one tick', exact: true }).click();
  await shows(({ replay, tick }) => replay && tick === held.tick + 1, 'the next tick of what was');
  await keepScreenshot(other, 'time-note');
  await audit(other, 'the note of what was');
  await note.getByRole('button', { name: 'Back to the present' }).click();
  await shows(({ replay }) => !replay, 'the present again');
  await note.waitFor({ state: 'hidden' });
  assert.deepEqual([...page.complaints, ...other.complaints], []);
});

test('who may only look, a server without a history and a small screen get what fits them', { timeout: 600000 }, async (t) => {
  const { server, call, shows } = await livedIn(t);
  const folder = await dataFolder(t);
  await run(WEFTCTL, ['token', 'make', 'editor', 'teacher', '--tokens', join(folder, 'tokens')]);
  const guarded = await Weftd.start(t, ['--world', 'main=rope', '--data', folder, '--tokens', join(folder, 'tokens'), '--guests', 'viewer', '--log-level', 'warn']);
  const plain = await Weftd.start(t, ['--world', 'main=rope', '--log-level', 'warn']);
  const browser = await openBrowser(t);
  const bare = await openPage(browser, plain.http('/?panel=time'));
  await told(bare, /keeps no history/);
  assert.ok(await button(bare, 'Replay range').isDisabled());
  assert.ok(await button(bare, 'Step forward').isEnabled());
  await button(bare, 'Step forward').click();
  await bare.waitForFunction(() => window.weft.page.state?.running === false);
  assert.equal(await bare.locator('.toast').count(), 0, 'nothing was refused');
  const [present] = await Promise.all([bare.waitForEvent('download'), button(bare, 'Download capsule').click()]);
  assert.equal(present.suggestedFilename(), 'main.capsule');
  await keepScreenshot(bare, 'time-no-history');
  await bare.context().close();

  const phone = await openPage(browser, server.http('/?panel=time'), { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'light' });
  await told(phone, /paused at the end/);
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.querySelector('#dock-time .dock-body').scrollWidth <= document.querySelector('#dock-time .dock-body').clientWidth), 'nothing sticks out');
  const box = await dock(phone).locator('.time-track').boundingBox();
  await phone.touchscreen.tap(box.x + box.width / 2, box.y + 30);
  await shows(({ replay, tick }) => replay && Math.abs(tick - TICKS / 2) < 8, 'the middle');
  await told(phone, /Everyone is seeing the past/);
  await keepScreenshot(phone, 'time-phone');
  await audit(phone, 'the timeline on a small screen');
  await call('world.seek');
  await call('world.resume');
  await told(phone, /The world is running/);
  const track = await dock(phone).locator('.time-track').boundingBox();
  const toast = phone.getByText('Paused the world to show its past.').waitFor();
  await drag(phone, [track.x + track.width - 20, track.y + 30], [track.x + 40, track.y + 30]);
  await shows(({ replay, running, tick }) => replay && !running && tick < TICKS / 2, 'the past where the finger let go');
  await toast;
  await phone.context().close();

  const looker = await openPage(browser, guarded.http('/?panel=time'));
  await told(looker, /only editors can move through time/i);
  for (const name of ['Replay range', 'Step back', 'New world from here…']) assert.ok(await button(looker, name).isDisabled(), name);
  await dock(looker).getByText(/^History: /).click();
  assert.match(await dock(looker).locator('.time-list li').first().textContent(), /started with the scene rope/);
  await keepScreenshot(looker, 'time-viewer');
  assert.deepEqual([...bare.complaints, ...phone.complaints, ...looker.complaints], []);
});
