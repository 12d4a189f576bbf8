// SPDX-License-Identifier: MIT
// The client library for a Weft world, for browsers and Node ≥ 18. It uses neither the DOM nor three.js.
//
//     const client = new WeftClient('ws://127.0.0.1:8080/worlds/main', { worker: true });
//     client.on('frame', (frame) => { draw(frame.positions, client.topology); client.recycle(frame); });
//     await client.connect();
//     await client.subscribeFrames();
//     const { object } = await client.call('cloth.spawn', { columns: 20, rows: 20, position: [0, 2, 0] });
//
// Node before 22 has no WebSocket; pass one in: `import WebSocket from 'ws'; new WeftClient(url, { WebSocket })`.

import { Connection } from './connection.js';
import { Emitter } from './emitter.js';
import { LocalPort, lendWorker } from './local/port.js';
import { isLocal } from './local/socket.js';
import { RemoteConnection } from './remote.js';
import { startWorker } from './start_worker.js';
import { Topology } from './topology.js';

export { FrameError, WeftError } from './errors.js';
export { randomKey } from './random_key.js';
export { Topology } from './topology.js';

/** @typedef {import('./frame.js').Frame} Frame */
/** @typedef {import('./protocol.js').Methods} Methods */
/** @typedef {import('./protocol.js').MethodName} MethodName */
/**
 * The parameters of a method as an argument, which may be omitted if all of them are optional.
 * @template {MethodName} M
 * @typedef {{} extends Methods[M]['params'] ? [params?: Methods[M]['params']] : [params: Methods[M]['params']]} Arguments
 */

/**
 * The events of a client by name: all events of the protocol, and those of the client itself.
 * @typedef {import('./protocol.js').Events & {
 *   state: import('./connection.js').StateNews, topology: Topology, frame: Frame & {receivedAt: number}, samples: import('./samples.js').SamplesNews, event: {method: string, params: object}, fault: Error,
 *   moved: {url: string},
 * }} ClientEvents
 */

const NO_POSITIONS = new Float32Array(0);

export class WeftClient {
  /** @type {Emitter<ClientEvents>} */
  #emitter = new Emitter();
  /** @type {Connection | RemoteConnection} */
  #connection;
  /** @type {Worker | MessagePort | LocalPort | null} */
  #worker = null;
  #WebSocket;
  /** @type {import('./connection.js').State} */
  #state = 'closed';
  /** @type {import('./connection.js').Hello | null} */
  #hello = null;
  /** @type {Topology | null} */
  #topology = null;

  /**
   * @param {string} url ws://HOST:PORT/worlds/NAME; capsule:ADDRESS of a capsule file to watch, broadcast:ADDRESS of the manifest.json of a
   *   broadcast to watch; or local:NAME, a world without a
   *   server: one of that name which is kept in this browser, else a new one of the scene with that name, or of the scene
   *   that local:NAME=SCENE names, with what a link says, for instance local:cloth?gravity=0,-3,0&tick=600#… (see `link`). Clients
   *   of one page (with `worker`) or of one thread meet in the same local worlds.
   * @param {object} [options]
   * @param {any} [options.WebSocket] the WebSocket class to use; the global one by default. Cannot be combined with `worker`.
   * @param {boolean | (() => Worker | MessagePort)} [options.worker] runs the socket and the decoder in a worker
   * @param {boolean} [options.reconnect] reconnects automatically after the connection is lost (default: true, but false in
   *   local worlds, which are lost only when they are removed)
   * @param {string} [options.token] access token for a server that requires one; a page sends its token as a cookie instead
   * @param {() => Promise<import('./lockstep/own_world.js').Engine>} [options.loadEngine] gives an engine to compute ticks with; by
   *   default the one beside this module. Not with a worker.
   * @param {boolean} [options.predict] whether ticks that are computed here show the client's own commands at once (true)
   * @param {string} [options.session] a random key (`randomKey()`) that identifies the session: calls whose reply was lost
   *   with the connection are repeated after reconnecting, and the server executes each of them exactly once. Where several
   *   servers share the worlds, a client that reconnects has a key by default.
   */
  constructor(url, { WebSocket, worker = false, reconnect, token, session, loadEngine, predict } = {}) {
    const receive = this.#receive.bind(this);
    this.#WebSocket = WebSocket;
    if (worker) {
      const start = /** @type {() => Worker} */ (typeof worker === 'function' ? worker : startWorker);
      this.#worker = isLocal(url) ? new LocalPort(start) : start();
      this.#connection = new RemoteConnection(/** @type {any} */ (this.#worker), url, { reconnect, token, session, predict }, receive);
    } else {
      this.#connection = new Connection(url, { ...(WebSocket && { WebSocket }), reconnect, token, session, loadEngine, predict }, receive);
    }
  }

  /** @returns {'connecting' | 'open' | 'closed'} */
  get state() {
    return this.#state;
  }

  /** The server's first message, or null until it has arrived. @returns {import('./connection.js').Hello | null} */
  get hello() {
    return this.#hello;
  }

  /** @returns {Topology | null} null until the client has subscribed to frames; after a reconnect, the previous topology until the new one has arrived */
  get topology() {
    return this.#topology;
  }

  /**
   * framesSkipped counts frames that arrived but were not delivered: replaced by a newer frame, malformed, or of an unknown
   * epoch. The times are smoothed, and null before the first measurement.
   * @returns {import('./statistics.js').Statistics}
   */
  get statistics() {
    return this.#connection.statistics;
  }

