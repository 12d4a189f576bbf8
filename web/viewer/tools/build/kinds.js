// SPDX-License-Identifier: MIT
// The kinds of objects in the palette: for each the method that makes it, the fields of its form, the shape of its preview,
// and the conversion of position, rotation and scale to the method's params. Pure arithmetic; lengths in m.

import { ballMesh, COMPOUND_NAMES, partsOf, roundedCorners } from './solids.js';
/** @import { Shape } from '../../scene/placement_preview.js' */
/** @import { JsonSchema } from '../../script/schema.js' */

const VERTICAL = [0, 1, 0];
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/**
 * @typedef {object} Kind
 * @property {string} id
 * @property {string} title
 * @property {'Objects'|'Obstacles'|'File'} group
 * @property {string} icon contents of a 20 × 20 SVG
 * @property {'cloth.spawn'|'mesh.spawn'|'rope.spawn'|'plant.spawn'|'body.spawn'|'ragdoll.spawn'|'soft.spawn'|'obstacle.add'} method the method that makes it
 * @property {Values} values initial values of its form
 * @property {string[]} main fields that are always visible, of the method's params and of `own`; the other simple ones follow
 * @property {string[]} [omit] params without a field
 * @property {Record<string, JsonSchema>} [own] schemas of fields that are not params of the method
 * @property {boolean} turns whether it has a rotation
 * @property {'free'|'even'|'none'} sizes whether it can be scaled: along each axis, evenly, or not at all
 * @property {(values: Values, scale: number[]) => Values} [resize] its values after scaling
 * @property {(values: Values) => Shape} shape shape of the preview
 * @property {(values: Values, pose: Pose) => object} params
 */

/** @typedef {Record<string, any>} Values values of a form by the names of its fields */
/** @typedef {{position: number[], rotation: number[]}} Pose position in m, rotation as a unit quaternion */

/** @param {number} fallback @param {string} description */
const length = (fallback, description, maximum = 1000) => (
  { type: 'number', exclusiveMinimum: 0, maximum, default: fallback, 'x-unit': 'm', description });
/** @param {string} name */
const even = (name) => (/** @type {Values} */ values, /** @type {number[]} */ [scale]) => ({ ...values, [name]: tidy(values[name] * scale) });
/** @param {...string} names */
const each = (...names) => (/** @type {Values} */ values, /** @type {number[]} */ scale) => ({ ...values, ...Object.fromEntries(names.map((name, axis) => [name, tidy(values[name] * scale[axis])])) });
/** @param {number} width @param {number} height @param {number} depth */
const sides = (width, height, depth) => ({
  width: length(width, 'Along x.'), height: length(height, 'Along y (up).'), depth: length(depth, 'Along z.'),
});
/** @param {Values} values @param {...string} names */
const without = (values, ...names) => Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
/** @param {Values} values */
const sized = ({ width, height, depth }) => [width, height, depth];
const POSED = ['position', 'rotation', 'velocity', 'angularVelocity'];
const BODY_SHAPE = [...POSED, 'shape', 'size', 'vertices', 'masses', 'radius', 'length', 'height', 'parts'];
const BODY_MAIN = ['mass', 'friction', 'restitution', 'color'];

