// SPDX-License-Identifier: MIT
// The log: all commands given in the world by any client, and copying them as a program that repeats them.
import { FORM_TITLES } from './forms.js';

const SCROLL = '<path d="M5 3h10v14H5zM8 7h4M8 10h4M8 13h2"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  page.docks.add({
    id: 'log', title: 'Log', icon: SCROLL, place: 'bottom', order: 81,
    load: async () => new (await import('./dock.js')).LogDock(),
  });
  for (const [id, title] of FORM_TITLES) {
    page.actions.add({
      id: `copy.${id}`, title: `Copy history as ${title}`, group: 'Script',
      run: async () => (await import('./copy.js')).copyAll(page, id),
    });
  }
}
