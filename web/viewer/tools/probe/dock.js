// SPDX-License-Identifier: MIT
// The probe dock: adds probes to the selection or by clicks in the scene, shows their values and a plot, and copies the record.
import { download, toClipboard } from '../../ui/clipboard.js';
import { h } from '../../ui/dom.js';
import { ProbeCard } from './card.js';
import { ProbeChart, QUANTITIES } from './chart.js';
import { Markers } from './markers.js';
import { ProbePicker } from './picker.js';
import { Probes } from './probes.js';
/** @import { Probe } from './probe.js' */

const EVERY_MS = 200; // between two displays of the values; samples are taken in every tick
const STYLE = new URL('../../../vendor/uplot/uPlot.css', import.meta.url).href;

/** The content of the dock. */
export class ProbeDock {
  /** @type {Map<Probe, ProbeCard>} */
  #cards = new Map();

  /** @type {ReturnType<typeof setInterval> | 0} */
  #timer = 0;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.probes = new Probes(page);
    this.picker = new ProbePicker(page);
    this.markers = new Markers(page, this.probes);
    this.chart = new ProbeChart();
    this.picker.on('pick', ({ object, particle }) => this.add([[object, particle]]));
    this.picker.on('change', (active) => this.pick?.setAttribute('aria-pressed', String(active)));
    this.probes.on('change', () => this.#renew());
    page.selection.on('change', () => this.#offer());
    page.on('theme', () => this.chart.renew());
  }

  /** @param {HTMLElement} element */
  build(element) {
    if (!document.querySelector(`link[href="${STYLE}"]`)) document.head.append(h('link', { rel: 'stylesheet', href: STYLE }));
    const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => unknown} */ onclick) => h('button', { type: 'button', title, onclick }, text);
    /** @type {HTMLButtonElement} */
    this.selected = button('Probe selection', 'Add a probe to each selected object and particle', () => this.addSelected());
    /** @type {HTMLButtonElement} */
    this.pick = button('Pick in scene', 'Click particles and bodies in the scene to probe them', () => this.picker.toggle());
    this.pick.setAttribute('aria-pressed', String(this.picker.active));
    /** @type {HTMLButtonElement[]} */
    this.withProbes = [
      button('Set baseline', 'Compare the energy with that of now', () => this.setBaseline()),
      button('Clear record', 'Remove what was recorded, keep the probes', () => this.#restart()),
      button('Copy as CSV', 'Copy the record of all probes, a row per tick', () => this.copy()),
    ];
    const quantity = h('select', { id: 'probe-quantity', onchange: () => { this.chart.quantity = Number(quantity.value); this.#show(); } },
      ...QUANTITIES.map(([title, unit], index) => h('option', { value: String(index) }, `${title} (${unit})`)));
    quantity.value = '1';
    /** @type {HTMLDivElement} */
    this.plotted = h('div', { class: 'probe-quantity' }, h('label', { for: 'probe-quantity' }, 'Plot'), quantity);
    /** @type {HTMLParagraphElement} */
    this.empty = h('p', { class: 'probe-note' }, 'No probes yet. Choose “Pick in scene” and click what to measure, or select objects or particles and choose “Probe selection”.');
    /** @type {HTMLDivElement} */
    this.list = h('div', { class: 'probe-cards' });
    /** @type {HTMLParagraphElement} */
    this.note = h('p', { class: 'probe-note' });
    element.append(h('div', { class: 'probe-bar', role: 'group', 'aria-label': 'Probes' }, this.pick, this.selected, ...this.withProbes, this.plotted),
      this.empty, h('div', { class: 'probe-columns' }, this.list, this.chart.place), this.note);
    this.#renew();
  }

  show() {
    this.#timer ||= setInterval(() => this.#show(), EVERY_MS);
    this.#show();
  }

  hide() {
    clearInterval(this.#timer);
    this.#timer = 0;
    if (this.picker.active) this.picker.toggle();
  }

  addSelected() {
    const { objects, particles } = this.page.selection;
    this.add([
      ...[...objects].map((id) => /** @type {[number, null]} */ ([id, null])),
      ...[...particles].flatMap(([id, indices]) => [...indices].map((index) => /** @type {[number, number]} */ ([id, index]))),
    ]);
  }

  /** @param {[object: number, particle: number | null][]} targets */
  add(targets) {
    try {
      for (const [object, particle] of targets) this.probes.add(object, particle);
    } catch (error) {
      this.page.toasts.show(/** @type {Error} */ (error));
    }
  }

  setBaseline() {
    const count = this.probes.setBaseline();
    if (count === 0) this.page.toasts.show('There is no energy to compare with yet: add a probe to something with mass, and let the world run.');
    this.#show();
  }

  async copy() {
    const csv = this.probes.csv();
    if (await toClipboard(csv)) this.page.toasts.show('Copied the record as CSV.');
    else download(csv, `weft-probes-${this.page.client.hello?.world ?? 'world'}.csv`);
  }

  #restart() {
    this.probes.restart();
    this.#show();
  }

  #offer() {
    if (this.selected) this.selected.disabled = this.page.selection.size === 0;
  }

  #renew() {
    if (!this.list) return;
    const { list } = this.probes;
    for (const [probe, { element }] of this.#cards) {
      if (list.includes(probe)) continue;
      element.remove();
      this.#cards.delete(probe);
    }
    for (const probe of list) {
      if (this.#cards.has(probe)) continue;
      const card = new ProbeCard(probe, { remove: () => this.#remove(probe), rename: (name) => this.#rename(probe, name) });
      this.#cards.set(probe, card);
      this.list.append(card.element);
    }
    this.#show();
  }

  /** @param {Probe} probe */
  #remove(probe) {
    this.probes.remove(probe);
    this.pick?.focus();
  }

  /** @param {Probe} probe @param {string} name */
  #rename(probe, name) {
    probe.name = name;
    this.#cards.get(probe)?.element.setAttribute('aria-label', name);
    this.probes.emit('change', undefined);
  }

  #show() {
    const { list } = this.probes;
    if (!this.empty || !this.note || !this.plotted || !this.withProbes) return;
    this.empty.hidden = list.length > 0;
    this.plotted.hidden = this.note.hidden = list.length === 0;
    for (const button of this.withProbes) button.disabled = list.length === 0;
    this.#offer();
    for (const [probe, card] of this.#cards) card.show(this.probes.isThere(probe));
    this.chart.show(list);
    const words = this.#source();
    if (this.note.textContent !== words) this.note.textContent = words;
  }

  /** How the positions were got: sentences. */
  #source() {
    const { step, list } = this.probes;
    const missing = Math.max(0, ...list.map((probe) => probe.missing));
    const rows = Math.max(0, ...list.map(({ length }) => length));
    if (step === null) return 'Waiting for the first ticks: the world has to run.';
    const source = step === 0
      ? 'Positions are exact (this page computes the ticks); velocity and acceleration are central differences.'
      : 'Positions and velocities are read from the server, acceleration is a central difference; objects of more than 512 particles have positions '
        + `rounded to ${(1000 * step).toFixed(2)} mm.`;
    const gaps = missing === 0 ? `${rows} ticks recorded, none missing.` : `${rows} ticks recorded, ${missing} missing.`;
    return `${source} ${gaps} Energy is kinetic plus potential (0 at height 0), without that of stretched sticks.`;
  }
}
