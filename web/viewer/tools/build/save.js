// SPDX-License-Identifier: MIT
// Saves the world as a scene, which all clients of this server can load.
import { h } from '../../ui/dom.js';
import { sceneNameOf, showName } from '../../ui/names.js';

const TITLE_MAX = 64;

/** The part of the dock that saves. */
export class SavePart {
  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.name = h('input', {
      id: 'build-save-name', type: 'text', autocomplete: 'off', spellcheck: 'false', maxlength: 80, placeholder: 'My scene', 'aria-describedby': 'build-save-note build-save-said',
    });
    this.note = h('p', { id: 'build-save-note', class: 'build-said' });
    showName(this.name, this.note, sceneNameOf);
    this.heading = h('input', { id: 'build-save-title', type: 'text', autocomplete: 'off', maxlength: 64, placeholder: 'My scene' });
    this.replace = h('input', { id: 'build-save-replace', type: 'checkbox' });
    this.said = h('p', { id: 'build-save-said', class: 'build-said', role: 'status' });
    this.button = h('button', { type: 'submit', class: 'build-primary' }, 'Save');
    this.element = h('form', { class: 'build-part', 'aria-label': 'Save scene', novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      this.save();
    } },
    h('h3', {}, 'Save scene'),
    h('div', { class: 'build-row' }, h('label', { for: 'build-save-name' }, 'Name'), this.name), this.note,
    h('div', { class: 'build-row' }, h('label', { for: 'build-save-title' }, 'Title'), this.heading),
    h('div', { class: 'build-row build-boolean' }, h('label', { for: 'build-save-replace' }, 'Replace an existing scene'), this.replace),
    this.said, this.button);
  }

  focus() {
    this.name.focus();
  }

  /** @param {boolean} usable */
  setUsable(usable) {
    this.button.disabled = !usable;
  }

  async save() {
    const typed = this.name.value.trim();
    if (typed === '') {
      this.name.setAttribute('aria-invalid', 'true');
      this.#say('Enter a name.', true);
      this.name.focus();
      return;
    }
    this.name.removeAttribute('aria-invalid');
    const name = sceneNameOf(typed);
    // The title attribute shows the typed text.
    const title = this.heading.value.trim() || (name === typed ? '' : [...typed].slice(0, TITLE_MAX).join(''));
    this.button.disabled = true;
    this.#say('Saving…');
    try {
      const params = { name, ...(title && { title }), ...(this.replace.checked && { overwrite: true }) };
      const answer = await this.page.ask('scene.save', params); // a refusal is shown in the form
      this.page.journal.add('scene.save', params, answer);
      const { commands } = answer;
      this.#say(`Saved as ${name}: ${commands} ${commands === 1 ? 'command' : 'commands'} rebuild it.`);
    } catch (error) {
      this.#say(/** @type {Error} */ (error).message, true);
    }
    this.button.disabled = !this.page.editable;
  }

  /** @param {string} text */
  #say(text, bad = false) {
    this.said.textContent = text;
    this.said.classList.toggle('build-fault', bad);
  }
}
