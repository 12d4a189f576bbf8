// SPDX-License-Identifier: MIT
// Geometry of surfaces: the neighbours of a vertex (which give its normal), the weave of a cloth, and shapes embedded in four
// particles. Pure arithmetic.

/** @import { Hull } from '../../client/topology.js' */

/**
 * Four neighbours of each vertex of a surface, in order: the cross product of the diagonals of their quad is the normal. They
 * are a quarter of the ring of neighbours apart; a vertex on the border is itself part of its ring.
 * @param {Uint32Array} triangles
 * @param {number} count number of vertices; one without a triangle is its own neighbour
 * @returns {Uint32Array} 4 per vertex
 */
export function aroundOf(triangles, count) {
  const { starts, fans } = fansOf(triangles, count);
  const around = new Uint32Array(4 * count);
  const ring = new Uint32Array(fans.length + 2);
  for (let v = 0; v < count; v++) {
    around.fill(v, 4 * v, 4 * v + 4);
    if (starts[v] === starts[v + 1]) continue;
    let size = ringOf(fans, starts[v], starts[v + 1], ring);
    if (size < 0) { // an open ring: the vertex itself closes it
      size = -size;
      ring[size++] = v;
    }
    if (size === 3) around.set([ring[2], ring[2], ring[0], ring[1]], 4 * v);
    else for (let k = 0; k < 4; k++) around[4 * v + k] = ring[Math.floor((k * size) / 4)];
  }
  return around;
}

/**
 * The border of a surface: its edges that belong to one triangle, two vertices each.
 * @param {Uint32Array} triangles facing the same way on both sides of an edge
 * @param {number} count number of vertices
 */
export function rimOf(triangles, count) {
  const { starts, fans } = fansOf(triangles, count);
  const rim = [];
  for (let v = 0; v < count; v++) {
    for (let e = starts[v]; e < starts[v + 1]; e += 2) {
      let inside = false; // whether another triangle has this edge in the other direction
      for (let o = starts[v] + 1; o < starts[v + 1] && !inside; o += 2) inside = fans[o] === fans[e];
      if (!inside) rim.push(v, fans[e]);
    }
  }
  return Uint32Array.from(rim);
}

/**
 * The edges opposite to each vertex, two numbers each; those of vertex v begin at starts[v].
 * @param {Uint32Array} triangles @param {number} count
 */
function fansOf(triangles, count) {
  const starts = new Uint32Array(count + 2);
  for (let i = 0; i < triangles.length; i++) starts[triangles[i] + 2] += 2;
  for (let v = 2; v < starts.length; v++) starts[v] += starts[v - 1];
  const fans = new Uint32Array(2 * triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const first = i - (i % 3);
    const at = starts[triangles[i] + 1];
    fans[at] = triangles[first + ((i + 1) % 3)];
    fans[at + 1] = triangles[first + ((i + 2) % 3)];
    starts[triangles[i] + 1] += 2;
  }
  return { starts, fans };
}

/**
 * Joins the edges of a fan and writes the vertices on the way; returns a negative number if the ring is not closed.
 * @param {Uint32Array} fans @param {number} start @param {number} end @param {Uint32Array} ring
 */
function ringOf(fans, start, end, ring) {
  let first = start;
  for (let e = start; e < end; e += 2) {
    let entered = false;
    for (let o = start + 1; o < end && !entered; o += 2) entered = fans[o] === fans[e];
    if (!entered) first = e;
  }
  ring[0] = fans[first];
  ring[1] = fans[first + 1];
  let size = 2;
  for (let turn = start + 2; turn < end; turn += 2) {
    let next = start;
    while (next < end && fans[next] !== ring[size - 1]) next += 2;
    if (next >= end) break;
    if (fans[next + 1] === ring[0]) return size;
    ring[size++] = fans[next + 1];
  }
  return -size;
}

/**
 * Weave coordinates (in spacings) and a brightness for each particle of a cloth: the hem is darker, and two stripes run along
 * the ends. Particles added by tearing copy those of the particle whose corner they replaced.
 * @param {import('../../client/topology.js').WorldObject} cloth
 * @param {Uint32Array} lattice the triangles before the cloth tore, in the same order as its present ones
 */
export function weave({ columns = 0, rows = 0, mesh, particles, triangles }, lattice) {
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

/**
 * Computes the vertices of a shape embedded in four particles, and writes them to `vertices` (3 numbers each).
 * @param {Hull} hull @param {ArrayLike<number>} particles @param {Float32Array} vertices
 */
export function embed({ weights }, particles, vertices) {
  for (let v = 0, w = 0; v < vertices.length; v += 3, w += 4) {
    const a = weights[w], b = weights[w + 1], c = weights[w + 2], d = weights[w + 3];
    for (let axis = 0; axis < 3; axis++) {
      vertices[v + axis] = a * particles[axis] + b * particles[axis + 3] + c * particles[axis + 6] + d * particles[axis + 9];
    }
  }
}

const COPLANAR = 1e-4; // tolerance relative to six times the volume of the tetrahedron that carries the shape

/**
 * For drawing edges: three numbers per corner of each triangle, 0 on visible edges and larger away from them. Edges within a
 * flat face of an embedded shape are not drawn: four weights are a vertex's coordinates, so four vertices are coplanar if the
 * determinant of their weights is 0.
 * @param {Uint32Array} triangles
 * @param {Float32Array | null} weights weights of an embedded shape
 * @param {Uint8Array} [smooth] 1 for each triangle of a round surface, which has no edges
 */
export function edgeDistances(triangles, weights, smooth) {
  const distances = new Float32Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) distances[3 * corner + (corner % 3)] = 1;
  if (smooth) {
    for (let corner = 0; corner < triangles.length; corner++) if (smooth[Math.floor(corner / 3)]) distances.fill(1, 3 * corner, 3 * corner + 3);
  }
  if (!weights) return distances;
  const opposite = new Map(); // edge → the corner opposite to it in the first triangle with this edge
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

/**
 * Hides the edge opposite to a corner.
 * @param {Float32Array} distances @param {number} corner
 */
function hideEdge(distances, corner) {
  const first = corner - (corner % 3);
  for (let k = 0; k < 3; k++) distances[3 * (first + k) + (corner % 3)] = 1;
}

/** @param {Float32Array} weights @param {number} a @param {number} b @param {number} c @param {number} d */
function determinant(weights, a, b, c, d) {
  const [p, q, r, s] = [a, b, c, d].map((vertex) => weights.subarray(4 * vertex, 4 * vertex + 4));
  /** @param {number} i @param {number} j @param {number} k */
  const minor = (i, j, k) => q[i] * (r[j] * s[k] - r[k] * s[j]) - q[j] * (r[i] * s[k] - r[k] * s[i]) + q[k] * (r[i] * s[j] - r[j] * s[i]);
  return p[0] * minor(1, 2, 3) - p[1] * minor(0, 2, 3) + p[2] * minor(0, 1, 3) - p[3] * minor(0, 1, 2);
}
