// SPDX-License-Identifier: MIT
// The soak test of lockstep (tests/soak/lockstep.mjs) for a few scenes: random commands of many people, and viewers with SIMD,
// without it, that predict, and native all have the server's state. A flipped bit is found and mended.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { playLockstep } from '../soak/lockstep_run.mjs';
import { NativeViewer, NodeViewer, PageViewer, WITHOUT_SIMD } from '../soak/lockstep_viewers.mjs';
import { seeded } from '../support/random.mjs';
import { Weftd } from '../support/weftd.mjs';
import { openBrowser } from './page.mjs';

const SECONDS = 18;
const SCENE_SECONDS = 6;
const SCENES = ['cloth-on-sphere', 'empty', 'hex-flag', 'masses', 'plant', 'ragdolls', 'rope', 'wind-tunnel']; // which a slow machine can follow, too
const WORLD = 'main';

test('viewers of every kind have the state of a world in which people do anything', { timeout: 280000 }, async (t) => {
  const random = seeded();
  t.diagnostic(`seed ${random.seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'weft-lockstep-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const server = await Weftd.start(t, ['--world', `${WORLD}=default`, '--data', folder, '--durability', 'off']);
  const browsers = [await openBrowser(t), await openBrowser(t, { args: WITHOUT_SIMD })];
  const viewers = [
    await PageViewer.start('Chromium with SIMD', browsers[0], server, WORLD), await PageViewer.start('Chromium without SIMD', browsers[1], server, WORLD),
    await NodeViewer.start('Node that predicts', server.url(WORLD), { predict: true }), await NativeViewer.start('native', server.url(WORLD)),
  ];
  t.after(() => Promise.all(viewers.map((viewer) => viewer.end())));
  const startDamaged = (count) => PageViewer.start('a damaged page', browsers[count % 2], server, WORLD);
  const { seen, differences, renewals, missing, answered, meetings, damages } = await playLockstep({ server, world: WORLD, viewers, random, startDamaged, seconds: SECONDS, sceneSeconds: SCENE_SECONDS, scenes: SCENES });
  for (const { name, hashes, snapshots, slow } of seen) t.diagnostic(`${name}: ${hashes} hashes, ${snapshots} snapshots, ${slow} times too slow`);
  assert.deepEqual([differences, renewals, missing], [[], 0, []]);
  assert.deepEqual(seen.map(({ simd }) => simd), [true, false, true, undefined]);
  assert.ok(seen.every(({ name, hashes }) => hashes > 0 || name === 'Node that predicts') && meetings > 0 && damages === meetings && answered > 100, `${answered} commands answered`);
});
