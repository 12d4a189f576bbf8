// SPDX-License-Identifier: MIT
// Draws all ragdolls of the world in one instanced mesh: the shape of ragdoll_shape.js around the particles of each.
import { BufferAttribute, Color, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, Sphere, Vector2 } from 'three';
import { addGlow, change, isDraft, litMaterial, onField, shadowOn } from './material.js';
import { ragdollShape } from './ragdoll_shape.js';
/** @import { ObjectEntry } from './world.js' */

const SKIN = new Color('#f1d3b4');

/** The view of all ragdolls. `set` rebuilds it when some come or go, `paint` updates colours and places. */
export class RagdollsView {
  /** @param {import('./field.js').Field} field */
  constructor(field) {
    /** @type {ObjectEntry[]} */
    this.ragdolls = [];
    const shape = isDraft() ? ragdollShape(7, 2) : ragdollShape(14, 4);
    /** @type {Record<string, BufferAttribute>} attributes that all ragdolls share */
    this.shared = {
      four: new BufferAttribute(shape.corners, 4), weights: new BufferAttribute(shape.weights, 4),
      normal: new BufferAttribute(shape.normals, 3), dress: new BufferAttribute(shape.dress, 2),
    };
    this.index = new BufferAttribute(shape.triangles, 1);
    this.glowing = { value: new Vector2(-1, -1) };
    this.material = onField(addGlow(dressed(litMaterial({ vertexColors: true, roughness: 0.6 })), 'first', this.glowing), field, 'ragdoll');
    this.shadow = shadowOn(field, 'ragdoll');
    this.mesh = new Mesh(new InstancedBufferGeometry(), this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.visible = false;
    this.mesh.customDepthMaterial = this.shadow;
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

  /** Highlights a ragdoll. @param {ObjectEntry | null} entry */
  glow(entry) {
    this.glowing.value.set(entry ? entry.first : -1, entry ? entry.first + entry.count : -1);
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
    this.shadow.dispose();
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
