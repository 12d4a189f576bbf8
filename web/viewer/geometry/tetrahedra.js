// SPDX-License-Identifier: MIT
// Fills a closed surface with tetrahedra, for a soft body: isosurface stuffing (F. Labelle and J. R. Shewchuk: Isosurface
// Stuffing, 2007). A body-centred cubic lattice is laid over the surface; its points close to the surface are moved onto it, and the tetrahedra
// that it still cuts are cut there, so that none is thin. The surface of the result follows the given one; its sharp edges are
// blunted by less than a cell. Pure.
import { FileFault } from './mesh.js';
/** @import { Mesh } from './mesh.js' */

/** @typedef {{positions: Float32Array, triangles: Uint32Array, tetrahedra: Uint32Array}} Solid `triangles`: its surface */

const LONG = 0.24999, SHORT = 0.41189; // shares of a lattice edge within which a point is moved onto the surface, as in the article
const POINTS_MAX = 6e5; // of the lattice
const ROUNDS = 9; // in which the size of the cells is adapted
const ENOUGH = 0.8; // share of the permitted particles
const OFFSET = [0.4142, 0.3178, 0.2361]; // of the lattice, in cells: its points seldom lie exactly on a surface of round numbers

/**
 * @param {Mesh} mesh a closed surface @param {number} most permitted number of particles
 * @returns {Solid} throws a FileFault if the surface is open, or too thin for so few particles
 */
export function tetrahedralized(mesh, most) {
  const closed = checkClosed(mesh);
  let cell = Math.cbrt((2.4 * Math.abs(volumeOf(mesh))) / most) || 1;
  /** @type {Solid | null} */
  let best = null;
  for (let round = 0; round < ROUNDS; round++) {
    const solid = new Lattice(mesh, cell, closed.oriented).fill();
    const count = solid.positions.length / 3;
    if (count <= most && count > (best?.positions.length ?? 0) / 3) best = solid;
    if (count <= most && count >= ENOUGH * most) break;
    cell *= count === 0 ? 0.6 : Math.min(1.6, Math.max(0.6, Math.cbrt(count / (0.9 * most))));
  }
  if (!best) throw new FileFault(`It is too thin to be filled with ${most} particles. Allow more.`);
  return best;
}

/**
 * Whether every edge belongs to two triangles, or another even number. Throws a FileFault that names the first edge which does not.
 * @param {Mesh} mesh
 * @returns {{oriented: boolean}} whether all triangles wind the same way around
 */
export function checkClosed({ positions, triangles }) {
  const vertices = positions.length / 3;
  /** @type {Map<number, number[]>} by edge: its triangles, and in how many more of them it runs upwards than downwards */
  const edges = new Map();
  for (let corner = 0; corner < triangles.length; corner++) {
    const [a, b] = [triangles[corner], triangles[corner % 3 === 2 ? corner - 2 : corner + 1]];
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    const [uses, turn] = edges.get(key) ?? [0, 0];
    edges.set(key, [uses + 1, turn + (a < b ? 1 : -1)]);
  }
  let oriented = true;
  for (const [key, [uses, turn]] of edges) {
    oriented &&= turn === 0;
    if (uses % 2 === 0) continue;
    const [from, to] = [Math.floor(key / vertices), key % vertices].map((vertex) => (
      `(${Array.from(positions.subarray(3 * vertex, 3 * vertex + 3), (value) => Number(value.toPrecision(3))).join(', ')})`));
    throw new FileFault(`It is open at the edge from ${from} to ${to}, measured from its center: ${uses === 1 ? 'only one triangle has' : `${uses} triangles have`} it. ` +
      'A soft body needs a closed surface.');
  }
  return { oriented };
}

/** The volume within a surface; negative if it winds inward. @param {{positions: ArrayLike<number>, triangles: ArrayLike<number>}} mesh */
export function volumeOf({ positions, triangles }) {
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    volume += positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  return volume / 6;
}

