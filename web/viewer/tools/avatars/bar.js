// SPDX-License-Identifier: MIT
// While a camera is followed: a frame around the picture in the person's color, and "Following NAME" with a button to stop. While
// somebody presents whom the user does not follow: a button to follow. Escape stops.
import { h, one } from '../../ui/dom.js';
/** @import { Page } from '../../page/page.js' */

export class FollowingBar {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.frame = h('div', { id: 'following-frame', 'aria-hidden': 'true', hidden: true });
    this.text = h('span', {});
    this.button = h('button', { type: 'button', onclick: () => this.#press() });
    this.bar = h('div', { id: 'following', role: 'status', hidden: true }, this.text, this.button);
    page.stage.element.append(this.frame);
    one(document, '#over-top').append(this.bar);
    page.following.on('change', () => this.update());
    page.people.on('change', () => this.update());
    // Before the page's own keys, of which Escape is another one.
    window.addEventListener('keydown', (event) => this.#key(event), { capture: true });
  }

  update() {
    const { following } = this.page;
    const { person, presenter } = following;
    const named = person ?? presenter;
    this.frame.hidden = !person;
    this.bar.hidden = !named;
    if (!named) return;
    for (const element of [this.frame, this.bar]) element.style.setProperty('--person', named.color);
    const text = person ? `Following ${person.name}` : `${named.name} is presenting`;
    if (this.text.textContent !== text) this.text.textContent = text;
    this.button.textContent = person ? 'Stop' : 'Follow';
    this.button.setAttribute('aria-label', person ? 'Stop following' : `Follow ${named.name}`);
    this.button.title = person ? 'Stop following (Esc, or move the camera)' : 'See what the presenter sees';
  }

  #press() {
    const { following } = this.page;
    if (following.client) following.stop();
    else if (following.presenter) following.start(following.presenter.client);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== 'Escape' || !this.page.following.client || event.defaultPrevented) return;
    const target = /** @type {Element} */ (event.target);
    if (document.querySelector('dialog[open]') || target.closest?.('.dock, [role=menu], input, select, textarea')) return;
    event.preventDefault();
    event.stopPropagation();
    this.page.following.stop();
  }
}
