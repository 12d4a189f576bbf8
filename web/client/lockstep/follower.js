// SPDX-License-Identifier: MIT
// Follows a world in lockstep (FRAMES.md, "Lockstep"): keeps a world of its own in the engine, makes it what a snapshot
// says, and applies and steps what the other world did. The topology and the frames of its world are told as messages,
// exactly as a server would send them.

import { EngineError } from '../engine/engine.js';

const MESSAGE_SNAPSHOT = 5;
const HEADER = 16; // bytes
const DEFLATED = 1;
const ME = 1; // the number of the one client in the world of our own
const BEHIND_TICKS = 2; // so far behind the newest tick, late messages do not show
const SLICE_MS = 8; // of catching up, before anything else gets a turn
const LOST_SECONDS = 2; // so far behind, this machine cannot keep up
const ROOM = { particles: 4096, objects: 1000, obstacles: 100, sticksEach: 8, bytesEach: 24 };

/** @typedef {Awaited<ReturnType<typeof import('../engine/engine.js').loadEngine>>} Engine */
/** @typedef {ReturnType<Engine['createWorld']>} World */

/**
 * @typedef {object} FollowerOptions
 * @property {() => Promise<Engine>} load gives an engine of its own
 * @property {string} name of the world
 * @property {number} tickHz
 * @property {(message: Uint8Array) => void} tell takes a message of type 1 to 3
 * @property {(reason: 'differs' | 'slow' | 'failed', error: Error) => void} fail the world cannot be followed from here on
 */

/** The same bytes with what follows the header decompressed. @param {Uint8Array} message */
async function decompress(message) {
  if (message[1] !== DEFLATED) return message;
  const stream = new Blob([/** @type {BlobPart} */ (message.subarray(HEADER))]).stream().pipeThrough(new DecompressionStream('deflate'));
  const content = new Uint8Array(await new Response(stream).arrayBuffer());
  const whole = new Uint8Array(HEADER + content.length);
  whole.set(message.subarray(0, HEADER));
  whole.set(content, HEADER);
  whole[1] = 0;
  return whole;
}

/** A message of several steps as several messages of one step each. @param {Uint8Array} message @returns {Uint8Array[]} */
function splitSteps(message) {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const steps = message[2];
  if (steps < 2) return [message];
  const parts = [];
  for (let step = 0; step < steps; step++) {
    const last = step === steps - 1;
    const first = step === 0;
    // The records come before the first step, the hash after the last.
    const hash = message[1] === 1 ? 8 : 0;
    const start = HEADER + hash;
    const records = first ? message.subarray(start) : new Uint8Array(0);
    const part = new Uint8Array(HEADER + (last ? hash : 0) + records.length);
    part.set(message.subarray(0, HEADER));
    part[1] = last ? message[1] : 0;
    part[2] = 1;
    if (!first) part[3] = 0; // records
    if (last) part.set(message.subarray(HEADER, start), HEADER);
    part.set(records, HEADER + (last ? hash : 0));
    new DataView(part.buffer).setBigUint64(8, view.getBigUint64(8, true) + BigInt(step), true);
    parts.push(part);
  }
  return parts;
}

export class Follower {
  #options;
  /** @type {Engine | null} */
  #engine = null;
  /** @type {World | null} */
  #world = null;
  #room = 1; // how many times the room of a first guess its world has
  #restoring = 0; // snapshots that are being restored
  /** @type {Uint8Array[]} messages of type 6 that were not applied yet, of one step at most */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #nextAt = 0; // when the next tick is due
  #ended = false;

