// SPDX-License-Identifier: MIT
// The objects of a scene often fall at first. Once they have settled, the camera may move closer, unless the user has already
// moved it or changed something.
/** @import { Box3 } from 'three' */
/** @import { CameraRig } from './camera.js' */

const SETTLE_MS = 4500;
const NEARER = 0.85; // relative to the first distance

export class Settling {
  #at = Infinity;

  #distance = 0;

  #objects = 0;

  /** @param {CameraRig} rig @param {() => Box3} box returns the box that the camera frames */
  constructor(rig, box) {
    this.rig = rig;
    this.box = box;
  }

  /** The camera has framed a scene. @param {number} objects number of its objects */
  begin(objects) {
    this.#at = performance.now() + SETTLE_MS;
    this.#distance = this.rig.distanceTo(this.box());
    this.#objects = objects;
  }

  /** The user does something: the camera stays. */
  stop() {
    this.#at = Infinity;
  }

  /**
   * Whether the camera should frame the scene again now, once per scene.
   * @param {number} objects present number of objects @param {boolean} grabbed whether somebody holds one
   */
  isDue(objects, grabbed) {
    if (performance.now() < this.#at) return false;
    this.stop();
    if (this.rig.calm || this.rig.userControlled || grabbed || objects !== this.#objects) return false;
    return this.rig.distanceTo(this.box()) < NEARER * this.#distance;
  }
}
