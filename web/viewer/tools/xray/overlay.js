// SPDX-License-Identifier: MIT
// What every overlay is: made when it is switched on, updated when the server has answered, told of every picture, and gone when
// it is switched off.
import { Labels, Legend } from './legend.js';

/** An overlay that is on. */
export class Overlay {
  /** What it needs of the server: 'sticks', 'contacts' or null. @type {string|null} */
  needs = null;

  /** @param {import('./xray.js').Xray} xray @param {string} title */
  constructor(xray, title) {
    this.xray = xray;
    this.page = xray.page;
    this.words = new Legend(title);
    this.labels = new Labels(xray.labels, xray.page.stage);
    /** @type {{dispose: () => void}[]} of the scene */
    this.parts = [];
  }

  get legend() {
    return this.words.element;
  }

  get theme() {
    return this.xray.theme;
  }

  /** New answers have come, or the theme is another. */
  update() {}

  /** Before every picture. @param {{now: number, elapsed: number}} [_] see Page */
  picture(_) {
    this.labels.move();
  }

  dispose() {
    this.labels.set([]);
    for (const part of this.parts) part.dispose();
  }
}
