// SPDX-License-Identifier: MIT
// The control for the range of an overlay's colours: it follows the data, or is fixed to the numbers that the user enters.
import { h } from '../../ui/dom.js';
import { parseRange } from './scale.js';

/** Visible in the dock while its overlay is active. */
export class RangeControl {
  /** @param {import('./xray.js').Xray} xray @param {string} id @param {string} title of the overlay @param {string} unit */
  constructor(xray, id, title, unit) {
    this.xray = xray;
    this.id = id;
    this.unit = unit;
    const name = `xray-range-${id}`;
    this.fixed = h('input', { type: 'checkbox', id: `${name}-fixed`, onchange: () => this.#choose() });
    this.from = this.#field(`${name}-from`, 'From', `${name}-problem`);
    this.to = this.#field(`${name}-to`, 'To', `${name}-problem`);
    this.problem = h('p', { class: 'xray-problem', role: 'alert', id: `${name}-problem`, hidden: true });
    this.ends = h('div', { class: 'xray-ends' }, this.from.label, this.to.label, h('span', {}, unit));
    this.element = h('div', { class: 'xray-range', role: 'group', 'aria-label': `Color range of ${title}`, hidden: true },
      h('label', { class: 'xray-fixed' }, this.fixed, h('span', {}, 'Fixed range')), this.ends, this.problem);
  }

  /** Shows the present range. */
  update() {
    const range = this.xray.rangeOf(this.id);
    this.element.hidden = range === null;
    if (!range) return;
    this.fixed.checked = range.fixed;
    this.ends.hidden = !range.fixed;
    this.#tell('');
    if (!range.fixed || this.ends.contains(document.activeElement)) return;
    this.from.input.value = String(range.low);
    this.to.input.value = String(range.high);
  }

  /** @param {string} id @param {string} name @param {string} problem */
  #field(id, name, problem) {
    const input = h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', id, 'aria-describedby': problem, onchange: () => this.#enter() });
    return { input, label: h('label', {}, h('span', {}, name), input) };
  }

  // The range that the data have now is the one to start from.
  #choose() {
    const range = this.xray.rangeOf(this.id);
    if (!range) return;
    this.xray.setRange(this.id, this.fixed.checked ? { low: range.low, high: Number(range.high.toPrecision(3)) } : null);
  }

  #enter() {
    try {
      this.xray.setRange(this.id, parseRange(this.from.input.value, this.to.input.value, this.unit));
    } catch (error) {
      this.#tell(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} problem empty if there is none */
  #tell(problem) {
    this.problem.hidden = problem === '';
    this.problem.textContent = problem;
    for (const { input } of [this.from, this.to]) input.setAttribute('aria-invalid', String(problem !== ''));
  }
}
