// SPDX-License-Identifier: MIT
// Names of worlds and scenes stand in addresses and files, so they take few characters. People may type any text: the name made
// of it is shown under the field before anything is sent. Pure but for showName().

const NAME_MAX = 64;

/**
 * Letters keep their shape without accents; whatever else is not allowed becomes one hyphen.
 * @param {string} text @param {RegExp} others
 */
const plain = (text, others) => text.normalize('NFKD').replace(/\p{M}+/gu, '').replace(/ß/g, 'ss').replace(others, '-').replace(/^[-_]+|-+$/g, '')
  .slice(0, NAME_MAX).replace(/-+$/, '');

/** A world's name made of any text: up to 64 letters, digits, hyphens and underscores. @param {string} text */
export function worldNameOf(text) {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : plain(text, /[^A-Za-z0-9_-]+/g) || 'world';
}

/** A scene's name made of any text: up to 64 small letters, digits and hyphens. @param {string} text */
export function sceneNameOf(text) {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(text) ? text : plain(text.toLowerCase(), /[^a-z0-9-]+/g) || 'scene';
}

/**
 * Says under a field which name is made of the text in it, while that is another one.
 * @param {HTMLInputElement} input @param {HTMLElement} note @param {(text: string) => string} nameOf
 */
export function showName(input, note, nameOf) {
  const show = () => {
    const text = input.value.trim();
    const name = nameOf(text);
    note.textContent = text === '' || name === text ? '' : `Its name will be “${name}”.`;
  };
  input.addEventListener('input', show);
  show();
}
