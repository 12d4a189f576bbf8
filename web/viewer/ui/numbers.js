// SPDX-License-Identifier: MIT
// Formats numbers for display, and chooses round upper ends for scales. Pure.

const STEPS = [1, 2, 5, 10];

/** Three significant digits without trailing zeros. @param {number} value */
export function figure(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e5 || size < 1e-4) return value.toExponential(1).replace('e+', 'e');
  return String(Number(value.toPrecision(size >= 100 ? 4 : 3)));
}

/** A ratio as a percentage: 0.0123 is '1.23 %'. @param {number} share @param {boolean} [signed] whether positive numbers get a plus sign */
export function percent(share, signed = false) {
  return `${signed && share > 0 ? '+' : ''}${figure(Number((100 * share).toFixed(3)))}%`;
}

/** A count with its digits in groups of three. @param {number} count */
export const whole = (count) => count.toLocaleString('en');

/**
 * The smallest number of the form 1, 2 or 5 times a power of ten that is at least `value` and `least`.
 * @param {number} value @param {number} least
 */
export function roundUp(value, least) {
  const wanted = Math.max(value, least);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return STEPS.map((step) => step * power).find((top) => top >= wanted * 0.9999) ?? 10 * power;
}
