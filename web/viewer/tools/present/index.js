// SPDX-License-Identifier: MIT
// Presenting: the tools of a user who shows the world to others (dock.js), and their effects for the others: a laser pointer,
// and a view that the page moves to unless the user has declined.
import { Lasers, Pointing } from './laser.js';
import { Views } from './views.js';
/** @import { Page } from '../../page/page.js' */

/** A presenter whose connection was interrupted is a new client after reconnecting: the page freezes the world again. @param {Page} page */
function keepFreezing(page) {
  /** @type {{instance?: string, session?: number}} */
  let before = {};
  page.client.on('hello', ({ instance, session, frozen, role }) => {
    const mine = frozen && !frozen.own && frozen.client === before.session && instance === before.instance;
    if (mine && role === 'admin') {
      page.ask('world.freeze', { frozen: true, ...(frozen.message && { message: frozen.message }) }).catch(page.refuse);
    }
    before = { instance, session };
  });
}

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  const lasers = new Lasers(page);
  const presenter = { pointing: new Pointing(page, lasers), views: new Views(page) };
  keepFreezing(page);
  if (page.embed) return;
  const admin = () => page.role === 'admin' && page.client.state === 'open';
  page.docks.add({
    id: 'present',
    title: 'Teach',
    icon: '<path d="M3 4h14v9H3zM10 13v4M6.5 17h7M7 10l2.2-2.4 2 1.6L14 7"/>',
    place: 'left',
    order: 80,
    load: async () => new (await import('./dock.js')).PresentDock(presenter),
  });
  /** @param {string} id @param {string} title @param {() => unknown} run @param {string[]} [keys] */
  const add = (id, title, run, keys = []) => page.actions.add({ id: `present.${id}`, title, group: 'Teach', keys, run, enabled: admin });
  add('freeze', 'Freeze or unfreeze editing', () => page.call('world.freeze', { frozen: !page.frozen?.own }));
  add('point', 'Start or stop pointing with the laser', () => presenter.pointing.toggle(), ['l']);
  add('view', 'Bring everyone to my view', () => presenter.views.show());
}
