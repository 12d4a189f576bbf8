// SPDX-License-Identifier: MIT
// The wall: all copies of this world, small and live. It is opened by an action or by the option `wall` of the address, and is
// loaded when it is first opened.
/** @import { Page } from '../../page/page.js' */
/** @import { Wall } from './wall.js' */

/** @param {Page} page */
export function install(page) {
  if (page.embed) return;
  /** @type {Wall | null} */
  let wall = null;
  let wanted = false;
  const open = async () => {
    wanted = true;
    page.address.changed();
    const module = await import('./wall.js');
    if (!wanted || wall) return;
    wall = new module.Wall(page, close);
    wall.open();
  };
  const close = () => {
    wanted = false;
    wall?.close();
    wall = null;
    page.address.changed();
  };
  page.actions.add({
    id: 'wall.open', title: 'Wall: show all copies of this world', group: 'Teach', run: open,
    enabled: () => page.role === 'admin' && Boolean(page.client.hello?.copies),
  });
  page.address.add('wall', {
    read: () => (wanted ? '' : null),
    write: (value) => {
      if (value === null) close();
      else open().catch(page.refuse);
    },
  });
}
