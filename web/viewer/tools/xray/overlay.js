// SPDX-License-Identifier: MIT
// Base class of overlays: created when switched on, updated when the server has replied, called for every picture, and
// disposed of when switched off.
import { Labels, Legend } from './legend.js';

/** An active overlay. */
export class Overlay {
  /** The data that it needs from the server: 'sticks', 'contacts' or null. @type {string|null} */
  needs = null;

  /** The range of its colours, if they show amounts. @type {import('./scale.js').ColorScale | null} */
  scale = null;

  /** @param {import('./xray.js').Xray} xray @param {string} title */
  constructor(xray, title) {
    this.xray = xray;
    this.page = xray.page;
    this.words = new Legend(title);
    this.labels = new Labels(xray.labels, xray.page.stage);
    /** @type {{dispose: () => void}[]} objects in the scene */
    this.parts = [];
  }

  get legend() {
    return this.words.element;
  }

  get theme() {
    return this.xray.theme;
  }

  /** Called when new data has arrived, or the theme has changed. */
  update() {}

  /** Called before every picture. @param {{now: number, elapsed: number}} [_] see Page */
  picture(_) {
    this.labels.move();
  }

  dispose() {
    this.labels.set([]);
    for (const part of this.parts) part.dispose();
  }
}
