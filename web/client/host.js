// SPDX-License-Identifier: MIT
// The worker's end of a client in a worker: calls the methods of a Connection, and forwards its events, by messages.
//
// Messages to the worker: {open: {url, options}} once, then {key, verb, args}; or {serve: port} for each of several clients, whose
// messages then come through their own ports. Messages from the worker: {ready: timeOrigin},
// {name, value, statistics} for an event, and {key, value | error, statistics} for the result of a method. The buffer of a
// frame is transferred to the page, which returns it by 'giveBuffer'.

import { Connection } from './connection.js';
import { WeftError } from './errors.js';
import { changeBuffers } from './topology.js';

/** @typedef {Exclude<keyof Connection, 'statistics'>} Verb a method of a connection */

/** @type {Set<Verb>} */
const VERBS = new Set([
  'connect', 'close', 'moveTo', 'goOnAlone', 'call', 'notify', 'subscribeFrames', 'unsubscribeFrames', 'subscribeEvents', 'unsubscribeEvents',
  'renewTopology', 'frameTaken', 'giveBuffer', 'link', 'watch',
]);

/** The buffers to transfer with an event, by its name. @type {Record<string, (value: any) => Transferable[]>} */
const TRANSFERS = {
  frame: (/** @type {import('./frame.js').Frame} */ { positions }) => [/** @type {ArrayBuffer} */ (positions.buffer)],
  samples: (/** @type {import('./samples.js').SamplesNews} */ { positions }) => positions.flatMap((part) => (part ? [part.buffer] : [])),
  topologyChange: changeBuffers,
};

/**
 * Serves one client.
 * @param {{postMessage: Function, onmessage: any}} port the worker's global scope, or a MessagePort
 * @param {{WebSocket?: any}} [own] options that cannot be sent in a message
 */
export function serveClient(port, own = {}) {
  /** @type {Connection} created by the message `open`, before any method is called */
  let connection;

  const tell = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    const sent = value instanceof Error ? packError(value) : value;
    port.postMessage({ name, value: sent, statistics: connection.statistics }, TRANSFERS[name]?.(value) ?? []);
  };

  const run = async (/** @type {{key?: number, verb: Verb, args: unknown[]}} */ { key, verb, args }) => {
    if (!VERBS.has(verb)) return;
    let answer;
    try {
      const method = /** @type {(...args: unknown[]) => unknown} */ (connection[verb]);
      answer = { value: await method.apply(connection, args) };
    } catch (error) {
      answer = { error: packError(/** @type {Error} */ (error)) };
    }
    if (key !== undefined) port.postMessage({ key, ...answer, statistics: connection.statistics });
  };

  port.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.serve) {
      serveClient(data.serve, own);
    } else if (data.open) {
      connection = new Connection(data.open.url, { ...data.open.options, ...own, holdFrames: true }, tell);
      port.postMessage({ ready: performance.timeOrigin });
    } else {
      run(data);
    }
  };
}

/** @param {Error} error @returns {import('./remote.js').PackedError} */
function packError(error) {
  const { name, message } = error;
  return { name, message, ...(error instanceof WeftError ? { code: error.code, data: error.data } : { code: null }) };
}
