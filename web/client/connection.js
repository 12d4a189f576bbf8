// SPDX-License-Identifier: MIT
// A client's connection to a world: the socket, requests and replies, subscriptions, decoding, and automatic reconnecting. It
// runs in the page's thread or in a worker (host.js), and reports everything through one callback.
//
// The connection stores only the epoch of the topology and the shapes of the objects; it decodes topology messages, and
// client.js applies them. Frames are state, so only the newest one matters: with `holdFrames` the next frame is delivered
// only after `frameTaken()`, and frames that became outdated in the meantime are counted and dropped. A frame that can be
// decoded on its own is dropped undecoded. The frames of a stream (codec.js) are decoded as they arrive, because later ones
// are predicted from them, but converted to positions only on delivery.

import { Backoff } from './backoff.js';
import { CapsuleSocket, isCapsule } from './capsule/socket.js';
import { FrameStream } from './codec.js';
import { WeftError } from './errors.js';
import {
  decodeFrame, isMotion, isPartial, isRest, MESSAGE_FRAME, MESSAGE_TOPOLOGY, messageWords, readHeader, RestingPlaces, unpackFrame,
} from './frame.js';
import { isLocal, LocalSocket } from './local/socket.js';
import { BufferPool } from './pool.js';
import { Shapes } from './shapes.js';
import { decodeTopology } from './topology.js';

const SUBPROTOCOL = 'weft.v1';
const HELLO_TIMEOUT_MS = 10000;
const RENEW_PAUSE_MS = 1000;
const MESSAGE_SNAPSHOT = 5; // of lockstep (lockstep/follower.js, which is loaded when it is needed)
const MESSAGE_TICKS = 6;
const UPGRADE_AFTER_MS = 3000; // when the page has shown its first pictures
const ENCODING = 'motion'; // the default encoding
const SMOOTHING = 1 / 8; // weight of a new sample in the smoothed times, as for TCP's round-trip time
const ANSWERED_LATE = new Set(['world.step', 'batch.run']); // these calls wait for ticks, so their duration is no round-trip time

// The state that starts anew with each connection.
const RENEWED = new Set([
  'session.authenticate', 'session.resume', 'frames.subscribe', 'frames.unsubscribe', 'events.subscribe', 'events.unsubscribe',
]);

const OPEN = 1; // WebSocket.OPEN

/** @typedef {import('./lockstep/ticks_source.js').TicksSource} TicksSource */
/** @typedef {import('./protocol.js').Methods} Methods */
/** @typedef {import('./protocol.js').MethodName} MethodName */
/** @typedef {import('./protocol.js').Events['hello']} Hello */
/** @typedef {'connecting' | 'open' | 'closed'} State */
/** @typedef {{state: State, attempt: number, retryInMs?: number | null, reason?: string}} StateNews */
/** @typedef {{resolve: (result: any) => void, reject: (error: Error) => void}} Waiting the functions that settle a promise */
/** @typedef {() => import('./frame.js').Frame} Place returns the frame of a received message, decoding it if necessary */
/** @typedef {ArrayBuffer | ArrayBufferView<ArrayBuffer>} BinaryMessage */
/** @typedef {{everyTicks?: number, objects?: number[], encoding?: 'motion' | 'grid' | 'raw' | 'ticks' | 'auto', adapt?: boolean, step?: number}} FrameParams */

/**
 * @typedef {object} ConnectionOptions
 * @property {any} [WebSocket] a class compatible with the browser's WebSocket, such as that of the package ws
 * @property {boolean} [reconnect]
 * @property {string} [token]
 * @property {string} [session]
 * @property {boolean} [holdFrames]
 * @property {() => Promise<import('./lockstep/own_world.js').Engine>} [loadEngine] gives the engine that computes ticks
 * @property {boolean} [predict] whether ticks that are computed here show the client's own commands at once (true); false: only what
 *   the server has confirmed
 */

