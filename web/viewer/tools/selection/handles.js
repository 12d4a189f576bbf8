// SPDX-License-Identifier: MIT
// Handles that move the selection along the axes of the world: visible while the card Move is open. A drag shows the box around the
// selection where it will be; on release, one batch of commands moves it there, which one undo takes back.
import { Gizmo } from '../../scene/gizmo.js';
import { MoveFrame } from '../../scene/move_frame.js';
/** @import { ObjectEntry, Points } from '../../scene/world.js' */

const LEAST_M = 1e-4; // a shorter move is none

/** The handles of the present selection. */
export class MoveHandles {
  /** The points of the selection, and which of them. @type {[points: Points, indices: number[]][]} */
  #parts = [];

  /** The solids of the selection, whose particles are not on their surface. @type {ObjectEntry[]} */
  #solids = [];

  #stale = false; // whether an obstacle of the selection is not drawn yet

  /** @type {number | null} the pointer that drags a handle */
  #pointer = null;

  /** @param {import('../../page/page.js').Page} page @param {import('./commands.js').SelectionCommands} commands */
  constructor(page, commands) {
    this.page = page;
    this.commands = commands;
    const { stage } = page;
    this.frame = new MoveFrame(stage.scene, getComputedStyle(document.documentElement).getPropertyValue('--accent').trim() || '#ffffff');
    this.gizmo = new Gizmo(stage, this.frame.object, () => this.frame.preview(), () => this.#finish());
    this.gizmo.setMode('translate');
    const { signal } = this.listeners = new AbortController();
    /** @param {string} name @param {(event: any) => void} handler */
    const on = (name, handler) => window.addEventListener(name, handler, { capture: true, signal });
    on('pointerdown', (event) => this.#down(event));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#up(event));
    on('pointercancel', (event) => this.#up(event));
    this.stops = [page.on('picture', () => this.#follow()), page.selection.on('change', () => this.#read()), page.on('topology', () => this.#read())];
    this.#read();
    this.#follow();
  }

  dispose() {
    this.listeners.abort();
    for (const stop of this.stops) stop();
    this.gizmo.dispose();
    this.frame.dispose();
  }

  #read() {
    const { commands, page: { world } } = this;
    const { particles } = commands;
    this.#solids = particles.flatMap(([, , entry]) => (entry.solid ? [entry] : []));
    this.#parts = particles.flatMap(([, indices, entry]) => (entry.solid ? [] : [/** @type {[Points, number[]]} */ ([entry, indices])]));
    this.#stale = false;
    for (const { id } of commands.obstacles) {
      const points = world.pointsOf(id);
      this.#stale ||= !points;
      if (points) this.#parts.push([points, Array.from({ length: points.count }, (_, i) => i)]);
    }
  }

  // The handles stay at the middle of the selection, unless they are being dragged.
  #follow() {
    if (this.#pointer !== null) return;
    if (this.#stale) this.#read();
    this.gizmo.controls.getHelper().visible = this.frame.follow(this.#parts, this.#solids);
  }

  #finish() {
    const by = this.frame.end();
    if (Math.hypot(...by) > LEAST_M) this.commands.moveBy(by);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const { stage, editable } = this.page;
    const free = this.#pointer === null && (event.pointerType === 'touch' || event.button === 0);
    if (!free || !editable || !this.gizmo.controls.getHelper().visible || !stage.element.contains(/** @type {Node} */ (event.target))) return;
    this.gizmo.setCoarse(event.pointerType === 'touch');
    this.frame.begin();
    if (!this.gizmo.down(event)) return;
    this.#pointer = event.pointerId;
    event.stopPropagation();
    event.preventDefault();
    stage.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.#pointer === event.pointerId) {
      event.stopPropagation();
      this.gizmo.move(event);
    } else if (this.#pointer === null && event.pointerType !== 'touch' && this.page.stage.element.contains(/** @type {Node} */ (event.target))) {
      // Over a handle, nothing behind it is highlighted.
      if (this.gizmo.hover(event)) {
        this.page.grabControls.mouse = null;
        event.stopPropagation();
      }
      this.page.stage.canvas.style.cursor = this.gizmo.controls.axis ? 'move' : this.page.grabControls.cursor;
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.#pointer !== event.pointerId) return;
    event.stopPropagation();
    this.gizmo.up(event);
    this.#pointer = null;
  }
}
