// SPDX-License-Identifier: MIT
// A broadcast behind a real nginx and a real Varnish: what reaches the server does not depend on the number of viewers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BroadcastFiles } from '../../web/client/broadcast/files.js';
import { countingProxy, getMany, startNginx, startVarnish } from '../support/cache.mjs';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';

const PATIENCE_MS = 60000;
const FEW = 100;
const MANY = process.env.WEFT_SANITIZER ? 300 : 1000;

/** Two worlds that stand, with a broadcast each that holds a snapshot and fragments; and what a viewer gets of each. */
async function twoBroadcasts(t) {
  const server = await Weftd.start(t, ['--world', 'few=rope', '--world', 'many=cloth', '--paused']);
  const files = {};
  for (const world of ['few', 'many']) {
    const client = await server.connect(world);
    const { path } = await client.call('broadcast.start', { embed: true });
    await client.call('world.step', { ticks: 20 });
    const lists = new BroadcastFiles(server.http(path));
    let list;
    await until(async () => {
      list = await lists.list('manifest.json').catch(() => null);
      return list?.parts[0].fragments.length > 0;
    }, 'a fragment', PATIENCE_MS);
    files[world] = ['timeline.json', 'manifest.json', list.parts[0].snapshot, list.parts[0].fragments[0].file].map((name) => path + name);
  }
  return { server, files };
}

for (const [name, start] of [['nginx', startNginx], ['Varnish', startVarnish]]) {
  test(`behind ${name} ${MANY} viewers cost the server no more than ${FEW}`, { timeout: 240000 }, async (t) => {
    const { server, files } = await twoBroadcasts(t);
    const { port: origin, counts } = await countingProxy(t, server.port);
    const { port } = await start(t, origin);
    const immutable = {};
    for (const [world, viewers] of [['few', FEW], ['many', MANY]]) {
      const began = performance.now();
      assert.deepEqual(await getMany(port, files[world], viewers), { 200: viewers * files[world].length });
      const seconds = (performance.now() - began) / 1000;
      const [timeline, manifest, ...rest] = files[world].map((path) => counts.get(path));
      immutable[world] = rest;
      // A list is asked for anew whenever it has become too old, once.
      assert.ok(manifest >= 1 && manifest <= seconds + 2, `the manifest was asked for ${manifest} times in ${seconds} s`);
      assert.ok(timeline >= 1 && timeline <= seconds / 10 + 2, `the timeline was asked for ${timeline} times in ${seconds} s`);
    }
    assert.deepEqual(immutable, { few: [1, 1], many: [1, 1] });
    const snapshot = await fetch(`http://127.0.0.1:${port}${files.many[2]}`);
    assert.equal(snapshot.headers.get('access-control-allow-origin'), '*');
    assert.equal(snapshot.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.deepEqual(Buffer.from(await snapshot.arrayBuffer()), Buffer.from(await (await fetch(server.http(files.many[2]))).arrayBuffer()));
    assert.deepEqual([counts.get(files.many[2]), counts.get(files.many[3])], [1, 1]);
  });
}