/**
 * `framesSkipped` counts frames that arrived but were not delivered. The times are smoothed, and null before the first
 * measurement.
 * `source` tells whether frames come from the server or from ticks that are computed here, `sourceReason` why; `mismatches` counts how
 * often the state computed here differed from the server's.
 * @typedef {{
 *   bytesReceived: number, framesReceived: number, framesSkipped: number, roundTripMs: number | null, decodeMs: number | null,
 *   source: 'frames' | 'ticks', sourceReason: string, mismatches: number,
 * }} Statistics
 */

/** @returns {Statistics} the statistics of a new connection */
export function emptyStatistics() {
  return { bytesReceived: 0, framesReceived: 0, framesSkipped: 0, roundTripMs: null, decodeMs: null, source: 'frames', sourceReason: '', mismatches: 0 };
}

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
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retryTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #helloTimer;
  #lastError = '';

  #nextId = 1;
  /** @type {Map<number, Waiting & {method: string, params: Record<string, any>, sentAt: number, isPredicted: boolean}>} pending requests by id */
  #pending = new Map();
  /** @type {FrameParams | null} */
  #frameParams = null;
  /** @type {{events?: string[]} | null} */
  #events = null;

  /** @type {number | null} */
  #epoch = null;
  #resting = new RestingPlaces(0); // resting positions of this epoch
  /** @type {Shapes | null} */
  #shapes = null;
  /** @type {FrameStream | null} the stream of this subscription and epoch; null until its first frame arrives */
  #stream = null;
  /** @type {number | null} time since which frames refer to earlier frames that are missing */
  #missingSince = null;
  #renewedAt = -Infinity;
  #pool = new BufferPool();
  #frameHeld = false;
  /** @type {{place: Place, receivedAt: number, spentMs: number} | null} the newest frame, held back until the reader has taken the previous one */
  #waiting = null;
  #statistics = emptyStatistics();
  /** @type {TicksSource | null} loaded when ticks are first subscribed to */
  #ticks = null;
  #computes = false; // ticks are subscribed to, not frames
  /** @type {number[]} requests about a grab whose number the server has not told yet */
  #held = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} until the encoding "auto" tries to compute ticks */
  #upgradeTimer;

  /**
   * @param {string} url
   * @param {ConnectionOptions} options
   * @param {(name: string, value: any) => void} emit receives 'state', 'hello', 'topologyChange', 'frame', 'event' and 'fault'
   */
  constructor(url, options, emit) {
    this.#url = url;
    this.#options = { WebSocket: socketOf(url), reconnect: true, holdFrames: false, ...options };
    this.#emit = emit;
    if (isLocal(url)) this.#statistics.sourceReason = 'This page computes the world itself.';
  }

  get statistics() {
    return { ...this.#statistics };
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
    this.#setState({ state: 'connecting', attempt: this.#attempt });
    /** @type {WebSocket} */
    let socket;
    try {
      socket = new this.#options.WebSocket(this.#url, [SUBPROTOCOL]);
    } catch (error) {
      this.#leave(/** @type {Error} */ (error).message, null);
      return;
    }
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => this.#socket === socket && this.#receive(data);
    // In Node the event has the cause of the error, in browsers it does not.
    socket.onerror = (event) => (this.#lastError = /** @type {{message?: string}} */ (event)?.message || 'the server cannot be reached');
    socket.onclose = (event) => this.#socket === socket && this.#lost(this.#reasonOf(event));
    this.#helloTimer = setTimeout(() => {
      socket.close();
      this.#lost(`no hello within ${HELLO_TIMEOUT_MS / 1000} s`);
    }, HELLO_TIMEOUT_MS);
  }

  /** @param {CloseEvent} event */
  #reasonOf({ code, reason }) {
    return reason || (code === 1001 ? 'the server is going away' : '') || this.#lastError || `closed with code ${code}`;
  }

  /** @param {string} reason */
  #lost(reason) {
    const retryInMs = this.#options.reconnect ? this.#backoff.next() : null;
    if (retryInMs !== null) this.#retryTimer = setTimeout(() => this.#open(), retryInMs);
    this.#leave(reason, retryInMs);
  }

  /** Enters the state 'closed', for good if no time for a retry is given. @param {string} reason @param {number | null} retryInMs */
  #leave(reason, retryInMs) {
    clearTimeout(this.#helloTimer);
    this.#ticks?.end();
    this.#socket = null;
    this.#epoch = null;
    this.#dropWaiting();
    const error = new WeftError('closed', `The connection is closed: ${reason}.`);
    const comesBack = this.#options.session !== undefined && retryInMs !== null; // repeats the pending calls after reconnecting
    const lost = [...this.#pending].filter(([, { method }]) => !comesBack || RENEWED.has(method));
    for (const [id] of lost) this.#pending.delete(id);
    const pending = lost.map(([, call]) => call);
    this.#setState({ state: 'closed', attempt: this.#attempt, retryInMs, reason });
    for (const { reject } of pending) reject(error);
    if (retryInMs === null && this.#opening) {
      this.#opening.reject(error);
      this.#opening = null;
    }
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
    if (this.#state !== 'open') {
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
    const act = (this.#computes && this.#ticks?.act(id, method, params)) || null;
    const sent = act ? { ...params, atTick: act.atTick } : params;
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, method, params: sent, sentAt: performance.now(), isPredicted: act !== null });
    });
    this.#sendWhenKnown(id);
    if (!act || method !== 'grab.start') return answer;
    // Whoever drags goes on with the grab that was started here, before the server has answered.
    answer.then(({ grab }) => {
      const move = this.#ticks?.startedGrab(act.result.grab, grab);
      if (move) this.#send({ jsonrpc: '2.0', method: 'grab.move', params: move });
      for (const waiting of this.#held.splice(0)) this.#sendWhenKnown(waiting);
    }).catch((error) => this.#fault(error));
    return Promise.resolve(act.result);
  }

  /** Sends a pending request, once the server's number of the grab that it names is known. @param {number} id */
  #sendWhenKnown(id) {
    const call = this.#pending.get(id);
    if (!call) return;
    const grab = call.params.grab;
    const there = typeof grab === 'number' && this.#ticks ? this.#ticks.grabThere(grab) : grab;
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
    const act = this.#computes && this.#ticks?.actAndForget(method, params ?? {});
    if (act !== 'held') this.#send({ jsonrpc: '2.0', method, params: act || params || {} });
    return true;
  }

  /**
   * Subscribes to frames and renews the subscription after a reconnect; without a connection, the request is sent once there
   * is one.
   * @param {FrameParams} [params]
   */
  async subscribeFrames(params = {}) {
    const before = this.#frameParams;
    this.#frameParams = isLocal(this.#url) ? localParams(params) : { encoding: ENCODING, ...params };
    clearTimeout(this.#upgradeTimer);
    if (params.encoding === 'ticks') await this.#loadTicks();
    this.#computes = params.encoding === 'ticks' || (params.encoding === 'auto' && this.#computes);
    this.#upgradeLater();
    if (this.#state !== 'open') return undefined;
    if (this.#computes && before?.encoding === params.encoding) return undefined; // ticks have no parameters that could differ
    return this.#refusable(this.#requestFrames(), () => (this.#frameParams = before));
  }

  // ---- ticks that are computed here

  async #loadTicks() {
    const loadEngine = this.#options.loadEngine ?? (await import('./engine/engine.js')).loadEngine;
    const { REASONS, TicksSource } = await import('./lockstep/ticks_source.js');
    if (this.#ticks) return;
    await loadEngine(); // a machine without the engine is better known before frames stop
    const giveUp = (/** @type {keyof typeof REASONS} */ reason, /** @type {Error} */ error) => this.#useFrames(REASONS[reason], error);
    this.#ticks = new TicksSource({
      load: loadEngine,
      predict: this.#options.predict ?? true,
      tell: (message) => this.#receiveWorldMessage(/** @type {BinaryMessage} */ (message)),
      renew: () => {
        this.#statistics.mismatches++;
        this.#requestFrames().catch((error) => this.#fault(error));
      },
      giveUp,
    });
    this.#statistics.sourceReason = REASONS.computed;
  }

  /** The encoding "auto" begins with the server's frames, which need no engine, and tries to compute ticks a little later. */
  #upgradeLater() {
    if (this.#frameParams?.encoding !== 'auto' || this.#computes || this.#statistics.sourceReason !== '') return;
    this.#upgradeTimer = setTimeout(() => {
      this.#loadTicks().then(() => {
        if (this.#frameParams?.encoding !== 'auto') return undefined;
        this.#computes = true;
        return this.#state === 'open' ? this.#requestFrames() : undefined;
      }).catch((error) => this.#useFrames('The engine could not be loaded.', error));
    }, UPGRADE_AFTER_MS);
  }

  /** From here on the server's frames are used. @param {string} reason a sentence @param {Error} error */
  #useFrames(reason, error) {
    this.#computes = false;
    this.#statistics.sourceReason = reason;
    if (this.#frameParams?.encoding === 'ticks') {
      this.#frameParams = { encoding: ENCODING };
      this.#emit('fault', error); // ticks were asked for; with "auto" the figures say why there are none
    }
    if (this.#frameParams && this.#state === 'open') this.#requestFrames().catch((failure) => this.#fault(failure));
  }

  /** Subscribes to the frames or ticks that are wanted now. @returns {Promise<any>} */
  #requestFrames() {
    const { encoding, ...more } = /** @type {FrameParams} */ (this.#frameParams);
    this.#statistics.source = this.#computes || isLocal(this.#url) ? 'ticks' : 'frames';
    if (!this.#computes) {
      this.#ticks?.end();
      return this.#request('frames.subscribe', { ...more, encoding: encoding === 'motion' || encoding === 'auto' ? ENCODING : encoding });
    }
    this.#ticks?.end(); // ticks of the old subscription may still come before the reply
    return this.#request('frames.subscribe', { encoding: 'ticks' });
  }

  async unsubscribeFrames() {
    this.#frameParams = null;
    clearTimeout(this.#upgradeTimer);
    this.#ticks?.end();
    this.#computes = false;
    this.#dropWaiting();
    if (this.#state === 'open') await this.#request('frames.unsubscribe', {});
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
    this.#request('session.resume', { session: this.#options.session }).catch((error) => this.#fault(error));
    for (const [id, { method, params }] of calls) this.#send({ jsonrpc: '2.0', id, method, params });
  }

  /** @param {Error} error the error of a request that no caller waits for */
  #fault(error) {
    if (!isCutOff(error)) this.#emit('fault', error);
  }

  #renew() {
    const fault = this.#fault.bind(this);
    if (this.#events) this.#request('events.subscribe', this.#events).catch(fault);
    if (this.#frameParams) this.#requestFrames().catch(fault);
  }

  /** Requests the whole topology, after a message that does not fit the known one. */
  renewTopology() {
    this.#epoch = null;
    this.#requestTopology();
  }

  #requestTopology() {
    if (!this.#frameParams || this.#state !== 'open' || performance.now() - this.#renewedAt < RENEW_PAUSE_MS) return;
    this.#renewedAt = performance.now();
    this.#requestFrames().catch(() => {});
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
    this.#hello = params;
    this.#setState({ state: 'open', attempt: this.#attempt });
    this.#attempt = 0;
    this.#emit('hello', params);
    if (params.role !== 'none') {
      if (this.#options.session !== undefined) this.#resume();
      this.#renew();
    }
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
    if (!ANSWERED_LATE.has(method) && !isPredicted) this.#measure('roundTripMs', performance.now() - sentAt);
    if (this.#ticks) this.#ticks.roundTripMs = this.#statistics.roundTripMs;
    if (error && isPredicted) this.#ticks?.refused(id);
    // Messages that follow the reply in the same packet belong to the new subscription.
    if (!error && this.#computes && method === 'frames.subscribe') this.#ticks?.begin(/** @type {Hello} */ (this.#hello));
    if (error) reject(new WeftError(error.code, error.message, error.data));
    else resolve(result);
  }

  /** @param {BinaryMessage} message */
  #receiveBinary(message) {
    if (!isLocal(this.#url)) this.#statistics.bytesReceived += message.byteLength;
    const bytes = message instanceof ArrayBuffer ? new Uint8Array(message) : new Uint8Array(message.buffer, message.byteOffset, message.byteLength);
    if (bytes[0] === MESSAGE_SNAPSHOT || bytes[0] === MESSAGE_TICKS) this.#ticks?.receive(bytes);
    else if (!this.#computes) this.#receiveWorldMessage(message);
  }

  /** @param {BinaryMessage} message a topology or a frame, of the server or of the world that is computed here */
  #receiveWorldMessage(message) {
    const header = readHeader(messageWords(message));
    const { type } = header;
    if (type === MESSAGE_FRAME && isRest(header)) this.#receiveRest(message, header);
    else if (type === MESSAGE_FRAME) this.#receiveFrame(message, header);
    else if (type === MESSAGE_TOPOLOGY) this.#receiveTopology(message);
  }

  /** @param {BinaryMessage} message */
  #receiveTopology(message) {
    this.#dropWaiting();
    let change;
    try {
      change = decodeTopology(message);
      if (change.base !== null && change.base !== this.#epoch) {
        this.renewTopology();
        return;
      }
      this.#shapes = Shapes.apply(this.#shapes, change);
    } catch (error) {
      this.renewTopology();
      throw error;
    }
    this.#epoch = change.epoch;
    this.#resting = new RestingPlaces(change.particles);
    this.#stream = null;
    this.#missingSince = null;
    this.#emit('topologyChange', change);
  }

  /** @param {BinaryMessage} message @param {import('./frame.js').Header} header */
  #receiveRest(message, header) {
    if (header.epoch !== this.#epoch) return;
    if (isMotion(header)) this.#takeMotion(message);
    else this.#resting.keep(decodeFrame(message));
  }

  /** @param {BinaryMessage} message @param {import('./frame.js').Header} header */
  #receiveFrame(message, header) {
    this.#statistics.framesReceived++;
    if (header.epoch !== this.#epoch) {
      this.#statistics.framesSkipped++;
      if (this.#epoch === null) this.#requestTopology();
      return;
    }
    const receivedAt = performance.now();
    const place = isMotion(header) ? this.#takeMotion(message) : () => this.#decode(message, header);
    if (!place) {
      this.#statistics.framesSkipped++;
    } else if (this.#frameHeld) {
      this.#dropWaiting();
      this.#waiting = { place, receivedAt, spentMs: performance.now() - receivedAt };
    } else {
      this.#tellFrame(place, receivedAt, performance.now() - receivedAt);
    }
  }

  /**
   * Returns a function that gives the frame of a stream's message for as long as that frame is the newest; null for a message
   * without a frame to display.
   * @param {BinaryMessage} message @returns {Place | null}
   */
  #takeMotion(message) {
    this.#stream ??= new FrameStream(this.#shapes ?? new Shapes(0, []));
    const stream = this.#stream;
    const packed = unpackFrame(message);
    let taken;
    try {
      taken = stream.take(packed);
    } catch (error) {
      this.#statistics.framesSkipped += packed.rest ? 0 : 1;
      this.#requestTopology(); // no later frame can be decoded without it
      throw error;
    }
    if (taken === 'missing') this.#noteMissing();
    else if (taken === 'frame') this.#missingSince = null;
    if (taken !== 'frame') return null;
    const { header: { tick, epoch }, refresh, keyframe } = packed;
    return () => {
      const { positions, ranges } = stream.place((byteLength) => this.#pool.take(byteLength));
      const count = positions.length / 3;
      return { tick, epoch, refresh, keyframe, partial: false, rest: false, positions, ranges, count, bytes: message.byteLength };
    };
  }

  // The server knows which frames it has sent and sends a keyframe when one is missing. If no keyframe arrives in time, the
  // client requests everything anew.
  #noteMissing() {
    this.#missingSince ??= performance.now();
    if (performance.now() - this.#missingSince >= RENEW_PAUSE_MS) this.#requestTopology();
  }

  /** @param {Place} place @param {number} receivedAt @param {number} spentMs arrival time and decoding time, in ms */
  #tellFrame(place, receivedAt, spentMs) {
    let frame;
    const startedAt = performance.now();
    try {
      frame = place();
    } catch (error) {
      this.#statistics.framesSkipped++;
      throw error;
    }
    this.#measure('decodeMs', spentMs + performance.now() - startedAt);
    frame.receivedAt = receivedAt;
    this.#frameHeld = this.#options.holdFrames;
    this.#emit('frame', frame);
  }

  /**
   * Decodes a frame that does not depend on others. The pool holds buffers for whole worlds; positions of a part of a world
   * are copied into such a buffer.
   * @param {BinaryMessage} message @param {import('./frame.js').Header} header
   */
  #decode(message, header) {
    const take = (/** @type {number} */ byteLength) => this.#pool.take(byteLength);
    return isPartial(header) ? this.#resting.complete(decodeFrame(message), take) : decodeFrame(message, take);
  }

  /** The reader has taken the last frame, so the next one may be delivered. */
  frameTaken() {
    this.#frameHeld = false;
    if (!this.#waiting) return;
    const { place, receivedAt, spentMs } = this.#waiting;
    this.#waiting = null;
    try {
      this.#tellFrame(place, receivedAt, spentMs);
    } catch (error) {
      this.#emit('fault', error);
    }
  }

  /** @param {ArrayBuffer} buffer a buffer of an earlier frame that is no longer in use */
  giveBuffer(buffer) {
    this.#pool.give(buffer);
  }

  #dropWaiting() {
    if (this.#waiting) this.#statistics.framesSkipped++;
    this.#waiting = null;
  }

  /** @param {'roundTripMs' | 'decodeMs'} name @param {number} ms */
  #measure(name, ms) {
    const before = this.#statistics[name];
    this.#statistics[name] = before === null ? ms : before + (ms - before) * SMOOTHING;
  }
}

/** Frames of a local world take no bytes: they come as they are, and all of them. @param {FrameParams} params @returns {FrameParams} */
function localParams({ encoding = 'auto', ...params }) {
  if (encoding !== 'auto' && encoding !== 'motion') return { encoding, ...params };
  const { everyTicks, objects } = params;
  return { encoding: 'raw', ...(everyTicks !== undefined && { everyTicks }), ...(objects && { objects }) };
}

/** The class whose objects connect to an address. @param {string} url @returns {any} */
function socketOf(url) {
  if (isCapsule(url)) return CapsuleSocket;
  return isLocal(url) ? LocalSocket : globalThis.WebSocket;
}

/** @param {unknown} error whether the connection was lost before the reply arrived */
function isCutOff(error) {
  return error instanceof WeftError && error.code === 'closed';
}

/** @returns {PromiseWithResolvers<Hello>} Promise.withResolvers(), which Node 18 lacks. */
function deferred() {
  /** @type {Partial<PromiseWithResolvers<Hello>>} */
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return /** @type {PromiseWithResolvers<Hello>} */ (parts);
}