/** Rotates a vector by a quaternion. @param {number[]} q @param {number[]} v @returns {number[]} */
export function rotate([qx, qy, qz, qw], [x, y, z]) {
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

/** Rounds a number to single precision. @param {number} value */
export function tidy(value) {
  return Number(value.toPrecision(6));
}

/** @param {Pose} pose */
const tidied = (pose) => ({ position: pose.position.map(tidy), rotation: pose.rotation.map(tidy) });

/** The ends of an axis of this length, centred on the position along the rotated vertical. @param {Pose} pose @param {number} extent */
function ends({ position, rotation }, extent) {
  const axis = rotate(rotation, VERTICAL);
  /** @param {number} share */
  const end = (share) => position.map((value, i) => tidy(value + share * extent * axis[i]));
  return [end(0.5), end(-0.5)];
}

/** Corners of a stone: points in all directions at varying distances, always the same. @returns {number[]} flat @param {Values} values */
export function stone({ corners, width, height, depth }) {
  const points = [];
  for (let i = 0; i < corners; i++) {
    const y = 1 - (2 * i + 1) / corners;
    const around = Math.sqrt(1 - y * y);
    const out = 0.5 * (0.86 + 0.14 * Math.sin(12.9898 * (i + 1)));
    points.push(tidy(out * width * around * Math.cos(GOLDEN * i)), tidy(out * height * y), tidy(out * depth * around * Math.sin(GOLDEN * i)));
  }
  return points;
}

/** The radius of the edges of a rounded box, at most what its shortest side leaves. @param {Values} values */
const edgeOf = (values) => tidy(Math.min(values.radius, 0.499 * Math.min(...sized(values)) - 0.0005));

/** Heights of rolling hills, row by row, from 0 to `relief`. @returns {number[]} @param {Values} values */
export function hills({ columns, rows, relief, waves }) {
  const heights = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const u = (2 * Math.PI * waves * column) / (columns - 1);
      const v = (2 * Math.PI * waves * row) / (rows - 1);
      heights.push(tidy(relief * (0.5 - 0.25 * (Math.cos(u) + Math.cos(v + 0.6 * Math.sin(u))))));
    }
  }
  return heights;
}

/** @param {Values} values */
function hillSurface(values) {
  const { columns, rows, spacing } = values;
  const heights = hills(values);
  const positions = new Float32Array(3 * columns * rows);
  const triangles = new Uint32Array(6 * (columns - 1) * (rows - 1));
  for (let i = 0; i < heights.length; i++) {
    positions.set([((i % columns) - (columns - 1) / 2) * spacing, heights[i], (Math.floor(i / columns) - (rows - 1) / 2) * spacing], 3 * i);
  }
  let at = 0;
  for (let i = 0; i < columns * (rows - 1); i++) {
    if (i % columns === columns - 1) continue;
    triangles.set([i, i + columns, i + 1, i + 1, i + columns, i + columns + 1], at);
    at += 6;
  }
  return { positions, triangles };
}

/** @param {Values} values @returns {Shape} */
function sheet({ columns, rows, spacing = 0.05, mesh }) {
  const hex = mesh === 'hex';
  return {
    form: 'sheet', width: (columns - 1 + (hex ? 0.5 : 0)) * spacing, height: (rows - 1) * spacing * (hex ? Math.sqrt(3) / 2 : 1), columns, rows,
  };
}

