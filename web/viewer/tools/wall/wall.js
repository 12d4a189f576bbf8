// SPDX-License-Identifier: MIT
// A grid of all copies of this world. One small renderer draws them in turn, within a budget for each picture of the page, so that
// twenty copies cost no more than one large picture.
import { startWorker } from '../../../client/start_worker.js';
import { SharedPicture } from '../../scene/shared_picture.js';
import { optionFor, withoutLink } from '../../page/world_address.js';
import { h } from '../../ui/dom.js';
import { Tile } from './tile.js';
/** @import { Page } from '../../page/page.js' */

const ABOVE = ['toasts', 'overlay', 'login']; // elements that stay above the wall
const REFRESH_MS = 2000;
const BUDGET_MS = 8; // for drawing, in each picture of the page

/** @param {string} world */
function addressOf(world) {
  const url = new URL(withoutLink(location.href));
  for (const option of ['wall', 'camera', 'copy']) url.searchParams.delete(option);
  url.searchParams.set('world', optionFor(world));
  return url.href;
}

export class Wall {
  /** @type {Map<string, Tile>} by the names of the worlds */
  #tiles = new Map();

  #turn = 0; // the tile that is looked at next

  /** @type {(() => void)[]} */
  #stops = [];

  /** @type {HTMLElement[]} */
  #beneath = [];

  /** @param {Page} page @param {() => void} leave called when the user closes the wall */
  constructor(page, leave) {
    this.page = page;
    this.title = h('h2', {}, 'Copies');
    this.status = h('p', { role: 'status' });
    this.list = h('ul', { class: 'tiles', 'aria-label': 'Copies' });
    this.host = h('div', { class: 'wall-stage', 'aria-hidden': 'true' });
    this.element = h('section', { class: 'wall', 'aria-label': 'Wall of copies', tabindex: -1 },
      h('header', {}, this.title, this.status, h('button', { type: 'button', class: 'plain-button', onclick: leave }, 'Close wall')), this.list, this.host);
    this.element.addEventListener('keydown', (event) => {
      event.stopPropagation(); // keys of the page must not act beneath the wall
      if (event.key === 'Escape') leave();
    });
  }

  open() {
    const { page } = this;
    this.#beneath = [...document.body.children].filter((element) => element instanceof HTMLElement).filter(({ id, inert }) => !ABOVE.includes(id) && !inert);
    for (const element of this.#beneath) element.inert = true;
    document.body.append(this.element);
    page.covered = true;
    this.picture = new SharedPicture(this.host, page.stage.themeName);
    this.worker = startWorker();
    this.element.focus({ preventScroll: true });
    const timer = setInterval(() => this.refresh(), REFRESH_MS);
    this.#stops = [
      () => clearInterval(timer),
      page.on('picture', () => this.#draw()),
      page.on('hello', () => this.refresh()),
      page.on('theme', (theme) => this.picture?.setTheme(theme)),
    ];
    this.refresh();
  }

  async refresh() {
    const { page } = this;
    const { world: original, you } = page.client.hello ?? {};
    if (page.client.state !== 'open' || !original || !you) return;
    const { worlds } = await page.ask('world.list').catch(() => ({ worlds: /** @type {import('../../../client/protocol.js').WorldListResult['worlds']} */ ([]) }));
    if (!this.picture || !this.worker || worlds.length === 0) return;
    const copies = worlds.filter(({ copyOf }) => copyOf === original).map(({ name }) => name).sort(new Intl.Collator('en', { numeric: true }).compare);
    for (const [name, tile] of this.#tiles) if (!copies.includes(name)) this.#remove(name, tile);
    for (const name of copies) {
      if (this.#tiles.has(name)) continue;
      const tile = new Tile(name, addressOf(name), this.picture, this.worker);
      this.#tiles.set(name, tile);
      tile.open(page.people.find(page.people.own) ?? you).catch(() => {}); // the tile says so, and its client tries again
    }
    this.#arrange(copies);
    this.title.textContent = `Copies of ${original}`;
    this.status.textContent = copies.length === 0 ? 'No one has opened the link yet.' : `${copies.length} ${copies.length === 1 ? 'copy' : 'copies'}`;
  }

  /** Raised hands come first. @param {string[]} copies */
  #arrange(copies) {
    const tiles = copies.flatMap((name) => this.#tiles.get(name) ?? []).sort((a, b) => Number(b.hasHand) - Number(a.hasHand));
    const items = tiles.map(({ item }) => item);
    if (items.length !== this.list.children.length || items.some((item, at) => item !== this.list.children[at])) this.list.replaceChildren(...items);
  }

  /** @param {string} name @param {Tile} tile */
  #remove(name, tile) {
    this.#tiles.delete(name);
    tile.close();
  }

  #draw() {
    const tiles = [...this.#tiles.values()];
    const end = performance.now() + BUDGET_MS;
    for (let looked = 0; looked < tiles.length && performance.now() < end; looked++) tiles[this.#turn++ % tiles.length].draw();
  }

  close() {
    for (const stop of this.#stops) stop();
    for (const [name, tile] of this.#tiles) this.#remove(name, tile);
    this.picture?.dispose();
    this.picture = null;
    this.worker?.terminate();
    this.worker = null;
    this.element.remove();
    for (const element of this.#beneath) element.inert = false;
    this.page.covered = false;
    this.page.stage.element.focus({ preventScroll: true });
  }
}
