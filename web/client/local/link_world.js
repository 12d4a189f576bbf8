// SPDX-License-Identifier: MIT
// Makes the link of a local world, and makes a local world what a link says. The commands of a link are requests like those of a
// client, so the engine checks them as strictly; it makes the records of the history anew.

import { Refusal } from './errors.js';
import { clockEntry, KIND, numberOf, packRecords, unpackRecords } from './history.js';
import { toJson } from './json.js';
import { LINK_CHARACTERS, writeLink, writeSettings } from './link.js';
import { isKept, LinkError } from './link_body.js';
import { readScenes } from './resources.js';
/** @import { Logged } from './history.js' */
/** @import { Deed } from './link_body.js' */
/** @import { LocalWorld } from './world.js' */

const SLICE_MS = 12;
const KEEP_MS = 150; // of computing between two snapshots
const MARK_TICKS = 60; // between two hashes that are kept
const FIRST_CLIENT = 2 ** 40; // no client of a local world has so great an id

const breathe = () => new Promise((resolve) => { setTimeout(resolve); });

// ---- from a world

/** A command of the history, or null if a link needs no such: pauses and steps show in the ticks. @param {LocalWorld} local @param {Logged} logged */
function deedOf(local, { entry }) {
  const text = local.textOf(entry);
  const whole = { tick: entry.tick, client: entry.client, number: text.number };
  if (text.kind === 'release') return { ...whole, method: 'grab.end', params: toJson({ grab: text.grab }) };
  if (text.kind !== 'command' || text.clock || text.method === 'world.step') return null;
  const { atTick, ...params } = text.params ?? {}; // it is the tick of the record
  return { ...whole, method: text.method ?? '', params: toJson(params) };
}

/**
 * The commands of the history. What a client held that left is let go of by a command of that client.
 * @param {LocalWorld} local @param {Logged[]} entries @returns {Deed[]}
 */
function deedsOf(local, entries) {
  /** @type {Map<number, number>} the clients of grabs */
  const owners = new Map();
  /** @type {Deed[]} */
  const deeds = [];
  for (const logged of entries) {
    const deed = deedOf(local, logged);
    if (!deed) continue;
    if (deed.method === 'grab.start') owners.set(deed.number + 1, deed.client); // the id is the number of the command that made it
    const isRelease = logged.entry.kind === KIND.release;
    deeds.push(isRelease ? { ...deed, client: owners.get(JSON.parse(deed.params).grab) ?? deed.client } : deed);
  }
  return deeds;
}

/** How many commands at the beginning are settings that can be read in the link. @param {Deed[]} deeds */
function countSettings(deeds) {
  const first = deeds.findIndex(({ tick, method, params }) => tick !== 1 || method !== 'world.set' || writeSettings(JSON.parse(params)) === null);
  return first < 0 ? deeds.length : first;
}

/** The clients' numbers, from 0 on. @param {Deed[]} deeds */
function renumber(deeds) {
  const clients = [...new Set(deeds.map(({ client }) => client))];
  return { clients: clients.length, deeds: deeds.map((deed) => ({ ...deed, client: clients.indexOf(deed.client) })) };
}

/**
 * The entry of the scene with which the way to a place begins. A place at tick 0 has it not on its way.
 * @param {LocalWorld} local @param {import('./history.js').Place} place
 */
function sceneOf({ history }, place) {
  const { first, entries: [entry] } = history.way(place)[0].timeline;
  if (first !== 0 || entry?.kind !== KIND.scene) throw new LinkError('it did not begin with a scene');
  return entry;
}

/** Throws LinkError if the scene of a world is none of Weft's. @param {LocalWorld} local @param {Record<string, string>} own the texts of these */
function checkScene({ world }, own) {
  if (!Object.hasOwn(own, world.scene)) throw new LinkError(`its scene "${world.scene}" does not come with Weft`);
  const { commands = [] } = /** @type {{commands?: object[]}} */ (world.sceneCommands ?? {});
  if (JSON.stringify(commands) !== JSON.stringify(JSON.parse(own[world.scene]).commands)) {
    throw new LinkError(`its scene "${world.scene}" is another one than that of this page`);
  }
}

/**
 * What a link has to say of a world.
 * @param {LocalWorld} local @param {Record<string, string>} own the texts of Weft's scenes @returns {{scene: string, link: import('./link.js').Link}}
 */
function read(local, own) {
  const { history, time, world, engine, tickHz } = local;
  const place = time.shown?.place ?? history.place;
  const scene = sceneOf(local, place);
  checkScene(local, own);
  const deeds = deedsOf(local, history.entries(place).filter(({ entry }) => entry !== scene));
  const other = deeds.find(({ method }) => !isKept(method));
  if (other) throw new LinkError(`a link holds no ${other.method}`);
  const count = countSettings(deeds);
  const settings = Object.assign({}, ...deeds.slice(0, count).map(({ params }) => JSON.parse(params)));
  const rest = deeds.slice(count);
  const body = rest.length === 0 ? null : { physics: engine.physicsVersion, hash: world.hash, first: numberOf(scene), last: world.sequence, ...renumber(rest) };
  return { scene: world.scene, link: { settings, tickHz, tick: world.tickCount, paused: !world.running, body } };
}

/**
 * `?scene=SCENE&SEARCH#FRAGMENT` in the address of a page, or `local:SCENE?SEARCH#FRAGMENT` as that of a client, is the world.
 * `search` and `fragment` may be empty. If the world has no link, or a longer one than is passed on, all three are empty and `reason` is
 * a sentence that says why; a capsule holds such a world (world.export).
 * @typedef {{scene: string, search: string, fragment: string, reason: string}} WorldLink
 */

