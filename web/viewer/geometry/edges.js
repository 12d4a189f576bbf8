// SPDX-License-Identifier: MIT
// Chooses the edges of a mesh to draw as lines: each edge once; of a fine mesh only the sharp edges and the borders. Pure.

const FINE = 40000; // number of triangles above which only sharp edges and borders are drawn
const SHARP = Math.cos((15 * Math.PI) / 180); // cosine of the angle between the normals of the two faces

/**
 * @param {import('./mesh.js').Mesh} mesh
 * @returns {Uint32Array} two vertices per edge
 */
export function drawnEdges({ positions, triangles }) {
  const sides = triangles.length;
  const least = new Uint32Array(sides);
  const most = new Uint32Array(sides);
  for (let side = 0; side < sides; side++) {
    const [a, b] = [triangles[side], triangles[side % 3 === 2 ? side - 2 : side + 1]];
    least[side] = Math.min(a, b);
    most[side] = Math.max(a, b);
  }
  const order = sortedSides(least, most, positions.length / 3);
  const normals = sides > 3 * FINE ? normalsOf(positions, triangles) : null;
  const edges = [];
  for (let at = 0; at < sides;) {
    const side = order[at];
    let end = at + 1;
    while (end < sides && least[order[end]] === least[side] && most[order[end]] === most[side]) end++;
    if (!normals || isSharp(normals, order, at, end)) edges.push(least[side], most[side]);
    at = end;
  }
  return Uint32Array.from(edges);
}

/**
 * Sorts the sides of all triangles by their vertices, with two counting sorts.
 * @param {Uint32Array} least @param {Uint32Array} most @param {number} vertices
 */
function sortedSides(least, most, vertices) {
  /** @param {Uint32Array} keys @param {Uint32Array} order */
  const sortBy = (keys, order) => {
    const starts = new Uint32Array(vertices + 1);
    for (const key of keys) starts[key + 1]++;
    for (let i = 0; i < vertices; i++) starts[i + 1] += starts[i];
    const sorted = new Uint32Array(order.length);
    for (const side of order) sorted[starts[keys[side]]++] = side;
    return sorted;
  };
  return sortBy(least, sortBy(most, Uint32Array.from(least, (_, side) => side)));
}

/** @param {Float32Array} p @param {Uint32Array} triangles */
function normalsOf(p, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(x, y, z) || 1;
    normals[t] = x / length;
    normals[t + 1] = y / length;
    normals[t + 2] = z / length;
  }
  return normals;
}

/** @param {Float32Array} normals @param {Uint32Array} order @param {number} from @param {number} to */
function isSharp(normals, order, from, to) {
  if (to - from !== 2) return true; // a border, or an edge of more than two faces
  const [a, b] = [order[from], order[from + 1]].map((side) => side - (side % 3));
  return normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2] <= SHARP;
}
