// SPDX-License-Identifier: MIT
// Lessons: each one that comes with Weft is played to its end with the pointer and the keyboard, in a local world and on a server;
// lessons of a teacher; the address; what viewers see.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { OWN_NAMES } from '../../web/viewer/tools/lessons/library.js';
import { buildSite, serveSite } from '../support/site.mjs';
import { until } from '../support/wait.mjs';
import { ROOT, run, WEFTCTL, Weftd } from '../support/weftd.mjs';
import { audit, browser } from './access.mjs';
import { drawn, keepScreenshot } from './page.mjs';

const LONG = { timeout: 600000 };
const SLOW_MS = 60000;

const lessonOf = async (name) => JSON.parse(await readFile(join(ROOT, `web/lessons/${name}.json`), 'utf8'));
const dockOf = (page) => page.locator('#dock-lessons');
const button = (page, name) => dockOf(page).getByRole('button', { name, exact: true });

/** Waits until the card of a step is shown and its world is ready. */
async function isReady(page, title) {
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
  }, `${name} to rest`).catch(() => placeOf(page, name, particle)); // cloth in the wind never rests
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

const choose = (page, answer) => dockOf(page).getByLabel(answer, { exact: true }).check();

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

const succeeded = (page) => dockOf(page).locator('.lesson-success:not(:empty)').isVisible();

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
async function playAll(t, page) {
  for (const [at, name] of OWN_NAMES.entries()) {
    await play(t, page, name);
    const next = OWN_NAMES[at + 1];
    if (next) await button(page, `Start “${(await lessonOf(next)).title}”`).click();
  }
  await button(page, 'All lessons').last().click();
  await dockOf(page).getByText('6 of 6 tasks done').first().waitFor();
  assert.equal(await dockOf(page).locator('.lesson-entry').count(), OWN_NAMES.length);
  assert.deepEqual(page.complaints, []);
}

