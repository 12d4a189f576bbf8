// SPDX-License-Identifier: MIT
// The link of an assignment (`?world=NAME&copy`) leads everyone who opens it to a copy of their own: made at the first visit, and
// found again later by a random key that this browser keeps. An editor is led there from the original itself, too.
import { randomKey } from '../../../client/client.js';
import { WeftError } from '../../../client/errors.js';
import { optionFor, withoutLink } from '../../page/world_address.js';
import { inBrowser } from '../../settings/storage.js';
/** @import { Page } from '../../page/page.js' */

const KEY = 'weft.student';
const BUSY = new Set([-32000, -32005]); // too much is going on, or over the rate: repeated later
const ATTEMPTS = 20;
const RETRY_MS = 500;

function ownKey() {
  const known = inBrowser.text(KEY);
  if (known !== null && /^[\w-]{16,64}$/.test(known)) return known;
  const key = randomKey();
  inBrowser.setText(KEY, key);
  return key;
}

/** A whole class may open the link at the same moment. @param {Page} page @returns {Promise<string>} the world's name */
async function findCopy(page) {
  const key = ownKey();
  for (let attempt = 1; ; attempt++) {
    try {
      return (await page.ask('world.copy', { key })).world;
    } catch (error) {
      if (!(error instanceof WeftError) || !BUSY.has(Number(error.code)) || attempt === ATTEMPTS) throw error;
      const { retryAfterMs = RETRY_MS } = /** @type {{retryAfterMs?: number}} */ (error.data ?? {});
      await new Promise((resolve) => { setTimeout(resolve, retryAfterMs); });
    }
  }
}

/** @param {string} world */
function addressOf(world) {
  const url = new URL(withoutLink(location.href));
  for (const option of ['copy', 'camera']) url.searchParams.delete(option);
  url.searchParams.set('world', optionFor(world));
  return url.href;
}

/** @param {Page} page */
export function install(page) {
  page.on('hello', async ({ copies }) => {
    if (!copies || !(page.address.get('copy') !== null || page.role === 'editor')) return;
    try {
      location.replace(addressOf(await findCopy(page)));
    } catch (error) {
      page.overlay.explain('There is no copy for you', `${/** @type {Error} */ (error).message}. Ask your teacher.`);
    }
  });
}
