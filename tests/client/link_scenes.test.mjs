// SPDX-License-Identifier: MIT
// Links of every scene that comes with Weft.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/weftd.mjs';
import { assertReturns, begin, lengthOf, remove } from './link_worlds.mjs';

const SCENES = readdirSync(join(ROOT, 'server/scenes')).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));

test('the link of every scene with changed settings has at most 300 characters, and leads to the same state', { timeout: 300000 }, async (t) => {
  const lengths = [];
  for (const scene of SCENES) {
    const client = await begin(t, scene);
    await client.call('world.set', { gravity: [0, -3.5, 0.25], friction: 0.3 });
    await client.call('world.set', { wind: { velocity: [3, 0, -1.5], gust: 0.5 }, iterations: 3, squareRoot: 'approximate', sleep: false });
    await client.call('world.step', { ticks: 4 });
    const readable = await assertReturns(t, client, scene);
    assert.equal(readable.link.fragment, '');
    assert.equal(readable.link.search, 'gravity=0,-3.5,0.25&friction=0.3&wind.velocity=3,0,-1.5&wind.gust=0.5&iterations=3&squareRoot=approximate&sleep=false&tick=4&paused=true');
    await client.call('world.set', { damping: 0.05, bounds: { min: [-9, -1, -9], max: [9, 9, 9] } });
    await client.call('world.step', { ticks: 2 });
    const { link, other } = await assertReturns(t, client, scene);
    assert.notEqual(link.fragment, '');
    lengths.push(lengthOf(readable.link), lengthOf(link));
    assert.deepEqual(await other.link(), link, 'the link of the opened world');
    await remove(client, other, readable.other);
  }
  t.diagnostic(`links of ${SCENES.length} scenes with changed settings: at most ${Math.max(...lengths)} characters`);
  assert.ok(Math.max(...lengths) <= 300, lengths.join());
});
