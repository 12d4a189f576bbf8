// SPDX-License-Identifier: MIT
// Draws sticks that are visible as rods: the axes of frame bodies, and the sticks that users added between particles, or between
// points that particles carry. Each is a cylinder; a ball joint is a short one.
import { Color, CylinderGeometry, Mesh } from 'three';
import { isDraft, litMaterial, onField, shadowOn } from './material.js';
import { putShape, rodGeometry } from './round.js';
/** @import { Stick } from '../../client/topology.js' */
/** @import { ObjectEntry } from './world.js' */

const AXES = ['#d9573f', '#6f9f58', '#5a78c9'].map((color) => new Color(color)); // colours of the x, y and z axes of a frame body
const ADDED = new Color('#e8c77a');
const THICKNESS = { frame: 0.055, added: 0.02 }; // radius of a rod relative to the longest rod of its set
const ADDED_MAX = 0.012; // m
const JOINT = { share: 0.07, least: 0.006, most: 0.032 }; // radius of a ball joint: relative to the smaller body, and in m

/** @typedef {{entry: ObjectEntry, particles: readonly number[], weights: readonly number[]}} RodEnd up to four local particles and their weights */

/**
 * @typedef {object} Rod
 * @property {RodEnd} from @property {RodEnd} to
 * @property {(color: Color) => void} paint sets the current colour
 * @property {Girth} girth
 */

/** @typedef {{share: number, most: number, joint?: boolean, rods: Rod[]}} Girth the values that give the radius of a set of rods; `joint`: of a ball joint */

/** All rods in one mesh. `set` rebuilds it, `paint` updates colours and places, `measure` updates the thickness. */
export class RodsView {
  /** @param {import('three').Object3D} parent @param {import('./field.js').Field} field */
  constructor(parent, field) {
    this.parent = parent;
    /** @type {Rod[]} */
    this.rods = [];
    this.cylinder = new CylinderGeometry(1, 1, 1, isDraft() ? 6 : 10, 1);
    this.material = onField(litMaterial({ roughness: 0.5, metalness: 0.05, vertexColors: true }), field, 'rod');
    this.shadow = shadowOn(field, 'rod');
    /** @type {Mesh<import('./round.js').RoundGeometry> | null} */
    this.mesh = null;
    this.measured = true;
  }

  /** @param {Rod[]} rods */
  set(rods) {
    this.rods = rods;
    this.mesh?.removeFromParent();
    this.mesh?.geometry.dispose();
    this.mesh = null;
    if (rods.length === 0) return;
    this.mesh = new Mesh(rodGeometry(this.cylinder, rods.length), this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.customDepthMaterial = this.shadow;
    this.measured = false;
    this.paint();
    this.parent.add(this.mesh);
  }

  paint() {
    if (!this.mesh) return;
    const { geometry } = this.mesh;
    const tint = new Color();
    this.rods.forEach(({ from, to, paint }, r) => {
      paint(tint);
      putShape(geometry, 'color', r, tint.toArray());
      putEnd(geometry, 'from', r, from);
      putEnd(geometry, 'to', r, to);
    });
    for (const name of ['color', 'fromFour', 'fromWeights', 'toFour', 'toWeights']) geometry.attributes[name].needsUpdate = true;
  }

  /** Sets the thickness, once positions are known. */
  measure() {
    if (this.measured || !this.mesh) return;
    this.measured = true;
    const { geometry } = this.mesh;
    const known = new Map();
    this.rods.forEach((rod, r) => {
      if (!known.has(rod.girth)) known.set(rod.girth, rod.girth.joint ? jointRadius(rod) : Math.min(rod.girth.most, rod.girth.share * longest(rod.girth.rods)));
      putShape(geometry, 'girth', r, [known.get(rod.girth)]);
    });
    geometry.attributes.girth.needsUpdate = true;
  }

  dispose() {
    this.set([]);
    this.cylinder.dispose();
    this.material.dispose();
    this.shadow.dispose();
  }
}

/** The rods of a frame body. @param {ObjectEntry} entry @returns {Rod[]} */
export function rodsOfFrame(entry) {
  const sticks = entry.object.sticks ?? [];
  /** @type {Girth} */
  const girth = { share: THICKNESS.frame, most: Infinity, rods: [] };
  for (let s = 0; s < sticks.length; s += 2) {
    /** Mixes an axis colour with the body's colour. @param {Color} color */
    const paint = (color) => color.copy(entry.tint).lerp(AXES[s / 2], entry.object.asleep ? 0.6 : 0.85);
    girth.rods.push({ from: atParticle(entry, sticks[s]), to: atParticle(entry, sticks[s + 1]), paint, girth });
  }
  return girth.rods;
}

/**
 * The rods for a topology's sticks. @param {(id: number) => ObjectEntry|undefined} find
 * @param {readonly Stick[]} sticks
 * @returns {Rod[]}
 */
export function rodsOfSticks(sticks, find) {
  /** @param {Color} color */
  const paint = (color) => color.copy(ADDED);
  return sticks.flatMap(({ a, b, restLength }) => {
    const [from, to] = [endOf(a, find), endOf(b, find)];
    if (!from || !to) return [];
    /** @type {Girth} */
    const girth = { share: THICKNESS.added, most: ADDED_MAX, joint: restLength === 0, rods: [] };
    girth.rods.push({ from, to, paint, girth });
    return girth.rods;
  });
}

/** @param {Stick['a']} end @param {(id: number) => ObjectEntry|undefined} find @returns {RodEnd | null} */
function endOf({ object, particle = 0, particles = [particle], weights = [1] }, find) {
  const entry = find(object);
  return entry ? { entry, particles, weights } : null;
}

/** @param {ObjectEntry} entry @param {number} particle @returns {RodEnd} */
const atParticle = (entry, particle) => ({ entry, particles: [particle], weights: [1] });

/** @param {import('./round.js').RoundGeometry} geometry @param {'from' | 'to'} end @param {number} r @param {RodEnd} carriers */
function putEnd(geometry, end, r, { entry, particles, weights }) {
  const all = [0, 1, 2, 3];
  putShape(geometry, `${end}Four`, r, all.map((k) => entry.first + (particles[k] ?? particles[0])));
  putShape(geometry, `${end}Weights`, r, all.map((k) => weights[k] ?? 0));
}

/** @param {RodEnd} end @returns {number[]} the displayed place */
function placeOf({ entry, particles, weights }) {
  const [sum, p] = [[0, 0, 0], [0, 0, 0]];
  particles.forEach((particle, k) => {
    entry.place(particle, p);
    for (let axis = 0; axis < 3; axis++) sum[axis] += weights[k] * p[axis];
  });
  return sum;
}

/** The radius of a ball joint: so large that it is seen at the edge of a body. @param {Rod} rod */
function jointRadius({ from, to }) {
  const sizes = [from, to].filter(({ entry }) => entry.kind !== 'particles').map(({ entry: { positions } }) => {
    const ends = [0, 1, 2].map((axis) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = axis; i < positions.length; i += 3) [low, high] = [Math.min(low, positions[i]), Math.max(high, positions[i])];
      return high - low;
    });
    return Math.hypot(...ends);
  });
  return Math.max(JOINT.least, Math.min(JOINT.most, JOINT.share * Math.min(...sizes)));
}

/** @param {Rod[]} rods */
function longest(rods) {
  let most = 0;
  for (const { from, to } of rods) {
    const [p, q] = [placeOf(from), placeOf(to)];
    most = Math.max(most, Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]));
  }
  return most;
}
