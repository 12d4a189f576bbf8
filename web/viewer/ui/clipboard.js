// SPDX-License-Identifier: MIT
// Copies text to the clipboard, or offers it as a file where the clipboard is not available.
import { h } from './dom.js';

/** @param {string} text @returns {Promise<boolean>} whether the text was copied to the clipboard */
export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // not permitted, or the page was loaded without TLS
    const field = h('textarea', { class: 'unseen', readonly: true, 'aria-hidden': 'true', value: text });
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return copied;
  }
}

/** @param {string} text @param {string} file name of the file */
export function download(text, file) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  h('a', { href: url, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
