// SPDX-License-Identifier: MIT
// Follows a world in lockstep and shows what the user does at once: the own world runs ahead of the other one by the round
// trip, applies the user's commands in the next tick and sends them for that very tick. When the records that come agree with
// that, nothing is to be done. When they differ, because others acted or a command came late, the world goes back to the last
// state that is known to be right and computes the ticks since then again; what moves by that is eased.
//
// A large world cannot be computed again for each thing that others do. While they act, only what the user touches is computed
// ahead in it, with all that touches that; the rest is shown as the other world last told of it.

import { EngineError } from '../engine/engine.js';
import { Backlog } from './backlog.js';
import { Easing } from './easing.js';
import { confirmedState, generationOf, MESSAGE_SNAPSHOT, OwnWorld, splitSteps, tickOf } from './own_world.js';
import { causesOf, hashOf } from './records.js';

const MARGIN_TICKS = 3; // beyond the round trip: ticks are told of in pairs, and messages come unevenly
const AHEAD_MOST = 60; // ticks that the own world is ahead, at most
const KEEP_EVERY = 12; // ticks between states to go back to
const STANDING_MS = 300; // without news of a tick, the other world stands
const GONE_MS = 2000; // after that and a round trip, a move was refused
const GOING_BACK_MOST_MS = 2000; // a machine that takes longer to go back and compute again cannot keep up
const SLICE_MS = 8; // of catching up, before anything else gets a turn
const LARGE = 4096; // particles, above which not all is computed ahead while others act
const CALM_TICKS = 30; // without a difference, after which all is computed ahead again
const TOUCHED_MS = 2000; // after a command an object counts as touched
const COSTLY_MS = 8; // going back that takes longer is done
const COSTLY_EVERY = 4; // ticks

/**
 * A command of the user's.
 * @typedef {object} Act
 * @property {number | null} id of its request; null if nobody wants a reply
 * @property {boolean} held it was not sent yet, because the other world does not know the grab that it moves
 * @property {string} method @property {Record<string, any>} params
 * @property {number} tick after which it was applied here
 * @property {number} at when it was made, on the clock of performance.now()
 * @property {number} [grab] of a grab.start: the number by which other commands name its grab
 * @property {number} [made] of a grab.start: the number that its grab has in the own world, which may be another one each time
 */

export class Predictor {
  #options;
  #own;
  #backlog;
  #easing = new Easing();
  #ended = false;
  #restoring = 0; // snapshots that are being restored
  /** @type {Promise<void>} */
  #restored = Promise.resolve(); // the newest of them
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #nextAt = 0; // when the next tick is due
  #roundTripMs = 0;

  /** The state that is known to be right, and the tick of it. @type {{state: number, tick: number} | null} */
  #right = null;
  /** States that were predicted since, by rising ticks. @type {{state: number, tick: number}[]} */
  #kept = [];
  /** @type {Uint8Array[]} messages of one step at most since the right state */
  #log = [];
  /** @type {Uint8Array[]} messages of a snapshot that has not come */
  #early = [];
  #generation = -1;
  #confirmedTick = 0; // the last tick that the other world is known to have made
  #confirmedAt = 0; // when it was heard of
  /** @type {Act[]} that the other world has not confirmed, in their order */
  #acts = [];
  #wrong = false; // what was predicted does not agree with what came
  #differedAt = -Infinity; // the confirmed tick when that was so last
  #isolated = false; // only what the user touches is computed ahead
  /** Objects that the user has touched, and when. @type {Map<number, number>} */
  #touched = new Map();
  #grabbed = 0; // the object that was grabbed last
  #wentBackAt = 0; // tick
  #backEvery = 1; // ticks, while isolated
  /** @type {Map<number, string>} of predicted states, by tick */
  #hashes = new Map();

  /** @param {import('./follower.js').FollowerOptions} options */
  constructor(options) {
    this.#options = options;
    this.#own = new OwnWorld(options);
    this.#backlog = new Backlog(options.tickHz);
  }

