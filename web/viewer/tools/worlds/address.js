// SPDX-License-Identifier: MIT
// Where a world is: the page's own address with another world in it. What belongs to the present world alone is left out.

const OF_ONE_WORLD = ['camera', 'compare'];

/** @param {string} world @param {string} [href] of the page @returns {string} */
export function addressOf(world, href = location.href) {
  const url = new URL(href);
  for (const key of OF_ONE_WORLD) url.searchParams.delete(key);
  url.searchParams.set('world', world);
  return url.href;
}
