// SPDX-License-Identifier: MIT
// Each lesson that comes with Weft, played to its end in a local world, from a link.

import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { audit, browser } from './access.mjs';
import { isReady, LONG, playAll } from './lessons.mjs';
import { keepScreenshot } from './page.mjs';

test('each lesson is played to its end in a local world, from a link', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const page = await browser.open(t, server.http('/?world=local:empty&lesson=verlet&step=1'));
  await isReady(page, 'Where it is, where it was');
  await audit(page, 'a step of a lesson');
  await playAll(t, page);
  await audit(page, 'the list of lessons');
  t.diagnostic(`screenshot: ${await keepScreenshot(page, 'lessons-list')}`);
});