  /** Takes a message of type 5 or 6. @param {Uint8Array} message */
  receive(message) {
    if (this.#ended) return;
    if (message[0] === MESSAGE_SNAPSHOT) this.#restored = this.#restore(message).catch((error) => this.#fail('failed', error));
    else if (this.#restoring > 0 || generationOf(message) !== this.#generation) this.#early.push(message);
    else this.#confirm(message);
  }

  /** @param {number} ms */
  set roundTripMs(ms) {
    this.#roundTripMs = ms;
  }

  /**
   * Applies a command of the user's at once. Returns its result and the tick that is the first to see it here; null if it cannot
   * be predicted, so that it has to wait for the other world.
   * @param {number | null} id @param {string} method @param {Record<string, any>} params @param {boolean} [held] as in Act
   * @returns {{result: any, atTick: number} | null}
   */
  act(id, method, params, held = false) {
    const { world } = this.#own;
    if (!world || this.#restoring > 0 || this.#ended || this.#isStanding()) return null;
    const act = { id, method, params, held, tick: world.tickCount, at: performance.now() };
    try {
      const result = this.#apply(act);
      this.#acts.push(act);
      this.#touch(act, result);
      return { result, atTick: act.tick + 1 };
    } catch (error) {
      if (error instanceof EngineError) return null; // the other world says what is wrong with it
      throw error;
    }
  }

  /** The other world has refused a command. @param {number} id of its request */
  refused(id) {
    const before = this.#acts.length;
    this.#acts = this.#acts.filter((act) => act.id !== id);
    this.#wrong ||= this.#acts.length !== before;
  }

  /**
   * A grab that was started here is known there, by a number. Of the moves that were held, the newest is to be sent now: its
   * parameters are returned.
   * @param {number} here @param {number} there
   */
  startedGrab(here, there) {
    const isHeld = (/** @type {Act} */ act) => act.held && act.params.grab === here;
    const newest = this.#acts.findLast(isHeld);
    this.#acts = this.#acts.filter((act) => !isHeld(act));
    if (here !== there) {
      for (const act of this.#acts) {
        if (act.params.grab === here) act.params = { ...act.params, grab: there };
        if (act.grab === here) act.grab = there;
      }
    }
    this.#wrong ||= here !== there || newest !== undefined;
    if (!newest || !this.#own.world) return null;
    const params = { ...newest.params, grab: there };
    const { tickCount } = this.#own.world;
    // It is computed a tick before that for which it is sent, so that what is shown need not be corrected by the way of the hand.
    this.#acts.push({ ...newest, params, held: false, tick: tickCount - 1 });
    return { ...params, atTick: tickCount + 1 };
  }

  /** Computes nothing more, but keeps the world. */
  stop() {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  end() {
    this.stop();
    this.#own.end();
  }

  /**
   * The newest state that the other world is known to have had, which may be that of a snapshot that is still being restored; null
   * if none is known.
   * @returns {Promise<import('./own_world.js').ConfirmedState | null>}
   */
  async confirmed() {
    await this.#restored;
    if (!this.#own.world || !this.#right || this.#restoring > 0) return null;
    this.#returnToRight();
    const state = confirmedState(this.#world);
    this.#wrong = true; // what was predicted is computed again
    return state;
  }

  // ---- what the other world did

  /** @param {Uint8Array} message of type 5 */
  async #restore(message) {
    this.#restoring++;
    this.#forgetAll();
    try {
      await this.#own.restore(message);
    } finally {
      this.#restoring--;
    }
    if (this.#restoring > 0 || !this.#own.world) return;
    this.#generation = generationOf(message);
    this.#confirmedTick = this.#world.tickCount;
    this.#confirmedAt = -Infinity; // until ticks come, the other world may stand
    this.#right = { state: this.#world.keep(), tick: this.#confirmedTick };
    const early = this.#early;
    this.#early = early.filter((waiting) => generationOf(waiting) > this.#generation);
    for (const waiting of early) if (generationOf(waiting) === this.#generation) this.#confirm(waiting);
    this.#easing.forget();
    if (this.#ended) return;
    this.#own.tell();
    this.#schedule();
  }

  /** @param {Uint8Array} message of type 6 */
  #confirm(message) {
    for (const part of splitSteps(message)) {
      const before = tickOf(part);
      if (before + part[2] <= /** @type {{tick: number}} */ (this.#right).tick && part[2] > 0) continue; // the snapshot holds it
      this.#log.push(part);
      this.#compare(part, before);
      this.#confirmedTick = Math.max(this.#confirmedTick, before + part[2]);
      this.#confirmedAt = part[2] > 0 ? performance.now() : -Infinity; // a change without a tick: the other world stands
    }
    if (!this.#wrong) this.#advanceRight();
    this.#schedule();
  }

  /** Notes whether a message agrees with what was predicted. @param {Uint8Array} part @param {number} before its tick */
  #compare(part, before) {
    for (const cause of causesOf(part)) {
      const act = cause === this.#options.client ? this.#takeFirstSent() : undefined;
      this.#wrong ||= act?.tick !== before;
    }
    if (part[2] === 0) return;
    const isLate = (/** @type {Act} */ { tick, held }) => tick <= before && !held;
    const late = this.#acts.some(isLate);
    // A late move is applied at the next tick, a late request is sent again. A move of a grab that has gone is never heard of.
    const gone = performance.now() - this.#roundTripMs - GONE_MS;
    if (late) this.#acts = this.#acts.filter((act) => act.id !== null || act.held || act.at > gone);
    const hash = hashOf(part);
    const after = before + part[2];
    this.#wrong ||= late || (hash !== null && this.#hashes.has(after) && this.#hashes.get(after) !== hash);
    this.#hashes.delete(after);
  }

  #takeFirstSent() {
    const index = this.#acts.findIndex(({ held }) => !held);
    return index < 0 ? undefined : this.#acts.splice(index, 1)[0];
  }

  /** The newest kept state that is confirmed by now is right. */
  #advanceRight() {
    while (this.#kept.length > 0 && this.#kept[0].tick <= this.#confirmedTick) {
      if (this.#right) this.#world.forget(this.#right.state);
      this.#right = /** @type {{state: number, tick: number}} */ (this.#kept.shift());
    }
    const { tick } = /** @type {{tick: number}} */ (this.#right);
    this.#log = this.#log.filter((part) => tickOf(part) >= tick);
  }

  // ---- the own world

  get #world() {
    return /** @type {import('./own_world.js').World} */ (this.#own.world);
  }

  #isStanding() {
    return performance.now() - this.#confirmedAt > STANDING_MS + this.#roundTripMs;
  }

  /** The tick that the own world should show now. */
  #goal() {
    if (this.#isStanding()) return this.#confirmedTick;
    const period = 1000 / this.#options.tickHz;
    const lead = (performance.now() - this.#confirmedAt + this.#roundTripMs) / period + MARGIN_TICKS;
    return this.#confirmedTick + Math.min(AHEAD_MOST, Math.floor(lead));
  }

  #schedule() {
    if (this.#timer !== undefined || this.#restoring > 0 || !this.#own.world || this.#ended) return;
    const now = performance.now();
    const period = 1000 / this.#options.tickHz;
    if (this.#nextAt < now - 4 * period) this.#nextAt = now;
    this.#timer = setTimeout(() => this.#run(), Math.max(0, this.#nextAt - now));
    this.#nextAt += period;
  }

  #run() {
    this.#timer = undefined;
    if (this.#restoring > 0) return;
    const began = performance.now();
    try {
      const goal = this.#goal();
      const shown = this.#world.tickCount;
      const standing = this.#isStanding();
      if (this.#wrong) this.#differedAt = this.#confirmedTick;
      if (this.#mustGoBack(standing, goal)) this.#goBack(standing ? goal : Math.max(shown, this.#confirmedTick));
      // One tick a picture; two, or none, where the clocks have drifted apart.
      const behind = goal - this.#world.tickCount;
      let steps = behind > 3 ? behind : behind > -3 && !standing ? 1 : 0;
      if (steps === 0) this.#world.apply(); // shows what was changed
      for (; steps > 0; steps--) {
        this.#step();
        if (performance.now() - began > SLICE_MS) break;
      }
    } catch (error) {
      this.#fail(/** @type {EngineError} */ (error).result === 'damaged' ? 'differs' : 'failed', /** @type {Error} */ (error));
      return;
    }
    const backlog = this.#confirmedTick - this.#world.tickCount;
    const now = performance.now();
    if (this.#backlog.isHopeless(backlog, now)) {
      this.#fail('slow', new Error(`This machine is ${backlog} ticks behind.`));
      return;
    }
    // What comes meanwhile is computed the next time, which takes as long or longer.
    if (now - began > GOING_BACK_MOST_MS) {
      this.#fail('slow', new Error(`This machine takes ${((now - began) / 1000).toFixed(1)} s to go back and compute the ticks again.`));
      return;
    }
    this.#own.tell(this.#easing);
    if (!this.#isStanding()) this.#schedule();
    else this.#settleLater();
  }

  /** The other world stands; looks once more, when it is known to. */
  #settleLater() {
    if (this.#world.tickCount !== this.#confirmedTick || this.#wrong || this.#easing.isMoving) this.#schedule();
  }

  /** @param {boolean} standing @param {number} goal */
  #mustGoBack(standing, goal) {
    const { tickCount } = this.#world;
    if (standing) return this.#wrong || this.#isolated || tickCount !== goal;
    if (!this.#isolated) return this.#wrong;
    return (this.#wrong || this.#log.length > 0) && tickCount >= this.#wentBackAt + this.#backEvery;
  }

  #step() {
    if (this.#isolated) this.#world.step(); // such a state is never right
    else this.#stepWhole();
  }

  #stepWhole() {
    const tick = this.#world.tickCount;
    const newest = this.#kept.at(-1) ?? this.#right;
    const isDue = tick >= /** @type {{tick: number}} */ (newest).tick + KEEP_EVERY;
    if (isDue && !this.#isChangedAt(tick)) this.#kept.push({ state: this.#world.keep(), tick });
    this.#world.step();
    if ((tick + 1) % 60 === 0) this.#hashes.set(tick + 1, this.#world.hash);
  }

  /**
   * Whether commands were applied after a tick: a state that holds them is not kept, since what is told of that tick is applied to it.
   * @param {number} tick
   */
  #isChangedAt(tick) {
    return this.#acts.some((act) => act.tick === tick) || this.#log.some((part) => part[3] > 0 && tickOf(part) === tick);
  }

  /** Goes back to the right state, and computes again: what is known, then what is predicted, up to a tick. @param {number} goal */
  #goBack(goal) {
    const began = performance.now();
    this.#easing.begin(this.#world.positions(), began);
    this.#returnToRight();
    const first = this.#world.tickCount;
    for (const act of this.#acts) act.tick = Math.max(act.tick, first);
    const isCalm = this.#confirmedTick - this.#differedAt > CALM_TICKS;
    this.#isolated = goal > first && !isCalm && this.#world.positions().count > LARGE;
    if (this.#isolated) this.#world.isolate(this.#options.client, [...this.#touched.keys()]);
    let next = 0;
    do {
      const tick = this.#world.tickCount;
      for (; next < this.#acts.length && this.#acts[next].tick <= tick; next++) this.#again(this.#acts[next]);
      if (tick >= goal) break;
      this.#step();
    } while (!this.#ended);
    this.#easing.end(this.#world.positions());
    this.#wentBackAt = this.#world.tickCount;
    this.#backEvery = performance.now() - began > COSTLY_MS ? COSTLY_EVERY : 1;
  }

  /** Notes what a command touches. @param {Act} act @param {any} result */
  #touch({ method, params, at }, result) {
    if (method === 'grab.start') this.#grabbed = params.object;
    const isOfGrab = method.startsWith('grab.');
    for (const object of [params.object, result.object, isOfGrab && this.#grabbed]) if (Number.isInteger(object)) this.#touched.set(object, at);
    for (const [object, touchedAt] of this.#touched) if (touchedAt < at - TOUCHED_MS) this.#touched.delete(object);
  }

  /** Makes the own world the newest state that is known to be right. */
  #returnToRight() {
    const right = /** @type {{state: number, tick: number}} */ (this.#right);
    this.#world.returnTo(right.state);
    for (const { state } of this.#kept) this.#world.forget(state);
    this.#kept = [];
    this.#hashes.clear();
    this.#isolated = false;
    for (const part of this.#log) this.#world.follow(part);
    this.#world.forget(right.state);
    this.#right = { state: this.#world.keep(), tick: this.#world.tickCount };
    this.#log = [];
    this.#wrong = false;
  }

  /** @param {Act} act */
  #apply(act) {
    const { method } = act;
    const start = act.params.grab === undefined ? undefined : this.#acts.find(({ grab }) => grab === act.params.grab);
    const params = start ? { ...act.params, grab: start.made } : act.params;
    act.made = undefined;
    const result = this.#world.predict(this.#options.client, JSON.stringify({ jsonrpc: '2.0', method, params }));
    if (method === 'grab.start') {
      act.made = result.grab;
      act.grab ??= result.grab;
    }
    return result;
  }

  /** @param {Act} act */
  #again(act) {
    try {
      this.#apply(act);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error; // others have taken away what it was for; the other world will say so
    }
  }

  #forgetAll() {
    if (this.#right) this.#world.forget(this.#right.state);
    for (const { state } of this.#kept) this.#world.forget(state);
    this.#right = null;
    this.#kept = [];
    this.#log = [];
    this.#acts = [];
    this.#hashes.clear();
    this.#wrong = this.#isolated = false;
    this.#differedAt = -Infinity;
  }

  /** @param {'differs' | 'slow' | 'failed'} reason @param {Error} error */
  #fail(reason, error) {
    if (this.#ended) return;
    this.end();
    this.#options.fail(reason, error);
  }
}
