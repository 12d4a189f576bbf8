// SPDX-License-Identifier: MIT
// The dock of objects and obstacles, to select them without a pointer: arrow keys move between rows, Enter or Space toggles
// the selection; particles of the object selected last are chosen by their numbers.
import { h } from '../../ui/dom.js';
/** @import { Obstacle, WorldObject } from '../../../client/topology.js' */
/** @import { Page } from '../../page/page.js' */
/** @import { Selection } from '../../page/selection.js' */

const ROWS_MAX = 500;
/** @type {(keyof import('../../../client/protocol.js').Events)[]} */
const OBSTACLE_NEWS = ['obstacle.added', 'obstacle.removed', 'obstacle.changed']; // the topology changes the list of objects; these events change obstacles and names

/** The content of the dock. */
export class ObjectsDock {
  /** @type {(() => void)[]} */
  #off = [];

  #timer = 0;

  #at = 0; // id of the focused row

  /** @param {import('./commands.js').SelectionCommands} commands */
  constructor(commands) {
    this.commands = commands;
  }

  /** @param {HTMLElement} element @param {Page} page */
  build(element, page) {
    /** @type {Page} */
    this.page = page;
    /** @type {HTMLDivElement} */
    this.list = h('div', { class: 'objects', role: 'listbox', tabindex: 0, 'aria-multiselectable': 'true', 'aria-label': 'Objects' });
    this.list.addEventListener('keydown', (event) => this.#press(event));
    this.list.addEventListener('focus', () => this.#mark());
    /** @type {HTMLParagraphElement} */
    this.more = h('p', { class: 'objects-more' });
    /** @type {HTMLInputElement} */
    this.indices = h('input', { type: 'text', id: 'objects-particles', inputmode: 'numeric', autocomplete: 'off', placeholder: '0-3, 7', spellcheck: 'false' });
    /** @type {HTMLParagraphElement} */
    this.fault = h('p', { class: 'people-fault', role: 'alert' });
    const form = h('form', { class: 'objects-particles', onsubmit: (event) => { event.preventDefault(); this.#choose(); } },
      h('label', { for: 'objects-particles' }, 'Particles by number'), this.indices, h('button', { type: 'submit' }, 'Select'), this.fault);
    element.append(this.list, this.more, form);
  }

  show() {
    if (this.#off.length === 0) this.#off = [
      this.page.selection.on('change', () => this.#soon()), this.page.on('topology', () => this.#soon()),
      ...OBSTACLE_NEWS.map((name) => this.page.client.on(name, () => this.#soon())),
    ];
    this.#fill();
  }

  hide() {
    for (const off of this.#off) off();
    this.#off = [];
  }

  #soon() {
    this.#timer ||= setTimeout(() => {
      this.#timer = 0;
      if (this.#off.length > 0) this.#fill();
    }, 60);
  }

  #fill() {
    const { client, selection } = this.page;
    const { objects = [], obstacles = [] } = client.topology ?? {};
    const things = [...objects, ...obstacles];
    this.list.replaceChildren(...things.slice(0, ROWS_MAX).map((thing) => this.#row(thing, selection)));
    this.more.textContent = things.length === 0 ? 'No objects yet.'
      : things.length > ROWS_MAX ? `${things.length - ROWS_MAX} more not listed.` : '';
    this.list.hidden = things.length === 0;
    if (!things.some(({ id }) => id === this.#at)) this.#at = things[0]?.id ?? 0;
    this.#mark();
  }

  /** @param {WorldObject | Obstacle} thing @param {Selection} selection */
  #row(thing, { objects, particles: chosen }) {
    const { id, name, color, shape } = thing;
    const kind = 'kind' in thing ? thing.kind : null;
    const some = chosen.get(id)?.size ?? 0;
    const words = 'kind' in thing
      ? [name && name !== kind && kind, `${thing.particles} particles`, thing.pins.length > 0 && `${thing.pins.length} pinned`, thing.asleep && 'asleep', some > 0 && `${some} selected`]
      : [shape, 'obstacle'];
    const dot = h('i', { class: 'person-dot' });
    dot.style.setProperty('--person', color ?? 'transparent');
    return h('div', {
      id: `object-${id}`, role: 'option', 'aria-selected': String(objects.has(id)), dataset: { object: id },
      onclick: () => this.#toggle(id),
    }, dot, h('div', {}, h('b', {}, name || `${kind ?? shape} ${id}`), h('small', {}, words.filter(Boolean).join(' · '))));
  }

  get #rows() {
    return [...this.list.children].filter((row) => row instanceof HTMLElement);
  }

  #mark() {
    for (const element of this.#rows) element.toggleAttribute('data-at', Number(element.dataset.object) === this.#at);
    const row = this.list.querySelector('[data-at]');
    if (row) this.list.setAttribute('aria-activedescendant', row.id);
    else this.list.removeAttribute('aria-activedescendant');
    row?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const rows = this.#rows;
    const now = rows.findIndex((row) => Number(row.dataset.object) === this.#at);
    /** @type {Record<string, number>} */
    const ways = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: rows.length - 1 };
    const to = ways[event.key];
    if (to !== undefined) {
      this.#at = Number(rows[Math.min(rows.length - 1, Math.max(0, to))]?.dataset.object ?? 0);
      this.#mark();
    } else if (event.key === 'Enter' || event.key === ' ') this.#toggle(this.#at);
    else return;
    event.preventDefault();
  }

  /** @param {number} id */
  #toggle(id) {
    const { selection } = this.page;
    this.#at = id;
    const objects = new Set(selection.objects);
    if (!objects.delete(id)) objects.add(id);
    selection.set({ objects, particles: selection.particles });
  }

  #choose() {
    const object = this.page.client.topology?.findObject(this.#at);
    this.fault.textContent = '';
    if (!object) {
      if (this.#at > 0) this.fault.textContent = 'Obstacles have no particles.';
      return;
    }
    const indices = readIndices(this.indices.value, object.particles);
    if (!indices) {
      this.fault.textContent = `Enter numbers from 0 to ${object.particles - 1}, such as 0-3, 7.`;
      return;
    }
    const { selection } = this.page;
    /** @type {Map<number, Iterable<number>>} */
    const particles = new Map(selection.particles);
    particles.set(object.id, indices);
    selection.set({ objects: [...selection.objects].filter((id) => id !== object.id), particles });
  }
}

/**
 * Parses a list of indices: '0-3, 7' is 0, 1, 2, 3, 7.
 * @param {string} text @param {number} count number of particles of the object
 * @returns {number[]|null} null if the text is invalid or an index is out of range
 */
export function readIndices(text, count) {
  const indices = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)\s*(?:[-–]\s*(\d+)\s*)?$/.exec(part);
    if (!match) return null;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (first > last || last >= count) return null;
    for (let index = first; index <= last; index++) indices.push(index);
  }
  return indices;
}
