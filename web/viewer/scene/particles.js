// SPDX-License-Identifier: MIT
// Draws loose particles: a sphere for each.
import { Mesh } from 'three';
import { isDraft, litMaterial, onField, shadowOn } from './material.js';
import { putSphere, sphereGeometry } from './round.js';

const RADIUS_MIN = 0.012; // m, so that particles without a radius are visible

/** The view of loose particles. */
export class ParticlesView {
  /** @param {import('../../client/topology.js').WorldObject} object @param {import('./world.js').Shared} shared */
  constructor(object, { field }) {
    this.particles = object.particles;
    this.geometry = sphereGeometry(facesOf(object.particles), object.particles);
    this.geometry.attributes.girth.array.fill(Math.max(RADIUS_MIN, object.radius));
    this.material = onField(litMaterial({ roughness: 0.3, metalness: 0.1, vertexColors: true }), field, 'round');
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.name = object.name ?? '';
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.shadow = shadowOn(field, 'round');
    this.mesh.customDepthMaterial = this.shadow;
    this.first = -1;
    this.setFirst(object.first);
  }

  /** @param {number} first slot of the first particle */
  setFirst(first) {
    if (this.first === first) return;
    this.first = first;
    for (let i = 0; i < this.particles; i++) putSphere(this.geometry, i, first + i);
    this.geometry.attributes.ends.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
    this.shadow.dispose();
  }
}

/** The more particles, the fewer faces each sphere gets. @param {number} particles */
function facesOf(particles) {
  if (particles > 20000) return { across: 6, down: 4 };
  if (isDraft()) return { across: 12, down: 8 };
  return particles > 500 ? { across: 14, down: 9 } : { across: 32, down: 20 };
}
