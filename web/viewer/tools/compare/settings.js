// SPDX-License-Identifier: MIT
// The settings of A and B side by side, with differences marked, and the results below them.
import { h } from '../../ui/dom.js';

/** @typedef {import('../../page/page.js').WorldState} WorldState */
/** @typedef {import('../../../client/protocol.js').WorldSetParams} WorldSetParams */
/** @typedef {{step: number, min: number, max: number}} Range */
/** @typedef {[name: string, unit: string, range: Range | string[], read: (state: WorldState) => number | string, write: (value: any, state: WorldState) => WorldSetParams]} Row */

/**
 * The rows: each setting is read from a result of world.get and written by world.set; if a row shows a part of a parameter,
 * the rest of it is preserved.
 * @type {Row[]} `write` takes the type that `read` returns
 */
const ROWS = [
  ['Gravity', 'm/s²', { step: 0.1, min: -25, max: 25 }, ({ gravity }) => -gravity[1], (value, { gravity }) => ({ gravity: [gravity[0], -value, gravity[2]] })],
  ['Wind X', 'm/s', { step: 0.1, min: -15, max: 15 }, ({ wind }) => wind.velocity[0], (value, { wind }) => ({ wind: { ...wind, velocity: [value, wind.velocity[1], wind.velocity[2]] } })],
  ['Wind Y', 'm/s', { step: 0.1, min: -15, max: 15 }, ({ wind }) => wind.velocity[1], (value, { wind }) => ({ wind: { ...wind, velocity: [wind.velocity[0], value, wind.velocity[2]] } })],
  ['Wind Z', 'm/s', { step: 0.1, min: -15, max: 15 }, ({ wind }) => wind.velocity[2], (value, { wind }) => ({ wind: { ...wind, velocity: [wind.velocity[0], wind.velocity[1], value] } })],
  ['Gusts', '', { step: 0.1, min: 0, max: 1 }, ({ wind }) => wind.gust ?? 0, (value, { wind }) => ({ wind: { ...wind, gust: value } })],
  ['Air density', 'kg/m³', { step: 0.1, min: 0, max: 10 }, ({ airDensity }) => airDensity ?? 1.2, (value) => ({ airDensity: value })],
  ['Substeps', '', { step: 1, min: 1, max: 64 }, ({ substeps }) => substeps, (value) => ({ substeps: value })],
  ['Iterations', '', { step: 1, min: 1, max: 256 }, ({ iterations }) => iterations, (value) => ({ iterations: value })],
  ['Tolerance', '', { step: 0.0001, min: 0, max: 1 }, ({ tolerance }) => tolerance ?? 0, (value) => ({ tolerance: value })],
  ['Damping', '', { step: 0.001, min: 0, max: 0.999 }, ({ damping }) => damping, (value) => ({ damping: value })],
  ['Friction', '', { step: 0.05, min: 0, max: 10 }, ({ friction }) => friction ?? 0, (value) => ({ friction: value })],
  ['Square root', '', ['exact', 'approximate'], ({ squareRoot }) => squareRoot, (value) => ({ squareRoot: value })],
  ['Sleep at rest', '', ['Yes', 'No'], ({ sleep }) => (sleep ? 'Yes' : 'No'), (value) => ({ sleep: value === 'Yes' })],
];

/** @type {[name: string, unit: string, read: (measured: import('../../../client/protocol.js').WorldMeasureResult) => string][]} */
const RESULTS = [
  ['Mean stretch', '%', ({ stretch }) => (100 * stretch.mean).toFixed(2)],
  ['Worst stretch', '%', ({ stretch }) => (100 * stretch.worst).toFixed(1)],
  ['Spring force error', '%', ({ compliance }) => (compliance && compliance.sticks > 0 ? (100 * compliance.residual).toFixed(1) : '–')],
  ['Kinetic energy', 'J', ({ kineticEnergy }) => kineticEnergy.toPrecision(3)],
];
const SIDES = ['A', 'B'];
/** @type {(keyof WorldSetParams & keyof WorldState)[]} */
const PARAMETERS = ['gravity', 'wind', 'airDensity', 'substeps', 'iterations', 'tolerance', 'damping', 'friction', 'squareRoot', 'sleep'];

/** @param {number | string | undefined} value @returns {string} */
const shown = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : value ?? ''); // rounded to hide the digits added by float32

