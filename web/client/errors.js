// SPDX-License-Identifier: MIT
// The client's errors: WeftError for a call that failed, and FrameError for a malformed binary message.

/** The reason why a call failed: the server's error, or `code` 'closed' (the connection was lost), 'worker' (the worker
 * failed), or of handOver 'past' (the world shows its past) or 'large' (the server takes no message of that size). */
export class WeftError extends Error {
  /**
   * @param {number | string} code JSON-RPC error code, or 'closed' or 'worker'
   * @param {string} message one sentence
   * @param {object} [data] further details from the server: `pointer`, `suggestion`, `retryAfterMs` …
   */
  constructor(code, message, data) {
    super(message);
    this.name = 'WeftError';
    this.code = code;
    this.data = data;
  }
}

/** Whether the connection was lost before the reply arrived. @param {unknown} error */
export function isCutOff(error) {
  return error instanceof WeftError && error.code === 'closed';
}

/** A binary message that violates proto/FRAMES.md. */
export class FrameError extends Error {
  /** @param {string} message one sentence */
  constructor(message) {
    super(message);
    this.name = 'FrameError';
  }
}