// The points of the lattice: the corners of cubes, then their centres, each along z, then y, then x.
class Lattice {
  /** @param {Mesh} mesh @param {number} cell side of a cube @param {boolean} oriented */
  constructor({ positions, triangles }, cell, oriented) {
    this.mesh = { positions, triangles };
    this.cell = cell;
    this.oriented = oriented;
    const [min, max] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    positions.forEach((value, i) => {
      min[i % 3] = Math.min(min[i % 3], value);
      max[i % 3] = Math.max(max[i % 3], value);
    });
    this.origin = min.map((value, axis) => value - (1 + OFFSET[axis]) * cell);
    this.size = max.map((value, axis) => Math.ceil((value - this.origin[axis]) / cell) + 2);
    this.half = this.size[0] * this.size[1] * this.size[2]; // number of points of each of the two kinds
    if (2 * this.half > POINTS_MAX) throw new FileFault('It is too thin to be filled with so few particles. Allow more.');
    this.points = new Float64Array(6 * this.half);
    for (let kind = 0; kind < 2; kind++) {
      this.each(kind, [0, 0, 0], this.size, (index, place) => this.points.set(place, 3 * index));
    }
    this.signs = new Int32Array(2 * this.half);
    this.values = new Float64Array(2 * this.half).fill(Infinity); // distance from the surface, above 0 inside
  }

  /**
   * Visits the points of a kind in a range of whole-numbered places.
   * @param {number} kind 0: corners, 1: centres @param {number[]} low @param {number[]} high exclusive
   * @param {(index: number, place: number[]) => void} visit
   */
  each(kind, low, high, visit) {
    const [, ny, nz] = this.size;
    for (let i = low[0]; i < high[0]; i++) {
      for (let j = low[1]; j < high[1]; j++) {
        for (let k = low[2]; k < high[2]; k++) {
          visit(kind * this.half + (i * ny + j) * nz + k, [i, j, k].map((whole, axis) => this.origin[axis] + (whole + 0.5 * kind) * this.cell));
        }
      }
    }
  }

