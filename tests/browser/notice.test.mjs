// SPDX-License-Identifier: MIT
// The page's messages, their visibility and their truth for every user: toasts in every window, dragging in a paused world, a
// server that is unavailable for long, and viewers.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep } from '../support/wait.mjs';
import { run, WEFTCTL, Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { findObject, keepScreenshot, positionOf, restOf, screenOf } from './page.mjs';

const LONG = { timeout: 300000 };
const WINDOWS = [[1280, 720], [390, 844], [844, 390], [320, 480]];
const LONG_TEXT = 'A sentence that says at some length what was refused, why that was, and how it can be done in another way. '.repeat(4);

/** Whether an element is completely within the window, and nothing covers its centre. */
const seenWhole = (element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  element.style.pointerEvents = 'auto'; // notes ignore the pointer
  const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight && (above === element || element.contains(above));
};

test('toasts are seen whole in every window, whatever else is open, and older ones can be scrolled to', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  for (const [width, height] of WINDOWS) {
    const page = await browser.open(t, server.http('/?panel=share'), { viewport: { width, height } });
    await page.getByLabel('Link to this world').waitFor();
    await page.evaluate((long) => [1, 2, 3, 4].forEach((number) => window.weft.page.toasts.show(new Error(`${number}: ${long}`))), LONG_TEXT);
    const newest = page.locator('.toast', { hasText: '4: ' });
    assert.equal(await newest.evaluate(seenWhole), true, `the newest in ${width} × ${height}`);
    const oldest = page.locator('.toast', { hasText: '1: ' });
    await oldest.evaluate((element) => element.scrollIntoView());
    assert.equal(await oldest.evaluate(seenWhole), true, `the oldest in ${width} × ${height}`);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, `toasts-${width}`)}`);
    await page.evaluate(() => {
      window.weft.page.actions.run('help');
      window.weft.page.toasts.element.replaceChildren();
    });
    await page.getByRole('dialog', { name: 'Help and shortcuts' }).waitFor();
    await page.evaluate(() => window.weft.page.toasts.show('said while a dialog is open'));
    const inDialog = await page.locator('.toast').evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const stack = [...document.querySelectorAll('dialog, #toasts')].filter((one) => one.matches(':modal, :popover-open'));
      return { whole: left >= 0 && top >= 0 && right <= window.innerWidth && bottom <= window.innerHeight, layers: stack.length };
    });
    assert.deepEqual(inDialog, { whole: true, layers: 2 }, 'in the layer above the page');
    t.diagnostic(`screenshot: ${await keepScreenshot(page, `toast-dialog-${width}`)}`);
    await page.keyboard.press('Escape');
    assert.deepEqual(page.complaints, []);
  }
});

test('what a panel answers is seen without scrolling', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  for (const [width, height] of WINDOWS.slice(0, 3)) {
    const page = await browser.open(t, server.http('/?panel=share'), { viewport: { width, height } });
    await page.getByRole('button', { name: 'Copy link', exact: true }).click();
    const said = page.locator('#dock-share [role=status]:not(:empty)');
    await said.waitFor();
    assert.equal(await said.evaluate(seenWhole), true, `${await said.textContent()} in ${width} × ${height}`);
  }
});

test('who drags in a world that stands still is told how to run it, once, and what is held follows then', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const page = await browser.open(t, server.http('/'));
  const { id } = await findObject(page, 'cloth');
  const particle = 39 * 40 + 20; // in the middle of the lower edge
  const toast = page.locator('.toast', { hasText: 'The world is paused' });
  const drag = async (dx) => {
    const at = await screenOf(page, id, particle);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let i = 1; i <= 5; i++) await page.mouse.move(at.x + (dx * i) / 5, at.y);
  };
  await drag(40);
  await sleep(500);
  await page.mouse.up();
  assert.equal(await toast.count(), 0, 'nothing is said while it runs');

  await page.keyboard.press('Space');
  await page.waitForFunction(() => !window.weft.page.running);
  await restOf(page, id, particle);
  const before = await positionOf(page, id, particle);
  await drag(80);
  await toast.waitFor();
  assert.match(await toast.textContent(), /Press Space or Resume to move what you hold\.$/);
  assert.equal(await toast.count(), 1);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'drag-paused')}`);
  await page.keyboard.press('Space');
  await page.waitForFunction(([object, index, was]) => {
    const { positions } = window.weft.objects.find((one) => one.id === object);
    return Math.hypot(...[0, 1, 2].map((axis) => positions[3 * index + axis] - was[axis])) > 0.05;
  }, [id, particle, before]);
  await page.mouse.up();

  await page.keyboard.press('Space'); // the same for a grab by keyboard
  await page.waitForFunction(() => !window.weft.page.running);
  await page.evaluate((object) => {
    window.weft.page.toasts.element.replaceChildren();
    window.weft.page.selection.set({ objects: [object] });
    document.getElementById('stage').focus();
  }, id);
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowRight');
  await toast.waitFor();
  assert.deepEqual(page.complaints, []);
});

