// SPDX-License-Identifier: MIT
// The shape of a ragdoll: a figure with head, hands and feet around its eleven bones. A bone is a rigid tetrahedron of four
// particles, so each vertex of a part is a constant weighted sum of the four particles of one bone, and its normal likewise, with weights
// of the sum 0. The stance is the one in which the server makes a ragdoll (server/sim/spawn/ragdoll.c), in units of the
// height: y up, facing +z, its left at +x.
import { CapsuleGeometry, Matrix3, Quaternion, Vector3 } from 'three';

/** The particles of a ragdoll in their order, as in `stance` of the server. */
export const STANCE = [
  [0, 0.09, 0.02], [0.055, -0.03, 0.01], [-0.055, -0.03, 0.01], [0, 0.02, -0.06], // waist, hips, sacrum
  [0.1, 0.29, -0.03], [-0.1, 0.29, -0.03], [0, 0.32, 0.04], // shoulders, neck
  [0.045, 0.39, 0.06], [-0.045, 0.39, 0.06], [0, 0.45, -0.02], // temples, crown
  [0.105, 0.12, -0.02], [0.175, 0.12, -0.02], [0.135, 0.19, -0.095], [0.15, -0.03, 0.03], [0.145, 0.04, -0.065], // left arm
  [-0.105, 0.12, -0.02], [-0.175, 0.12, -0.02], [-0.135, 0.19, -0.095], [-0.15, -0.03, 0.03], [-0.145, 0.04, -0.065], // right arm
  [0.02, -0.28, 0.02], [0.1, -0.28, 0.02], [0.06, -0.16, 0.095], [0.06, -0.53, -0.01], [0.06, -0.38, 0.085], // left leg
  [-0.02, -0.28, 0.02], [-0.1, -0.28, 0.02], [-0.06, -0.16, 0.095], [-0.06, -0.53, -0.01], [-0.06, -0.38, 0.085], // right leg
];

/** Whether an object can be drawn as a figure. @param {{kind: string, particles: number}} object */
export const isFigure = ({ kind, particles }) => kind === 'ragdoll' && particles === STANCE.length;

/** The four particles of each bone. @type {Record<string, number[]>} */
const BONES = {
  pelvis: [0, 1, 2, 3], chest: [0, 4, 5, 6], head: [6, 7, 8, 9],
  upperArmL: [4, 10, 11, 12], forearmL: [10, 11, 13, 14], upperArmR: [5, 15, 16, 17], forearmR: [15, 16, 18, 19],
  thighL: [1, 20, 21, 22], shinL: [20, 21, 23, 24], thighR: [2, 25, 26, 27], shinR: [25, 26, 28, 29],
};

/** How a part is coloured: its share of the colour of skin, and its brightness. */
const SKIN = [0.8, 1];
const SHIRT = [0, 1];
const TROUSERS = [0, 0.42];
const SHOES = [0, 0.2];

/**
 * The parts: capsules from one point to another, with a radius at each end. `wide` stretches one across its length.
 * @typedef {{bone: string, from: number[], to: number[], radii: [number, number], dress: number[], wide?: number[]}} Part
 */
/** @type {Part[]} */
const MIDDLE = [
  { bone: 'head', from: [0, 0.385, 0.022], to: [0, 0.415, 0.018], radii: [0.046, 0.052], dress: SKIN, wide: [0.92, 1, 1.08] },
  { bone: 'head', from: [0, 0.388, 0.07], to: [0, 0.378, 0.078], radii: [0.006, 0.009], dress: SKIN }, // nose
  { bone: 'head', from: [0, 0.3, 0], to: [0, 0.36, 0.014], radii: [0.028, 0.026], dress: SKIN }, // neck
  { bone: 'chest', from: [0, 0.145, 0.002], to: [0, 0.24, -0.004], radii: [0.052, 0.062], dress: SHIRT, wide: [1.4, 1, 0.95] },
  { bone: 'chest', from: [-0.088, 0.272, -0.02], to: [0.088, 0.272, -0.02], radii: [0.04, 0.04], dress: SHIRT },
  { bone: 'pelvis', from: [0, 0.03, -0.005], to: [0, 0.115, 0], radii: [0.054, 0.05], dress: SHIRT, wide: [1.35, 1, 0.92] },
  { bone: 'pelvis', from: [-0.045, -0.015, -0.008], to: [0.045, -0.015, -0.008], radii: [0.052, 0.052], dress: TROUSERS },
];
/** The parts of the left side; those of the right side are their mirror images. @type {Part[]} */
const LEFT = [
  { bone: 'upperArmL', from: [0.108, 0.268, -0.026], to: [0.138, 0.13, -0.03], radii: [0.037, 0.029], dress: SHIRT },
  { bone: 'forearmL', from: [0.14, 0.122, -0.028], to: [0.149, 0, 0.016], radii: [0.027, 0.019], dress: SKIN },
  { bone: 'forearmL', from: [0.149, -0.012, 0.02], to: [0.15, -0.034, 0.026], radii: [0.02, 0.019], dress: SKIN, wide: [0.8, 1, 1.25] },
  { bone: 'thighL', from: [0.055, -0.04, 0.012], to: [0.059, -0.265, 0.032], radii: [0.052, 0.038], dress: TROUSERS },
  { bone: 'shinL', from: [0.06, -0.285, 0.032], to: [0.06, -0.49, 0.01], radii: [0.037, 0.025], dress: TROUSERS },
  { bone: 'shinL', from: [0.06, -0.512, -0.012], to: [0.06, -0.514, 0.072], radii: [0.022, 0.019], dress: SHOES, wide: [1.25, 1, 1] },
];

