// SPDX-License-Identifier: MIT
// The knife: a line drawn with mouse, pen or finger, or with the arrow keys, is the path of a blade that reaches from the camera
// through the scene (blade.cut). While it is drawn, the line is shown over the picture. The camera does not move.
import { Emitter } from '../../../client/emitter.js';
import { one } from '../../ui/dom.js';
/** @import { Vector } from '../../../client/topology.js' */

const STEP_PX = 6; // least distance of the points of a line
const POINTS_MOST = 256; // of a path
const NEAR_M = 0.01; // distance of the blade's near end from the camera
const REACH_M = 500; // and of its far end
const WORLD_M = 100000; // limit of coordinates
const KEYS_PX = 24; // by which an arrow key moves the knife; with shift a quarter
const CURSOR_PX = 9;
const SVG = 'http://www.w3.org/2000/svg';
const HINT = 'Draw a line over cloth or ropes to cut them. By keyboard: arrow keys move the knife, Enter begins the line and cuts, Escape ends.';
/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @typedef {{x: number, y: number}} Point in the page, CSS pixels */

/**
 * Emits 'change' when the mode begins or ends, with its new state.
 * @extends {Emitter<{change: boolean}>}
 */
export class Knife extends Emitter {
  active = false;

  /** @type {number | null} the pointer that draws; -1: the keyboard */
  #pointer = null;

  /** @type {Point[]} the line so far */
  #line = [];

  /** @type {Point | null} the knife that the arrow keys move */
  #cursor = null;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    this.picture = document.createElementNS(SVG, 'svg');
    this.picture.id = 'knife';
    this.picture.setAttribute('aria-hidden', 'true');
    this.picture.append(document.createElementNS(SVG, 'polyline'), document.createElementNS(SVG, 'polyline'), document.createElementNS(SVG, 'path'));
    const { element } = page.stage;
    element.after(this.picture);
    /** @param {string} name @param {(event: PointerEvent) => void} handler */
    const on = (name, handler) => element.addEventListener(name, (event) => handler(/** @type {PointerEvent} */ (event)), { capture: true });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', (event) => { if (event.pointerId === this.#pointer) this.#drop(); });
    window.addEventListener('keydown', (event) => { if (this.active) this.#press(event); }, { capture: true });
    page.client.on('state', ({ state }) => { if (state !== 'open') this.#drop(); });
    const selecting = () => { if (this.active && one(document, '#select').getAttribute('aria-pressed') === 'true') this.#leave(); };
    queueMicrotask(() => new MutationObserver(selecting).observe(one(document, '#select'), { attributes: true })); // the pointer is another tool's now
  }

  toggle() {
    const { grabControls, toasts } = this.page;
    if (this.active) {
      this.#leave();
      grabControls.suspended = false;
      document.body.removeAttribute('data-selecting');
      return;
    }
    if (grabControls.suspended) {
      toasts.show('Another tool uses the pointer: end it first, then cut.');
      return;
    }
    this.active = grabControls.suspended = true;
    document.body.setAttribute('data-selecting', '');
    toasts.show(HINT);
    this.emit('change', true);
  }

  #leave() {
    this.#drop();
    this.#cursor = null;
    this.#draw();
    this.active = false;
    this.emit('change', false);
  }

  /** Forgets the line. */
  #drop() {
    this.#pointer = null;
    this.#line = [];
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.active || event.button !== 0 || !event.isPrimary) return;
    event.stopPropagation();
    this.page.stage.canvas.setPointerCapture(event.pointerId);
    this.#cursor = null;
    this.#pointer = event.pointerId;
    this.#line = [{ x: event.clientX, y: event.clientY }];
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    event.stopPropagation();
    this.#extend({ x: event.clientX, y: event.clientY }, STEP_PX);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    event.stopPropagation();
    this.#extend({ x: event.clientX, y: event.clientY }, 1);
    this.#cut();
  }

  /** @param {Point} point @param {number} least */
  #extend(point, least) {
    const last = this.#line[this.#line.length - 1];
    if (Math.hypot(point.x - last.x, point.y - last.y) < least) return;
    if (this.#line.length === POINTS_MOST) this.#line = this.#line.filter((_, i) => i % 2 === 0);
    this.#line.push(point);
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.target instanceof Element && event.target.closest('input, select, textarea, button, dialog, [contenteditable]') && event.key !== 'Escape') return;
    if (event.key === 'Escape') {
      if (this.#pointer === null) this.toggle();
      else this.#drop();
    } else if (event.key === 'Enter') this.#enter();
    else if (ARROWS[event.key]) this.#shift(ARROWS[event.key], event.shiftKey ? KEYS_PX / 4 : KEYS_PX);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #enter() {
    if (this.#pointer === -1) {
      this.#cut();
      return;
    }
    this.#pointer = -1;
    this.#cursor ??= this.#middle();
    this.#line = [this.#cursor];
    this.#draw();
  }

  /** @param {number[]} way @param {number} step */
  #shift([x, y], step) {
    const from = this.#cursor ?? this.#middle();
    const { left, top, right, bottom } = this.page.stage.canvas.getBoundingClientRect();
    this.#cursor = { x: Math.min(right - 1, Math.max(left, from.x + step * x)), y: Math.min(bottom - 1, Math.max(top, from.y + step * y)) };
    if (this.#pointer === -1) this.#extend(this.#cursor, 1);
    this.#draw();
  }

  #middle() {
    const { left, top, width, height } = this.page.stage.canvas.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  #cut() {
    const line = this.#line;
    this.#drop();
    if (line.length < 2) return;
    const rays = line.map(({ x, y }) => this.page.stage.ray(x, y));
    /** @param {number} distance */
    const at = (distance) => rays.map(({ origin, direction }) => (
      /** @type {Vector} */ (origin.map((value, axis) => Math.min(WORLD_M, Math.max(-WORLD_M, value + distance * direction[axis]))))));
    this.page.call('blade.cut', { path: at(NEAR_M), farPath: at(REACH_M) });
  }

  #draw() {
    const points = this.#line.map(({ x, y }) => `${x},${y}`).join(' ');
    const [shade, line, cursor] = this.picture.children;
    shade.setAttribute('points', points);
    line.setAttribute('points', points);
    const at = this.#cursor;
    cursor.setAttribute('d', at ? `M${at.x - CURSOR_PX} ${at.y}h${2 * CURSOR_PX}M${at.x} ${at.y - CURSOR_PX}v${2 * CURSOR_PX}` : '');
  }
}
