// SPDX-License-Identifier: MIT
// The card of an object that is being placed: its form, the mode of its handles, its exact position, and the button that
// sends it.
import { h, icon } from '../../ui/dom.js';
import { fieldOf, paramSchemas } from './fields.js';
import { Form } from './form.js';
/** @import { OpenRpc } from '../../script/schema.js' */
/** @import { Kind } from './kinds.js' */

/** @type {[mode: 'translate' | 'rotate' | 'scale', title: string, shapes: string][]} */
const MODES = [
  ['translate', 'Move', '<path d="M10 2v16M2 10h16M10 2L8 4.5M10 2l2 2.5M10 18l-2-2.5M10 18l2-2.5M2 10l2.5-2M2 10l2.5 2M18 10l-2.5-2M18 10l-2.5 2"/>'],
  ['rotate', 'Rotate', '<path d="M4.5 7A6.5 6.5 0 1 1 3.6 11M4 3v4.5h4.5"/>'],
  ['scale', 'Size', '<path d="M3 17V9M3 17h8M3 17L17 3M17 3h-6M17 3v6"/>'],
];
/** @type {[step: number, title: string][]} */
const GRIDS = [[0, 'Off'], [0.05, '5 cm'], [0.1, '10 cm'], [0.25, '25 cm'], [0.5, '50 cm'], [1, '1 m']];
const AXES = ['x', 'y', 'z'];
const HINT = 'Drag it, or tap where to place it. Keys: arrows, Page Up and Page Down move; [ and ] rotate; + and − scale; ' +
  'Enter places; Esc cancels.';

/** @type {OpenRpc | null} the protocol's description, requested once */
let discovered = null;

