// SPDX-License-Identifier: MIT
// The history of the console's input, stored by the browser.
import { inBrowser } from '../../settings/storage.js';

const KEY = 'weft.console';
const KEPT = 200;

function read() {
  const kept = inBrowser.value(KEY);
  return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string').slice(-KEPT) : [];
}

export class History {
  #texts = read();

  #at = this.#texts.length;

  #draft = ''; // the unfinished input before the user went back in the history

  /** @param {string} text the executed text */
  add(text) {
    if (this.#texts.at(-1) !== text) this.#texts.push(text);
    if (this.#texts.length > KEPT) this.#texts.shift();
    this.#at = this.#texts.length;
    inBrowser.setValue(KEY, this.#texts);
  }

  /**
   * Moves one entry back (−1) or forward (1). @param {string} present the current text of the field
   * @param {number} direction
   * @returns {string|null} null at the end of the history
   */
  go(direction, present) {
    const next = this.#at + direction;
    if (next < 0 || next > this.#texts.length) return null;
    if (this.#at === this.#texts.length) this.#draft = present;
    this.#at = next;
    return this.#texts[next] ?? this.#draft;
  }
}
