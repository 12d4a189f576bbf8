// SPDX-License-Identifier: MIT
// Takes the place of a WebSocket where a client's address is `local:NAME` or `local:NAME=SCENE`: its other end is a local world of
// this thread (world.js). After a `?` and a `#` the address may say what was done in the world (link.js). What it needs is loaded with
// the first one.
import { isName } from './names.js';
/** @import { LocalClient, LocalWorld } from './world.js' */

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];
const SCHEME = 'local:';
const ADDRESS = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const FAILED = 1011;

/** Whether an address names a local world. @param {string} url */
export const isLocal = (url) => url.startsWith(SCHEME);

export class LocalSocket {
  readyState = CONNECTING;

  binaryType = 'arraybuffer';

  /** @type {((event: {data: string | ArrayBuffer}) => void) | null} */
  onmessage = null;

  /** @type {((event: {code: number, reason: string}) => void) | null} */
  onclose = null;

  /** @type {(() => void) | null} unused: failures are told by `onclose` */
  onerror = null;

  /** @type {LocalWorld | null} */
  #world = null;

  /** @type {LocalClient | null} */
  #client = null;

  /** @param {string} url */
  constructor(url) {
    this.#open(url.slice(SCHEME.length)).catch((error) => this.#end(FAILED, error.message.replace(/\.$/, '')));
  }

  /** @param {string} address */
  async #open(address) {
    const [, path, search = '', fragment = ''] = /** @type {RegExpMatchArray} */ (ADDRESS.exec(address));
    const [name, scene] = path.split('=').map(decodeURIComponent);
    if (!isName(name)) throw new Error(`"${name}" is no name of a world: it has letters, digits, hyphens and underscores only`);
    const { localServer } = await import('./server.js');
    const world = await (await localServer()).open(name, scene, { search, fragment });
    if (this.readyState !== CONNECTING) return;
    this.readyState = OPEN;
    this.#world = world;
    // The messages of joining come before there is a client.
    this.#client = world.join({
      deliver: (data) => { if (this.readyState === OPEN) this.onmessage?.({ data }); },
      end: (reason) => this.#end(1001, reason),
    });
  }

  /** @param {string} text */
  send(text) {
    // Not at once: the world may be delivering something now.
    queueMicrotask(() => { if (this.#client && this.readyState === OPEN) this.#world?.receive(this.#client, text); });
  }

  /** @returns {Promise<import('./link_world.js').WorldLink>} */
  async link() {
    const { linkOf } = await import('./link_world.js');
    if (!this.#world || this.readyState !== OPEN) throw new Error('there is no connection');
    return linkOf(this.#world);
  }

  /** @param {number} [code] */
  close(code = 1000) {
    queueMicrotask(() => this.#end(code, ''));
  }

  /** @param {number} code @param {string} reason */
  #end(code, reason) {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    if (this.#client) this.#world?.leave(this.#client);
    this.#client = null;
    this.onclose?.({ code, reason });
  }
}
