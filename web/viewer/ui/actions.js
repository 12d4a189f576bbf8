// SPDX-License-Identifier: MIT
// All that can be done by a key, in one table: what the keyboard does, what the help shows and what the palette offers are
// the same list.
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
const OWN_KEYS = new Set(['space', 'enter', 'arrowleft', 'arrowright', 'arrowup', 'arrowdown', 'home', 'end']); // of focused controls

/**
 * The key of an event as actions name it: 'a', 'shift+a', 'mod+z', 'space', '?'. Shift is told of letters and named keys only:
 * with other characters it is part of which character it is.
 * @param {KeyboardEvent} event
 */
export function keyOf(event) {
  const key = NAMES[event.key] ?? event.key.toLowerCase();
  const shifted = event.shiftKey && (key.length > 1 || key !== event.key || key.toUpperCase() !== key);
  return `${event.ctrlKey || event.metaKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shifted ? 'shift+' : ''}${key}`;
}

/** A key as people read it: 'mod+shift+z' is 'Ctrl Shift Z'. @param {string} key */
export function keyWords(key) {
  return (key === '+' ? ['+'] : key.split('+')).map((part) => SHOWN[part] ?? part.toUpperCase()).join(' ');
}

/**
 * @typedef {object} Action
 * @property {string} id @property {string} title what it does, as on a button
 * @property {string} group where the help lists it @property {string[]} keys see keyOf
 * @property {() => unknown} run may return a promise @property {() => boolean} enabled whether it can be done now
 */

/**
 * The table of actions. Emits 'change' when it grows, and 'fault' with the Error of one that failed.
 * @extends {Emitter<{change: undefined, fault: Error}>}
 */
export class Actions extends Emitter {
  /** @type {Map<string, Action>} */
  #actions = new Map();

  /** @type {Map<string, string>} */
  #keys = new Map();

  /** @param {Document} target whose key presses count */
  constructor(target) {
    super();
    target.addEventListener('keydown', (event) => this.#press(event));
  }

  /**
   * @param {Omit<Action, 'keys' | 'enabled'> & Partial<Action>} action without keys none lead to it; it can always be done unless it says
   */
  add({ id, title, group, keys = [], run, enabled = () => true }) {
    if (this.#actions.has(id)) throw new Error(`there is an action ${id}`);
    for (const key of keys) {
      if (this.#keys.has(key)) throw new Error(`${key} is the key of ${this.#keys.get(key)}, ${id} wants it too`);
      this.#keys.set(key, id);
    }
    this.#actions.set(id, { id, title, group, keys, run, enabled });
    this.emit('change');
  }

  /** All of them, in the order they were added. */
  list() {
    return [...this.#actions.values()];
  }

  /** Does it, if it can be done now. @param {string} id @returns {boolean} whether it was */
  run(id) {
    const action = this.#actions.get(id);
    if (!action?.enabled()) return false;
    Promise.resolve(action.run()).catch((error) => this.emit('fault', error));
    return true;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.defaultPrevented || event.isComposing || document.getElementById('stage')?.inert) return; // covered: see setCovered()
    const key = keyOf(event);
    const id = this.#keys.get(key);
    if (!id || (event.repeat && !key.includes('arrow'))) return;
    const target = /** @type {Partial<Element>} */ (event.target); // the document is none
    const typing = target.closest?.(TYPING);
    if (typing && !(key.startsWith('mod+') && !typing.matches(TEXT)) && key !== 'escape') return;
    if (target.closest?.('button, a, summary, [role=menu], [role=listbox], [role=slider], [role=tab]') && OWN_KEYS.has(key)) return;
    if (this.run(id)) event.preventDefault();
  }
}
