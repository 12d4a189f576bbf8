// SPDX-License-Identifier: MIT
// The transparent preview of an object that is being placed, with the position, rotation and size chosen by the user. Its
// lines are drawn over everything, so that it is visible where other things hide it.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial,
  LineSegments, MathUtils, Matrix4, Mesh, MeshBasicMaterial, PlaneGeometry, Raycaster, RingGeometry, SphereGeometry, Vector3, WireframeGeometry,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { drawnEdges } from '../geometry/edges.js';

const SEGMENTS_MAX = 32; // limit of the grid lines of a sheet's preview
const UP = new Vector3(0, 1, 0);

// Parts of the ragdoll's figure: start, end and radius, in body heights above the pelvis (see server/sim/spawn/ragdoll.c for
// the simulated one).
/** @type {[from: number[], to: number[], radius: number][]} */
const FIGURE = [
  [[0, 0.38, 0], [0, 0.41, 0.02], 0.06], [[0, 0.02, 0], [0, 0.28, 0], 0.07],
  [[0.1, 0.28, 0], [0.14, 0.12, -0.03], 0.035], [[0.14, 0.12, -0.03], [0.15, -0.03, 0.03], 0.03],
  [[-0.1, 0.28, 0], [-0.14, 0.12, -0.03], 0.035], [[-0.14, 0.12, -0.03], [-0.15, -0.03, 0.03], 0.03],
  [[0.06, -0.03, 0], [0.06, -0.28, 0.03], 0.045], [[0.06, -0.28, 0.03], [0.06, -0.49, 0], 0.038],
  [[-0.06, -0.03, 0], [-0.06, -0.28, 0.03], 0.045], [[-0.06, -0.28, 0.03], [-0.06, -0.49, 0], 0.038],
];

/**
 * The parameters of each shape, by its name; lengths in m.
 * @typedef {object} Forms
 * @property {{width: number, height: number, columns: number, rows: number}} sheet
 * @property {{length: number, radius: number, sides?: number}} rod
 * @property {{size: number[]}} box
 * @property {{radius: number}} sphere
 * @property {{length: number, radius: number}} capsule
 * @property {{points: ArrayLike<number>}} hull
 * @property {{parts: import('../tools/build/solids.js').Part[]}} parts of a compound body
 * @property {{positions: Float32Array, triangles: Uint32Array, edges?: Uint32Array | null}} surface `edges`: the lines to draw
 * @property {{extent: number}} plane
 * @property {{height: number, leaves: number}} plant
 * @property {{height: number}} figure
 */

/** @typedef {{[form in keyof Forms]: {form: form} & Forms[form]}[keyof Forms]} Shape */

/** @type {{[form in keyof Forms]: (shape: Forms[form]) => BufferGeometry}} */
const FORMS = {
  sheet: ({ width, height, columns, rows }) => (
    new PlaneGeometry(width, height, Math.min(columns - 1, SEGMENTS_MAX), Math.min(rows - 1, SEGMENTS_MAX))),
  rod: ({ length, radius, sides = 8 }) => new CylinderGeometry(radius, radius, length, sides, 1),
  box: ({ size: [x, y, z] }) => new BoxGeometry(x, y, z),
  sphere: ({ radius }) => new SphereGeometry(radius, 20, 12),
  capsule: ({ length, radius }) => new CapsuleGeometry(radius, length, 4, 12),
  hull: ({ points }) => new ConvexGeometry(Array.from({ length: points.length / 3 }, (_, i) => new Vector3().fromArray(points, 3 * i))),
  parts: ({ parts }) => merged(parts.map(partShape)),
  surface: ({ positions, triangles }) => surface(positions, triangles),
  plane: ({ extent }) => merged([
    new PlaneGeometry(extent, extent, 6, 6).rotateX(-Math.PI / 2),
    limb([0, 0, 0], [0, 0.5, 0], 0.015), new ConeGeometry(0.06, 0.15, 8).translate(0, 0.55, 0),
  ]),
  plant: ({ height, leaves }) => {
    const width = 0.05 * height;
    /** @param {number} pair @param {number} side */
    const leaf = (pair, side) => {
      const root = height * (0.3 + (0.6 * pair) / Math.max(leaves, 1));
      return limb([0, root, 0], [side * 0.22 * height, root + 0.12 * height, 0], 0.02 * height);
    };
    const pairs = Array.from({ length: Math.min(leaves, 12) }, (_, pair) => [leaf(pair, 1), leaf(pair, -1)]);
    return merged([new CylinderGeometry(width / 2, width, height, 6).translate(0, height / 2, 0), ...pairs.flat()]);
  },
  figure: ({ height }) => merged(FIGURE.map(([from, to, radius]) => limb(from, to, radius))).scale(height, height, height),
};

/** The geometry of one part of a compound body. @param {import('../tools/build/solids.js').Part} part */
function partShape({ shape, size = [], radius = 0, length = 0, height = 0, position: [x, y, z] = [0, 0, 0] }) {
  const geometry = shape === 'box' ? FORMS.box({ size }) : shape === 'sphere' ? FORMS.sphere({ radius })
    : shape === 'capsule' ? FORMS.capsule({ length, radius }) : FORMS.rod({ length: height, radius, sides: 24 });
  return geometry.translate(x, y, z);
}

