// SPDX-License-Identifier: MIT
// Draws all solids of the world in one mesh: bodies and the bones of ragdolls. Each vertex is embedded in the four particles
// of its solid. Shading is flat; the edges between faces are lightened, those within a flat face are not. Round and compound
// bodies are drawn in a mesh of their own, whose vertices have normals.
import { BufferAttribute, BufferGeometry, DoubleSide, Sphere } from 'three';
import { addEdges, addGlow, litMaterial, onField, shadowOn } from './material.js';
import { SharedMesh } from './shared_mesh.js';
import { edgeDistances } from './surface.js';
/** @import { WorldObject } from '../../client/topology.js' */
/** @import { ObjectEntry } from './world.js' */

/** The view of all solids. `set` rebuilds it when solids come or go, `paint` updates colours and places. */
export class BodiesView extends SharedMesh {
  /** @param {import('./field.js').Field} field @param {'solid' | 'rounded'} [kind] */
  constructor(field, kind = 'solid') {
    super({
      geometry: new BufferGeometry(),
      // A bare tetrahedron may have either orientation, so both sides are drawn; flat shading computes the normal from the face.
      material: (glowing) => onField(addGlow(addEdges(litMaterial({
        vertexColors: true, roughness: 0.42, metalness: 0.05, flatShading: kind === 'solid', side: DoubleSide,
      })), 'four.x', glowing), field, kind),
      shadow: shadowOn(field, kind, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 6 }),
    });
    this.rounded = kind === 'rounded';
    /** @type {ObjectEntry[]} */
    this.bodies = [];
  }

  /** @param {ObjectEntry[]} bodies */
  set(bodies) {
    this.bodies = bodies;
    const corners = bodies.reduce((sum, { surface }) => sum + surface.triangles.length, 0);
    this.mesh.visible = corners > 0;
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(new Uint32Array(corners).map((_, i) => i), 1));
    geometry.setAttribute('four', new BufferAttribute(new Uint32Array(4 * corners), 4));
    geometry.setAttribute('weights', new BufferAttribute(new Float32Array(4 * corners), 4));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * corners), 3));
    geometry.setAttribute('corner', new BufferAttribute(new Float32Array(3 * corners), 3));
    if (this.rounded) geometry.setAttribute('bend', new BufferAttribute(new Float32Array(4 * corners), 4));
    geometry.boundingSphere = new Sphere();
    const { corner, weights, bend } = geometry.attributes;
    let at = 0;
    for (const { object, surface: { triangles } } of bodies) {
      corner.array.set(edgeDistances(triangles, object.hull?.weights ?? null, object.hull?.smooth), 3 * at);
      if (bend && object.hull?.bends) bend.array.set(object.hull.bends, 4 * at);
      writeWeights(object, triangles, /** @type {Float32Array} */ (weights.array), 4 * at);
      at += triangles.length;
    }
    this.mesh.geometry = geometry;
    this.paint();
  }

  /** Updates the colours of all solids, and the slots of their particles in the frames. */
  paint() {
    const { color, four } = this.mesh.geometry.attributes;
    if (!color) return;
    let at = 0;
    for (const { object, surface: { triangles }, tint } of this.bodies) {
      for (let corner = 0; corner < triangles.length; corner++, at++) {
        tint.toArray(color.array, 3 * at);
        const carriers = object.hull ? FIRST_FOUR : carriersOf(triangles, corner);
        for (let k = 0; k < 4; k++) four.array[4 * at + k] = object.first + carriers[k];
      }
    }
    color.needsUpdate = true;
    four.needsUpdate = true;
  }
}

const FIRST_FOUR = [0, 1, 2, 3];
const carriers = new Uint32Array(4);

/**
 * A bare tetrahedron, or a bone of a ragdoll, has four triangles, each of which lacks one of the four particles. Returns
 * those of the tetrahedron that contains a corner; the same array for each call.
 * @param {Uint32Array} triangles @param {number} corner
 */
function carriersOf(triangles, corner) {
  const first = corner - (corner % 12);
  carriers.set(triangles.subarray(first, first + 3));
  carriers[3] = carriers[0];
  for (let i = first + 3; i < first + 12; i++) if (!carriers.subarray(0, 3).includes(triangles[i])) carriers[3] = triangles[i];
  return carriers;
}

/**
 * The weights of an embedded shape; otherwise a corner is one of the four particles.
 * @param {WorldObject} worldObject @param {Uint32Array} triangles @param {Float32Array} weights @param {number} at
 */
function writeWeights({ hull }, triangles, weights, at) {
  for (let corner = 0; corner < triangles.length; corner++, at += 4) {
    const vertex = triangles[corner];
    if (hull) weights.set(hull.weights.subarray(4 * vertex, 4 * vertex + 4), at);
    else weights[at + carriersOf(triangles, corner).indexOf(vertex)] = 1;
  }
}
