// SPDX-License-Identifier: MIT
// Shared views: a presenter shares a view, and pages whose users allow it move to that view, with a way back. A user who is
// dragging an object is not moved.
import { h, one } from '../../ui/dom.js';
/** @import { Vector } from '../../../client/topology.js' */

const NOTE_MS = 12000;

/** Sends this page's view, and follows those of presenters. */
export class Views {
  /** @type {HTMLElement | null} */
  #note = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = 0;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    page.client.on('view.shown', (shown) => { if (shown.client !== page.client.hello?.session) this.#shown(shown); });
    page.client.on('state', ({ state }) => { if (state !== 'open') this.#drop(); });
  }

  /** Moves all other pages to this page's view. */
  show() {
    const numbers = this.page.stage.rig.read();
    return this.page.call('view.show', { eye: /** @type {Vector} */ (numbers.slice(0, 3)), target: /** @type {Vector} */ (numbers.slice(3)) });
  }

  /** @param {{eye: number[], target: number[]}} view */
  #shown({ eye, target }) {
    const there = [...eye, ...target];
    const { rig } = this.page.stage;
    const back = rig.read();
    if (this.page.following.followsPresenters && this.page.grabControls.drags.size === 0 && rig.write(there, true)) {
      this.#tell('A presenter is showing you this view.', 'Go back', () => rig.write(back, true));
    } else {
      this.#tell('A presenter is sharing a view.', 'Show view', () => rig.write(there, true));
    }
  }

  /** @param {string} text @param {string} label @param {() => void} act */
  #tell(text, label, act) {
    this.#drop();
    const button = h('button', { type: 'button', onclick: () => { act(); this.#drop(); } }, label);
    this.#note = h('div', { id: 'view-note', role: 'status' }, h('span', {}, text), button);
    one(document, '#over-bottom').append(this.#note);
    this.#timer = setTimeout(() => this.#drop(), NOTE_MS);
  }

  #drop() {
    clearTimeout(this.#timer);
    if (this.#note?.contains(document.activeElement)) this.page.stage.element.focus({ preventScroll: true });
    this.#note?.remove();
    this.#note = null;
  }
}
