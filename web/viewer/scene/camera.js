// SPDX-License-Identifier: MIT
// The eye: a perspective camera with orbit, pan and zoom, and the framing of a scene.
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const VIEW_FROM = new Vector3(0.4, 0.27, 1).normalize(); // direction from the scene to the eye
const GLIDE_S = 0.7;
const HALF_MIN = 0.9; // m, half the diagonal of the least that is framed

/** The camera and its controls. */
export class CameraRig {
  /** @param {HTMLElement} element that receives the pointer */
  constructor(element) {
    this.camera = new PerspectiveCamera(38, 1, 0.02, 2000);
    this.camera.position.set(3, 2.5, 7);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.minDistance = 0.15;
    this.controls.maxDistance = 800;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('start', () => { this.glide = null; });
    this.glide = null;
    this.share = { x: 1, y: 1 }; // of the picture that is not covered
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
   */
  setInsets(width, height, { right, top, bottom }) {
    this.share = { x: 1 - right / width, y: 1 - (top + bottom) / height };
    this.camera.setViewOffset(width, height, right / 2, (bottom - top) / 2, width, height);
  }

  /**
   * Looks at a box so that it fills the picture.
   * @param {import('three').Box3} box
   * @param {boolean} smooth glide there instead of being there
   */
  frame(box, smooth) {
    const centre = box.getCenter(new Vector3());
    const eye = centre.clone().addScaledVector(VIEW_FROM, this.distanceTo(box));
    if (smooth) this.glide = { from: this.camera.position.clone(), to: eye, fromTarget: this.controls.target.clone(), toTarget: centre, time: 0 };
    else {
      this.camera.position.copy(eye);
      this.controls.target.copy(centre);
      this.controls.update();
    }
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
    if (this.glide) {
      const { from, to, fromTarget, toTarget } = this.glide;
      this.glide.time = Math.min(1, this.glide.time + seconds / GLIDE_S);
      const t = this.glide.time;
      const eased = t * t * (3 - 2 * t);
      this.camera.position.lerpVectors(from, to, eased);
      this.controls.target.lerpVectors(fromTarget, toTarget, eased);
      if (t === 1) this.glide = null;
    }
    this.controls.update();
  }
}
