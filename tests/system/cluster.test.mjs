// SPDX-License-Identifier: MIT
// `make cluster` (docker/cluster.sh) with real PostgreSQL, nginx and Prometheus: one address, a node that is killed comes back,
// a standby takes the place of its primary, broadcasts come from the cache, and no process is left, however the script ends.

import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cluster, clusterFolder, freePorts, NODES, PATIENCE_MS, SCRIPT } from '../support/cluster.mjs';
import { readMetrics } from '../support/prometheus.mjs';
import { until } from '../support/wait.mjs';
import { BUILD, run } from '../support/weftd.mjs';

/** Checks that the nodes send a fragment of a broadcast once, for any number of requests and on any path. */
async function assertCached(cluster) {
  const { path } = await cluster.call('broadcast.start');
  const fragment = await until(async () => {
    const list = await fetch(`${cluster.url}${path}manifest.json`).then((answer) => answer.ok && answer.json(), () => null);
    return list?.parts?.[0]?.fragments[0]?.file;
  }, 'a fragment', PATIENCE_MS);
  const requests = async () => {
    const texts = await Promise.all(Array.from({ length: NODES }, async (_, at) => (await fetch(`http://127.0.0.1:${cluster.port + 1 + at}/metrics`)).text()));
    return texts.flatMap((text) => [...readMetrics(text).get('weft_world_broadcast_requests_total').samples]).reduce((sum, { value }) => sum + value, 0);
  };
  await fetch(cluster.url + path + fragment);
  const before = await requests();
  for (const base of ['', '/nodes/1', '/nodes/1', '', '']) {
    const answer = await fetch(cluster.url + base + path + fragment);
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable']);
    await answer.arrayBuffer();
  }
  assert.equal(await requests(), before);
  await cluster.call('broadcast.stop');
}

test('a cluster answers at one address, survives its nodes and its script, and leaves no process', { timeout: 300000 }, async (t) => {
  const folder = await clusterFolder(t);
  const port = await freePorts();
  const first = await Cluster.start(t, folder, port);
  for (const path of ['/readyz', '/livez', ...Array.from({ length: NODES }, (_, at) => `/nodes/${at + 1}/readyz`)]) assert.equal(await first.status(path), 200, path);
  assert.equal(await first.status('/metrics'), 404, 'Prometheus asks the nodes themselves');
  const { object } = await first.callInTime('rope.spawn', { from: [-1, 3, 0], to: [1, 3, 0], particles: 10 });
  const client = await first.connect();
  assert.equal((await client.call('object.get', { object })).kind, 'rope');
  client.close();
  await assertCached(first);
  const scraped = async () => (await (await fetch(`http://127.0.0.1:${port + 6}/api/v1/query?query=sum(up)`)).json()).data.result[0]?.value[1];
  await until(async () => (await scraped()) === String(NODES), 'Prometheus to reach every node', PATIENCE_MS);

  const ready = (path) => until(() => first.status(path).then((status) => status === 200, () => false), `${path} to be well`, PATIENCE_MS);
  process.kill(first.pid('node1'), 'SIGKILL');
  await until(() => /node1 is started again/.test(first.said), 'node 1 to be started again', PATIENCE_MS);
  await ready('/nodes/1/readyz');
  await first.callInTime('object.get', { object });

  process.kill(first.pid('primary'), 'SIGKILL');
  await until(async () => (await first.status('/nodes/1/readyz')) === 503, 'the lost database to be noticed', PATIENCE_MS);
  assert.equal(await first.status('/nodes/1/livez'), 200, 'a restart of the node would not help');
  const [, promotion] = await until(() => /the standby takes its place by: (.*)\n/.exec(first.said), 'how to promote the standby', PATIENCE_MS);
  const promoted = await run('sh', ['-c', promotion]);
  assert.equal(promoted.status, 0, promoted.stderr);
  await ready('/nodes/1/readyz');
  const { object: later } = await first.callInTime('rope.spawn', { from: [-1, 2, 0], to: [1, 2, 0], particles: 10 });
  first.process.kill('SIGKILL');
  await first.ended;
  await first.noneLeft('when the script has been killed');

  const start = { env: { OUT: BUILD, CLUSTER: folder, PORT: String(port) } };
  const split = await run(SCRIPT, [], start);
  assert.equal(split.status, 1, 'two databases have gone different ways');
  assert.match(split.stderr, /^cluster: the standby was promoted, so what is in \S+ counts:/m);
  await rm(join(folder, 'primary'), { recursive: true });
  await rename(join(folder, 'standby'), join(folder, 'primary'));

  const second = await Cluster.start(t, folder, port);
  for (const one of [object, later]) await second.callInTime('object.get', { object: one });
  const other = await run(SCRIPT, [], start);
  assert.equal(other.status, 1);
  assert.match(other.stderr, /^cluster: something listens on port \d+; with PORT=N/);
  second.process.kill('SIGINT');
  assert.deepEqual(await second.ended, [0, null]);
  await second.noneLeft('after SIGINT');
});

test('what is missing or wrong for a cluster is said in a sentence', async (t) => {
  const folder = await clusterFolder(t);
  for (const [variables, words] of [
    [{ NODES: '4' }, /^cluster: NODES is 1, 2 or 3, not 4$/m],
    [{ PORT: 'x' }, /^cluster: PORT is 1024 to 65529, not x$/m],
    [{ PORT: '80' }, /^cluster: PORT is 1024 to 65529, not 80$/m],
    [{ OUT: folder }, /^cluster: there is no \S+\/weftd: make cluster builds it$/m],
  ]) {
    const { status, stderr } = await run(SCRIPT, [], { env: { OUT: BUILD, ...variables } });
    assert.equal(status, 1);
    assert.match(stderr, words);
  }
});