test('while the server is away nothing fails unseen, keys do nothing, and “Retry now” tries at once', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const page = await browser.open(t, server.http('/?panel=time'));
  await page.evaluate(() => {
    window.rejections = [];
    window.attempts = 0;
    window.addEventListener('unhandledrejection', ({ reason }) => window.rejections.push(String(reason)));
    window.weft.client.on('state', ({ state }) => { if (state === 'connecting') window.attempts++; });
  });
  // The page loads this module when it has nothing else to do; a load that the server's end breaks off would be a complaint.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/palette-\w+\.js$/.test(name)));
  await page.waitForLoadState('networkidle');
  server.process.kill('SIGKILL');
  await server.exited;
  await page.getByText('No answer from').waitFor();
  for (const key of ['?', 'Control+k', 'x', 'l', 'b']) await page.keyboard.press(key); // each key would load modules from the server
  await page.waitForFunction(() => window.attempts >= 6);
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'server-away')}`);
  await page.waitForFunction(() => /Retrying in [2-5] s/.test(document.getElementById('overlay-countdown').textContent));
  const tried = await page.evaluate(() => new Promise((resolve) => {
    const { attempts } = window;
    document.getElementById('overlay-now').click();
    setTimeout(() => resolve(window.attempts - attempts), 900);
  }));
  assert.equal(tried, 1);
  assert.deepEqual(await page.evaluate(() => window.rejections), []);
  assert.deepEqual(page.complaints.filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket connection to/.test(text)), []);
  assert.equal(await page.locator('dialog').count(), 0, 'no key did anything');

  await Weftd.start(t, ['--world', 'main=rope', '--port', String(server.port)]);
  await page.evaluate(() => document.getElementById('overlay-now').click());
  await page.waitForFunction(() => window.weft.client.state === 'open');
  await page.locator('#overlay').waitFor({ state: 'hidden' });
});

test('a viewer is not invited to pull, pin or add', LONG, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-notice-'));
  t.after(() => rm(folder, { recursive: true }));
  const tokens = join(folder, 'tokens');
  await run(WEFTCTL, ['token', 'make', 'admin', 'teacher', '--tokens', tokens]);
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--world', 'bare=empty', '--tokens', tokens, '--guests', 'viewer']);
  const page = await browser.open(t, server.http('/'));
  const steps = page.getByRole('complementary', { name: 'First steps' });
  await steps.waitFor();
  const inviting = /\b(pull|drag an object|pin\b|add an)/i;
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'viewer-first')}`);
  assert.doesNotMatch(await steps.textContent(), inviting);
  await page.mouse.move(640, 360);
  await steps.getByText('Drag to orbit.').waitFor();
  await steps.getByRole('button', { name: 'Skip' }).click();
  await steps.getByText('Scroll or pinch to zoom.').waitFor();
  await page.mouse.move(640, 300);
  await page.mouse.wheel(0, -300);
  await steps.getByText('You zoomed.').waitFor();
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await page.locator('#explain-scene').waitFor();
  assert.equal(await page.locator('.to-try').isVisible(), false);
  assert.doesNotMatch(await page.locator('#stage').getAttribute('aria-description'), inviting);
  await page.keyboard.press('?');
  const gestures = page.getByRole('dialog', { name: 'Help and shortcuts' }).locator('section', { has: page.getByRole('heading', { name: 'Mouse and touch' }) });
  assert.doesNotMatch(await gestures.textContent(), inviting);
  await page.keyboard.press('Escape');

  const bare = await browser.open(t, server.http('/?world=bare'));
  await bare.getByText('Nothing here yet.', { exact: true }).waitFor();
  assert.deepEqual([...page.complaints, ...bare.complaints], []);
});
