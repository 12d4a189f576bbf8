// SPDX-License-Identifier: MIT
// What is selected: whole objects, obstacles among them (no two things of a world share an id), and particles of objects.
// Indices and ids only; what they mean is the world's business.
import { Emitter } from '../../client/emitter.js';

/**
 * Emits 'change' whenever something else is selected.
 * @extends {Emitter<{change: Selection}>}
 */
export class Selection extends Emitter {
  /** @type {Set<number>} ids, those of obstacles too */
  objects = new Set();

  /** @type {Map<number, Set<number>>} id → indices, never none */
  particles = new Map();

  /** How many things are selected. */
  get size() {
    let size = this.objects.size;
    for (const indices of this.particles.values()) size += indices.size;
    return size;
  }

  /**
   * Selects these and nothing else.
   * @param {object} what
   * @param {Iterable<number>} [what.objects] ids
   * @param {Iterable<[number, Iterable<number>]>} [what.particles] ids with indices
   */
  set({ objects = [], particles = [] }) {
    this.objects = new Set(objects);
    this.particles = new Map();
    for (const [id, indices] of particles) {
      const kept = new Set(indices);
      if (kept.size > 0) this.particles.set(id, kept);
    }
    this.emit('change', this);
  }

  /** Selects nothing. */
  clear() {
    if (this.size > 0) this.set({});
  }
}