/** @param {number[]} vector */
const mirrored = ([x, y, z]) => [-x, y, z];
const PARTS = [...MIDDLE, ...LEFT, ...LEFT.map((part) => ({ ...part, bone: part.bone.replace(/L$/, 'R'), from: mirrored(part.from), to: mirrored(part.to) }))];

/**
 * @typedef {object} RagdollShape
 * @property {number} vertices number of vertices
 * @property {Uint32Array} corners four local particles per vertex
 * @property {Float32Array} weights of these, with the sum 1: the place of the vertex
 * @property {Float32Array} normals of the last three of these; with the one that makes the sum 0, a vector along the normal
 * @property {Float32Array} dress share of skin, brightness: two per vertex
 * @property {Uint32Array} triangles three vertices per triangle, facing outwards
 */

/**
 * Makes the shape with so many faces around each part, and so many rings on each of its ends. Pure.
 * @param {number} around @param {number} rings @returns {RagdollShape}
 */
export function ragdollShape(around, rings) {
  const capsule = new CapsuleGeometry(1, 1, rings, around, 1);
  const { position, normal } = capsule.attributes;
  const index = /** @type {import('three').BufferAttribute} */ (capsule.index).array;
  const each = position.count;
  const vertices = PARTS.length * each;
  const shape = {
    vertices, corners: new Uint32Array(4 * vertices), weights: new Float32Array(4 * vertices), normals: new Float32Array(3 * vertices),
    dress: new Float32Array(2 * vertices), triangles: new Uint32Array(PARTS.length * index.length),
  };
  PARTS.forEach((part, p) => {
    const place = placerOf(part);
    const frame = frameOf(BONES[part.bone]);
    for (let v = 0; v < each; v++) {
      const at = p * each + v;
      const { point, out } = place(normal.getX(v), normal.getY(v), normal.getZ(v), position.getY(v) > normal.getY(v));
      shape.corners.set(BONES[part.bone], 4 * at);
      shape.weights.set(frame.weigh(point, 1), 4 * at);
      shape.normals.set(frame.weigh(out, 0).slice(1), 3 * at);
      shape.dress.set(part.dress, 2 * at);
    }
    for (let i = 0; i < index.length; i++) shape.triangles[p * index.length + i] = p * each + index[i];
  });
  capsule.dispose();
  return shape;
}

/**
 * Gives the place and the normal of a capsule's vertex by its normal on a capsule along y, and by its end.
 * @param {Part} part
 */
function placerOf({ from, to, radii, wide = [1, 1, 1] }) {
  const ends = [new Vector3().fromArray(from), new Vector3().fromArray(to)];
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), ends[1].clone().sub(ends[0]).normalize());
  const stretch = new Vector3().fromArray(wide);
  const point = new Vector3();
  const out = new Vector3();
  /** @param {number} x @param {number} y @param {number} z @param {boolean} upper */
  return (x, y, z, upper) => {
    const end = upper ? 1 : 0;
    out.set(x, y, z).applyQuaternion(turn);
    point.copy(out).multiply(stretch).multiplyScalar(radii[end]).add(ends[end]);
    out.divide(stretch).normalize();
    return { point, out };
  };
}

/** Coordinates in the tetrahedron of a bone. @param {number[]} corners */
function frameOf(corners) {
  const [origin, a, b, c] = corners.map((corner) => new Vector3().fromArray(STANCE[corner]));
  for (const axis of [a, b, c]) axis.sub(origin);
  const inverse = new Matrix3().set(a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z).invert();
  const local = new Vector3();
  return {
    /** The weights of a point (with the sum 1) or of a direction (0). @param {Vector3} vector @param {0 | 1} sum */
    weigh(vector, sum) {
      local.copy(vector).addScaledVector(origin, -sum).applyMatrix3(inverse);
      return [sum - local.x - local.y - local.z, local.x, local.y, local.z];
    },
  };
}

/**
 * Computes the vertices of the shape for the particles of one ragdoll, and writes them to `places` (3 numbers each).
 * @param {RagdollShape} shape @param {ArrayLike<number>} particles @param {Float32Array} places
 */
export function placeRagdoll({ corners, weights }, particles, places) {
  for (let v = 0, w = 0; v < places.length; v += 3, w += 4) {
    for (let axis = 0; axis < 3; axis++) {
      places[v + axis] = weights[w] * particles[3 * corners[w] + axis] + weights[w + 1] * particles[3 * corners[w + 1] + axis] +
        weights[w + 2] * particles[3 * corners[w + 2] + axis] + weights[w + 3] * particles[3 * corners[w + 3] + axis];
    }
  }
}
