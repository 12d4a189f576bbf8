// SPDX-License-Identifier: MIT
// The gallery: every scene of the server by chapter, with its picture, a search by words, and a button to load the scene; the loaded
// scene is marked.
import { chaptersOf } from '../../ui/chapters.js';
import { h } from '../../ui/dom.js';
import { Thumbnails } from './thumbnails.js';
/** @import { Page } from '../../page/page.js' */

/** @type {Gallery | null} */
let gallery = null;

/** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
export function build(element, page) {
  gallery = new Gallery(element, page);
}

export function show() {
  gallery?.show();
}

export function hide() {
  gallery?.thumbnails.setPaused(true);
}

/** @typedef {import('../../../client/protocol.js').SceneListResult['scenes'][number]} Scene */

/**
 * @typedef {object} Card
 * @property {string} [title] @property {string} [description] @property {HTMLElement} item @property {HTMLButtonElement | null} remove
 * @property {HTMLButtonElement} button @property {HTMLCanvasElement} canvas @property {HTMLElement} mark
 * @property {boolean} fresh whether the picture must be drawn @property {string} words text that the search matches
 */

class Gallery {
  /** @type {Map<string, Card>} cards by the name of the scene */
  #cards = new Map();

  /** @param {HTMLElement} element @param {Page} page */
  constructor(element, page) {
    this.page = page;
    this.search = h('input', { type: 'search', class: 'entry-field', placeholder: 'Search scenes', 'aria-label': 'Search scenes', oninput: () => this.filter() });
    this.notice = h('p', { class: 'dock-notice' });
    this.list = h('div', { class: 'scene-chapters' });
    this.status = h('p', { class: 'dock-status', role: 'status' });
    element.append(this.search, this.notice, this.list, this.status);
    /** @type {number | undefined} number of pictures that remain to be drawn */
    this.left = undefined;
    this.thumbnails = new Thumbnails(page, {
      progress: (left) => this.say(left),
      failed: (scene, reason) => this.fail(scene, reason),
    });
    page.on('state', () => this.mark());
    page.on('usable', () => this.mark());
    page.on('hello', () => this.fill());
    page.on('theme', () => this.takeAll());
    this.mark();
  }

  show() {
    this.thumbnails.setPaused(false);
    this.fill();
  }

