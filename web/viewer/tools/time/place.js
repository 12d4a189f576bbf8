// SPDX-License-Identifier: MIT
// Addresses of worlds that were made from this one, with the same view.

import { optionFor, withoutLink } from '../../page/world_address.js';

/**
 * The address of the page with another world, seen from the same position. @param {import('../../page/page.js').Page} page
 * @param {string} world
 */
export function addressOf(page, world) {
  const url = new URL(withoutLink(page.address.href));
  url.searchParams.set('world', optionFor(world));
  return url.href;
}
