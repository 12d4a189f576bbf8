// SPDX-License-Identifier: MIT
// Goes from the server's world to a local one, when the server is lost, and follows the client when it has gone to another world:
// the address of the page and the panels that depend on it change.
import { followMove, isLocalPage } from './world_address.js';
/** @import { Page } from './page.js' */

const PANELS = ['share', 'worlds']; // are built for a server's worlds or for local ones

/** Whether the page has the state that the lost server has confirmed last. @param {Page} page */
const hasState = ({ client }) => client.statistics.source === 'ticks' && !isLocalPage();

/** @param {Page} page */
async function goOnAlone(page) {
  try {
    const { world, tick } = await page.client.goOnAlone({ paused: !page.running });
    page.toasts.show(`You continue offline from tick ${tick}, in the world “${world}” of this browser. Use Share to move it to a server.`);
  } catch (error) {
    page.toasts.show(error);
  }
}

/** What a page without its server cannot load any more is loaded while there is one. @param {Page} page */
function loadAhead(page) {
  const stop = page.client.on('frame', () => {
    if (!hasState(page)) return;
    stop();
    page.docks.loadAhead();
  });
}

/** @param {Page} page */
export function installMove(page) {
  const { client, overlay } = page;
  overlay.onAlone = () => goOnAlone(page);
  client.on('state', ({ state }) => overlay.offerAlone(state === 'closed' && overlay.seen && hasState(page)));
  let moving = false;
  client.on('moved', ({ url }) => {
    moving = true;
    followMove(url);
    for (const id of PANELS) page.docks.renew(id);
  });
  page.on('hello', () => {
    if (moving) page.address.changed(); // it may have been written between the two worlds
    moving = false;
  });
  loadAhead(page);
}
