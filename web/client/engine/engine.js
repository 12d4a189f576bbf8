// SPDX-License-Identifier: MIT
// The engine in WebAssembly: runs worlds in a page or in Node with the same commands, messages and state hashes as a server
// (server/engine/weft.h documents each function, PROTOCOL.md and FRAMES.md the messages).
//
//     const engine = await loadEngine();
//     const world = engine.createWorld();
//     world.join(1);
//     world.submit(1, '{"jsonrpc":"2.0","id":1,"method":"cloth.spawn","params":{"columns":20,"rows":20}}');
//     world.tick();
//     for (const output of world.outputs()) console.log(output);

import { readEngine } from '../local/resources.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const RESULTS = ['ok', 'parse', 'request', 'method', 'invalid', 'busy', 'denied', 'notFound', 'limit', 'state', 'rate', 'frozen', 'memory', 'io', 'damaged'];
const KINDS = ['text', 'binary', 'close', 'record'];
const PLACES = ['hello', 'limits', 'quota', 'clock', 'changed', 'physics', 'statistics'];
const ROLES = ['none', 'viewer', 'editor', 'admin'];
// Sizes and byte offsets of the structs of weft.h on a 32-bit machine.
const ERROR = { size: 452, pointer: 4, message: 132 };
const OUTPUT = { size: 24, client: 8, bytes: 16, length: 20 };
const OPTIONS = { size: 44, name: 4, tickHz: 8, particles: 12, sticks: 16, objects: 20, obstacles: 24 };
const PARTICLES = { size: 36 };
const OBJECT = { size: 20 };

/**
 * A record as text.
 * @typedef {object} RecordText
 * @property {'command' | 'scene' | 'release' | 'clock' | 'load'} kind
 * @property {number} client the number of the client that caused it; 0: none
 * @property {number} number the simulation's sequence number before it
 * @property {string} [method] @property {Record<string, any>} [params] @property {number[]} [made] @property {number} [object] @property {boolean} [clock]
 * @property {number} [grab] @property {string} [name] @property {boolean} [running]
 */

/** An error of the engine: `result` is one of the names above, `pointer` names the faulty member of the request. */
export class EngineError extends Error {
  /** @param {string} result @param {string} pointer @param {string} message */
  constructor(result, pointer, message) {
    super(message);
    this.name = 'EngineError';
    this.result = result;
    this.pointer = pointer;
  }
}

/** Whether WebAssembly supports SIMD: validates a module with one v128.const. */
export const hasSimd = () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));

/**
 * Loads the module for this machine (with or without SIMD), or the module given as bytes. All modules compute the same bits.
 * @param {{bytes?: BufferSource, simd?: boolean}} [options]
 */
export async function loadEngine({ bytes, simd = hasSimd() } = {}) {
  const source = bytes ?? (await compiled(simd));
  const refuse = () => 52; // WASI error "not supported": the engine never reads or writes files
  const wasi = { fd_close: refuse, fd_seek: refuse, fd_write: refuse };
  const made = await WebAssembly.instantiate(/** @type {BufferSource} */ (source), { wasi_snapshot_preview1: wasi });
  const instance = /** @type {WebAssembly.Instance} */ ('instance' in made ? made.instance : made);
  return new Engine(/** @type {any} */ (instance.exports)); // the exports are the functions of weft.h
}

/** @type {Map<boolean, Promise<WebAssembly.Module>>} the modules of this thread, with SIMD and without */
const modules = new Map();

/** @param {boolean} simd @returns {Promise<WebAssembly.Module>} */
function compiled(simd) {
  let module = modules.get(simd);
  if (!module) {
    module = readEngine(simd).then((bytes) => WebAssembly.compile(bytes), (error) => { throw new EngineError('io', '', `The engine could not be loaded: ${error.message}`); });
    module.catch(() => modules.delete(simd)); // the next attempt may succeed
    modules.set(simd, module);
  }
  return module;
}

class Engine {
  /** @param {any} exports */
  constructor(exports) {
    this.exports = exports;
    exports._initialize();
    this.version = this.text(exports.weft_version());
    this.physicsVersion = exports.weft_physics_version();
  }

  /** @param {number} at */
  text(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return decoder.decode(bytes.slice(at, bytes.indexOf(0, at)));
  }

  view() {
    return new DataView(this.exports.memory.buffer);
  }

  /** @param {number} size */
  allocate(size) {
    const at = this.exports.malloc(Math.max(size, 1)) >>> 0; // addresses above 2 GB come as negative numbers
    if (at === 0) throw new EngineError('memory', '', `There is no memory for ${size} bytes.`);
    return at;
  }

