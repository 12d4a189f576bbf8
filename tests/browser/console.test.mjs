// SPDX-License-Identifier: MIT
// The page's console in a browser: completion and help from the schema, errors shown at their position, names, scripts, the
// history of the input; by keyboard, and on a small screen by touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { Weftd } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const said = (page) => page.locator('#dock-console .said');
const field = (page) => page.getByRole('textbox', { name: 'Command' });

async function openConsole(page) {
  await page.evaluate(() => window.weft.page.docks.open('console'));
  await field(page).waitFor();
  await page.waitForFunction(() => document.querySelector('#dock-console .aside .help'));
}

async function write(page, text) {
  await field(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

async function answered(page, count) {
  await page.waitForFunction((wanted) => {
    const answers = [...document.querySelectorAll('#dock-console .answer')];
    return answers.length >= wanted && !answers.at(-1).querySelector('.pending');
  }, count);
}

test('the console completes, explains, runs and says what is wrong where it is', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--data', await dataFolder(t), '--log-level', 'warn']);
  const script = await server.connect('main');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'));
  await page.keyboard.press('`');
  await openConsole(page);
  const proposals = page.getByRole('listbox', { name: 'Suggestions' });

  await t.test('methods, params, values and units are shown as one types', async () => {
    await page.waitForFunction(() => document.activeElement?.matches('#dock-console textarea'));
    await page.keyboard.type('clo');
    await proposals.getByRole('option', { name: /^cloth\.spawn/ }).waitFor();
    await keepScreenshot(page, 'console-methods');
    await page.keyboard.press('Tab');
    assert.equal(await field(page).inputValue(), 'cloth.spawn ');
    await page.keyboard.type('col');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await field(page).inputValue(), 'cloth.spawn columns=');
    await page.keyboard.type('20 rows=12 spacing=');
    await page.locator('#dock-console .param', { hasText: /number in m, 0\.0001 … 1000.*Distance between neighbouring particles.*Default 0\.05/ }).waitFor();
    await keepScreenshot(page, 'console-help');
    await page.keyboard.type('0.1 mesh=');
    assert.deepEqual(await proposals.getByRole('option').locator('b').allTextContents(), ['grid', 'hex']);
    await page.keyboard.type('h');
    await page.keyboard.press('Tab');
    assert.equal(await field(page).inputValue(), 'cloth.spawn columns=20 rows=12 spacing=0.1 mesh="hex"');
    await page.keyboard.press('Enter');
    await answered(page, 1);
    const { objects } = await script.call('object.list');
    assert.deepEqual(objects.map(({ kind, particles }) => ({ kind, particles })), [{ kind: 'cloth', particles: 240 }]);
    assert.match(await said(page).innerText(), /"object":\d+/);
    assert.equal(await field(page).inputValue(), '', 'what was done is gone from the field');
    assert.equal(await page.evaluate(() => window.weft.page.journal.entries.at(-1).method), 'cloth.spawn');
  });

  await t.test('what the server refuses is marked where it stands, and the rest stays to be corrected', async () => {
    await write(page, 'rope.spawn {from: [0, 3, 0], to: [1, 3, 0]}; body.spawn shape=box size=0.3 position=0,4,900000000');
    await page.keyboard.press('Enter');
    await page.locator('#dock-console .fault', { hasText: /position/ }).waitFor();
    assert.equal(await field(page).inputValue(), 'body.spawn shape=box size=0.3 position=0,4,900000000', 'the rope was made');
    const marked = await page.locator('#dock-console .marks mark').textContent();
    assert.match(marked, /900000000/);
    assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
    await keepScreenshot(page, 'console-refused');
    await write(page, 'cloth.spawn columns=4 rows=4 spacng=0.1');
    await page.locator('#dock-console .fault', { hasText: 'cloth.spawn has no spacng' }).waitFor();
    assert.equal(await page.locator('#dock-console .marks mark').textContent(), 'spacng', 'said before it is sent');
    await page.keyboard.press('Enter');
    await page.locator('#dock-console .fault', { hasText: 'did you mean spacing' }).waitFor();
    assert.equal(await page.locator('#dock-console .marks mark').textContent(), 'spacng');
    await write(page, 'cloth.spawn {columns: 4,, rows: 4}');
    await page.keyboard.press('Enter');
    await page.locator('#dock-console .fault', { hasText: 'a member is missing here' }).waitFor();
  });

  await t.test('a script names what it makes, waits for ticks and goes over lines', async () => {
    await script.call('world.pause');
    const before = await script.call('world.get');
    await write(page, 'b = body.spawn {size: 0.4,');
    await page.keyboard.press('Enter'); // within brackets, Enter begins a new line
    await page.keyboard.type('position: [0, 5, 0]}');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('force.apply object=b force=0,0,5');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('wait 30 ticks');
    await keepScreenshot(page, 'console-script');
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => /at tick/.test(document.querySelector('#dock-console .said').innerText));
    const { tick } = await script.call('world.get');
    assert.equal(tick, before.tick + 30);
    const { objects } = await script.call('object.list');
    const body = objects.findLast(({ kind }) => kind === 'body');
    const { positions } = await script.call('particle.read', { object: body.object });
    assert.ok(positions[0][2] > 0.001, 'it was pushed');
    await script.call('world.resume');
    await write(page, 'wait 10');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => (document.querySelector('#dock-console .said').innerText.match(/at tick/g) ?? []).length === 2);
  });

  await t.test('what was written before comes back, also after a reload', async () => {
    await page.reload();
    await page.evaluate(() => window.weft.ready);
    await openConsole(page);
    await field(page).click();
    await page.keyboard.press('ArrowUp');
    assert.equal(await field(page).inputValue(), 'wait 10');
    await page.keyboard.press('ArrowUp');
    assert.match(await field(page).inputValue(), /^b = body\.spawn/);
    await write(page, 'wor');
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
    await page.keyboard.press('Escape');
    assert.ok(await field(page).isVisible(), 'Escape closes the list first');
  });

  await t.test('Tab leaves the field when nothing is begun', async () => {
    await write(page, ' ');
    await page.keyboard.press('Escape');
    await openConsole(page);
    await field(page).focus();
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => !document.activeElement.matches('textarea')));
  });
  assert.deepEqual(page.complaints, []);
  await page.context().close();

  await t.test('on a small screen by touch', async () => {
    const small = await openPage(browser, server.http('/?panel=console'), { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: 'light' });
    await field(small).tap();
    await field(small).fill('world.pa');
    await small.getByRole('option', { name: /^world\.pause/ }).waitFor();
    await keepScreenshot(small, 'console-small');
    await small.getByRole('option', { name: /^world\.pause/ }).tap();
    await small.getByRole('button', { name: 'Run' }).tap();
    await answered(small, 1);
    assert.equal((await script.call('world.get')).running, false);
    const { width } = await small.evaluate(() => ({ width: document.scrollingElement.scrollWidth }));
    assert.ok(width <= 390, `nothing is wider than the screen (${width})`);
    assert.deepEqual(small.complaints, []);
  });
});
