// SPDX-License-Identifier: MIT
// Sharing a link to the displayed view: a panel that is built when it is first opened.

const ICON = '<path d="M12.5 6.5 7.5 9M7.5 11l5 2.5M15 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM5 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM15 16.9a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  page.docks.add({ id: 'share', title: 'Share', icon: ICON, place: 'left', order: 90, load: () => import('./share.js') });
  page.actions.add({
    id: 'share.moment', title: 'Share this moment: capture the last 10 seconds', group: 'Panels',
    run: async () => {
      await page.docks.open('share');
      (await import('./share.js')).captureMoment();
    },
  });
}
