// SPDX-License-Identifier: MIT
// Names of worlds and scenes, which are used in addresses and files, so few characters are permitted. Users may type any
// text: the resulting name is shown below the field. Pure except for showName().

const NAME_MAX = 64;

/**
 * Removes accents from letters; every other sequence of characters that are not permitted becomes one hyphen.
 * @param {string} text @param {RegExp} others
 */
const plain = (text, others) => text.normalize('NFKD').replace(/\p{M}+/gu, '').replace(/ß/g, 'ss').replace(others, '-').replace(/^[-_]+|-+$/g, '')
  .slice(0, NAME_MAX).replace(/-+$/, '');

/** Converts a text to the name of a world: up to 64 letters, digits, hyphens and underscores. @param {string} text */
export function worldNameOf(text) {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : plain(text, /[^A-Za-z0-9_-]+/g) || 'world';
}

/** Converts a text to the name of a scene: up to 64 small letters, digits and hyphens. @param {string} text */
export function sceneNameOf(text) {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(text) ? text : plain(text.toLowerCase(), /[^a-z0-9-]+/g) || 'scene';
}

/**
 * Shows below a field the name that its text is converted to, if they differ.
 * @param {HTMLInputElement} input @param {HTMLElement} note @param {(text: string) => string} nameOf
 */
export function showName(input, note, nameOf) {
  const show = () => {
    const text = input.value.trim();
    const name = nameOf(text);
    note.textContent = text === '' || name === text ? '' : `It will be named “${name}”.`;
  };
  input.addEventListener('input', show);
  show();
}
