// SPDX-License-Identifier: MIT
// A cluster as `make cluster` starts it (docker/cluster.sh), in a folder of its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WeftClient } from '../../web/client/client.js';
import { CheckedSocket } from './contract.mjs';
import { until } from './wait.mjs';
import { BUILD, ROOT } from './weftd.mjs';

export const PATIENCE_MS = 90000;
export const SCRIPT = join(ROOT, 'docker/cluster.sh');
export const NODES = 3;
const PORTS = 7;

/** A folder for a cluster, which everyone may enter, since root runs PostgreSQL as nobody. It is removed after the test. */
export async function clusterFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-cluster-test-'));
  await chmod(folder, 0o755);
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The first of PORTS free ports in a row. */
export async function freePorts() {
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

export class Cluster {
  static async start(t, folder, port) {
    const cluster = new Cluster();
    Object.assign(cluster, { folder, port, url: `http://127.0.0.1:${port}`, said: '' });
    cluster.process = spawn(SCRIPT, [], { env: { ...process.env, OUT: BUILD, CLUSTER: folder, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [cluster.process.stdout, cluster.process.stderr]) stream.setEncoding('utf8').on('data', (text) => { cluster.said += text; });
    cluster.ended = once(cluster.process, 'exit');
    t.after(() => cluster.process.kill('SIGTERM') && cluster.ended);
    await until(() => {
      if (cluster.process.exitCode !== null) throw new Error(cluster.said);
      return cluster.said.includes(`open ${cluster.url}/ in a browser`);
    }, 'the cluster', PATIENCE_MS);
    return cluster;
  }

  /** The process ID of a part, from the table that the script prints. */
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

  /** Calls a method until it succeeds: a world may be on its way to another node. */
  callInTime(method, params) {
    let last;
    return until(() => this.call(method, params).catch((error) => { last = error; }), method, PATIENCE_MS)
      .catch((error) => { throw new Error(`${error.message}: ${last?.message}`); });
  }

  /** The number of the node that has the world: the one that does not redirect. */
  async owner() {
    const statuses = await Promise.all(Array.from({ length: NODES }, async (_, at) => (await fetch(`${this.url}/nodes/${at + 1}/worlds/main`, { redirect: 'manual' })).status));
    assert.equal(statuses.filter((status) => status === 307).length, NODES - 1, `${statuses}`);
    return statuses.findIndex((status) => status !== 307) + 1;
  }

  /** A WebSocket of a page of the cluster, by any node. */
  async connect() {
    const { url } = this;
    class Page extends CheckedSocket {
      constructor(address, protocols) {
        super(address, protocols, { origin: url });
      }
    }
    const client = new WeftClient(`${url.replace('http', 'ws')}/worlds/main`, { WebSocket: Page, reconnect: false });
    await client.connect();
    return client;
  }

  async noneLeft(when) {
    await until(async () => (await processesOf(this.folder)).length === 0, `no process to be left ${when}`, 20000)
      .catch(async (error) => { throw new Error(`${error.message}:\n${(await processesOf(this.folder)).join('\n')}\n${this.said}`); });
  }
}
