// SPDX-License-Identifier: MIT
// Chooses the precision of the positions that the page subscribes to: 1/4096 m by default, 1/1024 m if decoding finer ones
// takes too much of the worker's time, as with many thousand moving particles on a slow machine. Pure.

const FINE = 1 / 4096; // m
const COARSE = 1 / 1024; // takes half the time to decode
const SLOW = 0.24; // share of the worker's time: 4 ms per frame at 60 Hz, besides the worker's other tasks
const QUICK = 0.1; // below this share of its time, finer positions are affordable
const MANY = 10000; // with fewer particles, decoding is not what takes the time
const SAMPLES_TO_COARSER = 3; // consecutive samples before positions get coarser
const SAMPLES_TO_FINER = { least: 6, most: 192 }; // consecutive samples before positions get finer

/** The precision that is chosen first, m. */
export const FIRST_STEP = FINE;

/** The rule that chooses the precision. */
export class Precision {
  #slow = 0;

  #quick = 0;

  #patience = SAMPLES_TO_FINER.least;

  /** m: the step to which positions are rounded */
  step = FIRST_STEP;

  /**
   * Adds a sample.
   * @param {number} share share of its time that the worker has spent decoding since the previous sample
   * @param {number} particles number of particles in the world
   * @returns {boolean} whether the step has changed
   */
  observe(share, particles) {
    this.#slow = share > SLOW && particles > MANY ? this.#slow + 1 : 0;
    this.#quick = share < QUICK ? this.#quick + 1 : 0;
    if (this.step === FINE && this.#slow >= SAMPLES_TO_COARSER) return this.#change(COARSE);
    if (this.step === COARSE && this.#quick >= this.#patience) {
      this.#patience = Math.min(SAMPLES_TO_FINER.most, 2 * this.#patience); // in case the finer step does not last
      return this.#change(FINE);
    }
    return false;
  }

  /** @param {number} step */
  #change(step) {
    this.step = step;
    this.#slow = this.#quick = 0;
    return true;
  }
}
