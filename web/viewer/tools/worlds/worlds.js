// SPDX-License-Identifier: MIT
// The worlds of the server and their clients: enter, make, branch, leave and remove worlds. Entering follows a link: the page
// is loaded again with the other world, so the browser's back button returns.
import { inTab } from '../../settings/storage.js';
import { sceneOptions } from '../../ui/chapters.js';
import { h, one } from '../../ui/dom.js';
import { showName, worldNameOf } from '../../ui/names.js';
import { addressOf } from './address.js';
/** @import { Page } from '../../page/page.js' */

const REFRESH_MS = 2000;

/** @type {Worlds | null} */
let panel = null;

/** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
export function build(element, page) {
  panel = new Worlds(element, page);
}

export function show() {
  panel?.show();
}

export function hide() {
  panel?.hide();
}

const FIRST_SCENE = 'room'; // the default scene of a new world: it has a floor for objects to land on

/** @typedef {import('../../../client/protocol.js').WorldListResult['worlds'][number]} World */

/**
 * A row of the list; `shown` are the displayed clients, as JSON.
 * @typedef {{item: HTMLElement, facts: HTMLElement, people: HTMLElement, leave: HTMLAnchorElement, remove: HTMLButtonElement, shown: string}} Entry
 */

class Worlds {
  /** @type {Map<string, Entry>} rows by name */
  #entries = new Map();

  #aside = ''; // the displayed worlds that were set aside, as JSON

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer = 0;

  /** @param {HTMLElement} element @param {Page} page */
  constructor(element, page) {
    this.page = page;
    this.list = h('ul', { class: 'world-list', 'aria-label': 'Worlds' });
    this.aside = h('ul', { class: 'world-list', 'aria-label': 'Unavailable worlds', hidden: true });
    this.notice = h('p', { class: 'dock-notice' });
    this.status = h('p', { class: 'dock-status', role: 'status' });
    this.scenes = h('select', { class: 'entry-field', 'aria-label': 'Scene of the new world' }, h('option', { value: FIRST_SCENE }, 'Empty room'));
    this.made = this.form('New world', 'Name of the new world', 'Create & open', (name) => this.make(name), this.scenes);
    this.branched = this.form('Duplicate this world', 'Name of the copy', 'Duplicate & open', (name) => this.branch(name));
    element.append(this.list, this.aside, this.notice, this.branched, this.made, this.status);
    page.on('hello', () => {
      this.showRole();
      if (page.docks.isOpen('worlds')) this.show();
    });
    page.client.on('state', () => this.showRole());
    this.showRole();
  }

  /**
   * A field, a button, and further elements.
   * @param {string} title @param {string} label @param {string} action @param {(name: string) => unknown} run @param {...HTMLElement} more
   */
  form(title, label, action, run, ...more) {
    const name = h('input', { class: 'entry-field', name: 'name', 'aria-label': label, placeholder: label, required: true, maxlength: 80, autocomplete: 'off', spellcheck: 'false' });
    const note = h('p', { class: 'world-facts', role: 'status' });
    showName(name, note, worldNameOf);
    /** @param {SubmitEvent} event */
    const submit = async (event) => {
      event.preventDefault();
      await run(worldNameOf(name.value));
    };
    return h('form', { class: 'world-form', onsubmit: submit }, h('h3', {}, title), ...more.map((field) => h('div', { class: 'dock-row' }, field)),
      h('div', { class: 'dock-row' }, name, h('button', { type: 'submit', class: 'plain-button' }, action)), note);
  }

