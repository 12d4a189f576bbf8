// SPDX-License-Identifier: MIT
// The bar over the picture that describes the selection and offers commands for it, with cards for pushing, moving obstacles,
// and choosing a material (material.js).
import { keyWords } from '../../ui/actions.js';
import { h, icon, one } from '../../ui/dom.js';
import { DIRECTIONS } from './commands.js';
import { MaterialCard } from './material.js';

const ICONS = {
  hold: '<path d="M6 10V5.5a1.3 1.3 0 0 1 2.6 0V9m0-4.5a1.3 1.3 0 0 1 2.6 0V9m0-3.5a1.3 1.3 0 0 1 2.6 0V11c0 4-2 6-5 6-2.6 0-3.7-1.6-5-4.4-.6-1.4 1.2-2.3 2.2-.8z"/>',
  pin: '<path d="M10 11v6M6.5 11h7L12 7.5V3H8v4.5z"/>',
  unpin: '<path d="M10 11v6M6.5 11h7L12 7.5V3H8v4.5zM3 3l14 14"/>',
  tear: '<path d="M4 4l9.5 9.5M16 4l-9.5 9.5M4.8 16.6a2 2 0 1 0 1-3.8 2 2 0 0 0-1 3.8zM15.2 16.6a2 2 0 1 1-1-3.8 2 2 0 0 1 1 3.8z"/>',
  push: '<path d="M3 10h11M10 5.5L14.5 10 10 14.5M17 4v12"/>',
  move: '<path d="M10 3v14M3 10h14M8 5l2-2 2 2M8 15l2 2 2-2M5 8l-2 2 2 2M15 8l2 2-2 2"/>',
  color: '<path d="M10 3c3 3.6 5 6.2 5 8.7a5 5 0 0 1-10 0C5 9.2 7 6.6 10 3z"/>',
  material: '<path d="M10 3l7 3.5-7 3.5-7-3.5zM3 10l7 3.5 7-3.5M3 13.5L10 17l7-3.5"/>',
  remove: '<path d="M4 6h12M8 6V4h4v2M5.5 6l.8 11h7.4l.8-11"/>',
  none: '<path d="M5 5l10 10M15 5L5 15"/>',
};
const WORDS = {
  hold: 'Hold', pin: 'Pin', unpin: 'Unpin', tear: 'Tear', push: 'Push', move: 'Move', color: 'Color', material: 'Material', remove: 'Remove', none: 'Deselect all',
};
/** @typedef {'push'|'move'|'material'} Card */
/** @typedef {keyof typeof WORDS} ButtonId */

/** @type {Set<string>} */
const CARDS = new Set(['push', 'move', 'material']);
// Exponents of the strength: powers of ten, in N and m.
const STRENGTHS = { min: 0, max: 4, step: 0.05, value: 1.3 };
const DISTANCES = { min: -2, max: 1, step: 0.05, value: -1 };
const PUSH_TICKS = 12;

/** Visible while something is selected, or the selection mode is on. */
export class Bar {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();

  /** @type {Card | null} */
  #open = null;

  /** Called with the card that is open now. @type {(card: Card | null) => void} */
  onCard = () => {};

