// SPDX-License-Identifier: MIT
// The two worlds of a comparison: temporary branches of one moment of a world, with names that say what they are.
import { WeftClient } from '../../../client/client.js';
import { inTab } from '../../settings/storage.js';

const BETWEEN = '.'; // no name holds one
const OWN = 'weft.compare'; // of this tab: the comparison that it began, also after the page was loaded again
const BASE_MAX = 50; // of 64 characters that a name may have

/** @param {string[]} names @returns {string} */
export function linkOf(names) {
  return names.join(BETWEEN);
}

/** @param {string} world @returns {string} where a client finds it */
export function urlOf(world) {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/worlds/${encodeURIComponent(world)}`;
}

/** This tab began it: it leads it also after the page was loaded again. @param {string[]} names */
export function rememberOwn(names) {
  inTab.setText(OWN, linkOf(names));
}

/**
 * Branches the present twice, both standing still. The second is branched from the first, so that both begin at the same tick
 * though the world goes on.
 * @param {import('../../page/page.js').Page} page
 * @returns {Promise<string[]|null>} the names of A and B; null when it was refused, which was shown
 */
export async function branchTwice(page) {
  const world = page.client.hello?.world ?? 'world';
  const tag = Math.random().toString(36).slice(2, 6);
  const [a, b] = ['A', 'B'].map((side) => `${world.slice(0, BASE_MAX)}-${side}-${tag}`);
  if (!(await page.call('world.branch', { name: a, paused: true, temporary: true }))) return null;
  const client = new WeftClient(urlOf(a), { reconnect: false });
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
 * The worlds of a comparison that goes on.
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

/** Ends both; one that has gone already is no matter. @param {import('../../page/page.js').Page} page @param {string[]} names */
export async function removeBranches(page, names) {
  inTab.setText(OWN, null);
  for (const name of names) await page.call('world.remove', { name });
}