  /**
   * Calls a function with the address of a copy of these bytes, and frees the copy afterwards.
   * @template T
   * @param {Uint8Array} bytes
   * @param {(at: number) => T} call
   */
  lend(bytes, call) {
    const at = this.allocate(bytes.length);
    try {
      new Uint8Array(this.exports.memory.buffer).set(bytes, at);
      return call(at);
    } finally {
      this.exports.free(at);
    }
  }

  /** @param {string} text @param {(at: number) => any} call */
  lendText(text, call) {
    return this.lend(encoder.encode(`${text}\0`), call);
  }

  /**
   * Calls a function with a weft_error, and throws the error that it reports.
   * @param {(error: number) => number} call
   */
  check(call) {
    const error = this.allocate(ERROR.size);
    try {
      const result = call(error);
      if (result !== 0) throw new EngineError(RESULTS[result], this.text(error + ERROR.pointer), this.text(error + ERROR.message));
    } finally {
      this.exports.free(error);
    }
  }

  /**
   * @param {{name?: string, tickHz?: number, particles?: number, sticks?: number, objects?: number, obstacles?: number}} [options]
   */
  createWorld(options = {}) {
    const at = this.allocate(OPTIONS.size + 4);
    try {
      return this.lendText(options.name ?? 'world', (name) => {
        this.exports.weft_options_default(at);
        const view = this.view();
        view.setUint32(at + OPTIONS.name, name, true);
        if (options.tickHz !== undefined) view.setFloat32(at + OPTIONS.tickHz, options.tickHz, true);
        for (const key of /** @type {const} */ (['particles', 'sticks', 'objects', 'obstacles'])) {
          if (options[key] !== undefined) view.setUint32(at + OPTIONS[key], options[key], true);
        }
        this.check((error) => this.exports.weft_world_create(at, at + OPTIONS.size, error));
        return new World(this, this.view().getUint32(at + OPTIONS.size, true));
      });
    } finally {
      this.exports.free(at);
    }
  }
}

class World {
  /** @param {Engine} engine @param {number} at */
  constructor(engine, at) {
    this.engine = engine;
    this.at = at;
  }

  destroy() {
    this.engine.exports.weft_world_destroy(this.at);
    this.at = 0;
  }

  /** @param {number} client @param {string} [name] @param {string} [role] */
  join(client, name = '', role = 'editor') {
    this.engine.lendText(name, (at) => this.engine.check((error) => this.engine.exports.weft_world_join(this.at, BigInt(client), at, ROLES.indexOf(role), error)));
  }

  /** @param {number} client */
  leave(client) {
    this.engine.exports.weft_world_leave(this.at, BigInt(client));
  }

  /** @param {number} client @param {string} json */
  submit(client, json) {
    const bytes = encoder.encode(json);
    const result = this.engine.lend(bytes, (at) => this.engine.exports.weft_world_submit(this.at, BigInt(client), at, bytes.length));
    if (result !== 0) throw new EngineError(RESULTS[result], '', `The message was refused: ${RESULTS[result]}.`);
  }

  /** Runs a tick. Returns whether the world stepped. */
  tick() {
    return this.engine.exports.weft_world_tick(this.at) === 1;
  }

  step() {
    this.engine.exports.weft_world_step(this.at);
  }

  apply() {
    this.engine.exports.weft_world_apply(this.at);
  }

  get tickCount() {
    return Number(this.engine.exports.weft_world_tick_count(this.at));
  }

  /** The outputs since the last call: text as strings, binary messages as copied bytes. */
  *outputs() {
    const at = this.engine.allocate(OUTPUT.size);
    try {
      while (this.engine.exports.weft_world_take(this.at, at) === 1) {
        const view = this.engine.view();
        const kind = KINDS[view.getUint32(at, true)];
        const start = view.getUint32(at + OUTPUT.bytes, true);
        const bytes = new Uint8Array(view.buffer).slice(start, start + view.getUint32(at + OUTPUT.length, true));
        const client = Number(view.getBigUint64(at + OUTPUT.client, true));
        yield { kind, client, bytes, text: kind === 'text' || kind === 'close' ? decoder.decode(bytes) : undefined };
      }
    } finally {
      this.engine.exports.free(at);
    }
  }

  /** The hash of the state, as in the result of world.get. */
  get hash() {
    return BigInt.asUintN(64, this.engine.exports.weft_world_hash(this.at)).toString(16).padStart(16, '0');
  }

