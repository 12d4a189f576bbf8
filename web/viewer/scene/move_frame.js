// SPDX-License-Identifier: MIT
// The box around some objects, and the point at its middle that handles move; while they do, the box is drawn where the objects will
// be.
import { Box3, Box3Helper, Color, Object3D, Vector3 } from 'three';
/** @import { ObjectEntry, Points } from './world.js' */

/** The middle of some objects, in a scene. */
export class MoveFrame {
  #box = new Box3();

  #start = new Vector3();

  #by = new Vector3();

  #point = new Vector3();

  #place = [0, 0, 0];

  /** @param {import('three').Scene} scene @param {string} color of the box */
  constructor(scene, color) {
    this.object = new Object3D();
    this.helper = new Box3Helper(new Box3(), new Color(color));
    this.helper.visible = false;
    scene.add(this.object, this.helper);
  }

  /**
   * Moves the point to the middle of the objects; returns whether there are any.
   * @param {[points: Points, indices: number[]][]} parts points, and which of them @param {ObjectEntry[]} solids objects, by their surfaces
   */
  follow(parts, solids) {
    this.#box.makeEmpty();
    for (const [points, indices] of parts) {
      for (const index of indices) if (index < points.count) this.#box.expandByPoint(this.#point.fromArray(points.place(index, this.#place)));
    }
    for (const { surface: { positions } } of solids) {
      for (let i = 0; i < positions.length; i += 3) this.#box.expandByPoint(this.#point.fromArray(positions, i));
    }
    if (this.#box.isEmpty()) return false;
    this.#box.getCenter(this.object.position);
    return true;
  }

  /** A drag of the point begins. */
  begin() {
    this.#start.copy(this.object.position);
  }

  /** Shows the box where the point is now. */
  preview() {
    this.helper.visible = true;
    this.helper.box.copy(this.#box).translate(this.#by.subVectors(this.object.position, this.#start));
  }

  /** Hides the box. @returns {number[]} the way of the point since `begin`, m */
  end() {
    this.helper.visible = false;
    return this.#by.subVectors(this.object.position, this.#start).toArray();
  }

  dispose() {
    this.object.removeFromParent();
    this.helper.removeFromParent();
    this.helper.dispose();
  }
}
