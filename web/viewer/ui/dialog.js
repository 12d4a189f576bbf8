// SPDX-License-Identifier: MIT
// Modal dialogs by the browser's dialog element, which keeps the focus inside, closes on Escape, and restores the focus.
import { h, icon } from './dom.js';

let made = 0;

/**
 * Opens a dialog over the page. It emits 'close' when it closes, and is then removed.
 * @param {string} title
 * @param {Parameters<typeof h>[1]} attributes attributes of the element
 * @param {...(Node|string)} children
 * @returns {HTMLDialogElement} `close()` closes the dialog
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
  // The dialog is removed at once, so that the next key reaches the page. (The browser's own close event is later.)
  dialog.close = () => {
    if (!dialog.isConnected) return;
    HTMLDialogElement.prototype.close.call(dialog);
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation(); // keys in a dialog must not reach the page
    if (event.key !== 'Escape') return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); }); // a click outside the dialog
  dialog.addEventListener('cancel', () => dialog.close()); // the system's close gesture
  document.body.append(dialog);
  dialog.showModal();
  /** @type {HTMLElement | null} */ (dialog.querySelector('input, [autofocus]'))?.focus();
  return dialog;
}

/**
 * Asks for confirmation of an irreversible action.
 * @param {string} title @param {string} text @param {string} yes label of the button that confirms
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
