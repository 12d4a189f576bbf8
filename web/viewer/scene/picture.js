// SPDX-License-Identifier: MIT
// A picture of a world beside the one that the page is about: its own stage and its own views, shown when told to. Thumbnails
// are made of it, and the halves of a comparison.
import { Vector3 } from 'three';
import { settings } from '../settings/settings.js';
import { Stage } from './stage.js';
import { WorldView } from './world.js';

/** A stage and what is drawn on it. */
export class Picture {
  #lit = 0;

  #eye = new Vector3();

  #target = new Vector3();

  /** @param {HTMLElement} element that the picture fills @param {'dark'|'light'} theme */
  constructor(element, theme) {
    this.stage = new Stage(element, theme);
    this.world = new WorldView(this.stage.scene, this.stage.theme);
    this.stage.onMaterials = () => this.world.renew();
    this.stopQuality = settings.on('quality', () => this.stage.choose());
  }

  /** @param {import('../../client/topology.js').Topology} topology */
  setTopology(topology) {
    this.world.setTopology(topology);
  }

  /** @param {import('../../client/frame.js').Frame} from @param {import('../../client/frame.js').Frame} to of this topology @param {number} alpha between them */
  update(from, to, alpha) {
    this.world.update(from, to, alpha);
  }

  /** Looks at all there is. */
  frame() {
    this.stage.rig.frame(this.world.framedBox(), false);
  }

  /** Looks at its world as another picture does at its own, also while that one's camera glides. @param {Picture} other */
  follow({ stage: { rig: { controls } } }) {
    const eye = controls.getPosition(this.#eye, false);
    const target = controls.getTarget(this.#target, false);
    this.stage.rig.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
  }

  /** @param {number} elapsed ms since the last picture */
  render(elapsed) {
    if (this.world.topology && this.#lit++ % 20 === 0) this.stage.light(this.world.contentBox());
    this.stage.render(elapsed);
  }

  /** @param {'dark'|'light'} theme */
  setTheme(theme) {
    this.stage.setTheme(theme);
    this.world.setTheme(this.stage.theme);
  }

  dispose() {
    this.stopQuality();
    this.stage.dispose();
  }
}
