// SPDX-License-Identifier: MIT
// Cleans a triangle mesh from an untrusted file: removes triangles that are not finite, duplicated or without area, joins
// corners at the same place, and centres the mesh. Pure arithmetic on flat arrays.

export const TRIANGLES_MAX = 500000; // upper limit of the triangles in a file
const WELD_SHARE = 1e-5; // relative to the extent: nearer corners are joined
const FLAT_SHARE = 1e-12; // relative to the squared extent: triangles with a smaller area are removed

/** A fault in a file, described in a sentence for the user. */
export class FileFault extends Error {}

/** @typedef {(entry: number, a: number, b: number, c: number) => boolean} Same whether an entry of a hash table equals three numbers */

/**
 * @typedef {object} Mesh
 * @property {Float32Array} positions three numbers per vertex; every vertex is used
 * @property {Uint32Array} triangles three vertices per triangle
 */

/**
 * @param {{positions: ArrayLike<number>, triangles: ArrayLike<number>}} raw the mesh as read from the file
 * @returns {Mesh & {extent: number[], found: number, removed: {broken: number, flat: number, doubled: number}}} the centred mesh, its
 *   `extent` along the axes, the number of triangles `found`, and how many were removed for which reason
 */
export function cleanMesh({ positions, triangles }) {
  const found = triangles.length / 3;
  if (found < 1) throw new FileFault('It contains no triangles, only points or lines.');
  if (found > TRIANGLES_MAX) {
    const [many, most] = [found, TRIANGLES_MAX].map((number) => number.toLocaleString('en'));
    throw new FileFault(`It has ${many} triangles; at most ${most} are allowed. Simplify it in a 3D program first.`);
  }
  const sound = soundTriangles(positions, triangles);
  if (sound.length === 0) throw new FileFault('None of its triangles has three valid corners.');
  const { low, extent } = boundsOf(positions, sound);
  const size = Math.max(...extent);
  if (!(size > 0)) throw new FileFault('All its vertices lie in one point.');
  if (!Number.isFinite(Math.fround(size))) throw new FileFault('It is too large for single precision.');
  const middle = low.map((value, axis) => value + extent[axis] / 2);
  const welded = weld(positions, sound, middle, size);
  const kept = distinctTriangles(welded.positions, welded.triangles, size);
  if (kept.triangles.length === 0) throw new FileFault('All its triangles are degenerate.');
  return {
    ...compact(welded.positions, kept.triangles), extent, found,
    removed: { broken: found - sound.length / 3, flat: kept.flat, doubled: kept.doubled },
  };
}

/** @param {ArrayLike<number>} positions @param {ArrayLike<number>} triangles @returns {number[]} */
function soundTriangles(positions, triangles) {
  const sound = [];
  /** @param {number} vertex */
  const finite = (vertex) => [0, 1, 2].every((axis) => Number.isFinite(positions[3 * vertex + axis]));
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    if (finite(triangles[t]) && finite(triangles[t + 1]) && finite(triangles[t + 2])) sound.push(triangles[t], triangles[t + 1], triangles[t + 2]);
  }
  return sound;
}

/** @param {ArrayLike<number>} positions @param {Iterable<number>} corners */
function boundsOf(positions, corners) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const vertex of corners) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], positions[3 * vertex + axis]);
      high[axis] = Math.max(high[axis], positions[3 * vertex + axis]);
    }
  }
  return { low, extent: high.map((value, axis) => value - low[axis]) };
}

// A hash table with open addressing, because a mesh may have a million corners.
class Table {
  /** @param {number} entries */
  constructor(entries) {
    let size = 16;
    while (size < 2 * entries) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
  }

