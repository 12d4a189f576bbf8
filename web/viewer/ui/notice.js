// SPDX-License-Identifier: MIT
// Messages to the user: toasts for refused requests, and the overlay while there is no connection. Text from the server is
// only set as text.

import { one } from './dom.js';

const TOAST_MS = 8000;
const TOASTS_MAX = 4;
const QUIET_MS = 700; // a shorter interruption does not cover the picture
const QUIET_SEVERAL_MS = 7000; // nor one of this length, where another server takes over a world within seconds

/**
 * Shows a sentence for a while, above everything else on the page, including dialogs. A sentence is not shown twice at the
 * same time. The newest toast is lowest; if there are too many for the window, the older ones can be scrolled to.
 */
export class Toasts {
  /** @param {HTMLElement} element a popover */
  constructor(element) {
    this.element = element;
    this.#raise();
  }

  // A dialog that was opened later is above a popover, until that is shown again.
  #raise() {
    if (!this.element.showPopover) return; // older browsers have no popover
    if (this.element.matches(':popover-open')) this.element.hidePopover();
    this.element.showPopover();
  }

  /**
   * @param {unknown} error an error or a sentence
   * @param {{label: string, run: () => void}} [action] a button for a remedy
   */
  show(error, action) {
    const text = error instanceof Error ? error.message : String(error);
    for (const shown of this.element.children) if (shown instanceof HTMLElement && shown.dataset.text === text) return;
    while (this.element.children.length >= TOASTS_MAX) this.element.lastElementChild?.remove();
    if (document.querySelector('dialog[open]')) this.#raise();
    const toast = document.createElement('div');
    toast.className = error instanceof Error ? 'toast' : 'toast toast-note';
    toast.dataset.text = text;
    toast.textContent = text;
    if (action) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = action.label;
      button.addEventListener('click', action.run);
      toast.append(' ', button);
      toast.classList.add('toast-action');
    }
    toast.addEventListener('click', () => toast.remove());
    this.element.prepend(toast); // the list is laid out from the bottom
    const go = () => { if (toast.matches(':hover')) setTimeout(go, TOAST_MS / 4); else toast.remove(); };
    setTimeout(go, TOAST_MS);
  }
}

const COVERED = ['stage', 'bar', 'rail', 'docks-left', 'docks-right', 'docks-bottom', 'over'];

/** @param {boolean} covered whether an overlay covers the page, which disables it, including its keys */
export function setCovered(covered) {
  for (const id of COVERED) document.getElementById(id)?.toggleAttribute('inert', covered);
}

/** Covers the picture while there is no connection, and counts down to the next attempt. */
export class Overlay {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.title = one(element, 'h2');
    this.text = one(element, '#overlay-text');
    this.countdown = one(element, '#overlay-countdown');
    this.now = one(element, '#overlay-now');
    /** Called when the user presses the button to reconnect at once. */
    this.onTry = () => {};
    this.now.addEventListener('click', () => this.onTry());
    this.alone = one(element, '#overlay-alone');
    /** Called when the user wants to go on without the server. */
    this.onAlone = () => {};
    this.alone.addEventListener('click', () => this.onAlone());
    this.details = one(element, '#overlay-more');
    this.seen = false; // whether there has ever been a connection
    this.several = false; // whether several servers share the worlds
    this.retryAt = 0;
    /** @type {ReturnType<typeof setInterval> | 0} */
    this.timer = 0;
    this.named = ''; // a reason that is more precise than that of the lost connection
    /** @type {Element | null} the element that had the focus before */
    this.focused = null;
  }

  /** @param {import('../../client/connection.js').StateNews} news the client's event */
  update({ state, retryInMs, reason }) {
    if (state === 'open') {
      this.seen = true;
      this.named = '';
      this.more('');
      this.hide();
    } else if (state === 'closed') {
      this.title.textContent = this.named || (this.seen ? 'Connection lost' : 'Can’t connect');
      this.text.textContent = reason ? `${sentence(reason)} You see the last state received.` : '';
      if (!this.seen) this.text.textContent = reason ? sentence(reason) : '';
      this.retryAt = retryInMs == null ? 0 : performance.now() + retryInMs;
      this.arm();
    } else if (this.timer || !this.element.hidden) this.countdown.textContent = 'Connecting…';
  }

  /** @param {boolean} offered whether the user can go on without the server */
  offerAlone(offered) {
    this.alone.hidden = !offered;
  }

  /** Sets the title, once the reason is known. @param {string} title */
  name(title) {
    this.named = title;
    this.title.textContent = title;
    this.text.textContent = '';
  }

  /**
   * Adds advice, until there is a connection. Unchanged advice is not rebuilt, so that a link keeps the focus.
   * @param {...(string|Node|null)} parts
   */
  more(...parts) {
    const said = document.createElement('div');
    said.append(...parts.flatMap((part) => part || []));
    if (said.innerHTML === this.details.innerHTML) return;
    const link = /** @type {HTMLAnchorElement | null} */ (this.details.querySelector('a:focus'))?.href;
    this.details.replaceChildren(...said.childNodes);
    if (link) [...this.details.querySelectorAll('a')].find(({ href }) => href === link)?.focus();
  }

  /**
   * Covers the picture permanently: reconnecting is pointless.
   * @param {string} title @param {string} text @param {...(string | Node)} parts
   */
  explain(title, text, ...parts) {
    this.title.textContent = title;
    this.text.textContent = text;
    this.countdown.textContent = '';
    this.now.hidden = true;
    this.more(...parts);
    this.cover();
  }

  arm() {
    if (this.timer) return this.tick();
    /** @type {number} */
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 100);
  }

  tick() {
    const now = performance.now();
    if (now - this.since >= (this.several ? QUIET_SEVERAL_MS : QUIET_MS)) this.cover();
    const left = this.retryAt - now;
    this.now.hidden = this.retryAt === 0;
    if (this.retryAt === 0) this.countdown.textContent = 'Reload the page to try again.';
    else if (left > 0) this.countdown.textContent = `Retrying in ${Math.ceil(left / 1000)} s`;
    else this.countdown.textContent = 'Connecting…';
  }

  cover() {
    if (!this.element.hidden) return;
    this.focused = document.activeElement;
    this.element.hidden = false;
    setCovered(true);
    one(this.element, '.card').focus({ preventScroll: true });
  }

  hide() {
    clearInterval(this.timer || undefined);
    this.timer = 0;
    if (this.element.hidden) return;
    this.element.hidden = true;
    setCovered(false);
    if (this.focused instanceof HTMLElement && this.focused.isConnected) this.focused.focus({ preventScroll: true });
  }
}

/** @param {string} text */
function sentence(text) {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
}
