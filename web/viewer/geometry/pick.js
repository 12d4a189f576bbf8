// SPDX-License-Identifier: MIT
// Intersects rays with triangles, sticks, particles and obstacles. Pure arithmetic on flat arrays (3 numbers per particle,
// m). `direction` is a unit vector. Distances are measured along the ray; Infinity means no hit.

import { meshOfObstacle } from './obstacle_mesh.js';
/** @import { Box, Capsule, Obstacle, Vector } from '../../client/topology.js' */

/** @typedef {{distance: number, index: number, along: number}} Hit */

/** @returns {Hit} a result for the functions below to fill in; reusing it avoids allocations */
export function makeHit() {
  return { distance: Infinity, index: -1, along: 0 };
}

/**
 * Finds the nearest triangle on the ray, from either side (Möller and Trumbore 1997). `hit` is changed only if the triangle
 * is nearer.
 * @param {number[]} origin @param {number[]} direction @param {Float32Array} positions @param {Uint32Array} triangles @param {Hit} hit
 * @returns {boolean} whether `hit` was replaced; its index is that of the triangle
 */
export function rayTriangles(origin, direction, positions, triangles, hit) {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let met = false;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
    const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant > -1e-12 && determinant < 1e-12) continue;
    const inverse = 1 / determinant;
    const sx = ox - ax, sy = oy - ay, sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) * inverse;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) * inverse;
    if (v < 0 || u + v > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) * inverse;
    if (distance <= 0 || distance >= hit.distance) continue;
    hit.distance = distance;
    hit.index = t / 3;
    met = true;
  }
  return met;
}

/**
 * Finds the particle closest to the ray, within `radius` m or `slope` m per m of distance, whichever is more. Of several
 * candidates the one nearest to the ray is chosen.
 * @param {number[]} origin @param {number[]} direction @param {Float32Array} positions @param {number} radius @param {number} slope
 * @param {Hit} hit
 */
export function rayParticles(origin, direction, positions, radius, slope, hit) {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let best = 1;
  let met = false;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - ox, y = positions[i + 1] - oy, z = positions[i + 2] - oz;
    const along = x * dx + y * dy + z * dz;
    if (along <= 0 || along >= hit.distance + radius) continue;
    const reach = Math.max(radius, slope * along);
    const aside = Math.max(0, x * x + y * y + z * z - along * along) / (reach * reach);
    if (aside >= best) continue;
    best = aside;
    hit.index = i / 3;
    met = true;
  }
  if (met) hit.distance = alongRay(origin, direction, positions, hit.index);
  return met;
}

/**
 * Finds the stick (two indices each) that the ray passes, and of its ends the particle nearest to the ray.
 * @param {number[]} origin @param {number[]} direction @param {Float32Array} positions @param {Uint32Array} sticks @param {number} radius
 * @param {number} slope @param {Hit} hit
 */
export function raySticks(origin, direction, positions, sticks, radius, slope, hit) {
  let best = 1;
  let met = false;
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  for (let s = 0; s < sticks.length; s += 2) {
    const i = 3 * sticks[s];
    const j = 3 * sticks[s + 1];
    // Both ends are projected along the ray; then the closest point of the stick follows.
    const ax = positions[i] - ox, ay = positions[i + 1] - oy, az = positions[i + 2] - oz;
    const bx = positions[j] - ox, by = positions[j + 1] - oy, bz = positions[j + 2] - oz;
    const sa = ax * dx + ay * dy + az * dz;
    const sb = bx * dx + by * dy + bz * dz;
    const px = ax - sa * dx, py = ay - sa * dy, pz = az - sa * dz;
    const qx = bx - sb * dx - px, qy = by - sb * dy - py, qz = bz - sb * dz - pz;
    const length2 = qx * qx + qy * qy + qz * qz;
    const t = length2 > 0 ? Math.min(1, Math.max(0, -(px * qx + py * qy + pz * qz) / length2)) : 0;
    const along = sa + (sb - sa) * t;
    if (along <= 0 || along >= hit.distance + radius) continue;
    const reach = Math.max(radius, slope * along);
    const x = px + qx * t, y = py + qy * t, z = pz + qz * t;
    const aside = (x * x + y * y + z * z) / (reach * reach);
    if (aside >= best) continue;
    best = aside;
    hit.index = sticks[s + (t > 0.5 ? 1 : 0)];
    hit.along = along;
    met = true;
  }
  if (met) hit.distance = hit.along;
  return met;
}

/** @param {number[]} origin @param {number[]} direction @param {Float32Array} positions @param {number} index */
function alongRay(origin, direction, positions, index) {
  const i = 3 * index;
  return (positions[i] - origin[0]) * direction[0] + (positions[i + 1] - origin[1]) * direction[1] +
    (positions[i + 2] - origin[2]) * direction[2];
}

/**
 * Returns the corner of a triangle that is nearest to `point`.
 * @param {number[]} point @param {Float32Array} positions @param {Uint32Array} triangles @param {number} triangle
 */
export function nearestCorner(point, positions, triangles, triangle) {
  let best = Infinity;
  let nearest = 0;
  for (let k = 0; k < 3; k++) {
    const index = triangles[3 * triangle + k];
    const x = positions[3 * index] - point[0];
    const y = positions[3 * index + 1] - point[1];
    const z = positions[3 * index + 2] - point[2];
    const squared = x * x + y * y + z * z;
    if (squared >= best) continue;
    best = squared;
    nearest = index;
  }
  return nearest;
}

