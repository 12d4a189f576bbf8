// SPDX-License-Identifier: MIT
// Small signs on top of the world: heads of pins, the particle under the pointer, and the hands of everyone who holds
// something. Each is a sphere that keeps at least a few pixels on the screen however far away it is.
import { Color, DynamicDrawUsage, InstancedMesh, MeshBasicMaterial, SphereGeometry } from 'three';
import { clientColor, isThrifty, litMaterial } from './material.js';

const WHITE = new Color(1, 1, 1);

// A growing set of instanced spheres, written anew every frame.
class Spheres {
  constructor(parent, geometry, material, renderOrder = 0) {
    this.parent = parent;
    this.geometry = geometry;
    this.material = material;
    this.renderOrder = renderOrder;
    this.mesh = null;
    this.reserve(64);
  }

  reserve(capacity) {
    if (this.mesh) {
      this.mesh.removeFromParent();
      this.mesh.dispose();
    }
    this.capacity = capacity;
    this.mesh = new InstancedMesh(this.geometry, this.material, capacity);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.setColorAt(0, WHITE);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = this.renderOrder;
    this.mesh.count = 0;
    const matrices = this.mesh.instanceMatrix.array;
    for (let m = 15; m < matrices.length; m += 16) matrices[m] = 1;
    this.parent.add(this.mesh);
  }

  begin(count) {
    if (count > this.capacity) this.reserve(Math.max(count, 2 * this.capacity));
    this.mesh.count = 0;
  }

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
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }
}

/** Pins, hover and hands. */
export class MarkersView {
  /** @param {import('three').Object3D} parent */
  constructor(parent) {
    // A cloth may hang by dozens of pins, a few pixels each.
    const heads = isThrifty() ? new SphereGeometry(1, 6, 4) : new SphereGeometry(1, 10, 7);
    const discs = new SphereGeometry(1, 10, 7);
    this.pins = new Spheres(parent, heads, litMaterial({ color: 0xf2c14e, roughness: 0.25, metalness: 0.55 }));
    this.halos = new Spheres(parent, discs, new MeshBasicMaterial({ transparent: true, opacity: 0.3, depthTest: false, depthWrite: false }), 10);
    this.hands = new Spheres(parent, discs, new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true }), 11);
    this.color = new Color();
  }

  /**
   * @param {Map<number, object>} objects views with `positions`, `pinsShown` and `pinRadius` (m)
   * @param {Map<number, {object: number, particles: number[], weights: number[], client: number}>} grabs
   * @param {{object: number, whole: boolean, particle: number, point: number[]}|null} hover
   * @param {(id: number) => object|undefined} find an object's view
   * @param {{eye: number[], slope: number}} view where the camera is, and m per pixel and m of distance
   */
  update(objects, grabs, hover, find, view) {
    let pins = 0;
    for (const object of objects.values()) pins += object.pinsShown.length;
    this.pins.begin(pins);
    for (const object of objects.values()) this.addPins(object, view);
    this.pins.end();
    this.halos.begin(grabs.size + 1);
    this.hands.begin(grabs.size + 1);
    for (const grab of grabs.values()) this.addHand(grab, find, view);
    if (hover) this.addHover(hover, find(hover.object), view);
    this.halos.end();
    this.hands.end();
  }

  addPins(object, view) {
    for (const particle of object.pinsShown) {
      const i = 3 * particle;
      const x = object.positions[i], y = object.positions[i + 1], z = object.positions[i + 2];
      this.pins.add(x, y, z, Math.max(object.pinRadius, 3.2 * view.slope * distance(view.eye, x, y, z)), WHITE);
    }
  }

  addHand({ object, particles, weights, client }, find, view) {
    const held = find(object);
    if (!held) return;
    let x = 0, y = 0, z = 0;
    for (let k = 0; k < particles.length; k++) {
      const i = 3 * particles[k];
      x += weights[k] * held.positions[i];
      y += weights[k] * held.positions[i + 1];
      z += weights[k] * held.positions[i + 2];
    }
    const pixel = view.slope * distance(view.eye, x, y, z);
    clientColor(client, this.color);
    this.halos.add(x, y, z, 13 * pixel, this.color);
    this.hands.add(x, y, z, 5 * pixel, this.color);
  }

  addHover({ whole, particle, point }, object, view) {
    if (!object || 3 * particle >= object.positions.length) return;
    const [x, y, z] = whole ? point : object.positions.subarray(3 * particle, 3 * particle + 3);
    const pixel = view.slope * distance(view.eye, x, y, z);
    this.halos.add(x, y, z, 9 * pixel, WHITE);
    this.hands.add(x, y, z, 2.5 * pixel, WHITE);
  }
}

function distance(eye, x, y, z) {
  return Math.hypot(eye[0] - x, eye[1] - y, eye[2] - z);
}
