// SPDX-License-Identifier: MIT
// Assignments: one link from which each student gets a copy of this world as it is now. Each assignment is listed with its link,
// how many copies are taken, the wall that shows them all, and a button that removes the copies and the assignment.
import { h } from '../../ui/dom.js';
import { showName, worldNameOf } from '../../ui/names.js';
import { reachableOrigin } from '../../page/reachable.js';
import { isLocalPage } from '../../page/world_address.js';
/** @import { Page } from '../../page/page.js' */

const COPIES = 30;
const COPIES_MAX = 63;
const NAME_MAX = 61;
const REFRESH_MS = 3000;
const ALONE = 'Only this machine can open this link. Start weftd with --host 0.0.0.0 to let others in.';

/** @typedef {import('../../../client/protocol.js').WorldListResult['worlds'][number]} World */

export class Assignments {
  /** @type {Map<string, {item: HTMLElement, facts: HTMLElement}>} rows by the original's name */
  #rows = new Map();

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {HTMLInputElement} */
    this.name = h('input', { id: 'assignment-name', type: 'text', class: 'entry-field', maxlength: NAME_MAX, required: true, autocomplete: 'off', spellcheck: 'false' });
    /** @type {HTMLInputElement} */
    this.count = h('input', { id: 'assignment-count', type: 'number', class: 'entry-field', min: 1, max: COPIES_MAX, value: COPIES, required: true });
    this.note = h('p', { role: 'status' });
    showName(this.name, this.note, worldNameOf);
    /** @type {HTMLButtonElement} */
    this.make = h('button', { type: 'submit', class: 'strong' }, 'Make link');
    this.list = h('ul', { class: 'assignments', 'aria-label': 'Assignments' });
    this.element = h('section', { hidden: isLocalPage() }, h('h3', {}, 'A copy for each student'),
      h('p', { class: 'faint' }, 'Everyone who opens the link gets their own copy of this world as it is now, and finds it again later.'),
      h('form', { onsubmit: (/** @type {SubmitEvent} */ event) => this.#make(event) },
        h('p', { class: 'labelled' }, h('label', { for: 'assignment-name' }, 'Name'), this.name),
        h('p', { class: 'labelled' }, h('label', { for: 'assignment-count' }, 'Copies at most'), this.count), this.make, this.note),
      this.list);
    for (const name of /** @type {const} */ (['state', 'hello', 'usable'])) page.on(name, () => this.#update());
    this.#update();
  }

  show() {
    this.refresh();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.refresh(), REFRESH_MS);
  }

  hide() {
    clearInterval(this.#timer);
  }

  #update() {
    const { client, role } = this.page;
    const may = client.state === 'open' && role === 'admin';
    for (const control of [this.name, this.count, this.make]) control.disabled = !may;
    if (!this.name.value && client.hello) this.name.value = `${client.hello.world}-copy`.slice(-NAME_MAX);
  }

  /** @param {SubmitEvent} event */
  async #make(event) {
    event.preventDefault();
    const made = await this.page.call('world.branch', { name: worldNameOf(this.name.value), copies: Number(this.count.value) });
    if (made) await this.refresh();
  }

  async refresh() {
    if (this.page.client.state !== 'open' || isLocalPage()) return;
    const { worlds } = await this.page.ask('world.list').catch(() => ({ worlds: /** @type {World[]} */ ([]) }));
    const originals = worlds.filter(({ copies }) => copies);
    for (const { name } of originals) if (!this.#rows.has(name)) this.#rows.set(name, await this.#row(name));
    for (const name of [...this.#rows.keys()]) if (!originals.some((world) => world.name === name)) this.#rows.delete(name);
    for (const { name, copies = 0 } of originals) {
      const taken = worlds.filter(({ copyOf }) => copyOf === name);
      const here = taken.filter(({ clients }) => clients > 0).length;
      const row = this.#rows.get(name);
      if (row) row.facts.textContent = `${taken.length} of ${copies} copies taken, ${here} in use`;
    }
    const items = originals.map(({ name }) => /** @type {HTMLElement} */ (this.#rows.get(name)?.item));
    if (items.length !== this.list.children.length || items.some((item, at) => item !== this.list.children[at])) this.list.replaceChildren(...items);
  }

  /** @param {string} name */
  async #row(name) {
    const { origin, alone } = await reachableOrigin();
    const link = new URL(`${location.pathname}?world=${encodeURIComponent(name)}&copy`, origin).href;
    const wall = `${location.pathname}?world=${encodeURIComponent(name)}&wall`;
    /** @type {HTMLInputElement} */
    const field = h('input', { class: 'entry-field', readonly: true, value: link, 'aria-label': `Link to ${name}`, onfocus: () => field.select() });
    const status = h('p', { role: 'status' });
    const facts = h('p', { class: 'faint' });
    /** @type {HTMLButtonElement} */
    const remove = h('button', { type: 'button', class: 'plain-button', 'aria-label': `Remove ${name} and its copies`, onclick: () => this.#remove(name, remove) }, 'Remove');
    remove.addEventListener('blur', () => calm(remove, name));
    const copy = async () => {
      let copied = true;
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        field.select(); // without a secure connection the browser denies access to the clipboard
        copied = document.execCommand('copy');
      }
      status.textContent = copied ? 'Copied the link.' : 'The browser does not allow copying. Copy the selected text yourself.';
    };
    const item = h('li', {}, h('strong', {}, name), facts, field, alone ? h('p', { class: 'faint' }, ALONE) : null,
      h('div', { class: 'dock-row' }, h('button', { type: 'button', class: 'plain-button', 'aria-label': `Copy the link to ${name}`, onclick: copy }, 'Copy link'),
        h('a', { class: 'link-button', href: wall, 'aria-label': `Open the wall of ${name}` }, 'Open wall'), remove), status);
    return { item, facts };
  }

  /** A second press removes the original and all its copies. @param {string} name @param {HTMLButtonElement} button */
  async #remove(name, button) {
    if (button.dataset.sure === undefined) {
      button.dataset.sure = '';
      button.textContent = 'Really remove?';
      button.setAttribute('aria-label', `Really remove ${name} and its copies, with all that was done in them?`);
      return;
    }
    calm(button, name);
    const { worlds } = await this.page.ask('world.list');
    const { world: here } = this.page.client.hello ?? {};
    const gone = [...worlds.filter(({ copyOf }) => copyOf === name).map((world) => world.name), name].filter((world) => world !== here);
    for (const world of gone) if (!await this.page.call('world.remove', { name: world }, { asked: true })) break;
    await this.refresh();
  }
}

/** @param {HTMLButtonElement} button @param {string} name */
function calm(button, name) {
  delete button.dataset.sure;
  button.textContent = 'Remove';
  button.setAttribute('aria-label', `Remove ${name} and its copies`);
}
