// SPDX-License-Identifier: MIT
// The page's side of a client in a worker: the same methods as a Connection's, carried over by messages (see host.js).

import { emptyStatistics } from './connection.js';
import { FrameError, WeftError } from './errors.js';

export class RemoteConnection {
  #worker;
  #emit;
  #nextKey = 1;
  #pending = new Map(); // key → {resolve, reject}
  #clockOffsetMs = 0; // this thread's performance.now() − the worker's
  #statistics = emptyStatistics();
  #dead = null;

  /**
   * @param {Worker | MessagePort} worker
   * @param {string} url
   * @param {object} options those that can be sent
   * @param {(name: string, value: any) => void} emit as a Connection's
   */
  constructor(worker, url, options, emit) {
    this.#worker = worker;
    this.#emit = emit;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#die(event?.message || 'it could not be loaded');
    worker.postMessage({ open: { url, options } });
  }

  get statistics() {
    return { ...this.#statistics };
  }

  connect() {
    return this.#ask('connect');
  }

  /** For good: nothing can be asked afterwards. */
  async close() {
    if (this.#dead) return;
    const closed = this.#ask('close');
    this.#dead = new WeftError('closed', 'The client was closed.');
    await closed;
  }

  call(method, params) {
    return this.#ask('call', method, params);
  }

  notify(method, params) {
    this.#tell('notify', method, params);
    return true;
  }

  subscribeFrames(params) {
    return this.#ask('subscribeFrames', params);
  }

  unsubscribeFrames() {
    return this.#ask('unsubscribeFrames');
  }

  subscribeEvents(names) {
    return this.#ask('subscribeEvents', names);
  }

  unsubscribeEvents() {
    return this.#ask('unsubscribeEvents');
  }

  renewTopology() {
    this.#tell('renewTopology');
  }

  giveBuffer(buffer) {
    this.#worker.postMessage({ verb: 'giveBuffer', args: [buffer] }, [buffer]);
  }

  #ask(verb, ...args) {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      const key = this.#nextKey++;
      this.#pending.set(key, { resolve, reject });
      this.#worker.postMessage({ key, verb, args });
    });
  }

  #tell(verb, ...args) {
    this.#worker.postMessage({ verb, args });
  }

  #receive(message) {
    if (message.statistics) this.#statistics = message.statistics;
    if (message.ready !== undefined) this.#clockOffsetMs = message.ready - performance.timeOrigin;
    else if (message.name !== undefined) this.#receiveNews(message);
    else this.#receiveAnswer(message);
  }

  #receiveNews({ name, value }) {
    if (name === 'frame') {
      value.receivedAt += this.#clockOffsetMs;
      this.#tell('frameTaken');
    }
    this.#emit(name, name === 'fault' ? unpackError(value) : value);
  }

  #receiveAnswer({ key, value, error }) {
    const waiting = this.#pending.get(key);
    if (!waiting) return;
    this.#pending.delete(key);
    if (error) waiting.reject(unpackError(error));
    else waiting.resolve(value);
  }

  #die(reason) {
    this.#dead = new WeftError('worker', `The client's worker failed: ${reason}.`);
    for (const { reject } of this.#pending.values()) reject(this.#dead);
    this.#pending.clear();
    this.#emit('state', { state: 'closed', attempt: 0, retryInMs: null, reason: this.#dead.message });
  }
}

function unpackError({ name, message, code, data }) {
  if (code !== null) return new WeftError(code, message, data);
  return name === 'FrameError' ? new FrameError(message) : new Error(message);
}
