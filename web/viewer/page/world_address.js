// SPDX-License-Identifier: MIT
// Addresses of worlds. `?world=NAME` is a world of the server that serves the page; `?world=local:NAME` and `?world=local:NAME=SCENE`
// are worlds that the page computes itself (client/local), and in such a page every other world is one of these. A page that has no
// server at all says so by `<html data-world="local:SCENE">`, the world that it shows without the option. `?scene=SCENE` begins the
// link of a local world, on the page of a server, too: options that are not the page's own, and the fragment, say what was done in
// that world (client/local/link.js). `?world=NAME&moment=TIMELINE-FROM-TO` shows some ticks of a server's world, in a local world that is
// made of them (client/local/moment.js).

const LOCAL = 'local:';
const SCENE = 'scene'; // the option with which a link begins
const AT_BEGINNING = '?tick=0'; // what a link says that names a scene only
/** The options that parts of the page read and write; all others belong to the link of a local world. */
export const PAGE_OPTIONS = ['world', 'moment', 'camera', 'theme', 'panel', 'xray', 'xrayrange', 'compare', 'embed', 'source', 'token', 'lesson', 'step', 'copy', 'wall'];
const NAME_MOST = 64; // characters of a world's name
const SUFFIX = '-moment'; // of the local world that shows one of a server's

/** The moment of a server's world that the page's address names; null: none. */
export function shownMoment() {
  const search = new URLSearchParams(location.search);
  const [world, moment] = [search.get('world'), search.get('moment')];
  return hasServer() && world !== null && moment !== null && !world.startsWith(LOCAL) ? { world, moment } : null;
}

/** The option `world` of the page's address, or what stands for it. @returns {string | null} */
function option() {
  const { world } = document.documentElement.dataset;
  const search = new URLSearchParams(location.search);
  const moment = shownMoment();
  if (moment) return `${LOCAL}${moment.world.slice(0, NAME_MOST - SUFFIX.length)}${SUFFIX}`;
  const scene = search.get(SCENE);
  const given = search.get('world') ?? (scene === null ? world ?? null : `${LOCAL}${encodeURIComponent(scene)}`);
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

/** What the page's address says was done in the local world: parameters after `?` and a fragment after `#`, each with its character. */
function linkPart() {
  const search = [...new URLSearchParams(location.search)].filter(([name]) => name !== SCENE && !PAGE_OPTIONS.includes(name));
  return `${search.length > 0 ? `?${new URLSearchParams(search)}` : ''}${location.hash}`;
}

/** Whether the page's address is the link of a local world. */
export const hasLink = () => isLocalPage() && (linkPart() !== '' || new URLSearchParams(location.search).has(SCENE));

/** An address of the page without what was done in its local world: only with the page's own options. Pure. @param {string} href */
export function withoutLink(href) {
  const url = new URL(href);
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (!PAGE_OPTIONS.includes(name)) url.searchParams.delete(name);
  return url.href;
}

/** The address for the client of the world that the page shows: without an option the server's first. */
export function shownAddress() {
  const moment = shownMoment();
  if (moment) return `${clientAddress(null)}?${momentSearch(moment)}`;
  return isLocalPage() ? `${clientAddress(null)}${linkPart() || (hasLink() ? AT_BEGINNING : '')}` : serverAddress(option());
}

/** @param {{world: string, moment: string}} shown */
function momentSearch({ world, moment }) {
  const capsule = `${location.origin}/worlds/${encodeURIComponent(world)}/moments/${moment}`;
  return new URLSearchParams({ capsule, from: moment.split('-')[1] ?? '' });
}

/**
 * The address for a client that shows ticks of the page's world in a local world of its own.
 * @param {string} world its name @param {{timeline: number, from: number, to: number}} ticks
 */
export function momentAddress(world, { timeline, from, to }) {
  const moment = `${timeline}-${from}-${to}`;
  const search = isLocalPage() ? new URLSearchParams({ capsule: `${LOCAL}${encodeURIComponent(world)}/${moment}`, from: String(from) }) : momentSearch({ world, moment });
  return `${LOCAL}${world.slice(0, NAME_MOST - SUFFIX.length)}${SUFFIX}?${search}`;
}

/** The address of a world on the server that serves the page. @param {string | null} name null: its first */
export function serverAddress(name) {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}${name === null ? '/' : `/worlds/${encodeURIComponent(name)}`}`;
}

/** Makes the page's address that of the world to which its client has gone. @param {string} url of the client */
export function followMove(url) {
  const here = new URL(withoutLink(location.href));
  here.searchParams.delete('moment');
  here.searchParams.set('world', url.startsWith(LOCAL) ? url : decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''));
  history.replaceState(history.state, '', here);
}

/** Options for a further client of the page: clients of local worlds meet in a worker. @param {{worker?: boolean, reconnect?: boolean}} [options] */
export const clientOptions = (options = {}) => (isLocalPage() ? { ...options, worker: true } : options);