/** A table of settings; each change calls `change(side, params)`, an invalid one `refuse(sentence)`. */
export class Settings {
  /**
   * @param {(side: number, params: WorldSetParams) => Promise<unknown>} change
   * @param {(sentence: string) => void} refuse
   * @param {boolean} editable
   */
  constructor(change, refuse, editable) {
    /** @type {(WorldState | null)[]} states of A and B */
    this.states = [null, null];
    this.rows = ROWS.map((row) => this.row(row, change, refuse, editable));
    this.results = RESULTS.map(([name, unit, read]) => {
      const cells = SIDES.map(() => h('td', {}, '–'));
      return { read, cells, element: h('tr', {}, h('th', { scope: 'row' }, name, unit ? h('small', {}, ` ${unit}`) : null), ...cells, h('td')) };
    });
    this.cost = SIDES.map(() => h('td', {}, '–'));
    this.element = h('table', { class: 'compare-table' }, h('caption', { class: 'unseen' }, 'Settings and results of A and B'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Setting'), ...SIDES.map((side) => h('th', { scope: 'col' }, side)), h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Difference')))),
      h('tbody', {}, ...this.rows.map(({ element }) => element)),
      h('tbody', {}, h('tr', {}, h('th', { scope: 'row' }, 'Tick time', h('small', {}, ' ms')), ...this.cost, h('td')), ...this.results.map(({ element }) => element)));
  }

  /**
   * @param {Row} row @param {(side: number, params: WorldSetParams) => Promise<unknown>} change @param {(sentence: string) => void} refuse
   * @param {boolean} editable
   */
  row([name, unit, range, read, write], change, refuse, editable) {
    const mark = h('td', { class: 'compare-mark' });
    const fields = SIDES.map((side, at) => {
      const label = `${name} of ${side}${unit ? ` (${unit})` : ''}`;
      const send = async () => {
        const value = field instanceof HTMLInputElement ? field.valueAsNumber : field.value;
        const before = this.states[at];
        if (!before) return;
        if (!Array.isArray(range) && (!field.checkValidity() || Number.isNaN(value))) refuse(`${name} must be a number from ${range.min} to ${range.max}.`);
        else await change(at, write(value, before));
        field.value = shown(read(this.states[at] ?? before)); // shows the server's value instead of the typed one
      };
      const attributes = { class: 'compare-field', 'aria-label': label, disabled: !editable, onchange: send };
      /** @type {HTMLSelectElement | HTMLInputElement} */
      const field = Array.isArray(range)
        ? h('select', attributes, ...range.map((option) => h('option', { value: option }, option)))
        : h('input', { ...attributes, type: 'number', ...range, step: 'any' });
      if (field instanceof HTMLInputElement && !Array.isArray(range)) field.addEventListener('keydown', (event) => stepBy(event, field, range));
      return field;
    });
    const element = h('tr', {}, h('th', { scope: 'row' }, name, unit ? h('small', {}, ` ${unit}`) : null), ...fields.map((field) => h('td', {}, field)), mark);
    return { element, fields, mark, read };
  }

  /** @param {number} side @param {WorldState|null} state */
  show(side, state) {
    if (!state) return;
    this.states[side] = state;
    this.cost[side].textContent = state.timing?.tickMs?.toFixed(2) ?? '–';
    for (const { element, fields, mark, read } of this.rows) {
      const field = fields[side];
      if (document.activeElement !== field) field.value = shown(read(state));
      const [a, b] = this.states;
      const differs = a !== null && b !== null && read(a) !== read(b);
      element.toggleAttribute('data-differs', differs);
      mark.textContent = differs ? '≠ differs' : '';
    }
  }

  /** @param {number} side @param {import('../../../client/protocol.js').WorldMeasureResult} measured */
  showResults(side, measured) {
    for (const { read, cells } of this.results) cells[side].textContent = read(measured);
  }

  /** The parameters that restore the settings of A and B. @returns {(WorldSetParams|null)[]} */
  parameters() {
    return this.states.map((state) => state && Object.fromEntries(
      PARAMETERS.filter((key) => state[key] !== undefined).map((key) => [key, state[key]])));
  }
}

/**
 * The browser's own step size would ignore values such as 0.0105.
 * @param {KeyboardEvent} event @param {HTMLInputElement} field @param {Range} range
 */
function stepBy(event, field, { step, min, max }) {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  const value = (Number.isNaN(field.valueAsNumber) ? 0 : field.valueAsNumber) + (event.key === 'ArrowUp' ? step : -step);
  field.value = shown(Math.min(max, Math.max(min, value)));
  field.dispatchEvent(new Event('change'));
}
