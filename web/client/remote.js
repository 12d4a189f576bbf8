// SPDX-License-Identifier: MIT
// The page's end of a client in a worker: has the methods of a Connection, and forwards the calls by messages (see host.js).

import { FrameError, WeftError } from './errors.js';
import { emptyStatistics } from './statistics.js';

/** @typedef {{name: string, message: string, code: number | string | null, data?: object}} PackedError */

/**
 * A message from the worker: its clock, an event, or the result of a method; see host.js.
 * @typedef {{
 *   statistics?: import('./statistics.js').Statistics, ready?: number, name?: string, key?: number, value?: any, error?: PackedError,
 * }} FromWorker
 */

/** A way to a worker that serves several clients: for the option `worker` of one of them. @param {Worker} worker @returns {MessagePort} */
export function portTo(worker) {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ serve: port2 }, [port2]);
  return port1;
}

export class RemoteConnection {
  #worker;
  #emit;
  #nextKey = 1;
  /** @type {Map<number, import('./connection.js').Waiting>} pending calls by key */
  #pending = new Map();
  #clockOffsetMs = 0; // this thread's performance.now() minus the worker's
  #statistics = emptyStatistics();
  /** @type {WeftError | null} */
  #dead = null;

  /**
   * @param {Worker | MessagePort} worker
   * @param {string} url
   * @param {import('./connection.js').ConnectionOptions} options options that can be sent in a message
   * @param {(name: string, value: any) => void} emit receives the events of the Connection
   */
  constructor(worker, url, options, emit) {
    this.#worker = worker;
    this.#emit = emit;
    worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ { data }) => this.#receive(data);
    if ('onerror' in worker) worker.onerror = (event) => this.#die(event?.message || 'it could not be loaded');
    worker.postMessage({ open: { url, options } });
  }

  get statistics() {
    return { ...this.#statistics };
  }

  /** @returns {Promise<import('./connection.js').Hello>} */
  connect() {
    return this.#ask('connect');
  }

  /** Closes the connection for good; later calls are rejected. */
  async close() {
    if (this.#dead) return;
    const closed = this.#ask('close');
    this.#dead = new WeftError('closed', 'The client was closed.');
    await closed;
  }

  /**
   * @template {import('./protocol.js').MethodName} M
   * @param {M} method @param {import('./protocol.js').Methods[M]['params']} [params]
   * @returns {Promise<import('./protocol.js').Methods[M]['result']>}
   */
  call(method, params) {
    return this.#ask('call', method, params);
  }

  /** @param {string} method @param {object} [params] */
  notify(method, params) {
    this.#tell('notify', method, params);
    return true;
  }

  /** @param {string} url @param {{token?: string}} [options] @returns {Promise<import('./connection.js').Hello>} */
  moveTo(url, options) {
    return this.#ask('moveTo', url, options);
  }

  /** @param {{name?: string, paused?: boolean}} [options] @returns {Promise<{world: string, tick: number, hash: string}>} */
  goOnAlone(options) {
    return this.#ask('goOnAlone', options);
  }

  /** @param {import('./connection.js').FrameParams} [params] */
  subscribeFrames(params) {
    return this.#ask('subscribeFrames', params);
  }

  unsubscribeFrames() {
    return this.#ask('unsubscribeFrames');
  }

  /** @param {string[]} [names] */
  subscribeEvents(names) {
    return this.#ask('subscribeEvents', names);
  }

  unsubscribeEvents() {
    return this.#ask('unsubscribeEvents');
  }

  /** @returns {Promise<import('./local/link_world.js').WorldLink>} */
  link() {
    return this.#ask('link');
  }

  renewTopology() {
    this.#tell('renewTopology');
  }

  /** @param {import('./samples.js').Watched[]} parts */
  watch(parts) {
    this.#tell('watch', parts);
  }

  /** @param {ArrayBuffer} buffer */
  giveBuffer(buffer) {
    this.#worker.postMessage({ verb: 'giveBuffer', args: [buffer] }, [buffer]);
  }

  /** @param {string} verb @param {unknown[]} args @returns {Promise<any>} the result of the method */
  #ask(verb, ...args) {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      const key = this.#nextKey++;
      this.#pending.set(key, { resolve, reject });
      this.#worker.postMessage({ key, verb, args });
    });
  }

  /** @param {string} verb @param {unknown[]} args */
  #tell(verb, ...args) {
    this.#worker.postMessage({ verb, args });
  }

  /** @param {FromWorker} message */
  #receive(message) {
    if (message.statistics) this.#statistics = message.statistics;
    if (message.ready !== undefined) this.#clockOffsetMs = message.ready - performance.timeOrigin;
    else if (message.name !== undefined) this.#receiveNews(message.name, message.value);
    else this.#receiveAnswer(message);
  }

  /** @param {string} name @param {any} value its type depends on the name */
  #receiveNews(name, value) {
    if (name === 'frame') {
      value.receivedAt += this.#clockOffsetMs;
      this.#tell('frameTaken');
    }
    this.#emit(name, name === 'fault' ? unpackError(value) : value);
  }

  /** @param {FromWorker} answer */
  #receiveAnswer({ key, value, error }) {
    const waiting = key !== undefined && this.#pending.get(key);
    if (!waiting) return;
    this.#pending.delete(key);
    if (error) waiting.reject(unpackError(error));
    else waiting.resolve(value);
  }

  /** @param {string} reason */
  #die(reason) {
    const dead = new WeftError('worker', `The client's worker failed: ${reason}.`);
    this.#dead = dead;
    for (const { reject } of this.#pending.values()) reject(dead);
    this.#pending.clear();
    this.#emit('state', { state: 'closed', attempt: 0, retryInMs: null, reason: dead.message });
  }
}

/** @param {PackedError} error */
function unpackError({ name, message, code, data }) {
  if (code !== null) return new WeftError(code, message, data);
  return name === 'FrameError' ? new FrameError(message) : new Error(message);
}
