// SPDX-License-Identifier: MIT
// Worlds that come of this one: where the same view of them is.

/**
 * The address of the page with another world in it, seen from the same place. @param {import('../../page/page.js').Page} page
 * @param {string} world
 */
export function addressOf(page, world) {
  const url = new URL(page.address.href);
  url.searchParams.set('world', world);
  return url.href;
}
