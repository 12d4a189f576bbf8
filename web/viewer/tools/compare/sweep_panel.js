// SPDX-License-Identifier: MIT
// The panel of parameter sweeps: which values, how long, what is measured; then progress, the table of results, and files.
import { h } from '../../ui/dom.js';
import { FIGURES, PARAMETERS, STATISTICS, TICKS_MAX, faultOf, faultOfRange, spread, titleOf } from './sweep_plan.js';
import { SweepTable } from './sweep_table.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Axis, Parameter, Plan, Statistic } from './sweep_plan.js' */
/** @import { Sweep } from './sweep.js' */

const MEASURED_FIRST = new Set(['total', 'meanStretch', 'centre']);

/** The fields of one parameter and its values. */
class AxisFields {
  /** @param {string} legend @param {string} chosen id of the parameter at first; '': none */
  constructor(legend, chosen) {
    this.legend = legend;
    this.parameter = h('select', { 'aria-label': legend, onchange: () => this.#update() },
      chosen === '' ? h('option', { value: '' }, 'None') : null, ...PARAMETERS.map((parameter) => h('option', { value: parameter.id }, titleOf(parameter))));
    this.parameter.value = chosen;
    const number = (/** @type {string} */ label, /** @type {string} */ value) => h('input', { type: 'number', step: 'any', 'aria-label': `${label} of ${legend.toLowerCase()}`, value });
    this.from = number('First value', '5');
    this.to = number('Last value', '15');
    this.count = number('Number of values', '3');
    this.spacing = h('select', { 'aria-label': `Spacing of ${legend.toLowerCase()}` }, h('option', { value: 'linear' }, 'Linear'), h('option', { value: 'log' }, 'Logarithmic'));
    this.range = h('div', { class: 'sweep-range' },
      h('label', {}, 'From', this.from), h('label', {}, 'To', this.to), h('label', {}, 'Values', this.count), h('label', {}, 'Spacing', this.spacing));
    this.element = h('fieldset', {}, h('legend', {}, legend), this.parameter, this.range);
    this.#update();
  }

  #update() {
    this.range.hidden = this.parameter.value === '';
  }

  /** The axis; null without a parameter. Throws an error that says what is wrong. @returns {Axis | null} */
  read() {
    const parameter = PARAMETERS.find(({ id }) => id === this.parameter.value);
    if (!parameter) return null;
    const range = { from: this.from.valueAsNumber, to: this.to.valueAsNumber, count: this.count.valueAsNumber, isLogarithmic: this.spacing.value === 'log' };
    const fault = faultOfRange(parameter, range);
    if (fault) throw new Error(fault);
    return { parameter, values: spread(range.from, range.to, range.count, range.isLogarithmic, parameter.whole) };
  }
}

export class SweepPanel {
  /** @type {AbortController | null} of the sweep that is running */
  #running = null;

