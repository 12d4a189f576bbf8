// SPDX-License-Identifier: MIT
// The plotted quantities, and the recorded samples: one row per sample, one column per quantity. Pure.

export const STAGES = ['commands', 'forces', 'integrate', 'detect', 'sticks', 'contacts', 'finish', 'upkeep', 'encode', 'send'];
export const ROWS_MAX = 3000; // the oldest rows beyond this number are dropped

/** The quantities in the order of the columns: [key, title in the CSV file]. */
export const COLUMNS = [
  ['time', 'time_s'], ['tick', 'tick'],
  ['kinetic', 'kinetic_energy_J'], ['potential', 'potential_energy_J'], ['total', 'total_energy_J'],
  ['momentum', 'momentum_kg_m_s'], ['angular', 'angular_momentum_kg_m2_s'],
  ['mean', 'mean_stretch_percent'], ['worst', 'worst_stretch_percent'],
  ['tickMs', 'tick_ms'], ...STAGES.map((stage) => [stage, `${stage}_ms`]),
  ['bytes', 'received_kB_s'], ['latency', 'round_trip_ms'],
];

/** @param {number[]} vector */
const size = (vector) => Math.hypot(...vector);
/** @param {number | null | undefined} value */
const known = (value) => (value != null && Number.isFinite(value) ? value : null);

/**
 * Makes a row of measurements.
 * @param {number} time s
 * @param {import('../../../client/protocol.js').WorldMeasureResult} measure
 * @param {import('../../../client/protocol.js').WorldGetResult['timing']|undefined} timing
 * @param {{bytesPerSecond: number, roundTripMs: number|null}} traffic
 * @returns {Record<string, number|null>} null for unknown values
 */
export function sampleOf(time, measure, timing, traffic) {
  const { kineticEnergy: kinetic, potentialEnergy: potential, stretch } = measure;
  return {
    time, tick: measure.tick, kinetic, potential, total: kinetic + potential,
    momentum: size(measure.momentum), angular: size(measure.angularMomentum),
    mean: 100 * stretch.mean, worst: 100 * stretch.worst,
    tickMs: known(timing?.tickMs),
    ...Object.fromEntries(STAGES.map((stage) => [stage, known(/** @type {Record<string, number> | undefined} */ (timing?.stagesMs)?.[stage])])),
    bytes: traffic.bytesPerSecond / 1000, latency: known(traffic.roundTripMs),
  };
}

/** The newest rows, stored by columns. */
export class Recording {
  /** @type {Record<string, (number | null)[]>} */
  columns = Object.fromEntries(COLUMNS.map(([key]) => [key, []]));

  get length() {
    return this.columns.time.length;
  }

  /** @param {Record<string, number|null>} row */
  add(row) {
    const full = this.length === ROWS_MAX;
    for (const [key] of COLUMNS) {
      if (full) this.columns[key].shift();
      this.columns[key].push(row[key]);
    }
  }

  clear() {
    for (const [key] of COLUMNS) this.columns[key].length = 0;
  }

  /** The newest value of a quantity, null if unknown. @param {string} key */
  last(key) {
    return this.columns[key].at(-1) ?? null;
  }

  /** The rows as comma-separated values with a header line; unknown values are empty. */
  csv() {
    const rows = this.columns.time.map((_, i) => COLUMNS.map(([key]) => this.columns[key][i] ?? '').join(','));
    return `${[COLUMNS.map(([, name]) => name).join(','), ...rows].join('\n')}\n`;
  }
}

/** Adds each series to the sum of those before it, for stacked areas. @param {(number|null)[][]} series */
export function stack(series) {
  /** @type {(number|null)[][]} */
  const sums = [];
  for (const values of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, i) => (value === null ? null : value + (below?.[i] ?? 0))));
  }
  return sums;
}

const APART = 20; // ratio of magnitudes from which series of one unit get axes of their own
const KEPT = 2; // factor on this ratio, either way, within which the present axes are kept

/** @typedef {{unit: string, series: number[]}} Axis the series (by index) that share an axis */

/** The largest size among the values; 0 if there are none. @param {(number | null)[]} values */
export function magnitudeOf(values) {
  let most = 0;
  for (const value of values) if (value !== null) most = Math.max(most, Math.abs(value));
  return most;
}

/**
 * Groups series by axes: one for each unit, and for each magnitude of a unit.
 * @param {string[]} units of the series
 * @param {number[]} magnitudes of the series; 0 for one that fits any axis
 * @param {Axis[]} [present] the axes so far, kept while they fit about as well
 * @returns {Axis[]} `present` itself if it is kept
 */
export function axesOf(units, magnitudes, present = []) {
  /** The ratio of the largest to the smallest magnitude. @param {number[]} series */
  const spread = (series) => {
    const sizes = series.map((i) => magnitudes[i]).filter((size) => size > 0);
    return sizes.length > 0 ? Math.max(...sizes) / Math.min(...sizes) : 1;
  };
  const fits = present.length > 0 && present.every((axis, a) => spread(axis.series) <= APART * KEPT &&
    present.every((other, b) => b <= a || other.unit !== axis.unit || spread([...axis.series, ...other.series]) >= APART / KEPT));
  if (fits) return present;
  /** @type {Axis[]} */
  const axes = [];
  for (const unit of new Set(units)) {
    const sorted = units.flatMap((other, i) => (other === unit ? [i] : [])).sort((a, b) => magnitudes[b] - magnitudes[a]);
    const first = axes.length;
    for (const i of sorted) {
      const axis = magnitudes[i] > 0 ? axes.slice(first).find(({ series }) => spread([...series, i]) <= APART) : axes[first];
      if (axis) axis.series.push(i);
      else axes.push({ unit, series: [i] });
    }
  }
  for (const { series } of axes) series.sort((a, b) => a - b);
  return axes;
}
