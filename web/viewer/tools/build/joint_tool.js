// SPDX-License-Identifier: MIT
// Adding sticks and joints with the pointer: a drag from one surface point to another adds what was chosen. A drag that ends at
// an obstacle, or on the ground, joins the object to a fixed point there.
import { Emitter } from '../../../client/emitter.js';
import { ballJoint, hinge, line } from '../../../client/joints.js';
import { PointLines } from '../../scene/xray.js';
import { tidy } from './kinds.js';
/** @import { BodyId, Point, StickEnd, StickOptions } from '../../../client/joints.js' */
/** @import { Page } from '../../page/page.js' */

/** @type {Record<string, number>} distances by the type of the pointer */
const REACH_PX = { mouse: 9, pen: 12, touch: 22 };
const DRAG_PX = 6;
const FAR_M = 200; // m: no ground is looked for beyond
const WIDTH_M = 0.15; // distance of the two ball joints of a hinge
const FIXED_RADIUS_M = 0.02;

/** @typedef {'stick' | 'line' | 'ball' | 'hinge'} JointKind */
/** @typedef {'view' | 'x' | 'y' | 'z'} AxisName */

/**
 * A point that was pressed or released: of an object, or fixed in the world. `solid`: a body, whose ends can be at any point.
 * @typedef {{object: number | null, solid: boolean, surface: boolean, particle: number, point: Point}} Spot
 */

/**
 * The commands that join two spots; a fixed spot becomes a pinned particle, made by the first commands.
 * @param {JointKind} kind @param {Spot} from of an object @param {Spot} to
 * @param {{axis: Point, options: StickOptions}} how direction of a hinge's axis, and further params of the sticks
 * @returns {object[]} commands for batch.run; throws an Error if the objects cannot be joined so
 */
export function jointCommands(kind, from, to, { axis, options }) {
  if (kind === 'hinge' && !(from.solid && (to.solid || to.object === null))) throw new Error('A hinge joins two bodies, or a body and a fixed point.');
  const middle = kind === 'hinge' || kind === 'ball' ? from.point : to.point;
  const size = Math.hypot(...axis);
  const places = kind === 'hinge' ? [-0.5, 0.5].map((share) => middle.map((value, i) => tidy(value + (share * WIDTH_M * axis[i]) / size))) : [middle];
  const fixed = to.object === null ? [
    { method: 'particles.spawn', params: { positions: places, radius: FIXED_RADIUS_M, name: 'fixed point' } },
    { method: 'particle.pin', params: { object: '$0', particles: places.map((_, i) => i) } },
  ] : [];
  if (kind === 'hinge') {
    const own = /** @type {BodyId} */ (from.object);
    if (to.object !== null) return hinge(own, to.object, middle, axis, { width: WIDTH_M, stick: options });
    return [...fixed, ...places.flatMap((place, particle) => ballJoint(own, { object: '$0', particle }, /** @type {Point} */ (place), options))];
  }
  /** @param {Spot} spot @param {Point} point @returns {StickEnd} */
  const end = ({ object, solid, surface, particle }, point) => {
    if (object === null) return { object: '$0', particle: 0 };
    if (!surface) return { object, particle };
    return solid && kind === 'ball' ? { object, anchor: point } : { object, point };
  };
  const [a, b] = [end(from, from.point), end(to, middle)];
  if (kind === 'ball') return [...fixed, ...ballJoint(a, b, middle, options)];
  return [...fixed, ...(kind === 'line' ? line(a, b, undefined, options) : [{ method: 'stick.add', params: { a, b, ...options } }])];
}

/**
 * Emits 'change' when a kind is chosen or the tool ends, and 'join' with the two spots.
 * @extends {Emitter<{change: JointKind | null, join: {kind: JointKind, from: Spot, to: Spot}}>}
 */
export class JointTool extends Emitter {
  /** @type {JointKind | null} */
  kind = null;

  /** @type {{id: number, x: number, y: number, from: Spot} | null} */
  #drag = null;

  /** @type {PointLines | null} */
  #line = null;

  /** @param {Page} page */
  constructor(page) {
    super();
    this.page = page;
    /** @param {string} name @param {(event: any) => void} handler */
    const on = (name, handler) => page.stage.element.addEventListener(name, handler, { capture: true });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', () => this.#drop());
    window.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.kind) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(null);
    }, { capture: true });
  }

  /** @param {JointKind | null} kind null ends the tool */
  choose(kind) {
    if (kind === this.kind) return;
    this.#drop();
    this.kind = kind;
    this.page.grabControls.suspended = kind !== null;
    document.body.toggleAttribute('data-joining', kind !== null);
    this.emit('change', kind);
  }

  /** The direction of an axis: of the world, or towards the viewer. @param {AxisName} name @returns {Point} */
  axis(name) {
    const [x, y, z] = name === 'view' ? this.page.stage.forward().map((part) => tidy(-part)) : ['x', 'y', 'z'].map((axis) => (axis === name ? 1 : 0));
    return [x, y, z];
  }

  /** @param {PointerEvent} event @returns {Spot | null} */
  #spot({ clientX, clientY, pointerType }) {
    const { stage, world } = this.page;
    const { origin, direction } = stage.ray(clientX, clientY);
    const met = world.pick({ origin, direction }, (REACH_PX[pointerType] ?? REACH_PX.mouse) * stage.view.slope, true);
    if (met) {
      const entry = world.find(met.object);
      const surface = (entry?.surface.triangles.length ?? 0) > 0;
      return { object: met.object, solid: met.kind === 'body' && surface, surface, particle: met.particle, point: pointOf(surface || !entry ? met.point : entry.place(met.particle)) };
    }
    const floor = (world.floorHeight() - origin[1]) / direction[1];
    const distance = Math.min(world.obstacleDistance(origin, direction), floor > 0 ? floor : Infinity);
    if (!(distance < FAR_M)) return null;
    return { object: null, solid: false, surface: false, particle: 0, point: pointOf(direction.map((part, axis) => origin[axis] + distance * part)) };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (document.body.hasAttribute('data-selecting')) this.choose(null); // the selection has taken the pointer
    if (!this.kind || event.button !== 0 || !event.isPrimary || event.shiftKey) return;
    const from = this.#spot(event);
    if (!from || from.object === null) return; // the drag turns the camera
    event.stopPropagation();
    this.page.stage.canvas.setPointerCapture(event.pointerId);
    this.#drag = { id: event.pointerId, x: event.clientX, y: event.clientY, from };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.#drag?.id !== event.pointerId) return;
    event.stopPropagation();
    const to = this.#spot(event);
    if (!to) return;
    this.#line ??= new PointLines(this.page.world, 2.5);
    this.#line.reserve(1);
    this.#line.array('start').set(this.#drag.from.point);
    this.#line.array('end').set(to.point);
    this.#line.paint(0, '#ffc44d');
    this.#line.show(1);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId || !this.kind) return;
    event.stopPropagation();
    const to = this.#spot(event);
    this.#drop();
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX || !to) return;
    if (to.object === drag.from.object && drag.from.solid) this.page.toasts.show('Both ends are at the same body. Drag to another object, to an obstacle, or to the ground.');
    else this.emit('join', { kind: this.kind, from: drag.from, to });
  }

  #drop() {
    this.#drag = null;
    this.#line?.dispose();
    this.#line = null;
  }
}

/** @param {number[]} place @returns {Point} */
const pointOf = ([x, y, z]) => [tidy(x), tidy(y), tidy(z)];
