// SPDX-License-Identifier: MIT
// The time per stage of a tick: stacked bars, one per poll, newest on the right, with a legend as text.
import { roundUp } from './numbers.js';

const BARS = 60;
const HEIGHT = 58; // CSS pixels
const LEAST_MS = 0.5; // smallest upper end of the scale

// In the order of a tick, from the bottom up. Neighbouring colours differ in lightness, too, for users who distinguish few
// hues.
const STAGES = [
  ['commands', '#8d99ae'], ['forces', '#2f9e8f'], ['integrate', '#a7d46f'], ['detect', '#3f7fd1'], ['sticks', '#e9b44c'],
  ['contacts', '#c8553d'], ['finish', '#b9c6f2'], ['upkeep', '#6b5b95'], ['encode', '#f08fb0'], ['send', '#7c4d2b'],
];

/** @param {number} ms */
const wordsOf = (ms) => (ms < 0.005 ? '0.00' : ms.toFixed(2));

/**
 * The stages that world.get reports, in the order of the bars; missing ones count as 0.
 * @param {Record<string, number>} stagesMs
 * @returns {[string, number][]}
 */
function stageTimes(stagesMs) {
  return STAGES.map(([name]) => [name, Number.isFinite(stagesMs?.[name]) ? Math.max(0, stagesMs[name]) : 0]);
}

export class StageChart {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    /** @type {number[][]} */
    this.history = [];
    this.element = document.createElement('figure');
    this.element.className = 'stages';
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.legend = document.createElement('ul');
    /** @type {Map<string, HTMLElement>} */
    this.values = new Map(STAGES.map(([name, color]) => [name, this.addEntry(name, color)]));
    this.element.append(this.canvas, this.legend);
    parent.append(this.element);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** @param {string} name @param {string} color */
  addEntry(name, color) {
    const entry = document.createElement('li');
    const swatch = document.createElement('i');
    const value = document.createElement('span');
    swatch.style.background = color;
    value.textContent = '–';
    entry.append(swatch, name, value);
    this.legend.append(entry);
    return value;
  }

  /** @param {Record<string, number> | undefined} stagesMs `timing.stagesMs` of world.get; if missing, nothing is shown */
  add(stagesMs) {
    this.element.hidden = stagesMs === undefined;
    if (!stagesMs) return;
    const times = stageTimes(stagesMs);
    this.history.push(times.map(([, ms]) => ms));
    if (this.history.length > BARS) this.history.shift();
    for (const [name, ms] of times) {
      const value = this.values.get(name);
      if (value) value.textContent = wordsOf(ms);
    }
    const total = times.reduce((sum, [, ms]) => sum + ms, 0);
    const told = times.filter(([, ms]) => ms >= 0.005).sort((a, b) => b[1] - a[1]).map(([name, ms]) => `${name} ${wordsOf(ms)}`);
    this.canvas.dataset.bars = String(this.history.length);
    this.canvas.setAttribute('aria-label', `A tick takes ${wordsOf(total)} ms${told.length ? `: ${told.join(', ')}` : ''}`);
    this.draw();
  }

  draw() {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    const style = getComputedStyle(this.element);
    context.scale(ratio, ratio);
    const most = Math.max(0, ...this.history.map((bar) => bar.reduce((sum, ms) => sum + ms, 0)));
    const top = roundUp(most, LEAST_MS);
    const step = width / BARS;
    this.history.forEach((bar, at) => {
      let y = HEIGHT;
      bar.forEach((ms, stage) => {
        const high = (ms / top) * HEIGHT;
        context.fillStyle = STAGES[stage][1];
        context.fillRect(width - (this.history.length - at) * step, y - high, Math.max(1, step - 1), high);
        y -= high;
      });
    });
    context.fillStyle = style.color;
    context.font = `11px ${style.fontFamily}`;
    context.textBaseline = 'top';
    context.fillText(`${top} ms per tick`, 4, 3);
  }
}
