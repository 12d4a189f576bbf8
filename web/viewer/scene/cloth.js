// SPDX-License-Identifier: MIT
// Draws a cloth, a mesh, a soft body or the leaves of a plant: smooth shading on both sides, each vertex a particle of the particle field
// (field.js). The border of a cloth or a mesh is a thin cord, so that it has a thickness from every side.
import { BufferAttribute, BufferGeometry, CylinderGeometry, DoubleSide, Mesh, Sphere } from 'three';
import { clothTriangles } from '../../client/lattice.js';
import { fibreMaterial, isDraft, litMaterial, onField, shadowOn } from './material.js';
import { putShape, roundGeometry } from './round.js';
import { aroundOf, rimOf, weave } from './surface.js';
/** @import { WorldObject } from '../../client/topology.js' */

const RIM = { share: 0.15, least: 0.0035, most: 0.012, ofMesh: 0.005 }; // radius of the border: relative to the spacing, and in m

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
    this.material = onField(object.kind === 'soft' ? litMaterial({ roughness: 0.35 }) : fibreMaterial(woven ? texture : null, { sheen: 0.9 }, { side: DoubleSide, vertexColors: woven }), field, 'surface');
    if (woven) this.addWeave(object);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.name = object.name ?? '';
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    // The shadow map draws a cloth slightly further from the light, depending on its slope: a cloth is lit from both sides
    // and would otherwise cast striped shadows on itself.
    this.shadow = shadowOn(field, 'surface', { polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 6 });
    this.mesh.customDepthMaterial = this.shadow;
    if (object.kind !== 'plant') this.addRim(object, field);
    this.first = -1;
    this.setFirst(object.first);
  }

  /** @param {WorldObject} object @param {import('./field.js').Field} field */
  addRim({ triangles, particles, radius, spacing = 0 }, field) {
    /** @type {Uint32Array} */
    this.rim = rimOf(triangles, particles);
    if (this.rim.length === 0) return; // a closed surface
    const cord = new CylinderGeometry(1, 1, 1, isDraft() ? 4 : 8, 1, true);
    const geometry = roundGeometry(cord, this.rim.length / 2);
    cord.dispose();
    geometry.attributes.girth.array.fill(Math.min(RIM.most, Math.max(RIM.least, radius, spacing > 0 ? RIM.share * spacing : RIM.ofMesh)));
    const material = onField(litMaterial({ roughness: 0.8 }), field, 'round');
    material.color = this.material.color; // the same object, so it changes with the cloth
    /** @type {Mesh<import('./round.js').RoundGeometry, typeof material>} */
    this.cord = new Mesh(geometry, material);
    this.cord.receiveShadow = true;
    this.cord.frustumCulled = this.cord.matrixAutoUpdate = false;
    this.mesh.add(this.cord);
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
    if (!this.cord) return;
    for (let i = 0; i < this.rim.length; i += 2) putShape(this.cord.geometry, 'ends', i / 2, [first + this.rim[i], first + this.rim[i + 1]]);
    this.cord.geometry.attributes.ends.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
    this.shadow.dispose();
    this.cord?.geometry.dispose();
    this.cord?.material.dispose();
  }
}
