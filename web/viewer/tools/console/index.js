// SPDX-License-Identifier: MIT
// The console: commands as text, with completion and help from the server's schema.

const PROMPT = '<path d="M3 4h14v12H3zM6 8l2.5 2L6 12M10.5 12.5H14"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  page.docks.add({
    id: 'console', title: 'Console', icon: PROMPT, place: 'bottom', order: 80, keys: ['`'],
    load: async () => new (await import('./dock.js')).ConsoleDock(),
  });
}