  snapshot() {
    const at = this.engine.allocate(4);
    try {
      const start = this.engine.exports.weft_world_snapshot(this.at, at) >>> 0;
      if (start === 0) throw new EngineError('memory', '', 'There is no memory for a snapshot.');
      return new Uint8Array(this.engine.exports.memory.buffer).slice(start, start + this.engine.view().getUint32(at, true));
    } finally {
      this.engine.exports.free(at);
    }
  }

  /** @param {Uint8Array} bytes */
  restore(bytes) {
    this.engine.lend(bytes, (at) => this.engine.check((error) => this.engine.exports.weft_world_restore(this.at, at, bytes.length, error)));
  }

  /** @param {Uint8Array} bytes */
  applyRecord(bytes) {
    this.engine.lend(bytes, (at) => this.engine.check((error) => this.engine.exports.weft_world_record_apply(this.at, at, bytes.length, error)));
  }

  /**
   * Takes a message of type 5, not compressed, or 6 of a world that is followed in lockstep.
   * @param {Uint8Array} bytes
   */
  follow(bytes) {
    this.engine.lend(bytes, (at) => this.engine.check((error) => this.engine.exports.weft_world_follow(this.at, at, bytes.length, error)));
  }

  /**
   * Applies a command of a client of the world that is followed at once, as if its record had come.
   * @param {number} client its number @param {string} json
   * @returns {any} its result
   */
  predict(client, json) {
    const { exports } = this.engine;
    const bytes = encoder.encode(json);
    const at = this.engine.allocate(8);
    try {
      this.engine.lend(bytes, (start) => this.engine.check((error) => exports.weft_world_predict(this.at, client, start, bytes.length, at, at + 4, error)));
      const view = this.engine.view();
      const start = view.getUint32(at, true);
      const text = decoder.decode(new Uint8Array(view.buffer, start, view.getUint32(at + 4, true)));
      return JSON.parse(text.endsWith(']') ? text : `${text}]`)[0];
    } finally {
      exports.free(at);
    }
  }

  /**
   * Before predicting in a large world: all that neither these objects nor what the client holds can touch stands still.
   * @param {number} client its number @param {number[]} objects ids
   */
  isolate(client, objects) {
    const bytes = new Uint8Array(Uint32Array.from(objects).buffer);
    this.engine.lend(bytes, (at) => this.engine.check((error) => this.engine.exports.weft_world_isolate(this.at, client, at, objects.length, error)));
  }

  /** Keeps the present state. @returns {number} for `returnTo` and `forget` */
  keep() {
    const at = this.engine.allocate(4);
    try {
      this.engine.check((error) => this.engine.exports.weft_world_keep(this.at, at, error));
      return this.engine.view().getUint32(at, true);
    } finally {
      this.engine.exports.free(at);
    }
  }

  /** @param {number} state one that was kept */
  returnTo(state) {
    this.engine.check((error) => this.engine.exports.weft_world_return(this.at, state, error));
  }

  /** @param {number} state one that was kept, and is used no more */
  forget(state) {
    this.engine.exports.weft_state_destroy(state);
  }

  /**
   * Whether a message is a valid request, and allowed to the client; if not, an output is the reply that says why.
   * @param {number} client @param {string} json
   */
  isAllowed(client, json) {
    const bytes = encoder.encode(json);
    return this.engine.lend(bytes, (at) => this.engine.exports.weft_world_check(this.at, BigInt(client), at, bytes.length)) === 1;
  }

  /**
   * Sets a member that messages tell besides those of the engine, or removes it (undefined).
   * @param {'hello' | 'limits' | 'quota' | 'clock' | 'changed' | 'physics' | 'statistics'} place @param {string} name @param {unknown} value
   */
  describe(place, name, value) {
    const { exports } = this.engine;
    const set = (/** @type {number} */ json) => this.engine.lendText(name, (at) => (
      this.engine.check((error) => exports.weft_world_describe(this.at, PLACES.indexOf(place), at, json, error))));
    if (value === undefined) set(0);
    else this.engine.lendText(JSON.stringify(value), set);
  }

  /** Sends the event world.changed. @param {string} reason @param {number} [client] that changed the world */
  tellChanged(reason, client = 0) {
    this.engine.lendText(reason, (at) => this.engine.exports.weft_world_changed(this.at, at, BigInt(client)));
  }

  /** Sends another event of the protocol. @param {string} name @param {object} params */
  tellEvent(name, params) {
    this.engine.lendText(name, (title) => this.engine.lendText(JSON.stringify(params), (at) => (
      this.engine.check((error) => this.engine.exports.weft_world_event(this.at, title, at, error)))));
  }

