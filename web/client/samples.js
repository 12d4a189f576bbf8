// SPDX-License-Identifier: MIT
// Positions of watched particles, read from every frame that arrives. A reader that takes frames more slowly than they come
// misses some of them, but none of these.

const CODING_RAW = 0;
/** The number of particles that can be watched at once. */
export const WATCHED_MAX = 32768;

/** @typedef {{object: number, particles?: number[]}} Watched an object, or some of its particles by their indices */

/**
 * @typedef {object} SamplesNews
 * @property {number} tick
 * @property {number} step m, to which the positions are rounded; 0 if they are not
 * @property {(Float32Array<ArrayBuffer> | null)[]} positions of each watched part, three numbers per particle in m; null while it does not exist
 */

export class Samples {
  /** @type {Watched[]} */
  #parts = [];
  /** @type {(Uint32Array | null)[]} slots of the parts in the present topology */
  #slots = [];
  /** @type {ArrayBuffer} that positions of the whole world are decoded into */
  #scratch = new ArrayBuffer(0);

  get isWatching() {
    return this.#parts.length > 0;
  }

  /** @param {Watched[]} parts @param {import('./shapes.js').Shapes | null} shapes of the present topology */
  watch(parts, shapes) {
    this.#parts = parts;
    this.place(shapes);
  }

  /** A new topology has other slots. @param {import('./shapes.js').Shapes | null} shapes */
  place(shapes) {
    if (!this.isWatching) return;
    let left = WATCHED_MAX;
    this.#slots = this.#parts.map(({ object, particles }) => {
      const shape = shapes?.objects.find(({ id }) => id === object);
      const indices = particles ?? Array.from({ length: shape?.particles ?? 0 }, (_, index) => index);
      if (!shape || indices.length === 0 || indices.length > left || indices.some((index) => index >= shape.particles)) return null;
      left -= indices.length;
      return Uint32Array.from(indices, (index) => shape.first + index);
    });
  }

  /**
   * Reads the watched particles from a frame; null if none of them exists.
   * @param {import('./frame.js').Header} header @param {import('./frame_receiver.js').Place} place of the frame
   * @returns {SamplesNews | null}
   */
  read({ tick, coding, step }, place) {
    if (this.#slots.every((slots) => slots === null)) return null;
    const { positions, ranges } = place((byteLength) => this.#room(byteLength));
    return {
      tick,
      step: coding === CODING_RAW ? 0 : step,
      positions: this.#slots.map((slots) => slots && pick(slots, positions, ranges)),
    };
  }

  /** @param {number} byteLength */
  #room(byteLength) {
    if (this.#scratch.byteLength !== byteLength) this.#scratch = new ArrayBuffer(byteLength);
    return this.#scratch;
  }
}

/**
 * @param {Uint32Array} slots @param {Float32Array} positions @param {import('./frame.js').Range[] | null} ranges of the frame
 * @returns {Float32Array<ArrayBuffer> | null} null if the frame leaves one of them out
 */
function pick(slots, positions, ranges) {
  const picked = new Float32Array(3 * slots.length);
  for (const [i, slot] of slots.entries()) {
    const at = ranges ? packedIndex(slot, ranges) : slot;
    if (at < 0) return null;
    picked.set(positions.subarray(3 * at, 3 * at + 3), 3 * i);
  }
  return picked;
}

/** The index of a slot among those of the ranges; -1 if it is in none. @param {number} slot @param {import('./frame.js').Range[]} ranges */
function packedIndex(slot, ranges) {
  let before = 0;
  for (const { first, count } of ranges) {
    if (slot >= first && slot < first + count) return before + slot - first;
    before += count;
  }
  return -1;
}
