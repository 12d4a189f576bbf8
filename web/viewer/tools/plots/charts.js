// SPDX-License-Identifier: MIT
// The charts of the plot dock: which quantities share a chart, and how uPlot draws them. Series of different units or magnitudes have
// axes of their own. Lines differ in dashes as well as in colour, and each chart gives its newest numbers as text.
import uPlot from 'uplot';
import { h } from '../../ui/dom.js';
import { figure } from '../../ui/numbers.js';
import { axesOf, magnitudeOf, STAGES, stack } from './series.js';

const HEIGHT = 150;
const FONT = '11px system-ui, sans-serif';
const AXIS_PX = 42;
const LABEL_PX = 15;
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const LINES = { dark: ['#5aa9ff', '#ffd166', '#8ee6b0', '#f7a1c4'], light: ['#1f5fae', '#8a6200', '#1d6b3d', '#a02a68'] };
// Neighbouring colours also differ in lightness.
const AREAS = {
  dark: ['#8d99ae', '#2f9e8f', '#a7d46f', '#3f7fd1', '#e9b44c', '#c8553d', '#b9c6f2', '#6b5b95', '#f08fb0', '#7c4d2b'],
  light: ['#6a7588', '#1d7a6d', '#8cbd52', '#2f66b0', '#d79b2a', '#b0432c', '#8fa2e0', '#57477f', '#d76c92', '#6a3f21'],
};

/** @type {{title: string, series: [key: string, name: string, unit: string][], areas?: boolean}[]} */
export const CHARTS = [
  { title: 'Energy', series: [['kinetic', 'kinetic', 'J'], ['potential', 'potential', 'J'], ['total', 'total', 'J']] },
  { title: 'Momentum', series: [['momentum', 'momentum', 'kg·m/s'], ['angular', 'angular', 'kg·m²/s']] },
  { title: 'Stretch', series: [['mean', 'mean', '%'], ['worst', 'worst', '%']] },
  { title: 'Tick time by stage', areas: true, series: STAGES.map((stage) => [stage, stage, 'ms']) },
  { title: 'Received and round trip', series: [['bytes', 'received', 'kB/s'], ['latency', 'round trip', 'ms']] },
];

/** One chart of CHARTS. */
export class Chart {
  /** @param {(typeof CHARTS)[number]} plan @param {HTMLElement} parent @param {'dark'|'light'} theme */
  constructor(plan, parent, theme) {
    this.plan = plan;
    this.theme = theme;
    /** @type {uPlot | null} */
    this.plot = null;
    /** @type {string[]} */
    this.units = plan.series.map(([, , unit]) => unit);
    /** @type {import('./series.js').Axis[]} */
    this.axes = [];
    this.words = h('figcaption', { class: 'plot-words' });
    this.place = h('div', { class: 'plot-place', role: 'img', 'aria-label': plan.title });
    const unit = [...new Set(this.units)].join(', ');
    this.element = h('figure', { class: 'plot' }, h('h3', {}, plan.title, ' ', h('small', {}, unit)), this.place, this.words);
    parent.append(this.element);
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Draws the recorded samples. @param {import('./series.js').Recording} recording */
  show(recording) {
    const lines = this.plan.series.map(([key]) => recording.columns[key]);
    const data = /** @type {uPlot.AlignedData} */ ([recording.columns.time, ...(this.plan.areas ? stack(lines).reverse() : lines)]);
    this.#arrange(lines);
    if (!this.plot && this.place.clientWidth > 0) this.#make(data);
    else this.plot?.setData(data);
    const words = this.plan.series.map(([key, name], i) => `${name} ${this.#worth(recording.last(key), i)}`);
    this.#tell(words);
  }

  /** Stacked areas share one axis. @param {(number | null)[][]} lines */
  #arrange(lines) {
    const axes = axesOf(this.units, this.plan.areas ? lines.map(() => 0) : lines.map(magnitudeOf), this.axes);
    if (axes === this.axes) return;
    this.axes = axes;
    this.dispose();
  }

  /** @param {'dark'|'light'} theme */
  setTheme(theme) {
    this.theme = theme;
    this.dispose();
  }

  resize() {
    if (this.plot && this.place.clientWidth > 0) this.plot.setSize({ width: this.place.clientWidth, height: HEIGHT });
  }

  dispose() {
    this.plot?.destroy();
    this.plot = null;
  }

