// SPDX-License-Identifier: MIT
// The scenes that come with Weft: all there, each five seconds long the same, finite and within its bounds.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { laboratory, ROOT } from '../support/weftd.mjs';

const FOLDER = join(ROOT, 'server/scenes');
const TICKS = 300;
const OUTSIDE_MAX = 0.02; // m, of the particles that carry a shape which is within the bounds
const EXPECTED = [
  'particles-in-a-box', 'stick-in-a-box', 'cloth', 'hex-flag', 'square-root-free', 'masses', 'rope', 'plant', 'tetrahedra', 'bump', 'bodies',
  'embedded-boxes', 'hulls', 'frame-bodies', 'ragdolls', 'tearing', 'self-collision', 'wind-tunnel', 'cloth-on-sphere', 'default', 'empty',
];

const names = readdirSync(FOLDER).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));

test('every system has its scene, with a title and a sentence', () => {
  assert.deepEqual(EXPECTED.filter((name) => !names.includes(name)), []);
  for (const name of names) {
    const { title, description } = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
    assert.ok(title.length > 0 && title.length < 40, `${name}: ${title}`);
    assert.match(description, /^[A-Z].*\.$/, name);
  }
});

test('the default scene is light enough for any machine', async (t) => {
  const { call } = await laboratory(t);
  await call('scene.load', { name: 'default' });
  const { counts } = await call('world.get');
  assert.ok(counts.particles <= 6000, `${counts.particles} particles`);
});

async function checkInside(call, bounds) {
  const { objects } = await call('object.list');
  for (const { object, name, quarantined } of objects) {
    assert.equal(quarantined, false, name);
    const { positions } = await call('particle.read', { object });
    for (const position of positions) {
      position.forEach((value, axis) => {
        assert.ok(value > bounds.min[axis] - OUTSIDE_MAX && value < bounds.max[axis] + OUTSIDE_MAX, `${name}: ${position}`);
      });
    }
  }
}

for (const name of names) {
  test(`the scene ${name} runs ${TICKS} ticks within its bounds, twice the same`, async (t) => {
    const { call, hash } = await laboratory(t);
    const hashes = [];
    for (let run = 0; run < 2; run++) {
      await call('scene.load', { name });
      await call('world.step', { ticks: TICKS });
      hashes.push(await hash());
    }
    assert.equal(hashes[0], hashes[1]);
    await checkInside(call, (await call('world.get')).bounds);
  });
}
