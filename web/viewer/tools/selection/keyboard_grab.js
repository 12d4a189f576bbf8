// SPDX-License-Identifier: MIT
// Grabs the selection by keyboard: the arrow keys move it across the picture, with shift away from and towards the viewer,
// Enter or Escape ends the grab.
import { Emitter } from '../../../client/emitter.js';
import { fromCamera } from '../../scene/projector.js';
/** @import { Vector } from '../../../client/topology.js' */

const STEP = 0.02; // relative to the distance to the grabbed point
/** @type {Record<string, number[]>} */
const MOVES = {
  ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1],
};
/** @type {Record<string, string>} */
const DEEPER = { ArrowUp: 'PageUp', ArrowDown: 'PageDown' };

/**
 * Emits 'change' when the grab begins and ends.
 * @extends {Emitter<{change: undefined}>}
 */
export class KeyboardGrab extends Emitter {
  /** @type {number | null} the grab's id, once the server has replied */
  #grab = null;

  /** @type {number[]} */
  #position = [0, 0, 0];

  #object = 0;

  /** Whether a grab is active, or has been requested. */
  active = false;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    window.addEventListener('keydown', (event) => { if (this.active) this.#press(event); }, { capture: true });
    page.client.on('grab.ended', ({ grab }) => { if (grab === this.#grab) this.#forget(); });
    page.client.on('state', ({ state }) => { if (state !== 'open') this.#forget(); });
  }

  toggle() {
    if (this.active) this.release();
    else this.take();
  }

  async take() {
    const { selection, world } = this.page;
    const [chosen] = selection.particles;
    const object = chosen ? chosen[0] : [...selection.objects].find((id) => world.find(id));
    const entry = object !== undefined && world.find(object);
    if (!entry) return;
    const indices = chosen?.[1];
    const particle = indices ? [...indices][0] : middle(entry.positions);
    this.active = true;
    this.#object = object;
    this.#position = entry.solid && !indices ? centre(entry.positions) : entry.place(particle);
    this.emit('change');
    const answer = await this.page.call('grab.start', entry.solid && !indices ? { object, point: /** @type {Vector} */ (this.#position) } : { object, particle });
    if (!answer) this.#forget();
    else if (this.active) {
      this.#grab = answer.grab;
      this.#send(); // it may have been moved meanwhile
    } else this.page.call('grab.end', { grab: answer.grab }); // it was ended meanwhile
  }

  release() {
    if (this.#grab !== null) this.page.call('grab.end', { grab: this.#grab });
    this.#forget();
  }

  /** Describes the grabbed selection. */
  get words() {
    return `Holding ${this.page.nameOf(this.#object)}. Arrow keys move it, Shift+Up and Shift+Down away and nearer; Enter releases it.`;
  }

  #forget() {
    if (!this.active) return;
    this.active = false;
    this.#grab = null;
    this.emit('change');
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.target instanceof Element && event.target.closest('input, select, textarea, [contenteditable]')) return;
    if (event.key === 'Enter' || event.key === 'Escape') this.release();
    else {
      const move = MOVES[event.shiftKey ? DEEPER[event.key] ?? event.key : event.key];
      if (!move) return;
      this.#move(move);
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {number[]} move */
  #move(move) {
    const { stage } = this.page;
    const { eye } = stage.view;
    const step = STEP * Math.hypot(...this.#position.map((value, axis) => value - eye[axis]));
    const across = fromCamera(stage, move);
    this.#position = this.#position.map((value, axis) => value + step * across[axis]);
    this.#send();
    const { pausedReason } = this.page;
    if (pausedReason) this.page.toasts.show(pausedReason);
  }

  #send() {
    if (this.#grab !== null) this.page.note('grab.move', { grab: this.#grab, position: /** @type {Vector} */ (this.#position) });
  }
}

/** @param {Float32Array} positions */
function centre(positions) {
  const sum = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3] += positions[i];
  return sum.map((value) => (3 * value) / positions.length);
}

/** The particle nearest to the centre of all. @param {Float32Array} positions */
function middle(positions) {
  const [x, y, z] = centre(positions);
  let nearest = 0;
  let least = Infinity;
  for (let i = 0; i < positions.length; i += 3) {
    const squared = (positions[i] - x) ** 2 + (positions[i + 1] - y) ** 2 + (positions[i + 2] - z) ** 2;
    if (squared >= least) continue;
    least = squared;
    nearest = i / 3;
  }
  return nearest;
}
