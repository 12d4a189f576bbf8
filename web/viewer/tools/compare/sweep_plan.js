// SPDX-License-Identifier: MIT
// What a parameter sweep can vary and measure, and the check of what a user has asked for. Pure.

export const RUNS_MAX = 200;
export const TICKS_MAX = 36000; // of one run
const TICKS_IN_ALL_MAX = 1000000;
const OBJECT_PARTICLES_MAX = 4096; // of an object whose height is measured

/** @typedef {import('../../page/page.js').WorldState} WorldState */
/** @typedef {import('../../../client/protocol.js').WorldMeasureResult} Measured */
/** @typedef {[method: 'world.set' | 'object.set', params: any]} Change */
/**
 * @typedef {object} Parameter
 * @property {string} id @property {string} label @property {string} unit @property {number} min @property {number} max
 * @property {boolean} [whole] whether only integers are possible
 * @property {boolean} [ofObject] whether it is a property of an object
 * @property {(value: number, state: WorldState, object: number) => Change} change what sets it
 */
/** @typedef {{id: string, label: string, unit: string, ofObject?: boolean, read: (measured: Measured, height: number) => number}} Figure */
/** @typedef {'end' | 'mean' | 'min' | 'max'} Statistic */
/** @typedef {{parameter: Parameter, values: number[]}} Axis */
/** @typedef {{axes: Axis[], ticks: number, every: number, figures: Figure[], statistic: Statistic, object: number | null}} Plan */

/** @param {string} member of object.set @param {string} label @param {string} unit @param {number} max @param {number} [min] @returns {Parameter} */
const ofObject = (member, label, unit, max, min = 0) => ({
  id: `object.${member}`, label, unit, min, max, ofObject: true, change: (value, _, object) => ['object.set', { object, [member]: value }],
});

/** @param {string} member of world.set @param {string} label @param {string} unit @param {number} min @param {number} max @param {boolean} [whole] @returns {Parameter} */
const ofWorld = (member, label, unit, min, max, whole = false) => ({ id: member, label, unit, min, max, whole, change: (value) => ['world.set', { [member]: value }] });

/** @param {number} axis @param {string} name @returns {Parameter} */
const wind = (axis, name) => ({
  id: `wind.${name}`, label: `Wind ${name}`, unit: 'm/s', min: -100, max: 100,
  change: (value, state) => ['world.set', { wind: { ...state.wind, velocity: state.wind.velocity.map((before, at) => (at === axis ? value : before)) } }],
});

/** @type {readonly Parameter[]} */
export const PARAMETERS = [
  {
    id: 'gravity', label: 'Gravity', unit: 'm/s²', min: -1000, max: 1000,
    change: (value, { gravity }) => ['world.set', { gravity: [gravity[0], -value, gravity[2]] }],
  },
  wind(0, 'x'), wind(1, 'y'), wind(2, 'z'),
  ofWorld('airDensity', 'Air density', 'kg/m³', 0, 100),
  ofWorld('damping', 'Damping', '', 0, 0.999),
  ofWorld('substeps', 'Substeps', '', 1, 64, true),
  ofWorld('iterations', 'Iterations', '', 1, 256, true),
  ofWorld('tolerance', 'Tolerance', '', 0, 1),
  ofWorld('friction', 'Friction of the bounds', '', 0, 10),
  ofObject('friction', 'Friction of the object', '', 10),
  ofObject('restitution', 'Bounce of the object', '', 1),
  ofObject('stretchCompliance', 'Stretch compliance of the object', 'm/N', 1000),
  ofObject('bendCompliance', 'Bend compliance of the object', 'm/N', 1000),
  ofObject('mass', 'Mass of the object', 'kg', 1e6, 1e-6),
];

/** @type {readonly Figure[]} */
export const FIGURES = [
  { id: 'total', label: 'Energy', unit: 'J', read: ({ kineticEnergy, potentialEnergy }) => kineticEnergy + potentialEnergy },
  { id: 'kinetic', label: 'Kinetic energy', unit: 'J', read: ({ kineticEnergy }) => kineticEnergy },
  { id: 'meanStretch', label: 'Mean stretch', unit: '%', read: ({ stretch }) => 100 * stretch.mean },
  { id: 'worstStretch', label: 'Worst stretch', unit: '%', read: ({ stretch }) => 100 * stretch.worst },
  { id: 'residual', label: 'Remaining error of springs', unit: '%', read: ({ compliance }) => 100 * compliance.residual },
  { id: 'momentum', label: 'Momentum', unit: 'kg·m/s', read: ({ momentum }) => Math.hypot(...momentum) },
  { id: 'centre', label: 'Height of the centre of mass', unit: 'm', read: ({ centre }) => centre[1] },
  { id: 'height', label: 'Mean height of the object', unit: 'm', ofObject: true, read: (_, height) => height },
];

