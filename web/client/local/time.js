// SPDX-License-Identifier: MIT
// Going back in the history of a local world: seeks, and replays that are only shown (world.seek, world.replay, PROTOCOL.md).

import { refusalOf, Refusal } from './errors.js';
import { clockEntry, packRecords } from './history.js';
import { Walk } from './walk.js';
/** @import { Logged, Place } from './history.js' */
/** @import { LocalWorld } from './world.js' */

const SPEED_LEAST = 0.1;
// Methods that do not end a replay although they are changes.
const STAYING = new Set(['world.replay', 'world.seek', 'world.pause', 'grab.move', 'grab.end']);

/**
 * What is shown of the past.
 * @typedef {object} Shown
 * @property {{timeline: number, from: number, to: number, speed: number, loop: boolean}} request
 * @property {Place} place @property {number} seen
 * @property {Logged[]} ahead entries that were not applied yet
 * @property {boolean} playing
 * @property {{bytes: Uint8Array, tick: number, seen: number, hash: string}} present what the world has become
 */

export class Time {
  #local;
  /** @type {Shown | null} */
  shown = null;

  /** @param {LocalWorld} local */
  constructor(local) {
    this.#local = local;
  }

  /** Whether a method ends a replay, so that the world goes on from what is shown. @param {string} method a change */
  isLeftBy(method) {
    return this.shown !== null && !STAYING.has(method);
  }

  /** The member `replay` of replies and events, if something is shown. */
  get description() {
    if (!this.shown) return undefined;
    const { request, playing, present } = this.shown;
    return { ...request, playing, tick: this.#local.world.tickCount, present: present.tick };
  }

  // ---- the ways there

  /** The timeline that a request names, or the one whose ticks are sought. @param {number | undefined} wanted */
  #timelineOf(wanted) {
    const { history } = this.#local;
    const timeline = wanted ?? history.home;
    if (!history.find(timeline)) throw new Refusal('NOT_FOUND', `there is no timeline ${timeline} in this world`, '/timeline');
    return timeline;
  }

  /** The last tick of a timeline. @param {number} timeline */
  #lastTick(timeline) {
    return /** @type {{last: number}} */ (this.#local.history.find(timeline)).last;
  }

  /** @param {number} timeline @param {number} tick @param {string} pointer */
  #checkTick(timeline, tick, pointer) {
    const [first, last] = [this.#local.history.firstTick(timeline), this.#lastTick(timeline)];
    if (tick >= first && tick <= last) return;
    throw new Refusal('NOT_FOUND', `tick ${tick} is not in the history: that of timeline ${timeline} holds ticks ${first} to ${last}`, pointer);
  }

