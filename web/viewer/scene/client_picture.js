// SPDX-License-Identifier: MIT
// The picture of the world that a client is connected to: stores its topologies and frames, draws them with interpolation, and
// lets pointers grab objects.
import { SnapshotBuffer } from '../timing/interpolation.js';
import { GrabControls } from './grab_controls.js';
import { Picture } from './picture.js';
/** @import { Frame } from '../../client/frame.js' */
/** @import { Grab, Topology } from '../../client/topology.js' */
/** @import { ClientEvents } from '../../client/client.js' */
/** @import { GrabClient } from './grab_controls.js' */
/** @import { Look } from './stage.js' */

/** Events of details that are drawn with the next picture. @type {(keyof import('../../client/protocol.js').Events)[]} */
const DETAILS = [
  'obstacle.added', 'obstacle.removed', 'obstacle.changed', 'stick.added', 'stick.changed', 'stick.removed', 'particle.pinned', 'particle.unpinned',
  'object.slept', 'object.woke', 'object.changed',
];

/** The events that the picture needs, for `subscribeEvents`. @type {(keyof import('../../client/protocol.js').Events)[]} */
export const PICTURE_EVENTS = [...DETAILS, 'grab.started', 'grab.ended', 'world.changed'];

/**
 * What the picture needs of a client: WeftClient has it.
 * @typedef {object} PictureClient
 * @property {Topology | null} topology
 * @property {<Name extends keyof ClientEvents>(name: Name, listener: (value: ClientEvents[Name]) => void) => () => void} on
 * @property {(frame: Frame) => void} recycle
 */

export class ClientPicture {
  /** @type {Map<number, Topology>} topologies by epoch; an old one is dropped when frames of a newer epoch are shown */
  #topologies = new Map();

  /** @type {Map<number, Grab>} the grabs of all clients, by grab id */
  #grabs = new Map();

  #stale = false;

  /** @type {(() => void)[]} */
  #stops;

  /** @type {number | null} the epoch of the displayed topology */
  epoch = null;

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.element the element that the picture fills
   * @param {'dark' | 'light'} parts.theme
   * @param {Look} parts.look
   * @param {PictureClient} parts.client
   * @param {GrabClient} parts.grabClient sends the requests of the grab controls
   * @param {(error: Error) => void} parts.refuse called with the error of a refused grab
   */
  constructor({ element, theme, look, client, grabClient, refuse }) {
    this.client = client;
    this.picture = new Picture(element, theme, look);
    this.grabControls = new GrabControls(this.picture.stage, this.picture.world, grabClient, refuse);
    /** @param {Frame} frame */
    const recycle = (frame) => client.recycle(frame);
    this.buffer = new SnapshotBuffer({ release: (frame) => this.picture.world.release(frame, recycle) });
    this.#stops = this.#listen(client);
  }

  /** @param {PictureClient} client */
  #listen(client) {
    return [
      client.on('hello', ({ tickHz }) => { this.buffer.tickHz = tickHz; }),
      client.on('frame', (frame) => this.buffer.push(frame)),
      client.on('topology', (topology) => {
        this.#topologies.set(topology.epoch, topology);
        this.#grabs = new Map(topology.grabs.map((grab) => [grab.grab, grab]));
        if (topology.epoch === this.epoch) this.picture.setTopology(topology);
      }),
      client.on('state', ({ state }) => {
        if (state === 'open') return;
        this.grabControls.drop();
        this.#grabs.clear();
      }),
      client.on('grab.started', (grab) => this.#grabs.set(grab.grab, grab)),
      client.on('grab.ended', ({ grab }) => {
        this.#grabs.delete(grab);
        this.grabControls.lose(grab);
      }),
      ...DETAILS.map((name) => client.on(name, () => { this.#stale = true; })),
    ];
  }

  /** Whether somebody holds an object. */
  get grabbed() {
    return this.#grabs.size > 0;
  }

  /**
   * Draws one picture.
   * @param {number} elapsed ms since the last picture
   * @returns {import('../timing/interpolation.js').Shown | null} the displayed frames; null before the first
   */
  draw(elapsed) {
    const shown = this.buffer.sample(performance.now());
    const ready = shown !== null && this.#isReady(shown.from.epoch);
    if (ready) this.picture.update(shown.from, shown.to, shown.alpha);
    this.grabControls.update(elapsed);
    this.picture.world.updateMarkers(this.#grabs, this.grabControls.hover, this.picture.stage.view);
    this.picture.render(elapsed);
    return ready ? shown : null;
  }

  /** Shows the topology of an epoch. Returns whether it is displayed. @param {number} epoch */
  #isReady(epoch) {
    if (this.#stale && this.client.topology?.epoch === epoch && this.epoch === epoch) {
      this.#stale = false;
      this.picture.world.setDetails(this.client.topology);
    }
    if (this.epoch === epoch) return true;
    const topology = this.#topologies.get(epoch);
    if (!topology) return false;
    this.picture.setTopology(topology);
    this.epoch = epoch;
    for (const known of this.#topologies.keys()) if (known < epoch) this.#topologies.delete(known);
    return true;
  }

  dispose() {
    for (const stop of this.#stops) stop();
    this.buffer.clear();
    this.picture.dispose();
  }
}