  /** @returns {Solid} */
  fill() {
    const { positions, triangles } = this.mesh;
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [0, 1, 2].map((k) => Array.from(positions.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)));
      this.cross(corners, [triangles[t], triangles[t + 1], triangles[t + 2]]);
      this.approach(corners);
    }
    this.sign();
    this.warp();
    return this.cut();
  }

  /** The range of whole-numbered places of a kind of points within a box. @param {number} kind @param {number[][]} corners @param {number} margin */
  range(kind, corners, margin) {
    /** @param {(...values: number[]) => number} extreme @param {number} beside @param {(value: number) => number} round */
    const ends = (extreme, beside, round) => [0, 1, 2].map((axis) => (
      Math.min(this.size[axis], Math.max(0, round((extreme(...corners.map((corner) => corner[axis])) + beside - this.origin[axis]) / this.cell - 0.5 * kind)))));
    return { low: ends(Math.min, -margin, Math.ceil), high: ends(Math.max, margin, (value) => Math.floor(value) + 1) };
  }

  /**
   * Notes where the vertical columns of the lattice cross a triangle: at the first point above it. Of two triangles at an edge, just one
   * has what lies exactly on the edge.
   * @param {number[][]} corners @param {number[]} vertices
   */
  cross(corners, vertices) {
    /** @param {number} k corner @param {number} x @param {number} z whether a point is on the left of the edge from that corner to the next */
    const left = (k, x, z) => {
      const next = (k + 1) % 3;
      const turned = vertices[k] > vertices[next];
      const [a, b] = turned ? [corners[next], corners[k]] : [corners[k], corners[next]];
      return ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]) >= 0) !== turned;
    };
    const [a, b, c] = corners;
    const area = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
    if (area === 0) return;
    for (let kind = 0; kind < 2; kind++) {
      const { low, high } = this.range(kind, corners, 0);
      this.each(kind, [low[0], 0, low[2]], [high[0], 1, high[2]], (index, [x, , z]) => {
        const side = left(0, x, z);
        if (side !== left(1, x, z) || side !== left(2, x, z)) return;
        const u = ((x - a[0]) * (c[2] - a[2]) - (z - a[2]) * (c[0] - a[0])) / area;
        const v = ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / area;
        const y = a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]);
        const above = Math.max(0, Math.ceil((y - this.origin[1]) / this.cell - 0.5 * kind));
        if (above < this.size[1]) this.signs[index + above * this.size[2]] += side ? 1 : -1;
      });
    }
  }

  /** Lowers the distances of the points near a triangle. @param {number[][]} corners */
  approach(corners) {
    for (let kind = 0; kind < 2; kind++) {
      const { low, high } = this.range(kind, corners, this.cell);
      this.each(kind, low, high, (index, place) => { this.values[index] = Math.min(this.values[index], squareFrom(place, corners)); });
    }
  }

  /** Makes signed distances of squares of distances. */
  sign() {
    const [nx, ny, nz] = this.size;
    for (let kind = 0; kind < 2; kind++) {
      for (let i = 0; i < nx; i++) {
        for (let k = 0; k < nz; k++) {
          let [turns, crossings] = [0, 0];
          for (let j = 0; j < ny; j++) {
            const index = kind * this.half + (i * ny + j) * nz + k;
            turns += this.signs[index];
            crossings += Math.abs(this.signs[index]);
            const inside = this.oriented ? turns !== 0 : crossings % 2 === 1;
            this.values[index] = (inside ? 1 : -1) * Math.max(Math.sqrt(this.values[index]), 1e-9 * this.cell);
          }
        }
      }
    }
  }

  /** The neighbours of a point of the lattice: six along the axes, eight along diagonals. @param {number} index @returns {{at: number, near: number}[]} */
  neighbours(index) {
    const [, ny, nz] = this.size;
    const steps = [ny * nz, nz, 1];
    const own = index < this.half;
    const all = steps.flatMap((step) => [{ at: index + step, near: LONG }, { at: index - step, near: LONG }]);
    for (let octant = 0; octant < 8; octant++) {
      const step = steps.reduce((sum, width, axis) => sum + (octant >> axis & 1 ? width : 0), 0);
      all.push({ at: own ? index + this.half - step : index - this.half + step, near: SHORT });
    }
    return all;
  }

  /** Moves points close to the surface onto it. */
  warp() {
    const { values, points, half } = this;
    /** @param {number} index */
    const isInner = (index) => { // no point at the border of the lattice is near the surface
      const rest = index % half;
      const [nx, ny, nz] = this.size;
      const [i, j, k] = [Math.floor(rest / (ny * nz)), Math.floor(rest / nz) % ny, rest % nz];
      return i > 0 && j > 0 && k > 0 && i < nx - 1 && j < ny - 1 && k < nz - 1;
    };
    for (let index = 0; index < 2 * half; index++) {
      if (!Number.isFinite(values[index]) || !isInner(index)) continue;
      let [least, target] = [Infinity, -1];
      for (const { at, near } of this.neighbours(index)) {
        if (values[index] * values[at] >= 0) continue;
        const share = values[index] / (values[index] - values[at]);
        const far = share * (near === LONG ? 1 : Math.sqrt(3) / 2);
        if (share < near && far < least) [least, target] = [far, at];
      }
      if (target < 0) continue;
      const share = values[index] / (values[index] - values[target]);
      for (let axis = 0; axis < 3; axis++) points[3 * index + axis] += share * (points[3 * target + axis] - points[3 * index + axis]);
      values[index] = 0;
    }
  }

  /** Keeps the inner parts of the lattice's tetrahedra. @returns {Solid} */
  cut() {
    const { values, points, half } = this;
    const [nx, ny, nz] = this.size;
    const steps = [ny * nz, nz, 1];
    /** @type {number[]} */
    const positions = [];
    /** @type {number[]} */
    const tetrahedra = [];
    /** @type {Map<number, number>} */
    const numbers = new Map();
    /** The particle at a point. @param {number} index */
    const particle = (index) => numbered(index, () => [0, 1, 2].map((axis) => points[3 * index + axis]));
    /** The particle where the surface cuts an edge. @param {number} a @param {number} b */
    const between = (a, b) => numbered((Math.min(a, b) + 1) * 2 * half + Math.max(a, b), () => {
      const share = values[a] / (values[a] - values[b]);
      return [0, 1, 2].map((axis) => points[3 * a + axis] + share * (points[3 * b + axis] - points[3 * a + axis]));
    });
    /** @param {number} key @param {() => number[]} place */
    function numbered(key, place) {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, positions.length / 3);
      positions.push(...place());
      return positions.length / 3 - 1;
    }
    for (let i = 1; i < nx - 1; i++) {
      for (let j = 1; j < ny - 1; j++) {
        for (let k = 1; k < nz - 1; k++) {
          const corner = (i * ny + j) * nz + k; // its cube's centre is corner + half
          for (let axis = 0; axis < 3; axis++) {
            // The four edges of the face between this cube and the previous one along the axis.
            const [u, v] = [steps[(axis + 1) % 3], steps[(axis + 2) % 3]];
            const face = [corner, corner + u, corner + u + v, corner + v];
            for (let edge = 0; edge < 4; edge++) {
              pieces([corner + half, corner + half - steps[axis], face[edge], face[(edge + 1) % 4]], values, particle, between, tetrahedra);
            }
          }
        }
      }
    }
    const solid = { positions: Float32Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
    return { ...solid, triangles: surfaceOf(solid.tetrahedra) };
  }
}

