// SPDX-License-Identifier: MIT
// The page's messages about a store that could not be restored unchanged: worlds that were set aside, and worlds made by an
// older physics version.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { dataFolder } from '../support/data.mjs';
import { ROOT, run, Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';

const LONG = { timeout: 120000 };

test('the list of worlds shows one that was set aside, and why', LONG, async (t) => {
  const folder = await dataFolder(t);
  const before = await Weftd.start(t, ['--data', folder, '--world', 'good=empty', '--world', 'bad=empty', '--paused']);
  await (await before.connect('bad')).call('world.step', { ticks: 3 });
  await before.end('SIGTERM');
  const program = "import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nd.executescript('DELETE FROM snapshot WHERE world=2')\nd.close()";
  assert.equal((await run('/usr/bin/python3', ['-c', program, join(folder, 'weft.db')])).status, 0);

  const server = await Weftd.start(t, ['--data', folder, '--paused']);
  const { setAside } = await (await server.connect('good')).call('world.list');
  const page = await browser.open(t, server.http('/?world=good&panel=worlds'));
  const list = page.getByRole('list', { name: 'Unavailable worlds' });
  await list.waitFor();
  const text = await list.innerText();
  assert.match(text, /^bad · unavailable/);
  assert.ok(text.includes(setAside[0].reason), text);
  assert.equal(await list.getByRole('link').count(), 0, 'it cannot be entered');
});

test('the page says once that a world was computed again by another physics version', LONG, async (t) => {
  const folder = await dataFolder(t);
  await writeFile(join(folder, 'weft.db'), gunzipSync(await readFile(join(ROOT, 'tests/stores/physics-1.db.gz'))));
  const server = await Weftd.start(t, ['--data', folder, '--paused']);
  const page = await browser.open(t, server.http('/?world=lab'));
  const note = page.locator('.toast', { hasText: 'physics version 1' });
  await note.waitFor();
  assert.match(await note.innerText(), /Ticks 260 to 381 were recomputed/);
  await page.reload();
  await page.waitForFunction(() => window.weft?.page.state?.recomputed);
  assert.equal(await note.count(), 0, 'not again in this tab');
});