/** @type {Kind[]} */
export const KINDS = [
  {
    id: 'cloth', title: 'Cloth', group: 'Objects', method: 'cloth.spawn', turns: true, sizes: 'even',
    icon: '<path d="M3 4h14v10c-2.3 2-4.7-2-7 0s-4.7 2-7 0zM3 8.5h14M8 4v11M13 4v9.6"/>',
    values: { columns: 26, rows: 26, spacing: 0.05 },
    main: ['columns', 'rows', 'spacing', 'fabric', 'pin', 'tear', 'color'],
    omit: [...POSED, 'masses'],
    resize: even('spacing'),
    shape: sheet,
    params: (values, pose) => ({ ...values, ...tidied(pose) }),
  },
  {
    id: 'rope', title: 'Rope', group: 'Objects', method: 'rope.spawn', turns: true, sizes: 'even',
    icon: '<path d="M3 4c0 9 7 3 7 8s7 6 7-6"/>',
    values: { length: 1.5, particles: 24 },
    main: ['length', 'particles', 'pin', 'thickness', 'color'],
    omit: ['from', 'to', 'positions', 'masses'],
    own: { length: length(1.5, 'Length of the rope.') },
    resize: even('length'),
    shape: ({ length: extent, thickness = 0 }) => ({ form: 'rod', length: extent, radius: Math.max(thickness / 2, 0.012) }),
    params: (values, pose) => {
      const [from, to] = ends(pose, values.length);
      return { ...without(values, 'length'), from, to };
    },
  },
  {
    id: 'plant', title: 'Plant', group: 'Objects', method: 'plant.spawn', turns: false, sizes: 'even',
    icon: '<path d="M10 17V6M10 12c-4 0-6-2-6-5 4 0 6 2 6 5zM10 9c0-3 2-5 5-5 0 3-2 5-5 5z"/>',
    values: { height: 1 },
    main: ['height', 'levels', 'leaves', 'stiffness', 'color'],
    omit: POSED,
    resize: even('height'),
    shape: ({ height, leaves = 4 }) => ({ form: 'plant', height, leaves }),
    params: (values, { position }) => ({ ...values, position: position.map(tidy) }),
  },
  {
    id: 'tetrahedron', title: 'Tetrahedron', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'even',
    icon: '<path d="M10 3 3 14.5l8 2.5 6-4zM10 3l1 14"/>',
    values: { size: 0.4 },
    main: ['size', ...BODY_MAIN],
    omit: BODY_SHAPE,
    own: { size: length(0.4, 'Edge length.') },
    resize: even('size'),
    shape: ({ size }) => {
      const half = size / Math.sqrt(8);
      return { form: 'hull', points: [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1].map((side) => side * half) };
    },
    params: (values, pose) => ({ shape: 'tetrahedron', ...values, ...tidied(pose) }),
  },
  {
    id: 'box', title: 'Box', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'free',
    icon: '<path d="M3.5 6.5 10 3l6.5 3.5v7L10 17l-6.5-3.5zM3.5 6.5 10 10l6.5-3.5M10 10v7"/>',
    values: { width: 0.4, height: 0.3, depth: 0.3 },
    main: ['width', 'height', 'depth', 'mass', 'friction', 'restitution', 'color'],
    omit: BODY_SHAPE,
    own: sides(0.4, 0.3, 0.3),
    resize: each('width', 'height', 'depth'),
    shape: (values) => ({ form: 'box', size: sized(values) }),
    params: (values, pose) => ({ shape: 'box', size: sized(values), ...without(values, 'width', 'height', 'depth'), ...tidied(pose) }),
  },
  {
    id: 'hull', title: 'Convex hull', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'free',
    icon: '<path d="M6 3l7 .5 4 6-3 6.5-7 1-4-6zM6 3l3 7-6 1M9 10l5 6M9 10l8-.5M9 10l4-6.5"/>',
    values: { corners: 14, width: 0.5, height: 0.4, depth: 0.45 },
    main: ['corners', 'width', 'height', 'depth', 'mass', 'friction', 'color'],
    omit: BODY_SHAPE,
    own: { corners: { type: 'integer', minimum: 6, maximum: 256, default: 14, description: 'Number of corners.' }, ...sides(0.5, 0.4, 0.45) },
    resize: each('width', 'height', 'depth'),
    shape: (values) => ({ form: 'hull', points: stone(values) }),
    params: (values, pose) => ({
      shape: 'hull', vertices: stone(values), ...without(values, 'corners', 'width', 'height', 'depth'), ...tidied(pose),
    }),
  },
  {
    id: 'ball', title: 'Ball', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'even',
    icon: '<circle cx="10" cy="10" r="7"/><path d="M10 3c3.500 4 3.500 10 0 14"/>',
    values: { radius: 0.2 },
    main: ['radius', ...BODY_MAIN],
    omit: BODY_SHAPE,
    own: { radius: length(0.2, 'Radius of the ball.') },
    resize: even('radius'),
    shape: ({ radius }) => ({ form: 'sphere', radius }),
    params: (values, pose) => ({ shape: 'sphere', ...values, ...tidied(pose) }),
  },
  {
    id: 'pill', title: 'Pill', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'even',
    icon: '<path d="M4.500 10.500l6-6a3.500 3.500 0 0 1 5 5l-6 6a3.500 3.500 0 0 1-5-5zM7.500 7.500l5 5"/>',
    values: { length: 0.4, radius: 0.12 },
    main: ['length', 'radius', ...BODY_MAIN],
    omit: BODY_SHAPE,
    own: { length: length(0.4, 'Distance between the centres of its round ends.'), radius: length(0.12, 'Radius around the axis.') },
    resize: (values, [scale]) => even('radius')(even('length')(values, [scale]), [scale]),
    shape: ({ length: extent, radius }) => ({ form: 'capsule', length: extent, radius }),
    params: (values, pose) => ({ shape: 'capsule', ...values, ...tidied(pose) }),
  },
  {
    id: 'cylinder', title: 'Cylinder', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'even',
    icon: '<path d="M4 5.500c0-3 12-3 12 0v9c0 3-12 3-12 0zM4 5.500c0 3 12 3 12 0"/>',
    values: { height: 0.4, radius: 0.2 },
    main: ['height', 'radius', ...BODY_MAIN],
    omit: BODY_SHAPE,
    own: { height: length(0.4, 'Length of the axis.'), radius: length(0.2, 'Radius around the axis.') },
    resize: (values, [scale]) => even('radius')(even('height')(values, [scale]), [scale]),
    shape: ({ height, radius }) => ({ form: 'rod', length: height, radius, sides: 24 }),
    params: (values, pose) => ({ shape: 'cylinder', ...values, ...tidied(pose) }),
  },
  {
    id: 'roundedBox', title: 'Rounded box', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'free',
    icon: '<rect x="3" y="5" width="14" height="10" rx="4"/><path d="M6 9.500c.3-1.200 1-1.700 2-2"/>',
    values: { width: 0.5, height: 0.3, depth: 0.4, radius: 0.08 },
    main: ['width', 'height', 'depth', 'radius', ...BODY_MAIN],
    omit: BODY_SHAPE,
    own: { ...sides(0.5, 0.3, 0.4), radius: length(0.08, 'Radius of its edges and corners, less than half of its shortest side.') },
    resize: each('width', 'height', 'depth'),
    shape: (values) => ({ form: 'hull', points: roundedCorners(sized(values), edgeOf(values)) }),
    params: (values, pose) => {
      const radius = edgeOf(values);
      return {
        shape: 'box', ...without(values, 'width', 'height', 'depth'), size: sized(values).map((side) => tidy(side - 2 * radius)), radius, ...tidied(pose),
      };
    },
  },
  {
    id: 'compound', title: 'Compound', group: 'Objects', method: 'body.spawn', turns: true, sizes: 'even',
    icon: '<path d="M6 3v14M6 10h8v7M6 3l2 1v6"/>',
    values: { form: 'chair', height: 0.9 },
    main: ['form', 'height', ...BODY_MAIN],
    omit: BODY_SHAPE,
    own: {
      form: { type: 'string', enum: COMPOUND_NAMES, default: COMPOUND_NAMES[0], description: 'One rigid body of several parts.' },
      height: length(0.9, 'Height of the whole.'),
    },
    resize: even('height'),
    shape: ({ form, height }) => ({ form: 'parts', parts: partsOf(form, height) }),
    params: ({ form, height, ...values }, pose) => ({ shape: 'compound', parts: partsOf(form, height), mass: 5, ...values, ...tidied(pose) }),
  },
  {
    id: 'ragdoll', title: 'Ragdoll', group: 'Objects', method: 'ragdoll.spawn', turns: true, sizes: 'even',
    icon: '<path d="M10 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM10 6v6M5 9l5-1.5L15 9M10 12l-3.5 5.5M10 12l3.5 5.5"/>',
    values: { height: 1.2 },
    main: ['height', 'mass', 'friction', 'color'],
    omit: POSED,
    resize: even('height'),
    shape: ({ height }) => ({ form: 'figure', height }),
    params: (values, pose) => ({ ...values, ...tidied(pose) }),
  },
  {
    id: 'softBox', title: 'Soft box', group: 'Objects', method: 'soft.spawn', turns: true, sizes: 'free',
    icon: '<path d="M3.500 6.500c2-1.500 4-2.500 6.500-3.500 2.500 1 4.500 2 6.500 3.500-.8 2.500-.8 4.500 0 7-2 1.500-4 2.500-6.500 3.500-2.500-1-4.500-2-6.500-3.500.8-2.500.8-4.500 0-7z"/>',
    values: { width: 0.4, height: 0.4, depth: 0.4, cells: 4 },
    main: ['width', 'height', 'depth', 'cells', 'young', 'density', 'color'],
    omit: [...POSED, 'shape', 'size', 'radius', 'positions', 'tetrahedra', 'pin'],
    own: { cells: { type: 'integer', minimum: 1, maximum: 16, default: 4, description: 'Cells along each side, five tetrahedra each.' }, ...sides(0.4, 0.4, 0.4) },
    resize: each('width', 'height', 'depth'),
    shape: (values) => ({ form: 'box', size: sized(values) }),
    params: (values, pose) => ({ shape: 'box', size: sized(values), ...without(values, 'width', 'height', 'depth', 'cells'), cells: [values.cells], ...tidied(pose) }),
  },
  {
    id: 'softBall', title: 'Soft ball', group: 'Objects', method: 'soft.spawn', turns: false, sizes: 'even',
    icon: '<circle cx="10" cy="10" r="7"/><path d="M6.500 7c2-2 5-2 7 0M5.500 12.500c3 2 6 2 9 0"/>',
    values: { radius: 0.25, cells: 6 },
    main: ['radius', 'cells', 'young', 'density', 'color'],
    omit: [...POSED, 'shape', 'size', 'positions', 'tetrahedra', 'pin'],
    own: { radius: length(0.25, 'Radius of the ball.'), cells: { type: 'integer', minimum: 2, maximum: 16, default: 6, description: 'Cells across the ball, an even number.' } },
    resize: even('radius'),
    shape: ({ radius }) => ({ form: 'sphere', radius }),
    params: (values, { position }) => ({ shape: 'ball', ...values, cells: [2 * Math.ceil(values.cells / 2)], position: position.map(tidy) }),
  },
  {
    id: 'balloon', title: 'Balloon', group: 'Objects', method: 'mesh.spawn', turns: true, sizes: 'even',
    icon: '<path d="M10 14c-3 0-5-3-5-6a5 5 0 0 1 10 0c0 3-2 6-5 6zM10 14l-1.500 2h3zM10 16c0 1-1 1-1 3"/>',
    values: { radius: 0.26, parts: 10, pressure: 500, arealDensity: 0.25, stretchCompliance: 0.003, thickness: 0.01 },
    main: ['radius', 'parts', 'pressure', 'supplied', 'arealDensity', 'stretchCompliance', 'color'],
    omit: [...POSED, 'positions', 'triangles', 'masses', 'pin'],
    own: {
      radius: length(0.26, 'Radius of the balloon.'),
      parts: { type: 'integer', minimum: 3, maximum: 40, default: 10, description: 'Triangle sides along a quarter of its circumference.' },
    },
    resize: even('radius'),
    shape: ({ radius }) => ({ form: 'sphere', radius }),
    params: ({ radius, parts, ...values }, pose) => ({ ...ballMesh(radius, parts), ...values, ...tidied(pose) }),
  },
  {
    id: 'plane', title: 'Plane', group: 'Obstacles', method: 'obstacle.add', turns: true, sizes: 'none',
    icon: '<path d="M2 12l5-6h11l-5 6zM10 9V2M8 4l2-2 2 2"/>',
    values: {},
    main: ['friction', 'restitution', 'color'],
    omit: [...POSED, 'shape', 'radius', 'size', 'normal', 'from', 'to', 'columns', 'rows', 'spacing', 'heights', 'positions', 'triangles'],
    shape: () => ({ form: 'plane', extent: 3 }),
    params: (values, { position, rotation }) => (
      { shape: 'plane', position: position.map(tidy), normal: rotate(rotation, VERTICAL).map(tidy), ...values }),
  },
  {
    id: 'sphere', title: 'Sphere', group: 'Obstacles', method: 'obstacle.add', turns: false, sizes: 'even',
    icon: '<circle cx="10" cy="10" r="7"/><path d="M3 10c3 2.6 11 2.6 14 0"/>',
    values: { radius: 0.4 },
    main: ['radius', 'friction', 'restitution', 'color'],
    omit: [...POSED, 'shape', 'size', 'normal', 'from', 'to', 'columns', 'rows', 'spacing', 'heights', 'positions', 'triangles'],
    own: { radius: length(0.4, 'Radius of the sphere.') },
    resize: even('radius'),
    shape: ({ radius }) => ({ form: 'sphere', radius }),
    params: (values, { position }) => ({ shape: 'sphere', position: position.map(tidy), ...values }),
  },
  {
    id: 'capsule', title: 'Capsule', group: 'Obstacles', method: 'obstacle.add', turns: true, sizes: 'even',
    icon: '<path d="M6 7a4 4 0 0 1 8 0v6a4 4 0 0 1-8 0zM6 7c2 1.4 6 1.4 8 0M6 13c2 1.4 6 1.4 8 0"/>',
    values: { length: 0.8, radius: 0.15 },
    main: ['length', 'radius', 'friction', 'restitution', 'color'],
    omit: [...POSED, 'shape', 'size', 'normal', 'from', 'to', 'columns', 'rows', 'spacing', 'heights', 'positions', 'triangles'],
    own: { length: length(0.8, 'Length of its axis.'), radius: length(0.15, 'Radius around the axis.') },
    resize: (values, [scale]) => ({ ...values, length: tidy(values.length * scale), radius: tidy(values.radius * scale) }),
    shape: ({ length: extent, radius }) => ({ form: 'capsule', length: extent, radius }),
    params: (values, pose) => {
      const [from, to] = ends(pose, values.length);
      return { shape: 'capsule', from, to, ...without(values, 'length') };
    },
  },
  {
    id: 'block', title: 'Block', group: 'Obstacles', method: 'obstacle.add', turns: true, sizes: 'free',
    icon: '<path d="M2 8l8-4 8 4v5l-8 4-8-4zM2 8l8 4 8-4M10 12v5"/>',
    values: { width: 1, height: 0.2, depth: 1 },
    main: ['width', 'height', 'depth', 'friction', 'restitution', 'color'],
    omit: [...POSED, 'shape', 'radius', 'size', 'normal', 'from', 'to', 'columns', 'rows', 'spacing', 'heights', 'positions', 'triangles'],
    own: sides(1, 0.2, 1),
    resize: each('width', 'height', 'depth'),
    shape: (values) => ({ form: 'box', size: sized(values) }),
    params: (values, pose) => ({ shape: 'box', size: sized(values), ...without(values, 'width', 'height', 'depth'), ...tidied(pose) }),
  },
  {
    id: 'heightfield', title: 'Height field', group: 'Obstacles', method: 'obstacle.add', turns: false, sizes: 'free',
    icon: '<path d="M2 15c3 0 3-8 6-8s3 5 5 5 2-4 5-4M2 18h16"/>',
    values: { columns: 33, rows: 33, spacing: 0.1, relief: 0.5, waves: 2 },
    main: ['columns', 'rows', 'spacing', 'relief', 'waves', 'friction', 'color'],
    omit: [...POSED, 'shape', 'radius', 'size', 'normal', 'from', 'to', 'heights', 'positions', 'triangles'],
    own: {
      columns: { type: 'integer', minimum: 2, maximum: 256, default: 33, description: 'Samples along x.' },
      rows: { type: 'integer', minimum: 2, maximum: 256, default: 33, description: 'Samples along z.' },
      spacing: length(0.1, 'Distance between samples.'),
      relief: length(0.5, 'Height from valleys to peaks.'),
      waves: { type: 'number', minimum: 0.25, maximum: 8, default: 2, description: 'Hills along each side.' },
    },
    resize: (values, [x, y, z]) => ({ ...values, spacing: tidy(values.spacing * (x === 1 ? z : x)), relief: tidy(values.relief * y) }),
    shape: (values) => ({ form: 'surface', ...hillSurface(values) }),
    params: (values, { position }) => ({ shape: 'heightfield', position: position.map(tidy), ...without(values, 'relief', 'waves'), heights: hills(values) }),
  },
];

/** The kinds of joints: title, and contents of a 20 × 20 SVG. @type {Record<import('./joint_tool.js').JointKind, [title: string, shapes: string]>} */
export const JOINTS = {
  stick: ['Stick', '<circle cx="4.500" cy="15.500" r="2"/><circle cx="15.500" cy="4.500" r="2"/><path d="M6 14l8-8"/>'],
  line: ['Line', '<circle cx="4" cy="5" r="2"/><circle cx="16" cy="5" r="2"/><path d="M5 7c2 9 8 9 10 0"/>'],
  ball: ['Ball joint', '<circle cx="10" cy="10" r="3"/><path d="M3 17l4.500-4.500M12.500 7.500L17 3"/>'],
  hinge: ['Hinge', '<path d="M10 3v14M10 5h7v4h-7M10 11H3v4h7"/>'],
};
