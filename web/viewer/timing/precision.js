// SPDX-License-Identifier: MIT
// How finely the page asks for positions: a millimetre where decoding finer ones would take too much of the worker's time, as that
// of many thousand moving particles does on a slow machine, and a quarter of one otherwise. Pure.

const FINE = 1 / 4096; // m
const COARSE = 1 / 1024; // decoded in half the time
const SLOW = 0.24; // of the worker's time: 4 ms of a frame at 60 Hz, beside what else it does
const QUICK = 0.1; // of its time: finer ones can be afforded
const MANY = 10000; // particles: where there are fewer it is not their decoding that takes long
const HASTE = 3; // looks in a row after which positions get coarser
const PATIENCE = { least: 6, most: 192 }; // the same for finer ones

/** The rule by which the page chooses. */
export class Precision {
  #slow = 0;

  #quick = 0;

  #patience = PATIENCE.least;

  /** m: what positions are rounded to. */
  step = FINE;

  /**
   * Takes one look.
   * @param {number} share of its time that the worker has spent decoding since the look before
   * @param {number} particles in the world
   * @returns {boolean} whether the step has changed
   */
  observe(share, particles) {
    this.#slow = share > SLOW && particles > MANY ? this.#slow + 1 : 0;
    this.#quick = share < QUICK ? this.#quick + 1 : 0;
    if (this.step === FINE && this.#slow >= HASTE) return this.#change(COARSE);
    if (this.step === COARSE && this.#quick >= this.#patience) {
      this.#patience = Math.min(PATIENCE.most, 2 * this.#patience); // should it not hold
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
