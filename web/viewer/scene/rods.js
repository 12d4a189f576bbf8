// SPDX-License-Identifier: MIT
// Sticks that are to be seen as things: the axes of frame bodies, the stems of plants. One instanced cylinder each.
import { Color, CylinderGeometry, DynamicDrawUsage, InstancedMesh } from 'three';
import { isThrifty, litMaterial } from './material.js';

const AXES = ['#d9573f', '#6f9f58', '#5a78c9'].map((color) => new Color(color)); // x, y, z of a frame
const SHARE = { frame: 0.055, plant: 0.035 }; // radius of a rod in lengths of the longest of its object

/** All rods of the world. Rebuilt by `set`, painted by `paint`, written by `update` every frame. */
export class RodsView {
  /** @param {import('three').Object3D} parent */
  constructor(parent) {
    this.parent = parent;
    this.entries = [];
    this.rods = [];
    this.geometry = new CylinderGeometry(1, 1, 1, isThrifty() ? 6 : 10, 1);
    this.material = litMaterial({ roughness: 0.5, metalness: 0.05 });
    this.mesh = null;
  }

  /** @param {{object: object, positions: Float32Array, tint: Color}[]} entries those with sticks to be drawn */
  set(entries) {
    this.entries = entries;
    this.rods = entries.flatMap((entry) => rodsOf(entry));
    this.mesh?.removeFromParent();
    this.mesh?.dispose();
    this.mesh = null;
    if (this.rods.length === 0) return;
    this.mesh = new InstancedMesh(this.geometry, this.material, this.rods.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.instanceMatrix.array.fill(0);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.paint();
    this.parent.add(this.mesh);
  }

  /** Takes over the tints of all. */
  paint() {
    const color = new Color();
    this.rods.forEach(({ entry, axis }, r) => {
      color.copy(entry.tint);
      // The axes of a frame are told apart by colour; what colour it has besides shows through.
      if (axis >= 0) color.lerp(AXES[axis], entry.object.asleep ? 0.5 : 0.85);
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

function rodsOf(entry) {
  const { sticks, kind } = entry.object;
  const rods = [];
  for (let s = 0; s < sticks.length; s += 2) {
    rods.push({ entry, i: 3 * sticks[s], j: 3 * sticks[s + 1], axis: kind === 'body' ? s / 2 : -1, share: SHARE[kind === 'body' ? 'frame' : 'plant'] });
  }
  return rods;
}

// The cylinder's y axis along the rod; any two directions across it will do, but they must not jump: these depend on the
// direction of the rod alone (Duff and others, "Building an Orthonormal Basis, Revisited", 2017).
function writeRod({ entry, i, j, share }, matrices, m) {
  const p = entry.positions;
  const x = p[j] - p[i], y = p[j + 1] - p[i + 1], z = p[j + 2] - p[i + 2];
  const length = Math.sqrt(x * x + y * y + z * z) || 1e-6;
  const radius = entry.rodRadius || (entry.rodRadius = share * longest(entry));
  const nx = x / length, ny = y / length, nz = z / length;
  const sign = nz >= 0 ? 1 : -1;
  const a = -1 / (sign + nz);
  const b = nx * ny * a;
  matrices[m] = radius * (1 + sign * nx * nx * a);
  matrices[m + 1] = radius * sign * b;
  matrices[m + 2] = radius * -sign * nx;
  matrices[m + 4] = x;
  matrices[m + 5] = y;
  matrices[m + 6] = z;
  matrices[m + 8] = radius * -b;
  matrices[m + 9] = radius * -(sign + ny * ny * a);
  matrices[m + 10] = radius * ny;
  matrices[m + 12] = (p[i] + p[j]) / 2;
  matrices[m + 13] = (p[i + 1] + p[j + 1]) / 2;
  matrices[m + 14] = (p[i + 2] + p[j + 2]) / 2;
  matrices[m + 15] = 1;
}

function longest({ object: { sticks }, positions: p }) {
  let most = 0;
  for (let s = 0; s < sticks.length; s += 2) {
    const [i, j] = [3 * sticks[s], 3 * sticks[s + 1]];
    most = Math.max(most, Math.hypot(p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]));
  }
  return most;
}
