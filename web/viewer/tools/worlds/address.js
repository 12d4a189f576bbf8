// SPDX-License-Identifier: MIT
// The address of a world: the page's own address with another world in it, without the options that belong to the present
// world.

import { optionFor, withoutLink } from '../../page/world_address.js';

const OF_ONE_WORLD = ['camera', 'compare'];

/** @param {string} world @param {string} [href] address of the page @returns {string} */
export function addressOf(world, href = location.href) {
  const url = new URL(withoutLink(href));
  for (const key of OF_ONE_WORLD) url.searchParams.delete(key);
  url.searchParams.set('world', optionFor(world));
  return url.href;
}
