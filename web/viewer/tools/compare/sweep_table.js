// SPDX-License-Identifier: MIT
// The table of a sweep's results: sorted by any column, cells of figures coloured from the smallest to the largest value.
import { h } from '../../ui/dom.js';
import { figure as short } from '../../ui/numbers.js';
import { titleOf } from './sweep_plan.js';
/** @import { Plan } from './sweep_plan.js' */
/** @import { Run } from './sweep.js' */

/** @typedef {{title: string, value: (run: Run) => number | string, isFigure: boolean}} Column */

export class SweepTable {
  /** @type {Column[]} */
  #columns = [];

  /** @type {Run[]} */
  #runs = [];

  #by = -1; // the column that it is sorted by; -1: the order of the runs

  #descending = false;

  constructor() {
    this.head = h('thead');
    this.body = h('tbody');
    this.element = h('div', { class: 'sweep-scroll', role: 'region', 'aria-label': 'Results of the sweep', tabindex: 0, hidden: true },
      h('table', { class: 'sweep-table' }, h('caption', { class: 'unseen' }, 'A row for each run'), this.head, this.body));
  }

  /** @param {Plan} plan @param {Run[]} runs */
  show(plan, runs) {
    this.#runs = runs;
    this.#by = -1;
    this.#columns = [
      ...plan.axes.map(({ parameter }, i) => ({ title: titleOf(parameter), value: (/** @type {Run} */ run) => run.values[i], isFigure: false })),
      ...plan.figures.map((figure, i) => ({ title: titleOf(figure), value: (/** @type {Run} */ run) => run.figures[i], isFigure: true })),
      { title: 'State hash', value: ({ hash }) => hash, isFigure: false },
    ];
    this.element.hidden = false;
    this.#draw();
  }

  /** @param {number} column */
  #sort(column) {
    this.#descending = this.#by === column && !this.#descending;
    this.#by = column;
    this.#draw();
    this.head.querySelectorAll('button')[column].focus();
  }

  #sorted() {
    const { value } = this.#columns[this.#by] ?? {};
    if (!value) return this.#runs;
    const sign = this.#descending ? -1 : 1;
    return [...this.#runs].sort((a, b) => sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
  }

  #draw() {
    this.head.replaceChildren(h('tr', {}, this.#columns.map(({ title }, i) => {
      const order = this.#by !== i ? 'none' : this.#descending ? 'descending' : 'ascending';
      return h('th', { scope: 'col', 'aria-sort': order }, h('button', { type: 'button', title: `Sort by ${title}`, onclick: () => this.#sort(i) }, title, h('span', { 'aria-hidden': 'true' }, { none: '', ascending: ' ▲', descending: ' ▼' }[order])));
    })));
    const heats = this.#columns.map(({ value, isFigure }) => (isFigure ? heatOf(this.#runs.map((run) => Number(value(run)))) : null));
    this.body.replaceChildren(...this.#sorted().map((run) => h('tr', {}, this.#columns.map(({ value }, i) => this.#cell(value(run), heats[i])))));
  }

  /** @param {number | string} value @param {((value: number) => number) | null} heat */
  #cell(value, heat) {
    const cell = h('td', {}, typeof value === 'number' ? short(value) : h('code', {}, value));
    if (typeof value === 'number') cell.title = String(value);
    if (heat && typeof value === 'number') {
      cell.className = 'sweep-heat';
      cell.style.setProperty('--heat', `${(100 * heat(value)).toFixed(0)}%`);
    }
    return cell;
  }
}

/** Where a value is between the smallest (0) and the largest (1). @param {number[]} values */
function heatOf(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return (/** @type {number} */ value) => (high > low ? (value - low) / (high - low) : 0);
}
