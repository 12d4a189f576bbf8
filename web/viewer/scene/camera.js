// SPDX-License-Identifier: MIT
// The eye: a perspective camera that turns about a target, glides and zooms to the pointer (camera-controls); the framing of a
// scene; and where it is as six numbers, for links and for cameras that are tied together.
import CameraControls from 'camera-controls';
import { Box3, MathUtils, Matrix4, PerspectiveCamera, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 } from 'three';
import { Emitter } from '../../client/emitter.js';

CameraControls.install({ THREE: { Box3, MathUtils, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 } });

const { ACTION } = CameraControls;
const VIEW_FROM = new Vector3(0.4, 0.27, 1).normalize(); // direction from the scene to the eye
const GLIDE_S = 0.22;
const DRAG_S = 0.06; // how far the picture trails the hand
const HALF_MIN = 0.9; // m, half the diagonal of the least that is framed
const FAR = 1e5; // m: no link leads further out
const DIGITS = 4; // of what is read, after the point

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * The camera and its controls. Emits 'moving' with each picture in which a hand or a link moves it, 'moved' when it
 * has come to rest.
 * @extends {Emitter<{moving: undefined, moved: undefined}>}
 */
export class CameraRig extends Emitter {
  /** @param {HTMLElement} element that receives the pointer */
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
    this.byHand = false; // where it is was chosen, by hand or by a link, not by framing
    this.share = { x: 1, y: 1 }; // of the picture that is not covered
    this.point = new Vector3();
    this.setCalm(reduced.matches);
    reduced.addEventListener('change', () => this.setCalm(reduced.matches));
    this.listen(element);
  }

  /** @param {HTMLElement} element */
  listen(element) {
    // With a modifier the first button moves the scene instead of turning it, as everywhere.
    element.addEventListener('pointerdown', ({ shiftKey, ctrlKey, metaKey }) => {
      this.controls.mouseButtons.left = shiftKey || ctrlKey || metaKey ? ACTION.TRUCK : ACTION.ROTATE;
    }, { capture: true });
    // camera-controls takes one move of a drag per picture and forgets the others when it ends: on a page that draws seldom a
    // quick drag would turn nothing. It has no setting for that.
    const heed = () => { /** @type {{_dragNeedsUpdate: boolean}} */ (/** @type {unknown} */ (this.controls))._dragNeedsUpdate = true; };
    this.controls.addEventListener('controlend', heed);
    this.controls.addEventListener('control', () => {
      this.byHand = true;
      heed();
    });
    this.controls.addEventListener('rest', () => { if (this.byHand) this.emit('moved'); });
    this.controls.addEventListener('update', () => { if (this.byHand) this.emit('moving'); });
  }

  /** @param {boolean} calm without gliding, for those who prefer less motion */
  setCalm(calm) {
    /** @type {boolean} */
    this.calm = calm;
    this.controls.smoothTime = calm ? 0 : GLIDE_S;
    this.controls.draggingSmoothTime = calm ? 0 : DRAG_S;
  }

  /** What the camera looks at, m. */
  get target() {
    return this.controls.getTarget(new Vector3(), false);
  }

  /** Where the camera is and what it looks at, or on its way to: x, y, z of each, in m. @returns {number[]} */
  read() {
    const eye = this.controls.getPosition(new Vector3()).toArray();
    const target = this.controls.getTarget(new Vector3()).toArray();
    return [...eye, ...target].map((value) => Number(value.toFixed(DIGITS)));
  }

  /**
   * Goes where `read` said.
   * @param {number[]} numbers
   * @param {boolean} [smooth=false] glide there
   * @returns {boolean} false: these are no six numbers, or nothing is seen from there; nothing has changed
   */
  write(numbers, smooth = false) {
    const sound = numbers.length === 6 && numbers.every((value) => Number.isFinite(value) && Math.abs(value) <= FAR);
    if (!sound || Math.hypot(numbers[0] - numbers[3], numbers[1] - numbers[4], numbers[2] - numbers[5]) < 1e-3) return false;
    this.byHand = true;
    const [x, y, z, toX, toY, toZ] = numbers;
    this.controls.setLookAt(x, y, z, toX, toY, toZ, smooth && !this.calm);
    return true;
  }

  /** Turns about the target. @param {number} right @param {number} up rad that the eye moves by */
  orbit(right, up) {
    this.byHand = true;
    this.controls.rotate(right, -up, !this.calm);
  }

  /** Moves eye and target across the picture. @param {number} right @param {number} up shares of the picture's height */
  pan(right, up) {
    this.byHand = true;
    const height = 2 * this.controls.distance * Math.tan((this.camera.fov * Math.PI) / 360);
    this.controls.truck(right * height, -up * height, !this.calm);
  }

  /** @param {number} factor by which the distance to the target changes: below 1 comes nearer */
  zoom(factor) {
    this.byHand = true;
    this.controls.dollyTo(this.controls.getPosition(new Vector3()).distanceTo(this.controls.getTarget(this.point)) * factor, !this.calm);
  }

  /** @param {number} aspect width over height */
  setAspect(aspect) {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /**
   * Moves the middle of the view to the middle of the part of the picture that nothing covers.
   * @param {number} width @param {number} height of the picture
   * @param {{right: number, top: number, bottom: number}} covered
   * @param {number} [zoom] below 1 shows more at every side
   */
  setInsets(width, height, { right, top, bottom }, zoom = 1) {
    this.share = { x: 1 - right / width, y: 1 - (top + bottom) / height };
    this.controls.zoomTo(zoom, false);
    this.camera.setViewOffset(width, height, right / 2, (bottom - top) / 2, width, height);
    this.controls.setViewport(-right / 2, (bottom - top) / 2, width, height); // what is zoomed to lies there
  }

  /**
   * Looks at a box so that it fills the picture.
   * @param {import('three').Box3} box
   * @param {boolean} smooth glide there instead of being there
   */
  frame(box, smooth) {
    const centre = box.getCenter(new Vector3());
    const eye = centre.clone().addScaledVector(VIEW_FROM, this.distanceTo(box));
    this.byHand = false;
    this.controls.setLookAt(...eye.toArray(), ...centre.toArray(), smooth && !this.calm);
  }

  /** How far from the middle of a box the eye sees all of it. @param {import('three').Box3} box @returns {number} m */
  distanceTo(box) {
    const half = box.getSize(new Vector3()).multiplyScalar(0.5);
    if (half.length() < HALF_MIN) half.addScalar((HALF_MIN - half.length()) / 2);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    // The eight corners should lie within the frustum: the distance that the widest of them asks for. Hardly a scene fills
    // its nearest corners, so these may come closer than they should.
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

  /** @param {number} seconds since the last call */
  update(seconds) {
    this.controls.update(seconds);
  }
}
