// SPDX-License-Identifier: MIT
// Eases corrections: what is shown after a correction begins where it was shown before, and comes to its right place within a
// tenth of a second.

const EASE_MS = 100; // to a twentieth of the correction
const RATE = Math.log(20) / EASE_MS;
const LEAST_M = 1e-5; // smaller corrections are not eased
const DECAY_LEAST = 0.01; // of a correction that is eased
const FRAME_HEADER = 32; // bytes
const RANGES = 1; // a flag: ranges precede the positions

/** @typedef {{count: number, x: Float32Array, y: Float32Array, z: Float32Array}} Positions */

export class Easing {
  /** What is shown, minus what is right, in m: x, y, z of each particle. */
  #offsets = new Float32Array(0);
  #at = 0; // when these were right
  #moving = false;

  /** Whether something is shown elsewhere than where it is. */
  get isMoving() {
    return this.#moving;
  }

  forget() {
    this.#moving = false;
  }

  /** Before a correction. @param {Positions} positions @param {number} now */
  begin({ count, x, y, z }, now) {
    const before = this.#moving && this.#offsets.length === 3 * count ? this.#offsets : null;
    const decay = before ? Math.exp(-RATE * (now - this.#at)) : 0;
    const offsets = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) {
      offsets[3 * i] = x[i] + (before ? decay * before[3 * i] : 0);
      offsets[3 * i + 1] = y[i] + (before ? decay * before[3 * i + 1] : 0);
      offsets[3 * i + 2] = z[i] + (before ? decay * before[3 * i + 2] : 0);
    }
    this.#offsets = offsets;
    this.#at = now;
  }

  /** After it. @param {Positions} positions */
  end({ count, x, y, z }) {
    const offsets = this.#offsets;
    if (offsets.length !== 3 * count) { // something came or went
      this.#moving = false;
      return;
    }
    let most = 0;
    for (let i = 0; i < count; i++) {
      offsets[3 * i] -= x[i];
      offsets[3 * i + 1] -= y[i];
      offsets[3 * i + 2] -= z[i];
      most = Math.max(most, Math.abs(offsets[3 * i]), Math.abs(offsets[3 * i + 1]), Math.abs(offsets[3 * i + 2]));
    }
    this.#moving = most > LEAST_M;
  }

  /**
   * A frame of the coding "raw" with the positions where they are shown.
   * @param {Uint8Array} frame @param {number} now
   */
  apply(frame, now) {
    if (!this.#moving) return frame;
    const decay = Math.exp(-RATE * (now - this.#at));
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const length = (frame.byteLength - FRAME_HEADER) / 4;
    if (decay < DECAY_LEAST || length !== this.#offsets.length || (view.getUint16(2, true) & RANGES) !== 0) {
      this.#moving = false;
      return frame;
    }
    const eased = frame.slice();
    const positions = new Float32Array(eased.buffer, FRAME_HEADER, length);
    for (let i = 0; i < length; i++) positions[i] += decay * this.#offsets[i];
    return eased;
  }
}
