// SPDX-License-Identifier: MIT
// Dialogs: the browser's own, which keeps the focus inside, closes with Escape, and gives the focus back.
import { h, icon } from './dom.js';

let made = 0;

/**
 * Opens a dialog over the page. It is removed when it closes, and emits 'close' then.
 * @param {string} title
 * @param {Parameters<typeof h>[1]} attributes of the element
 * @param {...(Node|string)} children
 * @returns {HTMLDialogElement} `close()` closes it
 */
export function openDialog(title, attributes, ...children) {
  const id = `dialog-${++made}`;
  const before = document.activeElement === document.body ? document.getElementById('stage') : document.activeElement;
  /** @type {HTMLDialogElement} */
  const dialog = h('dialog', { ...attributes, 'aria-labelledby': id },
    h('header', {}, h('h2', { id }, title),
      h('button', { type: 'button', class: 'dock-close', 'aria-label': 'Close', title: 'Close', onclick: () => dialog.close() },
        icon('<path d="M5 5l10 10M15 5L5 15"/>'))),
    ...children);
  // Gone at once: the next key is the page's. (The browser's own end of it comes a task later.)
  dialog.close = () => {
    if (!dialog.isConnected) return;
    HTMLDialogElement.prototype.close.call(dialog);
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation(); // no key of the page's
    if (event.key !== 'Escape') return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); }); // beside it
  dialog.addEventListener('cancel', () => dialog.close()); // by a gesture of the system's
  document.body.append(dialog);
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector('input, [autofocus]'))?.focus();
  return dialog;
}

/**
 * Asks whether to do something that cannot be taken back.
 * @param {string} title @param {string} text @param {string} yes what the button says that does it
 * @returns {Promise<boolean>}
 */
export function confirm(title, text, yes) {
  return new Promise((resolve) => {
    /** @param {boolean} value */
    const answer = (value) => () => {
      resolve(value);
      dialog.close();
    };
    const dialog = openDialog(title, { class: 'confirm', role: 'alertdialog' }, h('p', {}, text),
      h('footer', {},
        h('button', { type: 'button', class: 'strong', autofocus: true, onclick: answer(false) }, 'Cancel'),
        h('button', { type: 'button', class: 'strong', onclick: answer(true) }, yes)));
    dialog.addEventListener('close', () => resolve(false));
  });
}
