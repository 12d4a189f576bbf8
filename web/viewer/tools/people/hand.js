// SPDX-License-Identifier: MIT
// The action that raises or lowers the user's hand.
/** @import { Page } from '../../page/page.js' */

/** @param {Page} page */
export function installHand(page) {
  const { people } = page;
  const run = () => page.call(people.find(people.own)?.hand ? 'hand.lower' : 'hand.raise', {});
  page.actions.add({ id: 'people.hand', title: 'Raise or lower your hand', group: 'People', keys: ['h'], run, enabled: () => people.own !== 0 });
}
