// SPDX-License-Identifier: MIT
// What a server is to its worlds, in this thread: makes, lists, branches and removes local worlds, and keeps those that are not
// temporary in this browser. A world of a scene that nobody has named (`local:cloth`) is temporary, too.

import { CapsuleError, readCapsule, writeCapsule } from '../engine/capsule.js';
import { loadEngine } from '../engine/engine.js';
import { fromBase64, toBase64 } from './base64.js';
import { refusalOf, Refusal } from './errors.js';
import { packRecords, unpackRecords } from './history.js';
import { Keeper, restoreWorld } from './keeper.js';
import { readLink } from './link.js';
import { followLink } from './link_world.js';
import { openCapsule, readMoment, showFrom } from './moment.js';
import { freeName, isName } from './names.js';
import { Scenes } from './scenes.js';
import { openStorage } from './storage.js';
import { Walk } from './walk.js';
import { LocalWorld } from './world.js';

const DESERTED_MS = 60000; // so long a temporary world waits for somebody
const FIRST_SCENE = 'empty'; // of a world that is made without naming one
const LOCK = 'weft.world.'; // of a world that is open, before its name

/** @type {Promise<LocalServer> | undefined} of this thread */
let opening;

/** The local worlds of this thread. */
export function localServer() {
  opening ??= openStorage().then((storage) => new LocalServer(storage));
  return opening;
}

export class LocalServer {
  instance = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  #storage;
  /** @type {Map<string, LocalWorld>} that are open, by name */
  #worlds = new Map();
  /** @type {Map<string, Keeper>} of those that are kept */
  #keepers = new Map();
  /** @type {Map<string, () => void>} release the locks of worlds that are kept */
  #locks = new Map();
  /** @type {Map<string, {address: string, promise: Promise<LocalWorld>}>} that are being opened, by name */
  #opening = new Map();
  /** @type {Map<string, ReturnType<typeof setTimeout>>} of deserted temporary worlds */
  #deserted = new Map();

  /** @param {import('./storage.js').Storage} storage */
  constructor(storage) {
    this.#storage = storage;
    this.scenes = new Scenes(storage);
  }

  // ---- opening

  /**
   * The world of this name: one that is open or kept, else a new one of the scene. With a link (link.js) the world that was made of
   * the same link, else a new one in which is done what the link says: without `scene` its name is the scene's, with a number if
   * another world has it.
   * @param {string} name @param {string} [scene] by default that of the same name
   * @param {{search: string, fragment: string}} [link] both may be empty @returns {Promise<LocalWorld>}
   */
  async open(name, scene, { search, fragment } = { search: '', fragment: '' }) {
    const link = { search, fragment, address: search || fragment ? `${scene ?? name}?${search}#${fragment}` : '' };
    if (link.address === '') return this.#enter(name, scene ?? name, link);
    const taken = scene === undefined ? (await this.#storage.heads()).map((head) => head.name) : [];
    for (let free = freeName(name, taken); ; free = freeName(name, taken)) {
      const other = this.#opening.get(free) ?? this.#worlds.get(free);
      const local = other && other.address !== link.address ? null : await this.#enter(free, scene ?? name, link);
      if (local?.address === link.address) return local;
      if (scene !== undefined) throw new Refusal('STATE', `there is another world "${name}" in this browser: open the link as local:${scene}, or remove that world first`);
      taken.push(free);
    }
  }

  /** @param {string} name @param {string} scene @param {{search: string, fragment: string, address: string}} link @returns {Promise<LocalWorld>} */
  #enter(name, scene, link) {
    const open = this.#worlds.get(name);
    if (open) return Promise.resolve(open);
    let promise = this.#opening.get(name)?.promise;
    if (!promise) {
      promise = this.#open(name, scene, link).finally(() => this.#opening.delete(name));
      this.#opening.set(name, { address: link.address, promise });
    }
    return promise;
  }

