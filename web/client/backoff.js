// SPDX-License-Identifier: MIT
// Exponential backoff for reconnecting: the delay doubles from 0.25 s to 5 s. Half of each delay is random, so that the
// clients of a server that restarts do not all reconnect at the same moment. Where other servers take its worlds within seconds,
// the first delays grow to 1 s only.

const FIRST_MS = 250;
const MOST_MS = 5000;
const SOON_MOST_MS = 1000;
const SOON_TRIES = 12;

export class Backoff {
  #failures = 0;
  #random;

  /** @param {() => number} [random] a random number in [0, 1) */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /**
   * @param {boolean} [soon] whether others take the place of a server that is lost
   * @returns {number} the delay before the next attempt, in ms; each call counts one more failed attempt
   */
  next(soon = false) {
    const limit = soon && this.#failures < SOON_TRIES ? SOON_MOST_MS : MOST_MS;
    const most = Math.min(limit, FIRST_MS * 2 ** Math.min(this.#failures, 16));
    this.#failures++;
    return Math.round(most * (0.5 + 0.5 * this.#random()));
  }

  reset() {
    this.#failures = 0;
  }
}
