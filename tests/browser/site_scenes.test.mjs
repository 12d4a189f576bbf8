// SPDX-License-Identifier: MIT
// The page as one file plays every scene that comes with Weft, from a disk and without any network.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildSite } from '../support/site.mjs';
import { ROOT } from '../support/weftd.mjs';
import { moves } from './local.mjs';
import { openBrowser, openPage } from './page.mjs';

const { file } = await buildSite();
const scenes = (await readdir(join(ROOT, 'server/scenes'))).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? []).sort();

test('the list of scenes has all that come with Weft', { timeout: 240000 }, async (t) => {
  const page = await openPage(await openBrowser(t), pathToFileURL(file).href, { offline: true });
  await page.waitForFunction(() => document.querySelector('#scene').options.length > 0);
  assert.deepEqual((await page.evaluate(() => [...document.querySelector('#scene').options].map(({ value }) => value))).sort(), scenes);
});

// Two at a time, as no other file is left to be tested when this one is, the last and the longest.
test('every scene plays from a disk', { concurrency: 2, timeout: 240000 }, (t) => Promise.all(scenes.map((scene) => (
  t.test(`the scene ${scene}`, async (each) => {
    const page = await openPage(await openBrowser(each), `${pathToFileURL(file).href}?world=local:${scene}`, { offline: true });
    await moves(page);
    assert.equal(await page.evaluate(() => window.weft.page.state?.scene), scene);
    assert.deepEqual(page.complaints, []);
  })))));
