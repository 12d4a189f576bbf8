// SPDX-License-Identifier: MIT
// The people in the world: an avatar for each at the top right. A click follows that person's camera; a frame around the picture in
// that person's color shows it, and a line of text says how to stop.
import { FollowingBar } from './bar.js';
import { h, icon, one } from '../../ui/dom.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Person } from '../../page/people.js' */

const SHOWN = 5;
const HAND = '<path d="M6.5 11V5.5a1.3 1.3 0 0 1 2.6 0V9V3.8a1.3 1.3 0 0 1 2.6 0V9V5a1.3 1.3 0 0 1 2.6 0v6.5c0 3.6-1.8 5.5-4.6 5.5-2.2 0-3.4-1-4.5-3L3.6 10.8a1.2 1.2 0 0 1 2-1.3z"/>';

/** The first letter of a name, as people see it. @param {string} name */
const initialOf = (name) => [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name.trim())][0]?.segment.toUpperCase() ?? '?';

/** Black or white, whichever is easier to read on a color. @param {string} color '#rrggbb' */
function inkOn(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff';
}

class Avatars {
  /** @type {Map<number, HTMLButtonElement>} buttons by client */
  #buttons = new Map();

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.nav = one(document, '#avatars');
    this.more = h('button', { type: 'button', class: 'avatar avatar-more', onclick: () => page.docks.open('people') });
    page.people.on('change', () => this.update());
    page.following.on('change', () => this.update());
  }

  update() {
    const { people } = this.page;
    // Hands that are up come first, then the user, then who has been here longest.
    const list = people.list.sort((a, b) => (a.hand ?? Infinity) - (b.hand ?? Infinity) || 0);
    const shown = list.length > SHOWN + 1 ? list.slice(0, SHOWN) : list;
    const elements = shown.map((person) => this.#button(person));
    const rest = list.length - shown.length;
    this.more.textContent = `+${rest}`;
    this.more.title = rest === 0 ? '' : list.slice(SHOWN).map(({ name }) => name).join(', ');
    this.more.setAttribute('aria-label', `${rest} more people`);
    const wanted = rest > 0 ? [...elements, this.more] : elements;
    for (const client of [...this.#buttons.keys()]) if (!shown.some((person) => person.client === client)) this.#buttons.delete(client);
    const same = wanted.length === this.nav.children.length && wanted.every((element, at) => element === this.nav.children[at]);
    if (!same) this.nav.replaceChildren(...wanted); // otherwise the focus would be lost
  }

  /** @param {Person} person */
  #button(person) {
    const { page } = this;
    const { client, name, color, hand } = person;
    let button = this.#buttons.get(client);
    if (!button) {
      button = /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: 'avatar', onclick: () => this.#press(client) }, h('span', {}), h('i', { class: 'avatar-hand' }, icon(HAND))));
      this.#buttons.set(client, button);
    }
    const own = client === page.people.own;
    const followed = page.following.client === client;
    button.style.setProperty('--person', color);
    button.style.setProperty('--on-person', inkOn(color));
    /** @type {HTMLElement} */ (button.firstElementChild).textContent = initialOf(name);
    button.title = [own ? `${name} (you)` : followed ? `${name}: stop following` : `${name}: follow`, hand && 'hand raised'].filter(Boolean).join(', ');
    button.setAttribute('aria-label', [own ? `${name} (you)` : name, hand && 'hand raised'].filter(Boolean).join(', '));
    button.toggleAttribute('data-hand', Boolean(hand));
    if (own) button.removeAttribute('aria-pressed');
    else button.setAttribute('aria-pressed', String(followed));
    return button;
  }

  /** @param {number} client */
  #press(client) {
    const { people, following, docks } = this.page;
    if (client === people.own) docks.open('people');
    else if (following.client === client) following.stop();
    else following.start(client);
  }
}

/** @param {Page} page */
export function install(page) {
  new FollowingBar(page);
  if (!page.embed) new Avatars(page).update();
}
