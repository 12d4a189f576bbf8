// SPDX-License-Identifier: MIT
// The page's options in the address: parts of the page write their state into the search parameters, and read it when the
// page is opened or the user navigates back or forward.

const WRITE_MS = 300; // browsers limit the number of changes, to some hundred in half a minute

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

  /** @param {string} key @returns {string|null} the present value in the address */
  get(key) {
    return new URLSearchParams(location.search).get(key);
  }

  /**
   * @param {string} key
   * @param {object} option
   * @param {() => string|null} option.read returns the value to write; null for none
   * @param {(value: string|null) => void} option.write called with the value in the address: at the start if there is one,
   *   and when the user navigates back or forward; must ignore invalid values
   */
  add(key, { read, write }) {
    this.#options.set(key, { read, write });
    const value = this.get(key);
    if (value !== null) write(value);
  }

  /** The present value of an option, which the address has a little later. @param {string} key @returns {string | null} */
  read(key) {
    return this.#options.get(key)?.read() ?? null;
  }

  /** Gives an option a value, as if the user had come to it by the address. @param {string} key @param {string | null} value */
  set(key, value) {
    this.#options.get(key)?.write(value);
    this.changed();
  }

  /** Schedules writing the address after an option has changed; the new address replaces the present one. */
  changed() {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      const { href } = this;
      if (href !== location.href) history.replaceState(history.state, '', href);
    }, WRITE_MS);
  }

  /** The address of the present view. */
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
