// SPDX-License-Identifier: MIT
// The dock of people: the user's name, color and hand, and everyone in this world (roster.js).
import { h } from '../../ui/dom.js';
import { Roster } from './roster.js';
/** @import { Page } from '../../page/page.js' */

const SWATCHES = ['#e5484d', '#f76808', '#f5c518', '#30a46c', '#00c2d7', '#0091ff', '#7c5cff', '#e93d82'];
const SWATCH_NAMES = ['Red', 'Orange', 'Yellow', 'Green', 'Turquoise', 'Blue', 'Violet', 'Pink'];

/** The content of the dock. */
export class PeopleDock {
  #people;

  #introduce;

  /** @type {(() => void) | null} */
  #off = null;

  #timer = 0;

  /**
   * @param {import('../../page/people.js').People} people
   * @param {(identity: {name?: string, color?: string}) => Promise<{client: number, name: string, color: string, role:
   *   string}>} introduce sends the user's name and color to the server; rejects if refused
   */
  constructor(people, introduce) {
    this.#people = people;
    this.#introduce = introduce;
  }

  /** @param {HTMLElement} element @param {Page} page */
  build(element, page) {
    /** @type {Page} */
    this.page = page;
    /** @type {HTMLInputElement} */
    this.name = h('input', { id: 'you-name', type: 'text', maxlength: 40, autocomplete: 'nickname', spellcheck: 'false' });
    /** @type {HTMLInputElement} */
    this.color = h('input', { id: 'you-color', type: 'color' });
    /** @type {HTMLParagraphElement} */
    this.fault = h('p', { class: 'people-fault', role: 'alert' });
    /** @type {HTMLButtonElement[]} */
    this.swatches = SWATCHES.map((color, i) => {
      const swatch = h('button', { type: 'button', class: 'swatch', 'aria-label': SWATCH_NAMES[i], title: SWATCH_NAMES[i], onclick: () => this.#choose({ color }) });
      swatch.style.setProperty('--person', color);
      return swatch;
    });
    const form = h('form', { class: 'you', onsubmit: (event) => event.preventDefault() },
      h('div', {}, h('label', { for: 'you-name' }, 'Your name'), this.name),
      h('div', {}, h('label', { for: 'you-color' }, 'Your color'), this.color),
      h('div', { class: 'swatches', role: 'group', 'aria-label': 'Colors' }, this.swatches),
      this.fault);
    this.name.addEventListener('change', () => this.#choose({ name: this.name.value.trim() }));
    this.color.addEventListener('change', () => this.#choose({ color: this.color.value }));
    /** @type {HTMLHeadingElement} */
    this.count = h('h3', { id: 'people-count' });
    /** @type {HTMLUListElement} */
    this.list = h('ul', { class: 'people', 'aria-labelledby': 'people-count' });
    this.roster = new Roster(page, this.list);
    /** @type {HTMLButtonElement} */
    this.hand = h('button', { type: 'button', class: 'plain-button', onclick: () => page.actions.run('people.hand') });
    page.following.on('change', () => this.#soon());
    element.append(form, h('div', { class: 'dock-row' }, this.hand), this.count, this.list);
  }

  show() {
    this.#off ??= this.#people.on('change', () => this.#soon());
    this.#fill();
  }

  hide() {
    this.#off?.();
    this.#off = null;
  }

  // A user who drags a selection box changes the selection many times per second.
  #soon() {
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      if (this.#off) this.#fill();
    }, 100);
  }

  /** @param {{name?: string, color?: string}} identity */
  async #choose(identity) {
    this.fault.textContent = '';
    if (identity.name === '') {
      this.#fill(true);
      return;
    }
    try {
      this.#people.update(await this.#introduce(identity));
    } catch (error) {
      this.fault.textContent = /** @type {Error} */ (error).message;
    }
  }

  #fill(force = false) {
    const own = this.#people.find(this.#people.own);
    for (const control of [this.name, this.color, ...this.swatches]) control.disabled = !own;
    if (own && (force || document.activeElement !== this.name)) this.name.value = own.name;
    if (own && document.activeElement !== this.color) this.color.value = own.color;
    SWATCHES.forEach((color, i) => this.swatches[i].setAttribute('aria-pressed', String(own?.color === color)));
    const { list } = this.#people;
    this.count.textContent = list.length === 1 ? 'Only you are here' : `${list.length} people here`;
    this.hand.disabled = !own;
    this.hand.textContent = own?.hand ? 'Lower hand' : 'Raise hand';
    this.hand.setAttribute('aria-pressed', String(Boolean(own?.hand)));
    this.roster?.fill();
  }
}
