// SPDX-License-Identifier: MIT
// One probe: what it measures, and its record, one row per tick. Pure.
//
// From the positions of three successive samples, velocity and acceleration at the middle one follow by finite differences of
// second order, so the newest row is that of the tick before the last. Where velocities come with the positions, they are taken, and
// only the acceleration is a difference. Energy is ½ m v² of all particles plus m g h with h = 0 at the origin, as in world.measure;
// what is stored in stretched sticks is not in it. A particle without a finite mass has no energy.
import { periodOf, widestAxis } from './period.js';

export const ROWS_MAX = 3600; // the oldest are dropped
const GAP_MAX = 12; // ticks; nothing is derived across a longer gap

/** The columns of a record with their names in CSV; the first is an integer. */
export const COLUMNS = /** @type {const} */ ([
  ['tick', 'tick'], ['x', 'x_m'], ['y', 'y_m'], ['z', 'z_m'], ['vx', 'vx_m_s'], ['vy', 'vy_m_s'], ['vz', 'vz_m_s'],
  ['ax', 'ax_m_s2'], ['ay', 'ay_m_s2'], ['az', 'az_m_s2'], ['kinetic', 'kinetic_energy_J'], ['potential', 'potential_energy_J'],
]);

/** @typedef {(typeof COLUMNS)[number][0]} Column */
/** @typedef {Record<Column, number>} Row */
/** @typedef {{tick: number, positions: ArrayLike<number>, velocities?: ArrayLike<number>}} Sample three numbers per particle, m and m/s */

export class Probe {
  /** @type {Record<Column, number[]>} */
  columns = /** @type {any} */ (Object.fromEntries(COLUMNS.map(([key]) => [key, []])));

  /** kg of each particle, Infinity where it has no finite mass; empty until it is known. @type {number[]} */
  masses = [];

  /** J */
  baseline = /** @type {number | null} */ (null);

  /** @type {Sample[]} the newest two */
  #recent = [];

  #newest = -1;

  /** @param {{name: string, color: number, object: number, particle: number | null, tickHz: number}} what `color`: its index; `particle`: null for the whole object */
  constructor({ name, color, object, particle, tickHz }) {
    this.name = name;
    this.color = color;
    this.object = object;
    this.particle = particle;
    this.tickHz = tickHz;
  }

  /** What the client has to watch. */
  get watched() {
    return this.particle === null ? { object: this.object } : { object: this.object, particles: [this.particle] };
  }

  get length() {
    return this.columns.tick.length;
  }

  /** kg; null if it is not finite or not known. */
  get mass() {
    const finite = this.masses.filter(Number.isFinite);
    return finite.length > 0 ? finite.reduce((sum, mass) => sum + mass, 0) : null;
  }

  /** The newest row, or null. @returns {Row | null} */
  get last() {
    return this.length > 0 ? /** @type {any} */ (Object.fromEntries(COLUMNS.map(([key]) => [key, this.columns[key][this.length - 1]]))) : null;
  }

  /** Ticks between the first and the last row for which there is no row. */
  get missing() {
    const { tick } = this.columns;
    return tick.length === 0 ? 0 : tick[tick.length - 1] - tick[0] + 1 - tick.length;
  }

  clear() {
    for (const [key] of COLUMNS) this.columns[key].length = 0;
    this.#recent = [];
    this.#newest = -1;
  }

