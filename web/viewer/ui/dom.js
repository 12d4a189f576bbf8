// SPDX-License-Identifier: MIT
// Creates elements in code. Text and attributes are set as such; external data is never parsed as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {{[name in keyof HTMLElementEventMap as `on${name}`]?: (event: HTMLElementEventMap[name]) => unknown}} Listeners */
/** @typedef {Node | string | number | false | null | undefined} Child values that are not nodes become text */

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Listeners & Record<string, unknown>} [attributes] `class`, `dataset` (an object), `on…` (a listener), properties
 *   such as `value` or `hidden` (booleans set or clear the attribute), and any other attribute; null and undefined are left
 *   out
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2).toLowerCase(), /** @type {EventListener} */ (value));
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name === 'value') Object.assign(element, { value });
    else if (typeof value === 'boolean' && !name.startsWith('aria-')) element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((child) => child != null).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/**
 * Returns the first element in `parent` that matches a selector; throws if there is none of that type.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} parent @param {string} selector @param {abstract new (...args: any[]) => E} [Type] HTMLElement by default
 * @returns {E}
 */
export function one(parent, selector, Type) {
  const found = parent.querySelector(selector);
  if (!(found instanceof (Type ?? HTMLElement))) throw new Error(`no element matches ${selector}`);
  return /** @type {E} */ (found);
}

/**
 * An icon in the style of the page: 20 × 20, lines in the colour of the text, hidden from screen readers.
 * @param {string} shapes contents of the SVG; constant text of the page, never external data
 */
export function icon(shapes) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}" viewBox="0 0 20 20" aria-hidden="true">${shapes}</svg>`, 'image/svg+xml');
  return document.importNode(parsed.documentElement, true);
}
