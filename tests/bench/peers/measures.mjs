// SPDX-License-Identifier: MIT
// What is measured of a scene's positions. A sample is the positions of all particles of a sheet as [x, y, z, x, …], or the
// places of bodies: for each its centre and its three axes, twelve numbers.

import { TICK_S, GRAVITY } from './scenes.mjs';

const point = (sample, i) => [sample[3 * i], sample[3 * i + 1], sample[3 * i + 2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Mean elongation of links of equal length, as a share of it. Links that are too short count as 0. */
export function stretch(sample, links, length) {
  return links.reduce((sum, [a, b]) => sum + Math.max(0, Math.hypot(...sub(point(sample, a), point(sample, b))) / length - 1), 0) / links.length;
}

/** Mean elongation of the sides of triangles, relative to their lengths in the mesh. Sides that are too short count as 0. */
export function stretchFrom(sample, { points, triangles }) {
  const sides = triangles.flatMap(([a, b, c]) => [[a, b], [b, c], [c, a]]);
  return sides.reduce((sum, [a, b]) => sum + Math.max(0, Math.hypot(...sub(point(sample, a), point(sample, b))) / Math.hypot(...sub(points[a], points[b])) - 1), 0) / sides.length;
}

/** Kinetic and potential energy above `lowest` (the sum of all heights where there is the least energy), per kg of a particle. */
export function energy(sample, before, lowest) {
  let [kinetic, height] = [0, 0];
  for (let i = 0; i < sample.length / 3; i++) {
    const way = sub(point(sample, i), point(before, i));
    kinetic += dot(way, way) / (2 * TICK_S * TICK_S);
    height += sample[3 * i + 1];
  }
  return kinetic + GRAVITY * (height - lowest);
}

/** Volume inside a closed surface. */
export function volume(sample, triangles) {
  return triangles.reduce((sum, [a, b, c]) => sum + dot(point(sample, a), cross(point(sample, b), point(sample, c))) / 6, 0);
}

// ---- crossings ---------------------------------------------------------------------------------------------------

/** Number of pairs of an edge and a triangle of one sheet that cross. */
export function crossings(sample, triangles) {
  const edges = [...new Set(triangles.flatMap(([a, b, c]) => [[a, b], [b, c], [c, a]].map(([i, j]) => (i < j ? `${i} ${j}` : `${j} ${i}`))))].map((key) => key.split(' ').map(Number));
  const size = Math.max(...edges.map(([a, b]) => Math.hypot(...sub(point(sample, a), point(sample, b)))));
  const cells = new Map();
  const cell = (p) => p.map((value) => Math.floor(value / size)).join(' ');
  for (const edge of edges) {
    const key = cell(point(sample, edge[0]));
    cells.set(key, [...(cells.get(key) ?? []), edge]);
  }
  let found = 0;
  for (const corners of triangles) {
    const [x, y, z] = point(sample, corners[0]).map((value) => Math.floor(value / size));
    for (let i = -2; i <= 2; i++) for (let j = -2; j <= 2; j++) for (let k = -2; k <= 2; k++) {
      for (const edge of cells.get(`${x + i} ${y + j} ${z + k}`) ?? []) {
        if (!corners.includes(edge[0]) && !corners.includes(edge[1]) && crosses(sample, edge, corners)) found++;
      }
    }
  }
  return found;
}

/** Moeller and Trumbore's test of a segment against a triangle. */
function crosses(sample, [from, to], [a, b, c]) {
  const [start, origin] = [point(sample, from), point(sample, a)];
  const way = sub(point(sample, to), start);
  const [e1, e2] = [sub(point(sample, b), origin), sub(point(sample, c), origin)];
  const p = cross(way, e2);
  const determinant = dot(e1, p);
  if (Math.abs(determinant) < 1e-18) return false;
  const s = sub(start, origin);
  const u = dot(s, p) / determinant;
  const q = cross(s, e1);
  const v = dot(way, q) / determinant;
  const t = dot(e2, q) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}

// ---- boxes -------------------------------------------------------------------------------------------------------

const body = (sample, i) => ({ centre: [...sample.slice(12 * i, 12 * i + 3)], axes: [0, 1, 2].map((axis) => [...sample.slice(12 * i + 3 + 3 * axis, 12 * i + 6 + 3 * axis)]) });
const reach = ({ axes }, half, direction) => axes.reduce((sum, axis, k) => sum + half[k] * Math.abs(dot(axis, direction)), 0);

/** How deep two boxes lie in one another: the least overlap along the fifteen axes that can part them, 0 if one does. */
function overlap(a, b, half) {
  const way = sub(b.centre, a.centre);
  const axes = [...a.axes, ...b.axes, ...a.axes.flatMap((p) => b.axes.map((q) => cross(p, q)))];
  let least = Infinity;
  for (const axis of axes) {
    const length = Math.hypot(...axis);
    if (length < 1e-6) continue;
    const unit = axis.map((value) => value / length);
    least = Math.min(least, reach(a, half, unit) + reach(b, half, unit) - Math.abs(dot(way, unit)));
    if (least <= 0) return 0;
  }
  return least;
}

/** How deep boxes lie in one another and in the ground (y = 0): the mean over the boxes of each one's deepest place, in m. */
export function penetration(sample, size) {
  const half = [size / 2, size / 2, size / 2];
  const all = Array.from({ length: sample.length / 12 }, (_, i) => body(sample, i));
  const deepest = all.map((box) => Math.max(0, reach(box, half, [0, 1, 0]) - box.centre[1]));
  for (let i = 0; i < all.length; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.hypot(...sub(all[i].centre, all[j].centre)) > size * Math.sqrt(3)) continue;
      const depth = overlap(all[i], all[j], half);
      deepest[i] = Math.max(deepest[i], depth);
      deepest[j] = Math.max(deepest[j], depth);
    }
  }
  return deepest.reduce((sum, depth) => sum + depth, 0) / deepest.length;
}

/** Where a point that was at `place` when the body stood upright at `origin` is now. */
function carried(sample, i, place, origin) {
  const { centre, axes } = body(sample, i);
  const arm = sub(place, origin);
  return centre.map((value, axis) => value + axes.reduce((sum, direction, k) => sum + direction[axis] * arm[k], 0));
}

/** Mean distance of the two points that a joint holds together, in m. */
export function gaps(sample, joints, places) {
  const sum = joints.reduce((total, { before, after, point: at }) => {
    const [p, q] = [before, after].map((i) => (i < 0 || i >= places.length ? at : carried(sample, i, at, places[i])));
    return total + Math.hypot(...sub(p, q));
  }, 0);
  return sum / joints.length;
}
