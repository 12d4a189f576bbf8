// SPDX-License-Identifier: MIT
// Manages the active overlays: requests their data from the server, one request after another and only while the page is
// visible, lets them draw, and displays their legends, in the dock or, while that is closed, beside the picture.
import { Emitter } from '../../../client/emitter.js';
import { h, one } from '../../ui/dom.js';
import { AddedOverlay } from './added.js';
import { ContactsOverlay, FrictionOverlay, SelfOverlay } from './contacts.js';
import { OVERLAYS } from './index.js';
import { VelocityOverlay, SleepOverlay } from './motion.js';
import { parseRange } from './scale.js';
import { BatchesOverlay, ResidualOverlay, StretchOverlay } from './solver.js';
import { Sticks } from './sticks.js';
import { StrainOverlay } from './volume.js';
/** @import { Contacts } from './contacts.js' */
/** @import { Overlay } from './overlay.js' */

/** @type {Record<string, new (xray: Xray, title: string) => Overlay>} */
const KINDS = {
  stretch: StretchOverlay, residual: ResidualOverlay, batches: BatchesOverlay, added: AddedOverlay, contacts: ContactsOverlay, friction: FrictionOverlay,
  self: SelfOverlay, strain: StrainOverlay, velocity: VelocityOverlay, sleep: SleepOverlay,
};
const EXCLUSIVE = ['stretch', 'residual', 'batches']; // mutually exclusive, because they colour the same lines
/** The unit of each overlay whose colours show amounts. @type {Record<string, string>} */
export const UNITS = { stretch: '%', residual: 'mm', strain: '%', velocity: 'm/s' };
const EVERY_MS = 350;
const CONTACTS_MAX = 1024;

/** @typedef {{low: number, high: number}} Range */

/**
 * Emits 'change' with the ids of the active overlays.
 * @extends {Emitter<{change: string[]}>}
 */
export class Xray extends Emitter {
  /** @type {Map<string, Overlay>} */
  #overlays = new Map();

  #busy = false;

  /** @type {Map<string, Range>} the ranges that the user has fixed, by overlay */
  #ranges = new Map();

  /** @type {((id: string) => HTMLElement) | null} */
  #placeOf = null;

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    this.theme = page.stage.themeName;
    this.sticks = new Sticks(page);
    /** @type {Contacts | null} the last result of world.contacts */
    this.contacts = null;
    /** @type {readonly import('../../../client/topology.js').Stick[]} the added sticks, as described last */
    this.added = [];
    /** @type {import('../../../client/protocol.js').WorldMeasureResult | null} the last result of world.measure */
    this.measure = null;
    this.float = h('aside', { id: 'xray-legend', 'aria-label': 'X-ray legend', tabindex: 0, hidden: true }, h('h2', { class: 'unseen' }, 'X-ray legend'));
    this.labels = h('div', { id: 'xray-labels', 'aria-hidden': 'true' });
    document.body.append(this.labels);
    one(document, '#over-middle').append(this.float);
    page.on('picture', (picture) => { for (const overlay of this.#overlays.values()) overlay.picture(picture); });
    page.on('theme', (theme) => {
      this.theme = theme;
      for (const overlay of this.#overlays.values()) overlay.update();
    });
  }

  /** Ids of the active overlays, in their order. */
  get active() {
    return Object.keys(OVERLAYS).filter((id) => this.#overlays.has(id));
  }

  /** @param {string} id @param {boolean} [on] */
  toggle(id, on = !this.#overlays.has(id)) {
    const others = this.active.filter((other) => other !== id && !(on && EXCLUSIVE.includes(id) && EXCLUSIVE.includes(other)));
    this.set(on ? [...others, id] : others);
  }

  /** Activates these overlays only; of mutually exclusive ones, the first. @param {string[]} wanted */
  set(wanted) {
    const ids = wanted.filter((id) => !EXCLUSIVE.includes(id) || id === wanted.find((other) => EXCLUSIVE.includes(other)));
    for (const [id, overlay] of this.#overlays) {
      if (ids.includes(id)) continue;
      overlay.dispose();
      overlay.legend.remove();
      this.#overlays.delete(id);
    }
    for (const id of ids) {
      if (this.#overlays.has(id)) continue;
      const overlay = new KINDS[id](this, OVERLAYS[id][0]);
      if (overlay.scale) overlay.scale.fixed = this.#ranges.get(id) ?? null;
      this.#overlays.set(id, overlay);
    }
    this.#placeLegends();
    this.emit('change', this.active);
    this.#work();
  }

  /** The range of an overlay's colours as it is now; null if that is not active. @param {string} id @returns {(Range & {fixed: boolean}) | null} */
  rangeOf(id) {
    const scale = this.#overlays.get(id)?.scale;
    return scale ? { low: scale.low, high: scale.high, fixed: scale.fixed !== null } : null;
  }

  /** Fixes the range of an overlay's colours; null lets it follow the data. @param {string} id @param {Range | null} range */
  setRange(id, range) {
    if (range) this.#ranges.set(id, range);
    else this.#ranges.delete(id);
    const overlay = this.#overlays.get(id);
    if (overlay?.scale) overlay.scale.fixed = range;
    overlay?.update();
    this.emit('change', this.active);
  }

  /** The fixed ranges for a link, such as 'stretch_0_5,velocity_1_2'; null if there are none. */
  get rangesText() {
    return [...this.#ranges].map(([id, { low, high }]) => `${id}_${low}_${high}`).join(',') || null;
  }

  /** Sets the ranges of a link; what is not understood is left out. @param {string | null} text */
  readRanges(text) {
    const parts = (text ?? '').split(',').map((part) => part.split('_'));
    for (const id of Object.keys(UNITS)) {
      const [, from = '', to = ''] = parts.find(([name]) => name === id) ?? [];
      try {
        this.setRange(id, parseRange(from, to, UNITS[id]));
      } catch {
        this.setRange(id, null);
      }
    }
  }

  /** Moves the legends into the dock, or back beside the picture. @param {((id: string) => HTMLElement)|null} placeOf */
  showLegends(placeOf) {
    this.#placeOf = placeOf;
    this.#placeLegends();
  }

  #placeLegends() {
    for (const id of this.active) (this.#placeOf?.(id) ?? this.float).append(this.#overlays.get(id)?.legend ?? '');
    this.float.hidden = this.#overlays.size === 0 || this.#placeOf !== null;
  }

  // Requests data repeatedly while an overlay is active.
  async #work() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#overlays.size > 0) {
      const begun = performance.now();
      const seen = !document.hidden && this.page.client.state === 'open';
      if (seen && await this.#ask().then(() => true, () => false)) for (const overlay of this.#overlays.values()) overlay.update();
      const rest = Math.max(EVERY_MS / 2, EVERY_MS - (performance.now() - begun));
      await new Promise((resolve) => { setTimeout(resolve, rest); });
    }
    this.#busy = false;
  }

  // One round of requests for the data of all overlays.
  async #ask() {
    const needs = new Set([...this.#overlays.values()].map(({ needs: need }) => need));
    if (needs.has('sticks')) {
      await this.sticks.refresh();
      this.measure = await this.page.ask('world.measure');
    }
    if (needs.has('added')) this.added = this.page.world.topology?.sticks.length ? (await this.page.ask('object.list')).sticks : [];
    if (needs.has('contacts')) this.contacts = await this.page.ask('world.contacts', { most: CONTACTS_MAX });
  }
}