  /** @param {string} name @param {string} scene @param {{search: string, fragment: string, address: string}} link */
  async #open(name, scene, { search, fragment, address }) {
    const moment = readMoment(search);
    const link = address === '' || moment ? null : await readLink(search, fragment);
    const stored = await this.#storage.read(name);
    if (stored) return this.#openStored(name, stored);
    if (moment) return this.#openMoment(name, moment, address);
    const text = await this.scenes.find(scene);
    if (text === undefined) throw new Refusal('NOT_FOUND', `there is no local world and no scene "${scene}"`);
    return this.#make({ name, tickHz: link?.tickHz, temporary: true }, async (local) => {
      local.address = address;
      if (link) await followLink(local, scene, text, link);
      else local.beginScene(scene, text, false);
      if (link?.from !== undefined) await showFrom(local, link.from);
    });
  }

  /** @param {string} name @param {import('./moment.js').Moment} moment @param {string} address of the link */
  async #openMoment(name, { capsule: file, from }, address) {
    const capsule = await openCapsule(file, async ({ name: other, ...ticks }) => {
      const open = this.#worlds.get(other);
      if (!open) throw new Refusal('NOT_FOUND', `there is no open world "${other}" in this page`);
      return open.whenIdle(() => this.#pack(open, ticks));
    });
    return this.#make({ name, tickHz: capsule.tickHz, temporary: true }, async (local) => {
      local.address = address;
      await replayCapsule(local, capsule);
      await showFrom(local, from);
    });
  }

  /** @param {string} name @param {NonNullable<Awaited<ReturnType<import('./storage.js').Storage['read']>>>} stored */
  async #openStored(name, stored) {
    await this.#lock(name);
    let next = 0;
    const local = await this.#make({ name, tickHz: stored.head.tickHz, temporary: false }, async (made) => { next = await restoreWorld(made, stored); });
    this.#keepers.set(name, new Keeper(local, this.#storage, next));
    return local;
  }

  /**
   * @param {{name: string, tickHz?: number, temporary?: boolean}} options @param {(local: LocalWorld) => unknown} begin
   */
  async #make(options, begin) {
    const local = new LocalWorld(this, await loadEngine(), options); // an engine of its own, whose memory goes with the world
    try {
      await begin(local);
    } catch (error) {
      local.dispose();
      throw error;
    }
    this.#worlds.set(options.name, local);
    return local;
  }

  /** A world that is kept is open in one page only. @param {string} name */
  async #lock(name) {
    if (!('locks' in (globalThis.navigator ?? {}))) return;
    await /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
      navigator.locks.request(LOCK + name, { ifAvailable: true }, (lock) => {
        if (!lock) {
          reject(new Refusal('STATE', `the world "${name}" is open in another tab or window: close it there first`));
          return undefined;
        }
        resolve();
        return new Promise((/** @type {(value?: unknown) => void} */ release) => { this.#locks.set(name, release); });
      }).catch(reject);
    }));
  }

  // ---- from the worlds

  /** @param {LocalWorld} local something was done in it, or it went on */
  changed(local) {
    this.#keepers.get(local.name)?.writeSoon();
  }

  /** A client has left. @param {LocalWorld} local */
  left(local) {
    if (local.clients.size > 0) return;
    const keeper = this.#keepers.get(local.name);
    if (keeper) keeper.write().catch(() => {}).finally(() => { if (local.clients.size === 0) this.#close(local); });
    else this.#closeLater(local);
  }

  /** @param {LocalWorld} local */
  #closeLater(local) {
    clearTimeout(this.#deserted.get(local.name));
    const timer = setTimeout(() => { if (local.clients.size === 0) this.#close(local); }, DESERTED_MS);
    /** @type {{unref?: () => void}} */ (/** @type {unknown} */ (timer)).unref?.(); // Node ends before
    this.#deserted.set(local.name, timer);
  }

  /** @param {LocalWorld} local */
  #close(local) {
    if (this.#worlds.get(local.name) !== local) return;
    this.#forget(local);
    this.#unlock(local.name);
    local.dispose();
  }

  /** The world is not open any more. @param {LocalWorld} local @returns {Promise<unknown>} when nothing more of it is written */
  #forget({ name }) {
    clearTimeout(this.#deserted.get(name));
    this.#worlds.delete(name);
    const written = this.#keepers.get(name)?.end();
    this.#keepers.delete(name);
    return Promise.resolve(written);
  }

  /** @param {string} name */
  #unlock(name) {
    this.#locks.get(name)?.();
    this.#locks.delete(name);
  }

  /** Bytes of the histories of all open worlds. */
  get bytes() {
    return [...this.#worlds.values()].reduce((sum, { history }) => sum + history.bytes, 0);
  }

  // ---- methods

  async list() {
    const open = [...this.#worlds.values()].map(({ description }) => description);
    const kept = (await this.#storage.heads()).filter(({ name }) => !this.#worlds.has(name)).map(({ name, tick, running, particles, physics }) => (
      { name, tick, running, clients: 0, particles, kept: true, temporary: false, physics, people: [] }));
    return { worlds: [...open, ...kept].sort((one, other) => (one.name < other.name ? -1 : 1)) };
  }

  /** @param {string} name */
  async #checkFree(name) {
    const isTaken = this.#worlds.has(name) || this.#opening.has(name) || (await this.#storage.heads()).some((head) => head.name === name);
    if (isTaken) throw new Refusal('STATE', `there is a world "${name}" already: choose another name`, '/name');
  }

  /**
   * Makes a world of this name, which nothing has.
   * @param {{name: string, tickHz?: number, temporary?: boolean}} options @param {(local: LocalWorld) => unknown} begin
   */
  async #found(options, begin) {
    const { name, temporary = false } = options;
    await this.#checkFree(name);
    if (!temporary) await this.#lock(name);
    let local;
    try {
      local = await this.#make({ temporary, ...options }, begin);
    } catch (error) {
      this.#unlock(name);
      throw error;
    }
    if (temporary) {
      this.#closeLater(local);
    } else {
      const keeper = new Keeper(local, this.#storage);
      this.#keepers.set(name, keeper);
      await keeper.write();
      this.left(local); // until somebody comes
    }
    return { world: name, tick: local.world.tickCount };
  }

  /** @param {{name: string, scene?: string, tickHz?: number, paused?: boolean, temporary?: boolean}} params */
  async create({ name, scene = FIRST_SCENE, tickHz, paused = false, temporary }) {
    const text = await this.scenes.find(scene);
    if (text === undefined) throw new Refusal('NOT_FOUND', `there is no scene "${scene}": scene.list names those there are`, '/scene');
    return this.#found({ name, tickHz, temporary }, (local) => local.beginScene(scene, text, paused));
  }

  /**
   * Makes a world that goes on with the state of another one, and is kept.
   * @param {{name: string, tickHz: number, snapshot: Uint8Array, running: boolean}} params name: if there is a world of that name, a
   *   number is added
   * @returns {Promise<string>} its name
   */
  async goOn({ name, tickHz, snapshot, running }) {
    if (!isName(name)) throw new Refusal('INVALID', `name must have 1 to 64 letters, digits, hyphens and underscores, got "${name}"`, '/name');
    const { worlds } = await this.list();
    const free = freeName(name, worlds.map((world) => world.name));
    const made = await this.#found({ name: free, tickHz }, (local) => local.beginState(snapshot, running));
    return made.world;
  }

  /**
   * @param {LocalWorld} parent
   * @param {{name: string, tick?: number, timeline?: number, paused?: boolean, temporary?: boolean}} params
   */
  async branch(parent, { name, tick, timeline, paused, temporary }) {
    const running = !(paused ?? !parent.world.running);
    const { tickHz, history } = parent;
    if (tick === undefined && timeline === undefined) {
      const snapshot = parent.world.snapshot();
      return this.#found({ name, tickHz, temporary }, (local) => local.beginState(snapshot, running));
    }
    const { from, entries, until } = parent.time.plan(timeline, tick);
    return this.#found({ name, tickHz, temporary }, async (local) => {
      await new Walk(local.world, local.engine.physicsVersion, history, from).go(entries, until);
      local.beginState(local.world.snapshot(), running);
    });
  }

  /** @param {{name: string}} params */
  async remove({ name }) {
    const open = this.#worlds.get(name);
    const isKept = (await this.#storage.heads()).some((head) => head.name === name);
    if (!open && !isKept) throw new Refusal('NOT_FOUND', `there is no world "${name}"`, '/name');
    if (!open) await this.#lock(name); // another page may have it open
    else await this.#forget(open);
    await this.#storage.remove(name);
    this.#unlock(name);
    if (open) setTimeout(() => open.dispose()); // its clients get their replies first
    return { world: name };
  }

  // ---- capsules

  /** @param {LocalWorld} local @param {{from?: number, to?: number, timeline?: number}} params */
  async export(local, params) {
    const bytes = await this.#pack(local, params);
    return { bytes: bytes.length, capsule: toBase64(bytes) };
  }

  /** @param {LocalWorld} local @param {{from?: number, to?: number, timeline?: number}} params @returns {Promise<Uint8Array>} the file of a capsule */
  async #pack(local, { from = 0, to, timeline: wanted }) {
    if (to !== undefined && to < from) throw new Refusal('INVALID', `to must be at least from, ${from}, got ${to}`, '/to');
    const { history, engine } = local;
    const timeline = wanted ?? history.home;
    const listed = history.find(timeline);
    if (!listed) throw new Refusal('NOT_FOUND', `there is no timeline ${timeline} in this world`, '/timeline');
    const end = history.endOf(timeline);
    const until = Math.min(to ?? Infinity, listed.last);
    const { snapshot, place } = /** @type {NonNullable<ReturnType<typeof history.stateAt>>} */ (
      history.stateAt(end, Math.max(Math.min(from, until), history.firstTick(timeline))));
    const entries = history.between(place, end).filter(({ entry }) => to === undefined || entry.tick <= to);
    return writeCapsule({
      world: local.name, version: engine.version, tickHz: local.tickHz, made: new Date(), physics: engine.physicsVersion, newestPhysics: engine.physicsVersion,
      firstTick: snapshot.tick, lastTick: until, snapshot: snapshot.bytes, snapshotHash: snapshot.hash,
      ticks: byTick(entries.map(({ entry }) => entry)).map(({ tick, group, first }) => ({ tick, records: packRecords(group, engine.physicsVersion, first) })),
      hashes: hashesOf(history, place, end, snapshot.tick, until),
    });
  }

  /** @param {{name: string, capsule: string, paused?: boolean}} params */
  async import({ name, capsule: text, paused }) {
    const blame = (/** @type {Error} */ error) => new Refusal('INVALID', error.message, '/capsule');
    let bytes;
    try {
      bytes = fromBase64(text);
    } catch {
      throw new Refusal('INVALID', 'capsule must be base64, in groups of four', '/capsule');
    }
    const capsule = await readCapsule(bytes).catch((error) => { throw error instanceof CapsuleError ? blame(error) : error; });
    return this.#found({ name, tickHz: capsule.tickHz }, async (local) => {
      await replayCapsule(local, capsule).catch((error) => { throw blame(new Error(`the capsule cannot be replayed: ${refusalOf(error).message}`)); });
      if (paused !== undefined) local.world.running = !paused;
    });
  }
}

