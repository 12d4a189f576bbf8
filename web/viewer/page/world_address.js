// SPDX-License-Identifier: MIT
// Addresses of worlds. `?world=NAME` is a world of the server that serves the page; `?world=local:NAME` and `?world=local:NAME=SCENE`
// are worlds that the page computes itself (client/local), and in such a page every other world is one of these. A page that has no
// server at all says so by `<html data-world="local:SCENE">`, the world that it shows without the option.

const LOCAL = 'local:';

/** The option `world` of the page's address, or what stands for it. @returns {string | null} */
function option() {
  const { world } = document.documentElement.dataset;
  const given = new URLSearchParams(location.search).get('world') ?? world ?? null;
  const isAlone = world?.startsWith(LOCAL) ?? false;
  return isAlone && given !== null && !given.startsWith(LOCAL) ? `${LOCAL}${given}` : given;
}

/** Whether this page computes its worlds itself. */
export const isLocalPage = () => option()?.startsWith(LOCAL) ?? false;

/** Whether there is a server beside this page, whatever world it shows. */
export const hasServer = () => !document.documentElement.dataset.world;

/** The option `world` for a world of this page's server, or of this page. @param {string} name */
export function optionFor(name) {
  const here = option();
  if (!isLocalPage() || name.startsWith(LOCAL)) return name;
  return here === `${LOCAL}${name}` || here?.startsWith(`${LOCAL}${name}=`) ? here : `${LOCAL}${name}`;
}

/** The address for a client of a world; null: of the page's own local world, or the server's first one. @param {string | null} name */
export function clientAddress(name) {
  if (isLocalPage()) return name === null ? /** @type {string} */ (option()) : optionFor(name);
  return serverAddress(name);
}

/** The address for the client of the world that the page shows: without an option the server's first. */
export const shownAddress = () => (isLocalPage() ? clientAddress(null) : serverAddress(option()));

/** The address of a world on the server that serves the page. @param {string | null} name null: its first */
export function serverAddress(name) {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}${name === null ? '/' : `/worlds/${encodeURIComponent(name)}`}`;
}

/** Makes the page's address that of the world to which its client has gone. @param {string} url of the client */
export function followMove(url) {
  const here = new URL(location.href);
  here.searchParams.set('world', url.startsWith(LOCAL) ? url : decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''));
  history.replaceState(history.state, '', here);
}

/** Options for a further client of the page: clients of local worlds meet in a worker. @param {{worker?: boolean, reconnect?: boolean}} [options] */
export const clientOptions = (options = {}) => (isLocalPage() ? { ...options, worker: true } : options);
