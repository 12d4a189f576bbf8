// SPDX-License-Identifier: MIT
// The card of one probe: its name, and its newest values with units.
import { h, icon } from '../../ui/dom.js';
import { figure, percent } from '../../ui/numbers.js';
/** @import { Probe } from './probe.js' */

const METRES = 4; // digits after the point

/** Components that are nothing beside the others are 0. @param {number[]} vector @param {string} unit */
function vectorText(vector, unit) {
  const least = 1e-5 * Math.hypot(...vector);
  return `(${vector.map((value) => figure(Math.abs(value) < least ? 0 : value)).join(', ')}) ${unit}`;
}
/** @param {number | null} value @param {string} unit */
const text = (value, unit) => (value === null ? '–' : `${figure(value)} ${unit}`);

/** The values in the order of display. @type {[title: string, value: (probe: Probe, row: import('./probe.js').Row) => string][]} */
const VALUES = [
  ['Position', (_, { x, y, z }) => `(${[x, y, z].map((value) => value.toFixed(METRES).replace(/^-(0\.0+)$/, '$1')).join(', ')}) m`],
  ['Velocity', (_, { vx, vy, vz }) => vectorText([vx, vy, vz], 'm/s')],
  ['Speed', (_, { vx, vy, vz }) => text(Math.hypot(vx, vy, vz), 'm/s')],
  ['Acceleration', (_, { ax, ay, az }) => `${text(Math.hypot(ax, ay, az), 'm/s²')} ${vectorText([ax, ay, az], 'm/s²')}`],
  ['Mass', ({ mass }) => (mass === null ? 'pinned' : text(mass, 'kg'))],
  ['Net force', ({ mass }, { ax, ay, az }) => text(mass === null ? null : mass * Math.hypot(ax, ay, az), 'N')],
  ['Period', (probe) => periodText(probe)],
  ['Energy', ({ mass }, { kinetic, potential }) => (mass === null ? '–' : `${text(kinetic + potential, 'J')} (${figure(kinetic)} kinetic, ${figure(potential)} potential)`)],
  ['Change from baseline', (probe) => changeText(probe)],
];

/** @param {Probe} probe */
function periodText({ period: found }) {
  if (!found) return '–';
  const { period, uncertainty, periods, axis } = found;
  const spread = uncertainty === null ? '' : ` ± ${figure(Math.max(uncertainty, 1e-6))}`;
  return `${period.toFixed(4)}${spread} s (${periods} ${periods === 1 ? 'period' : 'periods'} in ${axis})`;
}

/** @param {Probe} probe */
function changeText({ energy, baseline }) {
  if (energy === null || baseline === null) return '–';
  const change = energy - baseline;
  const signed = `${change > 0 ? '+' : ''}${text(change, 'J')}`;
  return baseline === 0 ? signed : `${signed} (${percent(change / Math.abs(baseline), true)})`;
}

export class ProbeCard {
  /** @param {Probe} probe @param {{remove: () => void, rename: (name: string) => void}} act */
  constructor(probe, { remove, rename }) {
    this.probe = probe;
    const name = h('input', { type: 'text', 'aria-label': 'Name of the probe', value: probe.name, maxlength: 64, autocomplete: 'off', spellcheck: 'false' });
    name.addEventListener('change', () => {
      name.value = name.value.trim() || probe.name;
      rename(name.value);
    });
    this.cells = VALUES.map(() => h('dd', {}, '–'));
    this.gone = h('p', { class: 'probe-gone', hidden: true }, 'This is no longer in the world. What was recorded is kept.');
    this.element = h('section', { class: 'probe-card', 'aria-label': probe.name, dataset: { probe: probe.color } },
      h('header', {}, h('i', { class: 'probe-dot', 'aria-hidden': 'true' }), name,
        h('button', { type: 'button', 'aria-label': `Remove probe ${probe.name}`, title: 'Remove probe', onclick: remove }, icon('<path d="M5 5l10 10M15 5L5 15"/>'))),
      this.gone, h('dl', {}, VALUES.flatMap(([title], i) => [h('dt', {}, title), this.cells[i]])));
  }

  /** @param {boolean} isThere whether what it measures exists */
  show(isThere) {
    const row = this.probe.last;
    this.gone.hidden = isThere;
    VALUES.forEach(([, value], i) => {
      const now = row ? value(this.probe, row) : '–';
      if (this.cells[i].textContent !== now) this.cells[i].textContent = now;
    });
  }
}
