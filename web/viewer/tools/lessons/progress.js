// SPDX-License-Identifier: MIT
// How far the user has come in each lesson, kept in this browser.
import { inBrowser } from '../../settings/storage.js';

const KEY = 'weft.lessons';

/** @typedef {{step: number, done: number[]}} Progress the step that was shown last, and those that are done: indices */

/** @returns {Record<string, unknown>} */
function all() {
  const stored = inBrowser.value(KEY);
  return stored !== null && typeof stored === 'object' && !Array.isArray(stored) ? /** @type {Record<string, unknown>} */ (stored) : {};
}

/** @param {string} name of the lesson @param {number} steps how many it has @returns {Progress} */
export function progressOf(name, steps) {
  const { step = 0, done = [] } = /** @type {Partial<Progress>} */ (all()[name] ?? {});
  const isStep = (/** @type {unknown} */ index) => Number.isInteger(index) && Number(index) >= 0 && Number(index) < steps;
  return { step: isStep(step) ? step : 0, done: Array.isArray(done) ? done.filter(isStep) : [] };
}

/** @param {string} name @param {Progress} progress */
export function keepProgress(name, progress) {
  inBrowser.setValue(KEY, { ...all(), [name]: progress });
}
