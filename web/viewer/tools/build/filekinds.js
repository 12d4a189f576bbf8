// SPDX-License-Identifier: MIT
// A mesh from a file as something to build: cloth, body or obstacle. Each says how many particles or corners it may have and
// what is made of the mesh, as a kind like those of the palette (kinds.js). Pure.
import { tidy } from './kinds.js';
import { compact, edgeCount, FileFault, outermost, scaled } from '../../geometry/mesh.js';

const OWN_SIZE = [0.05, 20]; // m: a file whose extent lies between is taken to be in metres
const FLAT_SHARE = 1e-3;
const SLIVER = 1e-5; // of its longest side: the least height of an obstacle's triangle, ten times the server's limit
const ROUNDING = 4e-6; // of the extent: by how much tidy() may lower it
const SHEET = ['positions', 'triangles', 'position', 'rotation', 'masses', 'pin'];
const BODY = ['shape', 'size', 'vertices', 'position', 'rotation', 'velocity', 'angularVelocity', 'masses'];
const SOLID = ['shape', 'radius', 'size', 'normal', 'from', 'to', 'columns', 'rows', 'spacing', 'heights', 'positions', 'triangles', 'position', 'rotation'];

const posed = ({ position, rotation }) => ({ position: position.map(tidy), rotation: rotation.map(tidy) });
const numbers = (positions) => Array.from(positions, tidy);
const count = (value, one, many) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

/**
 * What a mesh can become, by name: `counted` (what its number counts), `least`, `most` and `usual` of them, `reduce` (the mesh as it
 * will be sent; told how to simplify), and the rest of a kind. `told` says in words what is sent.
 */
export const USES = {
  cloth: {
    title: 'Cloth', method: 'mesh.spawn', counted: 'particles', least: 8, most: 20000, usual: 1000, omit: SHEET, main: ['thickness', 'tear', 'bend', 'color'],
    reduce: (mesh, most, simplify) => simplify(mesh, most),
    told: ({ positions, triangles }) => [
      count(positions.length / 3, 'particle', 'particles'), count(edgeCount(triangles), 'stick', 'sticks'), count(triangles.length / 3, 'triangle', 'triangles')],
    params: ({ positions, triangles }, values, pose) => ({ positions: numbers(positions), triangles: [...triangles], ...posed(pose), ...values }),
  },
  body: {
    title: 'Body', method: 'body.spawn', counted: 'corners', least: 4, most: 256, usual: 48, omit: BODY, main: ['mass', 'friction', 'restitution', 'color'],
    // The body is the convex hull: only what is furthest out counts.
    reduce: ({ positions }, most) => ({ positions: outermost(positions, most), triangles: null }),
    told: ({ positions }) => ['4 particles', `the convex hull of ${positions.length / 3} corners`],
    params: ({ positions }, values, pose) => ({ shape: 'hull', vertices: numbers(positions), ...posed(pose), ...values }),
  },
  obstacle: {
    title: 'Obstacle', method: 'obstacle.add', counted: 'corners', least: 4, most: 50000, usual: 3000, omit: SOLID, main: ['friction', 'restitution', 'color'],
    reduce: (mesh, most, simplify) => outward(withoutSlivers(simplify(mesh, most))),
    told: ({ positions, triangles }) => [count(positions.length / 3, 'corner', 'corners'), count(triangles.length / 3, 'triangle', 'triangles'), 'no particles'],
    params: ({ positions, triangles }, values, pose) => ({ shape: 'mesh', positions: numbers(positions), triangles: [...triangles], ...posed(pose), ...values }),
  },
};

/**
 * The size a file's mesh is shown in first: its own where that looks like metres, else 1 m; no more than half of the room.
 * @param {number[]} extent of the mesh @param {{min: number[], max: number[]}} bounds of the world
 * @returns {number} m
 */
export function firstSize(extent, { min, max }) {
  const largest = Math.max(...extent);
  const room = Math.min(...max.map((value, axis) => value - min[axis]));
  return tidy(Math.min(room / 2, largest >= OWN_SIZE[0] && largest <= OWN_SIZE[1] ? largest : 1));
}

/**
 * @param {keyof typeof USES} use @param {string} name of the file @param {{positions: Float32Array, triangles: Uint32Array|null, edges: Uint32Array|null}} mesh reduced
 * @param {number} largest extent of the file's mesh, in its own unit @param {number} size to begin with, m
 * @returns {import('./kinds.js').Kind}
 */
export function fileKind(use, name, mesh, largest, size) {
  const { title, method, omit, main, params } = USES[use];
  const shapeOf = (extent) => ({ triangles: mesh.triangles, positions: scaled(mesh.positions, [extent / largest, extent / largest, extent / largest]) });
  return {
    id: `file-${use}`, title: `${title} of ${name}`, group: 'File', icon: '', method, omit, turns: true, sizes: 'even',
    main: ['extent', ...main],
    own: { extent: { type: 'number', exclusiveMinimum: 0, maximum: 1000, default: size, 'x-unit': 'm', description: 'From end to end, along the longest axis.' } },
    values: { extent: size },
    resize: (values, [scale]) => ({ ...values, extent: tidy(values.extent * scale) }),
    shape: ({ extent }) => {
      const { positions, triangles } = shapeOf(extent);
      return triangles ? { form: 'surface', positions, triangles, edges: mesh.edges } : { form: 'hull', points: positions };
    },
    params: ({ extent, ...values }, pose) => params(shapeOf(extent), values, pose),
  };
}

/** Whether points lie in a plane, or nearly: then they are no body. @param {Float32Array} points */
export function isFlat(points) {
  const at = (i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  const minus = (a, b) => a.map((value, axis) => value - b[axis]);
  const cross = ([ax, ay, az], [bx, by, bz]) => [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const furthest = (measure) => {
    let most = 0;
    let found = 0;
    for (let i = 0; i < points.length / 3; i++) {
      const value = measure(at(i));
      if (value > most) [most, found] = [value, i];
    }
    return { most, point: at(found) };
  };
  const origin = at(0);
  const along = furthest((point) => Math.hypot(...minus(point, origin)));
  const axis = minus(along.point, origin);
  const aside = furthest((point) => Math.hypot(...cross(axis, minus(point, origin))) / along.most);
  const normal = cross(axis, minus(aside.point, origin));
  const above = furthest((point) => Math.abs(normal.reduce((sum, part, k) => sum + part * (point[k] - origin[k]), 0)) / Math.hypot(...normal));
  return !(above.most > FLAT_SHARE * along.most);
}

// Leaves out triangles whose corners lie in a line or nearly, or would after rounding: the server refuses an obstacle
// with such triangles.
function withoutSlivers({ positions: p, triangles }) {
  const reach = p.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
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
  if (kept.length === 0) throw new FileFault('None of its triangles has an area.');
  return compact(p, kept);
}

// Faces that look outward, as those of an obstacle should: the volume that they enclose is not negative.
function outward({ positions, triangles }) {
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    volume += positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  if (volume >= 0) return { positions, triangles };
  const turned = triangles.slice();
  for (let t = 0; t < turned.length; t += 3) [turned[t + 1], turned[t + 2]] = [turned[t + 2], turned[t + 1]];
  return compact(positions, turned);
}
