// SPDX-License-Identifier: MIT
// Draws a further world besides the page's own: a stage and views that are drawn on request. Used for thumbnails, and for the
// two halves of a comparison.
import { Vector3 } from 'three';
import { Stage } from './stage.js';
import { WorldView } from './world.js';

/** A stage and the view of a world. */
export class Picture {
  #lit = 0;

  #eye = new Vector3();

  #target = new Vector3();

  /** @param {HTMLElement} element the element that the picture fills @param {'dark'|'light'} theme @param {import('./stage.js').Look} look */
  constructor(element, theme, look) {
    this.stage = new Stage(element, theme, look);
    this.world = new WorldView(this.stage.scene, this.stage.theme);
    this.stage.onMaterials = () => this.world.renew();
  }

  /** @param {import('../../client/topology.js').Topology} topology */
  setTopology(topology) {
    this.world.setTopology(topology);
  }

  /** @param {import('../../client/frame.js').Frame} from @param {import('../../client/frame.js').Frame} to frames of this topology @param {number} alpha fraction between the two */
  update(from, to, alpha) {
    this.world.update(from, to, alpha);
  }

  /** Frames all objects. */
  frame() {
    this.stage.rig.frame(this.world.framedBox(), false);
  }

  /** Copies the camera of another picture, also while that camera moves. @param {{stage: Stage}} other */
  follow({ stage: { rig: { controls } } }) {
    const eye = controls.getPosition(this.#eye, false);
    const target = controls.getTarget(this.#target, false);
    this.stage.rig.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
  }

  /** @param {number} elapsed ms since the last picture */
  render(elapsed) {
    if (this.world.topology && this.#lit++ % 20 === 0) this.stage.light(this.world.contentBox(), this.world.floorHeight());
    this.stage.render(elapsed);
  }

  /** @param {'dark'|'light'} theme */
  setTheme(theme) {
    this.stage.setTheme(theme);
    this.world.setTheme(this.stage.theme);
  }

  dispose() {
    this.world.dispose(this.stage.renderer);
    this.stage.dispose();
  }
}
