// SPDX-License-Identifier: MIT
// The page's log in a browser: the commands of all clients as they are given, filtering and selecting by mouse and keyboard,
// and running the copied program on another server.

import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder } from '../support/data.mjs';
import { until } from '../support/wait.mjs';
import { ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { drawn, findObject, keepScreenshot, openBrowser, openPage, screenOf } from './page.mjs';

const FORMS = { python: ['/usr/bin/python3'], javascript: [process.execPath], weftctl: ['sh'], json: [WEFTCTL, 'rebuild'] };
const rows = (page) => page.getByRole('listbox', { name: 'Commands' }).getByRole('option');

// The program that the page copied in this format: the text of the clipboard.
async function copyAs(page, form, button) {
  const program = page.getByRole('textbox', { name: 'Program' });
  await page.getByLabel('Copy as').selectOption(form);
  await page.evaluate(() => { document.querySelector('#dock-log .copied [role=status]').textContent = ''; });
  await page.getByRole('button', { name: button }).click();
  await page.locator('#dock-log .copied [role=status]', { hasText: 'Copied' }).waitFor();
  const text = await program.inputValue();
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === text, 'the program in the clipboard');
  return { text };
}

async function runProgram(t, folder, form, text, server) {
  const path = join(folder, `program-${form}.mjs`);
  await writeFile(path, text);
  const [program, ...args] = FORMS[form];
  const url = server.url('main');
  const env = { PATH: `${join(WEFTCTL, '..')}:${process.env.PATH}`, WEFT_URL: url };
  return run(program, [...args, path, ...(form === 'javascript' ? [url] : [])], { env });
}

test('what was done by hand and by others is listed, chosen and copied; every form gives the same hash elsewhere', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=tearing', '--data', await dataFolder(t), '--log-level', 'warn']);
  const script = await server.connect('main');
  const folder = await mkdtemp(join(tmpdir(), 'weft-copy-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, 'tests/node_modules'), join(folder, 'node_modules'));
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?panel=log'), { permissions: ['clipboard-read', 'clipboard-write'] });

  await t.test('commands of others and of hands come by themselves', async () => {
    await script.call('rope.spawn', { from: [-1, 4, 0], to: [1, 4, 0], name: 'line' });
    await rows(page).filter({ hasText: 'rope.spawn' }).waitFor();
    const curtain = await page.evaluate(() => window.weft.client.topology.objects.find(({ name }) => name === 'curtain').id);
    await page.evaluate(() => window.weft.page.docks.close('log'));
    await drawn(page, 3); // the picture gets the room
    const from = await screenOf(page, curtain, 13 * 24 + 12);
    await page.mouse.move(from.x ?? from[0], from.y ?? from[1]);
    await page.mouse.down();
    for (let i = 1; i <= 8; i++) await page.mouse.move((from.x ?? from[0]) + 12 * i, (from.y ?? from[1]) + 4 * i);
    await page.mouse.up();
    await page.evaluate(() => window.weft.page.docks.open('log'));
    await rows(page).filter({ hasText: 'grab.end' }).waitFor();
    assert.ok(await rows(page).filter({ hasText: 'grab.move' }).count() <= 1, 'the moves of a grab are one row');
    await page.getByRole('searchbox', { name: 'Filter commands' }).fill('you grab');
    await page.waitForFunction(() => [...document.querySelectorAll('#dock-log li')].every((item) => /grab/.test(item.textContent)));
    assert.ok(await rows(page).count() >= 2);
    await page.getByRole('searchbox', { name: 'Filter commands' }).fill('no such thing');
    await page.locator('#dock-log .note', { hasText: 'No matching commands.' }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter commands' }).fill('');
    assert.equal(await page.locator('#dock-log .note').textContent(), '');
    await rows(page).filter({ hasText: 'rope.spawn' }).waitFor();
    await keepScreenshot(page, 'log');
  });

  await t.test('all that was done is copied in each form, and is the same world on another server', async () => {
    await script.call('world.pause');
    const { stateHash } = await script.call('world.get');
    const other = await Weftd.start(t, ['--log-level', 'warn']);
    for (const form of Object.keys(FORMS)) {
      const { text } = await copyAs(page, form, /^Copy all as/);
      assert.match(text, new RegExp(stateHash), form);
      if (form === 'python') await keepScreenshot(page, 'log-copied');
      const { status, stdout, stderr } = await runProgram(t, folder, form, text, other);
      assert.equal(stderr, '', form);
      assert.equal(stdout.trim(), stateHash, form);
      assert.equal(status, 0, form);
    }
  });

  await t.test('some are chosen by mouse and by keyboard, and copied', async () => {
    await rows(page).filter({ hasText: 'rope.spawn' }).click();
    const { text } = await copyAs(page, 'weftctl', 'Copy selected');
    assert.equal(text, 'weftctl call rope.spawn from=-1,4,0 to=1,4,0 name=line\n');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    assert.equal(await list.locator('[aria-selected=true]').count(), 2);
    await page.keyboard.press('Control+a');
    const { text: json } = await copyAs(page, 'json', /^Copy \d+ selected$/);
    const { commands } = JSON.parse(json);
    assert.deepEqual(commands.map(({ method }) => method).filter((method) => method !== 'grab.move'), ['rope.spawn', 'grab.start', 'grab.end']);
    const third = await Weftd.start(t, ['--world', 'main=tearing', '--log-level', 'warn']);
    const end = await runProgram(t, folder, 'json', json, third);
    assert.match(end.stdout, /^[0-9a-f]{16}\n$/);
    assert.equal(end.status, 0, end.stderr);
  });

  await t.test('the palette copies too', async () => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.evaluate(() => window.weft.page.actions.run('copy.python'));
    await page.locator('.toast', { hasText: /Copied: \d+ commands/ }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^#!\/usr\/bin\/env python3/);
  });
  assert.deepEqual(page.complaints, []);
});

test('without a history the log is what was done on this page, and says so', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--log-level', 'warn']);
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?panel=log'), { viewport: { width: 390, height: 780 }, hasTouch: true, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('#dock-log .note', { hasText: 'This world keeps no history' }).waitFor();
  await page.evaluate(() => window.weft.page.call('body.spawn', { size: 0.3, position: [0, 3, 0] }));
  await rows(page).filter({ hasText: 'body.spawn' }).tap();
  await keepScreenshot(page, 'log-small');
  assert.ok(await page.getByRole('button', { name: /^Copy all/ }).isDisabled());
  const { text } = await copyAs(page, 'weftctl', 'Copy selected');
  assert.equal(text, 'weftctl call body.spawn size=0.3 position=0,3,0\n');
  assert.ok(await findObject(page, 'body'));
  assert.deepEqual(page.complaints, []);
});
