// SPDX-License-Identifier: MIT
// Builds the link to this world, with a chosen part of the present view, and the HTML that embeds it in another page. Pure:
// the caller passes the address.

const NEVER = ['embed', 'token', 'moment']; // options that belong to this page alone

/**
 * @param {string} href address of the present view (Address.href)
 * @param {object} options
 * @param {string} options.world
 * @param {boolean} options.view whether to include the camera and all other options
 * @param {boolean} options.panels whether to include the open panels
 * @param {boolean} [options.embed] whether the link shows the picture only
 * @returns {string}
 */
export function linkOf(href, { world, view, panels, embed = false }) {
  const url = new URL(href);
  url.searchParams.set('world', world);
  keepOptions(url, { view, panels: panels && !embed });
  return embed ? `${url.href}&embed` : url.href;
}

/**
 * Builds the link that replays some ticks of a server's world.
 * @param {string} href address of the present view
 * @param {{world: string, moment: string, view: boolean, embed?: boolean}} options `moment`: TIMELINE-FROM-TO
 */
export function linkOfMoment(href, { world, moment, view, embed = false }) {
  const url = new URL(linkOf(href, { world, view, panels: false }));
  url.searchParams.set('moment', moment);
  return embed ? `${url.href}&embed` : url.href;
}

/** Leaves of an address only what a link is asked for, beside the world. @param {URL} url @param {{view: boolean, panels: boolean}} options */
function keepOptions(url, { view, panels }) {
  url.hash = '';
  for (const key of [...url.searchParams.keys()]) {
    const kept = key === 'world' || (key === 'panel' ? panels : view && !NEVER.includes(key));
    if (!kept) url.searchParams.delete(key);
  }
}

/**
 * Builds the link that holds a local world.
 * @param {string} href address of the present view, without an earlier link's part (withoutLink)
 * @param {import('../../../client/local/link_world.js').WorldLink} link
 * @param {{view: boolean, panels: boolean, embed?: boolean}} options as for `linkOf`
 */
export function linkOfLocal(href, { scene, search, fragment }, { view, panels, embed = false }) {
  const url = new URL(href);
  url.searchParams.delete('world');
  keepOptions(url, { view, panels: panels && !embed });
  const parts = [`scene=${scene}`, search, url.searchParams.toString(), embed ? 'embed' : ''].filter((part) => part !== '');
  url.search = '';
  return `${url.href}?${parts.join('&')}${fragment && `#${fragment}`}`;
}

/** The same address on another server. @param {string} href @param {string} base 'https://weft.example:8080' @returns {string} */
export function movedTo(href, base) {
  const { pathname, search, hash } = new URL(href);
  return new URL(pathname + search + hash, base).href;
}

/**
 * Advice on the address in the link, in case it can be reached from this machine only.
 * @param {{loopback: boolean, known: {everywhere: boolean, contained: boolean, urls: string[]}|null}} place `loopback`: only
 *   this machine can reach the chosen address; `known`: the server's other addresses, null if unknown
 * @returns {string} empty if no advice is needed
 */
export function adviceOn({ loopback, known }) {
  if (!loopback) return '';
  const own = 'This address works only on this computer.';
  if (!known?.everywhere) return `${own} To let others in, start weftd with --host 0.0.0.0 (see the README) and open the page under this computer’s name.`;
  if (known.urls.length > 0) return own;
  if (known.contained) return `${own} The server runs in a container. Others open the page under the name or address of its host.`;
  return `${own} The server accepts others, but this computer is not on a network.`;
}

/** @param {string} src address of the frame @param {string} world @returns {string} HTML */
export function embedCode(src, world) {
  /** @param {string} value */
  const text = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${text(src)}" title="Weft: ${text(world)}" width="800" height="500" loading="lazy"></iframe>`;
}

/** Whether an address refers to the user's own machine. @param {string} hostname */
export function isLoopback(hostname) {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
