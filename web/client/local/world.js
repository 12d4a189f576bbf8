// SPDX-License-Identifier: MIT
// A local world: an engine's world, with what a server is to a world around it: its clock, its clients, its history, and the
// methods that need one of these. It speaks the protocol of PROTOCOL.md and FRAMES.md with each client.

import { METHODS } from '../protocol.js';
import { EngineError } from '../engine/engine.js';
import { ANSWERS } from './answers.js';
import { refusalOf, Refusal } from './errors.js';
import { History, KIND, numberOf, packRecords, sceneEntry, unpackRecords } from './history.js';
import { splitArray, toJson } from './json.js';
import { Time } from './time.js';
import { Timing } from './timing.js';
import { Undo } from './undo.js';
/** @import { Engine, World } from '../lockstep/own_world.js' */
/** @import { Entry } from './history.js' */
/** @import { Redo } from './undo.js' */
/** @import { LocalServer } from './server.js' */

const SLICE_MS = 12; // of ticks, before messages get a turn
const LATE_MS = 250; // ticks that are later are not made up for
const SNAPSHOT_COST_MS = 150; // of ticks between two snapshots: to go back to any tick takes little more than that
const SNAPSHOT_TICKS = 30; // between two snapshots, at least
const MARK_TICKS = 60; // between two hashes
const MESSAGE_BYTES = 64e6;
const CLIENTS = 256;
const ARRAY_MAX = 100; // requests in a message
/** Capacities in turn, until the device has memory for them; the first are a server's. */
const ROOMS = [{}, { particles: 250000, sticks: 2000000, objects: 25000 }, { particles: 60000, sticks: 480000, objects: 6000 }];

const breathe = () => new Promise((resolve) => { setTimeout(resolve); });

/** @typedef {{id?: number | string | null, method?: string, params?: any}} Request */

/**
 * A client of a local world.
 * @typedef {object} LocalClient
 * @property {number} id by which the engine calls it @property {number} number by which other clients know it @property {string} name
 * @property {any} person
 * @property {(data: string | ArrayBuffer) => void} deliver @property {(reason: string) => void} end
 * @property {string[]} queue messages that wait @property {boolean} waiting for the reply to its last request
 * @property {Redo[]} redo changes that it took back
 */

export class LocalWorld {
  /** @type {Map<number, LocalClient>} by id */
  clients = new Map();
  history = new History();
  time = new Time(this);
  undo = new Undo(this);
  timing = new Timing();
  seen = 0; // the tick of the newest entry
  address = ''; // of the link that it was made of
  #nextClient = 1;
  #busy = false; // the world travels or steps: messages wait
  /** @type {(() => void)[]} called when that ends */
  #readers = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #due = 0;
  #costMs = 0; // of ticks since the last snapshot
  #causer = 0; // the number of the client that loads a scene
  #disposed = false;
  /** @type {number[]} ids of clients that have left */
  #gone = [];
  /** @type {WeakMap<Entry, import('../engine/engine.js').RecordText>} */
  #texts = new WeakMap();

  /**
   * @param {LocalServer} server @param {Engine} engine
   * @param {{name: string, tickHz?: number, temporary?: boolean}} options
   */
  constructor(server, engine, { name, tickHz = 60, temporary = false }) {
    this.server = server;
    this.engine = engine;
    this.name = name;
    this.tickHz = tickHz;
    this.tickMs = 1000 / tickHz;
    this.temporary = temporary;
    this.world = createWorld(engine, { name, tickHz });
    this.#describe();
  }

