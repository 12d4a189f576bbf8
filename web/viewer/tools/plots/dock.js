// SPDX-License-Identifier: MIT
// The plot dock: measures the world four times per second while it is open and not paused, draws the samples, and exports
// them as CSV.
import { h, icon } from '../../ui/dom.js';
import { CHARTS, Chart } from './charts.js';
import { Recording, sampleOf } from './series.js';

const EVERY_MS = 250;
const PAUSE = '<path d="M7 4v12M13 4v12"/>';
const RESUME = '<path d="M6 4l10 6-10 6z"/>';
const STYLE = new URL('../../../vendor/uplot/uPlot.css', import.meta.url).href;

/** The content of the dock, created by docks.add. */
export class PlotsDock {
  recording = new Recording();

  /** @type {Chart[]} */
  charts = [];

  paused = false;

  /** @type {ReturnType<typeof setInterval> | 0} */
  #timer = 0;

  /** @type {{count: number, at: number} | null} {count, at} */
  #bytes = null;

  #asking = false;

  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    document.head.append(h('link', { rel: 'stylesheet', href: STYLE }));
    /** @type {number} */
    this.begun = performance.now();
    /** @type {HTMLButtonElement} */
    this.pauseButton = h('button', { type: 'button', class: 'plots-pause', onclick: () => this.setPaused(!this.paused) });
    /** @type {HTMLSpanElement} */
    this.figures = h('span', { class: 'plots-figures' });
    const clear = h('button', { type: 'button', onclick: () => this.clear() }, 'Clear');
    const save = h('button', { type: 'button', onclick: () => this.exportCsv() }, 'Export CSV');
    const grid = h('div', { class: 'plots-grid' });
    element.append(h('div', { class: 'plots-bar', role: 'group', 'aria-label': 'Recording' }, this.pauseButton, clear, save, this.figures), grid);
    this.charts = CHARTS.map((plan) => new Chart(plan, grid, page.stage.themeName));
    this.setPaused(false);
    page.on('theme', (theme) => {
      for (const chart of this.charts) chart.setTheme(theme);
      this.draw();
    });
  }

  show() {
    this.#timer ||= setInterval(() => this.#sample(), EVERY_MS);
    this.draw();
  }

  hide() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#bytes = null;
  }

  /** @param {boolean} paused stops drawing and measuring */
  setPaused(paused) {
    this.paused = paused;
    this.pauseButton.replaceChildren(icon(paused ? RESUME : PAUSE), paused ? 'Record' : 'Pause');
    this.pauseButton.setAttribute('aria-pressed', String(paused));
    this.#bytes = null;
  }

  clear() {
    this.recording.clear();
    this.begun = performance.now();
    this.draw();
  }

  /** Downloads the samples as a CSV file. */
  exportCsv() {
    const url = URL.createObjectURL(new Blob([this.recording.csv()], { type: 'text/csv' }));
    const name = `weft-${this.page.client.hello?.world ?? 'world'}-${this.recording.last('tick') ?? 0}.csv`;
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  draw() {
    for (const chart of this.charts) chart.show(this.recording);
    const { length } = this.recording;
    this.figures.textContent = length === 0 ? 'No samples yet' : `${length} samples, tick ${this.recording.last('tick')}`;
  }

  async #sample() {
    const { client, state } = this.page;
    if (this.paused || this.#asking || document.hidden || client.state !== 'open') return;
    this.#asking = true;
    const measure = await this.page.ask('world.measure').catch(() => null);
    this.#asking = false;
    if (!measure || this.paused || !this.#timer) return;
    if (state?.running && measure.tick === this.recording.last('tick')) return; // a second sample of the same tick
    this.recording.add(sampleOf((performance.now() - this.begun) / 1000, measure, state?.timing, this.#traffic()));
    this.draw();
  }

  #traffic() {
    const { bytesReceived, roundTripMs } = this.page.client.statistics;
    const now = performance.now();
    const before = this.#bytes ?? { count: bytesReceived, at: now - EVERY_MS };
    this.#bytes = { count: bytesReceived, at: now };
    const bytesPerSecond = Math.max(0, bytesReceived - before.count) / Math.max(0.05, (now - before.at) / 1000);
    return { bytesPerSecond, roundTripMs };
  }
}
