// SPDX-License-Identifier: MIT
// Draws all ragdolls of the world in one instanced mesh: the shape of ragdoll_shape.js around the particles of each.
import { BufferAttribute, Color, InstancedBufferAttribute, InstancedBufferGeometry, Sphere } from 'three';
import { addGlow, change, isDraft, litMaterial, onField, shadowOn } from './material.js';
import { ragdollShape } from './ragdoll_shape.js';
import { SharedMesh } from './shared_mesh.js';
/** @import { ObjectEntry } from './world.js' */

const SKIN = new Color('#f1d3b4');

/** The view of all ragdolls. `set` rebuilds it when some come or go, `paint` updates colours and places. */
export class RagdollsView extends SharedMesh {
  /** @param {import('./field.js').Field} field */
  constructor(field) {
    super({
      geometry: new InstancedBufferGeometry(),
      material: (glowing) => onField(addGlow(dressed(litMaterial({ vertexColors: true, roughness: 0.6 })), 'first', glowing), field, 'ragdoll'),
      shadow: shadowOn(field, 'ragdoll'),
    });
    /** @type {ObjectEntry[]} */
    this.ragdolls = [];
    const shape = isDraft() ? ragdollShape(7, 2) : ragdollShape(14, 4);
    /** @type {Record<string, BufferAttribute>} attributes that all ragdolls share */
    this.shared = {
      four: new BufferAttribute(shape.corners, 4), weights: new BufferAttribute(shape.weights, 4),
      normal: new BufferAttribute(shape.normals, 3), dress: new BufferAttribute(shape.dress, 2),
    };
    this.index = new BufferAttribute(shape.triangles, 1);
  }

  /** @param {ObjectEntry[]} ragdolls */
  set(ragdolls) {
    this.ragdolls = ragdolls;
    this.mesh.visible = ragdolls.length > 0;
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    geometry.instanceCount = ragdolls.length;
    geometry.setIndex(this.index);
    for (const [name, attribute] of Object.entries(this.shared)) geometry.setAttribute(name, attribute);
    geometry.setAttribute('first', new InstancedBufferAttribute(new Uint32Array(ragdolls.length), 1));
    geometry.setAttribute('color', new InstancedBufferAttribute(new Float32Array(3 * ragdolls.length), 3));
    geometry.boundingSphere = new Sphere();
    this.mesh.geometry = geometry;
    this.paint();
  }

  /** Updates the colours of all ragdolls, and the slots of their first particles in the frames. */
  paint() {
    const { color, first } = this.mesh.geometry.attributes;
    if (!color) return;
    this.ragdolls.forEach((entry, i) => {
      entry.tint.toArray(color.array, 3 * i);
      first.array[i] = entry.first;
    });
    color.needsUpdate = true;
    first.needsUpdate = true;
  }
}

/**
 * The object's colour is that of the clothes.
 * @template {import('three').Material} M
 * @param {M} material
 */
function dressed(material) {
  return change(material, 'dress', (shader) => {
    const skin = SKIN.toArray().map((part) => part.toFixed(4)).join(', ');
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec2 dress;')
      .replace('#include <color_vertex>', `#include <color_vertex>
        vColor.rgb = mix(vColor.rgb, vec3(${skin}), dress.x) * dress.y;`);
  });
}
