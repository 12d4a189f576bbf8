// SPDX-License-Identifier: MIT
// The handles that move, turn and size a thing (three.js's TransformControls). Whoever owns it hands it the pointer, so that
// what is meant for a handle is neither a grab nor a turn of the camera.
import { MathUtils } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

const TURN_STEP = MathUtils.degToRad(15);
const SIZE = { fine: 0.75, coarse: 1.15 }; // for a mouse, for fingers

/** Handles on one object. */
export class Gizmo {
  /**
   * @param {import('./stage.js').Stage} stage @param {import('three').Object3D} object
   * @param {() => void} changed told of every step of a hand @param {() => void} done told when the hand lets go
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

  /** @param {number} step of moves in m; 0 for none. Turns then go by 15°. */
  setSnap(step) {
    this.controls.setTranslationSnap(step || null);
    this.controls.setRotationSnap(step ? TURN_STEP : null);
  }

  /** @param {boolean} coarse whether fingers are to meet the handles */
  setCoarse(coarse) {
    this.controls.setSize(coarse ? SIZE.coarse : SIZE.fine);
  }

  /** Shows which handle lies under the pointer. @param {PointerEvent} event @returns {boolean} whether there is one */
  hover(event) {
    this.controls.pointerHover(this.pointer(event, 0));
    return this.controls.axis !== null;
  }

  /** Takes hold of the handle under the pointer. @param {PointerEvent} event @returns {boolean} whether there is one */
  down(event) {
    if (!this.hover(event)) return false;
    this.controls.getHelper().updateMatrixWorld(); // its plane is to be that of the handle
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
    return /** @type {PointerEvent} */ (/** @type {unknown} */ (pointer)); // which three.js declares, though it takes this
  }

  dispose() {
    this.controls.getHelper().removeFromParent();
    this.controls.detach();
    this.controls.getHelper().dispose();
  }
}
