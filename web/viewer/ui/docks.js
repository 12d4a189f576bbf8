// SPDX-License-Identifier: MIT
// Docks: panels for the tools, beside or below the picture. A rail of buttons at the left edge opens and closes them, one per
// place at a time. The content of a dock is loaded and built when it is first opened.
import { Emitter } from '../../client/emitter.js';
import { h, icon, one } from './dom.js';

const PLACES = ['left', 'bottom'];
const SHEETS = matchMedia('(max-width: 860px)'); // on small screens there is room for one dock only

/** @typedef {{build(element: HTMLElement, page: import('../page/page.js').Page): void, show?(): void, hide?(): void}} DockContent */

/**
 * @typedef {object} Dock
 * @property {string} id @property {string} place
 * @property {HTMLElement} element @property {HTMLElement} body @property {HTMLButtonElement} button
 * @property {() => Promise<DockContent>} load
 * @property {DockContent | null} content once it is built @property {Promise<void> | null} built set when building begins
 */

/**
 * The rail and its docks. Emits 'change' with the id of a dock that was opened or closed.
 * @extends {Emitter<{change: string}>}
 */
export class Docks extends Emitter {
  /** @type {Map<string, Dock>} */
  #docks = new Map();

  /** @type {Map<string, {element: HTMLElement, open: string | null}>} */
  #places = new Map();

  /** @param {import('../page/page.js').Page} page @param {HTMLElement} rail @param {HTMLElement} parent parent element of the docks */
  constructor(page, rail, parent) {
    super();
    this.page = page;
    this.rail = rail;
    for (const place of PLACES) {
      const element = h('div', { class: `dock-place dock-${place}` });
      this.#places.set(place, { element, open: null });
      parent.append(element);
    }
    this.watchToolbar(one(document, '#toolbar'));
    page.address.add('panel', {
      read: () => this.opened.join(' ') || null,
      write: (value) => this.#restore(value ?? ''),
    });
  }

  /** Publishes the height of the toolbar, which may wrap into several rows, to the elements above it. @param {HTMLElement} toolbar */
  watchToolbar(toolbar) {
    const measure = () => {
      const { top } = toolbar.getBoundingClientRect();
      if (top > 0) document.documentElement.style.setProperty('--low', `${Math.round(window.innerHeight - top)}px`);
    };
    new ResizeObserver(measure).observe(toolbar);
    window.addEventListener('resize', measure);
    measure();
  }

  /** Ids of the open docks. */
  get opened() {
    return [...this.#places.values()].flatMap(({ open }) => open ?? []);
  }

  /**
   * @param {object} dock
   * @param {string} dock.id
   * @param {string} dock.title
   * @param {string} dock.icon see icon() of dom.js
   * @param {'left'|'bottom'} dock.place
   * @param {number} dock.order position in the rail, from the top
   * @param {() => Promise<DockContent>} dock.load
   * @param {string[]} [dock.keys] keys that open and close it
   */
  add({ id, title, icon: shapes, place, order, load, keys }) {
    const element = h('section', { id: `dock-${id}`, class: 'dock', 'aria-label': title, tabindex: -1, hidden: true });
    const close = h('button', { type: 'button', class: 'dock-close', 'aria-label': `Close ${title}`, title: 'Close', onclick: () => this.close(id, true) },
      icon('<path d="M5 5l10 10M15 5L5 15"/>'));
    const body = h('div', { class: 'dock-body' });
    element.append(h('header', {}, h('h2', {}, title), close), body);
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      this.close(id, true);
    });
    const button = h('button', {
      type: 'button', class: 'rail-button', title, 'aria-label': title, 'aria-expanded': 'false', 'aria-controls': element.id,
      onclick: () => this.toggle(id),
    }, icon(shapes), h('span', {}, title));
    button.style.order = String(order);
    this.rail.append(button);
    this.#place(place).element.append(element);
    this.#docks.set(id, { id, place, element, body, button, load, content: null, built: null });
    this.page.actions.add({ id: `dock.${id}`, title: `${title}: open or close`, group: 'Panels', keys, run: () => this.toggle(id) });
    if ((this.page.address.get('panel') ?? '').split(' ').includes(id)) this.open(id, false);
  }

  /** @param {string} id */
  #dock(id) {
    const dock = this.#docks.get(id);
    if (!dock) throw new Error(`unknown dock ${id}`);
    return dock;
  }

  /** @param {string} name */
  #place(name) {
    const place = this.#places.get(name);
    if (!place) throw new Error(`unknown place ${name} for docks`);
    return place;
  }

  /** @param {string} id */
  isOpen(id) {
    return this.opened.includes(id);
  }

  /** @param {string} id */
  toggle(id) {
    if (this.isOpen(id)) this.close(id, true);
    else this.open(id);
  }

  /**
   * Opens a dock in place of the open one. Resolves when it is built.
   * @param {string} id
   * @param {boolean} [focus] whether to move the focus into the dock
   */
  async open(id, focus = true) {
    const dock = this.#dock(id);
    const place = this.#place(dock.place);
    if (place.open !== id) {
      if (place.open) this.close(place.open, false);
      if (SHEETS.matches) for (const other of this.opened) this.close(other);
      place.open = id;
      dock.element.hidden = false;
      dock.button.setAttribute('aria-expanded', 'true');
      document.body.dataset[`${dock.place}Dock`] = id;
      this.#changed(id);
    }
    if (focus) dock.element.focus({ preventScroll: true });
    dock.built ??= this.#build(dock);
    await dock.built;
    if (place.open === id) dock.content?.show?.();
  }

  /** @param {string} id @param {boolean} [focus] whether to move the focus back to the dock's button */
  close(id, focus = false) {
    const dock = this.#dock(id);
    const place = this.#place(dock.place);
    if (place.open !== id) return;
    const inside = dock.element.contains(document.activeElement);
    place.open = null;
    dock.element.hidden = true;
    dock.button.setAttribute('aria-expanded', 'false');
    delete document.body.dataset[`${dock.place}Dock`];
    dock.content?.hide?.();
    if (focus && inside) dock.button.focus();
    this.#changed(id);
  }

  /** Loads the contents of all docks, one after another, so that they can be opened later without a server. */
  async loadAhead() {
    for (const { load } of this.#docks.values()) await load().catch(() => {}); // opening the dock is another attempt
  }

  /** Builds a dock anew, because what it depends on has changed. @param {string} id */
  renew(id) {
    const dock = this.#dock(id);
    dock.built = null;
    dock.content = null;
    dock.body.replaceChildren();
    if (this.isOpen(id)) this.open(id, false);
  }

  /** @param {Dock} dock */
  async #build(dock) {
    dock.body.setAttribute('aria-busy', 'true');
    try {
      const content = await dock.load();
      content.build(dock.body, this.page);
      dock.content = content;
    } catch (error) {
      dock.built = null; // opening the dock again is another attempt
      dock.body.replaceChildren(h('p', { class: 'dock-fault' }, `This could not be loaded: ${/** @type {Error} */ (error).message}`));
    }
    dock.body.removeAttribute('aria-busy');
  }

  /** @param {string} value */
  #restore(value) {
    const wanted = value.split(' ');
    for (const id of this.opened) if (!wanted.includes(id)) this.close(id);
    for (const id of wanted) if (this.#docks.has(id)) this.open(id, false);
  }

  /** @param {string} id */
  #changed(id) {
    this.page.address.changed();
    this.emit('change', id);
  }
}
