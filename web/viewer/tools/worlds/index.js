// SPDX-License-Identifier: MIT
// The list of worlds: a panel that is built when it is first opened. The world's name in the page's title opens it, too.

const ICON = '<path d="M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM2.5 10h15M10 2.5c-4.5 5-4.5 10 0 15 4.5-5 4.5-10 0-15z"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  page.docks.add({ id: 'worlds', title: 'Worlds', icon: ICON, place: 'left', order: 12, load: () => import('./worlds.js') });
}
