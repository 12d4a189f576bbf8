// SPDX-License-Identifier: MIT
// What a link shows again: parts of the page write themselves into the search parameters of the address, and are read from
// there when the page is opened or somebody goes back.

const WRITE_MS = 300; // browsers allow some hundred changes of the address in half a minute

/** The options in the address. */
export class Address {
  /** @type {Map<string, {read: () => string | null, write: (value: string | null) => void}>} */
  #options = new Map();

  /** @type {ReturnType<typeof setTimeout> | 0} */
  #timer = 0;

  constructor() {
    window.addEventListener('popstate', () => {
      clearTimeout(this.#timer || undefined);
      this.#timer = 0;
      for (const [key, option] of this.#options) option.write(this.get(key));
    });
  }

  /** @param {string} key @returns {string|null} what the address says now */
  get(key) {
    return new URLSearchParams(location.search).get(key);
  }

  /**
   * @param {string} key
   * @param {object} option
   * @param {() => string|null} option.read what to write; null: nothing
   * @param {(value: string|null) => void} option.write told what the address says: at once if it says something, and whenever
   *   somebody goes back or on. What makes no sense is to be passed over.
   */
  add(key, { read, write }) {
    this.#options.set(key, { read, write });
    const value = this.get(key);
    if (value !== null) write(value);
  }

  /** Something changed that may be in the address: it is written soon, in place of the present one. */
  changed() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      const { href } = this;
      if (href !== location.href) history.replaceState(history.state, '', href);
    }, WRITE_MS);
  }

  /** The address of what is seen now. */
  get href() {
    const url = new URL(location.href);
    for (const [key, option] of this.#options) {
      const value = option.read();
      if (value === null) url.searchParams.delete(key);
      else url.searchParams.set(key, value);
    }
    return url.href;
  }
}
