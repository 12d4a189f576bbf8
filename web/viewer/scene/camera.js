// SPDX-License-Identifier: MIT
// The camera: a perspective camera that orbits a target, moves smoothly and zooms to the pointer (camera-controls); framing
// of a scene; and the camera's position as six numbers, for links and for synchronized cameras.
import CameraControls from 'camera-controls';
import { Box3, MathUtils, Matrix4, PerspectiveCamera, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 } from 'three';
import { Emitter } from '../../client/emitter.js';

CameraControls.install({ THREE: { Box3, MathUtils, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 } });

const { ACTION } = CameraControls;
const VIEW_FROM = new Vector3(0.4, 0.27, 1).normalize(); // direction from the scene to the camera
const GLIDE_S = 0.22;
const DRAG_S = 0.06; // smoothing time of a drag
const ABOVE = 0.03; // m, least height of the camera above the floor
const HALF_MIN = 0.9; // m, half the diagonal of the smallest box to frame
const SIGHT = 0.9; // share of the picture in which a selection counts as seen
const FAR = 1e5; // m, limit of the positions that a link may give
const DIGITS = 4; // decimal places of the camera's numbers

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * The camera and its controls. Emits 'moving' with each picture in which the user or a link moves the camera, 'taken' when the
 * user moves it, and 'moved' when it has come to rest after that.
 * @extends {Emitter<{moving: undefined, moved: undefined, taken: undefined}>}
 */
export class CameraRig extends Emitter {
  /** @param {HTMLElement} element the element that receives pointer events */
  constructor(element) {
    super();
    this.camera = new PerspectiveCamera(38, 1, 0.02, 2000);
    this.controls = new CameraControls(this.camera, element);
    this.controls.minDistance = 0.15;
    this.controls.maxDistance = 800;
    this.controls.dollyToCursor = true;
    this.controls.restThreshold = 0.002;
    this.controls.touches.two = ACTION.TOUCH_DOLLY_TRUCK;
    this.controls.touches.three = ACTION.TOUCH_TRUCK;
    this.controls.mouseButtons.middle = ACTION.DOLLY;
    this.controls.setLookAt(3, 2.5, 7, 0, 0, 0, false);
    this.userControlled = false; // whether the user or a link chose the position, not automatic framing
    this.taken = false; // whether the user has moved the camera since it last came to rest
    this.share = { x: 1, y: 1 }; // share of the picture that is not covered by tools
    this.point = new Vector3();
    this.eye = new Vector3();
    this.floor = -Infinity; // m
    this.setCalm(reduced.matches);
    this.followPreference = () => this.setCalm(reduced.matches);
    reduced.addEventListener('change', this.followPreference);
    this.listen(element);
  }

  /** @param {HTMLElement} element */
  listen(element) {
    // With a modifier key the first button pans instead of rotating, as in other 3D programs.
    element.addEventListener('pointerdown', ({ shiftKey, ctrlKey, metaKey }) => {
      this.controls.mouseButtons.left = shiftKey || ctrlKey || metaKey ? ACTION.TRUCK : ACTION.ROTATE;
    }, { capture: true });
    // camera-controls applies one move of a drag per picture and drops the remaining ones when the drag ends: on a page that
    // draws rarely, a quick drag would have no effect. The library has no setting for this.
    const heed = () => { /** @type {{_dragNeedsUpdate: boolean}} */ (/** @type {unknown} */ (this.controls))._dragNeedsUpdate = true; };
    this.controls.addEventListener('controlend', heed);
    this.controls.addEventListener('control', () => {
      heed();
      this.take();
    });
    this.controls.addEventListener('rest', () => {
      if (!this.taken) return; // it was moved by a program, or by automatic framing
      this.taken = false;
      this.emit('moved');
    });
    this.controls.addEventListener('update', () => { if (this.userControlled) this.emit('moving'); });
  }

  /** The user moves the camera. */
  take() {
    this.userControlled = true;
    this.taken = true;
    this.emit('taken');
  }

  /** @param {boolean} calm disables smooth movement, for users who prefer reduced motion */
  setCalm(calm) {
    /** @type {boolean} */
    this.calm = calm;
    this.controls.smoothTime = calm ? 0 : GLIDE_S;
    this.controls.draggingSmoothTime = calm ? 0 : DRAG_S;
  }

  /** The target of the camera, m. */
  get target() {
    return this.controls.getTarget(new Vector3(), false);
  }

  /** The position and target of the camera, or those that it is moving to: x, y, z of each, in m. @returns {number[]} */
  read() {
    const eye = this.controls.getPosition(new Vector3()).toArray();
    const target = this.controls.getTarget(new Vector3()).toArray();
    return [...eye, ...target].map((value) => Number(value.toFixed(DIGITS)));
  }

  /**
   * Moves the camera to the numbers that `read` returned.
   * @param {number[]} numbers
   * @param {boolean} [smooth=false] moves smoothly
   * @returns {boolean} false if the numbers are invalid or show nothing; then the camera stays
   */
  write(numbers, smooth = false) {
    const sound = numbers.length === 6 && numbers.every((value) => Number.isFinite(value) && Math.abs(value) <= FAR);
    if (!sound || Math.hypot(numbers[0] - numbers[3], numbers[1] - numbers[4], numbers[2] - numbers[5]) < 1e-3) return false;
    this.userControlled = true;
    const [x, y, z, toX, toY, toZ] = numbers;
    this.controls.setLookAt(x, y, z, toX, toY, toZ, smooth && !this.calm);
    return true;
  }

