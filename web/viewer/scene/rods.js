// SPDX-License-Identifier: MIT
// Draws sticks that are visible as rods: the axes of frame bodies, and the sticks that users added between particles. Each is
// a cylinder between two particles.
import { Color, CylinderGeometry, Mesh } from 'three';
import { isDraft, litMaterial, onField, shadowOn } from './material.js';
import { roundGeometry } from './round.js';
/** @import { Stick } from '../../client/topology.js' */
/** @import { ObjectEntry } from './world.js' */

const AXES = ['#d9573f', '#6f9f58', '#5a78c9'].map((color) => new Color(color)); // colours of the x, y and z axes of a frame body
const ADDED = new Color('#e8c77a');
const THICKNESS = { frame: 0.055, added: 0.02 }; // radius of a rod relative to the longest rod of its set
const ADDED_MAX = 0.012; // m

/**
 * @typedef {object} Rod
 * @property {ObjectEntry} a @property {number} i particle index of the first end
 * @property {ObjectEntry} b @property {number} j the second end
 * @property {(color: Color) => void} paint sets the current colour
 * @property {Girth} girth
 */

/** @typedef {{share: number, most: number, rods: Rod[]}} Girth the values that give the radius of a set of rods */

/** All rods in one mesh. `set` rebuilds it, `paint` updates colours and places, `measure` updates the thickness. */
export class RodsView {
  /** @param {import('three').Object3D} parent @param {import('./field.js').Field} field */
  constructor(parent, field) {
    this.parent = parent;
    /** @type {Rod[]} */
    this.rods = [];
    this.cylinder = new CylinderGeometry(1, 1, 1, isDraft() ? 6 : 10, 1);
    this.material = onField(litMaterial({ roughness: 0.5, metalness: 0.05, vertexColors: true }), field, 'round');
    this.shadow = shadowOn(field, 'round');
    /** @type {Mesh | null} */
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
    this.mesh = new Mesh(roundGeometry(this.cylinder, rods.length), this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.customDepthMaterial = this.shadow;
    this.measured = false;
    this.paint();
    this.parent.add(this.mesh);
  }

  paint() {
    if (!this.mesh) return;
    const { color, ends } = this.mesh.geometry.attributes;
    const tint = new Color();
    this.rods.forEach(({ a, i, b, j, paint }, r) => {
      paint(tint);
      tint.toArray(color.array, 3 * r);
      ends.array[2 * r] = a.first + i;
      ends.array[2 * r + 1] = b.first + j;
    });
    color.needsUpdate = true;
    ends.needsUpdate = true;
  }

  /** Sets the thickness, once positions are known. */
  measure() {
    if (this.measured || !this.mesh) return;
    this.measured = true;
    const { girth } = this.mesh.geometry.attributes;
    const known = new Map();
    this.rods.forEach((rod, r) => {
      if (!known.has(rod.girth)) known.set(rod.girth, Math.min(rod.girth.most, rod.girth.share * longest(rod.girth.rods)));
      girth.array[r] = known.get(rod.girth);
    });
    girth.needsUpdate = true;
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
    girth.rods.push({ a: entry, i: sticks[s], b: entry, j: sticks[s + 1], paint, girth });
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
  return sticks.flatMap(({ a, b }) => {
    const [from, to] = [find(a.object), find(b.object)];
    if (!from || !to) return [];
    /** @type {Girth} */
    const girth = { share: THICKNESS.added, most: ADDED_MAX, rods: [] };
    girth.rods.push({ a: from, i: a.particle, b: to, j: b.particle, paint, girth });
    return girth.rods;
  });
}

/** @param {Rod[]} rods */
function longest(rods) {
  let most = 0;
  const [p, q] = [[0, 0, 0], [0, 0, 0]];
  for (const { a, i, b, j } of rods) {
    a.place(i, p);
    b.place(j, q);
    most = Math.max(most, Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]));
  }
  return most;
}
