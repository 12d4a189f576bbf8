// SPDX-License-Identifier: MIT
// The edge of a panel that changes its size: dragged, or moved with the arrow keys (the separator pattern of WAI-ARIA).
import { h } from './dom.js';

const KEY_STEP = 16; // CSS pixels
const LEAST = 160;
const MOST = 0.6; // share of the window

/** @typedef {'left' | 'right' | 'bottom'} Side the side of the window on which the panel lies */

export class Resizer {
  #side;
  #read;
  #write;

  /**
   * @param {object} options
   * @param {string} options.label the separator's accessible name
   * @param {() => Side} options.side the side on which the panel lies now
   * @param {() => number} options.read returns the present size, CSS pixels
   * @param {(size: number | null) => void} options.write sets the size; null for the default
   */
  constructor({ label, side, read, write }) {
    this.#side = side;
    this.#read = read;
    this.#write = write;
    this.element = h('div', { class: 'resizer', role: 'separator', tabindex: 0, 'aria-label': label, title: 'Drag to resize; double-click for the default size' });
    this.element.addEventListener('pointerdown', (event) => this.#drag(event));
    this.element.addEventListener('dblclick', () => this.#set(null));
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Tells assistive technology the present size. Called when the panel is shown or resized. */
  update() {
    const set = (/** @type {string} */ name, /** @type {string | number} */ value) => this.element.setAttribute(`aria-${name}`, String(value));
    set('orientation', this.#side() === 'bottom' ? 'horizontal' : 'vertical');
    set('valuemin', LEAST);
    set('valuemax', Math.round(this.#most));
    set('valuenow', Math.round(this.#read()));
  }

  get #most() {
    return MOST * (this.#side() === 'bottom' ? window.innerHeight : window.innerWidth);
  }

  /** @param {number | null} size */
  #set(size) {
    this.#write(size === null ? null : Math.round(Math.max(LEAST, Math.min(this.#most, size))));
    this.update();
  }

  /** @param {PointerEvent} down */
  #drag(down) {
    if (down.button !== 0) return;
    down.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(down.pointerId);
    const before = this.#read();
    const move = (/** @type {PointerEvent} */ event) => {
      const [right, below] = [event.clientX - down.clientX, event.clientY - down.clientY];
      this.#set(before + { left: right, right: -right, bottom: -below }[this.#side()]);
    };
    const end = () => {
      this.element.removeEventListener('pointermove', move);
      for (const name of ['pointerup', 'pointercancel']) this.element.removeEventListener(name, end);
    };
    this.element.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) this.element.addEventListener(name, end);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const larger = { left: 'ArrowRight', right: 'ArrowLeft', bottom: 'ArrowUp' }[this.#side()];
    const smaller = { left: 'ArrowLeft', right: 'ArrowRight', bottom: 'ArrowDown' }[this.#side()];
    const size = this.#read();
    if (event.key === larger) this.#set(size + KEY_STEP);
    else if (event.key === smaller) this.#set(size - KEY_STEP);
    else if (event.key === 'Home') this.#set(LEAST);
    else if (event.key === 'End') this.#set(this.#most);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
