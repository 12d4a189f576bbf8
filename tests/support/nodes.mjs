// SPDX-License-Identifier: MIT
// Several weftd that share a PostgreSQL, each on a port of its own.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { postgres } from './postgres.mjs';
import { until } from './wait.mjs';
import { Weftd } from './weftd.mjs';

export const TAKEOVER_MS = 5000; // from the end of a node until another one has its worlds
export const LAB = ['--world', 'lab=empty', '--paused'];
export const SPAWN = { positions: [[0, 1, 0]] };

/** A port that was free a moment ago. */
export async function freePort() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a node. @param {object} t @param {string} address @param {string[]} [args] @param {{port?: number}} [options] */
export async function startNode(t, address, args = [], { port, ...options } = {}) {
  const own = port ?? (await freePort());
  return Weftd.start(t, ['--port', String(own), '--store', address, '--node-url', `http://127.0.0.1:${own}`, ...args], options);
}

/** Starts nodes, of which the first makes the worlds that `args` name. @returns {Promise<{address: string, nodes: Weftd[]}>} */
export async function startNodes(t, count, args = []) {
  const address = await postgres(t);
  const nodes = [];
  while (nodes.length < count) nodes.push(await startNode(t, address, args));
  return { address, nodes };
}

/** The health of a node. */
export async function health(node) {
  return (await fetch(node.http('/healthz'))).json();
}

/** Waits until a node has the world, and returns it. @param {Weftd[]} nodes @param {string} world */
export async function ownerOf(nodes, world, patienceMs = 10000) {
  let owner;
  await until(async () => {
    for (const node of nodes) {
      if (node.exit) continue;
      const { worlds } = await health(node);
      if (worlds.some(({ name }) => name === world)) owner = node;
    }
    return owner !== undefined;
  }, `an owner of ${world}`, patienceMs);
  return owner;
}