/** Entries of the same tick together, with the number of the first. @param {import('./history.js').Entry[]} entries */
function byTick(entries) {
  /** @type {{tick: number, group: import('./history.js').Entry[], first: number}[]} */
  const ticks = [];
  entries.forEach((entry, index) => {
    if (ticks.at(-1)?.tick === entry.tick) ticks.at(-1)?.group.push(entry);
    else ticks.push({ tick: entry.tick, group: [entry], first: index + 1 });
  });
  return ticks;
}

/**
 * The hashes on the way from a place to a later one, with the number of entries before each.
 * @param {import('./history.js').History} history @param {import('./history.js').Place} from @param {import('./history.js').Place} to
 * @param {number} firstTick @param {number} lastTick
 */
function hashesOf(history, from, to, firstTick, lastTick) {
  const way = history.way(to);
  const before = history.entries(from).length;
  let passed = 0;
  return way.flatMap(({ timeline, last }, index) => {
    const ends = way[index + 1]?.timeline.first ?? lastTick;
    const found = timeline.hashes.filter(({ tick, sequence }) => tick >= firstTick && tick <= Math.min(ends, lastTick) && sequence <= last && passed + sequence >= before)
      .map(({ tick, sequence, hash }) => ({ tick, records: passed + sequence - before, hash }));
    passed += last;
    return found;
  });
}

