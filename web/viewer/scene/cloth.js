// SPDX-License-Identifier: MIT
// Draws a cloth, a mesh or the leaves of a plant: smooth shading on both sides, each vertex a particle of the particle field
// (field.js).
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, Sphere } from 'three';
import { clothTriangles } from '../../client/lattice.js';
import { fibreMaterial, onField, shadowOn } from './material.js';
import { aroundOf, weave } from './surface.js';
/** @import { WorldObject } from '../../client/topology.js' */

/** The view of a surface. */
export class ClothView {
  /**
   * @param {WorldObject} object
   * @param {import('./world.js').Shared} shared
   */
  constructor(object, { field, weave: texture }) {
    const woven = object.kind === 'cloth';
    this.geometry = new BufferGeometry();
    this.geometry.setIndex(new BufferAttribute(object.triangles, 1));
    this.geometry.setAttribute('slot', new BufferAttribute(new Uint32Array(object.particles), 1));
    this.geometry.boundingSphere = new Sphere();
    this.around = aroundOf(object.triangles, object.particles);
    this.material = onField(fibreMaterial(woven ? texture : null, { sheen: 0.9 }, { side: DoubleSide, vertexColors: woven }), field, 'surface');
    if (woven) this.addWeave(object);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.name = object.name ?? '';
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    // The shadow map draws a cloth slightly further from the light, depending on its slope: a cloth is lit from both sides
    // and would otherwise cast striped shadows on itself.
    this.shadow = shadowOn(field, 'surface', { polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 6 });
    this.mesh.customDepthMaterial = this.shadow;
    this.first = -1;
    this.setFirst(object.first);
  }

  /** @param {WorldObject} object */
  addWeave(object) {
    const { columns = 0, rows = 0, mesh = 'grid' } = object;
    const { uv, colors } = weave(object, clothTriangles(columns, rows, mesh));
    this.geometry.setAttribute('uv', new BufferAttribute(uv, 2));
    this.geometry.setAttribute('color', new BufferAttribute(colors, 3));
  }

  /** @param {number} first slot of the first particle */
  setFirst(first) {
    if (this.first === first) return;
    this.first = first;
    const { slot } = this.geometry.attributes;
    for (let i = 0; i < slot.array.length; i++) slot.array[i] = first + i;
    slot.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
    this.shadow.dispose();
  }
}
