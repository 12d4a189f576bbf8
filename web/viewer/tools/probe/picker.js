// SPDX-License-Identifier: MIT
// Adding probes with the pointer: while the tool is active, a click on a body probes the whole body, and a click on anything else
// the particle there. A drag turns the camera as usual.
import { Emitter } from '../../../client/emitter.js';

const CLICK_PX = 6; // a pointer that moves further is a drag
/** @type {Record<string, number>} distances by the type of the pointer */
const REACH_PX = { mouse: 9, pen: 12, touch: 22 };

/**
 * Emits 'change' when the tool is switched on or off, and 'pick' with what was clicked.
 * @extends {Emitter<{change: boolean, pick: {object: number, particle: number | null}}>}
 */
export class ProbePicker extends Emitter {
  active = false;

  /** @type {{id: number, x: number, y: number} | null} */
  #down = null;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    const { element } = page.stage;
    element.addEventListener('pointerdown', (event) => this.#press(event), { capture: true });
    element.addEventListener('pointerup', (event) => this.#release(event), { capture: true });
    element.addEventListener('pointercancel', () => { this.#down = null; });
    window.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.active) return;
      event.preventDefault();
      event.stopPropagation();
      this.toggle();
    }, { capture: true });
  }

  toggle() {
    this.active = !this.active;
    this.#down = null;
    this.page.grabControls.suspended = this.active;
    document.body.toggleAttribute('data-probing', this.active);
    this.emit('change', this.active);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (this.active && document.body.hasAttribute('data-selecting')) this.toggle(); // the selection has taken the pointer
    if (this.active && event.button === 0 && event.isPrimary) this.#down = { id: event.pointerId, x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  #release({ pointerId, clientX, clientY, pointerType }) {
    const down = this.#down;
    if (down?.id !== pointerId) return;
    this.#down = null;
    if (Math.hypot(clientX - down.x, clientY - down.y) >= CLICK_PX) return;
    const { stage, world, toasts } = this.page;
    const ray = stage.ray(clientX, clientY);
    const met = world.pick(ray, (REACH_PX[pointerType] ?? REACH_PX.mouse) * stage.view.slope, true);
    if (met) this.emit('pick', { object: met.object, particle: world.find(met.object)?.kind === 'body' ? null : met.particle });
    else if (world.pickObstacle(ray)) toasts.show('Obstacles do not move, so they cannot be probed. Click an object.');
  }
}
