// SPDX-License-Identifier: MIT
// The list of completions at the caret. The focus stays in the text field and the list is announced as its completions, as
// screen readers expect (combobox pattern).
import { h } from '../../ui/dom.js';
/** @import { Proposal } from '../../script/complete.js' */

export class Completion {
  /** @type {Proposal[]} */
  #proposals = [];

  #from = 0;

  #prefix = '';

  #active = -1;

  /** @param {string} id @param {HTMLTextAreaElement} field @param {(proposal: Proposal, from: number) => void} accept */
  constructor(id, field, accept) {
    this.id = id;
    this.field = field;
    this.accept = accept;
    this.list = h('ul', { id, class: 'proposals', role: 'listbox', 'aria-label': 'Suggestions' });
    this.count = h('p', { class: 'unseen', role: 'status' });
    this.element = h('div', { class: 'completion', hidden: true }, this.list, this.count);
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** The completion selected by arrow keys, if any. */
  get active() {
    return this.#proposals[this.#active] ?? null;
  }

  /** Whether Tab completes: if a word was begun or a completion selected. Otherwise Tab moves to the next control. */
  get canTake() {
    return this.isOpen && (this.#prefix !== '' || this.active !== null);
  }

  /** @param {Proposal[]} proposals @param {number} from start of the word at the caret @param {string} prefix the typed part of the word */
  show(proposals, from, prefix) {
    this.#proposals = proposals;
    this.#from = from;
    this.#prefix = prefix;
    this.element.hidden = proposals.length === 0;
    this.list.replaceChildren(...proposals.map((proposal, index) => h('li', {
      id: `${this.id}-${index}`, role: 'option', 'aria-selected': 'false',
      onpointerdown: (event) => event.preventDefault(), // keeps the focus in the text field
      onclick: () => this.#take(index),
    }, h('b', {}, proposal.label), h('span', {}, proposal.detail))));
    this.count.textContent = proposals.length > 0 ? `${proposals.length} suggestions` : '';
    this.#choose(-1);
  }

  close() {
    this.show([], 0, '');
  }

  /** Selects the next or previous completion; before the first, none. @param {number} direction */
  move(direction) {
    const next = this.#active + direction;
    this.#choose(next >= this.#proposals.length ? 0 : next);
    return true;
  }

  take() {
    this.#take(Math.max(0, this.#active));
  }

  /** @param {number} index */
  #take(index) {
    const proposal = this.#proposals[index];
    this.accept(proposal, this.#from);
    this.field.focus();
  }

  /** @param {number} index */
  #choose(index) {
    this.list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = index;
    const chosen = this.list.children[index];
    if (chosen) {
      chosen.setAttribute('aria-selected', 'true');
      chosen.scrollIntoView({ block: 'nearest' });
      this.field.setAttribute('aria-activedescendant', chosen.id);
    } else {
      this.field.removeAttribute('aria-activedescendant');
    }
  }
}
