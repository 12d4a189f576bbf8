// SPDX-License-Identifier: MIT
// The scenes of local worlds: those that come with Weft, and those that were saved in this browser.

import { loadEngine } from '../engine/engine.js';
import { toBase64 } from './base64.js';
import { refusalOf, Refusal } from './errors.js';
import { readScenes } from './resources.js';
/** @import { Storage } from './storage.js' */
/** @import { LocalWorld } from './world.js' */

const PREVIEW_PARTICLES = 131072; // as many as a server's previews have at most
const PREVIEW_MS = 250; // of stepping at most: a large scene comes less far
const SAVED_MOST = 256;
const CLIENT = 1;
const FRAME = 1; // type of a message

export class Scenes {
  #storage;
  /** @type {Promise<Record<string, string>> | undefined} those that come with Weft */
  #own;

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  #readOwn() {
    this.#own ??= readScenes();
    this.#own.catch(() => { this.#own = undefined; }); // the next attempt may succeed
    return this.#own;
  }

  /** The text of a scene's file. @param {string} name @returns {Promise<string>} */
  async read(name) {
    const text = await this.find(name);
    if (text === undefined) throw new Refusal('NOT_FOUND', `there is no scene "${name}": scene.list names those there are`, '/name');
    return text;
  }

  /** @param {string} name @returns {Promise<string | undefined>} */
  async find(name) {
    const own = await this.#readOwn();
    return Object.hasOwn(own, name) ? own[name] : this.#storage.scenes.get(name);
  }

  async list() {
    const row = (/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ saved) => {
      const { title = '', description = '', chapter, order = Infinity } = JSON.parse(text);
      return { order, scene: { name, title, description, ...(chapter && { chapter }), saved } };
    };
    const own = Object.entries(await this.#readOwn()).map(([name, text]) => row(name, text, false)).sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)));
    const saved = (await this.#storage.scenes.all()).map(([name, text]) => row(name, text, true));
    return { scenes: [...own, ...saved].map(({ scene }) => scene) };
  }

  /** @param {LocalWorld} local @param {{name: string, title?: string, overwrite?: boolean}} params */
  async save(local, { name, title = name, overwrite = false }) {
    const { text, commands } = local.world.sceneFile(title);
    if (Object.hasOwn(await this.#readOwn(), name)) throw new Refusal('STATE', `the scene "${name}" came with Weft: choose another name`, '/name');
    const saved = await this.#storage.scenes.all();
    const isThere = saved.some(([known]) => known === name);
    if (isThere && !overwrite) throw new Refusal('STATE', `the scene "${name}" is there already: choose another name, or set overwrite to true`, '/name');
    if (!isThere && saved.length >= SAVED_MOST) throw new Refusal('LIMIT', `at most ${SAVED_MOST} scenes can be saved: delete one with scene.delete, or overwrite one`);
    await this.#storage.scenes.put(name, text);
    return { name, commands };
  }

  /** @param {string} name */
  async delete(name) {
    if (Object.hasOwn(await this.#readOwn(), name)) throw new Refusal('STATE', `the scene "${name}" came with Weft: only saved scenes can be deleted`, '/name');
    if ((await this.#storage.scenes.get(name)) === undefined) throw new Refusal('NOT_FOUND', `there is no saved scene "${name}": scene.list names those there are`, '/name');
    await this.#storage.scenes.delete(name);
    return { name };
  }

  /** @param {{name: string, ticks?: number}} params */
  async preview({ name, ticks = 0 }) {
    const text = await this.read(name);
    const engine = await loadEngine(); // one of its own, whose memory goes with it
    const world = engine.createWorld({ name: 'preview', particles: 2 * PREVIEW_PARTICLES, sticks: 16 * PREVIEW_PARTICLES });
    try {
      world.loadScene(name, text);
    } catch (error) {
      throw refusalOf(/** @type {Error} */ (error), '/name');
    }
    const particles = world.positions().count;
    if (particles > PREVIEW_PARTICLES) throw new Refusal('LIMIT', `the scene "${name}" has ${particles} particles: a preview is made of at most ${PREVIEW_PARTICLES}`, '/name');
    const until = performance.now() + PREVIEW_MS;
    for (let done = 0; done < ticks && performance.now() < until; done++) world.replay(null, 1);
    world.join(CLIENT, '', 'viewer');
    world.submit(CLIENT, '{"jsonrpc":"2.0","method":"frames.subscribe","params":{"encoding":"raw"}}');
    world.apply();
    const told = { topology: '', frame: '' };
    for (const { kind, bytes } of world.outputs()) if (kind === 'binary') told[bytes[0] === FRAME ? 'frame' : 'topology'] = toBase64(bytes);
    return { tick: world.tickCount, particles, ...told };
  }
}
