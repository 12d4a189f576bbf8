// SPDX-License-Identifier: MIT
// Colour scales of the X-ray: lightness rises with the number (or falls, on light backgrounds), so that no hues have to be
// distinguished. Pure.
import { roundUp } from '../../ui/numbers.js';

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

/**
 * Adapts the upper end of a scale without flickering: it grows at once, and shrinks when less than a third is used.
 * @param {number} top present upper end @param {number} value the largest displayed value @param {number} least smallest upper end
 */
export function followTop(top, value, least) {
  const wanted = roundUp(value, least);
  return wanted > top || wanted < top / 3 ? wanted : top;
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
