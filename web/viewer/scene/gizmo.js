// SPDX-License-Identifier: MIT
// Handles that move, rotate and scale an object (three.js's TransformControls). The owner forwards pointer events, so that a
// drag of a handle does not also grab an object or rotate the camera.
import { MathUtils } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

const TURN_STEP = MathUtils.degToRad(15);
const SIZE = { fine: 0.75, coarse: 1.15 }; // for a mouse, and for touch

/** The handles of one object. */
export class Gizmo {
  /**
   * @param {import('./stage.js').Stage} stage @param {import('three').Object3D} object
   * @param {() => void} changed called on each change by the user @param {() => void} done called when the user releases a handle
   */
  constructor(stage, object, changed, done) {
    this.stage = stage;
    this.controls = new TransformControls(stage.camera);
    this.controls.attach(object);
    this.controls.addEventListener('objectChange', changed);
    this.controls.addEventListener('mouseUp', done);
    this.setCoarse(false);
    stage.scene.add(this.controls.getHelper());
  }

  /** @param {'translate'|'rotate'|'scale'} mode */
  setMode(mode) {
    this.controls.setMode(mode);
    this.controls.setSpace(mode === 'translate' ? 'world' : 'local');
  }

  /** @param {number} step step of moves in m; 0 for none. Rotations then have steps of 15°. */
  setSnap(step) {
    this.controls.setTranslationSnap(step || null);
    this.controls.setRotationSnap(step ? TURN_STEP : null);
  }

  /** @param {boolean} coarse whether the handles are large enough for touch */
  setCoarse(coarse) {
    this.controls.setSize(coarse ? SIZE.coarse : SIZE.fine);
  }

  /** Highlights the handle under the pointer. @param {PointerEvent} event @returns {boolean} whether there is a handle */
  hover(event) {
    this.controls.pointerHover(this.pointer(event, 0));
    return this.controls.axis !== null;
  }

  /** Starts dragging the handle under the pointer. @param {PointerEvent} event @returns {boolean} whether there is a handle */
  down(event) {
    if (!this.hover(event)) return false;
    this.controls.getHelper().updateMatrixWorld(); // the drag plane follows the handle
    this.controls.pointerDown(this.pointer(event, 0));
    return this.controls.dragging;
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.controls.pointerMove(this.pointer(event, -1));
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.controls.pointerUp(this.pointer(event, 0));
  }

  /** @param {PointerEvent} event @param {number} button */
  pointer({ clientX, clientY }, button) {
    const { left, top, width, height } = this.stage.canvas.getBoundingClientRect();
    const pointer = { x: (2 * (clientX - left)) / width - 1, y: 1 - (2 * (clientY - top)) / height, button };
    return /** @type {PointerEvent} */ (/** @type {unknown} */ (pointer)); // three.js declares this type, but accepts a part of it
  }

  dispose() {
    this.controls.getHelper().removeFromParent();
    this.controls.detach();
    this.controls.getHelper().dispose();
  }
}
