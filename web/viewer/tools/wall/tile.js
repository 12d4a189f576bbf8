// SPDX-License-Identifier: MIT
// One copy on the wall: its connection, the newest frame, and a canvas with its picture. Frames come at a low rate, and only the
// newest is kept. A world that does not change is not drawn again.
import { WeftClient } from '../../../client/client.js';
import { portTo } from '../../../client/remote.js';
import { serverAddress } from '../../page/world_address.js';
import { PICTURE_EVENTS } from '../../scene/client_picture.js';
import { h } from '../../ui/dom.js';
/** @import { Frame } from '../../../client/frame.js' */
/** @import { Topology } from '../../../client/topology.js' */
/** @import { SharedPicture } from '../../scene/shared_picture.js' */

const EVERY_TICKS = 6; // ten pictures a second at 60 ticks a second
const STEP = 1 / 512; // m, finer than a pixel of a small picture

/** @typedef {{client: number, name: string, hand?: number}} Present */

export class Tile {
  /** @type {Topology | null} */
  #topology = null;

  /** @type {Frame | null} the displayed frame */
  #shown = null;

  /** @type {Frame | null} a newer one */
  #next = null;

  #stale = false;

  #framed = -1; // the epoch whose camera was framed

  /** @type {Map<number, Present>} */
  #people = new Map();

  /**
   * @param {string} name of the world
   * @param {string} href of its page
   * @param {SharedPicture} picture the renderer that all tiles share
   * @param {Worker} worker that serves the clients of all tiles
   */
  constructor(name, href, picture, worker) {
    this.name = name;
    this.picture = picture;
    this.view = picture.add();
    this.world = this.view.world;
    this.canvas = h('canvas', { width: 320, height: 200, 'aria-hidden': 'true' });
    this.people = h('span', { class: 'tile-people' }, 'Connecting…');
    this.link = h('a', { href, class: 'tile' }, this.canvas, h('strong', {}, name), this.people);
    this.item = h('li', {}, this.link);
    this.client = new WeftClient(serverAddress(name), { worker: () => portTo(worker) });
    this.#listen();
  }

  #listen() {
    const { client } = this;
    client.on('topology', (topology) => {
      this.#topology = topology;
      this.#stale = true;
    });
    for (const name of PICTURE_EVENTS) client.on(name, () => { this.#stale = true; });
    client.on('frame', (frame) => {
      if (this.#next) client.recycle(this.#next);
      this.#next = frame;
    });
    client.on('client.joined', (person) => this.#met(person));
    client.on('client.changed', (person) => this.#met(person));
    client.on('client.left', ({ client: id }) => {
      this.#people.delete(id);
      this.#tell();
    });
    client.on('hello', async () => {
      const { people } = await client.call('people.list').catch(() => ({ people: [] }));
      this.#people.clear();
      people.forEach((person) => this.#met(person));
      this.#tell();
    });
    client.on('state', ({ state }) => { if (state === 'closed') this.people.textContent = 'Not connected'; });
  }

  /** @param {{name: string, color: string}} you what its people see of whoever looks */
  async open({ name, color }) {
    this.client.subscribeEvents([...PICTURE_EVENTS, 'client.joined', 'client.changed', 'client.left']);
    this.client.subscribeFrames({ encoding: 'motion', everyTicks: EVERY_TICKS, step: STEP });
    await this.client.connect();
    await this.client.call('client.introduce', { name, color });
  }

  /** @param {Present} person */
  #met(person) {
    if (person.client !== this.client.hello?.session) this.#people.set(person.client, person);
    this.#tell();
  }

  #tell() {
    const people = [...this.#people.values()];
    const hand = people.some((person) => person.hand);
    this.people.textContent = people.length === 0 ? 'No one is here' : people.map(({ name, hand: up }) => (up ? `${name} (hand raised)` : name)).join(', ');
    this.link.toggleAttribute('data-hand', hand);
  }

  /** Whether a hand is up here. */
  get hasHand() {
    return this.link.hasAttribute('data-hand');
  }

  /** Draws the newest frame, if there is one that is not displayed yet. Returns whether it did. */
  draw() {
    const frame = this.#next;
    const topology = this.#topology;
    if (!frame || !topology || frame.epoch !== topology.epoch) return false;
    this.#next = null;
    if (this.#stale) this.world.setTopology(topology);
    this.#stale = false;
    this.world.update(frame, frame, 0);
    const before = this.#shown;
    this.#shown = frame;
    if (before) this.world.release(before, (old) => this.client.recycle(old));
    this.#render(topology.epoch);
    return true;
  }

  /** @param {number} epoch */
  #render(epoch) {
    if (this.#framed !== epoch) this.box = this.world.framedBox();
    this.#framed = epoch;
    if (this.box) this.view.draw(this.box, this.canvas);
  }

  close() {
    this.client.close();
    this.picture.remove(this.view);
    this.item.remove();
  }
}
