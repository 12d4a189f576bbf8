// SPDX-License-Identifier: MIT
// One mesh that draws all objects of a kind, placed by a field of positions. Its geometry is made anew when objects come or go.
import { Mesh, Vector2 } from 'three';
/** @import { BufferGeometry, Material } from 'three' */
/** @import { ObjectEntry } from './world.js' */

export class SharedMesh {
  /** @param {{geometry: BufferGeometry, material: (glowing: {value: Vector2}) => Material, shadow: Material}} parts `material` is made for the range of slots that glows */
  constructor({ geometry, material, shadow }) {
    this.glowing = { value: new Vector2(-1, -1) };
    this.material = material(this.glowing);
    this.shadow = shadow;
    /** @type {Mesh<BufferGeometry, Material>} */
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.visible = false;
    this.mesh.customDepthMaterial = shadow;
  }

  /** Highlights an object; null: none. @param {ObjectEntry | null} entry */
  glow(entry) {
    this.glowing.value.set(entry ? entry.first : -1, entry ? entry.first + entry.count : -1);
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
    this.shadow.dispose();
  }
}
