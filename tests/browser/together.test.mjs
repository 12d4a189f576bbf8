// SPDX-License-Identifier: MIT
// Being together, in several windows: avatars, following a camera, presenting, raised hands, and an owner who changes roles.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until as untilWithin } from '../support/wait.mjs';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { keepScreenshot } from './page.mjs';

const LONG = { timeout: 420000 };
const until = (condition, what) => untilWithin(condition, what, 30000);
const VIEW = [2.5, 1.2, 3.5, 0, 1.4, 0];

const eyeOf = (page) => page.evaluate(() => window.weft.page.stage.rig.read());
const look = (page, numbers) => page.evaluate((camera) => window.weft.page.stage.rig.write(camera), numbers);
const avatars = (page) => page.getByRole('navigation', { name: 'People here' }).getByRole('button');
const introduce = (page, name, color) => page.evaluate((person) => window.weft.client.call('client.introduce', person), { name, color });
const sees = (page, wanted) => until(async () => (await eyeOf(page)).every((value, i) => Math.abs(value - wanted[i]) < 0.02), `the camera at ${wanted}`);

test('avatars say who is here, and a click follows a camera until one moves oneself', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const [hare, otter] = [await browser.open(t, server.http('/')), await browser.open(t, server.http('/'))];
  await introduce(hare, 'Hare', '#f5c518');
  await introduce(otter, 'Otter', '#0091ff');
  const bar = otter.locator('#following');

  await t.test('everyone has an avatar with a name', async () => {
    await until(async () => (await avatars(otter).allTextContents()).join() === 'O,H', 'two avatars');
    assert.equal(await avatars(otter).first().getAttribute('aria-label'), 'Otter (you)');
    assert.equal(await avatars(otter).nth(1).getAttribute('title'), 'Hare: follow');
    assert.equal(await bar.isVisible(), false);
  });

  await t.test('a followed camera is seen at once and as it moves', async () => {
    await look(hare, VIEW);
    await avatars(otter).filter({ hasText: 'H' }).click();
    await bar.getByText('Following Hare').waitFor();
    await sees(otter, VIEW);
    await look(hare, [-2, 2, 3, 0, 1, 0]);
    await sees(otter, [-2, 2, 3, 0, 1, 0]);
    assert.equal(await otter.locator('#following-frame').evaluate((frame) => frame.style.getPropertyValue('--person')), '#f5c518');
    t.diagnostic(`screenshot: ${await keepScreenshot(otter, 'together-following')}`);
  });

  await t.test('Escape, the button and one\'s own move stop it', async () => {
    const follow = async () => {
      await avatars(otter).filter({ hasText: 'H' }).click();
      await bar.getByText('Following Hare').waitFor();
    };
    await otter.keyboard.press('Escape');
    await bar.waitFor({ state: 'hidden' });
    await follow();
    await bar.getByRole('button', { name: 'Stop following' }).click();
    await bar.waitFor({ state: 'hidden' });
    await follow();
    await otter.locator('#stage').focus();
    await otter.mouse.move(640, 400); // below all that lies over the picture
    await otter.mouse.wheel(0, 120);
    await bar.waitFor({ state: 'hidden' });
    await until(() => hare.evaluate(() => window.weft.page.following.followers.length === 0), 'nobody follows Hare');
    await look(hare, VIEW);
    for (const page of [hare, otter]) await page.evaluate(() => window.weft.client.call('world.get'));
    const [x] = await eyeOf(otter);
    assert.ok(x < -1, `the camera went along to ${x}`);
  });

  await t.test('more than five become a number', async () => {
    for (let i = 0; i < 5; i++) await server.connect('main');
    await until(async () => (await avatars(otter).last().textContent()) === '+2', 'a number');
    assert.equal(await avatars(otter).count(), 6, 'five avatars and a number');
    assert.equal(await avatars(otter).last().getAttribute('aria-label'), '2 more people');
    await avatars(otter).last().click();
    await otter.locator('#dock-people').waitFor();
  });

  await t.test('who is followed and goes is followed no more', async () => {
    await avatars(otter).filter({ hasText: 'H' }).click();
    await bar.getByText('Following Hare').waitFor();
    await hare.close();
    await bar.waitFor({ state: 'hidden' });
  });
  assert.deepEqual([...hare.complaints, ...otter.complaints], []);
});

