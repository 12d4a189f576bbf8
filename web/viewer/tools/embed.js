// SPDX-License-Identifier: MIT
// The page as a picture within another one (`?embed`): nothing but the world and a link to the whole page. It leaves the outer
// page what is its own: keys do nothing here, a wheel scrolls that page unless Ctrl is held, and so does a finger that moves
// up or down; sideways it turns the camera, two fingers zoom.
import { h } from '../ui/dom.js';

/** @param {import('../page/page.js').Page} page */
export function install(page) {
  if (!page.embed) return;
  const open = h('a', { class: 'embed-link', target: '_blank', rel: 'noopener' }, 'Open in Weft');
  const refer = () => {
    const url = new URL(page.address.href);
    url.searchParams.delete('embed');
    open.href = url.href;
  };
  for (const event of ['focus', 'pointerenter', 'pointerdown']) open.addEventListener(event, refer);
  refer();
  page.on('hello', refer);
  document.body.append(h('nav', { 'aria-label': 'Weft' }, open));
  window.addEventListener('keydown', (event) => { if (event.target !== open) event.stopImmediatePropagation(); }, { capture: true });
  window.addEventListener('wheel', (event) => { if (!event.ctrlKey && !event.metaKey) event.stopImmediatePropagation(); }, { capture: true });
  page.stage.element.setAttribute('aria-label', 'A world, shown as a picture. Drag to turn it.');
  page.stage.element.setAttribute('tabindex', '-1');
}
