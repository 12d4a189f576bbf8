// SPDX-License-Identifier: MIT
// Cut: a line drawn over the picture cuts the cloths, meshes and ropes behind it (knife.js).
import { h, icon, one } from '../../ui/dom.js';
import { Knife } from './knife.js';

const ICON = '<path d="M3 17L16.500 3.500c.8 3.500-1 6.500-5.500 8.500L9 10"/><path d="M3 6h2M7 6h1M3 12h1.500" stroke-dasharray="2 1.500"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  if (page.embed) return;
  const knife = new Knife(page);
  page.actions.add({ id: 'cut', title: 'Cut along a line', group: 'Selection', keys: ['c'], run: () => knife.toggle(), enabled: () => knife.active || page.editable });
  const button = h('button', { type: 'button', id: 'cut', 'aria-pressed': 'false', 'aria-label': 'Cut', title: 'Cut cloth and ropes along a line that you draw (C)', onclick: () => page.actions.run('cut') },
    icon(ICON), h('span', {}, 'Cut'));
  knife.on('change', (active) => button.setAttribute('aria-pressed', String(active)));
  one(document, '#select').after(button);
}