test('a presenter is followed by everyone who does not decline, and by whoever comes later', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=cloth']);
  const [teacher, pupil] = [await browser.open(t, server.http('/?panel=present')), await browser.open(t, server.http('/'))];
  await introduce(teacher, 'Ada', '#e93d82');
  const bar = pupil.locator('#following');
  await look(teacher, VIEW);
  await teacher.getByRole('button', { name: 'Follow me', exact: true }).click();
  await bar.getByText('Following Ada').waitFor();
  await sees(pupil, VIEW);
  await teacher.getByText('1 person follows your camera.').waitFor();
  t.diagnostic(`screenshot: ${await keepScreenshot(teacher, 'together-presenting')}`);
  await bar.getByRole('button', { name: 'Stop following' }).click();
  await bar.getByText('Ada is presenting').waitFor();
  await bar.getByRole('button', { name: 'Follow Ada' }).click();
  await bar.getByText('Following Ada').waitFor();
  const late = await browser.open(t, server.http('/'));
  await late.locator('#following').getByText('Following Ada').waitFor();
  await sees(late, VIEW);
  await teacher.getByRole('button', { name: 'Stop presenting' }).click();
  for (const page of [pupil, late]) await page.locator('#following').waitFor({ state: 'hidden' });
  await late.evaluate(() => window.weft.page.following.setFollowsPresenters(false));
  await teacher.getByRole('button', { name: 'Follow me', exact: true }).click();
  await bar.getByText('Following Ada').waitFor();
  await late.locator('#following').getByText('Ada is presenting').waitFor();
  assert.deepEqual([...teacher.complaints, ...pupil.complaints, ...late.complaints], []);
});

test('a hand is seen and lowered; an owner changes roles and removes somebody', LONG, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-together-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const tokens = {};
  for (const [name, role] of [['Ada', 'admin'], ['Cy', 'editor']]) tokens[name] = (await run(WEFTCTL, ['token', 'make', role, name, '--tokens', file])).stdout.trim();
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--tokens', file]);
  const open = async (name, path) => {
    const cookie = { name: 'weft', value: tokens[name], url: server.http('/') };
    return browser.open(t, server.http(path), { storageState: { cookies: [{ ...cookie, url: undefined, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' }], origins: [] } });
  };
  const [ada, cy] = [await open('Ada', '/?panel=people'), await open('Cy', '/?panel=people')];
  const row = (page, name) => page.locator('.people li').filter({ hasText: name });

  await t.test('a hand comes first in the roster, and is lowered by the owner', async () => {
    await cy.getByRole('button', { name: 'Raise hand' }).click();
    await ada.locator('.people li').first().filter({ hasText: /Cy.*Editor · hand raised/ }).waitFor();
    await ada.getByRole('navigation', { name: 'People here' }).getByRole('button', { name: 'Cy, hand raised' }).waitFor();
    t.diagnostic(`screenshot: ${await keepScreenshot(ada, 'together-roster')}`);
    await ada.getByRole('button', { name: 'Lower the hand of Cy' }).click();
    await cy.getByRole('button', { name: 'Raise hand' }).waitFor();
    await cy.locator('#stage').focus();
    await cy.keyboard.press('h');
    await row(ada, 'Cy').filter({ hasText: 'hand raised' }).waitFor();
    await row(cy, 'Cy').filter({ hasText: 'hand raised' }).waitFor(); // the key lowers a hand that its page knows of
    await cy.keyboard.press('h');
    await row(ada, 'Cy').filter({ hasNotText: 'hand raised' }).waitFor();
  });

  await t.test('a role is changed, and takes effect at once', async () => {
    assert.equal(await cy.getByLabel('Role of Ada').isVisible(), false, 'only owners change roles');
    await ada.getByLabel('Role of Cy').selectOption('viewer');
    await row(cy, 'Cy').filter({ hasText: 'View only' }).waitFor();
    await cy.locator('.toast', { hasText: 'View only' }).waitFor();
    await until(() => cy.evaluate(() => !window.weft.page.editable), 'the page to be view only');
    await ada.getByLabel('Role of Cy').selectOption('editor');
    await until(() => cy.evaluate(() => window.weft.page.editable), 'the page to be editable');
  });

  await t.test('who is removed is told so, and does not come back by itself', async () => {
    await ada.getByRole('button', { name: 'Remove Cy' }).click();
    await ada.getByRole('button', { name: 'Really remove Cy from this world?' }).click();
    await cy.getByRole('alertdialog', { name: 'You were removed' }).getByText('The owner removed you from this world.').waitFor();
    await until(async () => (await row(ada, 'Cy').count()) === 0, 'Cy has gone');
    assert.equal(await cy.getByRole('button', { name: 'Try now' }).isVisible(), false);
  });
  assert.deepEqual([...ada.complaints, ...cy.complaints], []);
});