  /** Rotates the camera about its target. @param {number} right @param {number} up angles in rad */
  orbit(right, up) {
    this.take();
    this.controls.rotate(right, -up, !this.calm);
  }

  /** Pans the camera and its target. @param {number} right @param {number} up distances as shares of the picture's height */
  pan(right, up) {
    this.take();
    const height = 2 * this.controls.distance * Math.tan((this.camera.fov * Math.PI) / 360);
    this.controls.truck(right * height, -up * height, !this.calm);
  }

  /** @param {number} factor factor on the distance to the target; below 1 moves closer */
  zoom(factor) {
    this.take();
    this.controls.dollyTo(this.controls.getPosition(new Vector3()).distanceTo(this.controls.getTarget(this.point)) * factor, !this.calm);
  }

  /** The camera and its target stay above this height. @param {number} floor m */
  setFloor(floor) {
    if (floor === this.floor) return;
    this.floor = floor;
    this.controls.setBoundary(new Box3(new Vector3(-Infinity, floor, -Infinity), new Vector3(Infinity, Infinity, Infinity)));
  }

  // Limits the angle at which the camera looks up to the one at which it is just above the floor.
  keepAbove() {
    const { controls, floor } = this;
    const target = controls.getTarget(this.point);
    const eye = controls.getPosition(this.eye);
    const rise = (floor + ABOVE - target.y) / Math.max(eye.distanceTo(target), 1e-6);
    controls.maxPolarAngle = Math.acos(Math.min(1, Math.max(-1, rise)));
    if (eye.y < floor + 0.99 * ABOVE) controls.rotatePolarTo(controls.maxPolarAngle, !this.calm);
  }

  /** @param {number} aspect width divided by height */
  setAspect(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /**
   * Moves the centre of the view to the centre of the part of the picture that no tool covers.
   * @param {number} width @param {number} height size of the picture
   * @param {{right: number, top: number, bottom: number}} covered
   * @param {number} [zoom] below 1 shows more on each side
   */
  setInsets(width, height, { right, top, bottom }, zoom = 1) {
    this.share = { x: 1 - right / width, y: 1 - (top + bottom) / height };
    this.controls.zoomTo(zoom, false);
    this.camera.setViewOffset(width, height, right / 2, (bottom - top) / 2, width, height);
    this.controls.setViewport(-right / 2, (bottom - top) / 2, width, height); // the centre of zooming
  }

  /**
   * Frames a box, so that it fills the picture.
   * @param {import('three').Box3} box
   * @param {boolean} smooth moves smoothly instead of jumping
   */
  frame(box, smooth) {
    const centre = box.getCenter(new Vector3());
    const eye = centre.clone().addScaledVector(VIEW_FROM, this.distanceTo(box));
    this.userControlled = false;
    this.controls.setLookAt(...eye.toArray(), ...centre.toArray(), smooth && !this.calm);
  }

  /** Moves the target to the centre of a box if the picture does not show that. @param {import('three').Box3} box */
  keepInSight(box) {
    const centre = box.getCenter(new Vector3());
    this.camera.updateMatrixWorld();
    const { x, y, z } = centre.clone().project(this.camera);
    if (Math.abs(x) <= SIGHT && Math.abs(y) <= SIGHT && z < 1) return;
    this.controls.moveTo(...centre.toArray(), !this.calm);
  }

  /** The distance from the centre of a box at which the camera sees all of it. @param {import('three').Box3} box @returns {number} m */
  distanceTo(box) {
    const half = box.getSize(new Vector3()).multiplyScalar(0.5);
    if (half.length() < HALF_MIN) half.addScalar((HALF_MIN - half.length()) / 2);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    // The eight corners must be within the frustum: the corner that needs the largest distance decides. Few scenes fill the
    // nearest corners, so these may be slightly outside.
    const right = new Vector3(0, 1, 0).cross(VIEW_FROM).normalize();
    const up = VIEW_FROM.clone().cross(right);
    let distance = 0.5;
    for (let corner = 0; corner < 8; corner++) {
      const at = new Vector3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z);
      const wide = Math.abs(at.dot(right)) / (tangent * this.camera.aspect * this.share.x);
      const high = Math.abs(at.dot(up)) / (tangent * this.share.y);
      distance = Math.max(distance, 0.7 * at.dot(VIEW_FROM) + Math.max(1.12 * wide, 1.05 * high));
    }
    return distance;
  }

  /** @param {number} seconds time since the last call */
  update(seconds) {
    this.keepAbove();
    this.controls.update(seconds);
    if (this.camera.position.y >= this.floor + ABOVE) return;
    this.camera.position.y = this.floor + ABOVE; // on a smooth way between two places above it
    this.camera.lookAt(this.controls.getTarget(this.point, false));
  }

  dispose() {
    reduced.removeEventListener('change', this.followPreference);
    this.controls.dispose();
  }
}
