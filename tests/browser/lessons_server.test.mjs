// SPDX-License-Identifier: MIT
// Each lesson that comes with Weft, played to its end on a server, from the panel.

import { test } from 'node:test';
import { Weftd } from '../support/weftd.mjs';
import { browser } from './access.mjs';
import { dockOf, LONG, playAll } from './lessons.mjs';

test('each lesson is played to its end on a server, from the panel', LONG, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=room']);
  const page = await browser.open(t, server.http('/?panel=lessons'));
  await dockOf(page).getByRole('button', { name: 'Verlet integration' }).click();
  await playAll(t, page);
});
