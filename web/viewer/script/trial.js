// SPDX-License-Identifier: MIT
// Where the examples of the reference run: in a temporary world of the reader's own, which holds the objects that the
// examples name, or in another world of the server. Examples in the reader's own world change nothing for other
// clients: scenes and worlds, which belong to the whole server, get names of their own and are removed again.
import { WeftClient, WeftError } from '../../client/client.js';
import { ERRORS } from '../../client/protocol.js';
import { clientAddress, clientOptions } from '../page/world_address.js';
import { EXAMPLES } from './examples.js';

/** @typedef {import('../../client/protocol.js').MethodName} MethodName */

/** Represents the reader's temporary world in the list of worlds; no world can have this name. */
export const OWN = '';

// The examples' objects 1 to 5, stick 6 and obstacle 7 are made in this order; a grab gets the id 8.
/** @type {MethodName[]} */
const FURNITURE = ['cloth.spawn', 'mesh.spawn', 'particles.spawn', 'rope.spawn', 'body.spawn', 'stick.add', 'obstacle.add'];
// The methods to call before these examples. If their effect is there already, a refusal is ignored.
/** @type {Partial<Record<MethodName, MethodName>>} */
const BEFORE = { 'grab.move': 'grab.start', 'grab.end': 'grab.start', 'world.step': 'world.pause' };

// Methods that act on the whole server. They are not run from the reader's own world; a sentence says what they would
// do.
/** @type {Partial<Record<MethodName, string>>} */
const ELSEWHERE = {
  'client.close': 'it would close the connection of someone on this server',
  'node.drain': 'it would move all worlds of a server',
  'world.import': 'it would create a world that everyone on this server sees',
};
const NAME_MAX = 64; // length of the names of scenes and worlds

/** The params of a method's example. @param {MethodName} method @returns {any} of the method's type, as the schema's tests see to */
const paramsOf = (method) => EXAMPLES[method].params;

export class Trial {
  /** @type {Map<string | null, Promise<WeftClient>>} clients by world */
  #clients = new Map();

  /** @type {Promise<string> | null} name of the reader's temporary world */
  #own = null;

  #used = false; // whether a method was called in the temporary world

  #hasHistory = false; // whether a world of the server has a history

  /** @param {(sentence: string, world: string|null) => void} tell called with the description of the world where examples run */
  constructor(tell) {
    this.tell = tell;
  }

  /** The worlds to choose from. @returns {Promise<{worlds: string[], own: boolean, sentence: string}>} */
  async worlds() {
    const client = await this.#client(null);
    const { role, world } = await client.connect();
    if (role === 'none') return { worlds: [world], own: false, sentence: 'This server requires a token. Log in on its page first.' };
    const { worlds } = await client.call('world.list');
    this.#hasHistory = worlds.some(({ kept }) => kept);
    const own = role === 'admin';
    return { worlds: worlds.map(({ name }) => name), own, sentence: own ? '' : 'Only owners (role admin) get a private world: others see what you try.' };
  }

  /** @param {string} world or OWN @param {MethodName} method @param {object} params @returns {Promise<any>} rejects if the server refuses the request */
  async call(world, method, params) {
    try {
      return await this.#callOnce(world, method, params);
    } catch (error) {
      if (world !== OWN || !(error instanceof WeftError) || error.code !== ERRORS.NOT_FOUND || !this.#used) throw error;
      this.#leave(); // an earlier example has removed the object of this one, so a new world is made
      return this.#callOnce(world, method, params);
    }
  }

  /** @param {string} world @param {MethodName} method @param {object} params @returns {Promise<any>} */
  async #callOnce(world, method, params) {
    const name = world === OWN ? await this.#ownName() : world;
    const client = await this.#client(name);
    const before = world === OWN ? BEFORE[method] : undefined;
    if (before) await client.call(before, paramsOf(before)).catch(() => {});
    this.tell(`Examples run in the world ${name}.`, name);
    const result = world === OWN ? await this.#callOwn(client, name, method, params) : await client.call(method, /** @type {any} */ (params)); // the server checks the params
    this.#used ||= world === OWN;
    return result;
  }

  /**
   * Calls a method in the reader's own world, without an effect on other worlds and on saved scenes.
   * @param {WeftClient} client @param {string} own @param {MethodName} method @param {object} params
   */
  async #callOwn(client, own, method, params) {
    if (method in ELSEWHERE) throw new Error(`This method does not run from a private world: ${ELSEWHERE[method]}. To try it anyway, choose another world above.`);
    const confined = CONFINED[method];
    try {
      return await (confined ? confined(client, params, nameIn(own, params)) : client.call(method, /** @type {any} */ (params)));
    } catch (error) {
      if (!(error instanceof WeftError) || error.code !== ERRORS.STATE || !/history/.test(error.message)) throw error;
      const way = this.#hasHistory ? 'choose a world above that has one' : 'start weftd with --data DIR and choose a world above';
      throw Object.assign(new Error(`Your private world is temporary and keeps no history. To try ${method}, ${way}.`), { code: error.code });
    }
  }

  #leave() {
    this.#own?.then((name) => this.#clients.get(name)).then((client) => client?.close());
    this.#own = null;
    this.#used = false;
  }

  // The name of the temporary world. If the connection to it has closed, the world is about to end, and a new one is made.
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
    const commands = FURNITURE.map((method) => ({ method, params: /** @type {Record<string, unknown>} */ (paramsOf(method)) }));
    await (await this.#client(name)).call('batch.run', { commands });
    return name;
  }

  /** @param {string | null} name */
  #client(name) {
    let made = this.#clients.get(name);
    if (!made) {
      const client = new WeftClient(clientAddress(name), clientOptions({ reconnect: false }));
      made = client.connect().then(() => client);
      made.catch(() => this.#clients.delete(name)); // a later attempt makes another connection
      client.on('state', ({ state }) => { if (state === 'closed') this.#clients.delete(name); });
      this.#clients.set(name, made);
    }
    return made;
  }
}

/**
 * Makes the name in the example unique. A name that the server would refuse stays invalid.
 * @param {string} own @param {{name?: string}} params
 */
const nameIn = (own, params) => (typeof params?.name === 'string' ? `${own}-${params.name}`.slice(0, Math.max(NAME_MAX, params.name.length)) : params?.name);

// Methods whose scenes and worlds are removed again: a scene at once, a world when no client is in it.
/** @type {Partial<Record<MethodName, (client: WeftClient, params: any, name: any) => Promise<object>>>} params have the type of the method */
const CONFINED = {
  async 'scene.save'(client, params, name) {
    const result = await client.call('scene.save', { ...params, name });
    await client.call('scene.delete', { name });
    return { ...result, name: params.name };
  },
  async 'scene.delete'(client, params, name) {
    await client.call('scene.save', { name });
    const result = await client.call('scene.delete', { ...params, name });
    return { ...result, name: params.name };
  },
  'world.create': (client, params, name) => client.call('world.create', { ...params, name, temporary: true }),
  'world.branch': (client, params, name) => client.call('world.branch', { ...params, name, temporary: true }),
  async 'world.remove'(client, params, name) {
    await client.call('world.create', { name, scene: 'empty', temporary: true }).catch(() => {}); // the world may exist already
    return client.call('world.remove', { ...params, name });
  },
};
