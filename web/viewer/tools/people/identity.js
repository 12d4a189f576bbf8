// SPDX-License-Identifier: MIT
// By which name and in which color this browser goes: kept here, said to the server whenever it is met.
const KEY = 'weft.person';

/** @returns {{name?: string, color?: string}} what was chosen here before */
export function readIdentity() {
  try {
    const { name, color } = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return {
      ...(typeof name === 'string' && name.trim() !== '' && { name: [...name].slice(0, 40).join('') }),
      ...(/^#[0-9a-f]{6}$/i.test(color) && { color }),
    };
  } catch {
    return {}; // no storage here, or somebody else's words in it
  }
}

/** @param {{name?: string, color?: string}} identity */
export function keepIdentity(identity) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readIdentity(), ...identity }));
  } catch {
    // it is said to the server all the same
  }
}
