// SPDX-License-Identifier: MIT
// The cards that explain: every scene has one, every equation can be parsed, and the server accepts the commands of every
// button. The cards run here without a page, against a real server.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CARDS } from '../../web/viewer/tools/explain/cards.js';
import { until } from '../support/wait.mjs';
import { ROOT, Weftd } from '../support/weftd.mjs';

test('every scene of the server has a card, and every card a scene', async () => {
  const scenes = (await readdir(join(ROOT, 'server/scenes'))).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  assert.ok(scenes.length > 15);
  assert.deepEqual(Object.keys(CARDS).sort(), scenes.sort());
});

test('a card says what is solved, an equation, in words as well, what its letters mean, and what to try', () => {
  for (const [name, { title, solved, equations, where, tries }] of Object.entries(CARDS)) {
    assert.ok(title.length > 3 && solved.length > 0 && equations.length > 0 && where.length > 0 && tries.length > 1, name);
    for (const [notation, words] of equations) {
      const opened = notation.split('(').length;
      assert.equal(opened, notation.split(')').length, `${name}: parentheses of ${notation}`);
      assert.ok(words.length > 10 && !/[_^√∑]/.test(words), `${name}: “${words}” cannot be read aloud`);
    }
  }
});

/** Whether a topology is that of a world with these counts. */
function isOf(topology, counts) {
  const pins = topology?.objects.reduce((sum, object) => sum + object.pins.length, 0);
  return topology?.particles === counts.particles && pins === counts.pins;
}

/** What can be set of the added sticks, soft bodies and meshes, as text. */
async function setOf(client) {
  const { objects, sticks } = await client.call('object.list');
  const filled = await Promise.all(objects.filter(({ kind }) => kind === 'soft' || kind === 'mesh').map(({ object }) => client.call('object.get', { object })));
  return JSON.stringify([sticks.map(({ id, kind, compliance, swing, breakForce }) => [id, kind, compliance, swing, breakForce]), filled.map(({ object, young, pressure }) => [object, young, pressure])]);
}

test('every button of every card does what the server takes, on its scene', { timeout: 240000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  await client.subscribeFrames();
  const page = {
    ask: (method, params) => client.call(method, params),
    call: (method, params) => client.call(method, params),
    world: { find: (id) => ({ pins: new Set(client.topology.objects.find((one) => one.id === id)?.pins ?? []) }) },
  };
  let done = 0;
  for (const [name, { tries }] of Object.entries(CARDS)) {
    await client.call('scene.load', { name });
    await until(async () => isOf(client.topology, (await client.call('world.get')).counts), `the topology of ${name}`);
    for (const { label, does } of tries.filter((one) => one.label)) {
      const before = await client.call('world.get');
      if (typeof does === 'function') {
        const joined = await setOf(client);
        await does(page);
        const { counts } = await client.call('world.get');
        assert.ok(counts.pins < before.counts.pins || await setOf(client) !== joined, `${name}: ${label} lets go of nothing, and changes no stick and no material`);
      } else {
        for (const [method, params] of does) await client.call(method, params);
      }
      done++;
    }
  }
  assert.ok(done > 40, `${done} buttons`);
});
