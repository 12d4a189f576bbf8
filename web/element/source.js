// SPDX-License-Identifier: MIT
// The `src` of the element: which world it names, and how to reach it.

/**
 * - `world`: a world of a server; `address` is its WebSocket, `page` its page, `host` the server's name
 * - `local`: a scene that runs in this page without a server, for WeftClient
 * - `custom`: a world that the page reaches by a class of its own, in place of the WebSocket
 * - `capsule`: a capsule file to replay
 * - `broadcast`: the manifest.json of a broadcast
 * @typedef {{kind: 'world', address: string, page: string, host: string, world: string | null}
 *   | {kind: 'local' | 'capsule' | 'broadcast', address: string} | {kind: 'custom', address: string, WebSocket: any}} Source
 */

const SECURE = new Set(['https:', 'wss:']);
const KINDS = 'Use the ws:, wss:, http: or https: address of a world or of its broadcast, local:SCENE, or the address of a .capsule file.';

/**
 * Throws an Error with a sentence for the user.
 * @param {string} src @param {string} base address that a relative `src` refers to
 * @returns {Source}
 */
export function parseSource(src, base) {
  if (/^local:/i.test(src)) {
    if (!/^local:./i.test(src)) throw new Error('The src "local:" has no scene: write local:SCENE, for example local:cloth.');
    return { kind: 'local', address: src };
  }
  /** @type {URL} */
  let url;
  try {
    url = new URL(src, base);
  } catch {
    throw new Error(`The src "${src}" is not an address. ${KINDS}`);
  }
  const capsule = /\.capsule$/i.test(url.pathname) || url.protocol === 'blob:';
  if (capsule && /^(https?|blob|data|file):$/.test(url.protocol)) return { kind: 'capsule', address: url.href };
  if (/^https?:$/.test(url.protocol) && /\/broadcast\/([\w-]+\/)?(manifest\.json)?$/.test(url.pathname)) return { kind: 'broadcast', address: url.href };
  if (/^(wss?|https?):$/.test(url.protocol)) return worldOf(url);
  throw new Error(`The src "${src}" does not name a world. ${KINDS}`);
}

/** @param {URL} url of a page or a socket @returns {Source} */
function worldOf(url) {
  const secure = SECURE.has(url.protocol);
  const inPath = /^\/worlds\/([^/]+)\/?$/.exec(url.pathname);
  const world = url.searchParams.get('world') ?? (inPath && decodeURIComponent(inPath[1]));
  const address = `${secure ? 'wss' : 'ws'}://${url.host}${world ? `/worlds/${encodeURIComponent(world)}` : '/'}`;
  const page = `${secure ? 'https' : 'http'}://${url.host}/${world ? `?world=${encodeURIComponent(world)}` : ''}`;
  return { kind: 'world', address, page, host: url.host, world };
}
