// SPDX-License-Identifier: MIT
// Why this page may look at the world but not change it, in words.

/** @param {number} seconds @returns {string} */
export function lengthOf(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/**
 * @param {import('./page.js').Page} page
 * @returns {string} one short phrase; empty when it may be changed
 */
export function whyReadOnly(page) {
  if (page.editable) return '';
  if (page.client.state !== 'open') return 'there is no connection';
  if (page.frozen && !page.frozen.own) return `frozen by ${page.frozen.name}`;
  return 'you may look, not change';
}
