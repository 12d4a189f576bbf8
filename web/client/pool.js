// SPDX-License-Identifier: MIT
// Reuses the buffers of decoded frames once the reader has returned them. All frames of a world have one length until its
// layout changes, so the pool keeps buffers of one length only and drops others.

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

  /** @param {ArrayBuffer} buffer a buffer that is no longer in use */
  give(buffer) {
    if (buffer.byteLength === 0 || buffer.byteLength !== this.#byteLength) return;
    if (this.#buffers.length < KEPT_MOST) this.#buffers.push(buffer);
  }
}
