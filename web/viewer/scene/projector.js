// SPDX-License-Identifier: MIT
// Where points of the world are on the page, for many of them in every picture: nothing is allocated. Also the other way round:
// directions as the camera sees them, and looking at some particles.
import { Box3, Matrix4, Vector3 } from 'three';
/** @import { Stage } from './stage.js' */

/** Call `update` once a picture, then `place` as often as needed. */
export class Projector {
  /** @param {import('./stage.js').Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.matrix = new Matrix4();
    this.x = 0;
    this.y = 0;
  }

  update() {
    const { camera } = this.stage;
    this.matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  }

  /**
   * Leaves in `x` and `y` where it is, in CSS pixels from the upper left corner of the stage.
   * @param {number} x @param {number} y @param {number} z
   * @returns {boolean} whether it is in front of the camera
   */
  place(x, y, z) {
    const m = this.matrix.elements;
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    if (w <= 0) return false;
    this.x = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) * 0.5 * this.stage.width;
    this.y = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * 0.5 * this.stage.height;
    return true;
  }
}

/**
 * A direction as seen from the camera (right, up, towards who looks) in the world.
 * @param {Stage} stage @param {number[]} direction
 * @returns {number[]}
 */
export function fromCamera(stage, direction) {
  return new Vector3(...direction).applyQuaternion(stage.camera.quaternion).toArray();
}

/**
 * Brings the camera to these points. @param {Iterable<[import('./world.js').Points, Iterable<number>]>} parts of the world with indices
 * @param {Stage} stage
 */
export function lookAt(stage, parts) {
  const box = new Box3();
  const point = new Vector3();
  for (const [entry, indices] of parts) for (const index of indices) box.expandByPoint(point.fromArray(entry.place(index)));
  if (!box.isEmpty()) stage.rig.frame(box, true);
}
