// SPDX-License-Identifier: MIT
// The hand that pulls at a sheet which can tear. A hand that follows the pointer however fast it moves would rip the sheet off
// its pins. This one slips: it moves no faster than the sheet can follow, and holds back where the sheet is stretched. Whoever
// pulls on steadily is let through after a while, so that the sheet tears at the hand; its pins are never pulled off.

const SPEED = 4; // m/s, of a hand without resistance
const SLIP = 1 / 3; // share of the extension at which the sheet tears, at the hand
const PINS_SLIP = 0.58; // the same at the pins
const BACK = 2; // m/s, of a hand that slips back
const GAIN = 4; // how sharply the hand slows down at the limit
const PATIENCE_S = 0.5; // of pulling at the limit, before the limit rises
const RISE = 1.25; // shares of the extension at which the sheet tears, per second
const ARRIVED = 0.02; // m
const TICK_S = 1 / 60;

/** @typedef {{a: number, b: number, length: number}} Edge two particles, and their distance when the hand took hold, m */

export class Hand {
  #limit; // extension at which the hand slips now, as a share of the length
  #pinsLimit;
  #tear; // extension at which the sheet tears
  #pulled = 0; // s, of pulling at the limit
  /** @type {Edge[]} */
  #own = [];
  /** @type {Edge[]} */
  #pinned = [];
  /** Whether the hand slips now. */
  slips = false;

  /**
   * @param {ArrayLike<number>} positions of the sheet's particles, 3 numbers each, m
   * @param {ArrayLike<number>} triangles 3 particles each
   * @param {ReadonlySet<number>} pins its pinned particles
   * @param {number} particle the one that is held
   * @param {number} tear the ratio of lengths at which the sheet tears, above 1
   */
  constructor(positions, triangles, pins, particle, tear) {
    this.#tear = tear - 1;
    this.#limit = SLIP * this.#tear;
    this.#pinsLimit = PINS_SLIP * this.#tear;
    /** @type {number[]} */
    this.at = [0, 1, 2].map((axis) => positions[3 * particle + axis]);
    for (let corner = 0; corner < triangles.length; corner++) {
      const next = corner % 3 === 2 ? corner - 2 : corner + 1;
      const [a, b] = [triangles[corner], triangles[next]];
      const edge = { a, b, length: distance(positions, a, b) };
      if (a === particle || b === particle) this.#own.push(edge);
      else if (pins.has(a) !== pins.has(b)) this.#pinned.push(edge);
    }
  }

  /**
   * Moves the hand towards a position.
   * @param {ArrayLike<number>} positions the present ones, which may be late
   * @param {number[]} wanted the position of the pointer, m
   * @param {number} seconds since the last call @param {number} delay how late the positions are, s
   * @returns {number[]} where the hand is now, m
   */
  advance(positions, wanted, seconds, delay) {
    const way = wanted.map((value, axis) => value - this.at[axis]);
    const far = Math.hypot(...way);
    const extension = mostExtended(positions, this.#own);
    this.slips = far > ARRIVED && extension > 0.8 * this.#limit;
    this.#pulled = Math.max(0, this.#pulled + (this.slips ? seconds : -seconds));
    this.#limit = (SLIP + RISE * Math.max(0, this.#pulled - PATIENCE_S)) * this.#tear;
    const load = Math.max(extension / this.#limit, mostExtended(positions, this.#pinned) / this.#pinsLimit);
    const late = delay / TICK_S;
    const share = Math.max(-1, Math.min(1, (GAIN / (1 + late / 2)) * (1 - load)));
    const step = Math.max(-BACK * seconds, Math.min(far, (SPEED * seconds) / (1 + late / 4)) * share);
    if (far > 0) this.at = this.at.map((value, axis) => value + (way[axis] / far) * step);
    return this.at;
  }
}

/** @param {ArrayLike<number>} positions @param {number} a @param {number} b */
function distance(positions, a, b) {
  return Math.hypot(positions[3 * a] - positions[3 * b], positions[3 * a + 1] - positions[3 * b + 1], positions[3 * a + 2] - positions[3 * b + 2]);
}

/** The largest extension of these edges as a share of their length, 0 without any. @param {ArrayLike<number>} positions @param {Edge[]} edges */
function mostExtended(positions, edges) {
  let most = 0;
  for (const { a, b, length } of edges) most = Math.max(most, distance(positions, a, b) / length - 1);
  return most;
}