  /** @param {number | null} value @param {number} i */
  #worth(value, i) {
    return value === null ? '–' : `${figure(value)} ${this.units[i]}`;
  }

  /** The key of an axis' scale. @param {number} axis */
  #scale(axis) {
    return axis === 0 ? 'y' : `y${axis}`;
  }

  get colors() {
    return (this.plan.areas ? AREAS : LINES)[this.theme];
  }

  /** The legend: the name and newest value of each line. @param {string[]} words */
  #tell(words) {
    const { colors } = this;
    if (this.words.childElementCount !== words.length) {
      this.words.replaceChildren(...words.map((_, i) => h('span', {}, this.#swatch(i), h('b', {}))));
    }
    words.forEach((text, i) => {
      const [swatch, name] = this.words.children[i].children;
      /** @type {HTMLElement} */ (swatch).style.color = colors[i % colors.length];
      if (name.textContent !== text) name.textContent = text;
    });
    const told = this.plan.areas ? words.filter((text) => !/ (0|–)( ms)?$/.test(text)) : words;
    this.place.setAttribute('aria-label', `${this.plan.title}: ${told.join(', ') || 'no data yet'}`);
  }

  /** @param {number} i */
  #swatch(i) {
    const swatch = h('i', { 'aria-hidden': 'true', class: this.plan.areas ? 'plot-area' : 'plot-line' });
    swatch.dataset.dash = this.plan.areas ? '' : String(i);
    return swatch;
  }

  /** @param {uPlot.AlignedData} data */
  #make(data) {
    const ink = getComputedStyle(this.element).getPropertyValue('--faint').trim();
    const rim = getComputedStyle(this.element).getPropertyValue('--rim').trim();
    /** @type {uPlot.Axis} */
    const axis = { stroke: ink, grid: { stroke: rim, width: 1 }, ticks: { stroke: rim, width: 1, size: 4 }, font: FONT };
    this.plot = new uPlot({
      width: this.place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { sync: { key: 'weft-plots' }, drag: { x: true, y: false }, points: { show: !this.plan.areas } },
      scales: { x: { time: false }, ...Object.fromEntries(this.axes.map((_, a) => [this.#scale(a), { range: rangeOf(this.plan.areas) }])) },
      axes: [
        { ...axis, size: 26, values: (_, splits) => splits.map((value) => `${figure(value)} s`) },
        ...this.axes.map((_, a) => this.#axis(axis, a)),
      ],
      series: [{}, ...this.#series()],
    }, data, this.place);
    this.plot.root.setAttribute('aria-hidden', 'true');
  }

  /**
   * An axis with the names and the unit of its series; alternately on the left and on the right. One of several that is for one series has its colour.
   * @param {uPlot.Axis} shared @param {number} a @returns {uPlot.Axis}
   */
  #axis(shared, a) {
    const { unit, series } = this.axes[a];
    const several = this.axes.length > 1;
    return {
      ...shared,
      scale: this.#scale(a),
      side: a % 2 === 0 ? 3 : 1,
      size: AXIS_PX,
      label: several ? `${series.map((i) => this.plan.series[i][1]).join(', ')} (${unit})` : unit,
      labelSize: LABEL_PX,
      labelFont: FONT,
      values: (_, splits) => splits.map((value) => (value === null ? '' : figure(value))),
      ...(several && series.length === 1 && { stroke: this.colors[series[0] % this.colors.length] }),
      ...(a > 0 && { grid: { show: false } }),
    };
  }

  #series() {
    const { areas, series } = this.plan;
    const { colors } = this;
    const made = series.map(([key], i) => {
      const color = colors[i % colors.length];
      const scale = this.#scale(this.axes.findIndex((axis) => axis.series.includes(i)));
      if (areas) return { label: key, stroke: color, fill: color, width: 0, points: { show: false } };
      return { label: key, stroke: color, scale, width: 1.6, dash: DASHES[i % DASHES.length], points: { show: false } };
    });
    return areas ? made.reverse() : made; // the largest first, so that the others are drawn over it
  }
}

/** The range of the axis: never of zero height; stacked areas begin at 0. @param {boolean | undefined} areas @returns {uPlot.Range.Function} */
function rangeOf(areas) {
  return (_, low, high) => {
    if (low === null || high === null) return [0, 1];
    const bottom = areas ? 0 : Math.min(low, 0);
    const top = Math.max(high, 0);
    const spare = Math.max(0.06 * (top - bottom), 1e-6);
    return [bottom === 0 ? 0 : bottom - spare, top === 0 && bottom < 0 ? 0 : top + spare];
  };
}
