// SPDX-License-Identifier: MIT
// Worlds that come of this one: what they may be called, and where the same view of them is.

const NAME_MAX = 64;

/** A world's name made of any text. @param {string} text */
export function worldNameOf(text) {
  return text.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, NAME_MAX) || 'world';
}

/** The address of the page with another world in it, seen from the same place. @param {import('../../page.js').Page} page */
export function addressOf(page, world) {
  const url = new URL(page.address.href);
  url.searchParams.set('world', world);
  return url.href;
}
