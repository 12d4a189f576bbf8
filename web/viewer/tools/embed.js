// SPDX-License-Identifier: MIT
// The page embedded in another page (`?embed`): only the picture and a link to the whole page. Input stays with the outer
// page: keys are ignored, the wheel scrolls the outer page unless Ctrl is pressed, and so does a finger that moves up or
// down; sideways moves rotate the camera, two fingers zoom.
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
  page.stage.element.setAttribute('aria-label', '3D view of the world. Drag to orbit.');
  page.stage.element.setAttribute('tabindex', '-1');
}
