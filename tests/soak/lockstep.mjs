// SPDX-License-Identifier: MIT
// The soak test of lockstep: people send random commands of all methods that change a world, come and leave, in one scene after
// another, and viewers compute the same ticks: Chromium with SIMD, Chromium without, Node that shows its own commands at once, and
// `weftctl watch`. Each compares every hash that the server sends; after each scene the states are compared, too, and a page in
// which a bit is flipped has to find that at the next hash and to come back to the server's state.
//
//   node tests/soak/lockstep.mjs [SECONDS]     WEFT_SEED=… draws the same commands again

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from '../browser/launch.mjs';
import { seeded } from '../support/random.mjs';
import { Weftd } from '../support/weftd.mjs';
import { playLockstep } from './lockstep_run.mjs';
import { NativeViewer, NodeViewer, PageViewer, WITHOUT_SIMD } from './lockstep_viewers.mjs';

const SECONDS = Number(process.argv[2] ?? 3600);
const SCENE_SECONDS = Math.min(20, SECONDS / 22); // so that every scene is played
const HASHES_LEAST = 0.1; // a second and viewer, of one a second in a world that always runs and on a machine that is never busy
const WORLD = 'main';

const random = seeded();
const endings = [];
const folder = await mkdtemp(join(tmpdir(), 'weft-lockstep-'));
console.log(`lockstep: seed ${random.seed}, ${SECONDS} s`);
let status = 1;
try {
  const server = await Weftd.start({ after: (end) => endings.push(end) }, ['--world', `${WORLD}=default`, '--data', folder, '--durability', 'off', '--history', '200MB']);
  const browsers = [await launchBrowser(), await launchBrowser(WITHOUT_SIMD)];
  endings.push(...browsers.map((browser) => () => browser.close()));
  const viewers = [
    await PageViewer.start('Chromium with SIMD', browsers[0], server, WORLD), await PageViewer.start('Chromium without SIMD', browsers[1], server, WORLD),
    await NodeViewer.start('Node that predicts', server.url(WORLD), { predict: true }), await NativeViewer.start('native', server.url(WORLD)),
  ];
  const found = await playLockstep({ server, world: WORLD, viewers, random, startDamaged: (count) => PageViewer.start('a damaged page', browsers[count % 2], server, WORLD), seconds: SECONDS, sceneSeconds: SCENE_SECONDS, say: (text) => console.log(`  ${text}`) });
  for (const viewer of viewers) await viewer.end();
  console.log(`lockstep: ${found.seconds.toFixed(0)} s, ${found.answered} commands answered, ${found.refusals} refused, ${found.left} people left, ${new Set(found.scenes).size} scenes`);
  console.log(`lockstep: ${Object.entries(found.commands).map(([name, count]) => `${name} ${count}`).join(', ')}`);
  for (const { name, hashes, mismatches, snapshots, slow, simd } of found.seen) {
    console.log(`lockstep: ${name}${simd === undefined ? '' : ` (${simd ? '' : 'no '}SIMD)`}: ${hashes} hashes equal, ${mismatches} differ, ${snapshots} snapshots, ${slow} times too slow`);
  }
  const compared = found.seen.map(({ hashes }) => hashes);
  console.log(`lockstep: ${compared.reduce((sum, count) => sum + count, 0)} hashes compared, ${found.seen.reduce((sum, { mismatches }) => sum + mismatches, 0) + found.differences.length} differ`);
  console.log(`lockstep: ${found.meetings} states compared with the server's in every viewer, after ${found.waits} waits for a slow viewer; ${found.crushed} crushed worlds began anew`);
  console.log(`lockstep: ${found.damages} flipped bits found within 60 ticks and mended, ${found.vanished} vanished before a hash`);
  console.log(`lockstep: ${found.renewals} snapshots asked for again without a cause, ${found.missing.length} replies missing`);
  for (const command of found.missing) console.log(`lockstep: no reply to ${command}`);
  console.log(`lockstep: refused: ${Object.entries(found.refused).map(([name, count]) => `${name} ${count}`).join(', ')}`);
  for (const difference of found.differences) console.log(`lockstep: ${difference}`);
  if (found.unanswered.length > 0) console.log(`lockstep: never answered: ${found.unanswered.join(', ')}`);
  const [plain] = found.seen.filter(({ name }) => name === 'Chromium without SIMD');
  // A viewer that predicts compares the hashes of what it has computed, mostly without following messages.
  const least = Math.min(...found.seen.filter(({ name }) => name !== 'Node that predicts').map(({ hashes }) => hashes));
  const well = found.differences.length === 0 && found.renewals === 0 && found.missing.length === 0 && found.unanswered.length === 0 && plain.simd === false && least >= HASHES_LEAST * SECONDS;
  console.log(well ? '1 passed, 0 failed' : '0 passed, 1 failed');
  status = well ? 0 : 1;
} catch (error) {
  console.log(error);
  console.log('0 passed, 1 failed');
} finally {
  for (const end of endings.reverse()) await end();
  await rm(folder, { recursive: true, force: true });
}
process.exit(status);
