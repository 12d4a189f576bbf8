// SPDX-License-Identifier: MIT
// The worker's side of a client: a Connection whose methods are called, and whose news are told, by messages.
//
// To the worker: {open: {url, options}} once, then {key, verb, args}. From it: {ready: timeOrigin}, {name, value, statistics} for news and
// {key, value | error, statistics} for the answer to a verb. A frame's buffer goes over with it and comes back with 'giveBuffer'.

import { Connection } from './connection.js';
import { WeftError } from './errors.js';
import { changeBuffers } from './topology.js';

const VERBS = new Set([
  'connect', 'close', 'call', 'notify', 'subscribeFrames', 'unsubscribeFrames', 'subscribeEvents', 'unsubscribeEvents',
  'renewTopology', 'frameTaken', 'giveBuffer',
]);

const TRANSFERS = {
  frame: ({ positions }) => [positions.buffer],
  topologyChange: changeBuffers,
};

/**
 * Serves one client.
 * @param {{postMessage: Function, onmessage: any}} port the worker's global scope, or a MessagePort
 * @param {{WebSocket?: any}} [own] options that cannot be sent
 */
export function serveClient(port, own = {}) {
  let connection = null;

  const tell = (name, value) => {
    const sent = value instanceof Error ? packError(value) : value;
    port.postMessage({ name, value: sent, statistics: connection.statistics }, TRANSFERS[name]?.(value) ?? []);
  };

  const run = async ({ key, verb, args }) => {
    if (!VERBS.has(verb)) return;
    let answer;
    try {
      answer = { value: await connection[verb](...args) };
    } catch (error) {
      answer = { error: packError(error) };
    }
    if (key !== undefined) port.postMessage({ key, ...answer, statistics: connection.statistics });
  };

  port.onmessage = ({ data }) => {
    if (data.open) {
      connection = new Connection(data.open.url, { ...data.open.options, ...own, holdFrames: true }, tell);
      port.postMessage({ ready: performance.timeOrigin });
    } else {
      run(data);
    }
  };
}

function packError(error) {
  const { name, message, data } = error;
  return { name, message, code: error instanceof WeftError ? error.code : null, data };
}
