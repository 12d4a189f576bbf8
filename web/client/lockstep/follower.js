// SPDX-License-Identifier: MIT
// Follows a world in lockstep: applies and steps what the other world did, two ticks behind the newest that is known, so that
// late messages do not show.

import { EngineError } from '../engine/engine.js';
import { Backlog } from './backlog.js';
import { confirmedState, generationOf, MESSAGE_SNAPSHOT, OwnWorld, splitSteps } from './own_world.js';

const BEHIND_TICKS = 2;
const SLICE_MS = 8; // of catching up, before anything else gets a turn

/**
 * @typedef {object} FollowerOptions
 * @property {() => Promise<import('./own_world.js').Engine>} load gives an engine of its own
 * @property {string} name of the world
 * @property {number} tickHz
 * @property {number} client the number of this client in the world that is followed
 * @property {(message: Uint8Array) => void} tell takes a message of type 1 or 2
 * @property {(message: Uint8Array) => void} [sample] takes each frame (a message of type 1), also those that are not passed to `tell`
 * @property {(reason: 'differs' | 'slow' | 'failed', error: Error) => void} fail the world cannot be followed from here on
 */

export class Follower {
  #options;
  #own;
  #backlog;
  #restoring = 0; // snapshots that are being restored
  /** @type {Promise<void>} */
  #restored = Promise.resolve(); // the newest of them
  /** @type {Uint8Array[]} messages of type 6 that were not applied yet, of one step at most */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #nextAt = 0; // when the next tick is due
  #generation = -1; // of the newest snapshot
  #ended = false;

  /** @param {FollowerOptions} options */
  constructor(options) {
    this.#options = options;
    this.#own = new OwnWorld(options);
    this.#backlog = new Backlog(options.tickHz);
  }

  /** Takes a message of type 5 or 6. @param {Uint8Array} message */
  receive(message) {
    if (this.#ended) return;
    if (message[0] === MESSAGE_SNAPSHOT) this.#restored = this.#restore(message).catch((error) => this.#fail('failed', error));
    else {
      this.#waiting.push(...splitSteps(message));
      this.#schedule();
    }
  }

  /** Computes nothing more, but keeps the world. */
  stop() {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  end() {
    this.stop();
    this.#own.end();
  }

  /**
   * The newest state that the other world is known to have had, which may be that of a snapshot that is still being restored; null
   * if none is known.
   * @returns {Promise<import('./own_world.js').ConfirmedState | null>}
   */
  async confirmed() {
    await this.#restored;
    const { world } = this.#own;
    if (!world || this.#restoring > 0) return null;
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) if (!this.#follow(message)) break;
    return confirmedState(world);
  }

  /** @param {Uint8Array} message */
  async #restore(message) {
    this.#restoring++;
    try {
      await this.#own.restore(message);
    } finally {
      this.#restoring--;
    }
    this.#generation = generationOf(message);
    this.#waiting = this.#waiting.filter((waiting) => generationOf(waiting) >= this.#generation);
    if (this.#ended) return;
    this.#own.tell();
    this.#schedule();
  }

  #schedule() {
    if (this.#timer !== undefined || this.#restoring > 0 || this.#waiting.length === 0 || !this.#own.world) return;
    const now = performance.now();
    const period = 1000 / this.#options.tickHz;
    if (this.#nextAt < now - period) this.#nextAt = now + (BEHIND_TICKS - 1) * period; // after a pause the buffer fills first
    const wait = this.#waiting.length > 3 * BEHIND_TICKS ? 0 : Math.max(0, this.#nextAt - now);
    this.#timer = setTimeout(() => this.#run(), wait);
  }

  #run() {
    this.#timer = undefined;
    if (this.#restoring > 0) return; // what waits may be of the snapshot that is being restored
    const start = performance.now();
    const period = 1000 / this.#options.tickHz;
    try {
      // A snapshot may have made needless all that waited.
      for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
        if (!this.#follow(message)) return;
        if (message[2] > 0) this.#nextAt += period;
        if (this.#waiting.length <= 3 * BEHIND_TICKS || performance.now() - start >= SLICE_MS) break;
      }
    } catch (error) {
      this.#fail(/** @type {EngineError} */ (error).result === 'damaged' ? 'differs' : 'failed', /** @type {Error} */ (error));
      return;
    }
    if (this.#backlog.isHopeless(this.#waiting.length, performance.now())) {
      this.#fail('slow', new Error(`This machine is ${this.#waiting.length} ticks behind.`));
      return;
    }
    this.#own.tell();
    this.#schedule();
  }

  /** False if the message has to wait for a snapshot. @param {Uint8Array} message */
  #follow(message) {
    try {
      this.#own.world?.follow(message);
    } catch (error) {
      const isEarly = error instanceof EngineError && error.result === 'state' && generationOf(message) !== this.#generation;
      if (!isEarly) throw error;
      this.#waiting.unshift(message);
      return false;
    }
    return true;
  }

  /** @param {'differs' | 'slow' | 'failed'} reason @param {Error} error */
  #fail(reason, error) {
    if (this.#ended) return;
    this.end();
    this.#options.fail(reason, error);
  }
}