test('each lesson is played to its end in a local world, from a link', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const page = await browser.open(t, server.http('/?world=local:empty&lesson=verlet&step=1'));
  await isReady(page, 'Where it is, where it was');
  await audit(page, 'a step of a lesson');
  await playAll(t, page);
  await audit(page, 'the list of lessons');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'lessons-list')}`);
});

test('each lesson is played to its end on a server, from the panel', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=room']);
  const page = await browser.open(t, server.http('/?panel=lessons'));
  await dockOf(page).getByRole('button', { name: 'Verlet integration' }).click();
  await playAll(t, page);
});

test('on a server a link shows its step, and changes the world only when asked to; the address and a new load keep the place', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const page = await browser.open(t, server.http('/?lesson=lessons/sticks.json&step=2'));
  await dockOf(page).getByRole('heading', { level: 3, name: 'Who moves how far?' }).waitFor({ timeout: SLOW_MS });
  const sceneOf = () => page.evaluate(async () => (await window.weft.client.call('world.get')).scene);
  await dockOf(page).getByText('its scene takes the place of what is in this world').waitFor();
  assert.equal(await sceneOf(), 'cloth', 'nothing is loaded yet');
  await button(page, 'Set up step').click();
  await isReady(page, 'Who moves how far?');
  assert.equal(await sceneOf(), 'empty');
  await choose(page, '5 mm');
  await dockOf(page).getByText('That is not it. Try another answer.').waitFor();
  assert.equal(await succeeded(page), false);
  await button(page, 'Skip').click();
  await isReady(page, 'Many sticks: relaxation');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('step') === '3');
  assert.equal(new URL(page.url()).searchParams.get('lesson'), 'lessons/sticks.json');
  await page.waitForFunction(() => new URLSearchParams(location.search).get('xray') === 'stretch');

  await page.reload();
  await dockOf(page).getByRole('heading', { level: 3, name: 'Many sticks: relaxation' }).waitFor({ timeout: SLOW_MS });
  await button(page, 'All lessons').click();
  await page.waitForFunction(() => !new URLSearchParams(location.search).has('lesson'));
  assert.deepEqual(page.complaints, []);
});

test('a step without a scene, come to from elsewhere, gets that of the steps before', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const page = await browser.open(t, server.http('/?world=local:room&lesson=sticks&step=4'));
  await isReady(page, 'Shorter steps beat more rounds');
  const state = await page.evaluate(() => window.weft.client.call('world.get'));
  assert.deepEqual([state.scene, state.substeps, state.iterations, state.counts.objects], ['empty', 1, 1, 1]);
});

test('a teacher opens a lesson from a file, and is told what is wrong with one', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const page = await browser.open(t, server.http('/?world=local:empty&panel=lessons'));
  const file = dockOf(page).getByLabel('Lesson file');
  const fileOf = (lesson) => ({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(lesson)) });
  const step = { title: 'Add a box', text: ['A <b>box</b>.'], scene: 'room', task: 'Add one.', check: { read: 'world.get', member: '/counts/objects', rises: 1 } };
  await file.setInputFiles(fileOf({ title: 'Mine', steps: [{ ...step, chek: 1 }] }));
  await page.locator('.toast', { hasText: 'mine.json: step 1, chek is not a member here: allowed are title, text' }).waitFor();
  await file.setInputFiles(fileOf({ title: 'Mine', steps: [step] }));
  await isReady(page, 'Add a box');
  await dockOf(page).getByText('A <b>box</b>.').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Box', exact: true }).click();
  await until(() => succeeded(page), 'the success', SLOW_MS);
  await page.keyboard.press('n');
  await dockOf(page).getByRole('heading', { level: 3, name: 'Lesson complete' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.has('lesson'), false, 'a file has no address');

  await button(page, 'All lessons').last().click();
  const dropped = JSON.stringify({ title: 'Dropped', steps: [{ title: 'From a drop', text: ['Here.'] }] });
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, dropped);
  await dockOf(page).getByRole('heading', { level: 3, name: 'From a drop' }).waitFor();
  await button(page, 'Finish').waitFor();
});

test('an address that leads to no lesson is answered with a reason', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  for (const [name, words] of [['nothing', 'There is no lesson “nothing”. The lessons are verlet, sticks, rigid-bodies'], ['https://example.org/a.json', 'is not on this server']]) {
    const page = await browser.open(t, server.http(`/?world=local:empty&lesson=${encodeURIComponent(name)}`));
    await page.locator('.toast', { hasText: words }).waitFor({ timeout: SLOW_MS });
  }
});

test('a viewer reads the cards and answers questions, and changes nothing', LONG, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-lessons-'));
  t.after(() => rm(folder, { recursive: true }));
  const tokens = join(folder, 'tokens');
  assert.equal((await run(WEFTCTL, ['token', 'make', 'admin', 'owner', '--tokens', tokens])).status, 0);
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--tokens', tokens, '--guests', 'viewer']);
  const page = await browser.open(t, server.http('/?lesson=rigid-bodies&step=1'));
  await dockOf(page).getByRole('heading', { level: 3, name: 'Four particles, six sticks' }).waitFor({ timeout: SLOW_MS });
  await dockOf(page).getByText('To do the tasks you need to be an editor').waitFor();
  assert.equal(await button(page, 'Set up step').count(), 0);
  await button(page, 'Next').click();
  await choose(page, '6: it can move and turn');
  await until(() => succeeded(page), 'the success', SLOW_MS);
  await page.keyboard.press('n');
  await dockOf(page).getByRole('heading', { level: 3, name: 'Spin for free' }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.weft.page.journal.entries.length), 0);
  assert.equal((await page.evaluate(() => window.weft.client.call('world.get'))).scene, 'cloth');
  assert.deepEqual(page.complaints, []);
});

test('the lessons are part of the page for a static host, and of the page in one file', LONG, async (t) => {
  const { folder, file } = await buildSite();
  const { origin } = await serveSite(t, folder);
  for (const address of [`${origin}/?lesson=verlet`, `${pathToFileURL(file)}?lesson=verlet`]) {
    const page = await browser.open(t, address);
    await isReady(page, 'Where it is, where it was');
    await button(page, 'All lessons').click();
    await dockOf(page).getByRole('button', { name: 'Rigid bodies' }).waitFor();
    assert.deepEqual(page.complaints, []);
  }
});
