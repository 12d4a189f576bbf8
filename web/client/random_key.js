// SPDX-License-Identifier: MIT

/** @returns {string} a key for the option `session` */
export function randomKey() {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => letters[byte & 63]).join('');
}
