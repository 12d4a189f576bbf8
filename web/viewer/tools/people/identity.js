// SPDX-License-Identifier: MIT
// The user's name and color in this browser: stored here, and sent to the server on each connection.
import { inBrowser } from '../../settings/storage.js';

const KEY = 'weft.person';

/** @returns {{name?: string, color?: string}} the stored name and color */
export function readIdentity() {
  const { name, color } = /** @type {Record<string, unknown>} */ (inBrowser.value(KEY) ?? {}); // the storage may contain arbitrary text
  return {
    ...(typeof name === 'string' && name.trim() !== '' && { name: [...name].slice(0, 40).join('') }),
    ...(typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) && { color }),
  };
}

/** @param {{name?: string, color?: string}} identity */
export function keepIdentity(identity) {
  inBrowser.setValue(KEY, { ...readIdentity(), ...identity });
}