/** Returns the particle nearest to `point`. @param {number[]} point @param {Float32Array} positions */
export function nearestParticle(point, positions) {
  let best = Infinity;
  let nearest = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const squared = (positions[i] - point[0]) ** 2 + (positions[i + 1] - point[1]) ** 2 + (positions[i + 2] - point[2]) ** 2;
    if (squared >= best) continue;
    best = squared;
    nearest = i / 3;
  }
  return nearest;
}

/**
 * Returns the distance along the ray at which it meets an obstacle of a topology.
 * @param {number[]} origin @param {number[]} direction @param {Obstacle} obstacle
 */
export function rayObstacle(origin, direction, obstacle) {
  switch (obstacle.shape) {
    case 'sphere': return raySphere(origin, direction, obstacle.position, obstacle.radius);
    case 'box': return rayBox(origin, direction, obstacle);
    case 'capsule': return rayCapsule(origin, direction, obstacle);
    case 'plane': return rayPlane(origin, direction, obstacle.position, obstacle.normal ?? [0, 1, 0]);
    default: {
      const surface = meshOfObstacle(obstacle);
      return surface ? raySurface(origin, direction, surface) : Infinity;
    }
  }
}

/** @param {number[]} origin @param {number[]} direction @param {import('./obstacle_mesh.js').Surface} surface */
function raySurface(origin, direction, { positions, triangles }) {
  const hit = makeHit();
  rayTriangles(origin, direction, positions, triangles, hit);
  return hit.distance;
}

/**
 * A capsule is a cylinder around its axis with a sphere at each end.
 * @param {number[]} origin @param {number[]} direction @param {Capsule} capsule
 */
function rayCapsule(origin, direction, { from, to, radius }) {
  const caps = Math.min(raySphere(origin, direction, from, radius), raySphere(origin, direction, to, radius));
  const axis = to.map((value, k) => value - from[k]);
  const length2 = dot(axis, axis);
  if (length2 === 0) return caps;
  const start = origin.map((value, k) => value - from[k]);
  /** @param {number[]} v */
  const across = (v) => v.map((value, k) => value - (dot(v, axis) / length2) * axis[k]);
  const [d, s] = [across(direction), across(start)];
  const [a, b] = [dot(d, d), dot(d, s)];
  const discriminant = b * b - a * (dot(s, s) - radius * radius);
  if (a < 1e-12 || discriminant < 0) return caps;
  const distance = (-b - Math.sqrt(discriminant)) / a;
  const place = (dot(start, axis) + distance * dot(direction, axis)) / length2;
  return distance > 0 && place >= 0 && place <= 1 ? Math.min(caps, distance) : caps;
}

/** @param {number[]} a @param {number[]} b */
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** @param {number[]} origin @param {number[]} direction @param {number[]} centre @param {number} radius */
function raySphere(origin, direction, centre, radius) {
  const x = origin[0] - centre[0], y = origin[1] - centre[1], z = origin[2] - centre[2];
  const b = x * direction[0] + y * direction[1] + z * direction[2];
  const discriminant = b * b - (x * x + y * y + z * z - radius * radius);
  if (discriminant < 0) return Infinity;
  const distance = -b - Math.sqrt(discriminant);
  return distance > 0 ? distance : Infinity;
}

/**
 * Returns the distance at which the ray crosses a plane, from either side.
 * @param {number[]} origin @param {number[]} direction @param {number[]} point @param {number[]} normal
 */
export function rayPlane(origin, direction, point, normal) {
  const slope = direction[0] * normal[0] + direction[1] * normal[1] + direction[2] * normal[2];
  if (Math.abs(slope) < 1e-9) return Infinity;
  const height = (point[0] - origin[0]) * normal[0] + (point[1] - origin[1]) * normal[1] + (point[2] - origin[2]) * normal[2];
  const distance = height / slope;
  return distance > 0 ? distance : Infinity;
}

/** @param {number[]} origin @param {number[]} direction @param {Box} box */
function rayBox(origin, direction, { position, size, rotation = [0, 0, 0, 1] }) {
  const local = rotateBack([origin[0] - position[0], origin[1] - position[1], origin[2] - position[2]], rotation);
  const heading = rotateBack(direction, rotation);
  let near = 0;
  let far = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const half = size[axis] / 2;
    if (Math.abs(heading[axis]) < 1e-12) {
      if (Math.abs(local[axis]) > half) return Infinity;
      continue;
    }
    const a = (-half - local[axis]) / heading[axis];
    const b = (half - local[axis]) / heading[axis];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far && near > 0 ? near : Infinity;
}

/** Rotates a vector by the inverse of the unit quaternion q. @param {number[]} vector @param {number[]} rotation @returns {Vector} */
function rotateBack([x, y, z], [qx, qy, qz, qw]) {
  const tx = 2 * (y * qz - z * qy);
  const ty = 2 * (z * qx - x * qz);
  const tz = 2 * (x * qy - y * qx);
  return [x + qw * tx + (ty * qz - tz * qy), y + qw * ty + (tz * qx - tx * qz), z + qw * tz + (tx * qy - ty * qx)];
}
