// SPDX-License-Identifier: MIT
// What was written in the console before, kept by the browser.

const KEY = 'weft.console';
const KEPT = 200;

// Anybody may have written there, and a browser may refuse.
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string').slice(-KEPT) : [];
  } catch {
    return [];
  }
}

export class Past {
  #texts = read();

  #at = this.#texts.length;

  #draft = ''; // what was being written when somebody went back

  /** @param {string} text that was run */
  add(text) {
    if (this.#texts.at(-1) !== text) this.#texts.push(text);
    if (this.#texts.length > KEPT) this.#texts.shift();
    this.#at = this.#texts.length;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#texts));
    } catch {
      // it is there until the page is left
    }
  }

  /** One further back (−1) or on (1). @param {string} present what stands in the field @returns {string|null} null: no further */
  go(direction, present) {
    const next = this.#at + direction;
    if (next < 0 || next > this.#texts.length) return null;
    if (this.#at === this.#texts.length) this.#draft = present;
    this.#at = next;
    return this.#texts[next] ?? this.#draft;
  }
}
