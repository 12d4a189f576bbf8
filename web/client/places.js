// SPDX-License-Identifier: MIT
// Where a world may be. Servers that share their worlds (nodes) send a client on to the one that has the world; when that one is
// lost, the address that the client was given, and every other node, know where the world is now.

const FOLLOWED_MOST = 4; // times in a row, without a hello between

export class Places {
  #given;
  #current;
  /** @type {string[]} where the world may be besides #given, the current one included */
  #others = [];
  #followed = 0;

  /** @param {string} url the address that the client was given */
  constructor(url) {
    this.#given = url;
    this.#current = url;
  }

  /** Whether the world is of several servers. */
  get several() {
    return this.#others.length > 0;
  }

  /** A server has said hello at this address. @param {string} url @param {string[]} nodes URLs of all nodes: http://… or https://… */
  arrived(url, nodes) {
    this.#current = url;
    this.#followed = 0;
    if (nodes.length === 0) {
      this.#others = [];
      return;
    }
    const { pathname } = new URL(url);
    const [world] = /\/worlds\/[^/]*$/.exec(pathname) ?? [pathname]; // without the path that a proxy has for the present node
    this.#others = nodes.map((node) => node.replace(/^http/, 'ws') + world);
  }

  /** A node has said that the world is at this address. @param {string} url @returns {boolean} whether to go there at once */
  follow(url) {
    this.#followed++;
    this.#current = url;
    return this.#followed <= FOLLOWED_MOST;
  }

  /** The connection was lost. @returns {string} the address to try next */
  next() {
    const all = [...new Set([this.#given, ...this.#others])];
    this.#followed = 0;
    const at = all.indexOf(this.#current);
    this.#current = all[(at + 1) % all.length] ?? this.#given;
    return this.#current;
  }
}
