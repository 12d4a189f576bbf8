// SPDX-License-Identifier: MIT
// Loose particles: a sphere around each.
import { InstancedBufferAttribute, InstancedBufferGeometry, Mesh, Sphere, SphereGeometry } from 'three';
import { isDraft, litMaterial, onField, shadowOn } from './material.js';

const RADIUS_MIN = 0.012; // m, so that particles without a radius are seen

/** How loose particles are drawn. */
export class ParticlesView {
  /** @param {object} object of the topology @param {{field: import('./field.js').Field}} shared */
  constructor(object, { field }) {
    const sphere = sphereGeometry(object.particles);
    this.geometry = new InstancedBufferGeometry().copy(sphere);
    sphere.dispose();
    this.geometry.instanceCount = object.particles;
    this.geometry.setAttribute('slot', new InstancedBufferAttribute(new Uint32Array(object.particles), 1));
    this.geometry.setAttribute('girth', new InstancedBufferAttribute(new Float32Array(object.particles).fill(Math.max(RADIUS_MIN, object.radius)), 1));
    this.geometry.boundingSphere = new Sphere();
    this.material = onField(litMaterial({ roughness: 0.3, metalness: 0.1 }), field, 'bead');
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.name = object.name ?? '';
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.customDepthMaterial = shadowOn(field, 'bead');
    this.setFirst(object.first);
  }

  /** @param {number} first slot of its particles */
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
    this.mesh.customDepthMaterial.dispose();
  }
}

// The more there are, the fewer faces each can have.
function sphereGeometry(particles) {
  if (particles > 20000) return new SphereGeometry(1, 6, 4);
  return particles > 500 || isDraft() ? new SphereGeometry(1, 14, 9) : new SphereGeometry(1, 32, 20);
}