/** @param {LocalWorld} local @returns {Promise<WorldLink>} */
export async function linkOf(local) {
  const own = await readScenes();
  try {
    const { scene, link } = await local.whenIdle(() => read(local, own));
    const { search, fragment } = await writeLink(link);
    const { length } = `?scene=${scene}&${search}#${fragment}`;
    if (length <= LINK_CHARACTERS) return { scene, search, fragment, reason: '' };
    throw new LinkError(`its link would have ${length} characters; only links of up to ${LINK_CHARACTERS} work everywhere`);
  } catch (error) {
    if (error instanceof LinkError) return { scene: '', search: '', fragment: '', reason: `This world has no link: ${error.message}.` };
    throw error;
  }
}

// ---- to a world

/** Raises the number from which ids are made. @param {import('../lockstep/own_world.js').World} world @param {import('../lockstep/own_world.js').Engine} engine @param {number} number */
function skipTo(world, engine, number) {
  world.replay(packRecords([clockEntry(world.tickCount + 1, number, world.running)], engine.physicsVersion));
}

/** Computes again what a link says, in a world that nobody has entered. */
class Retrace {
  #local;
  #spentMs = 0; // since the last snapshot
  #id = 0;

  /** @param {LocalWorld} local */
  constructor(local) {
    this.#local = local;
  }

  /** Takes the records of what was done. @returns {{code: number, message: string, data?: {pointer?: string}} | null} the first refusal */
  #drain() {
    let refusal = null;
    for (const { kind, text, bytes } of this.#local.world.outputs()) {
      if (kind === 'record') for (const entry of unpackRecords(bytes)) this.#local.add(entry);
      else if (kind === 'text') refusal ??= JSON.parse(/** @type {string} */ (text)).error ?? null;
    }
    return refusal;
  }

  /** @param {number} clients how many */
  enter(clients) {
    for (let client = 0; client < clients; client++) this.#local.world.join(FIRST_CLIENT + client, '', 'admin');
    this.#drain();
  }

  /** What is held yet is let go of with the next tick, so that the state is that of the link until then. @param {number} clients */
  leave(clients) {
    const { world } = this.#local;
    const state = world.snapshot();
    for (let client = 0; client < clients; client++) world.leave(FIRST_CLIENT + client);
    for (const output of world.outputs()) void output;
    world.restore(state);
  }

  /** @param {number} client @param {string} method @param {string} params JSON */
  ask(client, method, params) {
    const { world } = this.#local;
    world.submit(FIRST_CLIENT + client, `{"jsonrpc":"2.0","id":${++this.#id},"method":${JSON.stringify(method)},"params":${params}}`);
    world.apply();
    return this.#drain();
  }

  /** @param {Deed} deed */
  do({ tick, client, number, method, params }) {
    const { world, engine } = this.#local;
    const damaged = (/** @type {string} */ why) => new Refusal('INVALID', `the link is wrong: ${method} at tick ${tick} ${why}`);
    if (number < world.sequence) throw damaged('has the number of another command');
    if (number > world.sequence) skipTo(world, engine, number);
    const refusal = this.ask(client, method, params);
    if (refusal) throw damaged(`is refused: ${refusal.message}`);
  }

  /** @param {number} tick */
  async stepTo(tick) {
    const local = this.#local;
    const { world, history } = local;
    for (let began = performance.now(); world.tickCount < tick;) {
      world.replay(null, 1);
      history.current.last = world.tickCount;
      if (world.tickCount % MARK_TICKS === 0) local.mark();
      const spent = performance.now() - began;
      if (spent < SLICE_MS) continue;
      this.#spentMs += spent;
      if (this.#spentMs >= KEEP_MS) {
        this.#spentMs = 0;
        local.keepSnapshot();
      }
      await breathe();
      began = performance.now();
    }
  }
}

/**
 * Makes a new world what a link says.
 * @param {LocalWorld} local @param {string} scene its name @param {string} text of its file @param {import('./link.js').Link} link
 */
export async function followLink(local, scene, text, { settings, tick, paused, body }) {
  const { world, engine } = local;
  if (body && body.physics !== engine.physicsVersion) {
    throw new Refusal('STATE', `the link was made with physics version ${body.physics}, this page computes version ${engine.physicsVersion}: its commands would lead elsewhere`);
  }
  if (body) skipTo(world, engine, body.first);
  local.beginScene(scene, text, false);
  const retrace = new Retrace(local);
  const clients = Math.max(1, body?.clients ?? 1);
  retrace.enter(clients);
  const refusal = Object.keys(settings).length > 0 ? retrace.ask(0, 'world.set', toJson(settings)) : null;
  if (refusal) throw new Refusal('INVALID', `the link is wrong: ${refusal.message}`, refusal.data?.pointer);
  for (const deed of body?.deeds ?? []) {
    await retrace.stepTo(deed.tick - 1);
    retrace.do(deed);
  }
  await retrace.stepTo(tick);
  if (body && body.hash !== world.hash) {
    throw new Refusal('STATE', `the link leads elsewhere: the hash of the state at tick ${tick} is ${world.hash}, in the link it is ${body.hash}. It is damaged, or its scene has changed since it was made`);
  }
  retrace.leave(clients);
  if (body && body.last < world.sequence) throw new Refusal('INVALID', 'the link is wrong: its last number is that of another command');
  world.running = !paused;
  local.time.noteClock(body?.last);
}
