// SPDX-License-Identifier: MIT
// All bodies of the world in one mesh: flat-shaded tetrahedra, their face normals from the positions of every frame.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from 'three';
import { addEdges, litMaterial, objectColor } from './material.js';
import { TETRAHEDRON } from './surface.js';

const CORNERS = TETRAHEDRON.length; // vertices of one body: a face shares none with its neighbours

/** How the bodies are drawn. Rebuilt by `set` when bodies come or go, written by `update` every frame. */
export class BodiesView {
  constructor() {
    this.bodies = [];
    this.material = addEdges(litMaterial({ vertexColors: true, roughness: 0.42, metalness: 0.05 }));
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /** @param {{object: object, positions: Float32Array}[]} bodies */
  set(bodies) {
    this.bodies = bodies;
    this.mesh.visible = bodies.length > 0;
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    const vertices = CORNERS * bodies.length;
    const colors = new Float32Array(3 * vertices);
    const corners = new Float32Array(3 * vertices);
    for (let v = 0; v < vertices; v++) corners[3 * v + (v % 3)] = 1;
    bodies.forEach(({ object }, b) => {
      const { r, g, b: blue } = objectColor(object);
      for (let v = 0; v < CORNERS; v++) colors.set([r, g, blue], 3 * (b * CORNERS + v));
    });
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(colors, 3));
    geometry.setAttribute('corner', new BufferAttribute(corners, 3));
    this.mesh.geometry = geometry;
  }

  update() {
    if (this.bodies.length === 0) return;
    const { position, normal } = this.mesh.geometry.attributes;
    for (let b = 0; b < this.bodies.length; b++) {
      writeFaces(this.bodies[b].positions, position.array, normal.array, 3 * CORNERS * b);
    }
    position.needsUpdate = true;
    normal.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

// TETRAHEDRON winds outwards where particle 3 lies in front of the triangle 0 1 2; bodies are made both ways round, so the
// sign of the volume decides which way their faces are written.
function writeFaces(from, positions, normals, offset) {
  const flip = volume(from) < 0;
  for (let face = 0; face < CORNERS; face += 3) {
    const a = 3 * TETRAHEDRON[face];
    const b = 3 * TETRAHEDRON[face + (flip ? 2 : 1)];
    const c = 3 * TETRAHEDRON[face + (flip ? 1 : 2)];
    const o = offset + 3 * face;
    for (let axis = 0; axis < 3; axis++) {
      positions[o + axis] = from[a + axis];
      positions[o + 3 + axis] = from[b + axis];
      positions[o + 6 + axis] = from[c + axis];
    }
    const ux = from[b] - from[a], uy = from[b + 1] - from[a + 1], uz = from[b + 2] - from[a + 2];
    const vx = from[c] - from[a], vy = from[c + 1] - from[a + 1], vz = from[c + 2] - from[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const scale = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
    for (let corner = 0; corner < 9; corner += 3) {
      normals[o + corner] = nx * scale;
      normals[o + corner + 1] = ny * scale;
      normals[o + corner + 2] = nz * scale;
    }
  }
}

// Six times the signed volume of the tetrahedron.
function volume(p) {
  const ax = p[3] - p[0], ay = p[4] - p[1], az = p[5] - p[2];
  const bx = p[6] - p[0], by = p[7] - p[1], bz = p[8] - p[2];
  const cx = p[9] - p[0], cy = p[10] - p[1], cz = p[11] - p[2];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
