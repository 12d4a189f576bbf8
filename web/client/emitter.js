// SPDX-License-Identifier: MIT
// Named events with listeners. A listener that throws stops neither the others nor the connection: its error is reported as uncaught.

/**
 * @template {object} [Events=Record<string, any>] name → what is told; any value of any name for an emitter that does not say
 */
export class Emitter {
  /** @type {Map<PropertyKey, Set<(value: any) => void>>} each listener takes what is told under its name */
  #listeners = new Map();

  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(value: Events[Name]) => void} listener
   * @returns {() => void} takes the listener off again
   */
  on(name, listener) {
    let set = this.#listeners.get(name);
    if (!set) this.#listeners.set(name, (set = new Set()));
    set.add(listener);
    const listeners = set;
    return () => { listeners.delete(listener); };
  }

  /**
   * @template {keyof Events} Name
   * @param {Name} name @param {Events[Name]} [value] undefined where nothing is told beside the name
   */
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
