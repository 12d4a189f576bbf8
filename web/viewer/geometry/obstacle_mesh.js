// SPDX-License-Identifier: MIT
// The triangles of height field and mesh obstacles in world coordinates, computed once per obstacle, for drawing and ray
// casts. Pure arithmetic.

/** @import { Heightfield, Obstacle, ObstacleMesh } from '../../client/topology.js' */

/** @type {WeakMap<Obstacle, Surface>} cached surfaces; obstacles are immutable, so a surface stays valid */
const made = new WeakMap();

/** @typedef {{positions: Float32Array, triangles: Uint32Array}} Surface */

/**
 * @param {Obstacle} obstacle
 * @returns {Surface | null} in m, facing outwards; null for shapes without arrays
 */
export function meshOfObstacle(obstacle) {
  if (obstacle.shape !== 'heightfield' && obstacle.shape !== 'mesh') return null;
  let surface = made.get(obstacle);
  if (!surface) made.set(obstacle, surface = obstacle.shape === 'mesh' ? surfaceOfMesh(obstacle) : surfaceOfField(obstacle));
  return surface;
}

/** @param {Heightfield} field @returns {Surface} */
const surfaceOfField = (field) => ({ positions: fieldPositions(field), triangles: fieldTriangles(field.columns, field.rows) });

/** @param {ObstacleMesh} mesh @returns {Surface} */
const surfaceOfMesh = ({ position, rotation = [0, 0, 0, 1], positions, triangles }) => ({ positions: placed(positions, position, rotation), triangles });

/** Heights are stored along x first, then z; the field is centred on the obstacle's position. @param {Heightfield} field */
function fieldPositions({ position, columns, rows, spacing, heights }) {
  const positions = new Float32Array(3 * columns * rows);
  for (let row = 0, i = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, i++) {
      positions[3 * i] = position[0] + (column - (columns - 1) / 2) * spacing;
      positions[3 * i + 1] = position[1] + heights[i];
      positions[3 * i + 2] = position[2] + (row - (rows - 1) / 2) * spacing;
    }
  }
  return positions;
}

/** @param {number} columns @param {number} rows */
function fieldTriangles(columns, rows) {
  const triangles = new Uint32Array(6 * (columns - 1) * (rows - 1));
  let at = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const near = row * columns + column;
      const far = near + columns;
      triangles.set([near, far, near + 1, near + 1, far, far + 1], at);
      at += 6;
    }
  }
  return triangles;
}

/** @param {Float32Array} positions @param {number[]} position @param {number[]} rotation */
function placed(positions, [px, py, pz], [qx, qy, qz, qw]) {
  const out = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i], y = positions[i + 1], z = positions[i + 2];
    const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
    out[i] = px + x + qw * tx + (qy * tz - qz * ty);
    out[i + 1] = py + y + qw * ty + (qz * tx - qx * tz);
    out[i + 2] = pz + z + qw * tz + (qx * ty - qy * tx);
  }
  return out;
}
