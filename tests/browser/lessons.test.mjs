// SPDX-License-Identifier: MIT
// Lessons: those of a teacher; the address; what viewers see; the page without a server. Each lesson that comes with Weft is played
// in lessons_local.test.mjs and lessons_server.test.mjs.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildSite, serveSite } from '../support/site.mjs';
import { until } from '../support/wait.mjs';
import { run, WEFTCTL, Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { button, choose, dockOf, isReady, LONG, SLOW_MS, succeeded } from './lessons.mjs';

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
