// SPDX-License-Identifier: MIT
// Grab controls: grabbing objects with mouse, pen or touch. A pointer that goes down on an object grabs it and moves it in
// the plane through that point that faces the camera; elsewhere, the pointer orbits, pans and zooms. Two taps on the same
// place pin or unpin a particle. Several fingers can grab several objects. The grab request is sent at once, moves at most
// once per picture, and the grab ends on release, so an object released in motion keeps its velocity.
import { rayPlane } from '../geometry/pick.js';
import { roundedTo } from './grab_step.js';
import { Hand } from './hand.js';
/** @import { Vector } from '../../client/topology.js' */
/** @import { Picked } from './world.js' */

/** @type {Record<string, number>} distances by the type of the pointer */
const REACH_PX = { mouse: 9, pen: 12, touch: 22 };
const TAP_MS = 320;
const DOUBLE_MS = 420;
const TAP_PX = 10;
const SHEETS = ['cloth', 'mesh'];
const DELAY_S = 0.05; // of displayed positions, where it is not known better
const PICTURE_MOST_S = 0.1; // a hand moves no farther at once, however late a picture is
const SLIPS = 'The cloth slips through your hand. Pull slowly and steadily to tear it.';

/** @typedef {import('../../client/protocol.js').MethodName} MethodName */
/** @typedef {import('../../client/protocol.js').Methods} Methods */
/** @typedef {{clientX: number, clientY: number, pointerType: string}} Pointer */

/**
 * The interface to the server that the grab controls need; Page implements it.
 * @typedef {object} GrabClient
 * @property {<M extends MethodName>(method: M, params: Methods[M]['params']) => Promise<Methods[M]['result'] | undefined>}
 *   call resolves to undefined if the server refused the request, or rejects
 * @property {<M extends MethodName>(method: M, params: Methods[M]['params']) => void} notify
 * @property {<M extends MethodName>(method: M, params: Methods[M]['params']) => Promise<Methods[M]['result']>} [ask] calls a method that is
 *   not the user's action; `call` by default
 * @property {() => number} [delay] how late the displayed positions are, s; some hundredths by default
 */

/**
 * The grab of one pointer.
 * @typedef {object} Drag
 * @property {Picked} pick
 * @property {number | null} grab the id of the grab; null until the server has replied
 * @property {boolean} released @property {boolean} moved
 * @property {boolean} told whether the user was told that the world is paused
 * @property {number[] | null} target the next target position, m, until it is sent
 * @property {number | undefined} tear the ratio of lengths at which the object tears
 * @property {Hand | null} hand what holds back at a sheet that can tear @property {object | null} sheet the sheet for which it was made
 * @property {number[] | null} wanted where the pointer is, in the drag plane, m
 * @property {number[]} normal normal of the drag plane
 * @property {number[]} offset offset from the pointer to the grabbed point
 * @property {number} x @property {number} y @property {number} time place and time of the press
 */

/** Listens on the stage's element, before the orbit controls do. */
export class GrabControls {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {import('./world.js').WorldView} world
   * @param {GrabClient} client
   * @param {(error: Error) => void} refuse called with the error of a refused grab
   */
  constructor(stage, world, client, refuse) {
    this.stage = stage;
    this.world = world;
    this.client = client;
    this.refuse = refuse;
    this.cursor = '';
    /** @type {Map<number, Drag>} pointer id → its grab */
    this.drags = new Map();
    /** @type {Set<number>} pointers that rotate the camera */
    this.looking = new Set();
    /** @type {Pointer | null} the hovering pointer */
    this.mouse = null;
    /** @type {Picked | null} */
    this.hover = null;
    /** @type {{x: number, y: number, time: number, pick: Picked} | null} */
    this.lastTap = null;
    this.refusalReason = ''; // why nothing can be grabbed; empty if grabbing is allowed
    this.toldSlip = false; // whether the notice about the slipping hand was shown
    this.suspended = false; // set while a tool uses the pointer: grabbing is disabled
    /** The reason why the world stands still, and how to change that: a sentence; empty while the world runs. */
    this.pausedReason = () => '';
    /** Called with that sentence when the user drags an object in a paused world. @type {(text: string) => void} */
    this.tell = () => {};
    /** @param {string} name @param {(event: PointerEvent) => void} handler */
    const on = (name, handler) => stage.element.addEventListener(name, (event) => handler(/** @type {PointerEvent} */ (event)), { capture: true });
    on('pointerdown', (event) => this.down(event));
    on('pointermove', (event) => this.move(event));
    on('pointerup', (event) => this.up(event));
    on('pointercancel', (event) => this.up(event));
    on('pointerleave', () => { this.mouse = null; });
  }