  #describe() {
    const { world, engine } = this;
    world.describe('hello', 'instance', this.server.instance);
    const limits = { messageBytes: MESSAGE_BYTES, clients: CLIENTS, worlds: CLIENTS, rate: 0, burst: 0 };
    for (const [name, value] of Object.entries(limits)) world.describe('limits', name, value);
    world.describe('quota', 'worlds', CLIENTS);
    world.describe('clock', 'frozen', null);
    world.describe('changed', 'frozen', null);
    world.describe('physics', 'physics', engine.physicsVersion);
  }

  /** Makes the world of a scene, whose clock then runs or stands. @param {string} scene @param {string} text of its file @param {boolean} paused */
  beginScene(scene, text, paused) {
    this.world.running = !paused;
    this.#load(scene, text);
    this.wake();
  }

  /** The world begins with a state that another one had. @param {Uint8Array} snapshot @param {boolean} running */
  beginState(snapshot, running) {
    this.world.restore(snapshot);
    this.world.running = running;
    this.history.begin(null, this.state(0));
    this.mark();
    this.wake();
  }

  dispose() {
    this.#disposed = true;
    clearTimeout(this.#timer);
    for (const client of this.clients.values()) client.end('the world was removed');
    this.clients.clear();
    this.world.destroy();
  }

  // ---- clients

  /** @param {Pick<LocalClient, 'deliver' | 'end'>} receiver @returns {LocalClient} */
  join(receiver) {
    /** @type {LocalClient} */
    const client = { id: this.#nextClient++, number: 0, name: '', person: null, ...receiver, queue: [], waiting: false, redo: [] };
    this.clients.set(client.id, client);
    this.#describeMoment();
    this.world.join(client.id, '', 'admin');
    this.#drain();
    this.wake();
    return client;
  }

  /** @param {LocalClient} client */
  leave(client) {
    if (!this.clients.delete(client.id) || this.#disposed) return;
    this.#gone.push(client.id);
    if (!this.#busy) this.#forgetGone();
  }

  /** The clients that have left let go of what they hold. */
  #forgetGone() {
    if (this.#gone.length === 0) return;
    if (this.clients.size === 0 && this.time.shown) this.time.comeBack();
    for (const id of this.#gone.splice(0)) this.world.leave(id);
    this.#drain();
    this.server.left(this);
  }

  /** Whether a client with this number is connected. @param {number} number */
  isHere(number) {
    return [...this.clients.values()].some((client) => client.number === number);
  }

  /** @param {number} number of a client */
  nameOf(number) {
    const client = [...this.clients.values()].find((each) => each.number === number);
    return client && { name: client.name };
  }

  forgetRedo() {
    for (const client of this.clients.values()) client.redo = [];
  }

  // ---- messages

  /** @param {LocalClient} client @param {string} text a request, or an array of requests */
  receive(client, text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      // the engine says what is wrong with it
    }
    if (Array.isArray(message) && message.length > 0 && message.length <= ARRAY_MAX) client.queue.push(...splitArray(text));
    else client.queue.push(text);
    this.#pump(client);
  }

  /** Takes the messages of a client in their order. @param {LocalClient} client */
  #pump(client) {
    while (client.queue.length > 0 && !this.#disposed) {
      const request = parse(client.queue[0]);
      if ((client.waiting || this.#busy) && request.method !== 'world.cancel') return;
      this.#take(client, /** @type {string} */ (client.queue.shift()), request);
    }
  }

  #pumpAll() {
    for (const client of this.clients.values()) this.#pump(client);
  }

  /** @param {LocalClient} client @param {string} text @param {Request} request */
  #take(client, text, request) {
    const { id, method = '', params = {} } = request;
    const answer = Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
    if (method === 'world.get') this.#describeMoment();
    if (!answer) {
      this.#submit(client, text, method);
      return;
    }
    if (!this.world.isAllowed(client.id, text)) {
      this.#drain();
      return;
    }
    client.waiting = true;
    this.#answer(client, id, async () => answer(this, client, params ?? {})).finally(() => {
      client.waiting = false;
      this.#pump(client);
    });
  }

  /** @param {LocalClient} client @param {Request['id']} id @param {() => Promise<object>} work */
  async #answer(client, id, work) {
    let outcome;
    try {
      outcome = { result: await work() };
    } catch (error) {
      outcome = { error: refusalOf(/** @type {Error} */ (error)).error };
    }
    if (this.#disposed) return;
    this.show();
    if (id !== undefined && this.clients.has(client.id)) client.deliver(toJson({ jsonrpc: '2.0', id, ...outcome }));
  }

  /** A method of the engine's. @param {LocalClient} client @param {string} text @param {string} method */
  #submit(client, text, method) {
    const { world } = this;
    const isChange = Object.hasOwn(METHODS, method) && METHODS[/** @type {keyof typeof METHODS} */ (method)].kind === 'change';
    if (method === 'world.pause' && this.time.shown) {
      if (world.isAllowed(client.id, text)) {
        this.time.hold();
        const { id } = parse(text);
        if (id !== undefined) client.deliver(JSON.stringify({ jsonrpc: '2.0', id, result: { tick: world.tickCount } }));
      }
      this.#drain();
      return;
    }
    if (isChange && this.time.isLeftBy(method)) this.time.takeOver();
    try {
      world.submit(client.id, text);
    } catch (error) {
      client.deliver(JSON.stringify({ jsonrpc: '2.0', id: null, error: refusalOf(/** @type {Error} */ (error)).error }));
      return;
    }
    const steps = method === 'world.step' && !world.running;
    if (!steps) this.show();
    else this.#step(client);
    this.wake();
  }

  /** A step by command: the reply comes after its last tick. @param {LocalClient} client */
  #step(client) {
    client.waiting = true;
    this.travel(async () => {
      for (let began = performance.now(); !this.#disposed && this.#tick();) {
        if (performance.now() - began < SLICE_MS) continue;
        await breathe();
        began = performance.now();
      }
    }).finally(() => {
      client.waiting = false;
      if (!this.#disposed) this.mark();
      this.#pump(client);
    });
  }

  /**
   * Does what takes the world elsewhere; messages and ticks wait meanwhile.
   * @template T
   * @param {() => Promise<T>} work @returns {Promise<T>}
   */
  async travel(work) {
    if (this.#busy) throw new Refusal('BUSY', 'the world is on its way to another tick: try again when it is there', '', { retryAfterMs: 500 });
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
      if (!this.#disposed) {
        this.#forgetGone();
        this.show();
      }
      for (const read of this.#readers.splice(0)) read();
      if (!this.#disposed) {
        this.wake();
        this.#pumpAll();
      }
    }
  }

  /**
   * Calls a function as soon as the world neither travels nor steps.
   * @template T
   * @param {() => T} work must not change the world @returns {Promise<T>}
   */
  whenIdle(work) {
    return new Promise((resolve, reject) => {
      const read = () => {
        try {
          if (this.#disposed) throw new Refusal('STATE', 'the world was removed');
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      if (this.#busy) this.#readers.push(read);
      else read();
    });
  }

  /**
   * Does what restores another state; if that fails, the state of before comes back.
   * @template T
   * @param {() => Promise<T>} work
   */
  async keepOnFailure(work) {
    const { world } = this;
    const before = world.snapshot();
    const { running } = world;
    try {
      return await work();
    } catch (error) {
      world.restore(before);
      world.running = running;
      world.showAnew(this.time.shown !== null);
      throw error;
    }
  }

  /** Shows what commands have changed, and delivers what the world says. */
  show() {
    this.world.apply();
    this.#drain();
  }

  #drain() {
    for (const { kind, client: id, text, bytes } of this.world.outputs()) {
      const client = this.clients.get(id);
      if (kind === 'record') this.#note(bytes);
      else if (!client) continue;
      else if (kind === 'text') this.#deliver(client, /** @type {string} */ (text));
      else if (kind === 'binary') client.deliver(bytes.buffer);
      else client.end(text ?? '');
    }
  }

  /** @param {LocalClient} client @param {string} text */
  #deliver(client, text) {
    if (client.number === 0) this.#readHello(client, parse(text));
    client.deliver(text);
  }

  /** @param {LocalClient} client @param {Request} message */
  #readHello(client, { method, params }) {
    if (method !== 'hello') return;
    client.number = params.session;
    client.person = params.you;
    client.name = params.you.name;
  }

  /** Members of world.get and hello that change by themselves. */
  #describeMoment() {
    const { world, time, undo, timing, clients, tickHz } = this;
    world.describe('clock', 'replay', time.description);
    world.describe('clock', 'undoing', undo.description);
    world.describe('statistics', 'timing', timing.read(tickHz, clients.size));
  }

  // ---- what was done

  /** An entry as text. @param {Entry} entry @returns {import('../engine/engine.js').RecordText} */
  textOf(entry) {
    const known = this.#texts.get(entry);
    if (known) return known;
    const [text] = /** @type {[import('../engine/engine.js').RecordText]} */ (this.world.recordTexts(packRecords([entry], this.engine.physicsVersion)));
    this.#texts.set(entry, text);
    return text;
  }

  /** @param {Uint8Array} bytes records that the engine has made */
  #note(bytes) {
    for (const entry of unpackRecords(bytes)) {
      const text = entry.kind === KIND.command ? this.textOf(entry) : null;
      if (entry.kind === KIND.load || text?.method === 'world.reset') this.#noteScene(entry);
      else this.add(entry);
      if (text && !text.clock) for (const client of this.clients.values()) if (client.number === entry.client) client.redo = [];
    }
  }

  /** @param {Entry} cause */
  #noteScene(cause) {
    const { world, history } = this;
    history.begin(null, this.state(0));
    this.forgetRedo();
    this.add(sceneEntry(numberOf(cause), world.running, world.scene, cause.client || this.#causer));
    this.#costMs = 0;
  }

  /** @param {Entry} entry of what has been done now */
  add(entry) {
    this.history.add(entry);
    this.history.home = this.history.timeline;
    this.seen = entry.tick;
    this.server.changed(this);
  }

  /** The present state. @param {number} [seen] the tick of the newest entry that it holds */
  state(seen = this.seen) {
    const { world } = this;
    return { tick: world.tickCount, seen, bytes: world.snapshot(), hash: world.hash };
  }

  /** Keeps the hash of the present state. */
  mark() {
    const { hashes, entries } = this.history.current;
    hashes.push({ tick: this.world.tickCount, sequence: entries.length, hash: this.world.hash });
  }

  /** Members of many replies. */
  get whereabouts() {
    return { timeline: this.history.timeline, epoch: this.world.epoch, tick: this.world.tickCount };
  }

  /** @param {string} reason @param {number} [client] id */
  tellChanged(reason, client = 0) {
    this.world.describe('changed', 'replay', this.time.description);
    this.world.tellChanged(reason, client);
    this.#drain();
  }

  /** @param {string} name @param {object} params */
  tellEvent(name, params) {
    this.world.tellEvent(name, params);
    this.#drain();
  }

  // ---- scenes

  /** @param {string} scene @param {string} text @param {number} [causer] the number of the client that loads it */
  #load(scene, text, causer = 0) {
    this.#causer = causer;
    try {
      this.world.loadScene(scene, text);
    } catch (error) {
      throw refusalOf(/** @type {Error} */ (error), '/name');
    }
    this.show();
    this.#causer = 0;
  }

  /** @param {string} scene @param {string} text @param {LocalClient} client */
  loadScene(scene, text, client) {
    if (this.time.shown) this.time.takeOver();
    this.#load(scene, text, client.number);
    return { firstId: numberOf(this.history.current.entries[0]) + 1, tick: this.world.tickCount + 1 };
  }

  // ---- time

  /** Runs the clock if the world runs, or shows its past. */
  wake() {
    if (!this.#runs || this.#busy || this.#disposed || this.#timer !== undefined) return;
    this.#due = performance.now() + this.#periodMs;
    this.#timer = setTimeout(() => this.#turn(), this.#periodMs);
  }

  /** Whether the clock runs, or the past is played; a world that nobody watches stands. */
  get #runs() {
    return this.clients.size > 0 && (this.world.running || this.time.shown?.playing === true);
  }

  get #periodMs() {
    return this.time.shown ? this.time.periodMs : this.tickMs;
  }

  #turn() {
    this.#timer = undefined;
    if (this.#disposed || this.#busy) return;
    const began = performance.now();
    const lostMs = Math.max(0, began - LATE_MS - this.#due);
    this.timing.begin(began - this.#due, this.#periodMs, lostMs);
    this.#due += lostMs;
    for (let now = began; this.#due <= now && now - began < SLICE_MS && !this.#busy; now = performance.now()) {
      if (this.time.shown) this.time.play();
      else if (!this.#tick()) break;
      if (this.time.shown) this.#drain();
      this.#due += this.#periodMs;
    }
    const ended = performance.now();
    if (this.#runs && !this.#busy) this.#timer = setTimeout(() => this.#turn(), Math.max(this.timing.pauseAfter(ended - began), this.#due - ended));
  }

  /** Runs a tick. Returns whether the world stepped. */
  #tick() {
    const began = performance.now();
    const stepped = this.world.tick();
    const spent = performance.now() - began;
    this.#drain();
    if (!stepped) return false;
    this.timing.add(spent);
    this.#costMs += spent;
    const { tickCount } = this.world;
    this.history.current.last = tickCount;
    if (tickCount % MARK_TICKS === 0) this.mark();
    const newest = this.history.current.snapshots.at(-1);
    if (this.#costMs >= SNAPSHOT_COST_MS && tickCount >= (newest?.tick ?? 0) + SNAPSHOT_TICKS) this.keepSnapshot();
    this.server.changed(this);
    return true;
  }

  keepSnapshot() {
    this.#costMs = 0;
    this.history.keep({ sequence: this.history.current.entries.length, ...this.state() });
  }

  // ---- what it is

  /** A row of world.list. */
  get description() {
    const { name, world, clients, temporary, engine } = this;
    return {
      name, tick: world.tickCount, running: world.running, clients: clients.size, particles: world.positions().count, kept: !temporary, temporary,
      physics: engine.physicsVersion, people: [...clients.values()].map(({ person }) => person),
    };
  }
}

/** @param {Engine} engine @param {{name: string, tickHz: number}} options @returns {World} */
function createWorld(engine, options) {
  for (const room of ROOMS) {
    try {
      return engine.createWorld({ ...options, ...room });
    } catch (error) {
      if (!(error instanceof EngineError) || error.result !== 'memory' || room === ROOMS.at(-1)) throw refusalOf(/** @type {Error} */ (error));
    }
  }
  throw new Refusal('INTERNAL', 'There is no memory for a world.');
}

/** @param {string} text @returns {Request} */
function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
