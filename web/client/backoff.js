// SPDX-License-Identifier: MIT
// How long to wait before the next attempt: doubling from 0.25 s to 5 s, and half of it by chance, so that the clients of a
// server that comes back do not all arrive at once.

const FIRST_MS = 250;
const MOST_MS = 5000;

export class Backoff {
  #failures = 0;
  #random;

  /** @param {() => number} [random] in [0, 1) */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** @returns {number} ms to wait after one more failure */
  next() {
    const most = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(this.#failures, 16));
    this.#failures++;
    return Math.round(most * (0.5 + 0.5 * this.#random()));
  }

  reset() {
    this.#failures = 0;
  }
}
