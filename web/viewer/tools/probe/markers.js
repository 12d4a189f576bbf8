// SPDX-License-Identifier: MIT
// Markers of probes over the picture: a ring at the particle, or at the centre of mass of the object, and the probe's letter.
import { Projector } from '../../scene/projector.js';
import { h } from '../../ui/dom.js';
/** @import { Probe } from './probe.js' */

const POINTS_MAX = 256; // of an object, from which its centre is computed

export class Markers {
  /** @type {Map<Probe, HTMLElement>} */
  #elements = new Map();

  #point = [0, 0, 0];

  /** @param {import('../../page/page.js').Page} page @param {import('./probes.js').Probes} probes */
  constructor(page, probes) {
    this.page = page;
    this.probes = probes;
    this.projector = new Projector(page.stage);
    this.element = h('div', { id: 'probe-marks', 'aria-hidden': 'true' });
    page.stage.element.after(this.element);
    probes.on('change', () => this.#renew());
    page.on('picture', () => { if (this.#elements.size > 0) this.#move(); });
  }

  #renew() {
    const { list } = this.probes;
    for (const [probe, element] of this.#elements) {
      if (list.includes(probe)) continue;
      element.remove();
      this.#elements.delete(probe);
    }
    for (const probe of list) {
      if (!this.#elements.has(probe)) {
        const element = h('div', { class: 'probe-mark', dataset: { probe: probe.color } }, h('b', {}));
        this.#elements.set(probe, element);
        this.element.append(element);
      }
      const label = this.#elements.get(probe)?.firstElementChild;
      if (label) label.textContent = probe.name.split(':')[0];
    }
  }

  #move() {
    this.projector.update();
    for (const [probe, element] of this.#elements) {
      const isShown = this.#place(probe) && this.projector.place(this.#point[0], this.#point[1], this.#point[2]);
      if (element.hidden === isShown) element.hidden = !isShown;
      if (isShown) element.style.transform = `translate(${this.projector.x.toFixed(1)}px, ${this.projector.y.toFixed(1)}px)`;
    }
  }

  /** Writes the displayed place to #point; false if there is none. @param {Probe} probe */
  #place({ object, particle, masses }) {
    const entry = this.page.world.find(object);
    if (!entry || (particle ?? 0) >= entry.count) return false;
    if (particle !== null) {
      entry.place(particle, this.#point);
      return true;
    }
    const stride = Math.ceil(entry.count / POINTS_MAX);
    const at = [0, 0, 0];
    let x = 0, y = 0, z = 0, total = 0;
    for (let i = 0; i < entry.count; i += stride) {
      const mass = masses[i] ?? 1;
      const weight = Number.isFinite(mass) ? mass : 0;
      entry.place(i, at);
      x += weight * at[0];
      y += weight * at[1];
      z += weight * at[2];
      total += weight;
    }
    if (total === 0) return entry.place(0, this.#point).length > 0;
    this.#point = [x / total, y / total, z / total];
    return true;
  }
}
