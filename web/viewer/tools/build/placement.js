// SPDX-License-Identifier: MIT
// Placing an object: a preview of it is displayed until the object is sent. The user moves the preview by its handles, by
// dragging it along the ground, by tapping a place, or by keys; meanwhile the page's grab controls are disabled.
import { Emitter } from '../../../client/emitter.js';
import { PlacementPreview } from '../../scene/placement_preview.js';
import { Gizmo } from '../../scene/gizmo.js';
import { rayObstacle } from '../../geometry/pick.js';
/** @import { Kind, Values } from './kinds.js' */

const TAP_PX = 8;
const FAR_M = 200; // m: points further away count as the horizon
const ABOVE_M = 1000; // m: height from which the ground is searched
const STEP_M = 0.1; // m: step of the arrow keys if there is no grid
const TURN_DEGREES = 15;
const GROW = 1.1;
const DOWN = [0, -1, 0];

/** @type {Record<string, (placing: Placement) => unknown>} */
const KEYS = {
  arrowleft: (placing) => placing.step(-1, 0, 0), arrowright: (placing) => placing.step(1, 0, 0),
  arrowup: (placing) => placing.step(0, 0, 1), arrowdown: (placing) => placing.step(0, 0, -1),
  pageup: (placing) => placing.step(0, 1, 0), pagedown: (placing) => placing.step(0, -1, 0),
  '[': (placing) => placing.turn(TURN_DEGREES), ']': (placing) => placing.turn(-TURN_DEGREES),
  '+': (placing) => placing.size(GROW), '=': (placing) => placing.size(GROW), '-': (placing) => placing.size(1 / GROW),
  enter: (placing) => placing.emit('accept'), escape: (placing) => placing.end(),
};

/** @typedef {'translate'|'rotate'|'scale'} Mode of the handles */
/** @typedef {{what: 'handle'|'preview'|'tap', pointerId: number, x: number, y: number, moved?: boolean}} Held a drag of the pointer that was pressed at x, y */

/**
 * Manages the object that is being placed. Emits 'start' (before it takes the pointer), 'begin', 'move', 'values' (the user has scaled it), 'accept' (Enter) and
 * 'end'.
 * @extends {Emitter<{start: undefined, begin: Kind, move: undefined, values: Values, accept: undefined, end: undefined}>}
 */
export class Placement extends Emitter {
  /** @type {Kind | null} */
  kind = null;

  /** @type {Values} */
  values = {};

  /** @type {Mode} */
  mode = 'translate';