  /** @type {{plan: Plan, sweep: Sweep} | null} */
  #done = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.axes = [new AxisFields('First parameter', 'gravity'), new AxisFields('Second parameter', '')];
    this.object = h('select', { id: 'sweep-object' });
    this.ticks = h('input', { type: 'number', id: 'sweep-ticks', min: 1, max: TICKS_MAX, value: '300' });
    this.statistic = h('select', { id: 'sweep-statistic', onchange: () => this.#update() }, ...Object.entries(STATISTICS).map(([id, title]) => h('option', { value: id }, title)));
    this.every = h('input', { type: 'number', id: 'sweep-every', min: 1, max: TICKS_MAX, value: '10' });
    this.figures = FIGURES.map((figure) => ({ figure, box: h('input', { type: 'checkbox', checked: MEASURED_FIRST.has(figure.id) }) }));
    this.start = h('button', { type: 'submit', class: 'plain-button' }, 'Run sweep');
    this.cancel = h('button', { type: 'button', class: 'plain-button', hidden: true, onclick: () => this.#running?.abort() }, 'Cancel');
    this.bar = h('progress', { 'aria-label': 'Progress of the sweep', hidden: true });
    this.said = h('p', { class: 'sweep-said', role: 'status' });
    this.fault = h('p', { class: 'dock-fault', role: 'alert' });
    this.table = new SweepTable();
    this.files = h('div', { class: 'sweep-buttons', hidden: true },
      h('button', { type: 'button', class: 'plain-button', onclick: () => this.#save('csv') }, 'Download CSV'),
      h('button', { type: 'button', class: 'plain-button', title: 'Arrays for NumPy', onclick: () => this.#save('npz') }, 'Download NPZ'));
    const field = (/** @type {HTMLElement} */ input, /** @type {string} */ label) => h('div', { class: 'sweep-field' }, h('label', { for: input.id }, label), input);
    this.everyField = field(this.every, 'Measure every … ticks');
    this.element = h('section', { class: 'sweep', 'aria-label': 'Parameter sweep' }, h('h3', {}, 'Parameter sweep'),
      h('p', {}, 'Each run is a branch of the present world with other values, computed for a number of ticks and then removed. The world itself stays as it is.'),
      h('form', { novalidate: true, onsubmit: (event) => { event.preventDefault(); this.#run(); } },
        ...this.axes.map(({ element }) => element), field(this.object, 'Object'), field(this.ticks, 'Ticks'), field(this.statistic, 'Result'), this.everyField,
        h('fieldset', {}, h('legend', {}, 'Measure'), ...this.figures.map(({ figure, box }) => h('label', { class: 'sweep-check' }, box, titleOf(figure)))),
        h('div', { class: 'sweep-buttons' }, this.start, this.cancel)),
      this.bar, this.said, this.fault, this.table.element, this.files);
    page.client.on('topology', () => this.#listObjects());
    page.selection.on('change', () => this.#listObjects());
    this.#listObjects();
    this.#update();
  }

  /** @param {boolean} allowed whether the user may branch the world */
  setAllowed(allowed) {
    this.start.disabled = !allowed || this.#running !== null;
    this.allowed = allowed;
  }

  #update() {
    this.everyField.hidden = this.statistic.value === 'end';
  }

  /** The objects of the world; the first selected one is chosen. */
  #listObjects() {
    const { client, selection } = this.page;
    const objects = client.topology?.objects ?? [];
    const [selected] = [...selection.objects, ...selection.particles.keys()].filter((id) => objects.some((object) => object.id === id));
    const chosen = selected !== undefined ? String(selected) : this.object.value;
    const known = [...this.object.options].map(({ value }) => value).join();
    if (known !== ['', ...objects.map(({ id }) => id)].join()) {
      this.object.replaceChildren(h('option', { value: '' }, 'None'), ...objects.map(({ id }) => h('option', { value: String(id) }, this.page.nameOf(id))));
    }
    this.object.value = chosen;
    if (this.object.value !== chosen) this.object.value = '';
  }

  /** @returns {Plan} */
  #plan() {
    const axes = this.axes.flatMap((fields) => fields.read() ?? []);
    const ticks = this.ticks.valueAsNumber;
    const statistic = /** @type {Statistic} */ (this.statistic.value);
    /** @type {Plan} */
    const plan = {
      axes, ticks, statistic, every: statistic === 'end' ? ticks : this.every.valueAsNumber,
      figures: this.figures.filter(({ box }) => box.checked).map(({ figure }) => figure),
      object: this.object.value === '' ? null : Number(this.object.value),
    };
    const fault = faultOf(plan, this.page.client.topology);
    if (fault) throw new Error(fault);
    return plan;
  }

  async #run() {
    if (this.#running) return;
    this.fault.textContent = this.said.textContent = '';
    const running = new AbortController();
    try {
      const plan = this.#plan();
      this.#setRunning(running);
      const { runSweep } = await import('./sweep.js');
      const sweep = await runSweep(this.page, plan, { signal: running.signal, progress: (progress) => this.#tell(progress) });
      this.#done = { plan, sweep };
      this.table.show(plan, sweep.runs);
      this.files.hidden = false;
      this.said.textContent = `${sweep.runs.length} ${sweep.runs.length === 1 ? 'run' : 'runs'} of ${plan.ticks} ticks from tick ${sweep.tick}, ${STATISTICS[plan.statistic].toLowerCase()}. The worlds were removed.`;
    } catch (error) {
      if (running.signal.aborted) this.said.textContent = 'The sweep was canceled. Its worlds were removed.';
      else this.fault.textContent = /** @type {Error} */ (error).message;
    }
    this.#setRunning(null);
  }

  /** @param {AbortController | null} running */
  #setRunning(running) {
    this.#running = running;
    this.cancel.hidden = this.bar.hidden = running === null;
    this.setAllowed(this.allowed ?? false);
  }

  /** @param {import('./sweep.js').Progress} progress */
  #tell({ done, of }) {
    this.bar.max = of;
    this.bar.value = done;
    this.said.textContent = done < of ? `Run ${done + 1} of ${of}` : '';
  }

  /** @param {'csv' | 'npz'} kind */
  async #save(kind) {
    if (!this.#done) return;
    const { plan, sweep } = this.#done;
    const { csvOf, npzOf } = await import('./sweep_files.js');
    const blob = kind === 'csv' ? new Blob([csvOf(plan, sweep)], { type: 'text/csv' }) : new Blob([npzOf(plan, sweep)], { type: 'application/zip' });
    const url = URL.createObjectURL(blob);
    h('a', { href: url, download: `weft-sweep-${this.page.client.hello?.world ?? 'world'}-${sweep.tick}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }
}
