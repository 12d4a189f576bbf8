// SPDX-License-Identifier: MIT
// Buffers of decoded frames, used again once the reader hands them back. A world's frames are all of one length until its layout
// changes, so the pool holds buffers of one length only and lets those of another go.

const KEPT_MOST = 8;

export class BufferPool {
  /** @type {ArrayBuffer[]} */
  #buffers = [];

  #byteLength = 0;

  /** @param {number} byteLength @returns {ArrayBuffer} */
  take(byteLength) {
    if (byteLength !== this.#byteLength) {
      this.#byteLength = byteLength;
      this.#buffers.length = 0;
    }
    return this.#buffers.pop() ?? new ArrayBuffer(byteLength);
  }

  /** @param {ArrayBuffer} buffer that nobody else uses any more */
  give(buffer) {
    if (buffer.byteLength === 0 || buffer.byteLength !== this.#byteLength) return;
    if (this.#buffers.length < KEPT_MOST) this.#buffers.push(buffer);
  }
}