  /** @param {FollowerOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** The tick that is shown, and how many are known beyond it. */
  get state() {
    return { tick: this.#world?.tickCount ?? null, ahead: this.#waiting.length, hash: this.#world?.hash ?? null };
  }

  /** Takes a message of type 5 or 6. @param {Uint8Array} message */
  receive(message) {
    if (this.#ended) return;
    if (message[0] === MESSAGE_SNAPSHOT) this.#restore(message).catch((error) => this.#fail('failed', error));
    else {
      this.#waiting.push(...splitSteps(message));
      this.#schedule();
    }
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#world = null;
    this.#engine = null;
  }

  /** @param {Uint8Array} message */
  async #restore(message) {
    this.#restoring++;
    try {
      const snapshot = await decompress(message);
      for (let error = null; ; this.#room *= 2) {
        if (!this.#world || error) await this.#makeWorld(snapshot.length);
        if (this.#ended) return;
        error = this.#tryToFollow(snapshot);
        if (!error) break;
      }
    } finally {
      this.#restoring--;
    }
    this.#tell();
    this.#schedule();
  }

  /** Restores a snapshot. @param {Uint8Array} snapshot @returns {EngineError | null} an error if the world has no room for it */
  #tryToFollow(snapshot) {
    try {
      /** @type {World} */ (this.#world).follow(snapshot);
      return null;
    } catch (error) {
      if (error instanceof EngineError && error.result === 'limit' && this.#room < 1024) return error;
      throw error;
    }
  }

  /** A world with room for what a snapshot of so many bytes may hold, and more. @param {number} bytes */
  async #makeWorld(bytes) {
    const { load, name, tickHz } = this.#options;
    this.#engine = await load(); // memory of an engine only grows, so a larger world gets a new one
    const particles = this.#room * (ROOM.particles + Math.ceil(bytes / ROOM.bytesEach));
    this.#world = this.#engine.createWorld({
      name, tickHz, particles, sticks: ROOM.sticksEach * particles, objects: this.#room * ROOM.objects, obstacles: this.#room * ROOM.obstacles,
    });
    this.#world.join(ME, '', 'viewer');
    this.#world.submit(ME, '{"jsonrpc":"2.0","method":"frames.subscribe","params":{"encoding":"raw"}}');
    this.#world.apply();
    Array.from(this.#world.outputs());
  }

  #schedule() {
    if (this.#timer !== undefined || this.#restoring > 0 || this.#waiting.length === 0 || !this.#world) return;
    const now = performance.now();
    const period = 1000 / this.#options.tickHz;
    if (this.#nextAt < now - period) this.#nextAt = now + (BEHIND_TICKS - 1) * period; // after a pause the buffer fills first
    const wait = this.#waiting.length > 3 * BEHIND_TICKS ? 0 : Math.max(0, this.#nextAt - now);
    this.#timer = setTimeout(() => this.#run(), wait);
  }

  #run() {
    this.#timer = undefined;
    const start = performance.now();
    const period = 1000 / this.#options.tickHz;
    try {
      do {
        const message = /** @type {Uint8Array} */ (this.#waiting.shift());
        if (!this.#follow(message)) return;
        if (message[2] > 0) this.#nextAt += period;
      } while (this.#waiting.length > 3 * BEHIND_TICKS && performance.now() - start < SLICE_MS);
    } catch (error) {
      this.#fail(/** @type {EngineError} */ (error).result === 'damaged' ? 'differs' : 'failed', /** @type {Error} */ (error));
      return;
    }
    if (this.#waiting.length > LOST_SECONDS * this.#options.tickHz) {
      this.#fail('slow', new Error(`This machine is ${this.#waiting.length} ticks behind.`));
      return;
    }
    this.#tell();
    this.#schedule();
  }

  /** False if the message has to wait for a snapshot. @param {Uint8Array} message */
  #follow(message) {
    try {
      /** @type {World} */ (this.#world).follow(message);
    } catch (error) {
      if (!(error instanceof EngineError) || error.result !== 'state') throw error;
      this.#waiting.unshift(message);
      return false;
    }
    return true;
  }

  /** Tells what the own world shows now; of several frames the newest. */
  #tell() {
    let frame = null;
    for (const { kind, bytes } of /** @type {World} */ (this.#world).outputs()) {
      if (kind !== 'binary') continue;
      if (bytes[0] === 1) frame = bytes;
      else {
        if (frame) this.#options.tell(frame);
        frame = null;
        this.#options.tell(bytes);
      }
    }
    if (frame) this.#options.tell(frame);
  }

  /** @param {'differs' | 'slow' | 'failed'} reason @param {Error} error */
  #fail(reason, error) {
    if (this.#ended) return;
    this.end();
    this.#options.fail(reason, error);
  }
}
