// SPDX-License-Identifier: MIT
// Selection with the pointer. With shift, or in the selection mode, a click on a surface toggles the selection of the object
// or obstacle, and a drag draws a box that selects the particles in it; with shift they are added to the selection. The
// camera does not move.
import { Projector } from '../../scene/projector.js';
import { Emitter } from '../../../client/emitter.js';
import { h } from '../../ui/dom.js';

const DRAG_PX = 6;
/** @type {Record<string, number>} distances by the type of the pointer */
const REACH_PX = { mouse: 9, pen: 12, touch: 22 };

/** @typedef {{id: number, x: number, y: number, add: boolean, drawn: boolean}} Drag */
/** @typedef {{left: number, top: number, width: number, height: number}} Area an area of the page, CSS pixels */

/**
 * Emits 'change' when the mode begins or ends, with its new state.
 * @extends {Emitter<{change: boolean}>}
 */
export class Picker extends Emitter {
  /** Whether a drag without shift draws a box. */
  active = false;

  /** @type {Drag | null} */
  #drag = null;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    this.projector = new Projector(page.stage);
    this.box = h('div', { id: 'selection-box', hidden: true, 'aria-hidden': 'true' });
    const { element } = page.stage;
    element.after(this.box);
    /** @param {string} name @param {(event: PointerEvent) => void} handler */
    const on = (name, handler) => element.addEventListener(name, (event) => handler(/** @type {PointerEvent} */ (event)), { capture: true });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', () => this.#end());
  }

  toggle() {
    this.#end();
    this.active = !this.active;
    this.page.grabControls.suspended = this.active;
    document.body.toggleAttribute('data-selecting', this.active);
    this.emit('change', this.active);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const wanted = this.active || (event.shiftKey && event.pointerType !== 'touch' && !this.page.grabControls.suspended);
    if (!wanted || event.button !== 0 || this.#drag || !event.isPrimary) return;
    event.stopPropagation();
    this.page.stage.canvas.setPointerCapture(event.pointerId);
    this.#drag = { id: event.pointerId, x: event.clientX, y: event.clientY, add: event.shiftKey, drawn: false };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId) return;
    event.stopPropagation();
    if (!drag.drawn && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
    drag.drawn = true;
    const { left, top, width, height } = boxOf(drag, event);
    this.box.hidden = false;
    Object.assign(this.box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId) return;
    event.stopPropagation();
    this.#end();
    if (drag.drawn) this.#take(boxOf(drag, event), drag.add);
    else this.#touch(event);
  }

  #end() {
    this.#drag = null;
    this.box.hidden = true;
  }

  /** @param {PointerEvent} pointerEvent */
  #touch({ clientX, clientY, pointerType }) {
    const { stage, world, selection } = this.page;
    const ray = stage.ray(clientX, clientY);
    const id = world.pick(ray, (REACH_PX[pointerType] ?? REACH_PX.mouse) * stage.view.slope, true)?.object ?? world.pickObstacle(ray)?.id;
    if (id === undefined) return;
    const objects = new Set(selection.objects);
    if (!objects.delete(id)) objects.add(id);
    selection.set({ objects, particles: selection.particles });
  }

  /** @param {Area} area @param {boolean} add */
  #take({ left, top, width, height }, add) {
    const { stage, world, selection } = this.page;
    const corner = stage.canvas.getBoundingClientRect();
    const [x, y] = [left - corner.left, top - corner.top];
    /** @type {Map<number, Iterable<number>>} */
    const particles = new Map(add ? selection.particles : []);
    const { projector } = this;
    projector.update();
    for (const { id, positions } of world.entries.values()) {
      /** @type {number[]} */
      const met = [];
      for (let i = 0; i < positions.length; i += 3) {
        if (!projector.place(positions[i], positions[i + 1], positions[i + 2])) continue;
        if (projector.x >= x && projector.x <= x + width && projector.y >= y && projector.y <= y + height) met.push(i / 3);
      }
      if (met.length > 0) particles.set(id, [...(particles.get(id) ?? []), ...met]);
    }
    selection.set({ objects: add ? selection.objects : [], particles });
  }
}

/** @param {Drag} drag @param {PointerEvent} pointerEvent @returns {Area} */
function boxOf(drag, { clientX, clientY }) {
  return {
    left: Math.min(drag.x, clientX),
    top: Math.min(drag.y, clientY),
    width: Math.abs(clientX - drag.x),
    height: Math.abs(clientY - drag.y),
  };
}
