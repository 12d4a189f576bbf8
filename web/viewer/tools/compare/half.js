// SPDX-License-Identifier: MIT
// One half of a comparison: a world with its own connection, picture and grab controls.
import { WeftClient } from '../../../client/client.js';
import { SnapshotBuffer } from '../../timing/interpolation.js';
import { GrabControls } from '../../scene/grab_controls.js';
import { Picture } from '../../scene/picture.js';
/** @import { Frame } from '../../../client/frame.js' */
/** @import { Grab, Topology } from '../../../client/topology.js' */

/** @type {(keyof import('../../../client/protocol.js').Events)[]} */
const EVENTS = ['grab.started', 'grab.ended', 'particle.pinned', 'particle.unpinned', 'obstacle.added', 'obstacle.removed', 'world.changed'];

export class Half {
  /** @type {Map<number, Topology>} topologies by epoch; an old one is dropped when frames of a newer epoch are shown */
  #topologies = new Map();

  /** @type {Map<number, Grab>} */
  #grabs = new Map();

  #stale = false;

  /** @type {number | null} */
  #epoch = null;

  /**
   * @param {HTMLElement} element the element that its picture fills
   * @param {string} url address of its world
   * @param {'dark'|'light'} theme
   * @param {(half: Half) => import('../../scene/grab_controls.js').GrabClient} grabClient returns the client for its grab controls
   * @param {(error: Error) => void} refuse
   */
  constructor(element, url, theme, grabClient, refuse) {
    this.client = new WeftClient(url, { worker: true });
    this.picture = new Picture(element, theme);
    this.grabControls = new GrabControls(this.picture.stage, this.picture.world, grabClient(this), refuse);
    /** @param {Frame} frame */
    const recycle = (frame) => this.client.recycle(frame);
    this.buffer = new SnapshotBuffer({ release: (frame) => this.picture.world.release(frame, recycle) });
    this.listen(this.client);
  }

  /** @param {WeftClient} client */
  listen(client) {
    client.on('hello', ({ tickHz }) => { this.buffer.tickHz = tickHz; });
    client.on('frame', (frame) => this.buffer.push(frame));
    client.on('topology', (topology) => {
      this.#topologies.set(topology.epoch, topology);
      this.#grabs = new Map(topology.grabs.map((grab) => [grab.grab, grab]));
      if (topology.epoch === this.#epoch) this.picture.setTopology(topology);
    });
    client.on('grab.started', (grab) => this.#grabs.set(grab.grab, grab));
    client.on('grab.ended', ({ grab }) => { this.#grabs.delete(grab); });
    for (const name of EVENTS.slice(2, 6)) client.on(name, () => { this.#stale = true; });
  }

  /** Resolves when the half is connected. */
  async open() {
    this.client.subscribeEvents(EVENTS);
    this.client.subscribeFrames(); // every frame, so that paused worlds display the same tick
    await this.client.connect();
  }

  /** @param {number} elapsed ms since the last picture */
  draw(elapsed) {
    const shown = this.buffer.sample(performance.now());
    if (shown && this.ready(shown.from.epoch)) this.picture.update(shown.from, shown.to, shown.alpha);
    this.grabControls.update();
    this.picture.world.updateMarkers(this.#grabs, this.grabControls.hover, this.picture.stage.view);
    this.picture.render(elapsed);
  }

  /** Shows the topology of an epoch. Returns whether it is displayed. @param {number} epoch */
  ready(epoch) {
    if (this.#stale && this.client.topology?.epoch === epoch && this.#epoch === epoch) {
      this.#stale = false;
      this.picture.world.setDetails(this.client.topology);
    }
    if (this.#epoch === epoch) return true;
    const topology = this.#topologies.get(epoch);
    if (!topology) return false;
    this.picture.setTopology(topology);
    this.#epoch = epoch;
    for (const known of this.#topologies.keys()) if (known < epoch) this.#topologies.delete(known);
    return true;
  }

  close() {
    this.client.close();
    this.picture.dispose();
  }
}
