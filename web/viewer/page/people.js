// SPDX-License-Identifier: MIT
// The clients in this world, with their pointers, grabs and selections, as reported by the server's events.
import { Emitter } from '../../client/emitter.js';
/** @import { Grab } from '../../client/topology.js' */

/**
 * @typedef {object} Person
 * @property {number} client @property {string} name @property {string} color @property {string} role
 * @property {number} [hand] the hand is up; a lower number was raised earlier @property {number} [follows] the client whose camera it follows
 * @property {boolean} [presents] whether it asks everyone to follow its camera
 * @property {number[]|null} pointer position of the pointer in the world, m
 * @property {Map<number, Grab>} grabs grabs by grab id
 * @property {{objects: number[], particles: number[][]}} selection selected particles as runs [object, first, count]
 */

/** @type {Person['selection']} */
const NOTHING = Object.freeze({ objects: [], particles: [] });

/** @typedef {Pick<Person, 'client' | 'name' | 'color' | 'role'> & Partial<Person>} Introduced */

/**
 * Emits 'change' on every change except the moves of pointers, and 'came' and 'went' for a person.
 * @extends {Emitter<{change: undefined, came: Person, went: Person}>}
 */
export class People extends Emitter {
  /** @type {Map<number, Person>} */
  #people = new Map();

  /** The id of this page's own client, 0 before the server's hello. */
  own = 0;

  /** @returns {Person[]} all clients: this page's own first, then in the order of joining */
  get list() {
    return [...this.#people.values()].sort((a, b) => Number(b.client === this.own) - Number(a.client === this.own) || a.client - b.client);
  }

  /** All clients but this page's own. @returns {Iterable<Person>} */
  * others() {
    for (const person of this.#people.values()) if (person.client !== this.own) yield person;
  }

  get size() {
    return this.#people.size;
  }

  /** @param {number} client @returns {Person|undefined} */
  find(client) {
    return this.#people.get(client);
  }

  /** Clears the list, until the server sends it again. */
  clear() {
    this.#people.clear();
    this.own = 0;
    this.emit('change');
  }

  /** Applies a result of people.list. @param {import('../../client/protocol.js').PeopleListResult['people']} people */
  set(people) {
    const grabs = new Map([...this.#people].map(([client, person]) => [client, person.grabs]));
    this.#people.clear();
    for (const person of people) {
      if (person.role === 'none') continue; // has not shown a token yet
      const { grabs: held, ...introduced } = person;
      const known = this.#put(introduced);
      for (const grab of held ?? []) known.grabs.set(grab.grab, grab);
      if (!held) known.grabs = grabs.get(person.client) ?? known.grabs;
    }
    this.emit('change');
  }

  /** Adds a client, or updates its name, colour, role, hand, and whom it follows. @param {Introduced} introduced */
  update({ client, name, color, role, hand, follows, presents }) {
    if (role === 'none') return;
    const known = this.#people.get(client);
    const said = { client, name, color, role, hand, follows, presents };
    const person = known ? Object.assign(known, said) : this.#put(said);
    this.emit('change');
    if (!known) this.emit('came', person);
  }

  /** @param {number} client */
  remove(client) {
    const person = this.#people.get(client);
    if (!person) return;
    this.#people.delete(client);
    this.emit('change');
    this.emit('went', person);
  }

  /** @param {number} client @param {number[] | null} position */
  point(client, position) {
    const person = this.#people.get(client);
    if (!person) return;
    const other = Boolean(person.pointer) !== Boolean(position);
    person.pointer = position;
    if (other) this.emit('change');
  }

  /** @param {number} client @param {{objects: number[], particles: number[][]}} selection */
  select(client, { objects, particles }) {
    const person = this.#people.get(client);
    if (!person) return;
    person.selection = { objects, particles };
    this.emit('change');
  }

  /** @param {Grab} grab */
  hold(grab) {
    const person = this.#people.get(grab.client ?? 0);
    if (!person) return;
    person.grabs.set(grab.grab, grab);
    this.emit('change');
  }

  /** @param {{grab: number, client: number}} ended */
  release({ grab, client }) {
    if (this.#people.get(client)?.grabs.delete(grab)) this.emit('change');
  }

  /** Applies all grabs of a topology. @param {readonly Grab[]} grabs */
  setGrabs(grabs) {
    for (const person of this.#people.values()) person.grabs.clear();
    for (const grab of grabs) this.#people.get(grab.client ?? 0)?.grabs.set(grab.grab, grab);
    this.emit('change');
  }

  /** The person who holds this particle. @param {number} object @param {number} particle @returns {Person|undefined} */
  holderOf(object, particle) {
    for (const person of this.#people.values()) {
      for (const grab of person.grabs.values()) if (grab.object === object && grab.particles.includes(particle)) return person;
    }
    return undefined;
  }

  /** @param {Introduced} introduced */
  #put({ client, name, color, role, hand, follows, presents, pointer = null, selection = NOTHING }) {
    /** @type {Person} */
    const person = { client, name, color, role, hand, follows, presents, pointer, selection, grabs: new Map() };
    this.#people.set(client, person);
    return person;
  }
}
