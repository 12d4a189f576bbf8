// SPDX-License-Identifier: MIT
// The sticks of a world as the solver stores them: ends, batch, rest length and present length. Ends and batches are read
// once per object and again when it tears, lengths on demand. Sticks that users added between objects are not included.

/** @import { WorldObject } from '../../../client/topology.js' */

export const STICKS_MAX = 32768; // maximum number of displayed sticks; further ones are ignored
const LEAST = 64; // smallest number of sticks to read of an object when the limit is nearly reached
const PART = 8192; // sticks per request
const OBJECTS_MAX = 16; // objects per round of requests

/**
 * @typedef {object} Layout the sticks of one object
 * @property {number} id
 * @property {number} total number of sticks of the object
 * @property {number} count number of sticks that were read
 * @property {Uint32Array} ends two local particles each
 * @property {Float32Array} rests rest lengths, m
 * @property {Float32Array} lengths present lengths, m, as read last
 * @property {Uint16Array} batch batch of each stick
 * @property {{kind: string, bends: boolean, compliance: number, end: number}[]} batches
 */

/** Reads and stores the sticks of all objects. */
export class Sticks {
  #layouts = new Map(); // layouts by object id

  #known = new Map(); // id → [particles, triangles] at the time of reading

  #turn = -1;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.version = 0; // incremented when layouts are added, removed or changed
  }

  /** The layouts in the order of the objects. @returns {Layout[]} */
  get layouts() {
    return [...this.#layouts.values()];
  }

  /** The numbers of displayed sticks and of all sticks. */
  get counts() {
    let shown = 0;
    let total = 0;
    for (const layout of this.#layouts.values()) {
      shown += layout.count;
      total += layout.total;
    }
    return { shown, total };
  }

  forget() {
    this.#layouts.clear();
    this.#known.clear();
    this.version++;
  }

  /** Updates layouts for the displayed topology, and lengths; with very many objects, some of them per round. */
  async refresh() {
    const { topology } = this.page.world;
    if (!topology) return;
    const objects = topology.objects.filter(({ kind }) => kind !== 'particles');
    const kept = new Map(objects.filter(({ id }) => this.#layouts.has(id)).map(({ id }) => [id, this.#layouts.get(id)]));
    if (kept.size !== this.#layouts.size) this.version++;
    this.#layouts = kept;
    for (let i = 0; i < Math.min(objects.length, OBJECTS_MAX); i++) {
      this.#turn = (this.#turn + 1) % objects.length;
      await this.#update(objects[this.#turn]);
    }
  }

  /** @param {WorldObject} worldObject */
  async #update({ id, particles, triangles }) {
    const known = this.#known.get(id);
    const layout = this.#layouts.get(id);
    if (layout && known[0] === particles && known[1] === triangles && await this.#measure(layout)) return;
    const others = this.counts.shown - (layout?.count ?? 0);
    const read = await this.#read(id, Math.max(LEAST, STICKS_MAX - others));
    if (read) this.#layouts.set(id, read);
    else this.#layouts.delete(id);
    this.#known.set(id, [particles, triangles]);
    this.version++;
  }

  /** @param {number} id @param {number} most */
  async #read(id, most) {
    let total = 0;
    /** @type {Layout['batches']} */
    let batches = [];
    /** @type {{ends: number[], rests: number[], lengths: number[]}} */
    const read = { ends: [], rests: [], lengths: [] };
    for (let from = 0; from < most; from += PART) {
      const part = await this.page.ask('object.sticks', { object: id, from, most: Math.min(PART, most - from) }).catch(() => null);
      if (!part) return null; // the object is gone
      total = part.sticks;
      batches = part.batches ?? [];
      read.ends = read.ends.concat(part.ends ?? []);
      read.rests = read.rests.concat(part.restLengths ?? []);
      read.lengths = read.lengths.concat(part.lengths);
      if (read.rests.length >= part.sticks) break;
    }
    const count = read.rests.length;
    return {
      id, total, count, batches, batch: batchesOf(batches, count),
      ends: Uint32Array.from(read.ends), rests: Float32Array.from(read.rests), lengths: Float32Array.from(read.lengths),
    };
  }

  /** Returns false if the object has torn or gone meanwhile. @param {Layout} layout */
  async #measure(layout) {
    for (let from = 0; from < layout.count; from += PART) {
      const most = Math.min(PART, layout.count - from);
      const part = await this.page.ask('object.sticks', { object: layout.id, from, most, lengthsOnly: true }).catch(() => null);
      if (part?.sticks !== layout.total) return false;
      layout.lengths.set(part.lengths, from);
    }
    return true;
  }
}

/** @param {any[]} batches @param {number} count */
function batchesOf(batches, count) {
  const batch = new Uint16Array(count);
  let at = 0;
  batches.forEach(({ end }, number) => {
    for (; at < Math.min(end, count); at++) batch[at] = number;
  });
  return batch;
}

/**
 * The relative deviation of a stick from its rest length; NaN for a stick that has none, or that only resists bending.
 * @param {Layout} layout @param {number} i
 */
export function stretchOf(layout, i) {
  const { kind, bends } = layout.batches[layout.batch[i]];
  return kind === 'equal' && !bends ? layout.lengths[i] / layout.rests[i] - 1 : NaN;
}

/**
 * The error that the solver left in a stick, in m: 0 for an inequality that is satisfied; NaN for a compliant stick.
 * @param {Layout} layout @param {number} i
 */
export function residualOf(layout, i) {
  const { kind, compliance } = layout.batches[layout.batch[i]];
  const off = layout.lengths[i] - layout.rests[i];
  if (compliance > 0) return NaN;
  if (kind === 'atMost') return Math.max(0, off);
  return kind === 'atLeast' ? Math.min(0, off) : off;
}
