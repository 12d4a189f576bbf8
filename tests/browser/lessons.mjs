// SPDX-License-Identifier: MIT
// Lessons in tests: waiting for a step, and playing each lesson that comes with Weft to its end with the pointer and the keyboard.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_NAMES } from '../../web/viewer/tools/lessons/library.js';
import { until } from '../support/wait.mjs';
import { ROOT } from '../support/weftd.mjs';
import { drawn, keepScreenshot } from './page.mjs';

export const LONG = { timeout: 600000 };
export const SLOW_MS = 60000;

const lessonOf = async (name) => JSON.parse(await readFile(join(ROOT, `web/lessons/${name}.json`), 'utf8'));
export const dockOf = (page) => page.locator('#dock-lessons');
export const button = (page, name) => dockOf(page).getByRole('button', { name, exact: true });

/** Waits until the card of a step is shown and its world is ready. */
export async function isReady(page, title) {
  await dockOf(page).getByRole('heading', { level: 3, name: title }).waitFor({ timeout: SLOW_MS });
  await until(() => button(page, 'Restart step').isEnabled().catch(() => false), `the set-up of “${title}”`, SLOW_MS);
}

/**
 * Where a named object is on the page: the middle of all its particles, or one of them.
 * @param {number} [particle] a share of the number of its particles
 */
function placeOf(page, name, particle) {
  return page.evaluate(([wanted, share]) => {
    const { topology } = window.weft.client;
    const info = topology?.objects.findLast((object) => object.name === wanted);
    const shown = window.weft.objects.find(({ id }) => id === info?.id);
    if (!shown || shown.particles === 0) return null;
    if (share !== undefined) return window.weft.screenOf(info.id, Math.floor(share * (shown.particles - 1)));
    const middle = [0, 0, 0];
    for (let at = 0; at < 3 * shown.particles; at++) middle[at % 3] += shown.positions[at] / shown.particles;
    return window.weft.page.stage.project(middle);
  }, [name, particle]);
}

/** The same place once the object hardly moves. */
async function restOf(page, name, particle) {
  let before = null;
  return until(async () => {
    const place = await placeOf(page, name, particle);
    const isStill = place && before && Math.hypot(place.x - before.x, place.y - before.y) < 1;
    before = place;
    if (!isStill) await drawn(page, 2);
    return isStill && place;
  }, `${name} to rest`, 8000).catch(() => placeOf(page, name, particle)); // cloth in the wind never rests
}

const callsOf = (page, wanted) => page.evaluate((name) => window.weft.page.journal.entries.filter(({ method }) => method === name).length, wanted);

/** Drags an object by so many pixels, and lets go. */
async function drag(page, name, [dx, dy], particle) {
  const from = await restOf(page, name, particle);
  const [starts, moves] = [await callsOf(page, 'grab.start'), await callsOf(page, 'grab.move')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const isHeld = await until(async () => (await callsOf(page, 'grab.start')) > starts, `a hand on ${name}`, 5000).catch(() => false);
  for (let at = 1; isHeld && at <= 8; at++) {
    await page.mouse.move(from.x + (dx * at) / 8, from.y + (dy * at) / 8);
    await drawn(page, 1);
  }
  if (isHeld) await until(async () => (await callsOf(page, 'grab.move')) > moves, `${name} to be moved`, SLOW_MS);
  await page.mouse.up();
}

/** Types a number into the settings. */
async function set(page, name, value) {
  const input = page.locator('#dock-settings .lil-controller', { has: page.getByText(name, { exact: true }) }).locator('input');
  await input.fill(String(value));
  await input.press('Enter');
}

export const choose = (page, answer) => dockOf(page).getByLabel(answer, { exact: true }).check();

/** What a learner does in each step. */
const ACTS = {
  verlet: [
    (page) => drag(page, 'ball', [170, -60]),
    async (page) => { for (let press = 0; press < 5; press++) await page.keyboard.press('s'); },
    (page) => set(page, 'Gravity (m/s²)', 1.62),
    (page) => choose(page, 'In a straight line at constant speed'),
    (page) => set(page, 'Damping', 0.1),
    (page) => drag(page, 'ball', [0, 200]),
  ],
  sticks: [
    (page) => drag(page, 'pair', [160, -80], 0),
    (page) => choose(page, '9 mm'),
    (page) => set(page, 'Iterations', 30),
    (page) => set(page, 'Substeps', 16),
    (page) => drag(page, 'cloth', [140, 20], 0.99),
    async (page) => {
      const { x, y } = await placeOf(page, 'cloth', 0.5);
      await page.mouse.dblclick(x, y);
    },
    (page) => drag(page, 'curtain', [60, 330], 0.94),
  ],
  'rigid-bodies': [
    (page) => drag(page, 'tetrahedron', [160, -60]),
    (page) => choose(page, '6: it can move and turn'),
    (page) => drag(page, 'tetrahedron', [150, 40]),
    async (page) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Box', exact: true }).click();
    },
    (page) => drag(page, 'small box', [-100, -160]),
    (page) => choose(page, 'The red one, about its middle side'),
  ],
};

export const succeeded = (page) => dockOf(page).locator('.lesson-success:not(:empty)').isVisible();

/** Plays a lesson whose first step is shown, to its last card. */
async function play(t, page, name) {
  const { steps } = await lessonOf(name);
  assert.equal(ACTS[name].length, steps.length);
  for (const [at, { title, success }] of steps.entries()) {
    await isReady(page, title);
    await button(page, 'Skip').waitFor();
    const end = performance.now() + 2 * SLOW_MS;
    do {
      if (performance.now() > end) t.diagnostic(`screenshot: ${await keepScreenshot(page, 'lessons-stuck')}`);
      assert.ok(performance.now() < end, `${name}, “${title}” is never done`);
      await ACTS[name][at](page);
    } while (!await until(() => succeeded(page), 'the success', 5000).catch(() => false));
    assert.equal(await dockOf(page).locator('.lesson-success').textContent(), success);
    await dockOf(page).getByRole('button', { name: `Step ${at + 1}: ${title}, done` }).waitFor();
    const next = button(page, at + 1 < steps.length ? 'Next' : 'Finish');
    if (at % 2 === 0) {
      await next.click();
    } else {
      await next.focus();
      await page.keyboard.press('n');
    }
  }
  await dockOf(page).getByRole('heading', { level: 3, name: 'Lesson complete' }).waitFor();
  await dockOf(page).getByText(`You did ${steps.length} of ${steps.length} tasks.`).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('lesson'), name);
}

/** Plays all lessons, one leading on to the next. */
export async function playAll(t, page) {
  for (const [at, name] of OWN_NAMES.entries()) {
    await play(t, page, name);
    const next = OWN_NAMES[at + 1];
    if (next) await button(page, `Start “${(await lessonOf(next)).title}”`).click();
  }
  await button(page, 'All lessons').last().click();
  const entries = dockOf(page).locator('.lesson-entry');
  await until(async () => (await entries.count()) === OWN_NAMES.length, 'the entries of all lessons');
  for (const text of await entries.allTextContents()) assert.match(text, /(\d) of \1 tasks done$/);
  assert.deepEqual(page.complaints, []);
}
