// SPDX-License-Identifier: MIT
// Decodes a QR code drawn with half blocks in a terminal: versions 1 to 5 at error correction level L, byte mode, undamaged.
// Such a code has one block of codewords (ISO/IEC 18004, 7.5 and 7.7), so the data can be read without error correction.
const QUIET_ZONE = 4;

const masks = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (row, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

// Converts lines of half blocks, with light modules drawn, to rows of booleans: true is a dark module. The quiet zone is
// removed.
export function modulesOf(lines) {
  const rows = lines.flatMap((line) => [
    [...line].map((cell) => cell === ' ' || cell === '▄'),
    [...line].map((cell) => cell === ' ' || cell === '▀'),
  ]);
  const size = rows[0].length - 2 * QUIET_ZONE;
  return rows.slice(QUIET_ZONE, QUIET_ZONE + size).map((row) => row.slice(QUIET_ZONE, QUIET_ZONE + size));
}

function isFunction(row, column, size) {
  const finder = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9);
  const alignment = size > 21 && Math.abs(row - (size - 7)) <= 2 && Math.abs(column - (size - 7)) <= 2;
  return finder || alignment || row === 6 || column === 6;
}

// Returns the text of a code. Throws if the drawing is no valid code.
export function textOf(modules) {
  const size = modules.length;
  const ring = [[0, 0], [0, size - 7], [size - 7, 0]];
  for (const [row, column] of ring) {
    for (let i = 0; i < 7; i++) if (!modules[row][column + i] || !modules[row + i][column]) throw new Error('no finder');
    if (modules[row + 1][column + 1] || !modules[row + 3][column + 3]) throw new Error('no finder');
  }
  const mask = masks[parseInt([2, 3, 4].map((column) => Number(modules[8][column])).join(''), 2) ^ 0b101];
  let bits = '';
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2, upwards = !upwards) {
    if (right === 6) right = 5; // skips the column of the timing pattern
    for (let i = 0; i < size; i++) {
      const row = upwards ? size - 1 - i : i;
      for (const column of [right, right - 1]) {
        if (!isFunction(row, column, size)) bits += Number(modules[row][column] !== mask(row, column));
      }
    }
  }
  const number = (at, length) => parseInt(bits.slice(at, at + length), 2);
  if (number(0, 4) !== 0b0100) throw new Error('not in byte mode');
  return Buffer.from(Array.from({ length: number(4, 8) }, (_, i) => number(12 + 8 * i, 8))).toString();
}
