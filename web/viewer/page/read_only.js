// SPDX-License-Identifier: MIT
// The reason why the user may view the world but not change it, in words.

/** @param {number} seconds @returns {string} */
export function lengthOf(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/**
 * @param {import('./page.js').Page} page
 * @returns {string} a short phrase; empty if the user may change the world
 */
export function whyReadOnly(page) {
  if (page.editable) return '';
  if (page.client.state !== 'open') return 'not connected';
  if (page.frozen && !page.frozen.own) return `frozen by ${page.frozen.name}`;
  return 'view only';
}