/** @type {Readonly<Record<Statistic, string>>} */
export const STATISTICS = { end: 'At the end', mean: 'Mean', min: 'Minimum', max: 'Maximum' };

/** A title with its unit. @param {{label: string, unit: string}} what */
export const titleOf = ({ label, unit }) => (unit ? `${label} (${unit})` : label);

/**
 * Values evenly spaced between two, or with equal ratios.
 * @param {number} from @param {number} to @param {number} count @param {boolean} isLogarithmic @param {boolean} [whole]
 */
export function spread(from, to, count, isLogarithmic, whole = false) {
  const values = Array.from({ length: count }, (_, i) => {
    if (i === 0) return from;
    if (i === count - 1) return to;
    const share = i / (count - 1);
    return Number((isLogarithmic ? from * (to / from) ** share : from + share * (to - from)).toPrecision(9));
  });
  return whole ? [...new Set(values.map(Math.round))] : values;
}

/**
 * Says why a range is impossible: a sentence; null if it is possible.
 * @param {Parameter} parameter @param {{from: number, to: number, count: number, isLogarithmic: boolean}} range
 */
export function faultOfRange({ label, unit, min, max, whole }, { from, to, count, isLogarithmic }) {
  if (![from, to].every((value) => value >= min && value <= max)) return `${label} must be ${min} to ${max}${unit ? ` ${unit}` : ''}.`;
  if (whole && ![from, to].every(Number.isInteger)) return `${label} must be a whole number.`;
  if (!Number.isInteger(count) || count < 1 || count > RUNS_MAX) return `The number of values of ${label.toLowerCase()} must be 1 to ${RUNS_MAX}.`;
  if (isLogarithmic && !(from > 0 && to > 0)) return `Logarithmic values of ${label.toLowerCase()} must be above 0.`;
  return null;
}

/**
 * Says why a plan is impossible: a sentence; null if it is possible.
 * @param {Plan} plan @param {import('../../../client/topology.js').Topology | null} topology
 */
export function faultOf({ axes, ticks, every, figures, object }, topology) {
  const runs = axes.reduce((product, { values }) => product * values.length, 1);
  if (axes.length === 2 && axes[0].parameter === axes[1].parameter) return 'Choose two different parameters, or none as the second.';
  if (runs > RUNS_MAX) return `This makes ${runs} runs; a sweep can have at most ${RUNS_MAX}. Choose fewer values.`;
  if (!Number.isInteger(ticks) || ticks < 1 || ticks > TICKS_MAX) return `Ticks must be a whole number from 1 to ${TICKS_MAX}.`;
  if (runs * ticks > TICKS_IN_ALL_MAX) return `This makes ${runs * ticks} ticks in all; a sweep can have at most ${TICKS_IN_ALL_MAX}. Choose fewer values or fewer ticks.`;
  if (!Number.isInteger(every) || every < 1 || every > ticks) return `The ticks between two measurements must be a whole number from 1 to ${ticks}.`;
  if (figures.length === 0) return 'Choose at least one figure to measure.';
  const needsObject = [...axes.map(({ parameter }) => parameter), ...figures].find((what) => what.ofObject);
  if (!needsObject) return null;
  const known = object === null ? null : topology?.findObject(object);
  if (!known) return `Choose an object for “${needsObject.label}”.`;
  if (figures.some((figure) => figure.ofObject) && known.particles > OBJECT_PARTICLES_MAX) {
    return `The height of objects of more than ${OBJECT_PARTICLES_MAX} particles cannot be measured; this one has ${known.particles}.`;
  }
  return null;
}

/** The values of each run, the first parameter outermost. @param {Axis[]} axes @returns {number[][]} */
export function gridOf(axes) {
  return axes.reduce((/** @type {number[][]} */ rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])), [[]]);
}

/** @param {number[]} samples @param {Statistic} statistic */
export function summarise(samples, statistic) {
  if (statistic === 'mean') return samples.reduce((sum, value) => sum + value, 0) / samples.length;
  if (statistic === 'min') return Math.min(...samples);
  if (statistic === 'max') return Math.max(...samples);
  return samples[samples.length - 1];
}