/** Visible while an object is being placed. */
export class PlacingCard {
  /** @param {import('../../page/page.js').Page} page @param {import('./placement.js').Placement} placement */
  constructor(page, placement) {
    this.page = page;
    this.placement = placement;
    /** @type {Form | null} */
    this.form = null;
    this.busy = false;
    this.blocked = false;
    this.title = h('h3', { tabindex: -1 });
    this.modes = this.#modes();
    this.ground = h('input', { type: 'checkbox', id: 'build-ground', checked: true, onchange: () => this.#setGround() });
    /** @type {HTMLSelectElement} */
    this.grid = h('select', { id: 'build-grid', onchange: () => placement.setSnap({ grid: Number(this.grid.value) }) },
      GRIDS.map(([step, title]) => h('option', { value: step }, title)));
    this.exact = this.#exact();
    this.fields = h('div');
    this.slot = h('div'); // controls for files
    this.fault = h('p', { class: 'build-fault', role: 'alert' });
    this.send = h('button', { type: 'submit', class: 'build-primary' }, 'Place');
    this.element = h('form', { class: 'build-card', 'aria-label': 'Placement', novalidate: true, hidden: true, onsubmit: (event) => {
      event.preventDefault();
      this.place();
    } },
    this.title,
    h('p', { class: 'build-hint' }, HINT),
    this.modes,
    h('div', { class: 'build-snap' }, h('label', { for: 'build-ground' }, this.ground, ' Snap to ground'), h('label', { for: 'build-grid' }, 'Grid ', this.grid)),
    this.slot, this.fields, this.exact.element, this.fault,
    h('div', { class: 'build-buttons' }, this.send, h('button', { type: 'button', onclick: () => placement.end() }, 'Cancel')));
    placement.on('begin', (kind) => this.#begin(kind));
    placement.on('move', () => this.#moved());
    placement.on('values', (values) => this.form?.set(values));
    placement.on('accept', () => this.place());
    placement.on('end', () => { this.element.hidden = true; });
  }

  focus() {
    this.title.focus({ preventScroll: true });
  }

  /** @param {boolean} blocked whether the object cannot be sent */
  setBlocked(blocked) {
    this.blocked = blocked;
    this.send.disabled = blocked;
  }

  /** Sends the object that is being placed. */
  async place() {
    if (this.busy || this.blocked || !this.placement.kind) return;
    if (!this.form?.values) {
      this.form?.focusFault();
      return;
    }
    const { kind, request } = this.placement;
    this.busy = true;
    this.send.disabled = true;
    const answer = await this.page.call(request.method, /** @type {any} */ (request.params)); // the form made the params from the schema
    this.busy = false;
    this.send.disabled = this.blocked;
    if (!answer) {
      this.fault.textContent = 'The server refused it; the message says why. Change it and try again.';
      return;
    }
    if (this.placement.kind === kind) this.placement.end();
    this.page.stage.element.focus({ preventScroll: true });
  }

  /** @param {Kind} kind */
  async #begin(kind) {
    this.element.hidden = false;
    this.fault.textContent = '';
    this.setBlocked(false);
    this.title.textContent = kind.title;
    this.#markModes();
    if (this.form?.kind === kind) {
      this.form.set(this.placement.values);
      return;
    }
    this.form = null;
    this.fields.replaceChildren();
    try {
      discovered ??= /** @type {OpenRpc} */ (/** @type {unknown} */ (await this.page.ask('rpc.discover')));
    } catch (error) {
      this.fault.textContent = /** @type {Error} */ (error).message;
      return;
    }
    if (this.placement.kind === kind) this.#makeForm(kind);
  }

  /** @param {Kind} kind */
  #makeForm(kind) {
    if (!discovered) return;
    const schemas = new Map([...paramSchemas(discovered, kind.method), ...Object.entries(kind.own ?? {})]);
    for (const name of kind.omit ?? []) if (!kind.own?.[name]) schemas.delete(name);
    /** @param {string} name */
    const field = (name) => fieldOf(name, schemas.get(name) ?? {}) ?? [];
    const main = kind.main.flatMap(field);
    const more = [...schemas.keys()].filter((name) => !kind.main.includes(name)).flatMap(field);
    this.form = new Form(main, more, this.placement.values, (values) => {
      this.fault.textContent = '';
      this.placement.setValues({ ...kind.values, ...values });
    });
    this.form.kind = kind;
    this.fields.replaceChildren(this.form.element);
  }

  #modes() {
    const buttons = MODES.map(([mode, title, shapes]) => h('button', {
      type: 'button', 'aria-pressed': 'false', dataset: { mode }, onclick: () => {
        this.placement.setMode(mode);
        this.#markModes();
      },
    }, icon(shapes), h('span', {}, title)));
    return h('div', { class: 'build-modes', role: 'group', 'aria-label': 'Gizmo mode' }, buttons);
  }

  #markModes() {
    const { kind, mode } = this.placement;
    for (const button of this.modes.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.mode === mode));
      button.disabled = (button.dataset.mode === 'rotate' && !kind?.turns) || (button.dataset.mode === 'scale' && kind?.sizes === 'none');
    }
  }

  #setGround() {
    this.placement.setSnap({ ground: this.ground.checked });
    if (this.ground.checked && this.placement.kind) this.placement.lower();
  }

  // Position and rotation as numbers.
  #exact() {
    /** @param {string} what @param {number} axis */
    const input = (what, axis) => h('input', {
      type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-label': `${what} ${AXES[axis]}`, onchange: () => this.#placeExactly(),
    });
    const places = AXES.map((_, axis) => input('Position (m)', axis));
    const turns = AXES.map((_, axis) => input('Rotation (°)', axis));
    const element = h('details', { class: 'build-exact' }, h('summary', {}, 'Position and rotation'),
      h('p', {}, 'Position x, y, z ', h('small', {}, 'm')), h('div', {}, places), h('p', {}, 'Rotation x, y, z ', h('small', {}, '°')), h('div', {}, turns));
    return { element, places, turns };
  }

  #placeExactly() {
    const { places, turns } = this.exact;
    const numbers = [...places, ...turns].map(({ value }) => Number(value.replace(',', '.')));
    const wrong = numbers.findIndex((value) => !Number.isFinite(value) || Math.abs(value) > 100000);
    [...places, ...turns].forEach((input, i) => input.setAttribute('aria-invalid', String(i === wrong)));
    if (wrong >= 0) {
      this.fault.textContent = `${wrong < 3 ? 'Position' : 'Rotation'} must be a number from −100,000 to 100,000.`;
      return;
    }
    this.fault.textContent = '';
    this.placement.preview.moveTo(numbers.slice(0, 3));
    if (this.placement.kind?.turns) this.placement.preview.degrees = numbers.slice(3);
    this.placement.changed();
  }

  #moved() {
    const { preview } = this.placement;
    /** @param {HTMLInputElement[]} inputs @param {number[]} values @param {number} digits */
    const write = (inputs, values, digits) => inputs.forEach((input, axis) => {
      if (input !== document.activeElement) input.value = String(Number(values[axis].toFixed(digits)));
    });
    write(this.exact.places, preview.pose.position, 3);
    write(this.exact.turns, preview.degrees, 1);
  }
}
