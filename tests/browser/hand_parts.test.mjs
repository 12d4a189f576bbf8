// SPDX-License-Identifier: MIT
// The hand that pulls at a curtain, on the engine itself: pulled quickly, nothing tears; pulled steadily, it tears at the hand;
// and it is never pulled off its pins, however late the positions are that the hand feels.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadEngine } from '../../web/client/engine/engine.js';
import { Hand } from '../../web/viewer/scene/hand.js';

const COLUMNS = 26;
const SPACING = 0.068; // m
const TEAR = 2.2;
const TICK_S = 1 / 60;
const RINGS = [0, 5, 10, 15, 20, 25];
const HEM = 25 * COLUMNS + 13;
const MIDDLE = 13 * COLUMNS + 13;
const CORNER = 25 * COLUMNS;

const TRIANGLES = Array.from({ length: (COLUMNS - 1) ** 2 }, (_, square) => {
  const corner = Math.floor(square / (COLUMNS - 1)) * COLUMNS + (square % (COLUMNS - 1));
  return [corner, corner + 1, corner + COLUMNS, corner + 1, corner + COLUMNS + 1, corner + COLUMNS];
}).flat();

/** A curtain that hangs at rest. @param {number[]} pin */
async function hang(pin) {
  const world = (await loadEngine()).createWorld({ particles: 4096, sticks: 40000, objects: 16, obstacles: 16 });
  world.join(1, '', 'admin');
  let requests = 0;
  const call = (method, params) => {
    world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: ++requests, method, params }));
    world.apply();
    const reply = [...world.outputs()].flatMap(({ text }) => (text ? JSON.parse(text) : [])).find(({ id }) => id === requests);
    assert.equal(reply?.error, undefined);
    return reply?.result;
  };
  call('world.set', { bounds: { min: [-4, 0, -4], max: [4, 6, 4] }, substeps: 8, iterations: 2, damping: 0.01 });
  const { object } = call('cloth.spawn', { columns: COLUMNS, rows: COLUMNS, spacing: SPACING, position: [0, 1.75, 0], pin, tear: TEAR });
  for (let tick = 0; tick < 120; tick++) world.tick();
  return { world, call, object };
}

/** All positions, 3 numbers each. */
function positionsOf(world) {
  const { x, y, z, count } = world.positions();
  return Float32Array.from({ length: 3 * count }, (_, at) => [x, y, z][at % 3][Math.floor(at / 3)]);
}

/**
 * Pulls a particle 1.5 m to the side at some speed, and holds on. Returns the number of new particles, and the pins that were pulled off.
 * @param {{pin?: number[], particle: number, speed: number, delay?: number, seconds?: number}} options `delay` in ticks
 */
async function pull({ pin = RINGS, particle, speed, delay = 0, seconds = 3 }) {
  const { world, call, object } = await hang(pin);
  const start = positionsOf(world);
  const hand = new Hand(start, TRIANGLES, new Set(pin), particle, TEAR);
  const from = [...hand.at];
  const way = [0.3, -0.2, 1.5];
  const { grab } = call('grab.start', { object, particle });
  const seen = [start];
  for (let tick = 1; tick * TICK_S <= seconds; tick++) {
    const share = Math.min(1, (speed * tick * TICK_S) / Math.hypot(...way));
    const late = seen[Math.max(0, seen.length - 1 - delay)];
    call('grab.move', { grab, position: hand.advance(late, from.map((value, axis) => value + share * way[axis]), TICK_S, delay * TICK_S) });
    world.tick();
    seen.push(positionsOf(world));
  }
  call('grab.end', { grab });
  for (let tick = 0; tick < 120; tick++) world.tick();
  const after = positionsOf(world);
  const middle = after[3 * MIDDLE + 1];
  return { torn: after.length / 3 - start.length / 3, hangs: middle > 1.2 };
}

for (const [name, particle] of [['hem', HEM], ['middle', MIDDLE], ['corner', CORNER]]) {
  test(`a quick pull at the ${name} of a curtain slips and tears nothing`, async () => {
    for (const speed of [4, 20]) assert.deepEqual(await pull({ particle, speed, seconds: 0.5 }), { torn: 0, hangs: true }, `${speed} m/s`);
  });
}

test('a hand without slipping would tear the curtain in the same time', async () => {
  const { world, call, object } = await hang([0, COLUMNS - 1]);
  const { grab } = call('grab.start', { object, particle: HEM });
  const { count } = world.positions();
  call('grab.move', { grab, position: [0.3, 0.7, 1.5] });
  for (let tick = 0; tick < 30; tick++) world.tick();
  assert.ok(world.positions().count > count);
});

for (const delay of [0, 3, 8]) {
  test(`a steady pull tears the curtain at the hand and leaves it hanging, with positions that are ${delay} ticks late`, async () => {
    const { torn, hangs } = await pull({ particle: MIDDLE, speed: 1, delay, seconds: 4 });
    assert.ok(torn > 0, 'it tears');
    assert.ok(hangs, 'it hangs');
  });
}

test('a curtain that hangs by two corners is not pulled off, however long someone pulls', async () => {
  for (const particle of [HEM, MIDDLE]) {
    for (const delay of [0, 8]) assert.equal((await pull({ pin: [0, COLUMNS - 1], particle, speed: 4, delay, seconds: 4 })).hangs, true, `particle ${particle}, ${delay} ticks late`);
  }
});
