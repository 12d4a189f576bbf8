// SPDX-License-Identifier: MIT
// The addresses where a world may be. Servers that share their worlds (nodes) send a client on to the one that has the
// world; when that one is lost, the address that the client was given, and every other node, know where the world is
// now.

const FOLLOWED_MOST = 4; // times in a row, without a hello between
const ROUNDS = 6; // through all other nodes, before the lost node is asked: if it is back, they know that

export class Places {
  #given;
  /** @type {string | null} the address of the last hello */
  #left = null;
  /** @type {string[]} the addresses where the world may be besides #given, including that of the last hello */
  #nodes = [];
  #asked = 0;
  #followed = 0;

  /** @param {string} url the address that the client was given */
  constructor(url) {
    this.#given = url;
  }

  /** A server has said hello at this address. @param {string} url @param {string[]} nodes URLs of all nodes: http://… or https://… */
  arrived(url, nodes) {
    this.#left = url;
    this.#asked = 0;
    this.#followed = 0;
    if (nodes.length === 0) {
      this.#nodes = [];
      return;
    }
    const { pathname } = new URL(url);
    const [world] = /\/worlds\/[^/]*$/.exec(pathname) ?? [pathname]; // without the path that a proxy has for the present node
    this.#nodes = nodes.map((node) => node.replace(/^http/, 'ws') + world);
  }

  /** A node has said that the world is on another one. @returns {boolean} whether to go there at once */
  follow() {
    this.#followed++;
    return this.#followed <= FOLLOWED_MOST;
  }

  /** Whether other nodes are known, one of which takes the world over when its own is lost. */
  get hasOthers() {
    return this.#nodes.some((node) => node !== this.#left);
  }

  /** The connection was lost. @returns {string} the address to try next */
  next() {
    const others = [...new Set([this.#given, ...this.#nodes])].filter((url) => url !== this.#left);
    this.#followed = 0;
    const at = this.#asked++ % (ROUNDS * others.length + 1);
    return at < ROUNDS * others.length ? others[at % others.length] : this.#left ?? this.#given;
  }
}
