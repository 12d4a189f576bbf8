// SPDX-License-Identifier: MIT
// A client's connection to a world: the socket, requests and replies, subscriptions, decoding, and automatic reconnecting. It
// runs in the page's thread or in a worker (host.js), and reports everything through one callback.
//
// Where frames come from, the server or ticks that are computed here, is decided in frame_source.js; frame_receiver.js decodes
// them.

import { Backoff } from './backoff.js';
import { isCutOff, WeftError } from './errors.js';
import { FrameReceiver } from './frame_receiver.js';
import { FrameSource } from './frame_source.js';
import { isLocal, LocalSocket } from './local/socket.js';
import { isRecording, RecordingSocket } from './playback/socket.js';
import { Places } from './places.js';
import { randomKey } from './random_key.js';
import { emptyStatistics, measure } from './statistics.js';

const SUBPROTOCOL = 'weft.v1';
const HELLO_TIMEOUT_MS = 10000;
const NODE_HELLO_TIMEOUT_MS = 3000; // of a node to which a world has moved, or that may take it over: a machine that is gone refuses nothing
const CODE_REMOVED = 4001; // an administrator has removed this client (people.remove)
const MESSAGE_SNAPSHOT = 5; // of lockstep (lockstep/follower.js, which is loaded when it is needed)
const MESSAGE_TICKS = 6;
const ANSWERED_LATE = new Set(['world.step', 'batch.run']); // these calls wait for ticks, so their duration is no round-trip time

// The state that starts anew with each connection.
const RENEWED = new Set([
  'session.authenticate', 'session.resume', 'frames.subscribe', 'frames.unsubscribe', 'events.subscribe', 'events.unsubscribe',
]);

const OPEN = 1; // WebSocket.OPEN

/** @typedef {import('./protocol.js').Methods} Methods */
/** @typedef {import('./protocol.js').MethodName} MethodName */
/** @typedef {import('./protocol.js').Events['hello']} Hello */
/** @typedef {'connecting' | 'open' | 'closed'} State */
/** @typedef {{state: State, attempt: number, retryInMs?: number | null, reason?: string, removed?: boolean}} StateNews `removed`: by an administrator */
/** @typedef {{resolve: (result: any) => void, reject: (error: Error) => void}} Waiting the functions that settle a promise */
/** @typedef {import('./frame_receiver.js').BinaryMessage} BinaryMessage */
/** @typedef {import('./frame_source.js').FrameParams} FrameParams */
/** @typedef {import('./statistics.js').Statistics} Statistics */

/**
 * @typedef {object} ConnectionOptions
 * @property {any} [WebSocket] a class compatible with the browser's WebSocket, such as that of the package ws
 * @property {boolean} [reconnect] by default true, but false in local worlds
 * @property {string} [token]
 * @property {string} [session]
 * @property {boolean} [holdFrames]
 * @property {() => Promise<import('./lockstep/own_world.js').Engine>} [loadEngine] gives the engine that computes ticks
 * @property {boolean} [predict] whether ticks that are computed here show the client's own commands at once (true); false: only what
 *   the server has confirmed
 */

export class Connection {
  #url;
  #options;
  #emit;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {State} */
  #state = 'closed';
  /** @type {Hello | null} */
  #hello = null;
  /** @type {PromiseWithResolvers<Hello> | null} pending until the first hello */
  #opening = null;
  #attempt = 0;
  #backoff = new Backoff();
  #places;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #helloTimer;
  #lastError = '';

  #nextId = 1;
  /** @type {Map<number, Waiting & {method: string, params: Record<string, any>, sentAt: number, isPredicted: boolean}>} pending requests by id */
  #pending = new Map();
  /** @type {{events?: string[]} | null} */
  #events = null;

