// SPDX-License-Identifier: MIT
// The two errors of the client: WeftError, what a call was refused with, and FrameError, a binary message that breaks the layout.

/** Why a call failed: as the server said it, or `code` 'closed' (the connection went) or 'worker' (its worker died). */
export class WeftError extends Error {
  /**
   * @param {number | string} code JSON-RPC error code, or 'closed' or 'worker'
   * @param {string} message one sentence
   * @param {object} [data] what the server added: `pointer`, `suggestion`, `retryAfterMs` …
   */
  constructor(code, message, data) {
    super(message);
    this.name = 'WeftError';
    this.code = code;
    this.data = data;
  }
}

/** A binary message that is not what proto/FRAMES.md says. */
export class FrameError extends Error {
  /** @param {string} message one sentence */
  constructor(message) {
    super(message);
    this.name = 'FrameError';
  }
}
