// SPDX-License-Identifier: MIT
// Exponential backoff for reconnecting: the delay doubles from 0.25 s to 5 s. Half of each delay is random, so that the
// clients of a server that restarts do not all reconnect at the same moment. Where another node takes the world over within
// seconds, the first attempts follow one another within a second.

const FIRST_MS = 250;
const MOST_MS = 5000;
const TAKEOVER_MOST_MS = 1000;
const TAKEOVER_ATTEMPTS = 10;

export class Backoff {
  #failures = 0;
  #random;

  /** @param {() => number} [random] a random number in [0, 1) */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /**
   * @param {boolean} [takenOver] whether another node takes the world over
   * @returns {number} the delay before the next attempt, in ms; each call counts one more failed attempt
   */
  next(takenOver = false) {
    const bound = takenOver && this.isEarly ? TAKEOVER_MOST_MS : MOST_MS;
    const most = Math.min(bound, FIRST_MS * 2 ** Math.min(this.#failures, 16));
    this.#failures++;
    return Math.round(most * (0.5 + 0.5 * this.#random()));
  }

  /** Whether so few attempts have failed that a takeover may still be under way. */
  get isEarly() {
    return this.#failures < TAKEOVER_ATTEMPTS;
  }

  reset() {
    this.#failures = 0;
  }
}
