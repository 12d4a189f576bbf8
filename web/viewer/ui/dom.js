// SPDX-License-Identifier: MIT
// Elements made in code. Text is set as text and attributes as attributes: nothing from outside is ever parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Makes an element.
 * @param {string} tag
 * @param {object} [attributes] `class`, `dataset` (an object), `on…` (a listener), properties such as `value` or `hidden`
 *   (booleans set or clear the attribute), and any other attribute; null and undefined are left out
 * @param {...(Node|string|number|null|undefined|Array)} children text for what is no node
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2).toLowerCase(), value);
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name === 'value') element.value = value;
    else if (typeof value === 'boolean' && !name.startsWith('aria-')) element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

/**
 * An icon in the style of the page: 20 × 20, lines in the colour of the text, unseen by screen readers.
 * @param {string} shapes the inside of the SVG; the page's own text, never anything from outside
 */
export function icon(shapes) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}" viewBox="0 0 20 20" aria-hidden="true">${shapes}</svg>`, 'image/svg+xml');
  return document.importNode(parsed.documentElement, true);
}
