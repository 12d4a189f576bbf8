// SPDX-License-Identifier: MIT
// Where the examples of the reference run: a world of one's own that holds what they speak of, or one that is there.
import { WeftClient } from '../../client/client.js';
import { ERRORS } from '../../client/protocol.js';
import { EXAMPLES } from './examples.js';

/** Names the world of one's own where worlds are chosen; no world can be called so. */
export const OWN = '';

// The examples' objects 1 to 5, stick 6 and obstacle 7, in this order; a grab is the eighth.
const FURNITURE = ['cloth.spawn', 'mesh.spawn', 'particles.spawn', 'rope.spawn', 'body.spawn', 'stick.add', 'obstacle.add'];
// What has to be done before an example of these; it may be so already.
const BEFORE = { 'grab.move': 'grab.start', 'grab.end': 'grab.start', 'world.step': 'world.pause' };

const addressOf = (name) => {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}${name === null ? '/' : `/worlds/${encodeURIComponent(name)}`}`;
};

export class Trial {
  #clients = new Map(); // world → promise of a client

  #own = null; // promise of the name of one's own

  #used = false; // whether something was done there

  /** @param {(sentence: string, world: string|null) => void} tell where examples run */
  constructor(tell) {
    this.tell = tell;
  }

  /** What there is to choose from. @returns {Promise<{worlds: string[], own: boolean, sentence: string}>} */
  async worlds() {
    const client = await this.#client(null);
    const { role, world } = client.hello;
    if (role === 'none') return { worlds: [world], own: false, sentence: 'This server asks for a token: log in on its page first.' };
    const { worlds } = await client.call('world.list');
    const own = role === 'admin';
    return { worlds: worlds.map(({ name }) => name), own, sentence: own ? '' : 'A world of your own takes the role admin: what you try, others see.' };
  }

  /** @param {string} world or OWN @param {string} method @param {object} params @returns {Promise<any>} rejects when it is refused */
  async call(world, method, params) {
    try {
      return await this.#callOnce(world, method, params);
    } catch (error) {
      if (world !== OWN || error.code !== ERRORS.NOT_FOUND || !this.#used) throw error;
      this.#leave(); // something tried before has taken away what this is about
      return this.#callOnce(world, method, params);
    }
  }

  async #callOnce(world, method, params) {
    const name = world === OWN ? await this.#ownName() : world;
    const client = await this.#client(name);
    const before = world === OWN ? BEFORE[method] : undefined;
    if (before) await client.call(before, EXAMPLES[before].params).catch(() => {});
    this.tell(`Examples run in the world ${name}.`, name);
    const result = await client.call(method, params);
    this.#used ||= world === OWN;
    return result;
  }

  #leave() {
    this.#own?.then((name) => this.#clients.get(name)).then((client) => client?.close());
    this.#own = null;
    this.#used = false;
  }

  // The one there is, unless the connection to it went: then it is about to end.
  async #ownName() {
    const known = await this.#own?.catch(() => null);
    if (known && this.#clients.has(known)) return known;
    this.#used = false;
    return (this.#own = this.#make());
  }

  async #make() {
    const client = await this.#client(null);
    const name = `try-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
    await client.call('world.create', { name, scene: 'empty', temporary: true });
    const commands = FURNITURE.map((method) => ({ method, params: EXAMPLES[method].params }));
    await (await this.#client(name)).call('batch.run', { commands });
    return name;
  }

  #client(name) {
    let made = this.#clients.get(name);
    if (!made) {
      const client = new WeftClient(addressOf(name), { reconnect: false });
      made = client.connect().then(() => client);
      made.catch(() => this.#clients.delete(name)); // another attempt is another connection
      client.on('state', ({ state }) => { if (state === 'closed') this.#clients.delete(name); });
      this.#clients.set(name, made);
    }
    return made;
  }
}