/**
 * Appends the parts of a tetrahedron that are inside. Quadrilaterals are split at their lowest inner point, so that neighbours agree.
 * @param {number[]} corners points of the lattice @param {Float64Array} values @param {(index: number) => number} particle
 * @param {(a: number, b: number) => number} between @param {number[]} out
 */
function pieces(corners, values, particle, between, out) {
  const inner = corners.filter((index) => values[index] > 0).sort((a, b) => a - b);
  const outer = corners.filter((index) => values[index] < 0);
  if (inner.length === 0) return;
  const on = corners.filter((index) => values[index] === 0).map(particle);
  const [a, b, c] = inner;
  if (outer.length === 0) out.push(...inner.map(particle), ...on);
  else if (inner.length === 1) out.push(particle(a), ...outer.map((index) => between(a, index)), ...on);
  else if (inner.length === 3) {
    const ends = inner.map((index) => between(index, outer[0]));
    out.push(particle(a), particle(b), particle(c), ends[2], particle(a), particle(b), ends[1], ends[2], particle(a), ...ends);
  } else if (outer.length === 1) {
    const [p, q] = inner.map((index) => between(index, outer[0]));
    out.push(particle(a), particle(b), q, on[0], particle(a), p, q, on[0]);
  } else {
    const [p, q, r, s] = inner.flatMap((index) => outer.map((other) => between(index, other)));
    out.push(particle(a), particle(b), r, s, particle(a), p, r, s, particle(a), p, q, s);
  }
}

const FACES = [0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3];

/** The faces that belong to one tetrahedron only. @param {Uint32Array} tetrahedra */
function surfaceOf(tetrahedra) {
  /** @type {Map<string, number[]>} */
  const faces = new Map();
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (let f = 0; f < FACES.length; f += 3) {
      const face = [0, 1, 2].map((k) => tetrahedra[t + FACES[f + k]]);
      const key = face.toSorted((a, b) => a - b).join();
      if (!faces.delete(key)) faces.set(key, face);
    }
  }
  return Uint32Array.from([...faces.values()].flat());
}

/** The square of the distance from a triangle (C. Ericson: Real-Time Collision Detection, 2005, 5.1.5). @param {number[]} p @param {number[][]} corners */
function squareFrom(p, [a, b, c]) {
  /** @param {number[]} u @param {number[]} v */
  const minus = (u, v) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
  /** @param {number[]} u @param {number[]} v */
  const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const [ab, ac, ap, bp, cp] = [minus(b, a), minus(c, a), minus(p, a), minus(p, b), minus(p, c)];
  /** @param {number} v @param {number} w */
  const at = (v, w) => {
    const way = [0, 1, 2].map((axis) => ap[axis] - v * ab[axis] - w * ac[axis]);
    return dot(way, way);
  };
  const [d1, d2, d3, d4, d5, d6] = [dot(ab, ap), dot(ac, ap), dot(ab, bp), dot(ac, bp), dot(ab, cp), dot(ac, cp)];
  if (d1 <= 0 && d2 <= 0) return dot(ap, ap);
  if (d3 >= 0 && d4 <= d3) return dot(bp, bp);
  if (d6 >= 0 && d5 <= d6) return dot(cp, cp);
  const [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6));
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const w = (d4 - d3) / (d4 - d3 + d5 - d6);
    return at(1 - w, w);
  }
  return at(vb / (va + vb + vc), vc / (va + vb + vc));
}