  /**
   * Returns the slot of the equal entry, or the free slot for a new one.
   * @param {number} a @param {number} b @param {number} c @param {Same} same
   */
  find(a, b, c, same) {
    const mask = this.slots.length - 1;
    let at = (Math.imul(a, 73856093) ^ Math.imul(b, 19349663) ^ Math.imul(c, 83492791)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    while (this.slots[at] >= 0 && !same(this.slots[at], a, b, c)) at = (at + 1) & mask;
    return at;
  }
}

// Vertices by the cells of a grid, whose cells are so wide that nearby corners are mostly in the same cell.
class Grid {
  /** @param {number} vertices @param {number} reach */
  constructor(vertices, reach) {
    this.reach = reach;
    this.width = 8 * reach;
    this.table = new Table(vertices);
    this.cell = new Int32Array(3 * vertices);
    this.head = new Int32Array(vertices); // per cell: the vertex added last
    this.next = new Int32Array(vertices); // per vertex: the previous vertex in the same cell
    this.cells = 0;
    this.positions = new Float64Array(3 * vertices);
    this.vertices = 0;
    /** @param {number} cell @param {number} i @param {number} j @param {number} k */
    this.isCell = (cell, i, j, k) => this.cell[3 * cell] === i && this.cell[3 * cell + 1] === j && this.cell[3 * cell + 2] === k;
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} an existing vertex within the welding distance, or a new one */
  join(x, y, z) {
    const { reach, width } = this;
    /** @param {number} value */
    const low = (value) => Math.floor((value - reach) / width);
    /** @param {number} value */
    const high = (value) => Math.floor((value + reach) / width);
    for (let i = low(x); i <= high(x); i++) {
      for (let j = low(y); j <= high(y); j++) {
        for (let k = low(z); k <= high(z); k++) {
          const found = this.within(i, j, k, x, y, z);
          if (found >= 0) return found;
        }
      }
    }
    return this.add(x, y, z);
  }

  /** @param {number} i @param {number} j @param {number} k @param {number} x @param {number} y @param {number} z */
  within(i, j, k, x, y, z) {
    const cell = this.table.slots[this.table.find(i, j, k, this.isCell)];
    const { positions: p, reach } = this;
    for (let vertex = cell < 0 ? -1 : this.head[cell]; vertex >= 0; vertex = this.next[vertex]) {
      const dx = p[3 * vertex] - x, dy = p[3 * vertex + 1] - y, dz = p[3 * vertex + 2] - z;
      if (dx * dx + dy * dy + dz * dz < reach * reach) return vertex;
    }
    return -1;
  }

  /** @param {number} x @param {number} y @param {number} z */
  add(x, y, z) {
    const [i, j, k] = [Math.floor(x / this.width), Math.floor(y / this.width), Math.floor(z / this.width)];
    const slot = this.table.find(i, j, k, this.isCell);
    if (this.table.slots[slot] < 0) {
      this.cell.set([i, j, k], 3 * this.cells);
      this.head[this.cells] = -1;
      this.table.slots[slot] = this.cells++;
    }
    const cell = this.table.slots[slot];
    const vertex = this.vertices++;
    this.positions.set([x, y, z], 3 * vertex);
    this.next[vertex] = this.head[cell];
    this.head[cell] = vertex;
    return vertex;
  }
}

/**
 * Joins corners that are nearer to each other than the given distance.
 * @param {ArrayLike<number>} positions @param {number[]} corners @param {number[]} middle @param {number} size
 */
function weld(positions, corners, middle, size) {
  const number = new Int32Array(positions.length / 3).fill(-1); // per corner of the file: its vertex
  const grid = new Grid(corners.length, WELD_SHARE * size);
  const triangles = new Uint32Array(corners.length);
  for (let c = 0; c < corners.length; c++) {
    const corner = corners[c];
    if (number[corner] < 0) {
      number[corner] = grid.join(positions[3 * corner] - middle[0], positions[3 * corner + 1] - middle[1], positions[3 * corner + 2] - middle[2]);
    }
    triangles[c] = number[corner];
  }
  return { positions: Float32Array.from(grid.positions.subarray(0, 3 * grid.vertices)), triangles };
}

/** @param {Float32Array} positions @param {ArrayLike<number>} triangles @param {number} size */
function distinctTriangles(positions, triangles, size) {
  const seen = new Table(triangles.length / 3);
  const sorted = new Int32Array(triangles.length); // sorted corners of the triangles seen so far
  /** @param {number} triangle @param {number} a @param {number} b @param {number} c */
  const same = (triangle, a, b, c) => sorted[3 * triangle] === a && sorted[3 * triangle + 1] === b && sorted[3 * triangle + 2] === c;
  const kept = [];
  let flat = 0;
  let doubled = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    if (areaTwice(positions, a, b, c) <= FLAT_SHARE * size * size) {
      flat++;
      continue;
    }
    const [least, most] = [Math.min(a, b, c), Math.max(a, b, c)];
    const between = a + b + c - least - most;
    const slot = seen.find(least, between, most, same);
    if (seen.slots[slot] >= 0) {
      doubled++;
      continue;
    }
    seen.slots[slot] = t / 3;
    sorted.set([least, between, most], t);
    kept.push(a, b, c);
  }
  return { triangles: kept, flat, doubled };
}

