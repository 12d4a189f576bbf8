// SPDX-License-Identifier: MIT
// All solids of the world in one mesh: bodies and the bones of ragdolls, flat-shaded, their face normals from the positions of
// every frame. The edges between faces are lightened, those within a flat face are not.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh } from 'three';
import { addEdges, litMaterial } from './material.js';
import { edgeDistances } from './surface.js';

/** How solids are drawn. Rebuilt by `set` when they come or go, painted by `paint`, written by `update` every frame. */
export class BodiesView {
  constructor() {
    this.bodies = [];
    this.material = addEdges(litMaterial({ vertexColors: true, roughness: 0.42, metalness: 0.05 }));
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /** @param {{object: object, surface: {positions: Float32Array, triangles: Uint32Array}, tint: import('three').Color}[]} bodies */
  set(bodies) {
    this.bodies = bodies;
    const corners = bodies.reduce((sum, { surface }) => sum + surface.triangles.length, 0);
    this.mesh.visible = corners > 0;
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    const edges = new Float32Array(3 * corners);
    let at = 0;
    for (const { object, surface } of bodies) {
      edges.set(edgeDistances(surface.triangles, object.hull?.weights ?? null), at);
      at += 3 * surface.triangles.length;
    }
    const dynamic = () => new BufferAttribute(new Float32Array(3 * corners), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', dynamic());
    geometry.setAttribute('normal', dynamic());
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * corners), 3));
    geometry.setAttribute('corner', new BufferAttribute(edges, 3));
    this.mesh.geometry = geometry;
    this.paint();
  }

  /** Takes over the tints of all. */
  paint() {
    const { color } = this.mesh.geometry.attributes;
    let at = 0;
    for (const { surface, tint } of this.bodies) {
      for (let corner = 0; corner < surface.triangles.length; corner++, at += 3) tint.toArray(color.array, at);
    }
    if (color) color.needsUpdate = true;
  }

  update() {
    if (!this.mesh.visible) return;
    const { position, normal } = this.mesh.geometry.attributes;
    let at = 0;
    for (const { object, surface } of this.bodies) {
      writeFaces(surface, object.kind === 'body' && !object.hull, position.array, normal.array, at);
      at += 3 * surface.triangles.length;
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

// The faces of a bare tetrahedron wind outwards where particle 3 lies in front of the triangle 0 1 2; such bodies are made both
// ways round, so the sign of the volume decides which way their faces are written.
function writeFaces({ positions: from, triangles }, eitherWay, positions, normals, offset) {
  const flip = eitherWay && volume(from) < 0;
  for (let face = 0, o = offset; face < triangles.length; face += 3, o += 9) {
    const a = 3 * triangles[face];
    const b = 3 * triangles[face + (flip ? 2 : 1)];
    const c = 3 * triangles[face + (flip ? 1 : 2)];
    for (let axis = 0; axis < 3; axis++) {
      positions[o + axis] = from[a + axis];
      positions[o + 3 + axis] = from[b + axis];
      positions[o + 6 + axis] = from[c + axis];
    }
    const ux = from[b] - from[a], uy = from[b + 1] - from[a + 1], uz = from[b + 2] - from[a + 2];
    const vx = from[c] - from[a], vy = from[c + 1] - from[a + 1], vz = from[c + 2] - from[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const scale = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
    for (let corner = o; corner < o + 9; corner += 3) {
      normals[corner] = nx * scale;
      normals[corner + 1] = ny * scale;
      normals[corner + 2] = nz * scale;
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
