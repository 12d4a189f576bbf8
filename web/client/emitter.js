// SPDX-License-Identifier: MIT
// Named events with listeners. A listener that throws stops neither the others nor the connection: its error is reported as uncaught.

export class Emitter {
  #listeners = new Map();

  /**
   * @param {string} name
   * @param {(value: any) => void} listener
   * @returns {() => void} takes the listener off again
   */
  on(name, listener) {
    let set = this.#listeners.get(name);
    if (!set) this.#listeners.set(name, (set = new Set()));
    set.add(listener);
    return () => set.delete(listener);
  }

  /** @param {string} name @param {any} value */
  emit(name, value) {
    const set = this.#listeners.get(name);
    if (!set) return;
    for (const listener of [...set]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
