// SPDX-License-Identifier: MIT
// Named events with listeners. If a listener throws, its error is reported as uncaught; the other listeners still run.

/**
 * @template {object} [Events=Record<string, any>] maps each event name to the type of its value; by default any name with any value
 */
export class Emitter {
  /** @type {Map<PropertyKey, Set<(value: any) => void>>} listeners by event name */
  #listeners = new Map();

  /**
   * @template {keyof Events} Name
   * @param {Name} name
   * @param {(value: Events[Name]) => void} listener
   * @returns {() => void} removes the listener
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
   * @param {Name} name the name of the event @param {Events[Name]} [value] omitted for events without a value
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
