// SPDX-License-Identifier: MIT
// What is handed on: a link to this world, with as much of what is seen here as one likes, and the code that puts it into
// another page. Pure: it is told what the address holds.

const NEVER = ['embed', 'token']; // what is of this page alone

/**
 * @param {string} href what is seen now (Address.href)
 * @param {object} options
 * @param {string} options.world
 * @param {boolean} options.view whether camera and all other options stay
 * @param {boolean} options.panels whether open panels stay
 * @param {boolean} [options.embed] only the picture
 * @returns {string}
 */
export function linkOf(href, { world, view, panels, embed = false }) {
  const url = new URL(href);
  url.hash = '';
  url.searchParams.set('world', world);
  for (const key of [...url.searchParams.keys()]) {
    const kept = key === 'world' || (key === 'panel' ? panels && !embed : view && !NEVER.includes(key));
    if (!kept) url.searchParams.delete(key);
  }
  return embed ? `${url.href}&embed` : url.href;
}

/** @param {string} src of the frame @param {string} world @returns {string} HTML */
export function embedCode(src, world) {
  const text = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${text(src)}" title="Weft: ${text(world)}" width="800" height="500" loading="lazy"></iframe>`;
}

/** Whether an address means the very machine that it is opened on. @param {string} hostname */
export function isLoopback(hostname) {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
