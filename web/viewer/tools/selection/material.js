// SPDX-License-Identifier: MIT
// The card with the material of what is selected: friction and bounce of everything, stiffness and bending of objects that have
// such sticks, mass of objects, and the name. It shows the values of the first selected object; a change applies to all that
// are selected and have the property.
import { h } from '../../ui/dom.js';
import { figure } from '../../ui/numbers.js';

const STIFFEST = 7; // power of ten, N/m; above it sticks are rigid
const RIGID = STIFFEST + 0.05;

/** @typedef {'friction' | 'restitution' | 'stretchCompliance' | 'bendCompliance' | 'mass'} Member */
/**
 * @typedef {object} Plan
 * @property {string} label @property {string} title
 * @property {{min: number, max: number, step: number}} range of the slider
 * @property {(slider: number) => number} value what a place of the slider stands for
 * @property {(value: number) => number} place of a value
 * @property {(value: number) => string} text
 */
/** @typedef {{plan: Plan, input: HTMLInputElement, told: HTMLOutputElement, row: HTMLElement, touched: boolean}} Field */

/** @param {string} label @param {string} title @param {number} max @returns {Plan} */
const linear = (label, title, max) => ({
  label, title, range: { min: 0, max, step: 0.01 }, value: (slider) => slider, place: (value) => value, text: (value) => value.toFixed(2),
});

/** A compliance in m/N, shown as the stiffness of its spring. @param {string} label @param {string} title @returns {Plan} */
const stiffness = (label, title) => ({
  label, title, range: { min: -1, max: RIGID, step: 0.05 },
  value: (slider) => (slider > STIFFEST + 0.01 ? 0 : Number((10 ** -slider).toPrecision(2))),
  place: (value) => (value > 0 ? -Math.log10(value) : RIGID),
  text: (value) => (value > 0 ? `${figure(1 / value)} N/m` : 'rigid'),
});

/** @type {Record<Member, Plan>} */
const PLANS = {
  friction: linear('Friction', 'Resistance to sliding', 2),
  restitution: linear('Bounce', 'Share of the speed that is left after an impact', 1),
  stretchCompliance: stiffness('Stiffness', 'Resistance of each stick to stretching'),
  bendCompliance: stiffness('Bending', 'Resistance of each bending stick'),
  mass: {
    label: 'Mass', title: 'Mass of the whole object', range: { min: -3, max: 3, step: 0.01 },
    value: (slider) => Number((10 ** slider).toPrecision(3)), place: (value) => Math.log10(value), text: (value) => `${figure(value)} kg`,
  },
};
const OF_OBJECTS = new Set(['stretchCompliance', 'bendCompliance', 'mass']);

export class MaterialCard {
  /** @param {import('../../page/page.js').Page} page @param {import('./commands.js').SelectionCommands} commands */
  constructor(page, commands) {
    this.page = page;
    this.commands = commands;
    this.fields = /** @type {Record<Member, Field>} */ (Object.fromEntries(Object.entries(PLANS).map(([member, plan]) => [member, this.#field(/** @type {Member} */ (member), plan)])));
    this.name = h('input', { type: 'text', id: 'material-name', maxlength: 64, autocomplete: 'off' });
    this.name.addEventListener('change', () => { if (this.name.value.trim() !== '') this.commands.change({ name: this.name.value.trim() }); });
    this.element = h('div', { class: 'selection-card', role: 'group', 'aria-label': 'Material', hidden: true },
      Object.values(this.fields).map(({ row }) => row), h('div', { class: 'field' }, h('label', { for: 'material-name' }, 'Name'), this.name));
  }

  /** @param {Member} member @param {Plan} plan @returns {Field} */
  #field(member, plan) {
    const input = h('input', { type: 'range', id: `material-${member}`, ...plan.range, title: plan.title });
    const told = h('output', { for: input.id });
    const row = h('div', { class: 'field' }, h('label', { for: input.id }, plan.label), input, told);
    /** @type {Field} */
    const field = { plan, input, told, row, touched: false };
    const value = () => plan.value(Number(input.value));
    input.addEventListener('input', () => {
      field.touched = true;
      tell(field, value());
    });
    input.addEventListener('change', () => this.#change(member, value()));
    return field;
  }

  /** @param {Member} member @param {number} value */
  async #change(member, value) {
    if (!OF_OBJECTS.has(member)) return this.commands.change({ [member]: value });
    const answers = await Promise.all(this.commands.objects.map((object) => this.page.ask('object.get', { object }).catch(() => null)));
    const having = answers.flatMap((answer) => (answer && member in answer ? [answer.object] : []));
    return this.commands.changeObjects(having, { [member]: value });
  }

  /** Shows the material of the first that is selected. */
  async read() {
    const [object] = this.commands.objects;
    for (const field of Object.values(this.fields)) field.touched = false; // true if the user edits it before the reply arrives
    /** @type {Partial<Record<Member, number>> & {name?: string}} */
    const known = (object === undefined ? this.commands.obstacles[0] : await this.page.ask('object.get', { object }).catch(() => null)) ?? {};
    for (const [member, field] of /** @type {[Member, Field][]} */ (Object.entries(this.fields))) {
      const value = known[member];
      field.row.hidden = OF_OBJECTS.has(member) && (value === undefined || (member === 'mass' && value === 0));
      if (value === undefined || field.touched) continue;
      field.input.value = String(field.plan.place(value));
      tell(field, value);
    }
    if (document.activeElement !== this.name) this.name.value = known.name ?? '';
  }
}

/** @param {Field} field @param {number} value */
function tell({ plan, input, told }, value) {
  told.textContent = plan.text(value);
  input.setAttribute('aria-valuetext', plan.text(value));
}