  /**
   * @param {import('../../page/page.js').Page} page @param {import('./commands.js').SelectionCommands} commands @param {import('./picker.js').Picker} picker
   * @param {import('./keyboard_grab.js').KeyboardGrab} keyboardGrab
   */
  constructor(page, commands, picker, keyboardGrab) {
    this.page = page;
    this.commands = commands;
    this.picker = picker;
    this.keyboardGrab = keyboardGrab;
    this.said = h('p', { role: 'status' });
    this.material = new MaterialCard(page, commands);
    this.cards = {
      push: this.#directionsCard('Push', 'Strength', 'N', STRENGTHS, (direction, strength) => commands.push(direction, strength, PUSH_TICKS)),
      move: this.#directionsCard('Move', 'Distance', 'm', DISTANCES, (direction, distance) => commands.move(direction, distance)),
      material: this.material.element,
    };
    this.color = h('input', { type: 'color', 'aria-label': 'Color of the selection', tabindex: -1 });
    this.color.addEventListener('change', () => commands.change({ color: this.color.value }));
    this.element = h('section', { id: 'selection-bar', 'aria-label': 'Selection', hidden: true },
      h('div', { class: 'selection-row' }, this.said, h('div', { class: 'selection-buttons' }, /** @type {ButtonId[]} */ (Object.keys(WORDS)).map((id) => this.#button(id)), this.color)),
      Object.values(this.cards));
    one(document, '#over-top').append(this.element);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#open) return;
      event.preventDefault();
      const id = this.#open;
      this.open(null);
      this.#buttons.get(id)?.focus();
    });
    page.selection.on('change', () => this.#update());
    picker.on('change', () => this.#update());
    keyboardGrab.on('change', () => this.#update());
    page.on('usable', () => this.#update());
    for (const name of /** @type {const} */ (['object.changed', 'obstacle.changed', 'obstacle.added'])) page.client.on(name, () => this.#update()); // names may have changed
  }

  /** Opens a card in place of the open one, or closes it. @param {Card|null} id */
  open(id) {
    this.#open = id;
    for (const [name, card] of Object.entries(this.cards)) {
      card.hidden = name !== id;
      this.#buttons.get(name)?.setAttribute('aria-expanded', String(name === id));
    }
    this.onCard(id);
    if (id === 'material') this.material.read();
    if (id) one(this.cards[id], 'input, select, button').focus();
  }

  /** Opens the browser's color picker. */
  pickColor() {
    const { color } = this.commands.first ?? {};
    if (color) this.color.value = color;
    try {
      this.color.showPicker();
    } catch {
      this.color.click(); // in an embedded page, and in browsers without showPicker
    }
  }

  /** @param {keyof typeof WORDS} id */
  #button(id) {
    const action = `selection.${id}`;
    const button = h('button', {
      type: 'button', 'aria-label': WORDS[id], class: 'selection-button', dataset: { command: id },
      ...(CARDS.has(id) && { 'aria-expanded': 'false' }),
      onclick: () => (CARDS.has(id) && this.#open === id ? this.open(null) : this.page.actions.run(action)),
    }, icon(ICONS[id]), h('span', {}, WORDS[id]));
    button.addEventListener('pointerenter', () => this.#name(button, action), { once: true });
    this.#buttons.set(id, button);
    return button;
  }

  /** Sets the title and key of a button from the table of actions. @param {HTMLButtonElement} button @param {string} action */
  #name(button, action) {
    const { title, keys } = this.page.actions.list().find(({ id }) => id === action) ?? { title: '', keys: [] };
    button.title = keys.length > 0 ? `${title} (${keyWords(keys[0])})` : title;
  }

  #update() {
    if (this.commands.moving) return;
    const { selection } = this.page;
    const some = selection.size > 0;
    this.element.hidden = !some && !this.picker.active;
    this.element.toggleAttribute('data-empty', !some);
    if (this.#open && !this.commands.applies(this.#open)) this.open(null);
    const words = this.keyboardGrab.active ? this.keyboardGrab.words : this.#words();
    if (this.said.textContent !== words) this.said.textContent = words;
    this.#buttons.get('hold')?.setAttribute('aria-pressed', String(this.keyboardGrab.active));
    for (const [id, button] of this.#buttons) button.disabled = id !== 'none' && !(this.page.editable && this.commands.applies(id));
  }

  #words() {
    const { objects, particles } = this.page.selection;
    const solids = this.commands.obstacles.map(({ id }) => id);
    const parts = [];
    for (const [ids, what] of /** @type {[number[], string][]} */ ([[[...objects].filter((id) => !solids.includes(id)), 'objects'], [solids, 'obstacles']])) {
      if (ids.length > 0) parts.push(ids.length === 1 ? this.page.nameOf(ids[0]) : `${ids.length} ${what}`);
    }
    const count = [...particles.values()].reduce((sum, indices) => sum + indices.size, 0);
    if (count > 0) parts.push(`${count} particle${count === 1 ? '' : 's'}${particles.size === 1 ? ` of ${this.page.nameOf([...particles.keys()][0])}` : ''}`);
    return parts.length > 0 ? parts.join(' and ') : 'Drag a box around particles, or click an object.';
  }

  // ---- cards

  /**
   * A slider for the strength, in powers of ten, and a button for each direction.
   * @param {string} title @param {string} label @param {string} unit @param {typeof STRENGTHS} range
   * @param {(direction: import('./commands.js').Direction, amount: number) => unknown} run
   */
  #directionsCard(title, label, unit, range, run) {
    const id = `${title}-${label}`.toLowerCase();
    const slider = h('input', { type: 'range', id, ...range });
    const told = h('output', { for: id });
    const value = () => Number((10 ** Number(slider.value)).toPrecision(2));
    const tell = () => {
      told.textContent = `${value()} ${unit}`;
      slider.setAttribute('aria-valuetext', `${value()} ${unit}`);
    };
    slider.addEventListener('input', tell);
    tell();
    const buttons = /** @type {import('./commands.js').Direction[]} */ (Object.keys(DIRECTIONS)).map((direction) => h('button', {
      type: 'button', onclick: () => run(direction, value()),
    }, direction[0].toUpperCase() + direction.slice(1)));
    return h('div', { class: 'selection-card', role: 'group', 'aria-label': title, hidden: true },
      h('div', { class: 'field' }, h('label', { for: id }, label), slider, told),
      h('div', { class: 'directions', role: 'group', 'aria-label': 'Direction (as seen by you)' }, buttons));
  }
}