/** @param {Float32Array} p @param {number} i @param {number} j @param {number} k */
function areaTwice(p, i, j, k) {
  const [a, b, c] = [3 * i, 3 * j, 3 * k];
  const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}

/** Removes the vertices that no triangle uses. @param {Float32Array} positions @param {ArrayLike<number>} triangles @returns {Mesh} */
export function compact(positions, triangles) {
  const number = new Int32Array(positions.length / 3).fill(-1);
  const used = [];
  const renumbered = new Uint32Array(triangles.length);
  for (let c = 0; c < triangles.length; c++) {
    const vertex = triangles[c];
    if (number[vertex] < 0) {
      number[vertex] = used.length / 3;
      used.push(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
    }
    renumbered[c] = number[vertex];
  }
  return { positions: Float32Array.from(used), triangles: renumbered };
}

/** @param {Float32Array} positions @param {Uint32Array} triangles @param {number} size */
const cleared = (positions, triangles, size) => compact(positions, distinctTriangles(positions, triangles, size).triangles);

/** Counts the edges of a mesh, which is the number of sticks in a cloth made of it. @param {Uint32Array} triangles @returns {number} */
export function edgeCount(triangles) {
  const edges = new Set();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let side = 0; side < 3; side++) {
      const [a, b] = [triangles[t + side], triangles[t + ((side + 1) % 3)]];
      edges.add(a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a);
    }
  }
  return edges.size;
}

/**
 * Simplifies a mesh to at most `most` vertices.
 * @param {Mesh} mesh @param {number} most
 * @param {(mesh: Mesh, corners: number) => Uint32Array} reduce returns triangles of a mesh with about the given number of
 *   corners, on the same vertices
 * @returns {Mesh}
 */
export function simplified(mesh, most, reduce) {
  if (mesh.positions.length / 3 <= most) return mesh;
  const size = Math.max(...boundsOf(mesh.positions, mesh.triangles).extent);
  /** @param {Mesh} from @param {number} corners */
  const reduced = (from, corners) => cleared(from.positions, reduce(from, corners), size);
  // A very fine mesh is first reduced once to a moderate size; then the best number of corners is searched.
  const near = mesh.triangles.length > 60 * most ? reduced(mesh, 24 * most) : mesh;
  const from = near.triangles.length > 0 ? near : mesh;
  let low = 3;
  let high = from.triangles.length;
  let best = null;
  for (let round = 0; round < 12 && high - low > 3; round++) {
    const middle = (low + high) / 2;
    const target = 3 * Math.round((best ? middle : Math.min(6 * most, middle)) / 3);
    const tried = reduced(from, target);
    const vertices = tried.positions.length / 3;
    if (vertices > most) high = target;
    else low = target;
    if (vertices > most || vertices === 0) continue;
    if (!best || vertices > best.positions.length / 3) best = tried;
    if (vertices >= 0.95 * most) break;
  }
  if (!best) throw new FileFault(`It can’t be simplified to ${most} particles without falling apart. Allow more of them.`);
  return best;
}

/** Returns a copy that is scaled along each axis. @param {Float32Array} positions @param {number[]} scale @returns {Float32Array} */
export function scaled(positions, scale) {
  return positions.map((value, i) => value * scale[i % 3]);
}

/**
 * Chooses the outermost points in at most `most` directions, as a small approximation of the points' convex hull.
 * @param {Float32Array} positions @param {number} most
 * @returns {Float32Array}
 */
export function outermost(positions, most) {
  if (positions.length / 3 <= most) return positions;
  const taken = new Set();
  const golden = Math.PI * (3 - Math.sqrt(5));
  for (let i = 0; i < most; i++) {
    const y = 1 - (2 * i + 1) / most;
    const around = Math.sqrt(1 - y * y);
    const [dx, dz] = [around * Math.cos(golden * i), around * Math.sin(golden * i)];
    let furthest = -Infinity;
    let at = 0;
    for (let p = 0; p < positions.length; p += 3) {
      const out = positions[p] * dx + positions[p + 1] * y + positions[p + 2] * dz;
      if (out > furthest) {
        furthest = out;
        at = p;
      }
    }
    taken.add(at);
  }
  return Float32Array.from([...taken].flatMap((p) => [positions[p], positions[p + 1], positions[p + 2]]));
}
