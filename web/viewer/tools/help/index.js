// SPDX-License-Identifier: MIT
// Help: the list of keys (?), the command palette (Ctrl K), both generated from the page's actions, and first steps for
// newcomers.
import { inBrowser } from '../../settings/storage.js';
import { h, icon, one } from '../../ui/dom.js';

const SEEN = 'weft.first-steps'; // storage key, set once the first steps have been closed

const remember = () => inBrowser.setText(SEEN, 'closed');

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  if (page.embed) return;
  const showKeys = () => page.actions.run('help');
  const openKeys = async () => (await import('./keys.js')).showKeys(page, showSteps);
  const showPalette = async () => (await import('./palette.js')).showPalette(page);
  const showSteps = async () => (await import('./steps.js')).showSteps(page, remember);
  page.actions.add({ id: 'help', title: 'Help and shortcuts', group: 'Help', keys: ['?'], run: openKeys });
  page.actions.add({ id: 'palette', title: 'Find a command', group: 'Help', keys: ['mod+k'], run: showPalette });
  page.actions.add({ id: 'steps', title: 'Show first steps', group: 'Help', run: showSteps });
  one(document, '#title').append(h(
    'button', { id: 'help', type: 'button', class: 'round', 'aria-label': 'Help and shortcuts', title: 'Help and shortcuts (?)', 'aria-haspopup': 'dialog', onclick: showKeys },
    icon('<path d="M7 7.5a3 3 0 1 1 4.2 2.8c-.8.4-1.2.9-1.2 2M10 15.5v.1"/>')));
  const stopListening = page.on('topology', () => { // loads the palette in advance, so that it opens without delay
    stopListening();
    (window.requestIdleCallback ?? setTimeout)(() => import('./palette.js').catch(() => {})); // if loading fails, it is loaded on first use
  });
  if (inBrowser.text(SEEN) !== null) return;
  const off = page.on('topology', () => {
    off();
    showSteps().catch(page.refuse);
  });
}
