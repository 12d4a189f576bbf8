// SPDX-License-Identifier: MIT
// A broadcast as a recording for a player (../playback/player.js), which becomes longer while it is played. It asks for the list
// of files once a second, fetches what comes next, and computes the ticks from it.
import { EngineError, hasSimd, loadEngine } from '../engine/engine.js';
import { decompress, guessRoom, splitSteps, tryToFollow } from '../lockstep/own_world.js';
import { BroadcastFiles } from './files.js';
/** @import { Engine, Recording, World } from '../playback/player.js' */
/** @import { BroadcastError, Fragment, Part } from './files.js' */

const POLL_MS = 1000;
const FAILURES = 20; // in a row, and the broadcast is given up
const AHEAD_S = 3; // so much is fetched before it is shown
const STORE_S = 0.7; // after nothing was left to show, so much has to be there, or has to have waited so long
const LATE_S = 4; // so far behind the newest, a spectator of the newest skips what is between
const TRUST_MS = 60000; // two differences within this time, and the broadcast is given up

/** @param {string} address of manifest.json, or of the folder that it lies in */
export async function openRecording(address) {
  const recording = new BroadcastRecording(new BroadcastFiles(address), () => loadEngine({ simd: hasSimd() }));
  await recording.open();
  return recording;
}

/** @implements {Recording} */
export class BroadcastRecording {
  isEnded = false;

  tickHz = 60;

  /** @type {() => void} */
  onchange = () => {};

  #files;

  #load;

  /** @type {World | null} */
  #world = null;

  /** @type {Part[]} all that are known, oldest first */
  #parts = [];

  #name = '';

  #part = ''; // the snapshot of the part that is being fetched

  #next = 0; // the fragment of it that is to be fetched

  /** @type {Uint8Array[]} messages to follow, of one step at most */
  #queue = [];

  #storedAt = 0; // since when something is in the queue again
  #storing = true; // until enough is there
  #journey = 0; // rises when the state is replaced: what is being fetched is not wanted any more

  /** @type {Promise<void> | null} while fragments are fetched */
  #fetching = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #poll;

  #failures = 0;

  /** @type {Error | null} why nothing more will come */
  #over = null;

  #differs = false;

  #differedAt = -Infinity;

  #disposed = false;

  /** @param {BroadcastFiles} files @param {() => Promise<Engine>} load gives an engine of its own */
  constructor(files, load) {
    this.#files = files;
    this.#load = load;
  }

  /** Fetches the lists and the newest snapshot. Throws BroadcastError. */
  async open() {
    await this.#readManifest();
    await this.#readTimeline();
    await this.#restore(this.#parts[this.#parts.length - 1]);
    this.#poll = setTimeout(() => this.#look(), POLL_MS);
  }

