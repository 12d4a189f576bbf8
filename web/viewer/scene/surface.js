// SPDX-License-Identifier: MIT
// What surfaces are made of: normals from positions, the weave of a cloth, shapes embedded in four particles. Pure
// arithmetic, nothing is allocated per frame.

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
 * its ends. Particles that tearing added take after the one whose corner they took over.
 * @param {object} cloth of the topology
 * @param {Uint32Array} lattice the triangles it had before it tore, in the order of those it has
 */
export function weave({ columns, rows, mesh, particles, triangles }, lattice) {
  const uv = new Float32Array(2 * particles);
  const colors = new Float32Array(3 * particles);
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
  for (let corner = 0; particles > columns * rows && corner < triangles.length; corner++) {
    const i = triangles[corner];
    const whole = lattice[corner];
    if (i < columns * rows) continue;
    uv.copyWithin(2 * i, 2 * whole, 2 * whole + 2);
    colors.copyWithin(3 * i, 3 * whole, 3 * whole + 3);
  }
  return { uv, colors };
}

/** Vertices of a shape embedded in four particles, written to `vertices` (3 numbers each). */
export function embed({ weights }, particles, vertices) {
  for (let v = 0, w = 0; v < vertices.length; v += 3, w += 4) {
    const a = weights[w], b = weights[w + 1], c = weights[w + 2], d = weights[w + 3];
    for (let axis = 0; axis < 3; axis++) {
      vertices[v + axis] = a * particles[axis] + b * particles[axis + 3] + c * particles[axis + 6] + d * particles[axis + 9];
    }
  }
}

const COPLANAR = 1e-4; // of the volume of the tetrahedron that carries the shape, times six

/**
 * For drawing edges: three numbers a corner of each triangle, 0 on the edges that are to be seen and more away from them.
 * Edges within a flat face of an embedded shape are not: four weights are a vertex's coordinates, so four vertices lie in a
 * plane where the determinant of theirs is 0.
 * @param {Uint32Array} triangles
 * @param {Float32Array | null} weights of an embedded shape
 */
export function edgeDistances(triangles, weights) {
  const distances = new Float32Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) distances[3 * corner + (corner % 3)] = 1;
  if (!weights) return distances;
  const opposite = new Map(); // edge → the corner opposite to it in the one of its triangles that was met first
  for (let corner = 0; corner < triangles.length; corner++) {
    const first = corner - (corner % 3);
    const a = triangles[first + ((corner + 1) % 3)];
    const b = triangles[first + ((corner + 2) % 3)];
    const edge = Math.min(a, b) * 65536 + Math.max(a, b);
    const other = opposite.get(edge);
    if (other === undefined) opposite.set(edge, corner);
    else if (Math.abs(determinant(weights, a, b, triangles[corner], triangles[other])) < COPLANAR) {
      for (const hidden of [corner, other]) hideEdge(distances, hidden);
    }
  }
  return distances;
}

// The edge opposite to a corner is where that corner's coordinate is 0: nowhere, then.
function hideEdge(distances, corner) {
  const first = corner - (corner % 3);
  for (let k = 0; k < 3; k++) distances[3 * (first + k) + (corner % 3)] = 1;
}

function determinant(weights, a, b, c, d) {
  const [p, q, r, s] = [a, b, c, d].map((vertex) => weights.subarray(4 * vertex, 4 * vertex + 4));
  const minor = (i, j, k) => q[i] * (r[j] * s[k] - r[k] * s[j]) - q[j] * (r[i] * s[k] - r[k] * s[i]) + q[k] * (r[i] * s[j] - r[j] * s[i]);
  return p[0] * minor(1, 2, 3) - p[1] * minor(0, 2, 3) + p[2] * minor(0, 1, 3) - p[3] * minor(0, 1, 2);
}
