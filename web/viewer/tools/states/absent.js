// SPDX-License-Identifier: MIT
// Explains why the world is not available: the server does not answer, or it has no world of this name; then its worlds are
// listed.
import { WeftClient } from '../../../client/client.js';
import { hasLink, isLocalPage, serverAddress } from '../../page/world_address.js';
import { h } from '../../ui/dom.js';

const PATIENCE_MS = 5000;
const SCENES = ['default', 'cloth', 'rope', 'bodies', 'empty'];

let asking = false;
let removed = false; // set when the world is removed; later attempts only report that it does not exist

// The worlds of the server at this address, or null if it does not answer.
async function listWorlds() {
  const client = new WeftClient(serverAddress(null), { reconnect: false });
  const late = setTimeout(() => client.close(), PATIENCE_MS);
  try {
    const { role, world: here } = await client.connect();
    const { worlds } = role === 'none' ? { worlds: [] } : await client.call('world.list');
    return worlds.map(({ name, clients }) => ({ name, clients: name === here ? clients - 1 : clients })); // without this page's own connection
  } catch {
    return null;
  } finally {
    clearTimeout(late);
    client.close();
  }
}

/** @param {string} world */
function addressOf(world) {
  const url = new URL(location.pathname, location.href);
  url.searchParams.set('world', world);
  return url.href;
}

/** @param {{name: string, clients: number}[]} worlds */
function links(worlds) {
  const words = (/** @type {{clients: number}} */ { clients }) => (clients === 1 ? '1 person' : `${clients} people`);
  return h('ul', {}, worlds.slice(0, 12).map((world) => h('li', {}, h('a', { href: addressOf(world.name) }, world.name), ` ${words(world)}`)));
}

/** Scenes that a page without a server can always show. */
function sceneLinks() {
  return h('ul', {}, SCENES.map((name) => h('li', {}, h('a', { href: addressOf(`local:${name}`) }, name))));
}

/** @param {import('../../page/page.js').Page} page @param {string} [reason] reason of the lost connection */
export async function explainAbsence(page, reason = '') {
  removed ||= /removed/.test(reason);
  if (isLocalPage()) {
    page.overlay.name(removed ? 'This world was removed' : 'This world can’t be opened');
    const advice = hasLink() ? 'Check the link in the address bar, or open a scene:' : 'This world runs in this page. Reload the page to restart its scene, or open another scene:';
    const why = removed || reason === '' ? '' : `${reason[0].toUpperCase()}${reason.slice(1)}${reason.endsWith('?') ? '' : '.'} `;
    page.overlay.more(`${why}${advice}`, sceneLinks());
    return;
  }
  const name = page.client.hello?.world ?? page.address.get('world');
  if (asking || name === null) return;
  asking = true;
  const worlds = await listWorlds();
  asking = false;
  if (page.client.state === 'open') return;
  if (worlds === null) {
    page.overlay.more(`No answer from ${location.host}. The page reconnects automatically.`);
    return;
  }
  if (worlds.some((world) => world.name === name)) return;
  page.overlay.name(removed ? `The world “${name}” was removed` : `There is no world “${name}” here`);
  page.overlay.more(worlds.length > 0 ? 'Worlds on this server:' : 'Ask the owner of this server to create it.', worlds.length > 0 ? links(worlds) : null);
}
