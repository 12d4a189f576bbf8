// SPDX-License-Identifier: MIT
// The chain of events of server/scenes/machine.json comes to its end, with the same bits each time: in WebAssembly with SIMD,
// without it, and on a server. WEFT_MACHINES is how often it runs in WebAssembly.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadEngine } from '../../web/client/engine/engine.js';
import { ROOT, Weftd } from '../support/weftd.mjs';

const RUNS = Number(process.env.WEFT_MACHINES ?? 2);
const TICKS = process.env.WEFT_SANITIZER ? 60 : 960; // the banner hangs still by then
const BANNER_M = 2.5; // height to which it is pulled, from 0.5

/** Runs the commands of a scene in a world of its own. */
function begin(engine, { commands }) {
  const world = engine.createWorld();
  const made = [], named = new Map();
  const resolved = (value) => JSON.parse(JSON.stringify(value), (_, inner) => (/^\$\d+$/.test(inner) ? made[inner.slice(1)] : inner));
  const call = (method, params) => {
    world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: resolved(params) }));
    world.apply();
    const { error, result } = Array.from(world.outputs()).filter(({ kind }) => kind === 'text').map(({ text }) => JSON.parse(text)).find(({ id }) => id === 1);
    assert.equal(error, undefined, `${method}: ${error?.message}`);
    return result;
  };
  world.join(1);
  for (const { method, params } of commands) {
    const { object, obstacle, stick } = call(method, params);
    made.push(object ?? obstacle ?? stick);
    if (params.name) named.set(params.name, object);
  }
  return { world, call, named };
}

const heightOf = (positions) => positions.reduce((sum, [, y]) => sum + y, 0) / positions.length;

test('the machine comes to its end, with the same bits each time and everywhere', { timeout: 60000 * (RUNS + 4) }, async (t) => {
  const scene = JSON.parse(await readFile(join(ROOT, 'server/scenes/machine.json'), 'utf8'));
  const engines = [await loadEngine({ simd: true }), await loadEngine({ simd: false })];
  const server = await Weftd.start(t, ['--world', 'lab=machine', '--paused']);
  const client = await server.connect('lab');
  await client.call('world.step', { ticks: TICKS });
  const hashes = [(await client.call('world.get')).stateHash];
  for (let run = 0; run < RUNS; run++) {
    const { world, call: ask, named } = begin(engines[run % 2], scene);
    const heightAt = (name) => heightOf(ask('particle.read', { object: named.get(name) }).positions);
    const before = heightAt('banner');
    for (let tick = 0; tick < TICKS; tick++) world.tick();
    if (!process.env.WEFT_SANITIZER) assert.ok(before < 1 && heightAt('banner') > BANNER_M, `the banner rose from ${before} m to ${heightAt('banner')} m`);
    hashes.push(world.hash);
    world.destroy();
  }
  t.diagnostic(`the machine ran ${RUNS} times in WebAssembly: ${new Set(hashes).size} hash`);
  assert.deepEqual(new Set(hashes).size, 1, hashes.join(' '));
});
