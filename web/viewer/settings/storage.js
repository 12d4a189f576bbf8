// SPDX-License-Identifier: MIT
// What the browser keeps for this page. It may refuse, and anybody may have written there: then what is asked for was never
// kept, what is kept lasts as long as the page is open, and nobody has to see to that.
class Store {
  #storage;

  /** @type {Map<string, string | null>} what the browser refused to keep; null once removed */
  #here = new Map();

  /** @param {() => Storage} storage throws where the browser allows none */
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

  /** @param {string} key @returns {unknown} what its text says as JSON; null where it is none */
  value(key) {
    try {
      return JSON.parse(this.text(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string|null} text null: no longer */
  setText(key, text) {
    try {
      if (text === null) this.#storage().removeItem(key);
      else this.#storage().setItem(key, text);
      this.#here.delete(key);
    } catch {
      this.#here.set(key, text);
    }
  }

  /** @param {string} key @param {unknown} value what JSON can say */
  setValue(key, value) {
    this.setText(key, JSON.stringify(value));
  }
}

/** For all pages of this origin in this browser, until somebody clears it. */
export const inBrowser = new Store(() => localStorage);
/** For this tab, also after the page was loaded again. */
export const inTab = new Store(() => sessionStorage);
