// SPDX-License-Identifier: MIT
// Bytes as text in base64, as some replies have them.

const CHUNK = 32768; // bytes: so many arguments a function takes

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** Throws an error if the text is not base64. @param {string} text */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