  /**
   * The way to the state after a tick, or to the end of a timeline: where to begin, and the entries to apply. `ahead` are those
   * that follow.
   * @param {number | undefined} wanted timeline @param {number | undefined} tick @param {string} [pointer] the member that names it
   */
  plan(wanted, tick, pointer = '/tick') {
    const { history } = this.#local;
    const timeline = this.#timelineOf(wanted);
    if (tick !== undefined) this.#checkTick(timeline, tick, pointer);
    const end = history.endOf(timeline);
    const all = history.entries(end);
    const kept = tick === undefined ? all : all.filter(({ entry }) => entry.tick <= tick);
    const from = /** @type {NonNullable<ReturnType<typeof history.stateAt>>} */ (history.stateAt(end, tick ?? Infinity));
    const before = history.entries(from.place).length;
    return { timeline, from, entries: kept.slice(before), ahead: all.slice(Math.max(before, kept.length)), until: tick ?? this.#lastTick(timeline) };
  }

  /**
   * Makes the world what it was after a tick, or at the end of a timeline; on a failure it is what it was before.
   * @param {ReturnType<Time['plan']>} plan
   */
  async #goTo({ from, entries, ahead, until }) {
    const { history, world, engine } = this.#local;
    const walk = await this.#local.keepOnFailure(async () => {
      const going = new Walk(world, engine.physicsVersion, history, from);
      await going.go(entries, until);
      return going;
    });
    return { place: walk.place, seen: walk.seen, ahead };
  }

  // ---- seeking

  /** @param {{tick?: number, timeline?: number}} params @param {number} client */
  async seek({ tick, timeline: wanted }, client) {
    const local = this.#local;
    const { history, world } = local;
    if (world.running) throw new Refusal('STATE', 'world.seek needs a paused world: call world.pause first');
    if (tick === undefined && this.shown && (wanted === undefined || wanted === history.timeline)) return this.comeBack();
    const plan = this.plan(wanted, tick);
    const { place, seen } = await this.#goTo(plan);
    this.shown = null;
    world.running = false;
    world.showAnew(false);
    this.fork(place, seen);
    history.home = plan.timeline;
    local.forgetRedo();
    local.tellChanged('seek', client);
    return local.whereabouts;
  }

  /** The history goes on from here in a timeline of its own. @param {Place} place @param {number} seen */
  fork(place, seen) {
    const { history } = this.#local;
    history.begin(place, this.#local.state(seen));
    this.noteClock();
  }

  /** Notes whether the clock runs. @param {number} [sequence] the number of the last command, if that is greater than the world's */
  noteClock(sequence = 0) {
    const { world, engine } = this.#local;
    const entry = clockEntry(world.tickCount + 1, Math.max(world.sequence, sequence), world.running);
    world.replay(packRecords([entry], engine.physicsVersion)); // the world's number rises to it
    this.#local.add(entry);
    this.#local.mark();
  }

  // ---- showing

  /**
   * @param {{from: number, to?: number, tick?: number, timeline?: number, speed?: number, loop?: boolean}} params
   */
  async replay({ from, to, tick, timeline: wanted, speed = 1, loop = false }) {
    const local = this.#local;
    const { history, world } = local;
    if (speed > 0 && speed < SPEED_LEAST) throw new Refusal('INVALID', `speed must be 0 or from 0.1 to 4, got ${speed}`, '/speed');
    if (to !== undefined && (to < from || (to === from && speed > 0))) throw new Refusal('INVALID', `to must be after from, ${from}, got ${to}`, '/to');
    if (tick !== undefined && (tick < from || (to !== undefined && tick > to))) {
      throw new Refusal('INVALID', `tick must be in the range, from ${from} on, got ${tick}`, '/tick');
    }
    if (world.running) throw new Refusal('STATE', 'world.replay needs a paused world: call world.pause first');
    const begin = tick ?? from;
    const { timeline } = this.plan(wanted, from, '/from');
    const plan = this.plan(timeline, begin);
    if (to !== undefined) this.#checkTick(timeline, to, '/to');
    const request = { timeline, from, to: to ?? this.#lastTick(timeline), speed, loop };
    const present = this.shown?.present ?? local.state();
    const arrived = await this.#goTo(plan);
    this.shown = { request, ...arrived, present, playing: speed > 0 && (begin < request.to || (loop && from < request.to)) };
    this.#show();
    local.tellChanged('replay');
    local.wake();
    return { from: request.from, to: request.to, ...local.whereabouts, timeline: history.timeline };
  }

  #show() {
    this.#local.world.running = false;
    this.#local.world.showAnew(true);
  }

  /** ms between two ticks that are shown. */
  get periodMs() {
    return this.#local.tickMs / (this.shown?.request.speed || 1);
  }

  /** Shows the next tick. */
  play() {
    const { shown } = this;
    const local = this.#local;
    if (!shown?.playing) return;
    if (local.world.tickCount >= shown.request.to) {
      if (shown.request.loop) local.travel(() => this.#playAgain(shown)).catch(() => this.hold());
      else this.hold();
      return;
    }
    try {
      this.#step(shown);
    } catch {
      this.hold(); // what was done then is refused now
      return;
    }
    if (local.world.tickCount >= shown.request.to && !shown.request.loop) this.hold();
  }

  /** @param {Shown} shown */
  #step(shown) {
    const { world, engine } = this.#local;
    const next = world.tickCount + 1;
    while (shown.ahead.length > 0 && shown.ahead[0].entry.tick <= next) {
      const { timeline, sequence, entry } = /** @type {Logged} */ (shown.ahead.shift());
      world.applyRecord(packRecords([{ ...entry, tick: next }], engine.physicsVersion, sequence));
      shown.place = { timeline, sequence };
      shown.seen = entry.tick;
    }
    world.step();
    world.running = false; // whatever the clock did then
  }

  /** @param {Shown} shown */
  async #playAgain(shown) {
    if (this.shown !== shown) return;
    Object.assign(shown, await this.#goTo(this.plan(shown.request.timeline, shown.request.from)));
    this.#show();
    this.#local.show();
  }

  /** The tick that is shown stays. */
  hold() {
    if (!this.shown) return;
    this.shown.playing = false;
    this.#local.tellChanged('replay');
  }

  /** From what is shown, to what the world has become. */
  comeBack() {
    const local = this.#local;
    const { present } = /** @type {Shown} */ (this.shown);
    try {
      local.world.restore(present.bytes);
    } catch (error) {
      throw refusalOf(/** @type {Error} */ (error));
    }
    this.shown = null;
    local.seen = present.seen;
    local.world.running = false;
    local.world.showAnew(false);
    local.tellChanged('replay');
    return local.whereabouts;
  }

  /** The world goes on from what is shown. */
  takeOver() {
    if (!this.shown) return;
    const { place, seen, request } = this.shown;
    const local = this.#local;
    this.shown = null;
    local.world.showAnew(false);
    local.forgetRedo();
    this.fork(place, seen);
    local.history.home = request.timeline;
    local.tellChanged('seek');
  }
}
