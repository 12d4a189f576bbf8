// SPDX-License-Identifier: MIT
// Watches whether a learner has done a step: notes what is done with the page, and asks the server a few times a second for what the
// check reads.
import { holds, readsOf } from './check.js';
/** @import { Check } from './format.js' */
/** @import { Deed } from './check.js' */
/** @import { Page } from '../../page/page.js' */

const ASK_MS = 500;

/** The ids of the named objects of the world: of several with one name the last one made. @param {Page} page */
export async function idsByName(page) {
  const { objects } = await page.ask('object.list');
  return new Map(objects.map(({ name, object }) => [name, object]));
}

export class Watch {
  /** @type {Deed[]} */
  #deeds = [];

  /** @type {Map<Check, unknown>} the last replies */
  #now = new Map();

  /** @type {Map<Check, unknown>} the first replies */
  #before = new Map();

  /** @type {Map<string, number>} */
  #ids = new Map();

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  #ended = false;

  /** @param {Page} page @param {Check} check @param {() => void} done called once, when the check holds */
  constructor(page, check, done) {
    this.page = page;
    this.check = check;
    this.done = done;
    this.reads = readsOf(check);
    this.off = page.journal.on('entry', (entry) => {
      this.#deeds.push(entry.method === 'grab.start' ? { ...entry, from: this.#placeOf(entry.params) } : entry);
      this.#look();
    });
    this.#ask();
  }

  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.off();
  }

  /** Where a hand takes hold, m. @param {{object: number, particle?: number, point?: number[]}} params of grab.start */
  #placeOf({ object, particle, point }) {
    const positions = this.page.world.find(object)?.positions;
    if (point || particle === undefined || !positions) return point;
    return [...positions.subarray(3 * particle, 3 * particle + 3)];
  }

  async #ask() {
    if (this.page.client.state === 'open') {
      this.#ids = await idsByName(this.page).catch(() => this.#ids); // the next attempt may succeed
      for (const each of this.reads) await this.#read(each);
    }
    if (this.#ended) return;
    this.#look();
    if (!this.#ended) this.#timer = setTimeout(() => this.#ask(), ASK_MS);
  }

  /** @param {Check} check */
  async #read(check) {
    const object = check.object === undefined ? {} : { object: this.#ids.get(check.object) };
    try {
      if ('object' in object && object.object === undefined) throw new Error('no such object');
      const reply = await this.page.ask(/** @type {any} */ (check.read), { ...check.params, ...object });
      this.#now.set(check, reply);
      if (!this.#before.has(check)) this.#before.set(check, reply);
    } catch {
      this.#now.delete(check); // what it reads is not there, or not now
    }
  }

  #look() {
    const { page } = this;
    const facts = {
      now: (/** @type {Check} */ check) => this.#now.get(check), before: (/** @type {Check} */ check) => this.#before.get(check),
      deeds: this.#deeds, idOf: (/** @type {string} */ name) => this.#ids.get(name),
      panels: page.docks.opened, overlays: (page.address.read('xray') ?? '').split(','),
    };
    if (this.#ended || !holds(this.check, facts)) return;
    this.end();
    this.done();
  }
}
