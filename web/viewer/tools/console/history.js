// SPDX-License-Identifier: MIT
// What was written in the console before, kept by the browser.
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

  #draft = ''; // what was being written when somebody went back

  /** @param {string} text that was run */
  add(text) {
    if (this.#texts.at(-1) !== text) this.#texts.push(text);
    if (this.#texts.length > KEPT) this.#texts.shift();
    this.#at = this.#texts.length;
    inBrowser.setValue(KEY, this.#texts);
  }

  /**
   * One further back (−1) or on (1). @param {string} present what stands in the field
   * @param {number} direction
   * @returns {string|null} null: no further
   */
  go(direction, present) {
    const next = this.#at + direction;
    if (next < 0 || next > this.#texts.length) return null;
    if (this.#at === this.#texts.length) this.#draft = present;
    this.#at = next;
    return this.#texts[next] ?? this.#draft;
  }
}
