// SPDX-License-Identifier: MIT
// The page's values in the browser's storage. The browser may refuse to store values, and other pages may have written
// arbitrary text. If storing fails, values last as long as the page is open, and callers need not handle the failure.
class Store {
  #storage;

  /** @type {Map<string, string | null>} values that the browser refused to store; null for removed ones */
  #here = new Map();

  /** @param {() => Storage} storage throws if the browser allows no storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @param {string} key @returns {string|null} */
  text(key) {
    const here = this.#here.get(key);
    if (here !== undefined) return here;
    try {
      return this.#storage().getItem(key);
    } catch {
      return null;
    }
  }

  /** @param {string} key @returns {unknown} the parsed JSON value; null if the text is not JSON */
  value(key) {
    try {
      return JSON.parse(this.text(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string|null} text null removes the value */
  setText(key, text) {
    try {
      if (text === null) this.#storage().removeItem(key);
      else this.#storage().setItem(key, text);
      this.#here.delete(key);
    } catch {
      this.#here.set(key, text);
    }
  }

  /** @param {string} key @param {unknown} value a value that JSON can represent */
  setValue(key, value) {
    this.setText(key, JSON.stringify(value));
  }
}

/** Shared by all pages of this origin in this browser, until the storage is cleared. */
export const inBrowser = new Store(() => localStorage);
/** Limited to this tab, and preserved when the page is reloaded. */
export const inTab = new Store(() => sessionStorage);
