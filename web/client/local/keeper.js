// SPDX-License-Identifier: MIT
// Keeps a local world in the storage: what has been done is written within a second, so that a page that is opened again finds
// the world as it was.

import { Refusal } from './errors.js';
import { Walk } from './walk.js';
/** @import { History } from './history.js' */
/** @import { Part, Storage } from './storage.js' */
/** @import { LocalWorld } from './world.js' */

const WRITE_MS = 1000;
const DIGITS = 8; // of a key, so that keys sort as numbers do

/** @param {number} timeline @param {number} tick @param {number} sequence */
const snapshotKey = (timeline, tick, sequence) => `snapshot-${timeline}-${tick}-${sequence}`;

export class Keeper {
  #local;
  #storage;
  /** @type {Map<string, Part | null>} not written yet */
  #parts = new Map();
  #next = 0; // number of the next part with entries
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Promise<void>} the last writing */
  #writing = Promise.resolve();
  #ended = false;

  /** @param {LocalWorld} local @param {Storage} storage @param {number} [next] number of the next part with entries */
  constructor(local, storage, next = 0) {
    this.#local = local;
    this.#storage = storage;
    this.#next = next;
    const { history } = local;
    history.onChange = (change) => this.#note(change);
    if (next > 0) return; // it is there already
    for (const { timeline, entries, snapshots } of history.timelines) {
      for (const snapshot of snapshots) this.#parts.set(snapshotKey(timeline, snapshot.tick, snapshot.sequence), { timeline, snapshot });
      for (const entry of entries) this.#addEntry(timeline, entry);
    }
  }

  /** @param {Parameters<History['onChange']>[0]} change */
  #note({ entry, snapshot, dropped = [] }) {
    if (entry) this.#addEntry(entry.timeline, entry.entry);
    if (snapshot) this.#parts.set(snapshotKey(snapshot[0], snapshot[1].tick, snapshot[1].sequence), { timeline: snapshot[0], snapshot: snapshot[1] });
    for (const [timeline, { tick, sequence }] of dropped) this.#parts.set(snapshotKey(timeline, tick, sequence), null);
    this.writeSoon();
  }

  /** @type {{timeline: number, entries: import('./history.js').Entry[]} | null} the part that grows until it is written */
  #growing = null;

  /** @param {number} timeline @param {import('./history.js').Entry} entry */
  #addEntry(timeline, entry) {
    if (this.#growing?.timeline !== timeline) {
      this.#growing = { timeline, entries: [] };
      this.#parts.set(`entries-${String(this.#next++).padStart(DIGITS, '0')}`, this.#growing);
    }
    this.#growing.entries.push(entry);
  }

  writeSoon() {
    if (this.#ended) return;
    this.#timer ??= setTimeout(() => { this.write().catch(() => {}); }, WRITE_MS); // a failure is tried again with the next change
  }

  /** Writes what has changed. */
  write() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#parts;
    this.#parts = new Map();
    this.#growing = null;
    const head = this.#head();
    this.#writing = this.#writing.catch(() => {}).then(() => this.#storage.write(head, parts)).catch((error) => {
      for (const [key, part] of parts) if (!this.#parts.has(key)) this.#parts.set(key, part);
      throw error;
    });
    return this.#writing;
  }

  /** The world goes away. @returns {Promise<unknown>} when the last writing is done */
  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#local.history.onChange = () => {};
    return this.#writing.catch(() => {});
  }

  #head() {
    const { name, tickHz, world, history, engine, time } = this.#local;
    return {
      name, tickHz, tick: time.shown?.present.tick ?? world.tickCount, running: world.running, particles: world.positions().count, physics: engine.physicsVersion,
      timeline: history.timeline, home: history.home,
      timelines: history.timelines.map(({ entries, snapshots, hashes, ...rest }) => ({ ...rest, hashes: [...hashes] })),
    };
  }
}

/**
 * Makes a world what the storage holds of it.
 * @param {LocalWorld} local @param {NonNullable<Awaited<ReturnType<Storage['read']>>>} stored
 * @returns {Promise<number>} how many parts with entries there are
 */
export async function restoreWorld(local, { head, parts }) {
  const { world, engine, history } = local;
  if (head.physics !== engine.physicsVersion) {
    throw new Refusal('STATE', `the world "${head.name}" was computed with physics version ${head.physics}, this page computes version ${engine.physicsVersion}: its history cannot be computed again`);
  }
  history.timelines = head.timelines.map((timeline) => ({ ...timeline, entries: [], snapshots: [] }));
  history.timeline = head.timeline;
  let count = 0;
  for (const [key, { timeline, entries, snapshot }] of [...parts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const of = history.timelines[timeline - 1];
    if (!of) continue;
    if (snapshot) history.keep(snapshot, of);
    else if (entries) of.entries.push(...entries);
    if (entries) count = Number(key.slice(-DIGITS)) + 1;
  }
  const from = history.stateOn(history.place, () => true);
  if (!from) throw new Refusal('INTERNAL', `The world "${head.name}" cannot be brought back: there is no snapshot of it.`);
  const walk = new Walk(world, engine.physicsVersion, history, from);
  await walk.go(history.between(from.place, history.place), head.tick);
  history.current.last = head.tick;
  history.home = head.home;
  local.seen = walk.seen;
  world.running = head.running;
  return Math.max(count, 1);
}
