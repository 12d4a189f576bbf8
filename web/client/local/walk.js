// SPDX-License-Identifier: MIT
// Computes a part of a history again in a local world, in slices, so that its thread stays responsive. Nobody sees the ticks on
// the way.

import { EngineError } from '../engine/engine.js';
import { Refusal } from './errors.js';
import { packRecords } from './history.js';
/** @import { History, Logged, Place, Snapshot } from './history.js' */

const SLICE_MS = 12;
const KEEP_MS = 150; // of computing between two snapshots that are kept on the way

const breathe = () => new Promise((resolve) => { setTimeout(resolve); });

/**
 * @typedef {object} WalkOptions
 * @property {(logged: Logged) => boolean} [before] called before an entry is applied; false leaves it out
 * @property {(logged: Logged) => void} [after] called when an entry was applied
 * @property {(logged: Logged) => void} [refused] called for an entry that cannot be applied any more; without it that is an error
 * @property {(tick: number) => void} [progress] called between two slices; may throw to end the walk
 */

export class Walk {
  #world;
  #physics;
  #history;
  #spentMs = 0; // since the last snapshot

  /**
   * Begins with a state of the history.
   * @param {import('../lockstep/own_world.js').World} world @param {number} physics version of its engine
   * @param {History} history @param {{snapshot: Snapshot, place: Place}} from
   */
  constructor(world, physics, history, { snapshot, place }) {
    this.#world = world;
    this.#physics = physics;
    this.#history = history;
    /** The last entry that was applied. @type {Place} */
    this.place = place;
    this.seen = snapshot.seen;
    this.altered = false; // something was left out or added: what comes is not of the history
    world.restore(snapshot.bytes);
  }

  /**
   * Applies entries at their ticks, and goes on to a tick.
   * @param {Logged[]} entries by rising ticks @param {number} until @param {WalkOptions} [options]
   */
  async go(entries, until, options = {}) {
    for (const logged of entries) {
      await this.#stepTo(logged.entry.tick - 1, options);
      this.#apply(logged, options);
    }
    await this.#stepTo(until, options);
  }

  /** @param {Logged} logged @param {WalkOptions} options */
  #apply(logged, { before, after, refused }) {
    if (before && !before(logged)) {
      this.altered = true;
      return;
    }
    const { timeline, sequence, entry } = logged;
    try {
      this.#world.replay(packRecords([entry], this.#physics, sequence));
    } catch (error) {
      if (!(error instanceof EngineError) || error.result === 'memory') throw error;
      if (!refused) {
        throw new Refusal('INTERNAL', `At tick ${entry.tick}, entry ${sequence} of timeline ${timeline}: a command that was accepted then is refused now: ${error.message}`);
      }
      this.altered = true;
      refused(logged);
      return;
    }
    if (!this.altered) this.place = { timeline, sequence };
    this.seen = entry.tick;
    after?.(logged);
  }

  /** @param {number} tick @param {WalkOptions} options */
  async #stepTo(tick, { progress }) {
    for (let began = performance.now(); this.#world.tickCount < tick;) {
      this.#world.replay(null, 1);
      this.#check();
      const spent = performance.now() - began;
      if (spent < SLICE_MS) continue;
      this.#keep(spent);
      await breathe();
      progress?.(this.#world.tickCount);
      began = performance.now();
    }
  }

  /** Compares the state with the hash that it had. */
  #check() {
    const { tickCount } = this.#world;
    if (this.altered || tickCount % 60 !== 0) return;
    const known = this.#history.find(this.place.timeline)?.hashes.find(({ tick, sequence }) => tick === tickCount && sequence === this.place.sequence);
    if (known && known.hash !== this.#world.hash) {
      throw new Refusal('INTERNAL', `At tick ${tickCount} the state differs from what it was: its hash is ${this.#world.hash}, it was ${known.hash}.`);
    }
  }

  /** @param {number} spent ms */
  #keep(spent) {
    this.#spentMs += spent;
    if (this.altered || this.#spentMs < KEEP_MS) return;
    this.#spentMs = 0;
    const { timeline, sequence } = this.place;
    this.#history.keep({ tick: this.#world.tickCount, sequence, seen: this.seen, bytes: this.#world.snapshot(), hash: this.#world.hash }, this.#history.find(timeline));
  }
}
