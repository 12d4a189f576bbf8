// SPDX-License-Identifier: MIT
// Projects many points of the world onto the page in each picture, without allocations. Also the inverse: directions relative
// to the camera, and moving the camera to particles.
import { Box3, Matrix4, Vector3 } from 'three';
/** @import { Stage } from './stage.js' */

/** Call `update` once per picture, then `place` as often as needed. */
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
   * Writes the position to `x` and `y`, in CSS pixels from the upper left corner of the stage.
   * @param {number} x @param {number} y @param {number} z
   * @returns {boolean} whether the point is in front of the camera
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
 * Converts a direction relative to the camera (right, up, towards the viewer) to the world's axes.
 * @param {Stage} stage @param {number[]} direction
 * @returns {number[]}
 */
export function fromCamera(stage, direction) {
  return new Vector3(...direction).applyQuaternion(stage.camera.quaternion).toArray();
}

/**
 * Moves the camera to these points. @param {Iterable<[import('./world.js').Points, Iterable<number>]>} parts points of the
 * world with indices
 * @param {Stage} stage
 */
export function lookAt(stage, parts) {
  const box = new Box3();
  const point = new Vector3();
  for (const [entry, indices] of parts) for (const index of indices) box.expandByPoint(point.fromArray(entry.place(index)));
  if (!box.isEmpty()) stage.rig.frame(box, true);
}
