// SPDX-License-Identifier: MIT
// Colour scales of the X-ray: lightness rises with the number (or falls, on light backgrounds), so that no hues have to be
// distinguished. Pure.
import { figure } from '../../ui/numbers.js';

const RAMPS = {
  dark: ['#33436b', '#3f78b5', '#3fb0a0', '#a8cf5a', '#ffe45c'],
  light: ['#a9c4e6', '#6f9fd0', '#3c7f8c', '#8a4a1c', '#7a0c2e'],
};
/** Colours of batches; neighbours differ in lightness as well as in hue. */
const BATCHES = {
  dark: ['#5aa9ff', '#ffd166', '#ef6f5b', '#8ee6b0', '#b48cf2', '#f7a1c4', '#4fd0d6', '#c9b48a', '#7f8ff0', '#e0e36a', '#ff9d5c', '#9fb3c8'],
  light: ['#1f5fae', '#8a6200', '#b03324', '#1d6b3d', '#5a35a0', '#a02a68', '#0f6a73', '#6a5730', '#2f3fa8', '#5d6300', '#a34a08', '#45566b'],
};

/** The colours of a scale, lowest first. @param {'dark'|'light'} theme */
export const rampOf = (theme) => RAMPS[theme];

/** @param {number} batch @param {'dark'|'light'} theme */
export const batchColor = (batch, theme) => BATCHES[theme][batch % BATCHES[theme].length];

/** @param {string} color @param {number} at */
const channel = (color, at) => Number.parseInt(color.slice(at, at + 2), 16);

/**
 * The colours of a scale for the values 0 to 255, as '#rrggbb'.
 * @param {'dark'|'light'} theme
 * @returns {string[]}
 */
export function rampTable(theme) {
  const ramp = RAMPS[theme];
  return Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (ramp.length - 1);
    const low = Math.min(ramp.length - 2, Math.floor(place));
    const mix = [1, 3, 5].map((at) => {
      const a = channel(ramp[low], at);
      return Math.round(a + (channel(ramp[low + 1], at) - a) * (place - low)).toString(16).padStart(2, '0');
    });
    return `#${mix.join('')}`;
  });
}

const COVERED = 0.98; // share of the values that an automatic range covers: a few outliers do not hide the others
const SAMPLES = 2048; // number of values from which that is estimated
const FOLLOWS = 0.35; // how much of the way (of logarithms) the end of the range goes with each update
const CLOSE = 0.01; // relative distance at which it arrives
const HIGHEST = 1e6;

/** The range of values that the colours of an overlay show: it follows the data, or is fixed by the user. */
export class ColorScale {
  /** @type {{low: number, high: number} | null} the range that the user has set */
  fixed = null;

  #top = 0;

  #sample = new Float32Array(SAMPLES);

  /** @param {string} unit @param {number} least smallest upper end of an automatic range */
  constructor(unit, least) {
    this.unit = unit;
    this.least = least;
  }

  get low() {
    return this.fixed?.low ?? 0;
  }

  get high() {
    return this.fixed?.high ?? (this.#top || this.least);
  }

  /** Adapts an automatic range to new values, smoothly. @param {ArrayLike<number>} values @param {number} [count] */
  follow(values, count = values.length) {
    const wanted = Math.max(this.least, upperOf(values, count, this.#sample));
    const top = this.#top === 0 ? wanted : this.#top * (wanted / this.#top) ** FOLLOWS;
    this.#top = Math.abs(top / wanted - 1) < CLOSE ? wanted : top;
  }

  /** The place of a value in a table of 256 colours. @param {number} value */
  indexOf(value) {
    const { low, high } = this;
    return Math.round(255 * Math.min(1, Math.max(0, (Math.abs(value) - low) / (high - low))));
  }

  /** The numbers along the scale; values beyond its ends have the colours of the ends. */
  get ticks() {
    const { low, high, unit } = this;
    return [`${low > 0 ? '≤ ' : ''}${figure(low)} ${unit}`, `${figure((low + high) / 2)} ${unit}`, `≥ ${figure(high)} ${unit}`];
  }
}

/**
 * The value that COVERED of the values do not exceed; of many values, some spread evenly are looked at.
 * @param {ArrayLike<number>} values @param {number} count @param {Float32Array} sample
 */
function upperOf(values, count, sample) {
  const step = Math.max(1, Math.ceil(count / SAMPLES));
  let size = 0;
  for (let i = 0; i < count; i += step) sample[size++] = Math.abs(values[i]);
  return size === 0 ? 0 : sample.subarray(0, size).sort()[Math.min(size - 1, Math.floor(COVERED * size))];
}

/**
 * The range that a user has entered; throws an error that says what is allowed.
 * @param {string} from @param {string} to @param {string} unit
 */
export function parseRange(from, to, unit) {
  const [low, high] = [['From', from], ['To', to]].map(([name, text]) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (!(value >= 0 && value <= HIGHEST)) throw new Error(`“${name}” must be a number from 0 to ${HIGHEST} ${unit}, such as 0.5${text.trim() === '' ? '' : `, not “${text.trim().slice(0, 20)}”`}.`);
    return value;
  });
  if (high <= low) throw new Error(`“To” must be greater than “From”: more than ${low} ${unit}, not ${high} ${unit}.`);
  return { low, high };
}

/**
 * The mean of the values, and the index of the largest.
 * @param {ArrayLike<number>} values @param {number} [count]
 * @returns {{mean: number, worst: number, at: number}} `at` is −1 if there are no values
 */
export function summarise(values, count = values.length) {
  let sum = 0;
  let at = -1;
  let worst = 0;
  for (let i = 0; i < count; i++) {
    const size = Math.abs(values[i]);
    sum += size;
    if (at < 0 || size > Math.abs(worst)) {
      worst = values[i];
      at = i;
    }
  }
  return { mean: count > 0 ? sum / count : 0, worst, at };
}