  #statistics = emptyStatistics();
  /** @type {number[]} requests about a grab whose number the server has not told yet */
  #held = [];
  #moving = false; // from the notice that the world is on another node until that node's hello: for the reader, the state stays 'open'
  /** @type {number[]} requests that were made meanwhile, for that node */
  #unsent = [];
  #ownKey = ''; // of the session, if no key was given
  /** @type {Promise<unknown> | null} the loading of what a local world needs */
  #prepared = null;
  #receiver;
  #source;

  /**
   * @param {string} url
   * @param {ConnectionOptions} options
   * @param {(name: string, value: any) => void} emit receives 'state', 'hello', 'topologyChange', 'frame', 'samples', 'event' and 'fault'
   */
  constructor(url, options, emit) {
    this.#url = url;
    this.#places = new Places(url);
    this.#options = { holdFrames: false, ...options };
    this.#emit = emit;
    this.#receiver = new FrameReceiver({
      holdFrames: this.#options.holdFrames,
      statistics: this.#statistics,
      emit,
      subscribeAnew: () => this.#source.renew(() => {}), // it is tried again
    });
    this.#source = new FrameSource({
      loadEngine: options.loadEngine,
      predict: options.predict ?? true,
      isLocal: () => isLocal(this.#url),
      statistics: this.#statistics,
      isOpen: () => this.#state === 'open',
      request: (method, params) => this.#request(method, params),
      receive: (message) => this.#receiver.receive(message, true),
      sample: (message) => this.#receiver.sample(message),
      fault: (error) => this.#fault(error),
    });
  }

  get statistics() {
    return { ...this.#statistics };
  }

  /** The key of the session. Where several servers share the worlds, a client that reconnects has one of its own. @returns {string | undefined} */
  get #session() {
    const { session, reconnect = !isLocal(this.#url) } = this.#options;
    if (session !== undefined) return session;
    if (reconnect && this.#places.hasOthers) this.#ownKey ||= randomKey();
    return this.#ownKey || undefined; // also where no other node is left: calls wait to be repeated
  }

  // ---- opening and closing

  /** @returns {Promise<Hello>} */
  connect() {
    if (this.#state === 'open' && this.#hello) return Promise.resolve(this.#hello);
    this.#opening ??= deferred();
    const { promise } = this.#opening;
    if (this.#state === 'closed') {
      this.#stopRetrying();
      this.#open();
    }
    return promise;
  }

  close() {
    const retries = this.#stopRetrying();
    if (this.#socket) this.#socket.close(1000);
    if (this.#state !== 'closed' || retries) this.#leave('closed by this client', null);
  }

  #stopRetrying() {
    const retries = this.#retryTimer !== undefined;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    return retries;
  }

  #open() {
    this.#retryTimer = undefined;
    this.#attempt++;
    this.#lastError = '';
    if (this.#moving) this.#state = 'connecting';
    else this.#setState({ state: 'connecting', attempt: this.#attempt });
    /** @type {WebSocket} */
    let socket;
    try {
      socket = new (socketOf(this.#url) ?? this.#options.WebSocket ?? globalThis.WebSocket)(this.#url, [SUBPROTOCOL]);
    } catch (error) {
      this.#leave(/** @type {Error} */ (error).message, null);
      return;
    }
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.#socket === socket && this.#receive(data);
    // In Node the event has the cause of the error, in browsers it does not.
    socket.onerror = (event) => (this.#lastError = /** @type {{message?: string}} */ (event)?.message || 'the server cannot be reached');
    socket.onclose = (event) => this.#socket === socket && this.#lost(this.#reasonOf(event), event.code === CODE_REMOVED);
    if (isLocal(this.#url)) return; // computing what a link says may take its time
    const patient = !this.#moving && !(this.#places.hasOthers && this.#backoff.isEarly);
    const timeoutMs = patient ? HELLO_TIMEOUT_MS : NODE_HELLO_TIMEOUT_MS;
    this.#helloTimer = setTimeout(() => {
      socket.close();
      this.#lost(`no hello within ${timeoutMs / 1000} s`);
    }, timeoutMs);
  }

  /** @param {CloseEvent} event */
  #reasonOf({ code, reason }) {
    return reason || (code === 1001 ? 'the server is going away' : '') || this.#lastError || `closed with code ${code}`;
  }

  /** @param {string} reason @param {boolean} [removed] an administrator has removed this client, which does not come back by itself */
  #lost(reason, removed = false) {
    const retryInMs = !removed && (this.#options.reconnect ?? !isLocal(this.#url)) ? this.#backoff.next(this.#places.hasOthers) : null;
    if (retryInMs !== null) this.#url = this.#places.next();
    if (retryInMs !== null) this.#retryTimer = setTimeout(() => this.#open(), retryInMs);
    this.#leave(reason, retryInMs, removed);
  }

  /**
   * Goes on in another world, with the same listeners and subscriptions. Calls that wait for a reply are rejected.
   * @param {string} url as for a WeftClient
   * @param {{token?: string}} [options] the access token for the other server
   * @returns {Promise<Hello>} as that of connect()
   */
  async moveTo(url, { token } = {}) {
    this.#stopRetrying();
    clearTimeout(this.#helloTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close(1000);
    this.#receiver.forget();
    this.#endMoving();
    this.#url = url;
    this.#places = new Places(url);
    this.#options.token = token;
    this.#backoff.reset();
    this.#attempt = 0;
    const error = new WeftError('closed', 'The client has gone to another world.');
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(error);
    this.#setState({ state: 'connecting', attempt: 0 });
    this.#emit('moved', { url });
    await this.#source.moved();
    this.#opening ??= deferred();
    const { promise } = this.#opening;
    this.#open();
    return promise;
  }

  /**
   * Goes on in a local world that begins with the newest state that the server has confirmed, for example after the server was
   * lost. Rejects with a WeftError if this client does not compute the ticks itself, so that it has no state.
   * @param {{name?: string, paused?: boolean}} [options] name of the local world, by default that of the world; a number is added
   *   if there is one of that name; whether its clock stands (false)
   * @returns {Promise<{world: string, tick: number, hash: string}>} the world's name, and the tick and the hash of its first state
   */
  async goOnAlone({ name = this.#hello?.world, paused = false } = {}) {
    const state = await this.#source.confirmed();
    if (!state || !this.#hello) throw new WeftError('closed', 'This client cannot continue offline, because it did not compute the ticks of the world itself.');
    const { tickHz } = this.#hello;
    const { localServer } = await import('./local/server.js');
    const { refusalOf } = await import('./local/errors.js');
    const world = await (await localServer()).goOn({ name: /** @type {string} */ (name), tickHz, snapshot: state.snapshot, running: !paused }).catch((reason) => {
      const { code, message, data } = refusalOf(reason).error;
      throw new WeftError(code, message, data);
    });
    await this.moveTo(`local:${world}`);
    return { world, tick: state.tick, hash: state.hash };
  }

  /** Loads what a local world needs while there is a server to load it from. */
  #prepareAlone() {
    this.#prepared ??= import('./local/server.js').then(({ localServer }) => localServer()).then(({ scenes }) => scenes.list());
    this.#prepared.catch(() => { this.#prepared = null; }); // the next subscription is another attempt
  }

  /** Enters the state 'closed', for good if no time for a retry is given. @param {string} reason @param {number | null} retryInMs @param {boolean} [removed] */
  #leave(reason, retryInMs, removed = false) {
    clearTimeout(this.#helloTimer);
    this.#source.end();
    this.#socket = null;
    this.#receiver.forget();
    this.#endMoving();
    const error = new WeftError('closed', `The connection is closed: ${reason}.`);
    const comesBack = this.#session !== undefined && retryInMs !== null; // repeats the pending calls after reconnecting
    const rejections = this.#dropCalls(error, comesBack);
    this.#setState({ state: 'closed', attempt: this.#attempt, retryInMs, reason, ...(removed && { removed }) });
    for (const reject of rejections) reject();
    if (retryInMs === null && this.#opening) {
      this.#opening.reject(error);
      this.#opening = null;
    }
  }

  /**
   * Goes on at the node that has the world now: at once, unless nodes send this client to and fro. The reader sees no
   * interruption unless that node cannot be reached, and its calls wait.
   * @param {string} url
   */
  #follow(url) {
    const socket = this.#socket;
    if (!this.#places.follow()) return; // the connection is about to be closed, and the next attempt waits
    this.#url = url;
    this.#moving ||= this.#state === 'open';
    this.#stopRetrying();
    clearTimeout(this.#helloTimer);
    this.#source.end();
    this.#socket = null;
    socket?.close(1000);
    this.#receiver.forget();
    const error = new WeftError('closed', 'The connection is closed: the world is on another node.');
    const rejections = this.#dropCalls(error, this.#session !== undefined);
    this.#open();
    for (const reject of rejections) reject();
  }

  #endMoving() {
    this.#moving = false;
    this.#unsent = [];
  }

  /**
   * Removes the calls that wait for a reply, and returns the functions that reject them. Calls that were not sent yet
   * stay.
   * @param {Error} error @param {boolean} comesBack whether those that can be repeated stay, too
   */
  #dropCalls(error, comesBack) {
    const lost = [...this.#pending].filter(([id, { method }]) => (!comesBack && !this.#unsent.includes(id)) || RENEWED.has(method));
    for (const [id] of lost) this.#pending.delete(id);
    return lost.map(([, { reject }]) => () => reject(error));
  }

  /** @param {StateNews} state */
  #setState(state) {
    this.#state = state.state;
    this.#emit('state', state);
  }

  // ---- requests

  /**
   * @template {MethodName} M
   * @param {M} method
   * @param {Methods[M]['params']} [params]
   * @returns {Promise<Methods[M]['result']>} rejects with a WeftError
   */
  call(method, params) {
    if (this.#state !== 'open' && !this.#moving) {
      return Promise.reject(new WeftError('closed', `"${method}" cannot be sent: there is no connection.`));
    }
    return this.#request(method, params ?? {});
  }

  /**
   * @param {string} method @param {Record<string, any>} params
   * @returns {Promise<any>} the result; its type depends on the method
   */
  #request(method, params) {
    const id = this.#nextId++;
    const act = (!this.#moving && this.#source.computes && this.#source.ticks?.act(id, method, params)) || null;
    const sent = act ? { ...params, atTick: act.atTick } : params;
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, method, params: sent, sentAt: performance.now(), isPredicted: act !== null });
    });
    this.#sendWhenKnown(id);
    if (!act || method !== 'grab.start') return answer;
    // Whoever drags goes on with the grab that was started here, before the server has answered.
    answer.then(({ grab }) => {
      const move = this.#source.ticks?.startedGrab(act.result.grab, grab);
      if (move) this.#send({ jsonrpc: '2.0', method: 'grab.move', params: move });
      for (const waiting of this.#held.splice(0)) this.#sendWhenKnown(waiting);
    }).catch((error) => this.#fault(error));
    return Promise.resolve(act.result);
  }

  /** Sends a pending request, once the server's number of the grab that it names is known. @param {number} id */
  #sendWhenKnown(id) {
    const call = this.#pending.get(id);
    if (!call) return;
    if (this.#moving && !RENEWED.has(call.method)) {
      this.#unsent.push(id);
      return;
    }
    const grab = call.params.grab;
    const { ticks } = this.#source;
    const there = typeof grab === 'number' && ticks ? ticks.grabThere(grab) : grab;
    if (there === null) {
      this.#held.push(id);
      return;
    }
    if (there !== grab) call.params = { ...call.params, grab: there };
    this.#send({ jsonrpc: '2.0', id, method: call.method, params: call.params });
  }

  /** @param {object} message */
  #send(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  /**
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} [params]
   * @returns {boolean} whether the message was sent
   */
  notify(method, params) {
    if (this.#state !== 'open' || this.#socket?.readyState !== OPEN) return false;
    const act = this.#source.computes && this.#source.ticks?.actAndForget(method, params ?? {});
    if (act !== 'held') this.#send({ jsonrpc: '2.0', method, params: act || params || {} });
    return true;
  }

  /**
   * Subscribes to frames and renews the subscription after a reconnect; without a connection, the request is sent once there
   * is one.
   * @param {FrameParams} [params]
   */
  subscribeFrames(params = {}) {
    return this.#source.subscribe(params);
  }

  unsubscribeFrames() {
    this.#receiver.dropWaiting();
    return this.#source.unsubscribe();
  }

  /** The link of a local world. @returns {Promise<import('./local/link_world.js').WorldLink>} */
  link() {
    const socket = /** @type {unknown} */ (this.#socket);
    if (this.#state === 'open' && socket instanceof LocalSocket) return socket.link();
    return Promise.reject(new WeftError('closed', 'Only an open local world has a link that holds the world.'));
  }

  /** Requests the whole topology, after a message that does not fit the known one. */
  renewTopology() {
    this.#receiver.renew();
  }

  /** The reader has taken the last frame, so the next one may be delivered. */
  frameTaken() {
    this.#receiver.frameTaken();
  }

  /** @param {import('./samples.js').Watched[]} parts whose positions are emitted by 'samples' for every frame */
  watch(parts) {
    this.#receiver.watch(parts);
  }

  /** @param {ArrayBuffer} buffer a buffer of an earlier frame that is no longer in use */
  giveBuffer(buffer) {
    this.#receiver.giveBuffer(buffer);
  }

  /** @param {string[]} [names] all events by default; the subscription is renewed after a reconnect */
  async subscribeEvents(names) {
    const before = this.#events;
    this.#events = names ? { events: names } : {};
    if (this.#state !== 'open') return undefined;
    return this.#refusable(this.#request('events.subscribe', this.#events), () => (this.#events = before));
  }

  async unsubscribeEvents() {
    this.#events = null;
    if (this.#state === 'open') await this.#request('events.unsubscribe', {});
  }

  /**
   * Waits for a subscription. If the server refuses the request, it is not repeated; if the connection is lost, it is.
   * @param {Promise<any>} request @param {() => void} forget
   */
  async #refusable(request, forget) {
    try {
      return await request;
    } catch (error) {
      if (!isCutOff(error)) forget();
      throw error;
    }
  }

  // Resumes the session by its key, then repeats the calls whose reply was lost. The server answers those that it has already
  // executed with their original reply.
  #resume() {
    const calls = [...this.#pending];
    this.#request('session.resume', { session: this.#session }).catch((error) => this.#fault(error));
    for (const [id, { method, params }] of calls) this.#send({ jsonrpc: '2.0', id, method, params });
  }

  /** @param {Error} error the error of a request that no caller waits for */
  #fault(error) {
    if (!isCutOff(error)) this.#emit('fault', error);
  }

  #renew() {
    const fault = this.#fault.bind(this);
    if (this.#events) this.#request('events.subscribe', this.#events).catch(fault);
    this.#source.renew();
  }

  // ---- what arrives

  /** @param {string | BinaryMessage} data */
  #receive(data) {
    try {
      if (typeof data === 'string') this.#receiveText(data);
      else this.#receiveBinary(data);
    } catch (error) {
      this.#emit('fault', error);
    }
  }

  /** @param {string} text */
  #receiveText(text) {
    if (!isLocal(this.#url)) this.#statistics.bytesReceived += text.length;
    const message = JSON.parse(text);
    if (typeof message?.method === 'string') this.#receiveEvent(message.method, message.params);
    else if (this.#pending.has(message?.id)) this.#receiveAnswer(message);
    else if (message?.error) this.#emit('fault', new WeftError(message.error.code, message.error.message, message.error.data));
  }

  /** @param {string} method @param {object} params */
  #receiveEvent(method, params) {
    if (method === 'hello') this.#receiveHello(/** @type {Hello} */ (params));
    else if (method === 'world.moved') this.#follow(/** @type {{url: string}} */ (params).url);
    else this.#emit('event', { method, params });
  }

  /** @param {Hello} params */
  #receiveHello(params) {
    clearTimeout(this.#helloTimer);
    if (params.role === 'none' && this.#options.token) this.#authenticate(params);
    else this.#begin(params);
  }

  /** Stores the server's hello. A token that was refused is not sent again. @param {Hello} params */
  async #authenticate(params) {
    try {
      this.#begin({ ...params, ...(await this.#request('session.authenticate', { token: this.#options.token })) });
    } catch (error) {
      if (isCutOff(error)) return;
      const socket = this.#socket;
      this.#leave(/** @type {Error} */ (error).message.replace(/\.$/, ''), null);
      socket?.close(1000);
    }
  }

  /** @param {Hello} params */
  #begin(params) {
    this.#backoff.reset();
    this.#places.arrived(this.#url, params.nodes ?? []);
    this.#hello = params;
    const unsent = this.#unsent;
    this.#endMoving();
    this.#setState({ state: 'open', attempt: this.#attempt });
    this.#attempt = 0;
    this.#emit('hello', params);
    const resumes = params.role !== 'none' && this.#session !== undefined;
    if (resumes) this.#resume();
    else for (const id of unsent) this.#sendWhenKnown(id);
    if (params.role !== 'none') this.#renew();
    this.#opening?.resolve(params);
    this.#opening = null;
  }

  /** @param {{id: number, result: unknown, error?: {code: number, message: string, data?: {pointer?: string}}}} answer */
  #receiveAnswer({ id, result, error }) {
    const waiting = this.#pending.get(id);
    if (!waiting) return;
    const { resolve, reject, method, sentAt, isPredicted } = waiting;
    if (error && isPredicted && error.data?.pointer === '/atTick' && 'atTick' in waiting.params) {
      const { atTick, ...params } = waiting.params; // it came too late for its tick: then at the next one
      waiting.params = params;
      this.#send({ jsonrpc: '2.0', id, method, params });
      return;
    }
    this.#pending.delete(id);
    if (!ANSWERED_LATE.has(method) && !isPredicted) measure(this.#statistics, 'roundTripMs', performance.now() - sentAt);
    const { ticks } = this.#source;
    if (ticks) ticks.roundTripMs = this.#statistics.roundTripMs;
    if (error && isPredicted) ticks?.refused(id);
    // Messages that follow the reply in the same packet belong to the new subscription.
    if (!error && method === 'frames.subscribe') {
      this.#source.subscribed(/** @type {Hello} */ (this.#hello));
      if (this.#source.computes) this.#prepareAlone();
    }
    if (error) reject(new WeftError(error.code, error.message, error.data));
    else resolve(result);
  }

  /** @param {BinaryMessage} message */
  #receiveBinary(message) {
    if (!isLocal(this.#url)) this.#statistics.bytesReceived += message.byteLength;
    const bytes = message instanceof ArrayBuffer ? new Uint8Array(message) : new Uint8Array(message.buffer, message.byteOffset, message.byteLength);
    if (bytes[0] === MESSAGE_SNAPSHOT || bytes[0] === MESSAGE_TICKS) this.#source.receiveTicks(bytes);
    else if (!this.#source.computes) this.#receiver.receive(message);
  }
}

/** The class whose objects connect to an address without a server; null: it is one of a server. @param {string} url @returns {any} */
function socketOf(url) {
  if (isRecording(url)) return RecordingSocket;
  return isLocal(url) ? LocalSocket : null;
}

/** @returns {PromiseWithResolvers<Hello>} Promise.withResolvers(), which Node 18 lacks. */
function deferred() {
  /** @type {Partial<PromiseWithResolvers<Hello>>} */
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return /** @type {PromiseWithResolvers<Hello>} */ (parts);
}
