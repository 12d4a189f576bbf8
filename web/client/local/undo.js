// SPDX-License-Identifier: MIT
// Taking back a client's last change in a local world, and giving it again (world.undo, world.redo, PROTOCOL.md): the history is
// computed again without that change, or with it. The world stands meanwhile.

import { Refusal } from './errors.js';
import { KIND, numberOf } from './history.js';
import { Walk } from './walk.js';
/** @import { Logged, Place } from './history.js' */
/** @import { LocalClient, LocalWorld } from './world.js' */

const TELL_MS = 250; // between two events that tell how far it has come

/**
 * A change that was taken back.
 * @typedef {{method: string, sceneTimeline: number | null, taken: Logged[]}} Redo
 *
 * @typedef {{client: number, method: string, object?: number, count: number, tick: number}} Lost commands of others that are lost
 */

/** @param {Logged} one @param {Logged} other */
const same = (one, other) => one.timeline === other.timeline && one.sequence === other.sequence;

export class Undo {
  #local;
  /** @type {{task: 'undo' | 'redo', client: LocalClient, method: string, progress: number} | null} */
  #working = null;
  #cancelled = false;

  /** @param {LocalWorld} local */
  constructor(local) {
    this.#local = local;
  }

  get isOn() {
    return this.#working !== null;
  }

  /** The member `undoing` of world.get. */
  get description() {
    if (!this.#working) return undefined;
    const { client, ...facts } = this.#working;
    return { ...facts, client: client.number, name: client.name };
  }

  /** @returns {boolean} whether something is at work, which then ends */
  cancel() {
    this.#cancelled ||= this.isOn;
    return this.isOn;
  }

  // ---- the last change

  /** Whether an entry is of this client, or of one of before. @param {Logged} logged @param {LocalClient} client */
  #isOwn({ entry }, client) {
    return entry.client !== 0 && (entry.client === client.number || !this.#local.isHere(entry.client));
  }

  /** The grab that a command is about; 0: none. @param {{method?: string, params?: any, number: number}} text */
  #grabOf({ method, params, number }) {
    if (method === 'grab.start') return number + 1; // its id is the number of the command that made it
    return method === 'grab.move' || method === 'grab.end' ? params.grab : 0;
  }

