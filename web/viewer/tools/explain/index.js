// SPDX-License-Identifier: MIT
// Cards that explain the scenes, with the equation and experiments. The dock opens at the loaded scene and follows it.

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  if (page.embed) return;
  page.docks.add({
    id: 'explain',
    title: 'Explain',
    icon: '<path d="M10 3a5 5 0 0 0-2.5 9.3V14h5v-1.7A5 5 0 0 0 10 3zM8 17h4"/>',
    place: 'left',
    order: 70,
    keys: ['e'],
    load: async () => new (await import('./dock.js')).ExplainDock(),
  });
}
