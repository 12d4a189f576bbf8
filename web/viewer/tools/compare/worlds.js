// SPDX-License-Identifier: MIT
// The two worlds of a comparison: temporary branches of one tick of a world, with systematic names.
import { WeftClient } from '../../../client/client.js';
import { clientAddress, clientOptions } from '../../page/world_address.js';
import { inTab } from '../../settings/storage.js';

const BETWEEN = '.'; // separates the parts of a comparison's link; no name contains it
const OWN = 'weft.compare'; // storage key of the comparison that this tab began, valid after a reload
const BASE_MAX = 50; // of the 64 characters of a name

/** @param {string[]} names @returns {string} */
export function linkOf(names) {
  return names.join(BETWEEN);
}

/** Remembers that this tab began the comparison, so that it controls it after a reload. @param {string[]} names */
export function rememberOwn(names) {
  inTab.setText(OWN, linkOf(names));
}

/**
 * Branches the present world twice, both paused. The second branch is taken from the first, so that both begin at the same
 * tick although the world goes on.
 * @param {import('../../page/page.js').Page} page
 * @returns {Promise<string[]|null>} the names of A and B; null if the server refused, which was shown to the user
 */
export async function branchTwice(page) {
  const world = page.client.hello?.world ?? 'world';
  const tag = Math.random().toString(36).slice(2, 6);
  const [a, b] = ['A', 'B'].map((side) => `${world.slice(0, BASE_MAX)}-${side}-${tag}`);
  if (!(await page.call('world.branch', { name: a, paused: true, temporary: true }))) return null;
  const client = new WeftClient(clientAddress(a), clientOptions({ reconnect: false }));
  try {
    await client.connect();
    await client.call('world.branch', { name: b, paused: true, temporary: true });
  } catch (error) {
    page.refuse(/** @type {Error} */ (error));
    await page.call('world.remove', { name: a });
    return null;
  } finally {
    client.close();
  }
  rememberOwn([a, b]);
  return [a, b];
}

/**
 * The worlds of an existing comparison.
 * @param {import('../../page/page.js').Page} page @param {string} link
 * @returns {Promise<{names: string[], own: boolean}|null>}
 */
export async function findBranches(page, link) {
  const names = link.split(BETWEEN);
  const { worlds } = await page.ask('world.list');
  /** @param {string} name */
  const there = (name) => worlds.some((world) => world.name === name && world.temporary);
  if (names.length !== 2 || !names.every(there)) return null;
  return { names, own: inTab.text(OWN) === link };
}

/** Removes both worlds, ignoring those that are gone already. @param {import('../../page/page.js').Page} page @param {string[]} names */
export async function removeBranches(page, names) {
  inTab.setText(OWN, null);
  for (const name of names) await page.call('world.remove', { name });
}
