// SPDX-License-Identifier: MIT
// The bare connections that the tests of a file made, by the port of their server, so that all of them can be ended.

const connections = new Map();

/** Remembers a connection to this port; `end` ends it, and may be called when it has ended. */
export function rememberConnection(port, end) {
  const ends = connections.get(Number(port)) ?? [];
  ends.push(end);
  connections.set(Number(port), ends);
}

/** Ends all of them that lead to this port. */
export function endConnections(port) {
  for (const end of connections.get(Number(port)) ?? []) end();
  connections.delete(Number(port));
}