  /** Once per picture: sends the accumulated moves, and finds the object under the pointer. @param {number} elapsed ms since the last picture */
  update(elapsed) {
    for (const drag of this.drags.values()) {
      this.feel(drag, elapsed / 1000);
      this.send(drag);
      if (drag.moved && !drag.told) this.tellStandstill(drag);
    }
    this.hover = this.drags.size === 0 && this.mouse && !this.suspended && !this.refusalReason && this.looking.size === 0 ? this.pick(this.mouse, false) : null;
    const cursor = this.drags.size > 0 ? 'grabbing' : this.hover ? 'grab' : '';
    if (cursor !== this.cursor) this.stage.canvas.style.cursor = this.cursor = cursor;
  }

  /** Drops all grabs: the server has ended them already. */
  drop() {
    for (const drag of this.drags.values()) drag.released = true;
    this.drags.clear();
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.stage.element.focus({ preventScroll: true });
    const free = event.pointerType === 'touch' ? this.looking.size === 0 : event.button === 0;
    const pick = free && !this.suspended && !event.ctrlKey && !event.metaKey && !event.shiftKey ? this.pick(event, true) : null;
    if (pick && this.refusalReason) this.refuse(new Error(`You can’t move anything: ${this.refusalReason}.`));
    if (!pick || this.refusalReason) {
      this.looking.add(event.pointerId);
      return;
    }
    event.stopPropagation();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.take(event, pick);
  }

  /** @param {PointerEvent} event @param {Picked} pick */
  take(event, pick) {
    const { object, whole, particle, point } = pick;
    const held = this.world.find(object)?.positions ?? [];
    /** @type {Drag} */
    const drag = {
      pick, grab: null, released: false, moved: false, told: false, target: null, tear: undefined, hand: null, sheet: null, wanted: null,
      normal: this.stage.forward(),
      // A particle is grabbed at its centre, not where the pointer hit its surface, so it does not jump.
      offset: whole ? [0, 0, 0] : point.map((value, axis) => held[3 * particle + axis] - value),
      x: event.clientX, y: event.clientY, time: event.timeStamp,
    };
    this.drags.set(event.pointerId, drag);
    this.hold(event.pointerId, drag);
  }

  /** @param {number} pointer @param {Drag} drag whose grab begins */
  hold(pointer, drag) {
    const { object, whole, particle, point } = drag.pick;
    const sheet = this.world.find(object);
    const tears = !whole && sheet && SHEETS.includes(sheet.kind) ? this.tearOf(object) : undefined;
    const grabbed = this.call('grab.start', whole ? { object, point: /** @type {Vector} */ (drag.wanted ?? point) } : { object, particle });
    Promise.all([grabbed, tears]).then(([answer, tear]) => {
      drag.tear = tear;
      if (!answer) {
        if (this.drags.get(pointer) === drag) this.drags.delete(pointer);
        return;
      }
      drag.grab = answer.grab;
      this.send(drag);
      if (drag.released) this.call('grab.end', { grab: drag.grab });
    });
  }

  /** Another server has the world, and has ended all grabs: those that are still held begin anew. */
  retake() {
    for (const [pointer, drag] of this.drags) {
      if (drag.grab === null) continue; // it will be answered there
      drag.grab = null;
      this.hold(pointer, drag);
    }
  }

  /** Once per drag. The grabbed object will follow as soon as the world runs. @param {Drag} drag */
  tellStandstill(drag) {
    const why = this.pausedReason();
    if (!why) return;
    drag.told = true;
    this.tell(why);
  }

  /**
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} params
   */
  call(method, params) {
    return this.client.call(method, params).catch((error) => { this.refuse(error); });
  }

