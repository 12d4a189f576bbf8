// SPDX-License-Identifier: MIT
// The selection: whole objects and obstacles (which share one sequence of ids), and particles of objects. Only ids and
// indices are stored.
import { Emitter } from '../../client/emitter.js';

/**
 * Emits 'change' when the selection changes.
 * @extends {Emitter<{change: Selection}>}
 */
export class Selection extends Emitter {
  /** @type {Set<number>} ids of objects and obstacles */
  objects = new Set();

  /** @type {Map<number, Set<number>>} id → indices; each set has at least one */
  particles = new Map();

  /** The number of selected things. */
  get size() {
    let size = this.objects.size;
    for (const indices of this.particles.values()) size += indices.size;
    return size;
  }

  /**
   * Replaces the selection.
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

  /** Clears the selection. */
  clear() {
    if (this.size > 0) this.set({});
  }
}
