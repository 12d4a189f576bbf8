// SPDX-License-Identifier: MIT
// Makes the link of a local world, and makes a local world what a link says. The commands of a link are requests like those of a
// client, so the engine checks them as strictly; it makes the records of the history anew.

import { Refusal } from './errors.js';
import { clockEntry, packRecords, unpackRecords } from './history.js';
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

/** What a link has to say of a world. @param {LocalWorld} local @returns {{scene: string, link: import('./link.js').Link}} */
function read(local) {
  const { history, time, world, engine } = local;
  const place = time.shown?.place ?? history.place;
  const entries = history.entries(place);
  const scene = entries.length > 0 ? local.textOf(entries[0].entry) : null;
  if (scene?.kind !== 'scene' || entries[0].entry.tick !== 1 || history.firstTick(place.timeline) !== 0 || !scene.name) {
    throw new LinkError('it did not begin with a scene');
  }
  const deeds = /** @type {Deed[]} */ (entries.slice(1).map((logged) => deedOf(local, logged)).filter((deed) => deed !== null));
  const other = deeds.find(({ method }) => !isKept(method));
  if (other) throw new LinkError(`a link holds no ${other.method}`);
  const count = countSettings(deeds);
  const settings = Object.assign({}, ...deeds.slice(0, count).map(({ params }) => JSON.parse(params)));
  const rest = deeds.slice(count);
  const body = rest.length === 0 ? null : { physics: engine.physicsVersion, hash: world.hash, ...renumber(rest) };
  return { scene: scene.name, link: { settings, tick: world.tickCount, paused: !world.running, body } };
}

/**
 * `?world=local:SCENE&SEARCH#FRAGMENT` in the address of a page, or `local:SCENE?SEARCH#FRAGMENT` as that of a client, is the world.
 * `search` and `fragment` may be empty. If the world has no link, or a longer one than is passed on, all three are empty and `reason` is
 * a sentence that says why; a capsule holds such a world (world.export).
 * @typedef {{scene: string, search: string, fragment: string, reason: string}} WorldLink
 */

/** @param {LocalWorld} local @returns {Promise<WorldLink>} */
export async function linkOf(local) {
  const own = await readScenes();
  try {
    await local.idle();
    const { scene, link } = read(local);
    if (!Object.hasOwn(own, scene)) throw new LinkError(`its scene "${scene}" is saved in this browser only`);
    const { search, fragment } = await writeLink(link);
    const { length } = `?world=local:${scene}&${search}#${fragment}`;
    if (length <= LINK_CHARACTERS) return { scene, search, fragment, reason: '' };
    throw new LinkError(`its link would have ${length} characters, and at most ${LINK_CHARACTERS} are passed on safely`);
  } catch (error) {
    if (error instanceof LinkError) return { scene: '', search: '', fragment: '', reason: `This world has no link: ${error.message}.` };
    throw error;
  }
}

// ---- to a world

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
    if (number > world.sequence) world.replay(packRecords([clockEntry(tick, number, world.running)], engine.physicsVersion));
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
 * Makes a world of a scene what a link says.
 * @param {LocalWorld} local with its scene, at tick 0 @param {import('./link.js').Link} link
 */
export async function followLink(local, { settings, tick, paused, body }) {
  const { world, engine } = local;
  if (body && body.physics !== engine.physicsVersion) {
    throw new Refusal('STATE', `the link was made with physics version ${body.physics}, this page computes version ${engine.physicsVersion}: its commands would lead elsewhere`);
  }
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
  world.running = !paused;
  if (paused) local.time.noteClock();
  local.mark();
}