  /**
   * Applies records, whatever tick they name, and steps, without frames and events.
   * @param {Uint8Array | null} records a message of type 4 @param {number} [ticks]
   */
  replay(records, ticks = 0) {
    const bytes = records ?? new Uint8Array(0);
    this.engine.lend(bytes, (at) => this.engine.check((error) => this.engine.exports.weft_world_replay(this.at, at, bytes.length, ticks, error)));
  }

  /** Shows all clients the world anew, after `restore` and `replay`. @param {boolean} past whether it is one of the past */
  showAnew(past) {
    this.engine.exports.weft_world_show(this.at, past ? 1 : 0);
  }

  /** Whether the clock runs. */
  get running() {
    return this.engine.exports.weft_world_running(this.at) === 1;
  }

  set running(running) {
    this.engine.exports.weft_world_set_running(this.at, running ? 1 : 0);
  }

  get epoch() {
    return this.engine.exports.weft_world_epoch(this.at) >>> 0;
  }

  /** The number of the last command. */
  get sequence() {
    return this.engine.exports.weft_world_sequence(this.at) >>> 0;
  }

  /** The name of the scene that the world was made of; '' without one. */
  get scene() {
    return this.engine.text(this.engine.exports.weft_world_scene(this.at) >>> 0);
  }

  /** The commands of that scene, as the parameters of batch.run; null without any. @returns {object | null} */
  get sceneCommands() {
    const at = this.engine.allocate(4);
    try {
      const start = this.engine.exports.weft_world_scene_commands(this.at, at) >>> 0;
      return start === 0 ? null : JSON.parse(this.textAt(start, this.engine.view().getUint32(at, true)));
    } finally {
      this.engine.exports.free(at);
    }
  }

  /** A scene file that makes what there is now. @param {string} title */
  sceneFile(title) {
    const at = this.engine.allocate(8);
    try {
      const start = this.engine.lendText(title, (name) => this.engine.exports.weft_world_scene_text(this.at, name, at, at + 4)) >>> 0;
      if (start === 0) throw new EngineError('memory', '', 'There is no memory for the scene.');
      const view = this.engine.view();
      return { text: this.textAt(start, view.getUint32(at, true)), commands: view.getUint32(at + 4, true) };
    } finally {
      this.engine.exports.free(at);
    }
  }

  /**
   * The records of a message of type 4 as objects (weft_world_record_text in weft.h says which members they have).
   * @param {Uint8Array} records @returns {RecordText[]}
   */
  recordTexts(records) {
    const at = this.engine.allocate(8);
    try {
      this.engine.lend(records, (start) => this.engine.check((error) => this.engine.exports.weft_world_record_text(this.at, start, records.length, at, at + 4, error)));
      const view = this.engine.view();
      return JSON.parse(this.textAt(view.getUint32(at, true), view.getUint32(at + 4, true)));
    } finally {
      this.engine.exports.free(at);
    }
  }

  /** @param {number} start @param {number} length */
  textAt(start, length) {
    return decoder.decode(new Uint8Array(this.engine.exports.memory.buffer).slice(start, start + length));
  }

  /** @param {string} name @param {string} json */
  loadScene(name, json) {
    const bytes = encoder.encode(json);
    this.engine.lendText(name, (title) => this.engine.lend(bytes, (at) => this.engine.check((error) => this.engine.exports.weft_world_load_scene(this.at, title, at, bytes.length, error))));
  }

  /** Positions of all particles as views of the engine's memory, valid until the next call of the engine. */
  positions() {
    const at = this.engine.allocate(PARTICLES.size);
    try {
      this.engine.exports.weft_world_particles(at, this.at);
      const view = this.engine.view();
      const count = view.getUint32(at, true);
      const axis = (/** @type {number} */ index) => new Float32Array(view.buffer, view.getUint32(at + 4 + 4 * index, true), count);
      return { count, x: axis(0), y: axis(1), z: axis(2) };
    } finally {
      this.engine.exports.free(at);
    }
  }

  /** The objects in ascending order of ids, with the ranges of their particles. */
  objects() {
    const at = this.engine.allocate(OBJECT.size);
    try {
      return Array.from({ length: this.engine.exports.weft_world_object_count(this.at) }, (_, index) => {
        this.engine.exports.weft_world_object_at(at, this.at, index);
        const view = this.engine.view();
        return { id: view.getUint32(at, true), first: view.getUint32(at + 4, true), particles: view.getUint32(at + 8, true) };
      });
    } finally {
      this.engine.exports.free(at);
    }
  }
}
