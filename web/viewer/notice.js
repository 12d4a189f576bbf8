// SPDX-License-Identifier: MIT
// What the page tells people in words: toasts for what was refused, and the overlay while there is no server. Text from
// the server is only ever set as text.

const TOAST_MS = 6000;
const TOASTS_MAX = 4;
const QUIET_MS = 700; // a short interruption is not worth covering the picture

/** Shows a sentence for a while. The same sentence is not shown twice at a time. */
export class Toasts {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /** @param {unknown} error or sentence */
  show(error) {
    const text = error instanceof Error ? error.message : String(error);
    for (const shown of this.element.children) if (shown.textContent === text) return;
    while (this.element.children.length >= TOASTS_MAX) this.element.firstChild.remove();
    const toast = document.createElement('div');
    toast.className = 'toast';
    toast.textContent = text;
    this.element.append(toast);
    setTimeout(() => toast.remove(), TOAST_MS);
  }
}

/** Covers the picture while the server is away, counting down to the next attempt. */
export class Overlay {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.title = element.querySelector('h2');
    this.text = element.querySelector('#overlay-text');
    this.countdown = element.querySelector('#overlay-countdown');
    this.seen = false; // whether there has ever been a connection
    this.retryAt = 0;
    this.timer = 0;
  }

  /** @param {{state: string, attempt: number, retryInMs: number|null, reason?: string}} news of the client */
  update({ state, retryInMs, reason }) {
    if (state === 'open') {
      this.seen = true;
      this.hide();
    } else if (state === 'closed') {
      this.title.textContent = this.seen ? 'The server is gone' : 'No server yet';
      this.text.textContent = reason ? `${sentence(reason)} What you see is the last that it sent.` : '';
      if (!this.seen) this.text.textContent = reason ? sentence(reason) : '';
      this.retryAt = retryInMs == null ? 0 : performance.now() + retryInMs;
      this.arm();
    } else if (this.timer || !this.element.hidden) this.countdown.textContent = 'Connecting …';
  }

  /** Covers the picture for good: there is nothing to wait for. */
  explain(title, text) {
    this.title.textContent = title;
    this.text.textContent = text;
    this.countdown.textContent = '';
    this.element.hidden = false;
  }

  arm() {
    if (this.timer) return this.tick();
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 100);
  }

  tick() {
    const now = performance.now();
    if (now - this.since >= QUIET_MS) this.element.hidden = false;
    const left = this.retryAt - now;
    if (this.retryAt === 0) this.countdown.textContent = 'Reload the page to try again.';
    else if (left > 0) this.countdown.textContent = `Trying again in ${Math.ceil(left / 1000)} s`;
    else this.countdown.textContent = 'Connecting …';
  }

  hide() {
    clearInterval(this.timer);
    this.timer = 0;
    this.element.hidden = true;
  }
}

function sentence(text) {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
}