  show() {
    this.refresh();
    this.fillScenes();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.refresh(), REFRESH_MS);
  }

  hide() {
    clearInterval(this.#timer);
  }

  get here() {
    return this.page.client.hello?.world;
  }

  get administers() {
    return this.page.role === 'admin' && this.page.client.state === 'open';
  }

  // Functions for administrators are disabled for others, with an explanation.
  showRole() {
    const { role } = this.page;
    this.notice.hidden = role === 'admin';
    this.notice.textContent = `You are ${role === 'editor' ? 'an editor' : 'a viewer'} here. You can open worlds; only owners can create, duplicate and remove them.`;
    for (const control of [this.made, this.branched].flatMap((form) => [...form.elements])) {
      /** @type {HTMLButtonElement} */ (control).disabled = !this.administers;
    }
    for (const { remove } of this.#entries.values()) remove.disabled = !this.administers;
    const name = one(this.branched, '[name=name]', HTMLInputElement);
    if (!name.value && this.here) name.value = `${this.here}-2`.slice(-64);
  }

  async refresh() {
    if (this.page.client.state !== 'open') return;
    let worlds;
    let setAside;
    try {
      ({ worlds, setAside = [] } = await this.page.ask('world.list'));
    } catch (error) {
      this.status.textContent = `The worlds could not be listed: ${/** @type {Error} */ (error).message}`;
      return;
    }
    const known = this.#entries;
    const rows = worlds.map((world) => ({ world, entry: known.get(world.name) ?? this.entry(world.name) }));
    this.#entries = new Map(rows.map(({ world, entry }) => [world.name, entry]));
    const items = rows.map(({ entry }) => entry.item);
    if (items.length !== this.list.children.length || items.some((item, at) => item !== this.list.children[at])) this.list.replaceChildren(...items);
    for (const { world, entry } of rows) this.update(entry, world, worlds);
    this.showAside(setAside);
    this.status.textContent = worlds.length === 1 ? '1 world' : `${worlds.length} worlds`;
  }

  /**
   * Worlds that the server could not restore: they cannot be entered, but their data is not lost.
   * @param {{name: string, reason: string}[]} worlds
   */
  showAside(worlds) {
    const shown = JSON.stringify(worlds);
    if (shown === this.#aside) return;
    this.#aside = shown;
    this.aside.hidden = worlds.length === 0;
    this.aside.replaceChildren(...worlds.map(({ name, reason }) => h('li', { class: 'world-entry' },
      h('div', { class: 'world-head' }, h('strong', {}, `${name} · unavailable`)),
      h('span', { class: 'world-facts' }, `The server could not restore this world: ${reason}. Its data is still in the store; “weftctl salvage” recovers what is intact.`))));
  }

  /** @param {string} name @returns {Entry} */
  entry(name) {
    const here = name === this.here;
    const facts = h('span', { class: 'world-facts' });
    const people = h('ul', { class: 'world-people', 'aria-label': `People in ${name}` });
    const enter = h('a', { class: 'link-button', href: addressOf(name), 'aria-label': `Open ${name}`, hidden: here }, 'Open');
    const leave = h('a', { class: 'link-button', hidden: true });
    /** @type {HTMLButtonElement} */
    const remove = h('button', { type: 'button', class: 'plain-button', 'aria-label': `Remove ${name}`, disabled: !this.administers, onclick: () => this.remove(name, remove) }, 'Remove');
    remove.addEventListener('blur', () => this.calm(remove));
    const item = h('li', { class: 'world-entry', dataset: here ? { here: '' } : {}, 'aria-current': here ? 'true' : null },
      h('div', { class: 'world-head' }, h('strong', {}, name, here ? ' · you are here' : ''), enter, leave, remove), facts, people);
    return { item, facts, people, leave, remove, shown: '' };
  }

  /** @param {Entry} entry @param {World} world @param {World[]} worlds */
  update(entry, world, worlds) {
    const { name, running, particles, temporary, people = [], clients } = world;
    const told = `${running ? 'Running' : 'Paused'} · ${particles.toLocaleString('en')} particles${temporary ? ' · temporary' : ''}`;
    if (entry.facts.textContent !== told) entry.facts.textContent = told;
    if (name === this.here) this.offerLeaving(entry.leave, worlds);
    const shown = JSON.stringify([people, clients]);
    if (shown === entry.shown) return;
    entry.shown = shown;
    const dots = people.map(({ name: who, color, role }) => {
      const dot = h('i', { 'aria-hidden': 'true' });
      dot.style.background = color;
      return h('li', {}, dot, `${who}${role === 'viewer' ? ' (viewer)' : ''}`);
    });
    const more = clients - people.length;
    entry.people.replaceChildren(...dots, ...(more > 0 ? [h('li', {}, people.length > 0 ? `and ${more} more` : `${more} here`)] : []), ...(clients === 0 ? [h('li', {}, 'Nobody here')] : []));
  }

  /** Leaving returns to the previous world, or to the first of the others. @param {HTMLAnchorElement} link @param {World[]} worlds */
  offerLeaving(link, worlds) {
    const others = worlds.map(({ name }) => name).filter((name) => name !== this.here);
    link.hidden = others.length === 0;
    if (link.hidden) return;
    const before = inTab.text('weft.before');
    const to = before !== null && others.includes(before) ? before : others[0];
    link.href = addressOf(to);
    link.textContent = `Leave and open ${to}`;
  }

  async fillScenes() {
    if (this.page.client.state !== 'open') return;
    try {
      const { scenes } = await this.page.ask('scene.list');
      const chosen = this.scenes.value || FIRST_SCENE;
      this.scenes.replaceChildren(...sceneOptions(scenes));
      this.scenes.value = scenes.some(({ name }) => name === chosen) ? chosen : scenes[0]?.name ?? '';
    } catch (error) {
      this.status.textContent = `The scenes could not be listed: ${/** @type {Error} */ (error).message}`;
    }
  }

  /** @param {string} name */
  async make(name) {
    if (await this.page.call('world.create', { name, scene: this.scenes.value })) this.go(name);
  }

  /** @param {string} name */
  async branch(name) {
    if (await this.page.call('world.branch', { name })) this.go(name);
  }

  /** @param {string} name */
  go(name) {
    location.assign(addressOf(name));
  }

  /** A removed world cannot be restored, so the user has to confirm. @param {string} name @param {HTMLButtonElement} button */
  async remove(name, button) {
    if (button.dataset.sure === undefined) {
      button.dataset.sure = '';
      button.textContent = 'Confirm removal';
      button.setAttribute('aria-label', `Confirm removal of ${name} and its history`);
      return;
    }
    this.calm(button);
    const removed = this.page.call('world.remove', { name });
    if (name !== this.here) {
      if (await removed) this.refresh();
      return;
    }
    // The server closes the connections of clients in a removed world, often before it replies.
    const away = this.#entries.get(name)?.leave.href ?? location.pathname;
    const sent = new Promise((resolve) => { this.page.client.on('state', ({ state }) => { if (state === 'closed') resolve(true); }); });
    if (await Promise.race([removed, sent])) location.assign(away);
  }

  /** @param {HTMLButtonElement} button */
  calm(button) {
    delete button.dataset.sure;
    button.textContent = 'Remove';
    button.setAttribute('aria-label', `Remove ${button.closest('.world-entry')?.querySelector('strong')?.firstChild?.textContent}`);
  }
}
