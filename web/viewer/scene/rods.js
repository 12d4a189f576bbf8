// SPDX-License-Identifier: MIT
// Sticks that are to be seen as things: the axes of frame bodies, and those that people added between particles. One
// instanced cylinder each.
import { Color, CylinderGeometry, DynamicDrawUsage, InstancedMesh } from 'three';
import { isThrifty, litMaterial } from './material.js';

const AXES = ['#d9573f', '#6f9f58', '#5a78c9'].map((color) => new Color(color)); // x, y, z of a frame
const ADDED = new Color('#e8c77a');
const THICKNESS = { frame: 0.055, added: 0.02 }; // radius of a rod in lengths of the longest of its set
const ADDED_MAX = 0.012; // m

/**
 * @typedef {object} Rod
 * @property {{positions: Float32Array}} a @property {number} i its first end: where in `positions`
 * @property {{positions: Float32Array}} b @property {number} j its second end
 * @property {(color: Color) => void} paint sets the colour it has now
 * @property {{radius: number, share: number, most: number, rods: Rod[]}} girth of a set: its radius in m, 0 until their lengths are
 *   known, and what that follows from
 */

/** Rods in one mesh. Rebuilt by `set`, painted by `paint`, written by `update` every frame. */
export class RodsView {
  /** @param {import('three').Object3D} parent */
  constructor(parent) {
    this.parent = parent;
    this.rods = [];
    this.geometry = new CylinderGeometry(1, 1, 1, isThrifty() ? 6 : 10, 1);
    this.material = litMaterial({ roughness: 0.5, metalness: 0.05 });
    this.mesh = null;
  }

  /** @param {Rod[]} rods */
  set(rods) {
    this.rods = rods;
    this.mesh?.removeFromParent();
    this.mesh?.dispose();
    this.mesh = null;
    if (rods.length === 0) return;
    this.mesh = new InstancedMesh(this.geometry, this.material, rods.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.paint();
    this.parent.add(this.mesh);
  }

  paint() {
    const color = new Color();
    this.rods.forEach(({ paint }, r) => {
      paint(color);
      this.mesh.setColorAt(r, color);
    });
    if (this.mesh) this.mesh.instanceColor.needsUpdate = true;
  }

  update() {
    if (!this.mesh) return;
    const matrices = this.mesh.instanceMatrix.array;
    for (let r = 0; r < this.rods.length; r++) writeRod(this.rods[r], matrices, 16 * r);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** The rods that a frame is made of. @returns {Rod[]} */
export function rodsOfFrame(entry) {
  const { sticks } = entry.object;
  const girth = { radius: 0, share: THICKNESS.frame, most: Infinity };
  const rods = [];
  for (let s = 0; s < sticks.length; s += 2) {
    // Axes are told apart by colour; what colour the body has besides shows through.
    const paint = (color) => color.copy(entry.tint).lerp(AXES[s / 2], entry.object.asleep ? 0.6 : 0.85);
    rods.push({ a: entry, i: 3 * sticks[s], b: entry, j: 3 * sticks[s + 1], paint, girth });
  }
  girth.rods = rods;
  return rods;
}

/** The rods that a topology's sticks are. @param {(id: number) => object|undefined} find an object's view @returns {Rod[]} */
export function rodsOfSticks(sticks, find) {
  const paint = (color) => color.copy(ADDED);
  return sticks
    .map(({ a, b }) => {
      const rod = { a: find(a.object), i: 3 * a.particle, b: find(b.object), j: 3 * b.particle, paint };
      rod.girth = { radius: 0, share: THICKNESS.added, most: ADDED_MAX, rods: [rod] };
      return rod;
    })
    .filter(({ a, b }) => a && b);
}

// The cylinder's y axis along the rod; any two directions across it will do, but they must not jump: these depend on the
// direction of the rod alone (Duff and others, "Building an Orthonormal Basis, Revisited", 2017).
function writeRod({ a: { positions: p }, i, b: { positions: q }, j, girth }, matrices, m) {
  const x = q[j] - p[i], y = q[j + 1] - p[i + 1], z = q[j + 2] - p[i + 2];
  const length = Math.sqrt(x * x + y * y + z * z) || 1e-6;
  const radius = girth.radius || (girth.radius = Math.min(girth.most, girth.share * longest(girth.rods)));
  const nx = x / length, ny = y / length, nz = z / length;
  const sign = nz >= 0 ? 1 : -1;
  const s = -1 / (sign + nz);
  const t = nx * ny * s;
  matrices[m] = radius * (1 + sign * nx * nx * s);
  matrices[m + 1] = radius * sign * t;
  matrices[m + 2] = radius * -sign * nx;
  matrices[m + 4] = x;
  matrices[m + 5] = y;
  matrices[m + 6] = z;
  matrices[m + 8] = radius * -t;
  matrices[m + 9] = radius * -(sign + ny * ny * s);
  matrices[m + 10] = radius * ny;
  matrices[m + 12] = (p[i] + q[j]) / 2;
  matrices[m + 13] = (p[i + 1] + q[j + 1]) / 2;
  matrices[m + 14] = (p[i + 2] + q[j + 2]) / 2;
  matrices[m + 15] = 1;
}

function longest(rods) {
  let most = 0;
  for (const { a: { positions: p }, i, b: { positions: q }, j } of rods) {
    most = Math.max(most, Math.hypot(q[j] - p[i], q[j + 1] - p[i + 1], q[j + 2] - p[i + 2]));
  }
  return most;
}
