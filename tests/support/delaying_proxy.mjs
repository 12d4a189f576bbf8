// SPDX-License-Identifier: MIT
// A TCP proxy on a free port that hands everything on late, in both directions, as a long way does: nothing is lost or
// reordered.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @param {number} delayMs each way */
function forward(from, to, delayMs) {
  from.on('data', (data) => setTimeout(() => to.writable && to.write(data), delayMs));
  from.on('close', () => setTimeout(() => to.destroy(), delayMs));
  from.on('error', () => {});
}

/**
 * @param {{ after: (end: () => void) => void }} t
 * @param {number} port of the server
 * @param {number} roundTripMs added to each round trip
 * @returns {Promise<number>} the proxy's port
 */
export async function delayingProxy(t, port, roundTripMs) {
  const sockets = new Set();
  const proxy = createServer((client) => {
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    for (const socket of [client, server]) sockets.add(socket.on('close', () => sockets.delete(socket)));
    forward(client, server, roundTripMs / 2);
    forward(server, client, roundTripMs / 2);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  return proxy.address().port;
}
