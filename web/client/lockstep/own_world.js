// SPDX-License-Identifier: MIT
// The world of a client that follows another one (FRAMES.md, "Lockstep"): it is made with room for the snapshot, and its
// topologies and frames are told as messages, exactly as a server would send them.

import { EngineError } from '../engine/engine.js';
import { inflate } from '../inflate.js';

export const MESSAGE_SNAPSHOT = 5;
export const HEADER = 16; // bytes

const SNAPSHOT_BYTES = 1e9; // of one, decompressed
const DEFLATED = 1; // a bit of the coding
const FRAME = 1; // type of a message
const ME = 1; // the number of the one client in the own world
// Room for a first guess: for what the snapshot holds and more. A world whose sheets may tear needs room for all that its server
// has room for; the pages of memory that it never uses cost nothing, but a small device may refuse to reserve them.
const GUESS = { particles: 16384, objects: 4000, obstacles: 400, sticksEach: 8, bytesEach: 6 };
const WHOLE = {}; // the engine's default capacities, which are the server's

/** @typedef {Awaited<ReturnType<typeof import('../engine/engine.js').loadEngine>>} Engine */
/** @typedef {ReturnType<Engine['createWorld']>} World */

/** @typedef {{tick: number, hash: string, snapshot: Uint8Array}} ConfirmedState with the bytes for World.restore */

/** The present state of a world. @param {World} world @returns {ConfirmedState} */
export const confirmedState = (world) => ({ tick: world.tickCount, hash: world.hash, snapshot: world.snapshot() });

/** @param {Uint8Array} message of type 5 or 6 */
const viewOf = (message) => new DataView(message.buffer, message.byteOffset, message.byteLength);

/** Which snapshot a message belongs to. @param {Uint8Array} message of type 5 or 6 */
export const generationOf = (message) => viewOf(message).getUint32(4, true);

/** The tick after which the records of a message are applied. @param {Uint8Array} message of type 6 */
export const tickOf = (message) => Number(viewOf(message).getBigUint64(8, true));

/** The same bytes with what follows the header decompressed. @param {Uint8Array} message */
export async function decompress(message) {
  if ((message[1] & DEFLATED) === 0) return message;
  const content = await inflate(message.subarray(HEADER), SNAPSHOT_BYTES);
  const whole = new Uint8Array(HEADER + content.length);
  whole.set(message.subarray(0, HEADER));
  whole.set(content, HEADER);
  whole[1] &= ~DEFLATED;
  return whole;
}

/** A message of several steps as several messages of one step each. @param {Uint8Array} message @returns {Uint8Array[]} */
export function splitSteps(message) {
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
    new DataView(part.buffer).setBigUint64(8, BigInt(tickOf(message) + step), true);
    parts.push(part);
  }
  return parts;
}

export class OwnWorld {
  #options;
  /** @type {World | null} */
  world = null;
  /** @type {Uint8Array | null} */
  #newest = null; // frame, as the world gave it
  /** @type {Promise<unknown>} */
  #restored = Promise.resolve(); // the snapshots so far
  #ended = false;

  /** @param {{load: () => Promise<Engine>, name: string, tickHz: number, tell: (message: Uint8Array) => void, sample?: (message: Uint8Array) => void}} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Makes the world what a message of type 5 says. Snapshots are restored in the order in which they came, however long each takes
   * to decompress.
   * @param {Uint8Array} message
   */
  restore(message) {
    const restored = this.#restored.then(() => this.#restore(message));
    this.#restored = restored.catch(() => {}); // the caller hears of it
    return restored;
  }

  /** @param {Uint8Array} message */
  async #restore(message) {
    const snapshot = await decompress(message);
    if (this.#ended) return;
    let world = this.world ?? await this.#make(guessRoom(snapshot.length));
    if (this.#ended) return;
    if (!tryToFollow(world, snapshot)) {
      this.world = null;
      world = await this.#make(WHOLE); // memory of an engine only grows, so that a larger world gets a new one
      if (this.#ended) return;
      world.follow(snapshot);
    }
    world.apply(); // a frame of it, should no tick come
    this.world = world;
  }

  /** Gives up the world, also one whose snapshot is being restored. */
  end() {
    this.#ended = true;
    this.world = null;
  }

  /** An empty world. @param {Parameters<Engine['createWorld']>[0]} room capacities */
  async #make(room) {
    const { load, name, tickHz } = this.#options;
    const world = (await load()).createWorld({ name, tickHz, ...room });
    world.join(ME, '', 'viewer');
    world.submit(ME, '{"jsonrpc":"2.0","method":"frames.subscribe","params":{"encoding":"raw"}}');
    world.apply();
    Array.from(world.outputs());
    return world;
  }

  /**
   * Tells what the world shows now; of several frames the newest.
   * @param {import('./easing.js').Easing} [easing] of what the frames show
   */
  tell(easing) {
    let frame = null;
    for (const { kind, bytes } of this.world?.outputs() ?? []) {
      if (kind !== 'binary') continue;
      if (bytes[0] === FRAME) {
        frame = bytes;
        this.#options.sample?.(bytes);
      } else {
        frame = null; // it is of the layout before
        this.#newest = null;
        this.#options.tell(bytes);
      }
    }
    if (frame) this.#newest = frame;
    else if (easing?.isMoving) frame = this.#newest;
    if (frame) this.#options.tell(easing ? easing.apply(frame, performance.now()) : frame);
  }
}

/** Capacities for what a snapshot of so many bytes may hold, and more. @param {number} bytes */
export function guessRoom(bytes) {
  const particles = GUESS.particles + Math.ceil(bytes / GUESS.bytesEach);
  return { particles, sticks: GUESS.sticksEach * particles, objects: GUESS.objects, obstacles: GUESS.obstacles };
}

/** False if the world has no room for the snapshot. @param {World} world @param {Uint8Array} snapshot */
export function tryToFollow(world, snapshot) {
  try {
    world.follow(snapshot);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.result === 'limit') return false;
    throw error;
  }
}
