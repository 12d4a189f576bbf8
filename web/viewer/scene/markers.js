// SPDX-License-Identifier: MIT
// Markers in the world: pins, the particle under the pointer, and the grabs of all clients. Each is a sphere with a minimum
// size in pixels.
import { BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, Mesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { clientColor, isDraft, litMaterial, onField } from './material.js';
import { putShape, putSphere, sphereGeometry } from './round.js';
/** @import { Grab } from '../../client/topology.js' */
/** @import { Field } from './field.js' */
/** @import { View } from './stage.js' */
/** @import { ObjectEntry, Picked } from './world.js' */
/** @import { Material, Object3D } from 'three' */

const WHITE = new Color(1, 1, 1);

// A growing set of instanced spheres, rewritten for each frame.
class Spheres {
  /** @param {Object3D} parent @param {BufferGeometry} geometry @param {Material} material */
  constructor(parent, geometry, material, renderOrder = 0) {
    this.parent = parent;
    this.geometry = geometry;
    this.material = material;
    this.renderOrder = renderOrder;
    this.capacity = 0;
    this.mesh = this.#make(64);
  }

  /** @param {number} capacity */
  reserve(capacity) {
    this.mesh.removeFromParent();
    this.mesh.dispose();
    this.mesh = this.#make(capacity);
  }

  /** @param {number} capacity */
  #make(capacity) {
    this.capacity = capacity;
    const mesh = new InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, WHITE);
    mesh.frustumCulled = mesh.matrixAutoUpdate = false;
    mesh.renderOrder = this.renderOrder;
    mesh.count = 0;
    const matrices = mesh.instanceMatrix.array;
    for (let m = 15; m < matrices.length; m += 16) matrices[m] = 1;
    this.parent.add(mesh);
    return mesh;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.dispose();
    this.geometry.dispose();
    this.material.dispose();
  }

  /** @param {number} count */
  begin(count) {
    if (count > this.capacity) this.reserve(Math.max(count, 2 * this.capacity));
    this.mesh.count = 0;
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} radius @param {Color} color */
  add(x, y, z, radius, color) {
    const i = this.mesh.count++;
    const matrices = this.mesh.instanceMatrix.array;
    const m = 16 * i;
    matrices[m] = matrices[m + 5] = matrices[m + 10] = radius;
    matrices[m + 12] = x;
    matrices[m + 13] = y;
    matrices[m + 14] = z;
    this.mesh.setColorAt(i, color);
  }

  end() {
    this.mesh.visible = this.mesh.count > 0;
    if (!this.mesh.visible) return;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

// Pin markers get their positions from the particle field; they change only when pins do.
class Pins {
  /** @param {Object3D} parent @param {Field} field */
  constructor(parent, field) {
    this.parent = parent;
    this.material = onField(litMaterial({ color: 0xf2c14e, roughness: 0.25, metalness: 0.55, vertexColors: true }), field, 'round');
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
  }

  /** @param {Iterable<{first: number, pinsShown: number[], pinRadius: number}>} entries */
  set(entries) {
    const pinned = [...entries].filter(({ pinsShown }) => pinsShown.length > 0);
    this.mesh.geometry.dispose();
    this.mesh.removeFromParent();
    if (pinned.length === 0) return;
    const geometry = sphereGeometry(isDraft() ? { across: 5, down: 3 } : { across: 12, down: 8 }, pinned.reduce((sum, { pinsShown }) => sum + pinsShown.length, 0));
    let i = 0;
    for (const { first, pinsShown, pinRadius } of pinned) {
      for (const pin of pinsShown) {
        putSphere(geometry, i, first + pin);
        putShape(geometry, 'girth', i++, [-pinRadius]); // negative: a minimum size in pixels applies
      }
    }
    this.mesh.geometry = geometry;
    this.parent.add(this.mesh);
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

/** @typedef {(id: number) => ObjectEntry | undefined} Find finds an object's entry */

/** The markers of pins, hover and grabs. */
export class MarkersView {
  /** @param {import('three').Object3D} parent @param {import('./field.js').Field} field */
  constructor(parent, field) {
    const disc = () => new SphereGeometry(1, 10, 7);
    this.field = field;
    this.pins = new Pins(parent, field);
    this.halos = new Spheres(parent, disc(), new MeshBasicMaterial({ transparent: true, opacity: 0.3, depthTest: false, depthWrite: false }), 10);
    this.discs = new Spheres(parent, disc(), new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true }), 11);
    this.color = new Color();
    this.point = [0, 0, 0];
  }

  /** @param {Iterable<ObjectEntry>} entries the objects whose pins are displayed */
  setPins(entries) {
    this.pins.set(entries);
  }

  /**
   * @param {Map<number, Grab>} grabs
   * @param {Picked|null} hover
   * @param {Find} find
   * @param {View} view
   */
  update(grabs, hover, find, view) {
    this.field.uniforms.uSlope.value = view.slope;
    this.halos.begin(grabs.size + 1);
    this.discs.begin(grabs.size + 1);
    for (const grab of grabs.values()) this.addGrab(grab, find, view);
    if (hover) this.addHover(hover, find(hover.object), view);
    this.halos.end();
    this.discs.end();
  }

  dispose() {
    for (const part of [this.pins, this.halos, this.discs]) part.dispose();
  }

  /** @param {Grab} grab @param {Find} find @param {View} view */
  addGrab({ object, particles, weights, client }, find, view) {
    const held = find(object);
    if (!held) return;
    let x = 0, y = 0, z = 0;
    for (let k = 0; k < particles.length; k++) {
      const place = held.place(particles[k], this.point);
      x += weights[k] * place[0];
      y += weights[k] * place[1];
      z += weights[k] * place[2];
    }
    const pixel = view.slope * distance(view.eye, x, y, z);
    clientColor(client ?? 0, this.color);
    this.halos.add(x, y, z, 13 * pixel, this.color);
    this.discs.add(x, y, z, 5 * pixel, this.color);
  }

  /** @param {Picked} pick @param {ObjectEntry | undefined} object @param {View} view */
  addHover({ whole, particle, point }, object, view) {
    if (!object || particle >= object.object.particles) return;
    const [x, y, z] = whole ? point : object.place(particle, this.point);
    const pixel = view.slope * distance(view.eye, x, y, z);
    this.halos.add(x, y, z, 9 * pixel, WHITE);
    this.discs.add(x, y, z, 2.5 * pixel, WHITE);
  }
}

/** @param {number[]} eye @param {number} x @param {number} y @param {number} z */
function distance(eye, x, y, z) {
  return Math.hypot(eye[0] - x, eye[1] - y, eye[2] - z);
}
