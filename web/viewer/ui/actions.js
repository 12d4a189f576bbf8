// SPDX-License-Identifier: MIT
// The table of all actions with keys: the keyboard, the help and the command palette use the same list.
import { Emitter } from '../../client/emitter.js';

const APPLE = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '');
/** @type {Record<string, string>} */
const NAMES = { ' ': 'space', Esc: 'escape', Del: 'delete' };
/** @type {Record<string, string>} */
const SHOWN = {
  mod: APPLE ? '⌘' : 'Ctrl', shift: APPLE ? '⇧' : 'Shift', alt: APPLE ? '⌥' : 'Alt', space: 'Space', escape: 'Esc', delete: 'Del',
  enter: 'Enter', arrowleft: '←', arrowright: '→', arrowup: '↑', arrowdown: '↓',
};
const TYPING = 'input, select, textarea, [contenteditable], [role=textbox], .lil-gui';
const TEXT = 'input:not([type=range], [type=color], [type=checkbox], [type=radio]), textarea, [contenteditable], [role=textbox]';
const OWN_KEYS = new Set(['space', 'enter', 'arrowleft', 'arrowright', 'arrowup', 'arrowdown', 'home', 'end']); // keys that focused controls handle themselves

/**
 * The key of an event in the notation of actions: 'a', 'shift+a', 'mod+z', 'space', '?'. Shift is part of the notation only
 * for letters and named keys; for other characters it is part of the character.
 * @param {KeyboardEvent} event
 */
export function keyOf(event) {
  const key = NAMES[event.key] ?? event.key.toLowerCase();
  const shifted = event.shiftKey && (key.length > 1 || key !== event.key || key.toUpperCase() !== key);
  return `${event.ctrlKey || event.metaKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shifted ? 'shift+' : ''}${key}`;
}

/** A key as displayed: 'mod+shift+z' is 'Ctrl Shift Z'. @param {string} key */
export function keyWords(key) {
  return (key === '+' ? ['+'] : key.split('+')).map((part) => SHOWN[part] ?? part.toUpperCase()).join(' ');
}

/**
 * @typedef {object} Action
 * @property {string} id @property {string} title title, as on a button
 * @property {string} group its group in the help @property {string[]} keys see keyOf
 * @property {() => unknown} run may return a promise @property {() => boolean} enabled whether the action is possible now
 */

/**
 * The table of actions. Emits 'change' when an action is added, and 'fault' with the Error of a failed action.
 * @extends {Emitter<{change: undefined, fault: Error}>}
 */
export class Actions extends Emitter {
  /** @type {Map<string, Action>} */
  #actions = new Map();

  /** @type {Map<string, string>} */
  #keys = new Map();

  /** @param {Document} target the element whose key events count */
  constructor(target) {
    super();
    target.addEventListener('keydown', (event) => this.#press(event));
  }

  /**
   * @param {Omit<Action, 'keys' | 'enabled'> & Partial<Action>} action an action; without keys it has no shortcut, and
   *   without `enabled` it is always possible
   */
  add({ id, title, group, keys = [], run, enabled = () => true }) {
    if (this.#actions.has(id)) throw new Error(`the action ${id} already exists`);
    for (const key of keys) {
      if (this.#keys.has(key)) throw new Error(`the key ${key} of ${id} already belongs to ${this.#keys.get(key)}`);
      this.#keys.set(key, id);
    }
    this.#actions.set(id, { id, title, group, keys, run, enabled });
    this.emit('change');
  }

  /** All actions, in the order of addition. */
  list() {
    return [...this.#actions.values()];
  }

  /** Runs an action if it is enabled. @param {string} id @returns {boolean} whether it was run */
  run(id) {
    const action = this.#actions.get(id);
    if (!action?.enabled()) return false;
    Promise.resolve(action.run()).catch((error) => this.emit('fault', error));
    return true;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.defaultPrevented || event.isComposing || document.getElementById('stage')?.inert) return; // the page is covered: see setCovered()
    const key = keyOf(event);
    const id = this.#keys.get(key);
    if (!id || (event.repeat && !key.includes('arrow'))) return;
    const target = /** @type {Partial<Element>} */ (event.target); // the target may be the document, which is no element
    const typing = target.closest?.(TYPING);
    if (typing && !(key.startsWith('mod+') && !typing.matches(TEXT)) && key !== 'escape') return;
    if (target.closest?.('button, a, summary, [role=menu], [role=listbox], [role=slider], [role=tab]') && OWN_KEYS.has(key)) return;
    if (this.run(id)) event.preventDefault();
  }
}
