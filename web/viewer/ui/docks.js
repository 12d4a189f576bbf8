// SPDX-License-Identifier: MIT
// Docks: panels for the tools, beside and below the picture, which gets the room that is left. On small screens they are sheets
// at the bottom, one at a time. The list of tools ("rail"), opened by the button Tools, opens and closes docks; elsewhere one dock
// per place is open. Sizes and open docks are remembered. The content of a dock is loaded and built when it is first opened.
import { Emitter } from '../../client/emitter.js';
import { inBrowser } from '../settings/storage.js';
import { h, icon, one } from './dom.js';
import { Resizer } from './resizer.js';

const PLACES = /** @type {const} */ (['left', 'right', 'bottom']);
const SHEETS = matchMedia('(max-width: 860px), (max-height: 500px)'); // small screens, as in docks.css
const UPRIGHT = matchMedia('(min-height: 501px), (orientation: portrait)'); // sheets lie across the whole width, not at the right
const KEY = 'weft.docks'; // in the browser's storage

/** @typedef {{build(element: HTMLElement, page: import('../page/page.js').Page): void, show?(): void, hide?(): void}} DockContent */

/**
 * @typedef {object} Dock
 * @property {string} id @property {string} place
 * @property {HTMLElement} element @property {HTMLElement} body @property {HTMLButtonElement} button
 * @property {() => Promise<DockContent>} load
 * @property {DockContent | null} content once it is built @property {Promise<void> | null} built set when building begins
 */

/** @typedef {(typeof PLACES)[number]} PlaceName */
/** @typedef {{element: HTMLElement, open: string | null, resizer: Resizer}} Place */

/**
 * The rail and its docks. Emits 'change' with the id of a dock that was opened or closed.
 * @extends {Emitter<{change: string}>}
 */
export class Docks extends Emitter {
  /** @type {Map<string, Dock>} */
  #docks = new Map();

  /** @type {Map<string, Place>} */
  #places = new Map();

  /** What is remembered: sizes in CSS pixels, by place; ids of open docks; whether the list of tools is open. */
  #kept = remembered();

  #openBefore = this.#kept.open; // when the page was left

  #tools;

