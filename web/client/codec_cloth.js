// SPDX-License-Identifier: MIT
// The cloth prediction of coding 2 (proto/FRAMES.md) in JavaScript: a simulation step of the cloth, exactly as in
// server/proto/frame/codec_cloth.h. Both compute in float32 in the same order, so they give the same bits. No value can
// overflow.

const { fround } = Math;
const SUBSTEPS = 8;
const PLACE_MOST = 2 ** 30;

/** @typedef {{columns: number, rows: number}} Lattice */

/**
 * Relaxes the sticks from every `every`-th particle in [from, end) to the particle `to` places after it.
 * @param {Float32Array} x @param {Float32Array} y @param {Float32Array} z
 * @param {number} from @param {number} end @param {number} every @param {number} to
 * @param {number} inverse reciprocal of the squared rest length
 */
function relax(x, y, z, from, end, every, to, inverse) {
  for (let a = from; a < end; a += every) {
    const b = a + to;
    const dx = fround(x[b] - x[a]);
    const dy = fround(y[b] - y[a]);
    const dz = fround(z[b] - z[a]);
    const squared = fround(fround(fround(dx * dx) + fround(dy * dy)) + fround(dz * dz));
    const t = fround(Math.max(fround(2 - fround(squared * inverse)), 0));
    const share = fround(fround(fround(t * t) - 1) * 0.125);
    const mx = fround(share * dx);
    const my = fround(share * dy);
    const mz = fround(share * dz);
    x[a] = fround(x[a] - mx);
    y[a] = fround(y[a] - my);
    z[a] = fround(z[a] - mz);
    x[b] = fround(x[b] + mx);
    y[b] = fround(y[b] + my);
    z[b] = fround(z[b] + mz);
  }
}

/**
 * In each direction the sticks of even rows (or columns) are relaxed before those of odd ones. In a hexagonal grid the
 * diagonal sticks run down to the right from odd rows only, and down to the left from even rows only.
 * @param {Float32Array[]} places by axis @param {Lattice} lattice
 * @param {number} inverse reciprocal of the squared rest length along rows and columns @param {number} across the same for diagonal sticks
 * @param {boolean} hexagonal
 */
function sweep([x, y, z], { columns, rows }, inverse, across, hexagonal) {
  for (let row = 0; row + 1 < rows; row += 2) if (!hexagonal) relax(x, y, z, row * columns, (row + 1) * columns - 1, 1, columns + 1, across);
  for (let row = 1; row + 1 < rows; row += 2) relax(x, y, z, row * columns, (row + 1) * columns - 1, 1, columns + 1, across);
  for (let row = 0; row + 1 < rows; row += 2) relax(x, y, z, row * columns + 1, (row + 1) * columns, 1, columns - 1, across);
  for (let row = 1; row + 1 < rows; row += 2) if (!hexagonal) relax(x, y, z, row * columns + 1, (row + 1) * columns, 1, columns - 1, across);
  for (let row = 0; row < rows; row++) {
    relax(x, y, z, row * columns, (row + 1) * columns - 1, 2, 1, inverse);
    relax(x, y, z, row * columns + 1, (row + 1) * columns - 1, 2, 1, inverse);
  }
  for (let row = 0; row + 1 < rows; row += 2) relax(x, y, z, row * columns, (row + 1) * columns, 1, columns, inverse);
  for (let row = 1; row + 1 < rows; row += 2) relax(x, y, z, row * columns, (row + 1) * columns, 1, columns, inverse);
}

/** @param {Float32Array} now @param {Float32Array} before */
function integrate(now, before) {
  for (let i = 0; i < now.length; i++) {
    const place = now[i];
    now[i] = fround(place + fround(place - before[i]));
    before[i] = place;
  }
}

/** @param {Int32Array} p1 @param {Int32Array} p2 @param {Int32Array} p3 @param {Float32Array} now @param {Float32Array} before */
function load(p1, p2, p3, now, before) {
  const origin = p1[0];
  for (let i = 0; i < now.length; i++) {
    const moved = (5 * p1[i] - 6 * p2[i] + p3[i]) | 0;
    now[i] = fround((p1[i] - origin) | 0);
    before[i] = fround(now[i] - fround(fround(moved) / 32));
  }
}

/** @param {Float32Array} now @param {number} origin @param {Int32Array} bases */
function store(now, origin, bases) {
  for (let i = 0; i < now.length; i++) {
    const place = fround(now[i] + 0.5);
    bases[i] = (origin + (Math.abs(place) > PLACE_MOST ? 0 : Math.floor(place))) | 0;
  }
}

/** @param {number} count @param {Int32Array[]} one the frames by axis, newest first @param {Int32Array[]} two @param {Int32Array[]} three */
function findPinned(count, [x1, y1, z1], [x2, y2, z2], [x3, y3, z3]) {
  const pinned = [];
  for (let i = 0; i < count; i++) {
    const still = x1[i] === x2[i] && y1[i] === y2[i] && z1[i] === z2[i] && x1[i] === x3[i] && y1[i] === y3[i] && z1[i] === z3[i];
    if (still) pinned.push(i);
  }
  return pinned;
}

/**
 * @param {Lattice} object
 * @param {{x1: Int32Array[], x2: Int32Array[], x3: Int32Array[]}} frames by axis
 * @param {number} spacing rest length of the sticks, in 1/256 steps
 * @param {boolean} hexagonal
 * @param {Int32Array[]} bases output: the predicted positions of the grid
 */
export function playCloth(object, { x1, x2, x3 }, spacing, hexagonal, bases) {
  const count = object.columns * object.rows;
  const length = fround(fround(spacing) / 256);
  const inverse = fround(1 / fround(length * length));
  const across = hexagonal ? inverse : fround(inverse / 2);
  const now = x1.map(() => new Float32Array(count));
  const before = x1.map(() => new Float32Array(count));
  const pinned = findPinned(count, x1, x2, x3);
  for (let axis = 0; axis < 3; axis++) load(x1[axis], x2[axis], x3[axis], now[axis], before[axis]);
  for (let substep = 0; substep < SUBSTEPS; substep++) {
    for (let axis = 0; axis < 3; axis++) integrate(now[axis], before[axis]);
    sweep(now, object, inverse, across, hexagonal);
    for (let axis = 0; axis < 3; axis++) for (const i of pinned) now[axis][i] = before[axis][i];
  }
  for (let axis = 0; axis < 3; axis++) store(now[axis], x1[axis][0], bases[axis]);
}
