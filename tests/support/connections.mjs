// SPDX-License-Identifier: MIT
// The raw connections that the tests of a file opened, by the port of their server, so that all of them can be ended.

const connections = new Map();

/** Registers a connection to this port; `end` ends it, and may be called after it has ended. */
export function rememberConnection(port, end) {
  const ends = connections.get(Number(port)) ?? [];
  ends.push(end);
  connections.set(Number(port), ends);
}

/** Ends all registered connections to this port. */
export function endConnections(port) {
  for (const end of connections.get(Number(port)) ?? []) end();
  connections.delete(Number(port));
}
