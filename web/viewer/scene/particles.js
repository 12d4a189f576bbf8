// SPDX-License-Identifier: MIT
// Loose particles: one instanced sphere each.
import { DynamicDrawUsage, InstancedMesh, SphereGeometry } from 'three';
import { isThrifty, litMaterial } from './material.js';

const RADIUS_MIN = 0.012; // m, so that particles without a radius are seen

/** How loose particles are drawn. `positions` is written by the owner, then `update` is called. */
export class ParticlesView {
  constructor(object, positions) {
    this.positions = positions;
    this.geometry = sphereGeometry(object.particles);
    this.material = litMaterial({ roughness: 0.3, metalness: 0.1 });
    this.mesh = new InstancedMesh(this.geometry, this.material, object.particles);
    this.mesh.name = object.name ?? '';
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    const radius = Math.max(RADIUS_MIN, object.radius);
    const matrices = this.mesh.instanceMatrix.array;
    for (let m = 0; m < matrices.length; m += 16) {
      matrices[m] = matrices[m + 5] = matrices[m + 10] = radius;
      matrices[m + 15] = 1;
    }
  }

  update() {
    const matrices = this.mesh.instanceMatrix.array;
    for (let i = 0, m = 12; i < this.positions.length; i += 3, m += 16) {
      matrices[m] = this.positions[i];
      matrices[m + 1] = this.positions[i + 1];
      matrices[m + 2] = this.positions[i + 2];
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.dispose();
    this.geometry.dispose();
    this.material.dispose();
  }
}

// The more there are, the fewer faces each can have.
function sphereGeometry(particles) {
  if (particles > 20000) return new SphereGeometry(1, 6, 4);
  return particles > 500 || isThrifty() ? new SphereGeometry(1, 14, 9) : new SphereGeometry(1, 32, 20);
}