  /** @param {import('../page/page.js').Page} page @param {HTMLElement} rail the list of tools @param {HTMLButtonElement} tools the button that opens it */
  constructor(page, rail, tools) {
    super();
    this.page = page;
    this.rail = rail;
    this.#tools = tools;
    for (const name of PLACES) this.#places.set(name, this.#makePlace(name));
    tools.addEventListener('click', () => this.showTools(rail.hidden === true, true));
    rail.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.showTools(false, true);
    });
    this.showTools(this.#kept.rail && !SHEETS.matches);
    page.actions.add({ id: 'tools', title: 'Show or hide the list of tools', group: 'Panels', run: () => this.showTools(rail.hidden === true, true) });
    this.#publishStage(one(document, '#stage'));
    page.address.add('panel', {
      read: () => this.opened.join(' ') || null,
      write: (value) => this.#restore(value ?? ''),
    });
  }

  /** @param {PlaceName} name @returns {Place} */
  #makePlace(name) {
    const element = one(document, `#docks-${name}`);
    element.hidden = true;
    const side = () => (!SHEETS.matches ? name : UPRIGHT.matches ? 'bottom' : 'right');
    const kept = () => (SHEETS.matches ? `sheet-${side()}` : name);
    const apply = () => element.style.setProperty('--size', kept() in this.#kept.sizes ? `${this.#kept.sizes[kept()]}px` : '');
    const resizer = new Resizer({
      label: `Size of the ${name} panel`,
      side,
      read: () => (side() === 'bottom' ? element.offsetHeight : element.offsetWidth),
      write: (size) => {
        if (size === null) delete this.#kept.sizes[kept()];
        else this.#kept.sizes[kept()] = size;
        apply();
        this.#keep();
      },
    });
    for (const query of [SHEETS, UPRIGHT]) query.addEventListener('change', apply);
    apply();
    element.append(resizer.element);
    return { element, open: null, resizer };
  }

  /** Publishes the distances of the picture from the edges of the window, for what lies over the picture. @param {HTMLElement} stage */
  #publishStage(stage) {
    const notes = one(document, '#over-bottom');
    const publish = () => {
      const { left, right, top, bottom } = stage.getBoundingClientRect();
      const foot = notes.offsetHeight > 0 ? notes.getBoundingClientRect().top : bottom; // what lies over the picture at its bottom
      const distances = { left, top, right: window.innerWidth - right, low: window.innerHeight - bottom, foot: window.innerHeight - foot };
      for (const [name, distance] of Object.entries(distances)) document.documentElement.style.setProperty(`--${name}`, `${Math.round(distance)}px`);
    };
    const observer = new ResizeObserver(publish);
    observer.observe(stage);
    observer.observe(notes);
    window.addEventListener('resize', publish);
    publish();
  }

  /** Shows or hides the list of tools. @param {boolean} shown @param {boolean} [focus] whether to move the focus to it, or back */
  showTools(shown, focus = false) {
    const inside = this.rail.contains(document.activeElement);
    if (shown && SHEETS.matches) for (const other of this.opened) this.close(other);
    this.rail.hidden = !shown;
    this.#tools.setAttribute('aria-expanded', String(shown));
    if (shown && focus) /** @type {HTMLElement | null} */ (this.rail.querySelector('.rail-button'))?.focus({ preventScroll: true });
    if (!shown && inside && focus) this.#tools.focus();
    if (SHEETS.matches) return;
    this.#kept.rail = shown;
    this.#keep();
  }

  #keep() {
    this.#kept.open = this.opened;
    inBrowser.setValue(KEY, this.#kept);
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
   * @param {PlaceName} dock.place
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
    button.dataset.order = String(order);
    const next = /** @type {HTMLElement[]} */ ([...this.rail.children]).find((other) => Number(other.dataset.order) > order);
    this.rail.insertBefore(button, next ?? null); // the Tab key goes down the list
    this.#place(place).element.append(element);
    this.#docks.set(id, { id, place, element, body, button, load, content: null, built: null });
    this.page.actions.add({ id: `dock.${id}`, title: `Show or hide ${title}`, group: 'Panels', keys, run: () => this.toggle(id) });
    const linked = this.page.address.get('panel');
    const wanted = linked === null && !SHEETS.matches ? this.#openBefore : (linked ?? '').split(' ');
    if (wanted.includes(id) && !this.page.embed) this.open(id, false);
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
      if (SHEETS.matches) {
        for (const other of this.opened) this.close(other);
        this.showTools(false);
      }
      place.open = id;
      place.element.hidden = dock.element.hidden = false;
      place.resizer.update();
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
    place.element.hidden = dock.element.hidden = true;
    dock.button.setAttribute('aria-expanded', 'false');
    delete document.body.dataset[`${dock.place}Dock`];
    dock.content?.hide?.();
    if (focus && inside) (this.rail.hidden ? this.#tools : dock.button).focus();
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
      dock.body.replaceChildren(h('p', { class: 'dock-fault' }, `This panel could not be loaded: ${/** @type {Error} */ (error).message}`));
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
    if (!SHEETS.matches) this.#keep();
    this.emit('change', id);
  }
}

/** @returns {{rail: boolean, open: string[], sizes: Record<string, number>}} */
function remembered() {
  const kept = /** @type {Record<string, any>} */ (inBrowser.value(KEY) ?? {});
  const sizes = Object.entries(Object(kept.sizes)).filter(([, size]) => Number.isFinite(size) && /** @type {number} */ (size) > 0);
  return {
    rail: kept.rail === true,
    open: Array.isArray(kept.open) ? kept.open.filter((id) => typeof id === 'string') : [],
    sizes: /** @type {Record<string, number>} */ (Object.fromEntries(sizes)),
  };
}
