// SPDX-License-Identifier: MIT
// Triangles and sticks that follow from an object's kind, so the server does not send them: the triangles of a cloth grid and
// of a tetrahedron, the links of a rope, the axes of a frame body. Indices are local to the object. The triangles of a cloth
// are counter-clockwise as seen from local +z, those of a body as seen from outside.

const BODY_TRIANGLES = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

/**
 * Particle (row, column) of a cloth has the index row·columns + column; rows count downwards. Each quad of four neighbours is
 * two triangles: in a rectangular grid it is split from top right to bottom left; in a hexagonal one, whose odd rows are
 * shifted right by half a spacing, so that all triangles are equilateral.
 * @param {number} columns ≥ 1
 * @param {number} rows ≥ 1
 * @param {'grid' | 'hex'} mesh
 * @returns {Uint32Array} three indices per triangle
 */
export function clothTriangles(columns, rows, mesh) {
  const triangles = new Uint32Array(6 * (columns - 1) * (rows - 1));
  let out = 0;
  for (let row = 0; row + 1 < rows; row++) {
    const fallsRight = mesh === 'hex' && row % 2 === 1;
    for (let column = 0; column + 1 < columns; column++) {
      const topLeft = row * columns + column;
      const topRight = topLeft + 1;
      const bottomLeft = topLeft + columns;
      const bottomRight = bottomLeft + 1;
      triangles[out++] = topLeft;
      triangles[out++] = bottomLeft;
      triangles[out++] = fallsRight ? bottomRight : topRight;
      triangles[out++] = fallsRight ? topLeft : topRight;
      triangles[out++] = fallsRight ? bottomRight : bottomLeft;
      triangles[out++] = fallsRight ? topRight : bottomRight;
    }
  }
  return triangles;
}

/** @returns {Uint32Array} the four faces of a tetrahedron */
export function bodyTriangles() {
  return Uint32Array.from(BODY_TRIANGLES);
}

/**
 * @param {number} particles
 * @returns {Uint32Array} two indices per link
 */
export function ropeSticks(particles) {
  const sticks = new Uint32Array(2 * Math.max(0, particles - 1));
  for (let i = 0; i < sticks.length; i++) sticks[i] = (i + 1) >>> 1;
  return sticks;
}

/** @returns {Uint32Array} two indices per axis */
export function frameSticks() {
  return Uint32Array.of(0, 1, 0, 2, 0, 3);
}
