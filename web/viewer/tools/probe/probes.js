// SPDX-License-Identifier: MIT
// All probes of the page. They get a sample of every tick: from the frames if these have exact positions, that is, if this page
// computes the ticks; otherwise from particle.read, as often as the server's limits allow. A whole object with many particles is too
// much to read, so that its positions are those of the frames.
import { Emitter } from '../../../client/emitter.js';
import { COLUMNS, Probe } from './probe.js';
/** @import { SamplesNews } from '../../../client/samples.js' */

export const PROBES_MAX = 8;
const PARTICLES_MAX = 4096; // of a whole object, so that eight of them can be watched
const READ_MAX = 512; // particles
const READ_COST = 5; // of particle.read, in units of limits.rate
const READ_SHARE = 0.4; // of the limit
/** @type {(keyof import('../../../client/protocol.js').Events)[]} */
const MASS_NEWS = ['object.changed', 'particle.pinned', 'particle.unpinned'];

/**
 * Emits 'change' when probes are added, removed or renamed, or what they measure comes or goes.
 * @extends {Emitter<{change: undefined}>}
 */
export class Probes extends Emitter {
  /** @type {Probe[]} */
  list = [];

  /** m, to which the newest positions are rounded; 0 if they are exact; null before the first sample */
  step = /** @type {number | null} */ (null);

  #reading = false;

  #readAt = -Infinity;

  #named = 0;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    const { client } = page;
    client.on('samples', (news) => this.#take(news));
    client.on('topology', () => {
      this.#weighAll();
      this.emit('change', undefined);
    });
    for (const name of MASS_NEWS) client.on(name, (event) => this.#weighAll(/** @type {{object: number}} */ (event).object));
    client.on('moved', () => this.clear());
  }

  /** Whether what a probe measures exists. @param {Probe} probe */
  isThere({ object, particle }) {
    const known = this.page.client.topology?.findObject(object);
    return known !== undefined && (particle === null || particle < known.particles);
  }

  /**
   * Adds a probe; one that exists already is returned. Throws an error that says why there is none.
   * @param {number} object id @param {number | null} particle null for the whole object
   */
  add(object, particle) {
    const same = this.list.find((probe) => probe.object === object && probe.particle === particle);
    if (same) return same;
    if (this.list.length >= PROBES_MAX) throw new Error(`There can be at most ${PROBES_MAX} probes. Remove one first.`);
    const known = this.page.client.topology?.findObject(object);
    if (!known) throw new Error('Only particles and objects that consist of particles can be probed, not obstacles.');
    if (particle === null && known.particles > PARTICLES_MAX) {
      throw new Error(`${this.page.nameOf(object)} has ${known.particles.toLocaleString('en')} particles; a probe can measure objects of up to ${PARTICLES_MAX.toLocaleString('en')}. Probe one of its particles.`);
    }
    const used = new Set(this.list.map(({ color }) => color));
    const color = Array.from({ length: PROBES_MAX }, (_, index) => index).find((index) => !used.has(index)) ?? 0;
    const what = particle === null ? this.page.nameOf(object) : `${this.page.nameOf(object)}, particle ${particle}`;
    const { tickHz } = this.page.buffer;
    const probe = new Probe({ name: `${String.fromCharCode(65 + this.#named++ % 26)}: ${what}`, color, object, particle, tickHz });
    this.list.push(probe);
    this.#weigh(probe);
    this.#changed();
    return probe;
  }

  /** @param {Probe} probe */
  remove(probe) {
    this.list = this.list.filter((one) => one !== probe);
    this.#changed();
  }

  clear() {
    this.list = [];
    this.#changed();
  }

  /** Drops what was recorded. */
  restart() {
    for (const probe of this.list) probe.clear();
  }

  /** The present energy of each probe becomes the one with which later ones are compared. Returns how many have an energy. */
  setBaseline() {
    for (const probe of this.list) probe.baseline = probe.energy;
    return this.list.filter(({ baseline }) => baseline !== null).length;
  }

  /** All rows as comma-separated values. */
  csv() {
    const lines = this.list.flatMap(({ name, columns, length, tickHz, mass }) => Array.from({ length }, (_, i) => [
      `"${name.replaceAll('"', '""')}"`, columns.tick[i] / tickHz, mass ?? '', ...COLUMNS.map(([key]) => columns[key][i]),
    ].join(',')));
    return `${['probe,time_s,mass_kg', ...COLUMNS.map(([, name]) => name)].join(',')}\n${lines.join('\n')}\n`;
  }

  #changed() {
    this.page.client.watch(this.list.map(({ watched }) => watched));
    if (this.list.length === 0) this.step = null;
    this.emit('change', undefined);
  }

  get #gravity() {
    return this.page.state?.gravity ?? [0, 0, 0];
  }

  /** @param {SamplesNews} news */
  #take({ tick, step, positions }) {
    if (positions.length !== this.list.length) return; // of probes before
    this.step = step;
    for (const [i, part] of positions.entries()) {
      if (part && this.list[i].masses.length > 0 && (step === 0 || part.length > 3 * READ_MAX)) this.list[i].add({ tick, positions: part }, this.#gravity);
    }
    if (step > 0) this.#read();
  }

  /** Reads all probes once, unless the last reply is still to come or the server's limit would be exceeded. */
  async #read() {
    const small = this.list.filter((probe) => this.isThere(probe) && probe.masses.length <= READ_MAX);
    const rate = this.page.client.hello?.limits.rate ?? 0;
    const pauseMs = rate > 0 ? 1000 * READ_COST * small.length / (READ_SHARE * rate) : 0;
    const now = performance.now();
    if (this.#reading || small.length === 0 || now - this.#readAt < pauseMs) return;
    this.#reading = true;
    this.#readAt = now;
    await Promise.all(small.map(async (probe) => {
      const read = await this.page.ask('particle.read', probe.watched).catch(() => null);
      if (read && this.list.includes(probe)) probe.add({ tick: read.tick, positions: read.positions.flat(), velocities: read.velocities.flat() }, this.#gravity);
    }));
    this.#reading = false;
  }

  /** @param {number} [object] the id of one that has changed; all if it is left out */
  #weighAll(object) {
    for (const probe of this.list) if (object === undefined || probe.object === object) this.#weigh(probe);
  }

  /** Asks for the masses. @param {Probe} probe */
  async #weigh(probe) {
    const read = await this.page.ask('particle.read', probe.watched).catch(() => null); // it may be gone
    if (read) probe.masses = read.inverseMasses.map((inverse) => 1 / inverse);
  }
}
