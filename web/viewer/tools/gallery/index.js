// SPDX-License-Identifier: MIT
// The gallery of scenes: a panel that is built when it is first opened.

const ICON = '<path d="M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  page.docks.add({ id: 'scenes', title: 'Scenes', icon: ICON, place: 'left', order: 10, load: () => import('./gallery.js') });
}
