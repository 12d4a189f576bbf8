// SPDX-License-Identifier: MIT
// The sticks of a world, as the solver has them: which particles they join, in which batch they are solved, how long they should
// be, and how long they are. Ends and batches are read once for each object and again when it tears; lengths as often as somebody
// asks. Those that people added between objects are not among them.

/** @import { WorldObject } from '../../../client/topology.js' */

export const STICKS_MAX = 32768; // shown at once; of more, the first ones
const LEAST = 64; // of an object for which there is no room left
const PART = 8192; // read at once
const OBJECTS_MAX = 16; // asked for in one round

/**
 * @typedef {object} Layout of one object
 * @property {number} id
 * @property {number} total sticks it has
 * @property {number} count those that were read
 * @property {Uint32Array} ends two particles each, local
 * @property {Float32Array} rests m
 * @property {Float32Array} lengths m, as read last
 * @property {Uint16Array} batch of each
 * @property {{kind: string, bends: boolean, compliance: number, end: number}[]} batches
 */

/** Reads and keeps the sticks of all objects. */
export class Sticks {
  #layouts = new Map(); // id → Layout

  #known = new Map(); // id → [particles, triangles] when it was read

  #turn = -1;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.version = 0; // rises when layouts came, went or changed
  }

  /** In the order of objects. @returns {Layout[]} */
  get layouts() {
    return [...this.#layouts.values()];
  }

  /** How many are shown, and how many there are. */
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

  /** Brings layouts up to date with the topology that is shown, and lengths; where there are very many objects, in turns. */
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
      if (!part) return null; // it has gone
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

  /** False when it has torn or gone meanwhile. @param {Layout} layout */
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
 * How far a stick is from its length as a share of it; NaN of one that keeps none, or merely resists bending.
 * @param {Layout} layout @param {number} i
 */
export function stretchOf(layout, i) {
  const { kind, bends } = layout.batches[layout.batch[i]];
  return kind === 'equal' && !bends ? layout.lengths[i] / layout.rests[i] - 1 : NaN;
}

/**
 * What the solver left undone of a stick, in m: nothing of one that may be shorter, or longer, as it is; NaN of one that gives way.
 * @param {Layout} layout @param {number} i
 */
export function residualOf(layout, i) {
  const { kind, compliance } = layout.batches[layout.batch[i]];
  const off = layout.lengths[i] - layout.rests[i];
  if (compliance > 0) return NaN;
  if (kind === 'atMost') return Math.max(0, off);
  return kind === 'atLeast' ? Math.min(0, off) : off;
}
