// SPDX-License-Identifier: MIT
// The functions used by gallery and comparison: previews of scenes, which change no world, and worlds that end when the last
// client leaves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFrame } from '../../web/client/frame.js';
import { decodeTopology, Topology } from '../../web/client/topology.js';
import { laboratory, Weftd } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';

const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64')).buffer;
const names = async (client) => (await client.call('world.list')).worlds.map(({ name }) => name);

test('a preview is what the scene is after so many ticks, and no world has changed', async (t) => {
  const { call, hash } = await laboratory(t);
  const before = [await hash(), (await call('world.get')).epoch, await call('world.list')];
  const { scenes } = await call('scene.list');
  for (const { name } of scenes) {
    const preview = await call('scene.preview', { name, ticks: 8 });
    const topology = Topology.apply(null, decodeTopology(bytesOf(preview.topology)));
    const frame = decodeFrame(bytesOf(preview.frame));
    assert.equal(frame.positions.length, 3 * preview.particles, name);
    assert.equal(topology.particles, preview.particles, name);
    assert.equal(frame.tick, preview.tick, name);
    assert.ok(frame.positions.every(Number.isFinite), name);
  }
  assert.deepEqual([await hash(), (await call('world.get')).epoch, await call('world.list')], before);

  const preview = await call('scene.preview', { name: 'rope', ticks: 5 });
  assert.equal(preview.tick, 5);
  await call('scene.load', { name: 'rope' });
  await call('world.step', { ticks: 5 });
  const { objects: [{ object }] } = await call('object.list');
  const { positions } = await call('particle.read', { object });
  const shown = decodeFrame(bytesOf(preview.frame)).positions;
  const stepped = positions.flat().map(Math.fround);
  assert.deepEqual([...shown.subarray(0, stepped.length)], stepped, 'the same bits');
});

test('a preview says what is wrong, and a large scene comes only as far as time allows', async (t) => {
  const { call } = await laboratory(t);
  await assert.rejects(call('scene.preview', { name: 'no-such' }), ({ data }) => data.pointer === '/name');
  await assert.rejects(call('scene.preview', { name: 'rope', ticks: 601 }), ({ data }) => data.pointer === '/ticks');
  const { tick } = await call('scene.preview', { name: 'tearing', ticks: 600 });
  assert.ok(tick > 0 && tick <= 600);
});

test('a temporary world ends when it was deserted, and one that somebody is in stays', { timeout: 60000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope']);
  const main = await server.connect('main');
  await main.call('world.branch', { name: 'left', temporary: true });
  await main.call('world.branch', { name: 'visited', temporary: true });
  await main.call('world.create', { name: 'lasting', scene: 'rope' });
  const { worlds } = await main.call('world.list');
  assert.deepEqual(worlds.map(({ name, temporary }) => [name, temporary]), [['main', false], ['left', true], ['visited', true], ['lasting', false]]);
  const guest = await server.connect('visited');
  assert.equal((await guest.call('world.get')).scene, 'rope');
  await until(async () => !(await names(main)).includes('left'), 'the end of the one nobody came to', 25000);
  assert.deepEqual(await names(main), ['main', 'visited', 'lasting'], 'and none that somebody is in');
  guest.close();
  await until(async () => !(await names(main)).includes('visited'), 'the end of the one that was left', 25000);
  assert.deepEqual(await names(main), ['main', 'lasting']);
});
