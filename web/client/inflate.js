// SPDX-License-Identifier: MIT
// Decompression with a limit: what comes from elsewhere must not fill the memory.

/**
 * Throws an Error if the bytes are damaged or become too many.
 * @param {Uint8Array} bytes a zlib stream @param {number} most bytes that it may become @returns {Promise<Uint8Array>}
 */
export async function inflate(bytes, most) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  const pieces = [];
  let length = 0;
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    const piece = /** @type {Uint8Array} */ (value);
    length += piece.length;
    if (length > most) {
      await reader.cancel();
      throw new Error(`The compressed bytes become more than ${most}, which is the most that is read.`);
    }
    pieces.push(piece);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
