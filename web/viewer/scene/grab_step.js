// SPDX-License-Identifier: MIT
// The positions that a drag sends are rounded to what can be seen: so short numbers make short histories, and links that hold many
// drags (client/local/link.js).

const STEPS_IN_PIXEL = 4;
const FINEST = 2 ** -20; // m

/**
 * A position rounded to a power of two metres, at most a quarter of a pixel. Pure.
 * @param {number[]} position m @param {number} pixel the size of a pixel there, m @returns {number[]}
 */
export function roundedTo(position, pixel) {
  const step = Math.max(FINEST, 2 ** Math.floor(Math.log2(pixel / STEPS_IN_PIXEL)));
  return position.map((value) => Math.round(value / step) * step);
}
