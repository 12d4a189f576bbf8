// SPDX-License-Identifier: MIT
// Shapes of the palette that take more than a few numbers: the parts of compound bodies, the corners of a rounded box, and the
// closed mesh of a balloon. Pure arithmetic; lengths in m.

/**
 * A part of a compound body, as body.spawn takes it.
 * @typedef {{
 *   shape: 'box' | 'sphere' | 'capsule' | 'cylinder', size?: number[], radius?: number, length?: number, height?: number, position?: number[],
 * }} Part
 */

/** @param {number} value */
const tidy = (value) => Number(value.toPrecision(6));
const SIDES = [[-1, -1], [-1, 1], [1, -1], [1, 1]];

/** Compound bodies 1 m high (long, of a dumbbell), around their origin. @type {Record<string, Part[]>} */
const COMPOUNDS = {
  chair: [
    { shape: 'box', size: [0.48, 0.045, 0.48], position: [0, -0.02, 0] },
    { shape: 'box', size: [0.48, 0.52, 0.045], position: [0, 0.24, -0.2175] },
    ...SIDES.map(([x, z]) => (/** @type {Part} */ ({ shape: 'box', size: [0.045, 0.48, 0.045], position: [0.2175 * x, -0.26, 0.2175 * z] }))),
  ],
  table: [
    { shape: 'box', size: [1.5, 0.07, 1], position: [0, 0.465, 0] },
    ...SIDES.map(([x, z]) => (/** @type {Part} */ ({ shape: 'cylinder', radius: 0.05, height: 0.93, position: [0.65 * x, -0.035, 0.4 * z] }))),
  ],
  stool: [
    { shape: 'cylinder', radius: 0.4, height: 0.1, position: [0, 0.45, 0] },
    ...[0, 1, 2].map((leg) => (/** @type {Part} */ ({
      shape: 'capsule', radius: 0.04, length: 0.86, position: [0.3 * Math.sin((2 * Math.PI * leg) / 3), -0.03, 0.3 * Math.cos((2 * Math.PI * leg) / 3)],
    }))),
  ],
  dumbbell: [
    { shape: 'capsule', radius: 0.06, length: 0.6 },
    ...[-1, 1].map((end) => (/** @type {Part} */ ({ shape: 'sphere', radius: 0.2, position: [0, 0.3 * end, 0] }))),
  ],
};

/** The names of the compound bodies. */
export const COMPOUND_NAMES = Object.keys(COMPOUNDS);

/** The parts of a compound body of this height. @param {string} name one of COMPOUND_NAMES @param {number} height @returns {Part[]} */
export function partsOf(name, height) {
  /** @param {any} value a number or a list of numbers @returns {any} */
  const long = (value) => (Array.isArray(value) ? value.map(long) : tidy(value * height));
  return COMPOUNDS[name].map(({ shape, ...lengths }) => ({ shape, ...Object.fromEntries(Object.entries(lengths).map(([key, value]) => [key, long(value)])) }));
}

/** Points on the corners of a rounded box, flat. @param {number[]} size full extents with the rounding @param {number} radius of the rounding */
export function roundedCorners(size, radius) {
  const [full, edge, corner] = [1, Math.SQRT1_2, Math.sqrt(1 / 3)];
  const directions = [[full, 0, 0], [0, full, 0], [0, 0, full], [edge, edge, 0], [edge, 0, edge], [0, edge, edge], [corner, corner, corner]];
  /** @type {number[]} */
  const points = [];
  for (let octant = 0; octant < 8; octant++) {
    for (const direction of directions) {
      direction.forEach((part, axis) => points.push((octant >> axis & 1 ? -1 : 1) * (size[axis] / 2 - radius + radius * part)));
    }
  }
  return points;
}

const FACES_OF_OCTAHEDRON = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];

/**
 * A ball of triangles, which wind outward: an octahedron whose edges are split, with all corners on the sphere.
 * @param {number} radius @param {number} parts into how many each edge is split, at least 1
 * @returns {{positions: number[], triangles: number[]}} flat; 4·parts² + 2 positions and 8·parts² triangles
 */
export function ballMesh(radius, parts) {
  const corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
  /** @type {number[]} */
  const positions = [];
  const triangles = [];
  const known = new Map();
  /** @param {number[]} place whole numbers whose sizes add up to `parts` */
  const at = (place) => {
    const key = place.join();
    if (!known.has(key)) {
      known.set(key, positions.length / 3);
      const angles = place.map((part) => Math.sin((Math.PI * part) / (2 * parts))); // spreads the corners more evenly
      const far = Math.hypot(...angles);
      positions.push(...angles.map((part) => tidy((radius * part) / far)));
    }
    return known.get(key);
  };
  for (let face = 0; face < FACES_OF_OCTAHEDRON.length; face += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => corners[FACES_OF_OCTAHEDRON[face + corner]]);
    /** @param {number} i @param {number} j */
    const point = (i, j) => at(a.map((part, axis) => part * (parts - i - j) + b[axis] * i + c[axis] * j));
    for (let i = 0; i < parts; i++) {
      for (let j = 0; i + j < parts; j++) {
        triangles.push(point(i, j), point(i + 1, j), point(i, j + 1));
        if (i + j + 1 < parts) triangles.push(point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
      }
    }
  }
  return { positions, triangles };
}