/** @param {Float32Array} positions @param {Uint32Array} corners */
function surface(positions, corners) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(corners, 1));
  return geometry;
}

/** @param {number[]} from @param {number[]} to @param {number} radius */
function limb(from, to, radius) {
  const [start, end] = [new Vector3().fromArray(from), new Vector3().fromArray(to)];
  const axis = end.clone().sub(start);
  const turn = new Group();
  turn.quaternion.setFromUnitVectors(UP, axis.clone().normalize());
  turn.position.copy(start).addScaledVector(axis, 0.5);
  turn.updateMatrix();
  return new CapsuleGeometry(radius, axis.length(), 3, 8).applyMatrix4(turn.matrix);
}

/** @param {BufferGeometry[]} parts */
function merged(parts) {
  const whole = mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)));
  for (const part of parts) part.dispose();
  return whole;
}

/**
 * A file's surface has its edges already: computing them is slow for large meshes.
 * @param {BufferGeometry} geometry @param {Shape} shape
 */
function linesOf(geometry, shape) {
  if (shape.form === 'surface') return surface(shape.positions, shape.edges ?? drawnEdges(shape));
  return shape.form === 'sheet' ? new WireframeGeometry(geometry) : new EdgesGeometry(geometry, 15);
}

/** One preview. `object` is the three.js object that the gizmo moves. */
export class PlacementPreview {
  /** @param {import('three').Scene} scene @param {string} color a CSS color */
  constructor(scene, color) {
    this.object = new Group();
    this.fill = new Mesh(new BufferGeometry(), new MeshBasicMaterial({
      color, transparent: true, opacity: 0.28, depthWrite: false, side: DoubleSide, toneMapped: false,
    }));
    const above = { color, transparent: true, depthTest: false, toneMapped: false };
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ ...above, opacity: 0.55 }));
    // A ring on the ground below the preview shows its position.
    this.foot = new Mesh(new RingGeometry(0.07, 0.09, 32).rotateX(-Math.PI / 2), new MeshBasicMaterial({ ...above, opacity: 0.8 }));
    this.fill.renderOrder = 12;
    this.lines.renderOrder = this.foot.renderOrder = 13;
    this.object.add(this.fill, this.lines);
    scene.add(this.object, this.foot);
    this.caster = new Raycaster();
  }

  /** @param {Shape} shape */
  setShape(shape) {
    const make = /** @type {(shape: Shape) => BufferGeometry} */ (FORMS[shape.form]); // the geometry function of the shape's kind
    const geometry = make(shape);
    for (const part of [this.fill, this.lines]) part.geometry.dispose();
    this.fill.geometry = geometry;
    this.lines.geometry = linesOf(geometry, shape);
  }

  /** @returns {{position: number[], rotation: number[]}} */
  get pose() {
    return { position: this.object.position.toArray(), rotation: this.object.quaternion.toArray() };
  }

  /** @param {number[]} position m */
  moveTo(position) {
    this.object.position.fromArray(position);
  }

  /** The rotation about x, y and z, in degrees. */
  get degrees() {
    const { x, y, z } = this.object.rotation;
    return [x, y, z].map((angle) => MathUtils.radToDeg(angle));
  }

  set degrees(angles) {
    const [x, y, z] = angles.map((angle) => MathUtils.degToRad(angle));
    this.object.rotation.set(x, y, z);
  }

  /** Rotates the preview about the vertical axis. @param {number} degrees */
  turn(degrees) {
    this.object.rotateOnWorldAxis(UP, MathUtils.degToRad(degrees));
  }

  /** Returns the scale set by the user, and resets it to 1. @returns {number[]} */
  takeScale() {
    const scale = this.object.scale.toArray().map((value) => Math.min(100, Math.max(0.01, Math.abs(value))));
    this.object.scale.setScalar(1);
    return scale;
  }

  /** How far the rotated preview extends below its origin, m. */
  get below() {
    const { scale } = this.object;
    this.object.updateMatrixWorld(true);
    const turned = new Matrix4().extractRotation(this.object.matrixWorld).scale(scale);
    const points = this.fill.geometry.attributes.position;
    const point = new Vector3();
    let lowest = Infinity;
    for (let i = 0; i < points.count; i++) lowest = Math.min(lowest, point.fromBufferAttribute(points, i).applyMatrix4(turned).y);
    return Number.isFinite(lowest) ? -lowest : 0;
  }

  /** @param {number} height height of the ground below it, m */
  showFoot(height) {
    this.foot.position.set(this.object.position.x, height + 0.002, this.object.position.z);
  }

  /** @param {{origin: number[], direction: number[]}} ray @returns {boolean} whether the ray hits the preview */
  isMet({ origin, direction }) {
    this.caster.set(new Vector3().fromArray(origin), new Vector3().fromArray(direction));
    this.object.updateMatrixWorld(true);
    return this.caster.intersectObject(this.fill, false).length > 0;
  }

  dispose() {
    for (const part of [this.fill, this.lines, this.foot]) {
      part.geometry.dispose();
      part.material.dispose();
    }
    this.object.removeFromParent();
    this.foot.removeFromParent();
  }
}
