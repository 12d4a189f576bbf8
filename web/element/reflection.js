// SPDX-License-Identifier: MIT
// The attributes of the element as properties. Where there is no DOM (rendering on a server) the class does nothing.

const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

export class ReflectingElement extends Base {
  get src() { return this.getAttribute('src') ?? ''; }

  set src(value) { this.#set('src', value); }

  /** Whether the bar with buttons is shown. */
  get controls() { return this.hasAttribute('controls'); }

  set controls(value) { this.toggleAttribute('controls', Boolean(value)); }

  /** Whether a capsule begins again at its end. */
  get loop() { return this.hasAttribute('loop'); }

  set loop(value) { this.toggleAttribute('loop', Boolean(value)); }

  /** Position and target of the camera: six numbers in m, "x y z x y z"; empty to frame all objects. @returns {string} */
  get camera() { return this.getAttribute('camera') ?? ''; }

  /** @param {string | number[] | null} value */
  set camera(value) { this.#set('camera', Array.isArray(value) ? value.join(' ') : value); }

  /** 'dark', 'light', or empty to follow the system. */
  get theme() { return this.getAttribute('theme') ?? ''; }

  set theme(value) { this.#set('theme', value); }

  /** Access token for a server that asks for one. */
  get token() { return this.getAttribute('token') ?? ''; }

  set token(value) { this.#set('token', value); }

  /** 'lazy' connects only once the element is near the visible part of the page; otherwise it connects at once. */
  get loading() { return this.getAttribute('loading') ?? ''; }

  set loading(value) { this.#set('loading', value); }

  /** Takes over properties that were set before the element was defined. @param {readonly string[]} names @protected */
  upgradeProperties(names) {
    const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (this));
    for (const name of names) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  /** @param {string} name @param {string | null | undefined} value */
  #set(name, value) {
    if (value == null || value === '') this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }
}
