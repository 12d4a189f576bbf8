// SPDX-License-Identifier: MIT
// The worker's end of a client in a worker: calls the methods of a Connection, and forwards its events, by messages.
//
// Messages to the worker: {open: {url, options}} once, then {key, verb, args}; or {serve: port} for each of several clients, whose
// messages then come through their own ports; {prepareLocal: true}, so that what local worlds need is loaded already when one is
// opened. {prepare: {url, calls}} may come first, while the page still loads its modules: its calls are made at once, and the page's
// client, if it opens the same address without options, takes the connection over: it gets the events since, in their order, and the
// results of the calls that it makes in the same way. Messages from the worker: {ready: timeOrigin}, {name, value, statistics} for an
// event, and {key, value | error, statistics} for the result of a method. The buffer of a frame is transferred to the page, which
// returns it by 'giveBuffer'.

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
  /** @type {Connection} created by the message `open` or `prepare`, before any method is called */
  let connection;
  /** @type {{address: string, news: [string, unknown][], results: Map<string, Promise<unknown>>} | null} until the page's client is there */
  let prepared = null;
  /** @type {Map<string, Promise<unknown>>} of calls that the page's client has not made yet */
  let results = new Map();

  const tell = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    if (prepared) {
      prepared.news.push([name, value]);
      return;
    }
    const sent = value instanceof Error ? packError(value) : value;
    port.postMessage({ name, value: sent, statistics: connection.statistics }, TRANSFERS[name]?.(value) ?? []);
  };

  const make = (/** @type {string} */ url, /** @type {object} */ options) => {
    /** @type {Connection} */
    const made = new Connection(url, { ...options, ...own, holdFrames: true }, (name, value) => { if (made === connection) tell(name, value); });
    return made;
  };

  const call = async (/** @type {Verb} */ verb, /** @type {unknown[]} */ args) => {
    const method = /** @type {(...args: unknown[]) => unknown} */ (connection[verb]);
    return method.apply(connection, args);
  };

  const prepare = (/** @type {{url: string, calls: [Verb, ...unknown[]][]}} */ { url, calls }) => {
    prepared = { address: addressOf(url, {}), news: [], results: new Map() };
    connection = make(url, {});
    for (const [verb, ...args] of calls) {
      const result = call(verb, args);
      result.catch(() => {}); // the page's client hears of it
      prepared.results.set(JSON.stringify([verb, args]), result);
    }
  };

  const open = (/** @type {{url: string, options: object}} */ { url, options }) => {
    const early = prepared;
    prepared = null;
    const isWanted = early?.address === addressOf(url, options);
    port.postMessage({ ready: performance.timeOrigin });
    if (!early || !isWanted) {
      const unwanted = connection;
      connection = make(url, options);
      unwanted?.close();
      return;
    }
    results = early.results;
    for (const [name, value] of early.news) tell(name, value);
  };

  const run = async (/** @type {{key?: number, verb: Verb, args: unknown[]}} */ { key, verb, args }) => {
    if (!VERBS.has(verb)) return;
    const same = results.size > 0 ? JSON.stringify([verb, args]) : '';
    const early = results.get(same);
    results.delete(same);
    let answer;
    try {
      answer = { value: await (early ?? call(verb, args)) };
    } catch (error) {
      answer = { error: packError(/** @type {Error} */ (error)) };
    }
    if (key !== undefined) port.postMessage({ key, ...answer, statistics: connection.statistics });
  };

  port.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.serve) {
      serveClient(data.serve, own);
    } else if (data.prepare) {
      prepare(data.prepare);
    } else if (data.prepareLocal) {
      prepareLocal().catch(() => {}); // whoever opens a local world hears of it
    } else if (data.open) {
      open(data.open);
    } else {
      run(data);
    }
  };
}

/** Loads what a local world needs: the engine, the scenes, and the modules that compute it. */
async function prepareLocal() {
  const [{ localServer }, { loadEngine }] = await Promise.all([import('./local/server.js'), import('./engine/engine.js')]);
  await Promise.all([loadEngine(), localServer().then(({ scenes }) => scenes.list())]);
}

/** Two clients with equal addresses may share a connection. @param {string} url @param {object} options those that are undefined do not count */
const addressOf = (url, options) => JSON.stringify({ url, options });

/** @param {Error} error @returns {import('./remote.js').PackedError} */
function packError(error) {
  const { name, message } = error;
  return { name, message, ...(error instanceof WeftError ? { code: error.code, data: error.data } : { code: null }) };
}