  /** Adds a sample. One of an earlier tick replaces all from there on. @param {Sample} sample @param {number[]} gravity m/s² */
  add(sample, gravity) {
    if (sample.tick <= this.#newest) this.#forgetFrom(sample.tick);
    const recent = this.#recent;
    const last = recent[recent.length - 1];
    if (last && (sample.tick - last.tick > GAP_MAX || last.positions.length !== sample.positions.length)) recent.length = 0;
    recent.push(sample);
    this.#newest = sample.tick;
    if (recent.length < 3) return;
    this.#append(derive(/** @type {[Sample, Sample, Sample]} */ (recent), this, gravity));
    recent.shift();
  }

  /** @param {number} tick */
  #forgetFrom(tick) {
    const ticks = this.columns.tick;
    let kept = ticks.length;
    while (kept > 0 && ticks[kept - 1] >= tick - 1) kept--; // the row before was derived with what is replaced
    for (const [key] of COLUMNS) this.columns[key].length = kept;
    this.#recent = this.#recent.filter((sample) => sample.tick < tick);
  }

  /** @param {Row} row */
  #append(row) {
    const full = this.length === ROWS_MAX;
    for (const [key] of COLUMNS) {
      if (full) this.columns[key].shift();
      this.columns[key].push(row[key]);
    }
  }

  /** The period of its motion along the axis along which it moves most. */
  get period() {
    const { tick, x, y, z } = this.columns;
    const axes = [x, y, z];
    const axis = widestAxis(axes);
    const found = axis < 0 ? null : periodOf(tick, axes[axis]);
    if (!found) return null;
    const { period, uncertainty, periods } = found;
    return { axis: 'xyz'[axis], period: period / this.tickHz, uncertainty: uncertainty === null ? null : uncertainty / this.tickHz, periods };
  }

  /** J; null if the mass is not finite or not known. */
  get energy() {
    const { last } = this;
    return last && this.mass !== null ? last.kinetic + last.potential : null;
  }
}

/**
 * The row of the middle one of three samples.
 * @param {[Sample, Sample, Sample]} samples @param {{masses: number[], tickHz: number}} probe @param {number[]} gravity
 * @returns {Row}
 */
function derive([before, at, after], { masses, tickHz }, gravity) {
  const [h1, h2] = [(at.tick - before.tick) / tickHz, (after.tick - at.tick) / tickHz];
  const count = at.positions.length / 3;
  const isFree = masses.some(Number.isFinite);
  const row = { tick: at.tick, x: 0, y: 0, z: 0, vx: 0, vy: 0, vz: 0, ax: 0, ay: 0, az: 0, kinetic: 0, potential: 0 };
  const place = [0, 0, 0], velocity = [0, 0, 0], acceleration = [0, 0, 0];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const mass = masses[i] ?? Infinity;
    const weight = isFree ? (Number.isFinite(mass) ? mass : 0) : 1;
    total += weight;
    if (weight === 0) continue;
    for (let axis = 0; axis < 3; axis++) {
      const k = 3 * i + axis;
      const x0 = before.positions[k], x1 = at.positions[k], x2 = after.positions[k];
      const v = at.velocities ? at.velocities[k] : slope(x0, x1, x2, h1, h2);
      const a = before.velocities && at.velocities && after.velocities
        ? slope(before.velocities[k], at.velocities[k], after.velocities[k], h1, h2)
        : 2 * (h1 * x2 - (h1 + h2) * x1 + h2 * x0) / (h1 * h2 * (h1 + h2));
      place[axis] += weight * x1;
      velocity[axis] += weight * v;
      acceleration[axis] += weight * a;
      if (!isFree) continue;
      row.kinetic += 0.5 * mass * v * v;
      row.potential -= mass * gravity[axis] * x1;
    }
  }
  [row.x, row.y, row.z] = place.map((value) => value / total);
  [row.vx, row.vy, row.vz] = velocity.map((value) => value / total);
  [row.ax, row.ay, row.az] = acceleration.map((value) => value / total);
  return row;
}

/** The first derivative at the middle of three values at distances h1 and h2. @param {number} x0 @param {number} x1 @param {number} x2 @param {number} h1 @param {number} h2 */
function slope(x0, x1, x2, h1, h2) {
  return (h1 * h1 * x2 + (h2 * h2 - h1 * h1) * x1 - h2 * h2 * x0) / (h1 * h2 * (h1 + h2));
}
