// SPDX-License-Identifier: MIT
// The same file of commands, run twice, gives the same state: in two servers, and in one that was reset in between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laboratory, run, WEFTCTL } from '../support/weftd.mjs';

const COMMANDS = [
  ['world.set', { wind: { velocity: [4, 0, 2], gust: 0.7 }, damping: 0.01 }],
  ['obstacle.add', { shape: 'sphere', position: [0, 1, 0], radius: 0.6 }],
  ['cloth.spawn', { columns: 30, rows: 30, position: [0, 2, 0], rotation: [-0.7071, 0, 0, 0.7071], pin: 'none' }],
  ['cloth.spawn', { columns: 12, rows: 20, mesh: 'hex', position: [2, 3, 0] }],
  ['rope.spawn', { from: [-2, 3, 0], to: [-1, 3, 0], particles: 30 }],
  ['batch.run', {
    commands: [
      { method: 'body.spawn', params: { position: [0, 4, 0], angularVelocity: [1, 2, 3] } },
      { method: 'particles.spawn', params: { positions: [0, 5, 0] } },
      { method: 'stick.add', params: { a: { object: '$0', particle: 2 }, b: { object: '$1', particle: 0 } } },
    ],
  }],
  ['world.step', { ticks: 500 }],
  ['world.set', { substeps: 4 }],
  ['world.step', { ticks: 500 }],
];
const FILE = COMMANDS.map(([method, params]) => JSON.stringify({ method, params })).join('\n');

async function play(server) {
  const { status, stderr } = await run(WEFTCTL, ['run', '-'], { env: { WEFT_URL: server.url('lab') }, input: FILE });
  assert.equal(status, 0, stderr);
}

test('the same file of commands gives the same state hash, in another server and after a reset', { timeout: 120000 }, async (t) => {
  const hashes = [];
  for (let i = 0; i < 2; i++) {
    const { server, call, hash } = await laboratory(t);
    await play(server);
    assert.equal((await call('world.get')).tick, 1000);
    hashes.push(await hash());
    if (i > 0) continue;
    await call('world.reset');
    assert.notEqual(await hash(), hashes[0]);
    await play(server);
    hashes.push(await hash());
  }
  assert.equal(hashes[1], hashes[0], 'after a reset');
  assert.equal(hashes[2], hashes[0], 'in another server');
});