  /**
   * The entries of a client's last change, the newest first.
   * @param {LocalClient} client @param {boolean} scene whether it is the last reset or scene, of any client
   */
  #find(client, scene) {
    const { history } = this.#local;
    const entries = history.entries(history.place);
    /** @type {Logged[]} */
    const undone = [];
    let method = '';
    let grab = 0;
    for (let at = entries.length - 1; at >= 0; at--) {
      const logged = entries[at];
      if (logged.entry.kind === KIND.scene && grab === 0 && (scene || this.#isOwn(logged, client))) {
        return { method: 'scene.load', undone: [logged], sceneTimeline: logged.timeline, after: entries.slice(at + 1) };
      }
      if (scene || logged.entry.kind !== KIND.command || !this.#isOwn(logged, client)) continue;
      const text = this.#local.textOf(logged.entry);
      const about = this.#grabOf(text);
      if (text.clock || (grab !== 0 && about !== grab)) continue;
      if (grab === 0) method = /** @type {string} */ (text.method);
      grab = about;
      undone.push(logged);
      if (about === 0 || text.method === 'grab.start') break;
    }
    if (undone.length > 0) return { method, undone, sceneTimeline: null, after: [] };
    throw new Refusal('NOT_FOUND', scene ? 'there is no reset and no scene in the world’s history' : 'you have no change to undo in the world’s history');
  }

  // ---- what is lost

  /** @param {Logged[]} logged @param {LocalClient} client @returns {Lost[]} those of others, together by client, method and object */
  #lostOf(logged, client) {
    /** @type {Map<string, Lost>} */
    const rows = new Map();
    for (const { entry } of logged) {
      if (entry.kind !== KIND.command || this.#isOwn({ timeline: 0, sequence: 0, entry }, client)) continue;
      const { method = '', object, clock } = this.#local.textOf(entry);
      if (clock || method === 'grab.move' || method === 'grab.end') continue;
      const key = `${entry.client} ${method} ${object}`;
      const row = rows.get(key) ?? { client: entry.client, method, ...(object !== undefined && { object }), count: 0, tick: entry.tick };
      row.count++;
      rows.set(key, row);
    }
    return [...rows.values()].map((row) => ({ ...row, ...this.#local.nameOf(row.client) }));
  }

  // ---- doing it

  /** @param {LocalClient} client @param {{scene?: boolean, force?: boolean}} params */
  undo(client, { scene = false, force = false }) {
    const { method, undone, sceneTimeline, after } = this.#find(client, scene);
    return this.#work('undo', client, method, async () => {
      if (sceneTimeline !== null) {
        if (sceneTimeline <= 1) throw new Refusal('NOT_FOUND', 'the world began with this scene');
        await this.#goTo(client, sceneTimeline - 1, after, force);
        client.redo.push({ method, sceneTimeline, taken: [] });
        return { undone: method, dropped: after.length, lost: this.#lostOf(after, client) };
      }
      const first = /** @type {Logged} */ (undone.at(-1));
      const from = this.#stateBefore({ timeline: first.timeline, sequence: first.sequence - 1 }, first.entry.tick);
      const { history } = this.#local;
      const { taken, dropped } = await this.#recompute(client, force, from, history.between(from.place, history.place), (logged) => undone.some((each) => same(each, logged)), false);
      client.redo.push({ method, sceneTimeline: null, taken });
      return { undone: method, dropped: dropped.length, lost: this.#lostOf(dropped, client) };
    });
  }

  /** @param {LocalClient} client @param {{force?: boolean}} params */
  redo(client, { force = false }) {
    const redo = client.redo.at(-1);
    if (!redo) throw new Refusal('NOT_FOUND', 'there is nothing to redo');
    return this.#work('redo', client, redo.method, async () => {
      if (redo.sceneTimeline !== null) {
        const { history } = this.#local;
        const scene = { timeline: redo.sceneTimeline, sequence: 0 };
        const after = history.way(history.place).flatMap(({ timeline: { timeline, entries }, last }) => (
          timeline > scene.timeline ? entries.slice(0, last).map((entry, index) => ({ timeline, sequence: index + 1, entry })) : []));
        await this.#goTo(client, redo.sceneTimeline, after, force);
        return { redone: redo.method, dropped: after.length, lost: this.#lostOf(after, client) };
      }
      const dropped = await this.#giveAgain(client, force, redo);
      client.redo.pop();
      return { redone: redo.method, dropped: dropped.length, lost: this.#lostOf(dropped, client) };
    });
  }

  /** @param {LocalClient} client @param {boolean} force @param {Redo} redo */
  async #giveAgain(client, force, { taken }) {
    const { history } = this.#local;
    const first = taken[0].entry;
    const from = this.#stateBefore(history.place, first.tick - 1);
    const comesBefore = (/** @type {Logged} */ { entry: one }, /** @type {Logged} */ { entry: other }) => (
      one.tick !== other.tick ? one.tick < other.tick : numberOf(one) < numberOf(other));
    const entries = history.between(from.place, history.place);
    for (const logged of taken) {
      const at = entries.findIndex((other) => comesBefore(logged, other));
      entries.splice(at < 0 ? entries.length : at, 0, logged);
    }
    const { dropped } = await this.#recompute(client, force, from, entries, (logged) => taken.includes(logged), true);
    return dropped;
  }

  /** The newest state on the way to a place that holds nothing of this tick or later. @param {Place} place @param {number} tick */
  #stateBefore(place, tick) {
    const { history } = this.#local;
    const from = history.stateOn(place, (state) => state.seen < tick && state.tick < tick) ?? history.stateOn(place, (state) => state.sequence === 0);
    return /** @type {NonNullable<typeof from>} */ (from);
  }

  /**
   * Computes the history again from a state on, without some entries or with them. The world goes on in a timeline that branches
   * off where the first of them is.
   * @param {LocalClient} client @param {boolean} force
   * @param {{snapshot: import('./history.js').Snapshot, place: Place}} from @param {Logged[]} entries @param {(logged: Logged) => boolean} isChanged
   * @param {boolean} given whether these are applied
   */
  async #recompute(client, force, from, entries, isChanged, given) {
    const local = this.#local;
    const { world, history, engine } = local;
    const present = { tick: world.tickCount, running: world.running, sequence: world.sequence };
    /** @type {Logged[]} */ const taken = [];
    /** @type {Logged[]} */ const dropped = [];
    /** @type {Logged[]} */ const copies = [];
    /** @type {({place: Place} & ReturnType<LocalWorld['state']>)[]} where it branches off, once that is reached */
    const forks = [];
    const walk = await local.keepOnFailure(async () => {
      const going = new Walk(world, engine.physicsVersion, history, from);
      const drop = (/** @type {Logged} */ logged) => { dropped.push(logged); taken.push(logged); };
      await going.go(entries, present.tick, {
        before: (logged) => {
          if (!isChanged(logged)) return true;
          if (forks.length === 0) forks.push({ place: going.place, ...local.state(going.seen) });
          going.altered = true;
          if (!given) taken.push(logged);
          return given;
        },
        after: (logged) => { if (forks.length > 0) copies.push(logged); },
        refused: drop,
        progress: (tick) => this.#tell(from.snapshot.tick, tick, present.tick),
      });
      this.#checkLost(client, dropped, force);
      return going;
    });
    history.begin(forks[0].place, forks[0]);
    history.current.last = present.tick;
    for (const { entry } of copies) local.add(entry);
    local.seen = walk.seen;
    this.#goOn(client, present);
    return { taken, dropped };
  }

  /** Goes to the end of another timeline. @param {LocalClient} client @param {number} timeline @param {Logged[]} lost @param {boolean} force */
  async #goTo(client, timeline, lost, force) {
    const local = this.#local;
    const { world, history, engine } = local;
    const present = { running: world.running, sequence: world.sequence };
    this.#checkLost(client, lost, force);
    const end = history.endOf(timeline);
    const from = /** @type {{snapshot: import('./history.js').Snapshot, place: Place}} */ (history.stateOn(end, () => true));
    const until = /** @type {{last: number}} */ (history.find(timeline)).last;
    const walk = await local.keepOnFailure(async () => {
      const going = new Walk(world, engine.physicsVersion, history, from);
      await going.go(history.between(from.place, end), until, { progress: (tick) => this.#tell(from.snapshot.tick, tick, until) });
      return going;
    });
    for (const each of local.clients.values()) each.redo = [];
    history.begin(walk.place, local.state(walk.seen));
    this.#goOn(client, present);
  }

  /** @param {LocalClient} client @param {{running: boolean, sequence: number}} present the clock, and the last id that was given */
  #goOn(client, { running, sequence }) {
    const local = this.#local;
    local.world.running = running;
    local.world.showAnew(false);
    local.time.noteClock(sequence); // ids are given once
    local.tellChanged(/** @type {{task: string}} */ (this.#working).task, client.id);
  }

  /** @param {LocalClient} client @param {Logged[]} dropped @param {boolean} force */
  #checkLost(client, dropped, force) {
    const lost = this.#lostOf(dropped, client);
    const count = lost.reduce((sum, row) => sum + row.count, 0);
    if (count === 0 || force) return;
    throw new Refusal('STATE', `${count} command${count === 1 ? '' : 's'} of others would be lost, for what they need would not be there: data.lost lists them, and force: true accepts that`, '/force', { lost });
  }

  /**
   * @template T
   * @param {'undo' | 'redo'} task @param {LocalClient} client @param {string} method @param {() => Promise<T>} work
   */
  async #work(task, client, method, work) {
    this.#working = { task, client, method, progress: 0 };
    this.#cancelled = false;
    this.#toldAt = performance.now();
    try {
      const result = await work();
      this.#end('done');
      return { ...result, ...this.#local.whereabouts };
    } catch (error) {
      this.#end(this.#cancelled ? 'cancelled' : 'refused', /** @type {Refusal} */ (error));
      throw error;
    }
  }

  #toldAt = 0;

  /** @param {number} first @param {number} tick @param {number} last */
  #tell(first, tick, last) {
    if (this.#cancelled) throw new Refusal('STATE', 'nothing was undone or redone: it was cancelled');
    if (!this.#working) return;
    this.#working.progress = last > first ? Math.min(1, (tick - first) / (last - first)) : 0;
    if (performance.now() - this.#toldAt < TELL_MS) return;
    this.#toldAt = performance.now();
    this.#local.tellEvent('undo.progress', { state: 'running', ...this.description, tick });
  }

  /** @param {'done' | 'cancelled' | 'refused'} state @param {Error & {data?: object}} [error] */
  #end(state, error) {
    const told = { ...this.description, ...(state === 'done' && { progress: 1 }) };
    this.#working = null;
    this.#local.tellEvent('undo.progress', { state, ...told, ...(error && { message: error.message, ...error.data }), tick: this.#local.world.tickCount });
  }
}
