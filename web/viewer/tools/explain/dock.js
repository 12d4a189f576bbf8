// SPDX-License-Identifier: MIT
// The dock of the cards: one card at a time, chosen by the loaded scene or by the user.
import { h, one } from '../../ui/dom.js';
/** @import { Request, Try } from './card_parts.js' */
import { whyReadOnly } from '../../page/read_only.js';
import { CARDS } from './cards.js';
import { equation } from '../../ui/equation.js';

export class ExplainDock {
  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {string | null} name of the loaded scene */
    this.scene = null;
    /** @type {HTMLSelectElement} */
    this.select = h('select', { id: 'explain-scene', onchange: () => this.choose(this.select.value) },
      Object.entries(CARDS).map(([name, { title }]) => h('option', { value: name }, title)));
    /** @type {HTMLElement} */
    this.card = h('article', { class: 'card-text' });
    /** @type {HTMLParagraphElement} */
    this.why = h('p', { id: 'explain-why', class: 'why', hidden: true });
    element.classList.add('explain');
    element.append(h('p', { class: 'labelled' }, h('label', { for: 'explain-scene' }, 'Scene'), this.select), this.why, this.card);
    page.on('state', () => this.follow());
    page.on('usable', () => this.allow());
    this.follow();
  }

  // A newly loaded scene shows its card, whichever card was open.
  follow() {
    const scene = this.page.state?.scene ?? null;
    if (scene === this.scene && this.name) return;
    this.scene = scene;
    this.choose(scene !== null && CARDS[scene] ? scene : 'default');
  }

  /** @param {string} name name of a scene with a card */
  choose(name) {
    /** @type {string} */
    this.name = name;
    const { title, solved, equations, where, tries } = CARDS[name];
    this.select.value = name;
    this.card.replaceChildren(
      h('h3', {}, title),
      ...solved.map((text) => h('p', {}, text)),
      ...equations.map(([notation, words]) => h('div', { class: 'equation', tabindex: 0, role: 'group', 'aria-label': 'Equation' }, equation(notation, words))),
      h('dl', {}, where.map(([symbol, meaning]) => h('div', {}, h('dt', {}, symbol), h('dd', {}, meaning)))),
      h('div', { class: 'to-try' }, h('h4', {}, 'Try'),
        ...(name === this.scene ? [] : [h('p', {}, h('button', { type: 'button', class: 'strong', onclick: () => this.page.call('scene.load', { name }) }, 'Load scene'))]),
        h('ul', { class: 'tries' }, tries.map((one) => this.try(one)))));
    if (this.card.parentElement) this.card.parentElement.scrollTop = 0;
    this.allow();
  }

  /** @param {Try} try */
  try({ text, label, does }) {
    const run = () => (typeof does === 'function' ? does(this.page) : this.run(does ?? []));
    return h('li', {}, h('p', {}, text), label && h('button', { type: 'button', class: 'strong', onclick: run }, label));
  }

  /** @param {Request[]} requests */
  async run(requests) {
    for (const [method, params] of requests) {
      if (!await this.page.call(method, params)) return;
    }
  }

  // Disables the buttons whose commands are not allowed now, and says why. Viewers are never allowed to give them, so
  // they do not see the invitation to try.
  allow() {
    const why = whyReadOnly(this.page);
    one(this.card, '.to-try').hidden = this.page.role === 'viewer';
    this.why.textContent = why && `You can’t try these now: ${why}.`;
    this.why.hidden = !why;
    for (const button of this.card.querySelectorAll('button')) {
      button.disabled = why !== '';
      if (why) button.setAttribute('aria-describedby', 'explain-why');
      else button.removeAttribute('aria-describedby');
    }
  }
}
