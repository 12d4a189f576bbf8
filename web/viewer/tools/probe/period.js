// SPDX-License-Identifier: MIT
// The period of an oscillation, from the times at which a signal crosses its mean upwards. Pure.
//
// A crossing counts only after the signal has been below the mean by a share of its amplitude, so that noise around the mean is
// not counted (a Schmitt trigger). Its time is interpolated linearly between two samples. The period is the mean of the intervals
// between crossings, and its uncertainty the standard error of that mean.

const HYSTERESIS = 0.2; // of the amplitude
const AMPLITUDE_LEAST = 1e-5; // m: what moves less does not oscillate

/** @typedef {{period: number, uncertainty: number | null, periods: number}} Period uncertainty: null for a single period */

/**
 * @param {ArrayLike<number>} times ascending @param {ArrayLike<number>} values
 * @returns {Period | null} in the unit of the times; null if there is no whole period
 */
export function periodOf(times, values) {
  const range = rangeOf(values, 0, values.length);
  if (range.high - range.low < 2 * AMPLITUDE_LEAST) return null;
  const first = crossings(times, values, (range.low + range.high) / 2, range);
  if (first.length < 2) return null;
  // The mean over whole periods, which a part of a period at either end does not shift.
  const [start, end] = [first[0].sample, first[first.length - 1].sample];
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i];
  const found = crossings(times, values, sum / (end - start), range);
  return found.length < 2 ? null : meanInterval(found.map(({ time }) => time));
}

/** The axis along which a point moves most: 0, 1 or 2. @param {ArrayLike<number>[]} axes */
export function widestAxis(axes) {
  const spreads = axes.map((values) => {
    const { low, high } = rangeOf(values, 0, values.length);
    return high - low;
  });
  return spreads.indexOf(Math.max(...spreads));
}

/** @param {ArrayLike<number>} values @param {number} from @param {number} to */
function rangeOf(values, from, to) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = from; i < to; i++) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return { low, high };
}

/** @param {ArrayLike<number>} times @param {ArrayLike<number>} values @param {number} level @param {{low: number, high: number}} range */
function crossings(times, values, level, { low, high }) {
  const below = level - HYSTERESIS * (high - low) / 2;
  const above = level + HYSTERESIS * (high - low) / 2;
  const found = [];
  let isArmed = false; // it has been low enough since the last crossing
  let crossed = null;
  for (let i = 1; i < values.length; i++) {
    if (values[i] < below) isArmed = true;
    if (isArmed && values[i - 1] < level && values[i] >= level) {
      const share = (level - values[i - 1]) / (values[i] - values[i - 1]);
      crossed = { sample: i, time: times[i - 1] + share * (times[i] - times[i - 1]) };
    }
    if (isArmed && crossed && values[i] > above) {
      found.push(crossed);
      crossed = null;
      isArmed = false;
    }
  }
  return found;
}

/** @param {number[]} times @returns {Period} */
function meanInterval(times) {
  const periods = times.length - 1;
  const period = (times[periods] - times[0]) / periods;
  if (periods < 2) return { period, uncertainty: null, periods };
  let squares = 0;
  for (let i = 0; i < periods; i++) squares += (times[i + 1] - times[i] - period) ** 2;
  return { period, uncertainty: Math.sqrt(squares / (periods - 1) / periods), periods };
}
