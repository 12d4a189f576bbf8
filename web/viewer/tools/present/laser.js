// SPDX-License-Identifier: MIT
// The laser: a large labelled mark where a presenter points, visible to all. Marks are elements over the picture, moved only
// while there are any. A presenter's pointer is sent while it moves, and repeatedly while it rests, so that a mark without
// updates can be removed.
import { h } from '../../ui/dom.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Ray } from '../../scene/stage.js' */

const SEND_MS = 50; // minimum interval between two moves
const RESEND_MS = 700; // interval while the pointer rests, at least; at most half as long again
const EXPIRE_MS = 2500; // a mark is removed this long after its last update
const FAR = 1000; // m

/** @typedef {{element: HTMLElement, label: HTMLElement, position: number[], heard: number}} LaserMark */

/** The marks of all lasers, by client. */
export class Lasers {
  /** @type {Map<number, LaserMark>} */
  #marks = new Map();

  /** @type {Map<number, string>} names by client */
  #names = new Map();

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.element = h('div', { id: 'lasers', 'aria-hidden': 'true' });
    page.stage.element.after(this.element);
    const { client } = page;
    client.on('pointer.moved', ({ client: id, position, laser }) => {
      if (laser && position) this.put(id, position);
      else this.remove(id);
    });
    for (const event of /** @type {const} */ (['client.joined', 'client.changed'])) client.on(event, ({ client: id, name }) => this.#name(id, name));
    client.on('client.left', ({ client: id }) => {
      this.remove(id);
      this.#names.delete(id);
    });
    client.on('state', ({ state }) => { if (state !== 'open') this.clear(); });
    client.on('hello', ({ session, you }) => {
      this.#names.clear();
      this.#name(session, you?.name);
    });
    page.on('picture', () => { if (this.#marks.size > 0) this.#place(); });
  }

  /** @param {number} id @param {string | undefined} name */
  #name(id, name) {
    if (!name) return;
    this.#names.set(id, name);
    const mark = this.#marks.get(id);
    if (mark) mark.label.textContent = name;
  }

  /** Requests the names of clients that were present before this page. @param {number} id */
  async #ask(id) {
    this.#names.set(id, '');
    const { people } = await this.page.ask('people.list').catch(() => ({ people: [] }));
    for (const { client, name } of people) this.#name(client, name);
  }

  /** @param {number} id id of the client @param {number[]} position position in the world */
  put(id, position) {
    let mark = this.#marks.get(id);
    if (!mark) {
      if (!this.#names.has(id)) this.#ask(id);
      const label = h('span', {}, this.#names.get(id) ?? '');
      mark = { element: h('div', { class: 'laser' }, h('i', {}), label), label, position, heard: 0 };
      this.#marks.set(id, mark);
      this.element.append(mark.element);
    }
    mark.position = position;
    mark.heard = performance.now();
  }

  /** @param {number} id */
  remove(id) {
    this.#marks.get(id)?.element.remove();
    this.#marks.delete(id);
  }

  clear() {
    for (const id of [...this.#marks.keys()]) this.remove(id);
  }

  #place() {
    const now = performance.now();
    for (const [id, { element, position, heard }] of this.#marks) {
      if (now - heard > EXPIRE_MS) this.remove(id);
      const { x, y } = this.page.stage.project(position);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}

/** The point where a ray meets an object, an obstacle or the floor; null in the sky. @param {Ray} ray @param {Page} page */
function meets({ origin, direction }, page) {
  const hit = page.world.pick({ origin, direction }, 0, true);
  if (hit) return hit.point;
  const floor = (page.world.floorHeight() - origin[1]) / direction[1];
  const distance = Math.min(page.world.obstacleDistance(origin, direction), floor > 0 ? floor : Infinity);
  if (!(distance < FAR)) return null;
  return direction.map((value, axis) => origin[axis] + distance * value);
}

/** The user's own laser. */
export class Pointing {
  /** @param {import('../../page/page.js').Page} page @param {Lasers} lasers */
  constructor(page, lasers) {
    this.page = page;
    this.lasers = lasers;
    this.on = false;
    /** @type {number[] | null} position of the pointer */
    this.at = null;
    this.sent = -Infinity;
    /** @type {Set<(on: boolean) => void>} */
    this.listeners = new Set();
    this.waiting = false;
    const { element } = page.stage;
    /** @param {PointerEvent} event */
    const follow = (event) => { if (this.on && event.isPrimary) this.#move(event); };
    element.addEventListener('pointermove', follow, { capture: true });
    // Handled before grabs and camera control: a finger either points or does one of these, a mouse does both.
    window.addEventListener('pointerdown', (event) => {
      if (!this.on || !element.contains(/** @type {Node} */ (event.target))) return;
      follow(event);
      if (event.pointerType === 'touch') event.stopPropagation();
    }, { capture: true });
    element.addEventListener('pointerleave', (event) => { if (this.on && event.pointerType === 'mouse') this.#hide(); });
    page.client.on('state', ({ state }) => { if (state !== 'open') this.set(false); });
    setInterval(() => { if (this.on && this.at && performance.now() - this.sent > RESEND_MS) this.#send(); }, RESEND_MS / 2);
  }

  // The id of this page's client; 0 without a connection.
  get #own() {
    return this.page.client.hello?.session ?? 0;
  }

  toggle() {
    this.set(!this.on);
  }

  /** @param {boolean} on */
  set(on) {
    if (on === this.on) return;
    this.on = on;
    document.body.toggleAttribute('data-pointing', on);
    if (!on) this.#hide();
    for (const listener of this.listeners) listener(on);
  }

  #hide() {
    if (this.at) this.page.client.notify('pointer.move', {});
    this.at = null;
    this.lasers.remove(this.#own);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const at = meets(this.page.stage.ray(event.clientX, event.clientY), this.page);
    if (!at) return;
    this.at = at;
    this.lasers.put(this.#own, at);
    if (this.waiting) return;
    const wait = SEND_MS - (performance.now() - this.sent);
    if (wait <= 0) {
      this.#send();
      return;
    }
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      if (this.on && this.at) this.#send();
    }, wait);
  }

  #send() {
    this.sent = performance.now();
    if (!this.at) return;
    this.lasers.put(this.#own, this.at);
    this.page.client.notify('pointer.move', { position: /** @type {import('../../../client/topology.js').Vector} */ (this.at), laser: true });
  }
}
