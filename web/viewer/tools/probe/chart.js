// SPDX-License-Identifier: MIT
// The plot of the probe dock: one quantity of all probes over time, drawn by uPlot.
import uPlot from 'uplot';
import { h } from '../../ui/dom.js';
import { figure } from '../../ui/numbers.js';
/** @import { Probe } from './probe.js' */

const HEIGHT = 180;
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]]; // lines differ in more than their colour

/** @param {string} key @returns {(probe: Probe) => number[]} */
const column = (key) => ({ columns }) => columns[/** @type {'x'} */ (key)];
/** @param {string} a @param {string} b @param {string} c @returns {(probe: Probe) => number[]} the length of a vector */
const size = (a, b, c) => (probe) => column(a)(probe).map((value, i) => Math.hypot(value, column(b)(probe)[i], column(c)(probe)[i]));
/** @param {Probe} probe */
const total = ({ columns: { kinetic, potential } }) => kinetic.map((value, i) => value + potential[i]);

/** The quantities that can be plotted: title, unit and values of a probe. @type {[title: string, unit: string, values: (probe: Probe) => (number | null)[]][]} */
export const QUANTITIES = [
  ['Position x', 'm', column('x')], ['Position y', 'm', column('y')], ['Position z', 'm', column('z')],
  ['Velocity x', 'm/s', column('vx')], ['Velocity y', 'm/s', column('vy')], ['Velocity z', 'm/s', column('vz')],
  ['Speed', 'm/s', size('vx', 'vy', 'vz')],
  ['Acceleration', 'm/s²', size('ax', 'ay', 'az')],
  ['Net force', 'N', (probe) => size('ax', 'ay', 'az')(probe).map((value) => (probe.mass === null ? null : value * probe.mass))],
  ['Kinetic energy', 'J', column('kinetic')], ['Potential energy', 'J', column('potential')], ['Total energy', 'J', total],
  ['Energy change from baseline', 'J', (probe) => total(probe).map((value) => (probe.baseline === null ? null : value - probe.baseline))],
];

export class ProbeChart {
  /** @type {uPlot | null} */
  #plot = null;

  #made = ''; // for which probes

  #quantity = 1;

  constructor() {
    this.place = h('div', { class: 'probe-plot', role: 'img', 'aria-label': 'Plot' });
    new ResizeObserver(() => {
      if (this.#plot && this.place.clientWidth > 0) this.#plot.setSize({ width: this.place.clientWidth, height: HEIGHT });
    }).observe(this.place);
  }

  /** @param {number} index in QUANTITIES */
  set quantity(index) {
    this.#quantity = index;
    this.renew();
  }

  /** Draws it anew with the next data, for another theme. */
  renew() {
    this.#plot?.destroy();
    this.#plot = null;
  }

  /** @param {Probe[]} probes */
  show(probes) {
    const [title, unit, values] = QUANTITIES[this.#quantity];
    const made = probes.map(({ color, name }) => `${color} ${name}`).join('\n');
    if (made !== this.#made) this.renew();
    this.#made = made;
    const filled = probes.filter(({ length }) => length > 0);
    const tables = probes.map((probe) => /** @type {uPlot.AlignedData} */ ([probe.columns.tick.map((tick) => tick / probe.tickHz), values(probe)]));
    this.place.hidden = filled.length === 0;
    if (filled.length === 0 || this.place.clientWidth === 0) return;
    const data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    if (this.#plot) this.#plot.setData(data);
    else this.#make(probes, unit, data);
    this.place.setAttribute('aria-label', `${title} in ${unit} over time: ${probes.map((probe) => `${probe.name} ${figure(values(probe).at(-1) ?? NaN)}`).join(', ')}`);
  }

  /** @param {Probe[]} probes @param {string} unit @param {uPlot.AlignedData} data */
  #make(probes, unit, data) {
    const style = getComputedStyle(this.place);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const axis = { stroke: color('--faint'), grid: { stroke: color('--rim'), width: 1 }, ticks: { stroke: color('--rim'), width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    const text = (/** @type {string} */ of) => (/** @type {unknown} */ _, /** @type {number[]} */ splits) => splits.map((value) => `${figure(value)} ${of}`);
    this.#plot = new uPlot({
      width: this.place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { show: true } },
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 26, values: text('s') }, { ...axis, size: 70, values: text(unit) }],
      series: [{}, ...probes.map((probe) => ({
        label: probe.name, stroke: color(`--probe-${probe.color}`), width: 1.6, dash: DASHES[probe.color % DASHES.length], spanGaps: true, points: { show: false },
      }))],
    }, data, this.place);
    this.#plot.root.setAttribute('aria-hidden', 'true');
  }
}
