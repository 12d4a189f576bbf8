// SPDX-License-Identifier: MIT
// What an owner decides about this user: a changed role takes effect and is told, and whoever was removed is told so.
/** @import { Page } from '../../page/page.js' */

/** @param {Page} page */
export function heedOwner(page) {
  const { client, people, overlay } = page;
  client.on('client.changed', ({ client: id, role }) => {
    if (id !== people.own || role === page.role) return;
    page.setRole(role);
    page.toasts.show(role === 'viewer' ? 'The owner has set you to View only.' : 'The owner has made you an editor: you can change this world now.');
  });
  client.on('state', ({ removed, reason }) => {
    if (!removed) return;
    overlay.name('You were removed');
    overlay.more(`${reason?.charAt(0).toUpperCase()}${reason?.slice(1)}.`);
  });
}