  /** Ends a drag whose grab the server has ended: the object is gone, or the world is frozen. @param {number} grab */
  lose(grab) {
    for (const [pointer, drag] of this.drags) if (drag.grab === grab) this.drags.delete(pointer);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (event.pointerType !== 'touch') this.mouse = { clientX: event.clientX, clientY: event.clientY, pointerType: event.pointerType };
    const drag = this.drags.get(event.pointerId);
    if (!drag) return;
    event.stopPropagation();
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > TAP_PX) drag.moved = true;
    const { origin, direction } = this.stage.ray(event.clientX, event.clientY);
    const distance = rayPlane(origin, direction, drag.pick.point, drag.normal);
    if (distance === Infinity) return;
    drag.wanted = direction.map((d, axis) => origin[axis] + distance * d + drag.offset[axis]);
    if (!drag.tear) drag.target = roundedTo(drag.wanted, distance * this.stage.view.slope);
  }

  /** The ratio of lengths at which an object tears; undefined if it does not. @param {number} object */
  async tearOf(object) {
    try {
      const reply = await (this.client.ask ? this.client.ask('object.get', { object }) : this.client.call('object.get', { object }));
      return reply?.tear;
    } catch {
      return undefined; // the object is gone, and its grab will be refused
    }
  }

  /** Lets a sheet that can tear hold the hand back. @param {Drag} drag @param {number} seconds since the last picture */
  feel(drag, seconds) {
    const { wanted, tear, pick: { object, particle } } = drag;
    const sheet = this.world.find(object);
    if (tear === undefined || !wanted || !sheet) return;
    if (drag.sheet !== sheet.object) { // also after it has torn
      drag.sheet = sheet.object;
      drag.hand = new Hand(sheet.positions, sheet.object.triangles, sheet.pins, particle, tear);
    }
    const hand = /** @type {Hand} */ (drag.hand);
    const { slips } = hand;
    const position = hand.advance(sheet.positions, wanted, Math.min(seconds, PICTURE_MOST_S), this.client.delay?.() ?? DELAY_S);
    drag.target = roundedTo(position, this.stage.view.slope * Math.hypot(...position.map((value, axis) => value - this.stage.view.eye[axis])));
    if (slips || !hand.slips || this.toldSlip) return;
    this.toldSlip = true;
    this.tell(SLIPS);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.looking.delete(event.pointerId);
    const drag = this.drags.get(event.pointerId);
    if (!drag) return;
    event.stopPropagation();
    this.drags.delete(event.pointerId);
    drag.released = true;
    this.send(drag);
    if (drag.grab !== null) this.call('grab.end', { grab: drag.grab });
    if (event.type === 'pointerup' && !drag.moved && event.timeStamp - drag.time < TAP_MS) this.tap(event, drag.pick);
  }

  /** @param {PointerEvent} event @param {Picked} pick */
  tap(event, pick) {
    const last = this.lastTap;
    this.lastTap = { x: event.clientX, y: event.clientY, time: event.timeStamp, pick };
    const again = last && event.timeStamp - last.time < DOUBLE_MS && last.pick.object === pick.object &&
      Math.hypot(event.clientX - last.x, event.clientY - last.y) < 2 * REACH_PX[event.pointerType || 'mouse'];
    if (!again) return;
    this.lastTap = null;
    const { object, particle } = last.pick;
    const pinned = this.world.find(object)?.pins.has(particle);
    this.call(pinned ? 'particle.unpin' : 'particle.pin', { object, particles: [particle] });
  }

  /** @param {Drag} drag */
  send(drag) {
    if (drag.grab === null || !drag.target) return;
    this.client.notify('grab.move', { grab: drag.grab, position: /** @type {Vector} */ (drag.target.map(inWorld)) });
    drag.target = null;
  }

  /** @param {Pointer} pointer @param {boolean} thorough */
  pick({ clientX, clientY, pointerType }, thorough) {
    const reach = REACH_PX[pointerType || 'mouse'] ?? REACH_PX.mouse;
    return this.world.pick(this.stage.ray(clientX, clientY), reach * this.stage.view.slope, thorough);
  }
}

/** @param {number} value */
function inWorld(value) {
  return Math.min(100000, Math.max(-100000, value));
}
