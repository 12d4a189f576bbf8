// SPDX-License-Identifier: MIT
// First steps for newcomers, one at a time: each invites one action, acknowledges it, and leads on to the next. Steps that the user's
// role does not permit are left out. The card disappears after the last step, or when it is closed, and does not reappear by itself.
import { h, icon, one } from '../../ui/dom.js';
/** @import { Page } from '../../page/page.js' */

const END_MS = 4000; // how long the card stays after the last step
const CURTAIN = 'curtain'; // the object of the first scene that the first steps name

/**
 * @typedef {object} Step
 * @property {string} id @property {string} text an invitation
 * @property {string} praise said when the step is done
 * @property {string} [label] of a button that does the step, or begins it @property {(page: Page) => unknown} [run]
 */

/** @param {Page} page @returns {Step[]} */
function stepsFor(page) {
  if (!page.editable) {
    return [
      { id: 'look', text: 'Drag to orbit.', praise: 'You turned the view.' },
      { id: 'near', text: 'Scroll or pinch to zoom.', praise: 'You zoomed.' },
    ];
  }
  const objects = page.client.topology?.objects;
  const hasCurtain = objects?.some(({ name }) => name === CURTAIN) ?? false;
  const isEmpty = objects?.length === 0;
  const pull = { id: 'pull', text: hasCurtain ? 'Drag the curtain.' : 'Drag an object.', praise: 'You moved it.' };
  return [
    ...(isEmpty ? [] : [pull]),
    ...(hasCurtain ? [{ id: 'tear', text: 'Now pull slowly on its lower edge until it tears.', praise: 'It tore.' }] : []),
    { id: 'build', text: 'Drop something into the scene.', praise: 'There it is.', label: 'Add something', run: () => one(document, '#add').click() },
    ...(isEmpty ? [pull] : []),
    { id: 'share', text: 'Open this world in a second window, or send a link.', praise: 'Anyone with the link can join.', label: 'Get the link', run: () => page.docks.open('share') },
    { id: 'rewind', text: 'Go back in time and watch it again.', praise: 'Everything is recorded.', label: 'Rewind', run: () => page.docks.open('time') },
    { id: 'code', text: 'Copy everything you did as a program.', praise: 'Paste it anywhere.', label: 'Copy as Python', run: () => page.actions.run('copy.python') },
  ];
}

/** @type {HTMLElement | null} */
let shown = null;

/** @param {Page} page @param {() => void} remember called when the card is closed */
export function showSteps(page, remember) {
  if (shown) return;
  const left = stepsFor(page);
  const praise = h('span', { class: 'praise' });
  const text = h('span', {});
  const act = h('button', { type: 'button', class: 'strong', onclick: () => run() });
  const skip = h('button', { type: 'button', onclick: () => advance('') }, 'Skip');
  const close = () => {
    for (const off of stop) off();
    const inside = shown?.contains(document.activeElement);
    shown?.remove();
    shown = null;
    remember();
    if (inside) one(document, '#stage').focus({ preventScroll: true });
  };
  const show = () => {
    const [step] = left;
    text.textContent = step ? step.text : 'That’s the tour. Press ? for more.';
    act.hidden = !step?.run;
    act.textContent = step?.label ?? '';
    skip.hidden = !step;
    if (!step) setTimeout(() => { if (shown) close(); }, END_MS);
  };
  /** @param {string} said */
  const advance = (said) => {
    left.shift();
    praise.textContent = said && `✓ ${said}`;
    show();
  };
  const run = () => {
    const [step] = left;
    step?.run?.(page);
    if (step?.id === 'code') done('code');
  };
  /** A step may be done before its turn, and is left out then. @param {string} id */
  const done = (id) => {
    const at = left.findIndex((step) => step.id === id);
    if (at === 0) advance(left[0].praise);
    else if (at > 0) left.splice(at, 1);
  };
  const stop = watch(page, done);
  shown = h('aside', { id: 'first-steps', 'aria-label': 'First steps' },
    h('p', { role: 'status' }, praise, text),
    h('div', {}, act, skip,
      h('button', { type: 'button', class: 'dock-close', 'aria-label': 'Close first steps', title: 'Close', onclick: close }, icon('<path d="M5 5l10 10M15 5L5 15"/>'))));
  show();
  one(document, '#over-bottom').append(shown);
}

/** Notices what the user does. @param {Page} page @param {(id: string) => void} done @returns {(() => void)[]} what ends it */
function watch(page, done) {
  /** @template {keyof HTMLElementEventMap} N @param {N} event @param {(event: HTMLElementEventMap[N]) => void} heard */
  const listen = (event, heard) => {
    page.stage.element.addEventListener(event, heard, { passive: true, capture: true });
    return () => page.stage.element.removeEventListener(event, heard, { capture: true });
  };
  const sizes = () => new Map((page.client.topology?.objects ?? []).map(({ id, particles }) => [id, particles]));
  let before = sizes();
  return [
    page.client.on('grab.ended', ({ client }) => { if (client === page.client.hello?.session) done('pull'); }),
    page.on('topology', () => { // a tear makes two particles of one
      const now = sizes();
      if ([...now].some(([id, particles]) => particles > (before.get(id) ?? Infinity))) done('tear');
      before = now;
    }),
    page.stage.rig.on('moved', () => done('look')),
    listen('wheel', () => done('near')),
    listen('touchmove', ({ touches }) => { if (touches.length > 1) done('near'); }),
    page.journal.on('entry', ({ method }) => { if (/\.spawn$|^obstacle\.add$|^scene\.load$/.test(method)) done('build'); }),
    page.docks.on('change', (id) => {
      if (id === 'share' && page.docks.isOpen(id)) done('share');
      if (id === 'time' && page.docks.isOpen(id)) done('rewind');
    }),
  ];
}
