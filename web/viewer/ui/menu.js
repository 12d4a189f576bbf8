// SPDX-License-Identifier: MIT
// A button that opens a menu, by pointer or key; choosing an item, Escape, or moving the focus elsewhere closes it.

/** Connects a button with the element that contains the menu's buttons. */
export class Menu {
  /** @param {HTMLButtonElement} button @param {HTMLElement} menu hidden initially */
  constructor(button, menu) {
    this.button = button;
    this.menu = menu;
    /** @type {HTMLElement[]} */
    this.items = [...menu.querySelectorAll('[role=menuitem]')].filter((item) => item instanceof HTMLElement);
    button.addEventListener('click', () => this.show(Boolean(menu.hidden)));
    menu.addEventListener('click', (event) => { if (/** @type {Element} */ (event.target).closest('[role=menuitem]')) this.show(false); });
    for (const element of [button, menu]) element.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('pointerdown', (event) => {
      const target = /** @type {Node} */ (event.target);
      if (!menu.contains(target) && !button.contains(target)) this.show(false);
    }, { capture: true });
  }

  /** @param {boolean} open */
  show(open) {
    if (open === !this.menu.hidden) return;
    const inside = this.menu.contains(document.activeElement);
    this.menu.hidden = !open;
    this.button.setAttribute('aria-expanded', String(open));
    if (open) this.items[0].focus();
    else if (inside) this.button.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'Escape') this.show(false);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.step(event.key === 'ArrowDown' ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** Moves the focus to another item, cyclically; in a closed menu to the first or last item. @param {number} by */
  step(by) {
    const { items } = this;
    const at = this.menu.hidden ? (by > 0 ? -1 : 0) : items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    this.show(true);
    items[(at + by + items.length) % items.length].focus();
  }
}