  dispose() {
    this.#disposed = true;
    this.#journey++;
    clearTimeout(this.#poll);
    this.#world?.destroy();
  }

  // ---- what the player asks

  get world() { return /** @type {World} */ (this.#world); }

  get tick() { return this.world.tickCount; }

  get first() { return this.#run[0].tick; }

  get last() {
    const part = this.#parts[this.#parts.length - 1];
    return part.fragments.at(-1)?.to ?? part.tick;
  }

  get liveTick() {
    return Math.max(this.first, Math.round(this.last - STORE_S * this.tickHz));
  }

  get isLate() {
    return this.#isInRun && this.last - this.tick > LATE_S * this.tickHz;
  }

  get error() {
    return this.#queue.length === 0 ? this.#over : null;
  }

  get isReady() {
    if (this.#queue.length === 0 || this.#differs) return false;
    const waited = performance.now() - this.#storedAt;
    if (this.#storing && (this.#queue.length >= STORE_S * this.tickHz || waited >= STORE_S * 1000)) this.#storing = false;
    return !this.#storing;
  }

  get isCut() {
    return this.#differs || (this.#queue.length === 0 && this.#cutAhead !== null);
  }

  step() {
    const message = /** @type {Uint8Array} */ (this.#queue.shift());
    try {
      this.world.follow(message);
    } catch (error) {
      this.#refuse(/** @type {Error} */ (error));
      return false;
    }
    if (this.#queue.length === 0) this.#storing = true;
    this.#fetch();
    return message[2] > 0;
  }

  async more() {
    await this.#fetching; // which may have seen a full queue
    await this.#fetch();
    this.#storing = false; // who seeks does not wait for a store
  }

  async cross() {
    const next = this.#differs ? this.#parts[this.#parts.length - 1] : this.#cutAhead;
    this.#differs = false;
    if (next) await this.#restore(next);
  }

  /** @param {number} tick */
  async restoreBefore(tick) {
    const run = this.#run;
    const part = run.findLast((known) => known.tick <= tick) ?? run[0];
    const isNear = this.#isInRun && this.tick <= tick && this.tick >= part.tick && !this.#differs;
    if (!isNear) await this.#restoreKept(part, tick);
    await this.more();
  }

  // ---- lists

  /** The newest parts that follow on one another: the ticks that can be sought. @returns {Part[]} */
  get #run() {
    const begin = this.#parts.findLastIndex(({ continues }) => !continues);
    return this.#parts.slice(Math.max(begin, 0));
  }

  get #isInRun() {
    return this.#run.some(({ snapshot }) => snapshot === this.#part);
  }

  /** The part after the one that is being played, if its state is another one and all before it was fetched. @returns {Part | null} */
  get #cutAhead() {
    const at = this.#parts.findIndex(({ snapshot }) => snapshot === this.#part);
    const isFetched = at >= 0 && this.#next >= this.#parts[at].fragments.length;
    if (at < 0) return this.#parts[this.#parts.length - 1]; // it is not kept any more
    const next = isFetched ? this.#parts[at + 1] : undefined;
    return next && !next.continues ? next : null;
  }

  async #readManifest() {
    const list = await this.#files.list('manifest.json');
    const begin = this.#parts.findIndex(({ snapshot }) => snapshot === list.parts[0].snapshot);
    const known = begin >= 0 || this.#parts.length === 0;
    this.#parts = begin >= 0 ? [...this.#parts.slice(0, begin), ...list.parts] : list.parts;
    this.tickHz = list.tickHz;
    this.#name = list.world;
    if (!known) await this.#readTimeline(); // too long ago: this page slept
    return list;
  }

  async #readTimeline() {
    const { parts } = await this.#files.list('timeline.json');
    const begin = parts.findIndex(({ snapshot }) => snapshot === this.#parts[0].snapshot);
    if (begin > 0) this.#parts = [...parts.slice(0, begin), ...this.#parts];
  }

  async #look() {
    try {
      await this.#readManifest();
      this.#failures = 0;
      this.#fetch();
    } catch (error) {
      const { status } = /** @type {BroadcastError} */ (error);
      this.#failures++;
      if (status === 404) this.#over = new Error('The broadcast has ended.');
      else if (this.#failures === FAILURES) this.#over = /** @type {Error} */ (error);
    }
    if (this.#disposed) return;
    this.onchange();
    if (!this.#over) this.#poll = setTimeout(() => this.#look(), POLL_MS);
  }

  // ---- files

  /** Goes to a snapshot; if it is not kept any more, to the oldest that is. @param {Part} part @param {number} tick */
  async #restoreKept(part, tick) {
    try {
      await this.#restore(part);
    } catch (error) {
      if (/** @type {BroadcastError} */ (error).status !== 404) throw error;
      this.#parts = [];
      await this.#readManifest();
      await this.#readTimeline();
      const run = this.#run;
      await this.#restore(run.findLast((known) => known.tick <= tick) ?? run[0]);
    }
  }

  /** @param {Part} part */
  async #restore(part) {
    const journey = ++this.#journey;
    const snapshot = await decompress(await this.#files.snapshot(part));
    if (journey !== this.#journey) return;
    this.#world ??= (await this.#load()).createWorld({ name: this.#name, tickHz: this.tickHz, ...guessRoom(snapshot.length) });
    if (!tryToFollow(this.#world, snapshot)) {
      this.#world.destroy();
      this.#world = (await this.#load()).createWorld({ name: this.#name, tickHz: this.tickHz });
      this.#world.follow(snapshot);
    }
    Array.from(this.#world.outputs());
    this.#journey++; // nothing that was fetched meanwhile is wanted
    this.#queue = [];
    this.#storing = true;
    this.#fetching = null;
    this.#part = part.snapshot;
    this.#next = 0;
    await this.#fetch();
  }

  /** Fetches what is to be shown soon. */
  #fetch() {
    const journey = this.#journey;
    this.#fetching ??= this.#fetchAhead(journey).catch((error) => {
      if (journey !== this.#journey) return;
      // What is not kept any more is passed over: the newest snapshot follows.
      if (/** @type {BroadcastError} */ (error).status === 404) this.#part = '';
      else if (/** @type {BroadcastError} */ (error).status !== 0) this.#over = error;
    }).finally(() => {
      if (journey === this.#journey) this.#fetching = null;
    });
    return this.#fetching;
  }

  /** @param {number} journey */
  async #fetchAhead(journey) {
    while (journey === this.#journey && this.#queue.length < AHEAD_S * this.tickHz) {
      const fragment = this.#takeNext();
      if (!fragment) return;
      const messages = await this.#files.fragment(fragment);
      if (journey !== this.#journey) return;
      this.#next++;
      if (this.#queue.length === 0) this.#storedAt = performance.now();
      for (const message of messages) this.#queue.push(...splitSteps(message));
      this.onchange();
      if (this.#storing) setTimeout(() => { if (journey === this.#journey) this.onchange(); }, STORE_S * 1000);
    }
  }

  /** The fragment to fetch; a part that continues is passed on to. @returns {Fragment | null} */
  #takeNext() {
    for (;;) {
      const at = this.#parts.findIndex(({ snapshot }) => snapshot === this.#part);
      if (at < 0) return null;
      const { fragments } = this.#parts[at];
      if (this.#next < fragments.length) return fragments[this.#next];
      const next = this.#parts[at + 1];
      if (!next?.continues) return null;
      this.#part = next.snapshot;
      this.#next = 0;
    }
  }

  /** A message cannot be followed: the newest snapshot is tried once. @param {Error} error */
  #refuse(error) {
    const now = performance.now();
    if (!(error instanceof EngineError) || now - this.#differedAt < TRUST_MS) throw error;
    this.#differedAt = now;
    this.#differs = true;
    this.#queue = [];
  }
}
