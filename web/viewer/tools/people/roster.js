// SPDX-License-Identifier: MIT
// The roster: a row for each person with role, raised hand and activity, and what can be done: follow, lower the hand, and for
// owners change the role and remove. Raised hands come first. Rows are kept, so that focus and open menus survive changes.
import { h } from '../../ui/dom.js';
import { countRuns } from './runs.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Person } from '../../page/people.js' */

/** @type {Record<string, string>} */
const ROLES = { viewer: 'View only', editor: 'Editor', admin: 'Owner' };

/**
 * @typedef {object} Row
 * @property {HTMLElement} item @property {HTMLElement} dot @property {HTMLElement} name @property {HTMLElement} facts
 * @property {HTMLButtonElement} follow @property {HTMLButtonElement} lower @property {HTMLSelectElement} role @property {HTMLButtonElement} remove
 */

export class Roster {
  /** @type {Map<number, Row>} rows by client */
  #rows = new Map();

  /** @param {Page} page @param {HTMLElement} list */
  constructor(page, list) {
    this.page = page;
    this.list = list;
  }

  fill() {
    const { list } = this.page.people;
    const sorted = list.sort((a, b) => (a.hand ?? Infinity) - (b.hand ?? Infinity) || 0);
    for (const client of [...this.#rows.keys()]) if (!list.some((person) => person.client === client)) this.#rows.delete(client);
    const items = sorted.map((person) => this.#update(person));
    const same = items.length === this.list.children.length && items.every((item, at) => item === this.list.children[at]);
    if (!same) this.list.replaceChildren(...items);
  }

  /** @param {number} client @returns {Row} */
  #make(client) {
    const { page } = this;
    const button = (/** @type {string} */ text, /** @type {() => unknown} */ onclick) => (
      /** @type {HTMLButtonElement} */ (h('button', { type: 'button', class: 'plain-button', onclick }, text)));
    /** @type {Row} */
    const row = {
      dot: h('i', { class: 'person-dot' }), name: h('b'), facts: h('small'),
      follow: button('Follow', () => (page.following.client === client ? page.following.stop() : page.following.start(client))),
      lower: button('Lower hand', () => page.call('hand.lower', client === page.people.own ? {} : { client })),
      role: /** @type {HTMLSelectElement} */ (h('select', { class: 'entry-field', onchange: () => this.#grant(client, row.role) },
        h('option', { value: 'editor' }, ROLES.editor), h('option', { value: 'viewer' }, ROLES.viewer))),
      remove: button('Remove', () => this.#remove(client, row.remove)),
      item: h('li'),
    };
    row.remove.addEventListener('blur', () => calm(row.remove));
    row.item.append(row.dot, h('div', {}, row.name, row.facts, h('div', { class: 'person-actions' }, row.lower, row.follow, row.role, row.remove)));
    this.#rows.set(client, row);
    return row;
  }

  /** @param {Person} person */
  #update(person) {
    const { people, role: ownRole, following } = this.page;
    const { client, name, color, role, hand } = person;
    const row = this.#rows.get(client) ?? this.#make(client);
    const own = client === people.own;
    const administers = ownRole === 'admin' && !own;
    row.dot.style.setProperty('--person', color);
    row.name.title = name;
    row.name.replaceChildren(h('bdi', {}, name), own ? ' (you)' : '');
    row.facts.textContent = [ROLES[role], hand && 'hand raised', ...this.#activities(person)].filter(Boolean).join(' · ');
    row.item.toggleAttribute('data-hand', Boolean(hand));
    row.lower.hidden = !hand || (!own && !administers);
    row.follow.hidden = own;
    row.follow.textContent = following.client === client ? 'Stop following' : 'Follow';
    row.role.hidden = row.remove.hidden = !administers || role === 'admin';
    if (role !== 'admin' && document.activeElement !== row.role) row.role.value = role;
    row.lower.setAttribute('aria-label', own ? 'Lower hand' : `Lower the hand of ${name}`);
    row.follow.setAttribute('aria-label', `${row.follow.textContent} ${name}`);
    row.role.setAttribute('aria-label', `Role of ${name}`);
    if (row.remove.dataset.sure === undefined) row.remove.setAttribute('aria-label', `Remove ${name}`);
    return row.item;
  }

  /** @param {Person} person */
  #activities({ grabs, selection, pointer, follows, presents }) {
    const { page } = this;
    const activities = [];
    if (presents) activities.push('presenting');
    const followed = follows ? page.people.find(follows) : undefined;
    if (followed) activities.push(`following ${follows === page.people.own ? 'you' : followed.name}`);
    for (const { object, particles } of grabs.values()) {
      activities.push(particles.length === 1 ? `holding particle ${particles[0]} of ${page.nameOf(object)}` : `holding ${page.nameOf(object)}`);
    }
    const { objects, particles } = selection;
    const selected = [];
    if (objects.length > 0) selected.push(objects.length === 1 ? page.nameOf(objects[0]) : `${objects.length} objects`);
    const count = countRuns(particles);
    if (count > 0) selected.push(count === 1 ? '1 particle' : `${count} particles`);
    if (selected.length > 0) activities.push(`selected ${selected.join(' and ')}`);
    if (pointer) activities.push('pointing');
    return activities;
  }

  /** @param {number} client @param {HTMLSelectElement} select */
  async #grant(client, select) {
    const role = /** @type {'viewer' | 'editor'} */ (select.value);
    const granted = await this.page.call('people.grant', { client, role });
    if (!granted) select.value = this.page.people.find(client)?.role ?? role;
  }

  /** Removing is confirmed by a second press; leaving the button cancels it. @param {number} client @param {HTMLButtonElement} button */
  async #remove(client, button) {
    const name = this.page.people.find(client)?.name ?? '';
    if (button.dataset.sure === undefined) {
      button.dataset.sure = '';
      button.textContent = 'Really remove?';
      button.setAttribute('aria-label', `Really remove ${name} from this world?`);
      return;
    }
    calm(button);
    await this.page.call('people.remove', { client, reason: 'the owner removed you from this world' });
  }
}

/** @param {HTMLButtonElement} button */
function calm(button) {
  delete button.dataset.sure;
  button.textContent = 'Remove';
}