  snap = { grid: 0, ground: true };

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    this.placed = false; // whether the user has chosen its position
    /** @type {Held | null} the pointer that drags a handle or the preview, or may become a tap */
    this.held = null;
    /** @type {AbortController | null} */
    this.listeners = null;
  }

  /**
   * Shows the preview of an object in place of the previous one; with `keep`, it stays where it is.
   * @param {Kind} kind @param {Values} values values of its form
   * @param {{at?: {clientX: number, clientY: number}, keep?: boolean}} [options] `at`: where on the page it appears
   */
  begin(kind, values, { at, keep = false } = {}) {
    this.emit('start');
    if (!keep || !this.kind) {
      this.end();
      const preview = new PlacementPreview(this.page.stage.scene, getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
      /** @type {PlacementPreview} */
      this.preview = preview;
      /** @type {Gizmo} */
      this.gizmo = new Gizmo(this.page.stage, preview.object, () => this.changed(), () => this.sized());
      this.listen();
      /** @type {boolean} */
      this.wasSuspended = this.page.grabControls.suspended; // another tool may have disabled the grab controls before
    }
    const fresh = !keep || !this.kind;
    this.kind = kind;
    this.values = values;
    this.#shape();
    this.setMode(this.mode);
    this.setSnap(this.snap);
    this.page.grabControls.suspended = true;
    if (fresh && at) this.placeAt(at);
    else if (fresh) this.placeInView();
    this.emit('begin', kind);
    this.changed();
  }

  /** Removes the preview. */
  end() {
    if (!this.kind) return;
    this.kind = null;
    this.held = null;
    this.listeners?.abort();
    this.gizmo.dispose();
    this.preview.dispose();
    this.page.grabControls.suspended = this.wasSuspended;
    this.emit('end');
  }

  /** @param {Values} values values of the form */
  setValues(values) {
    const stood = this.snap.ground ? this.preview.below : null;
    this.values = values;
    this.#shape();
    if (stood !== null) this.shift([0, this.preview.below - stood, 0]);
  }

  #shape() {
    if (this.kind) this.preview.setShape(this.kind.shape(this.values));
  }

  /** @param {'translate'|'rotate'|'scale'} mode mode of the handles */
  setMode(mode) {
    if (!this.kind) return;
    const { turns, sizes } = this.kind;
    const possible = (mode === 'rotate' && !turns) || (mode === 'scale' && sizes === 'none') ? 'translate' : mode;
    this.mode = possible;
    this.gizmo.setMode(possible);
  }

  /** @param {{grid?: number, ground?: boolean}} snap size of the grid in m (0: none), and whether to snap to the ground */
  setSnap(snap) {
    Object.assign(this.snap, snap);
    this.gizmo?.setSnap(this.snap.grid);
  }

  /** The request to send: a method and its params. */
  get request() {
    if (!this.kind) throw new Error('Nothing is being placed.');
    const { method, params } = this.kind;
    return { method, params: params(this.values, this.preview.pose) };
  }

  // ---- position

  /** Moves the object to the ground under a point of the page. @param {{clientX: number, clientY: number}} point */
  placeAt({ clientX, clientY }) {
    const { origin, direction } = this.page.stage.ray(clientX, clientY);
    const distance = Math.min(this.groundDistance(origin, direction), this.targetDistance(origin));
    this.standOn(direction.map((part, axis) => origin[axis] + distance * part));
  }

  /** Moves the object to the centre of the visible part; if there is no ground nearby, under the camera's target. */
  placeInView() {
    const middle = this.middle();
    const { origin, direction } = this.page.stage.ray(middle.clientX, middle.clientY);
    const { target } = this.page.stage.rig;
    if (this.groundDistance(origin, direction) < 0.7 * this.targetDistance(origin)) this.placeAt(middle);
    else this.standOn([target.x, this.groundUnder([target.x, 0, target.z]), target.z]);
  }

  /** @param {number[]} point the point on the ground below the object */
  standOn([x, y, z]) {
    const { grid, ground } = this.snap;
    const { min, max } = this.page.world.bounds ?? { min: [-Infinity, 0, -Infinity], max: [Infinity, 0, Infinity] };
    /** @param {number} value @param {number} axis */
    const on = (value, axis) => Math.min(max[axis], Math.max(min[axis], grid ? Math.round(value / grid) * grid : value));
    const height = this.kind?.id === 'plane' ? 0 : this.preview.below;
    const keeps = !ground && this.placed;
    this.preview.moveTo([on(x, 0), keeps ? this.preview.pose.position[1] : y + height + (ground ? 0 : 0.5), on(z, 2)]);
    this.placed = true;
    this.changed();
  }

  /** Height of the ground, at most as far away as the camera's target for points near the horizon. @param {number[]} origin */
  targetDistance(origin) {
    const { target } = this.page.stage.rig;
    return 2.5 * Math.hypot(target.x - origin[0], target.y - origin[1], target.z - origin[2]);
  }

  /** @param {number[]} origin @param {number[]} direction */
  groundDistance(origin, direction) {
    const { world } = this.page;
    let nearest = (world.floorHeight() - origin[1]) / direction[1];
    if (!(nearest > 0)) nearest = Infinity;
    for (const obstacle of world.shownObstacles) nearest = Math.min(nearest, rayObstacle(origin, direction, obstacle));
    return nearest < FAR_M ? nearest : Infinity;
  }

  /** @param {number[]} place */
  groundUnder([x, , z]) {
    const distance = this.groundDistance([x, ABOVE_M, z], DOWN);
    return Number.isFinite(distance) ? ABOVE_M - distance : this.page.world.floorHeight();
  }

  // The centre of the part of the picture that the docks leave visible.
  middle() {
    const { left, right, top, bottom } = this.page.stage.canvas.getBoundingClientRect();
    const dock = document.querySelector('.dock-left .dock:not([hidden])')?.getBoundingClientRect();
    const beside = dock && dock.width < 0.6 * (right - left);
    const edge = right - (this.page.stage.covered?.right ?? 0);
    return {
      clientX: (dock && beside ? dock.right + edge : left + edge) / 2,
      clientY: dock && !beside ? 0.25 * top + 0.75 * dock.top : top + 0.6 * (bottom - top),
    };
  }

  /** @param {number[]} by */
  shift(by) {
    this.preview.moveTo(this.preview.pose.position.map((value, axis) => value + by[axis]));
    this.changed();
  }

  /** Moves the object one step relative to the camera: to the right, up, away. @param {number} right @param {number} up @param {number} away */
  step(right, up, away) {
    const length = this.snap.grid || STEP_M;
    const [x, , z] = this.page.stage.forward();
    // The world axis that is closest to the view direction.
    const deep = Math.abs(x) > Math.abs(z) ? [Math.sign(x), 0] : [0, Math.sign(z) || -1];
    const before = this.preview.pose.position;
    const ground = this.groundUnder(before);
    this.shift([length * (away * deep[0] - right * deep[1]), length * up, length * (away * deep[1] + right * deep[0])]);
    if (this.snap.ground && up === 0) this.shift([0, this.groundUnder(this.preview.pose.position) - ground, 0]);
  }

  /** Moves the object down to the ground. */
  lower() {
    const { position } = this.preview.pose;
    this.preview.moveTo([position[0], this.groundUnder(position) + this.preview.below, position[2]]);
    this.changed();
  }

  /** @param {number} degrees */
  turn(degrees) {
    if (!this.kind?.turns) return;
    this.preview.turn(degrees);
    this.changed();
  }

  /** @param {number} factor */
  size(factor) {
    if (!this.kind || this.kind.sizes === 'none') return;
    this.preview.object.scale.setScalar(factor);
    this.sized();
  }

  changed() {
    this.preview.showFoot(this.groundUnder(this.preview.pose.position));
    this.emit('move');
  }

  // A scale changes the values: the preview is rebuilt in the new size.
  sized() {
    const scale = this.preview.takeScale();
    if (!this.kind) return;
    if (scale.every((part) => part === 1) || !this.kind.resize) {
      this.emit('move');
      return;
    }
    const most = scale.reduce((far, part) => (Math.abs(Math.log(part)) > Math.abs(Math.log(far)) ? part : far));
    const values = this.kind.resize(this.values, this.kind.sizes === 'free' ? scale : [most, most, most]);
    this.setValues(values);
    this.emit('values', values);
    this.changed();
  }

  // ---- pointer input

  listen() {
    const { signal } = this.listeners = new AbortController();
    this.placed = false;
    /** @param {string} name @param {(event: any) => void} handler */
    const on = (name, handler) => window.addEventListener(name, handler, { capture: true, signal });
    on('pointerdown', (event) => this.down(event));
    on('pointermove', (event) => this.move(event));
    on('pointerup', (event) => this.up(event));
    on('pointercancel', (event) => this.up(event));
    on('keydown', (event) => this.key(event));
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { stage } = this.page;
    if (!stage.element.contains(/** @type {Node} */ (event.target)) || (event.pointerType !== 'touch' && event.button !== 0)) return;
    if (this.held) {
      this.held = this.held.what === 'tap' ? null : this.held; // a second finger controls the camera instead
      return;
    }
    this.gizmo.setCoarse(event.pointerType === 'touch');
    const what = this.gizmo.down(event) ? 'handle' : this.preview.isMet(stage.ray(event.clientX, event.clientY)) ? 'preview' : 'tap';
    this.held = { what, pointerId: event.pointerId, x: event.clientX, y: event.clientY };
    if (what === 'tap') return;
    event.stopPropagation();
    event.preventDefault();
    stage.element.focus({ preventScroll: true });
    stage.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { held } = this;
    if (!held) {
      if (event.pointerType !== 'touch' && this.page.stage.element.contains(/** @type {Node} */ (event.target))) this.gizmo.hover(event);
      return;
    }
    if (held.pointerId !== event.pointerId) return;
    if (held.what === 'tap') return;
    event.stopPropagation();
    if (held.what === 'handle') this.gizmo.move(event);
    else if (Math.hypot(event.clientX - held.x, event.clientY - held.y) > TAP_PX || held.moved) {
      held.moved = true;
      this.placeAt(event);
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { held } = this;
    if (!held || held.pointerId !== event.pointerId) return;
    this.held = null;
    if (held.what === 'tap') {
      const still = Math.hypot(event.clientX - held.x, event.clientY - held.y) <= TAP_PX;
      if (event.type === 'pointerup' && still) this.placeAt(event);
      return;
    }
    event.stopPropagation();
    if (held.what === 'handle') this.gizmo.up(event);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const name = event.key.toLowerCase();
    const action = KEYS[name === 'esc' ? 'escape' : name];
    const target = /** @type {Element} */ (event.target);
    const inScene = this.page.stage.element.contains(target) || target === document.body;
    const inForm = target.closest?.('#dock-build');
    if (!action || !(inScene || inForm)) return;
    // In the form, only keys that its controls do not use.
    if (!inScene && name !== 'escape' && target.matches('input, select, textarea, button, summary, [role=radio]')) return;
    event.preventDefault();
    event.stopPropagation();
    action(this);
  }
}
