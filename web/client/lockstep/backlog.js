// SPDX-License-Identifier: MIT
// Decides whether a machine can keep up with the ticks of another world. A backlog that shrinks, as after a slow start or a
// pause of the page, is no reason to give up.

const CONSIDERABLE_SECONDS = 0.5; // a backlog below that is not counted
const PATIENCE_MS = 2000; // as long without progress, this machine cannot keep up

export class Backlog {
  #considerable;
  #least = Infinity;
  #leastAt = 0;

  /** @param {number} tickHz ticks a second of the other world */
  constructor(tickHz) {
    this.#considerable = CONSIDERABLE_SECONDS * tickHz;
  }

  /**
   * Whether the backlog has not become smaller for two seconds.
   * @param {number} ticks that are known and not computed yet @param {number} now in ms, on any clock
   */
  isHopeless(ticks, now) {
    if (ticks <= this.#considerable) {
      this.#least = Infinity;
      return false;
    }
    if (ticks < this.#least) {
      this.#least = ticks;
      this.#leastAt = now;
    }
    return now - this.#leastAt > PATIENCE_MS;
  }
}