/** Makes a world the one of a capsule, whose hashes are compared. @param {LocalWorld} local @param {import('../engine/capsule.js').Capsule} capsule */
async function replayCapsule(local, capsule) {
  const { world, history, engine } = local;
  if (capsule.physics !== engine.physicsVersion || capsule.newestPhysics !== engine.physicsVersion) {
    throw new Error(`it was computed with physics version ${capsule.newestPhysics}, this page computes version ${engine.physicsVersion}`);
  }
  if (capsule.snapshot) world.restore(capsule.snapshot);
  if (capsule.snapshot && world.hash !== capsule.snapshotHash) throw new Error(`the hash of its first state is ${world.hash}, in the capsule it is ${capsule.snapshotHash}`);
  history.begin(null, local.state(0));
  for (const { records } of capsule.ticks) for (const entry of unpackRecords(records)) history.add(entry);
  for (const { tick, records, hash } of capsule.hashes) history.current.hashes.push({ tick, sequence: records, hash });
  history.current.last = capsule.lastTick;
  const from = /** @type {NonNullable<ReturnType<typeof history.stateOn>>} */ (history.stateOn(history.place, () => true));
  const walk = new Walk(world, engine.physicsVersion, history, from);
  await walk.go(history.entries(history.place), capsule.lastTick);
  local.seen = walk.seen;
}
