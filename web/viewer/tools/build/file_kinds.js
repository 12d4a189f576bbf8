// SPDX-License-Identifier: MIT
// The objects that a file's mesh can become: cloth, body, soft body or obstacle, each with limits on its particles or corners, and a
// function that makes the params. Each is a kind like those of the palette (kinds.js). Pure.
import { tidy } from './kinds.js';
import { edgeCount, scaled } from '../../geometry/mesh.js';
/** @import { Kind, Pose, Values } from './kinds.js' */

const OWN_SIZE = [0.05, 20]; // m: a file whose extent is within these limits is assumed to be in metres
const FLAT_SHARE = 1e-3;
const THIN = 0.02; // greatest thickness of a soft body, as a share of its extent on one side of its center
const SHEET = ['positions', 'triangles', 'position', 'rotation', 'masses', 'pin'];
const SOFT = ['shape', 'size', 'radius', 'cells', 'positions', 'tetrahedra', 'position', 'rotation', 'velocity', 'angularVelocity', 'pin'];
const BODY = ['shape', 'size', 'vertices', 'position', 'rotation', 'velocity', 'angularVelocity', 'masses', 'length', 'height', 'parts'];
const SOLID = ['shape', 'radius', 'size', 'normal', 'from', 'to', 'columns', 'rows', 'spacing', 'heights', 'positions', 'triangles', 'position', 'rotation'];

/** @param {Pose} pose */
const posed = ({ position, rotation }) => ({ position: position.map(tidy), rotation: rotation.map(tidy) });
/** @param {ArrayLike<number>} positions */
const numbers = (positions) => Array.from(positions, tidy);
/** @param {number} value @param {string} one @param {string} many */
const count = (value, one, many) => `${value.toLocaleString('en')} ${value === 1 ? one : many}`;

/** @typedef {{positions: Float32Array, triangles: Uint32Array | null, edges: Uint32Array | null, tetrahedra?: Uint32Array}} Reduced the mesh to be sent; a hull has only positions */
/** @typedef {'cloth' | 'body' | 'soft' | 'obstacle'} Use */

const NONE = new Uint32Array(0);

/**
 * The uses of a mesh by name: `counted` (the elements that its number counts), `least`, `most` and `usual` numbers of them,
 * and the rest of a kind. `told` describes a mesh that was reduced by REDUCTIONS of geometry/reductions.js.
 * @type {Record<Use, {
 *   title: string, method: Kind['method'], counted: string, least: number, most: number, usual: number, omit: string[], main: string[],
 *   told: (mesh: Reduced) => string[], params: (mesh: Reduced, values: Values, pose: Pose) => object,
 * }>}
 */
export const USES = {
  cloth: {
    title: 'Cloth', method: 'mesh.spawn', counted: 'particles', least: 8, most: 20000, usual: 1000, omit: SHEET, main: ['thickness', 'tear', 'bend', 'pressure', 'color'],
    told: ({ positions, triangles }) => [
      count(positions.length / 3, 'particle', 'particles'), count(edgeCount(triangles ?? NONE), 'stick', 'sticks'), count((triangles ?? NONE).length / 3, 'triangle', 'triangles')],
    params: ({ positions, triangles }, values, pose) => ({ positions: numbers(positions), triangles: [...(triangles ?? NONE)], ...posed(pose), ...values }),
  },
  body: {
    title: 'Body', method: 'body.spawn', counted: 'corners', least: 4, most: 256, usual: 48, omit: BODY, main: ['mass', 'friction', 'restitution', 'color'],
    told: ({ positions }) => ['4 particles', `the convex hull of ${positions.length / 3} corners`],
    params: ({ positions }, values, pose) => ({ shape: 'hull', vertices: numbers(positions), ...posed(pose), ...values }),
  },
  soft: {
    title: 'Soft body', method: 'soft.spawn', counted: 'particles', least: 60, most: 20000, usual: 600, omit: SOFT, main: ['young', 'poisson', 'density', 'viscosity', 'color'],
    told: ({ positions, tetrahedra = NONE }) => [count(positions.length / 3, 'particle', 'particles'), count(tetrahedra.length / 4, 'tetrahedron', 'tetrahedra')],
    params: ({ positions, tetrahedra = NONE }, values, pose) => ({
      shape: 'tetrahedra', positions: numbers(positions), tetrahedra: [...tetrahedra], thickness: Math.min(0.01, tidy(THIN * positions.reduce((far, part) => Math.max(far, part), 0))),
      ...posed(pose), ...values,
    }),
  },
  obstacle: {
    title: 'Obstacle', method: 'obstacle.add', counted: 'corners', least: 4, most: 50000, usual: 3000, omit: SOLID, main: ['friction', 'restitution', 'color'],
    told: ({ positions, triangles }) => [count(positions.length / 3, 'corner', 'corners'), count((triangles ?? NONE).length / 3, 'triangle', 'triangles'), 'no particles'],
    params: ({ positions, triangles }, values, pose) => ({ shape: 'mesh', positions: numbers(positions), triangles: [...(triangles ?? NONE)], ...posed(pose), ...values }),
  },
};

/**
 * The initial size of a file's mesh: its own size if that is plausible in metres, otherwise 1 m; at most half of the world's
 * bounds.
 * @param {number[]} extent of the mesh @param {{min: number[], max: number[]}} bounds of the world
 * @returns {number} m
 */
export function firstSize(extent, { min, max }) {
  const largest = Math.max(...extent);
  const room = Math.min(...max.map((value, axis) => value - min[axis]));
  return tidy(Math.min(room / 2, largest >= OWN_SIZE[0] && largest <= OWN_SIZE[1] ? largest : 1));
}

/**
 * @param {Use} use @param {string} name of the file @param {Reduced} mesh
 * @param {number} largest largest extent of the file's mesh, in the unit of the file @param {number} size initial size, m
 * @returns {import('./kinds.js').Kind}
 */
export function fileKind(use, name, mesh, largest, size) {
  const { title, method, omit, main, params } = USES[use];
  /** @param {number} extent */
  const shapeOf = (extent) => ({ ...mesh, positions: scaled(mesh.positions, [extent / largest, extent / largest, extent / largest]) });
  return {
    id: `file-${use}`, title: `${title} from ${name}`, group: 'File', icon: '', method, omit, turns: true, sizes: 'even',
    main: ['size', ...main],
    own: { size: { type: 'number', exclusiveMinimum: 0, maximum: 1000, default: size, 'x-unit': 'm', description: 'Length along the longest axis.' } },
    values: { size },
    resize: (values, [scale]) => ({ ...values, size: tidy(values.size * scale) }),
    shape: ({ size: extent }) => {
      const { positions, triangles } = shapeOf(extent);
      return triangles ? { form: 'surface', positions, triangles, edges: mesh.edges } : { form: 'hull', points: positions };
    },
    params: ({ size: extent, ...values }, pose) => params(shapeOf(extent), values, pose),
  };
}

/** Whether points are (nearly) coplanar; such points make no body. @param {Float32Array} points */
export function isFlat(points) {
  /** @param {number} i */
  const at = (i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  /** @param {number[]} a @param {number[]} b */
  const minus = (a, b) => a.map((value, axis) => value - b[axis]);
  /** @param {number[]} a @param {number[]} b */
  const cross = ([ax, ay, az], [bx, by, bz]) => [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  /** @param {(point: number[]) => number} measure */
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