  // When users save or delete scenes, the cards and pictures of the other scenes are kept.
  async fill() {
    if (this.page.client.state !== 'open') return;
    let scenes;
    try {
      ({ scenes } = await this.page.ask('scene.list'));
    } catch (error) {
      this.status.textContent = `The scenes could not be listed: ${/** @type {Error} */ (error).message}`;
      return;
    }
    const known = this.#cards;
    this.#cards = new Map(scenes.map((scene) => [scene.name, this.card(scene, known.get(scene.name))]));
    this.list.replaceChildren(...chaptersOf(scenes).map(({ title, scenes: members }) => h('section', {}, h('h3', {}, title),
      h('ul', { class: 'scene-cards', 'aria-label': title }, members.map(({ name }) => this.#cards.get(name)?.item)))));
    for (const [name, { canvas, fresh }] of this.#cards) if (fresh) this.thumbnails.wish(name, canvas);
    this.mark();
    this.filter();
  }

  /**
   * A saved scene may have been replaced by another one of the same name.
   * @param {Scene} scene @param {Card | undefined} known
   * @returns {Card}
   */
  card({ name, title, description, saved }, known) {
    if (known && known.title === title && known.description === description && !saved) return Object.assign(known, { fresh: false });
    const canvas = known?.canvas ?? h('canvas', { width: 3, height: 2, 'aria-hidden': 'true' });
    const mark = h('span', { class: 'scene-mark', hidden: true }, 'Loaded');
    const button = h('button', { type: 'button', class: 'scene-card', dataset: { scene: name }, onclick: () => this.load(name) },
      canvas, h('span', { class: 'scene-title' }, title || name, saved ? h('small', {}, ' saved here') : null, mark), h('span', { class: 'scene-text' }, description));
    const remove = saved ? this.deleteButton(name, title || name) : null;
    return { title, description, item: h('li', {}, button, remove), remove, button, canvas, mark, fresh: true, words: `${name} ${title} ${description}`.toLowerCase() };
  }

  /** A saved scene is deleted by a second press; leaving the button cancels the deletion. @param {string} name @param {string} title */
  deleteButton(name, title) {
    const calm = () => {
      delete remove.dataset.sure;
      remove.textContent = 'Delete';
      remove.setAttribute('aria-label', `Delete the saved scene ${title}`);
    };
    /** @type {HTMLButtonElement} */
    const remove = h('button', { type: 'button', class: 'plain-button scene-delete', onblur: () => calm(), onclick: () => this.remove(name, title, remove) });
    calm();
    return remove;
  }

  /** @param {string} name @param {string} title @param {HTMLButtonElement} button */
  async remove(name, title, button) {
    if (button.dataset.sure === undefined) {
      button.dataset.sure = '';
      button.textContent = 'Confirm deletion';
      button.setAttribute('aria-label', `Confirm deletion of the saved scene ${title}`);
      return;
    }
    button.disabled = true;
    try {
      const answer = await this.page.ask('scene.delete', { name }); // a refusal is shown in the gallery
      this.page.journal.add('scene.delete', { name }, answer);
      this.page.toasts.show(`The saved scene “${title}” was deleted.`);
      await this.fill();
    } catch (error) {
      this.page.toasts.show(`The saved scene “${title}” was not deleted: ${/** @type {Error} */ (error).message}`);
      button.disabled = false;
    }
  }

  /** @param {string} name */
  async load(name) {
    if (this.page.editable) await this.page.call('scene.load', { name });
    else this.page.toasts.show(reasonNotToLoad(this.page));
  }

  mark() {
    const { page } = this;
    this.notice.textContent = reasonNotToLoad(page);
    this.notice.hidden = this.notice.textContent === '';
    for (const [name, { button, mark, remove }] of this.#cards) {
      if (remove) remove.hidden = !page.editable;
      const loaded = page.state?.scene === name;
      mark.hidden = !loaded;
      button.setAttribute('aria-current', String(loaded));
      button.setAttribute('aria-disabled', String(!page.editable));
    }
  }

  filter() {
    const wanted = this.search.value.trim().toLowerCase().split(/\s+/);
    let found = 0;
    for (const { item, words } of this.#cards.values()) {
      item.hidden = !wanted.every((word) => words.includes(word));
      if (!item.hidden) found++;
    }
    for (const chapter of this.list.children) /** @type {HTMLElement} */ (chapter).hidden = !chapter.querySelector('li:not([hidden])');
    if (found === 0 && this.#cards.size > 0) this.status.textContent = `No scenes match “${this.search.value.trim()}”.`;
    else if (this.left !== undefined) this.say(this.left);
  }

  takeAll() {
    this.thumbnails.clear();
    for (const [name, { canvas }] of this.#cards) this.thumbnails.wish(name, canvas);
  }

  /** @param {number} left */
  say(left) {
    this.left = left;
    this.status.textContent = left > 0 ? `Rendering thumbnails: ${left} left` : `${this.#cards.size} scenes`;
  }

  /** @param {string} scene @param {string} reason */
  fail(scene, reason) {
    const card = this.#cards.get(scene);
    if (!card) return;
    card.canvas.dataset.failed = '';
    card.button.title = `No thumbnail: ${reason}`;
  }
}

/** @param {Page} page */
function reasonNotToLoad(page) {
  if (page.editable) return '';
  if (page.client.state !== 'open') return 'Not connected. You can load scenes once the connection is back.';
  if (page.frozen && !page.frozen.own) return 'This world is frozen. You can browse scenes, but not load them.';
  return 'View only. You can browse scenes, but only editors can load them.';
}
