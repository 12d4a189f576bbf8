// SPDX-License-Identifier: MIT
// Frames from ticks that this client computes itself: loads the engine, follows the world with it, and decides what happens
// when the two worlds differ or this machine is too slow.

import { Follower } from './follower.js';

const TRUST_MS = 60000; // two differences within this time, and the server's frames are used instead

/** What the figures say about where frames come from. */
export const REASONS = {
  computed: 'This page computes the ticks itself.',
  differs: 'The state computed here differed from the server’s twice within a minute.',
  slow: 'This machine is too slow to compute the ticks.',
  failed: 'The engine could not follow the world.',
};

export class TicksSource {
  #options;
  /** @type {Follower | null} */
  #follower = null;
  #differedAt = -Infinity;

  /**
   * @param {object} options
   * @param {() => Promise<import('./follower.js').Engine>} options.load
   * @param {(message: Uint8Array) => void} options.tell takes topologies and frames
   * @param {() => void} options.renew asks the server for another snapshot
   * @param {(reason: keyof typeof REASONS, error: Error) => void} options.giveUp the server's frames are to be used from here on
   */
  constructor(options) {
    this.#options = options;
  }

  get state() {
    return this.#follower?.state ?? null;
  }

  /** A subscription to ticks begins. @param {{world: string, tickHz: number}} hello */
  begin({ world, tickHz }) {
    this.end();
    const { load, tell } = this.#options;
    this.#follower = new Follower({ load, tell, name: world, tickHz, fail: (reason, error) => this.#fail(reason, error) });
  }

  /** @param {Uint8Array} message of type 5 or 6 */
  receive(message) {
    this.#follower?.receive(message);
  }

  end() {
    this.#follower?.end();
    this.#follower = null;
  }

  /** @param {'differs' | 'slow' | 'failed'} reason @param {Error} error */
  #fail(reason, error) {
    this.#follower = null;
    const now = performance.now();
    if (reason === 'slow' || now - this.#differedAt < TRUST_MS) {
      this.#options.giveUp(reason, error);
      return;
    }
    this.#differedAt = now;
    this.#options.renew();
  }
}
