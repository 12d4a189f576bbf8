// SPDX-License-Identifier: MIT
// Weft's own scenes: all exist, each stays finite and within its bounds for ten seconds, and is the same when loaded again.
// The time per tick is reported, not tested, because it depends on the machine.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { laboratory, ROOT } from '../support/weftd.mjs';

const FOLDER = join(ROOT, 'server/scenes');
const TICKS = process.env.WEFT_SANITIZER ? 60 : 600;
const PART = TICKS / 20; // number of ticks between readings of the clock
const AGAIN = TICKS / 4; // length of the second run
const OUTSIDE_MAX = 0.02; // m, for particles that carry a shape which is within the bounds
const EXPECTED = [
  'particles-in-a-box', 'stick-in-a-box', 'cloth', 'hex-flag', 'square-root-free', 'masses', 'rope', 'plant', 'tetrahedra', 'bump', 'bodies',
  'embedded-boxes', 'hulls', 'frame-bodies', 'ragdolls', 'tearing', 'self-collision', 'wind-tunnel', 'cloth-on-sphere', 'default', 'empty', 'room',
  'jelly', 'balloons', 'fabrics', 'scissors', 'marbles', 'furniture', 'conveyor', 'knot', 'bridge', 'catapult', 'crane', 'walker', 'machine',
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

const medianOf = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

for (const name of names) {
  test(`the scene ${name} runs ${TICKS} ticks within its bounds, and the same again`, async (t) => {
    const { server, call, client, hash } = await laboratory(t);
    const quarantined = [];
    await client.subscribeEvents(['body.quarantined']);
    client.on('body.quarantined', ({ object }) => quarantined.push(object));
    await call('scene.load', { name });
    const { bounds } = await call('world.get');
    const times = [];
    const before = await server.processorMs();
    let early;
    for (let tick = PART; tick <= TICKS; tick += PART) {
      await call('world.step', { ticks: PART });
      times.push((await call('world.get')).timing.tickMs);
      if (tick === AGAIN) early = await hash();
      if (tick % (TICKS / 5) === 0) await checkInside(call, bounds);
    }
    const used = ((await server.processorMs()) - before) / TICKS;
    assert.deepEqual(quarantined, []);
    t.diagnostic(`${name}: ${medianOf(times).toFixed(2)} ms a tick in the median; ${used.toFixed(2)} ms of a processor in the mean, looking included`);
    await call('scene.load', { name });
    await call('world.step', { ticks: AGAIN });
    assert.equal(await hash(), early);
  });
}
