// SPDX-License-Identifier: MIT
// A client of a Weft world, for browsers and Node ≥ 18. It knows neither a page nor three.js.
//
//     const client = new WeftClient('ws://127.0.0.1:8080/worlds/main', { worker: true });
//     client.on('frame', (frame) => { draw(frame.positions, client.topology); client.recycle(frame); });
//     await client.connect();
//     await client.subscribeFrames();
//     const { object } = await client.call('cloth.spawn', { columns: 20, rows: 20, position: [0, 2, 0] });
//
// In Node before 22 hand over a WebSocket: `import WebSocket from 'ws'; new WeftClient(url, { WebSocket })`.

import { Connection } from './connection.js';
import { Emitter } from './emitter.js';
import { RemoteConnection } from './remote.js';
import { Topology } from './topology.js';

export { FrameError, WeftError } from './errors.js';
export { Topology } from './topology.js';

/** @returns {string} a key for the option `session` */
export function randomKey() {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => letters[byte & 63]).join('');
}

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('./protocol.js').Methods} Methods */
/** @typedef {import('./protocol.js').MethodName} MethodName */

/**
 * What a client tells: every event of the protocol by its name, and what concerns the client itself.
 * @typedef {import('./protocol.js').Events & {
 *   state: import('./connection.js').StateNews, topology: Topology, frame: Frame & {receivedAt: number}, event: {method: string, params: object}, fault: Error,
 * }} ClientEvents
 */

const NO_POSITIONS = new Float32Array(0);

export class WeftClient {
  /** @type {Emitter<ClientEvents>} */
  #emitter = new Emitter();
  /** @type {Connection | RemoteConnection} */
  #connection;
  /** @type {Worker | MessagePort | null} */
  #worker = null;
  /** @type {import('./connection.js').State} */
  #state = 'closed';
  /** @type {import('./connection.js').Hello | null} */
  #hello = null;
  /** @type {Topology | null} */
  #topology = null;

  /**
   * @param {string} url ws://HOST:PORT/worlds/NAME
   * @param {object} [options]
   * @param {any} [options.WebSocket] the class to use; the global one when absent. Not with a worker.
   * @param {boolean | (() => Worker | MessagePort)} [options.worker] whether socket and decoding live in a worker
   * @param {boolean} [options.reconnect] come back by itself (true)
   * @param {string} [options.token] shown to a server that wants one; a page's is in its cookie
   * @param {string} [options.session] a key chosen at random (`randomKey()`): calls that were cut off are made again after coming
   *   back, each exactly once
   */
  constructor(url, { WebSocket, worker = false, reconnect = true, token, session } = {}) {
    const receive = this.#receive.bind(this);
    if (worker) {
      this.#worker = typeof worker === 'function' ? worker() : startWorker();
      this.#connection = new RemoteConnection(this.#worker, url, { reconnect, token, session }, receive);
    } else {
      this.#connection = new Connection(url, { ...(WebSocket && { WebSocket }), reconnect, token, session }, receive);
    }
  }

  /** @returns {'connecting' | 'open' | 'closed'} */
  get state() {
    return this.#state;
  }

  /** The server's first message, or null before it. @returns {import('./connection.js').Hello | null} */
  get hello() {
    return this.#hello;
  }

  /** @returns {Topology | null} null until frames were subscribed to; after coming back the old one until the new one is here */
  get topology() {
    return this.#topology;
  }

  /**
   * framesSkipped counts frames that came and were not handed on: overtaken, malformed, or of an epoch not known. The times are
   * smoothed, and null before the first.
   * @returns {import('./connection.js').Statistics}
   */
  get statistics() {
    return this.#connection.statistics;
  }

  /**
   * Listens to 'state' {state, attempt, retryInMs, reason}, 'hello' params, 'topology' Topology, 'frame' Frame, 'event' {method, params},
   * every event's own name (params), and 'fault' Error: something that came was malformed, or a renewed subscription refused.
   * @template {keyof ClientEvents} Name
   * @param {Name} name
   * @param {(value: ClientEvents[Name]) => void} listener
   * @returns {() => void} stops listening
   */
  on(name, listener) {
    return this.#emitter.on(name, listener);
  }

  /** @returns {Promise<import('./connection.js').Hello>} hello's params; with `reconnect` it waits for a server, without it rejects with a WeftError */
  connect() {
    return this.#connection.connect();
  }

  /**
   * @template {MethodName} M
   * @param {M} method
   * @param {Methods[M]['params']} [params]
   * @returns {Promise<Methods[M]['result']>} rejects with a WeftError
   */
  call(method, params) {
    return this.#connection.call(method, params);
  }

  /**
   * Sends without asking for an answer; without a connection it is dropped.
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} [params]
   */
  notify(method, params) {
    this.#connection.notify(method, params);
  }

  /**
   * Asks for the topology, a keyframe, then frames, packed as small as they get (`motion`) unless told otherwise; remembered and
   * renewed after coming back. With `adapt` the server sends fewer frames to a client that cannot keep up; the event
   * `frames.paced` tells.
   * @param {import('./connection.js').FrameParams} [params]
   */
  subscribeFrames(params) {
    return this.#connection.subscribeFrames(params);
  }

  unsubscribeFrames() {
    return this.#connection.unsubscribeFrames();
  }

  /** @param {string[]} [names] all events when absent; remembered and renewed after coming back */
  subscribeEvents(names) {
    return this.#connection.subscribeEvents(names);
  }

  unsubscribeEvents() {
    return this.#connection.unsubscribeEvents();
  }

  /**
   * Hands a frame's buffer back for a later frame; its positions are empty afterwards.
   * @param {Frame} frame
   */
  recycle(frame) {
    const { buffer } = frame.positions;
    frame.positions = NO_POSITIONS;
    if (buffer.byteLength > 0) this.#connection.giveBuffer(/** @type {ArrayBuffer} */ (buffer));
  }

  /** Closes for good, the worker too. */
  close() {
    const closed = Promise.resolve(this.#connection.close());
    const worker = this.#worker;
    if (worker) closed.finally(() => ('terminate' in worker ? worker.terminate() : worker.close())).catch(() => {});
  }

  /** @param {string} name @param {any} value as the connection tells them: what it is depends on the name */
  #receive(name, value) {
    switch (name) {
      case 'state':
        this.#state = value.state;
        break;
      case 'hello':
        this.#hello = value;
        break;
      case 'topologyChange':
        this.#applyChange(value);
        return;
      case 'event':
        this.#receiveEvent(value);
        return;
    }
    this.#emitter.emit(/** @type {'state' | 'hello' | 'frame' | 'fault'} */ (name), value);
  }

  /** @param {import('./topology.js').TopologyChange} change */
  #applyChange(change) {
    try {
      this.#topology = Topology.apply(this.#topology, change);
    } catch (error) {
      this.#connection.renewTopology();
      this.#emitter.emit('fault', /** @type {Error} */ (error));
      return;
    }
    this.#emitter.emit('topology', this.#topology);
  }

  /** @param {{method: string, params: object}} event */
  #receiveEvent(event) {
    try {
      if (this.#topology) this.#topology = Topology.applyEvent(this.#topology, event.method, event.params);
    } catch (error) {
      this.#emitter.emit('fault', /** @type {Error} */ (error));
    }
    this.#emitter.emit('event', event);
    /** @type {Emitter} */ (this.#emitter).emit(event.method, event.params); // the schema tells what a server sends under which name
  }
}

function startWorker() {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}
