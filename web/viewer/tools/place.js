// SPDX-License-Identifier: MIT
// The world, the camera and the theme in the address: a link shows the same world from the same position, digit for digit,
// and so does the browser's back button. A camera that the user has not moved is left out, because the scene is then framed
// to fit the window.
import { hasLink, isLocalPage, optionFor } from '../page/world_address.js';
import { inTab } from '../settings/storage.js';
import { settings } from '../settings/settings.js';

const BETWEEN = '_'; // separates the camera's numbers: a character that addresses contain unescaped
const SAME_M = 2e-4; // m: numbers differ by less after being written and read back

/** @param {string} text */
const numbersOf = (text) => text.split(BETWEEN).map((part) => (part.trim() === '' ? NaN : Number(part)));

/** @param {import('../page/page.js').Page} page */
export function install(page) {
  const { address, client, stage: { rig } } = page;
  /** @type {string | null} the camera in the link */
  let written = null;

  address.add('world', {
    read: () => (client.hello && !hasLink() ? optionFor(client.hello.world) : address.get('world')), // a link stays as it was opened
    write: (name) => { if (name !== null && client.hello && name !== optionFor(client.hello.world)) location.reload(); },
  });

  address.add('camera', {
    read: () => {
      if (!rig.userControlled) return null;
      const now = rig.read();
      const kept = written && numbersOf(written).every((value, at) => Math.abs(value - now[at]) <= SAME_M);
      return kept ? written : now.join(BETWEEN);
    },
    write: (text) => {
      if (text === null) page.actions.run('frame');
      else if (rig.write(numbersOf(text))) written = text;
    },
  });

  address.add('theme', { read: () => settings.linkedTheme, write: (theme) => settings.lend(theme) });
  settings.on('theme', () => address.changed());

  rig.on('moving', () => address.changed());
  page.on('topology', () => { if (address.get('camera') !== null) address.changed(); });
  page.on('hello', ({ world }) => rememberWorld(world));
  window.addEventListener('hashchange', () => { if (isLocalPage()) location.reload(); }); // another link in the same tab
}

/** Remembers the previous world, to return to it on leaving. @param {string} world */
function rememberWorld(world) {
  const last = inTab.text('weft.world');
  if (last !== world && last !== null) inTab.setText('weft.before', last);
  inTab.setText('weft.world', world);
}
