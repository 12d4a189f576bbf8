// SPDX-License-Identifier: MIT
// First steps for newcomers: only those that the user's role permits. Each is ticked when it is done; the card closes when
// all are done, or by its button, and does not reappear by itself.
import { h, icon, one } from '../../ui/dom.js';

const GO_MS = 2500; // how long the card stays when all steps are done

const STEPS = [
  ['pull', 'Drag an object.'],
  ['look', 'Drag the background to orbit.'],
  ['add', 'Add an object with Add.'],
];
const STEPS_OF_VIEWERS = [
  ['look', 'Drag to orbit.'],
  ['near', 'Scroll or pinch to zoom.'],
];

/** @type {HTMLElement | null} */
let shown = null;

/** @param {import('../../page/page.js').Page} page @param {() => void} remember called when the card is closed */
export function showSteps(page, remember) {
  if (shown) return;
  const steps = page.editable ? STEPS : STEPS_OF_VIEWERS;
  const items = new Map(steps.map(([id, text]) => [id, h('li', {}, h('span', { class: 'tick', 'aria-hidden': 'true' }), h('span', {}, text), h('span', { class: 'unseen' }))]));
  /** @type {(() => void)[]} */
  const stop = [];
  /** @template {keyof HTMLElementEventMap} N @param {N} event @param {(event: HTMLElementEventMap[N]) => void} heard */
  const listen = (event, heard) => {
    page.stage.element.addEventListener(event, heard, { passive: true, capture: true });
    return () => page.stage.element.removeEventListener(event, heard, { capture: true });
  };
  const close = () => {
    for (const off of stop) off();
    const inside = shown?.contains(document.activeElement);
    shown?.remove();
    shown = null;
    remember();
    if (inside) one(document, '#stage').focus({ preventScroll: true });
  };
  /** @param {string} id */
  const done = (id) => {
    const item = items.get(id);
    if (!item || item.dataset.done) return;
    item.dataset.done = 'true';
    one(item, '.tick').textContent = '✓';
    one(item, '.unseen').textContent = ' Done.';
    if ([...items.values()].every((one) => one.dataset.done)) setTimeout(() => { if (shown) close(); }, GO_MS);
  };
  shown = h('aside', { id: 'first-steps', 'aria-label': 'First steps' },
    h('header', {}, h('h2', {}, 'First steps'),
      h('button', { type: 'button', class: 'dock-close', 'aria-label': 'Close first steps', title: 'Close', onclick: close }, icon('<path d="M5 5l10 10M15 5L5 15"/>'))),
    h('ol', {}, [...items.values()]),
    h('p', { class: 'faint' }, 'Press ? for more.'));
  stop.push(
    page.client.on('grab.started', ({ client }) => { if (client === page.client.hello?.session) done('pull'); }),
    page.stage.rig.on('moved', () => done('look')),
    listen('wheel', () => done('near')),
    listen('touchmove', ({ touches }) => { if (touches.length > 1) done('near'); }),
    page.journal.on('entry', ({ method }) => { if (/\.spawn$|^obstacle\.add$|^scene\.load$/.test(method)) done('add'); }));
  one(document, '#over-bottom').append(shown);
}
