// SPDX-License-Identifier: MIT
// By which name and in which color this browser goes: kept here, said to the server whenever it is met.
import { inBrowser } from '../../settings/storage.js';

const KEY = 'weft.person';

/** @returns {{name?: string, color?: string}} what was chosen here before */
export function readIdentity() {
  const { name, color } = /** @type {Record<string, unknown>} */ (inBrowser.value(KEY) ?? {}); // anybody may have written there
  return {
    ...(typeof name === 'string' && name.trim() !== '' && { name: [...name].slice(0, 40).join('') }),
    ...(typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) && { color }),
  };
}

/** @param {{name?: string, color?: string}} identity */
export function keepIdentity(identity) {
  inBrowser.setValue(KEY, { ...readIdentity(), ...identity });
}
