// SPDX-License-Identifier: MIT
// Reduces the mesh of a file for each object that can be made from it: cloth, body, soft body or obstacle. Pure.
import { compact, FileFault, outermost } from './mesh.js';
import { tetrahedralized, volumeOf } from './tetrahedra.js';
/** @import { Mesh } from './mesh.js' */

const SLIVER = 1e-5; // least height of an obstacle's triangle, relative to its longest side: ten times the server's limit
const ROUNDING = 4e-6; // the most that rounding to 6 digits can lower that height, relative to the extent

/**
 * By use: computes the mesh to send from the mesh of the file, the upper limit of elements, and simplify() of read.js.
 * @type {Record<string, (mesh: import('./mesh.js').Mesh, most: number, simplify: Function) => {positions: Float32Array, triangles: Uint32Array|null, tetrahedra?: Uint32Array}>}
 */
export const REDUCTIONS = {
  // A closed cloth can be filled with gas, which requires that its faces are oriented outwards.
  cloth: (mesh, most, simplify) => outward(simplify(mesh, most)),
  soft: (mesh, most) => tetrahedralized(mesh, most),
  // A body is the convex hull of its corners, so only the outermost ones matter.
  body: ({ positions }, most) => ({ positions: outermost(positions, most), triangles: null }),
  obstacle: (mesh, most, simplify) => outward(withoutSlivers(simplify(mesh, most))),
};

/**
 * Removes triangles whose corners are collinear or nearly so, before or after rounding: the server refuses an obstacle with
 * such triangles.
 * @param {Mesh} mesh
 */
function withoutSlivers({ positions: p, triangles }) {
  const reach = p.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  /** @param {number} a @param {number} b */
  const distance = (a, b) => Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]);
  const kept = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const longest = Math.max(distance(a, b), distance(b, c), distance(c, a));
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const height = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / longest;
    if (height > SLIVER * longest + ROUNDING * reach) kept.push(triangles[t], triangles[t + 1], triangles[t + 2]);
  }
  if (kept.length === 0) throw new FileFault('All its triangles are degenerate.');
  return compact(p, kept);
}

/** Orients the faces outwards, as an obstacle and gas require: the volume that they enclose must not be negative. @param {Mesh} mesh */
function outward({ positions, triangles }) {
  if (volumeOf({ positions, triangles }) >= 0) return { positions, triangles };
  const turned = triangles.slice();
  for (let t = 0; t < turned.length; t += 3) [turned[t + 1], turned[t + 2]] = [turned[t + 2], turned[t + 1]];
  return compact(positions, turned);
}
