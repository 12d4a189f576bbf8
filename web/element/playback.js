// SPDX-License-Identifier: MIT
// Playing, pausing and starting anew of the world of a client, which all of its viewers share.
import { Emitter } from '../client/emitter.js';
/** @import { WeftClient } from '../client/client.js' */

const EDITORS = ['editor', 'admin'];

/**
 * What the controls need: a world of a client has no range of ticks, a capsule and a broadcast have one.
 * @typedef {object} Playback
 * @property {boolean} paused
 * @property {boolean} usable whether this viewer may play, pause and reset
 * @property {{first: number, last: number} | null} range the ticks that can be shown
 * @property {() => Promise<unknown>} play @property {() => Promise<unknown>} pause @property {() => Promise<unknown>} reset
 * @property {(tick: number) => void} seek
 * @property {(loop: boolean) => void} setLoop
 * @property {(name: 'change', listener: () => void) => () => void} on 'change': a property has changed
 */

/**
 * @extends {Emitter<{change: undefined}>}
 * @implements {Playback}
 */
export class WorldPlayback extends Emitter {
  paused = false;

  range = null;

  #client;

  #role = 'none';

  /** @type {import('../client/protocol.js').Freeze | null} */
  #frozen = null;

  /** @param {WeftClient} client @param {boolean} pause whether the world is this page's own and begins paused */
  constructor(client, pause) {
    super();
    this.#client = client;
    if (pause) client.connect().then(() => this.pause()).catch(() => {}); // whoever connects tells of a failure
    client.on('hello', ({ role, frozen }) => {
      this.#role = role;
      this.#frozen = frozen ?? null;
      this.#read();
    });
    client.on('state', () => this.emit('change'));
    client.on('world.changed', ({ reason, running }) => {
      if (typeof running === 'boolean') this.#set(!running);
      if (/freeze|thaw|frozen/.test(reason)) this.#read();
    });
  }

  get usable() {
    return this.#client.state === 'open' && EDITORS.includes(this.#role) && (this.#frozen === null || this.#frozen.own === true);
  }

  play() {
    return this.#client.call('world.resume');
  }

  pause() {
    return this.#client.call('world.pause');
  }

  reset() {
    return this.#client.call('world.reset');
  }

  seek() {
    throw new Error('Time can be set only for a capsule or a broadcast.');
  }

  setLoop() {} // a world has no end

  async #read() {
    if (this.#role === 'none') return;
    try {
      const { running, frozen } = await this.#client.call('world.get');
      this.#frozen = frozen ?? null;
      this.#set(!running);
    } catch {
      // The connection was lost: the next hello asks again.
    }
  }

  /** @param {boolean} paused */
  #set(paused) {
    this.paused = paused;
    this.emit('change');
  }
}
