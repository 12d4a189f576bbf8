// SPDX-License-Identifier: MIT
// A cloth, a mesh or the leaves of a plant: smooth-shaded on both sides, its normals from the positions of every frame.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, MeshDepthMaterial } from 'three';
import { clothTriangles } from '../../client/lattice.js';
import { addSheen, litMaterial } from './material.js';
import { computeNormals, weave } from './surface.js';

// Into the shadow map a cloth is drawn a little further from the light, the more so the steeper it stands to it: it is
// lit from both sides, and would else shade itself in stripes.
const SHADOW = new MeshDepthMaterial({ polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 6 });

/** How a surface is drawn. `positions` (m, 3 per particle) is written by the owner, then `update` is called. */
export class ClothView {
  /**
   * @param {object} object of the topology
   * @param {Float32Array} positions its particles
   * @param {{weave: import('three').Texture}} shared
   */
  constructor(object, positions, shared) {
    this.triangles = object.triangles;
    this.normals = new Float32Array(positions.length);
    this.geometry = new BufferGeometry();
    this.positionAttribute = new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage);
    this.normalAttribute = new BufferAttribute(this.normals, 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute('position', this.positionAttribute);
    this.geometry.setAttribute('normal', this.normalAttribute);
    this.geometry.setIndex(new BufferAttribute(object.triangles, 1));
    this.material = addSheen(litMaterial({
      roughness: 0.78, metalness: 0, side: DoubleSide, envMapIntensity: 0.9,
    }), 0.3);
    if (object.kind === 'cloth') this.addWeave(object, shared.weave);
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.name = object.name ?? '';
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.customDepthMaterial = SHADOW;
  }

  addWeave(object, texture) {
    const { uv, colors } = weave(object, clothTriangles(object.columns, object.rows, object.mesh));
    this.geometry.setAttribute('uv', new BufferAttribute(uv, 2));
    this.geometry.setAttribute('color', new BufferAttribute(colors, 3));
    this.material.map = texture;
    this.material.vertexColors = true;
  }

  update() {
    computeNormals(this.positionAttribute.array, this.triangles, this.normals);
    this.positionAttribute.needsUpdate = true;
    this.normalAttribute.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
  }
}
