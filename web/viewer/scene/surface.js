// SPDX-License-Identifier: MIT
// Triangles and normals of surfaces: the lattices of cloths (as proto/FRAMES.md says they follow from columns and rows),
// the faces of a tetrahedron, and vertex normals from positions. Pure arithmetic, nothing is allocated per frame.

/** Faces of a body, wound outwards. */
export const TETRAHEDRON = new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]);

/**
 * Vertex normals: every triangle's cross product (its length is twice its area, so large triangles count more) summed at
 * its corners, then made unit length.
 */
export function computeNormals(positions, triangles, normals) {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
    const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    normals[a] += nx; normals[a + 1] += ny; normals[a + 2] += nz;
    normals[b] += nx; normals[b + 1] += ny; normals[b + 2] += nz;
    normals[c] += nx; normals[c + 1] += ny; normals[c + 2] += nz;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i], y = normals[i + 1], z = normals[i + 2];
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    normals[i] = x * scale;
    normals[i + 1] = y * scale;
    normals[i + 2] = z * scale;
  }
}

/**
 * Weave coordinates (in spacings) and a brightness per particle of a cloth: its hem is darker, and two stripes run along
 * its ends.
 */
export function weave({ columns, rows, mesh }) {
  const uv = new Float32Array(2 * columns * rows);
  const colors = new Float32Array(3 * columns * rows);
  const inset = Math.max(2, Math.round(rows * 0.1));
  for (let row = 0; row < rows; row++) {
    const fromEnd = Math.min(row, rows - 1 - row);
    const stripe = rows >= 16 && (fromEnd === inset || fromEnd === inset + 2);
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      const shift = mesh === 'hex' && row % 2 === 1 ? 0.5 : 0;
      const hem = fromEnd === 0 || column === 0 || column === columns - 1;
      uv[2 * i] = column + shift;
      uv[2 * i + 1] = mesh === 'hex' ? row * 0.866 : row;
      colors.fill(stripe ? 1.7 : hem ? 0.7 : 1, 3 * i, 3 * i + 3);
    }
  }
  return { uv, colors };
}
