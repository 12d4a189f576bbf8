// SPDX-License-Identifier: MIT
// A form of fields (fields.js), each with its label, unit, permitted range, and error message.
import { h } from '../../ui/dom.js';
import { range, readField } from './fields.js';
/** @import { Field } from './fields.js' */
/** @import { Values } from './kinds.js' */

let forms = 0;

/** @param {Field} field @param {HTMLInputElement | HTMLSelectElement} input */
function writtenIn(field, input) {
  return field.kind === 'boolean' ? /** @type {HTMLInputElement} */ (input).checked : input.value;
}

/**
 * A row of the form; `chosen` tells whether a colour is set.
 * @typedef {{field: Field, input: HTMLInputElement | HTMLSelectElement, chosen?: HTMLInputElement, fault: HTMLElement}} Row
 */

/** A form in an element. Calls `changed` with the values when all input is valid. */
export class Form {
  /** @type {Map<string, Row>} */
  #inputs = new Map();

  /**
   * @param {import('./fields.js').Field[]} main fields that are always visible @param {import('./fields.js').Field[]} more fields behind “More”
   * @param {Values} values initial values @param {(values: Values) => void} changed
   */
  constructor(main, more, values, changed) {
    this.changed = changed;
    /** @type {import('./kinds.js').Kind | null} the kind that the form belongs to */
    this.kind = null;
    this.prefix = `build-${++forms}`;
    this.element = h('div', { class: 'build-fields' }, main.map((field) => this.#row(field, values[field.name])));
    if (more.length > 0) {
      this.element.append(h('details', {}, h('summary', {}, 'More'), more.map((field) => this.#row(field, values[field.name]))));
    }
    this.element.addEventListener('input', () => this.#read());
  }

  /** The values of the form, without empty fields; null if a field is invalid. */
  get values() {
    /** @type {Values} */
    const values = {};
    for (const [name, { field, input, chosen }] of this.#inputs) {
      if (chosen && !chosen.checked) continue;
      const { value, fault } = readField(field, writtenIn(field, input));
      if (fault) return null;
      if (value !== undefined && value !== (field.kind === 'boolean' ? Boolean(field.fallback) : undefined)) values[name] = value;
    }
    return values;
  }

  /** @param {Values} values values that were changed by other controls */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      const { input } = this.#inputs.get(name) ?? {};
      if (input && document.activeElement !== input && input.type !== 'checkbox') input.value = value;
    }
    this.#mark();
  }

  /** Moves the focus to the first invalid field. */
  focusFault() {
    const wrong = [...this.#inputs.values()].find(({ input }) => input.getAttribute('aria-invalid') === 'true');
    wrong?.input.closest('details')?.setAttribute('open', '');
    wrong?.input.focus();
  }

  /** @param {Field} field @param {any} value */
  #row(field, value) {
    const id = `${this.prefix}-${field.name}`;
    const fault = h('p', { id: `${id}-fault`, class: 'build-fault', hidden: true });
    const { input, chosen } = this.#control(field, id, value);
    const label = h('label', { for: id }, field.title, field.unit ? h('small', {}, ` ${field.unit}`) : null);
    this.#inputs.set(field.name, { field, input, chosen, fault });
    return h('div', { class: `build-row build-${field.kind}` }, label, chosen, input, fault);
  }

  /** @param {Field} field @param {string} id @param {any} value */
  #control(field, id, value) {
    const allowed = range(field).trim();
    const help = [field.help, allowed && `Allowed: ${allowed}.`].filter(Boolean).join(' ');
    const described = { id, 'aria-describedby': `${id}-fault`, title: help || null };
    const written = value ?? '';
    switch (field.kind) {
      case 'boolean':
        return { input: h('input', { ...described, type: 'checkbox', checked: value ?? Boolean(field.fallback) }) };
      case 'choice': {
        const options = field.choices.map((choice) => h('option', { value: choice }, choice));
        const input = h('select', described, field.fallback === undefined ? h('option', { value: '' }, '–') : null, options);
        input.value = value ?? field.fallback ?? '';
        return { input };
      }
      case 'color': {
        const chosen = h('input', { type: 'checkbox', checked: value !== undefined, 'aria-label': `Set ${field.title.toLowerCase()}` });
        const input = h('input', { ...described, type: 'color', value: written || '#d9573f', oninput: () => { chosen.checked = true; } });
        return { input, chosen };
      }
      default:
        return {
          input: h('input', {
            ...described, type: 'text', value: written, autocomplete: 'off', spellcheck: 'false', inputmode: field.kind === 'text' ? null : 'decimal',
            placeholder: field.fallback ?? 'None',
          }),
        };
    }
  }

  #mark() {
    let sound = true;
    for (const { field, input, fault } of this.#inputs.values()) {
      const found = readField(field, writtenIn(field, input)).fault;
      fault.hidden = !found;
      fault.textContent = found ?? '';
      if (found) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
      sound &&= !found;
    }
    return sound;
  }

  #read() {
    const sound = this.#mark();
    const { values } = this;
    if (sound && values) this.changed(values);
  }
}
