// SPDX-License-Identifier: MIT
// The part of the dock for joints: what a drag adds (joint_tool.js), and a form that changes or removes an added stick.
import { h, icon } from '../../ui/dom.js';
import { figure } from '../../ui/numbers.js';
import { jointCommands, JointTool } from './joint_tool.js';
import { JOINTS } from './kinds.js';
/** @import { Stick } from '../../../client/topology.js' */
/** @import { AxisName, JointKind } from './joint_tool.js' */

/** @type {[name: AxisName, title: string][]} */
const AXES = [['view', 'Towards you'], ['x', 'x'], ['y', 'y (up)'], ['z', 'z']];
/** @type {[kind: Stick['kind'], title: string][]} */
const STICK_KINDS = [['equal', 'Keeps its length'], ['atMost', 'At most its length'], ['atLeast', 'At least its length']];

/** The part of the dock for joints. */
export class JointPart {
  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.tool = new JointTool(page);
    /** @param {string} id @param {string} text */
    const field = (id, text) => h('input', { id, type: 'text', inputmode: 'decimal', autocomplete: 'off', placeholder: text });
    this.palette = h('div', { class: 'build-kinds' }, /** @type {JointKind[]} */ (Object.keys(JOINTS)).map((kind) => h('button', {
      type: 'button', class: 'build-kind', 'aria-pressed': 'false', dataset: { joint: kind }, onclick: () => this.tool.choose(this.tool.kind === kind ? null : kind),
    }, icon(JOINTS[kind][1]), h('span', {}, JOINTS[kind][0]))));
    this.bears = field('joint-bears', 'Never breaks');
    this.axis = h('select', { id: 'joint-axis' }, AXES.map(([name, title]) => h('option', { value: name }, title)));
    this.stick = h('select', { id: 'joint-stick', onchange: () => this.#fill() });
    this.length = field('joint-length', '');
    this.rate = field('joint-rate', 'At once');
    this.breakForce = field('joint-break', 'Never breaks');
    this.kind = h('select', { id: 'joint-kind' }, STICK_KINDS.map(([kind, title]) => h('option', { value: kind }, title)));
    this.fault = h('p', { class: 'build-fault', role: 'alert' });
    this.set = h('button', { type: 'submit' }, 'Set');
    this.remove = h('button', { type: 'button', onclick: () => this.#remove() }, 'Remove');
    /** @param {{id: string} & HTMLElement} input @param {string} title @param {string} [unit] */
    const row = (input, title, unit) => h('div', { class: 'build-row' }, h('label', { for: input.id }, title, unit ? h('small', {}, ` ${unit}`) : null), input);
    this.form = h('form', { 'aria-label': 'Added stick', novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      this.#change();
    } }, row(this.stick, 'Added stick'), row(this.length, 'Length', 'm'), row(this.rate, 'Rate of change', 'm/s'), row(this.breakForce, 'Break force', 'N'),
    row(this.kind, 'Kind'), this.fault, h('div', { class: 'build-modes' }, this.set, this.remove));
    this.element = h('section', { class: 'build-part', 'aria-label': 'Joints' },
      h('h3', {}, 'Joints'),
      h('p', { class: 'build-hint' }, 'Choose one, then drag from a point of an object to another object, an obstacle or the ground. A ball joint or hinge lies where the drag begins.'),
      this.palette, row(this.bears, 'New: break force', 'N'), row(this.axis, 'New: axis of a hinge'), this.form);
    this.tool.on('change', (kind) => {
      for (const button of this.palette.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.joint === kind));
    });
    this.tool.on('join', (join) => this.#join(join));
    page.on('topology', () => this.#list());
    this.#list();
  }

  /** @param {boolean} usable */
  setUsable(usable) {
    for (const button of [...this.palette.querySelectorAll('button'), this.set, this.remove]) button.disabled = !usable;
    if (!usable) this.tool.choose(null);
  }

  /** @param {{kind: JointKind, from: import('./joint_tool.js').Spot, to: import('./joint_tool.js').Spot}} join */
  async #join({ kind, from, to }) {
    this.fault.textContent = '';
    try {
      const breakForce = numberIn(this.bears, 'Break force');
      const axis = this.tool.axis(/** @type {AxisName} */ (this.axis.value));
      const commands = jointCommands(kind, from, to, { axis, options: breakForce ? { breakForce } : {} });
      const answer = await this.page.call('batch.run', /** @type {any} */ ({ commands })); // the commands of the library have valid params
      const made = answer?.results.at(-1);
      if (made && 'stick' in made) this.#list(Number(made.stick));
    } catch (error) {
      this.fault.textContent = /** @type {Error} */ (error).message;
    }
  }

  get #sticks() {
    return this.page.client.topology?.sticks ?? [];
  }

  /** Lists the added sticks. @param {number} [chosen] the one to choose */
  #list(chosen = Number(this.stick.value)) {
    const sticks = this.#sticks;
    this.form.hidden = sticks.length === 0;
    const before = this.stick.value;
    this.stick.replaceChildren(...sticks.map(({ id, a, b }) => h('option', { value: id }, `${id}: ${this.page.nameOf(a.object)} – ${this.page.nameOf(b.object)}`)));
    if (sticks.some(({ id }) => id === chosen)) this.stick.value = String(chosen);
    if (this.stick.value !== before || this.length.value === '') this.#fill();
  }

  // Shows the values of the chosen stick.
  #fill() {
    const stick = this.#sticks.find(({ id }) => id === Number(this.stick.value));
    if (!stick) return;
    this.fault.textContent = '';
    this.length.value = figure(stick.targetLength ?? stick.restLength);
    this.rate.value = stick.rate ? figure(stick.rate) : '';
    this.breakForce.value = stick.breakForce ? figure(stick.breakForce) : '';
    this.kind.value = stick.kind;
  }

  async #change() {
    const stick = this.#sticks.find(({ id }) => id === Number(this.stick.value));
    if (!stick) return;
    try {
      const [length, rate, breakForce] = [numberIn(this.length, 'Length'), numberIn(this.rate, 'Rate of change'), numberIn(this.breakForce, 'Break force')];
      this.fault.textContent = '';
      const moved = length !== undefined && figure(length) !== figure(stick.restLength);
      await this.page.call('stick.set', {
        stick: stick.id, kind: /** @type {Stick['kind']} */ (this.kind.value), breakForce: breakForce ?? 0,
        ...(moved && { restLength: length, ...(rate && { rate }) }),
      });
    } catch (error) {
      this.fault.textContent = /** @type {Error} */ (error).message;
    }
  }

  #remove() {
    return this.page.call('stick.remove', { stick: Number(this.stick.value) });
  }
}

/** The number in a field; undefined if it is empty. Throws an Error if it is none. @param {HTMLInputElement} input @param {string} title */
function numberIn(input, title) {
  const text = input.value.trim().replace(',', '.');
  const value = Number(text);
  const sound = text === '' || (Number.isFinite(value) && value >= 0);
  if (sound) input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
  if (!sound) throw new Error(`${title} must be a number from 0, not “${input.value.trim().slice(0, 20)}”.`);
  return text === '' ? undefined : value;
}
