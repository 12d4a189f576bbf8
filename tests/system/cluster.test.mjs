// SPDX-License-Identifier: MIT
// `make cluster` (docker/cluster.sh) with real PostgreSQL, nginx and Prometheus: one address, a node that is killed comes back,
// a standby takes the place of its primary, broadcasts come from the cache, and no process is left, however the script ends.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { WeftClient } from '../../web/client/client.js';
import { CheckedSocket } from '../support/contract.mjs';
import { readMetrics } from '../support/prometheus.mjs';
import { until } from '../support/wait.mjs';
import { BUILD, ROOT, run, WEFTD } from '../support/weftd.mjs';

const PATIENCE_MS = 90000;
const PORTS = 7;
const SCRIPT = join(ROOT, 'docker/cluster.sh');
const help = spawnSync(WEFTD, ['--help'], { encoding: 'utf8' }).stdout;
const NODES = help.includes(' --node-url ') ? 3 : 1;
const STORED = { skip: !help.includes(' --store ') && 'this weftd keeps no worlds in PostgreSQL', timeout: 300000 };

/** The first of so many ports that are free. */
async function freePorts() {
  for (let port = 20000 + Math.floor(Math.random() * 10000); ; port += PORTS) {
    const servers = await Promise.all(Array.from({ length: PORTS }, (_, at) => new Promise((resolve) => {
      const server = createServer().once('error', () => resolve(null));
      server.listen(port + at, '127.0.0.1', () => resolve(server));
    })));
    await Promise.all(servers.map((server) => server && new Promise((resolve) => { server.close(resolve); })));
    if (servers.every(Boolean)) return port;
  }
}

/** Processes that were started for the cluster in a folder, by its path in their arguments or variables. */
async function processesOf(folder) {
  const found = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const texts = await Promise.all(['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')));
    if (texts.some((text) => text.includes(folder))) found.push(`${pid} ${texts[0].replaceAll('\0', ' ')}`);
  }
  return found;
}

class Cluster {
  static async start(t, folder, port) {
    const cluster = new Cluster();
    Object.assign(cluster, { folder, port, url: `http://127.0.0.1:${port}`, said: '' });
    const environment = { ...process.env, OUT: BUILD, CLUSTER: folder, PORT: String(port), NODES: String(NODES) };
    cluster.process = spawn(SCRIPT, [], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [cluster.process.stdout, cluster.process.stderr]) stream.setEncoding('utf8').on('data', (text) => { cluster.said += text; });
    cluster.ended = once(cluster.process, 'exit');
    t.after(() => cluster.process.kill('SIGTERM') && cluster.ended);
    await until(() => {
      if (cluster.process.exitCode !== null) throw new Error(cluster.said);
      return cluster.said.includes(`open ${cluster.url}/ in a browser`);
    }, 'the cluster', PATIENCE_MS);
    return cluster;
  }

  /** The process of a part, by the table that is printed. */
  pid(name) {
    return Number(new RegExp(`^ +${name} +\\S+ +(\\d+)$`, 'm').exec(this.said)[1]);
  }

  async status(path) {
    return (await fetch(this.url + path, { signal: AbortSignal.timeout(10000) })).status;
  }

  /** Calls a method as a page of the cluster does, from its origin, at whichever node has the world. */
  async call(method, params = {}) {
    const headers = { 'Content-Type': 'application/json', Origin: this.url };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(`${this.url}/worlds/main/rpc`, { method: 'POST', headers, body, signal: AbortSignal.timeout(10000) });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const { result, error } = JSON.parse(text);
    assert.equal(error, undefined, error?.message);
    return result;
  }

  /** As soon as it can be called: a world may be on its way to another node. */
  callInTime(method, params) {
    let last;
    return until(() => this.call(method, params).catch((error) => { last = error; }), method, PATIENCE_MS)
      .catch((error) => { throw new Error(`${error.message}: ${last?.message}`); });
  }

  /** A WebSocket of such a page to the node that has the world: the one that sends nobody on. */
  async connect() {
    const { url } = this;
    const bases = Array.from({ length: NODES }, (_, at) => `${url}/nodes/${at + 1}`);
    const statuses = await Promise.all(bases.map(async (one) => (await fetch(`${one}/worlds/main`, { redirect: 'manual' })).status));
    const base = bases[statuses.findIndex((status) => status !== 307)];
    assert.equal(statuses.filter((status) => status === 307).length, NODES - 1, `${statuses}`);
    class Page extends CheckedSocket {
      constructor(address, protocols) {
        super(address, protocols, { origin: url });
      }
    }
    const client = new WeftClient(`${base.replace('http', 'ws')}/worlds/main`, { WebSocket: Page, reconnect: false });
    await client.connect();
    return client;
  }

  async noneLeft(when) {
    await until(async () => (await processesOf(this.folder)).length === 0, `no process to be left ${when}`, 20000)
      .catch(async (error) => { throw new Error(`${error.message}:\n${(await processesOf(this.folder)).join('\n')}\n${this.said}`); });
  }
}

/** However often a fragment of a broadcast is asked for, by whatever way, the nodes send it once. */
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

test('a cluster answers at one address, survives its nodes and its script, and leaves no process', STORED, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-cluster-test-'));
  await chmod(folder, 0o755);
  t.after(() => rm(folder, { recursive: true, force: true }));
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

  const start = { env: { OUT: BUILD, CLUSTER: folder, PORT: String(port), NODES: String(NODES) } };
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
  const folder = await mkdtemp(join(tmpdir(), 'weft-cluster-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
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
