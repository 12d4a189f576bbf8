// SPDX-License-Identifier: MIT
// The A/B comparison: a panel that explains and begins one, and the option of the address that opens one.

const ICON = '<path d="M3 4h14v12H3zM10 4v12M5 13l1.5-5L8 13M5.6 11.5h1.8M12.5 8h1.6a1.2 1.2 0 0 1 0 2.5h-1.6zm0 2.5h1.9a1.25 1.25 0 0 1 0 2.5h-1.9z"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  page.docks.add({ id: 'compare', title: 'Compare', icon: ICON, place: 'left', order: 60, load: () => import('./panel.js') });
  const linked = page.address.get('compare');
  if (linked === null || page.embed) return;
  const stop = page.on('hello', async ({ role }) => {
    if (role === 'none') return;
    stop();
    try {
      const { join } = await import('./panel.js');
      await join(page, linked);
    } catch (error) {
      page.refuse(/** @type {Error} */ (error));
    }
  });
}