  /**
   * Listens to 'state' {state, attempt, retryInMs, reason}, 'hello' params, 'topology' Topology, 'frame' Frame, 'event'
   * {method, params}, 'samples' (see `watch`), each event of the protocol by its name (params), and 'fault' Error: the server sent a malformed
   * message, or refused a renewed subscription; and 'moved' {url}: the client goes to the world of that address.
   * @template {keyof ClientEvents} Name
   * @param {Name} name
   * @param {(value: ClientEvents[Name]) => void} listener
   * @returns {() => void} removes the listener
   */
  on(name, listener) {
    return this.#emitter.on(name, listener);
  }

  /** @returns {Promise<import('./connection.js').Hello>} the params of the server's hello; with `reconnect` the promise waits until a server is available, without it the promise rejects with a WeftError */
  connect() {
    return this.#connection.connect();
  }

  /**
   * @template {MethodName} M
   * @param {M} method
   * @param {Arguments<M>} params
   * @returns {Promise<Methods[M]['result']>} rejects with a WeftError
   */
  call(method, ...params) {
    return this.#connection.call(method, params[0]);
  }

  /**
   * Sends a notification: a request without a reply. Without a connection it is dropped.
   * @template {MethodName} M
   * @param {M} method @param {Arguments<M>} params
   */
  notify(method, ...params) {
    this.#connection.notify(method, params[0]);
  }

  /**
   * Subscribes to the topology, a keyframe and the frames that follow, in the smallest encoding (`motion`) by default. The
   * subscription is renewed after a reconnect. With `adapt` the server lowers the frame rate for a client that cannot keep
   * up, and reports it by the event `frames.paced`.
   * @param {import('./connection.js').FrameParams} [params]
   */
  subscribeFrames(params) {
    return this.#connection.subscribeFrames(params);
  }

  unsubscribeFrames() {
    return this.#connection.unsubscribeFrames();
  }

  /**
   * Emits 'samples' with the positions of these particles for every frame that arrives or is computed here, while the world is
   * subscribed to: none is missing when the reader takes frames more slowly. A tick that comes again, for instance after a
   * correction, replaces what was told of it. Together they have at most 32,768 particles; parts beyond that are null.
   * @param {import('./samples.js').Watched[]} parts an empty array ends it
   */
  watch(parts) {
    this.#connection.watch(parts);
  }

  /** @param {string[]} [names] names of events, all of them by default; the subscription is renewed after a reconnect */
  subscribeEvents(names) {
    return this.#connection.subscribeEvents(names);
  }

  unsubscribeEvents() {
    return this.#connection.unsubscribeEvents();
  }

  /**
   * The present state of a local world as a link: a client of `local:SCENE?SEARCH#FRAGMENT`, or a page with
   * `?world=local:SCENE&SEARCH#FRAGMENT` in its address, computes the same state.
   * @returns {Promise<import('./local/link_world.js').WorldLink>}
   */
  link() {
    return this.#connection.link();
  }

  /**
   * Returns a frame's buffer so that a later frame can use it. The frame's `positions` are empty afterwards.
   * @param {Frame} frame
   */
  recycle(frame) {
    const { buffer } = frame.positions;
    frame.positions = NO_POSITIONS;
    if (buffer.byteLength > 0) this.#connection.giveBuffer(/** @type {ArrayBuffer} */ (buffer));
  }

  /**
   * Goes on in another world, with the same listeners and subscriptions. Calls that wait for a reply are rejected.
   * @param {string} url as for the constructor
   * @param {{token?: string}} [options] the access token for the other server
   * @returns {Promise<import('./connection.js').Hello>} as that of connect()
   */
  async moveTo(url, options) {
    const hello = await this.#connection.moveTo(url, options);
    if (isLocal(url)) this.#lend();
    return hello;
  }

  /**
   * Goes on in a local world that begins with the newest state that the server has confirmed, for example after the server was
   * lost. The world is kept in this browser. Rejects with a WeftError if this client does not compute the ticks itself
   * (`statistics.source` is not 'ticks'), so that it has no state.
   * @param {{name?: string, paused?: boolean}} [options] name of the local world, by default that of the world; a number is added
   *   if there is one of that name; whether its clock stands (false)
   * @returns {Promise<{world: string, tick: number, hash: string}>} the world's name, and the tick and the hash of its first state
   */
  async goOnAlone(options) {
    const state = await this.#connection.goOnAlone(options);
    this.#lend();
    return state;
  }

  /** Other clients of this page shall meet this one in the local worlds of its worker. */
  #lend() {
    const worker = this.#worker;
    if (worker && 'terminate' in worker) lendWorker(worker);
  }

  /**
   * Hands the local world in which this client is to a server, and goes on there at the tick where the world stands. The server
   * decides by the client's role (PROTOCOL.md, world.import). The local world stays, paused. If the promise rejects, this client is
   * in the local world as before.
   * @param {string} server address of any world of the server, such as ws://HOST:PORT/
   * @param {import('./handover.js').HandOverOptions} [options]
   * @returns {Promise<{world: string, tick: number, url: string}>} the world on the server, the tick at which it goes on, and its address
   */
  async handOver(server, options) {
    const { handOver } = await import('./handover.js');
    return handOver(this, server, { WebSocket: this.#WebSocket, ...options });
  }

  /** Closes the connection, and the worker, for good. */
  close() {
    const closed = Promise.resolve(this.#connection.close());
    const worker = this.#worker;
    if (worker) closed.finally(() => ('terminate' in worker ? worker.terminate() : worker.close())).catch(() => {});
  }

  /** @param {string} name @param {any} value an event of the connection; the type of the value depends on the name */
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
    this.#emitter.emit(/** @type {'state' | 'hello' | 'frame' | 'samples' | 'fault'} */ (name), value);
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
    /** @type {Emitter} */ (this.#emitter).emit(event.method, event.params); // the schema defines the params of each event
  }
}
