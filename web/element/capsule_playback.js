// SPDX-License-Identifier: MIT
// Playing, pausing and seeking of a capsule, which is this element's own.
import { Emitter } from '../client/emitter.js';
/** @import { WeftClient } from '../client/client.js' */
/** @import { Playback } from './playback.js' */

/** @typedef {{first: number, last: number, tick: number, running: boolean, loop: boolean}} CapsuleState see client/capsule/player.js */

/**
 * Emits 'ended' when the last tick is shown and the capsule does not begin again.
 * @extends {Emitter<{change: undefined, ended: undefined}>}
 * @implements {Playback}
 */
export class CapsulePlayback extends Emitter {
  paused;

  usable = false;

  /** @type {{first: number, last: number} | null} */
  range = null;

  /** @type {(method: string, params?: object) => Promise<CapsuleState>} the methods of a capsule are no part of the protocol */
  #call;

  /** @param {WeftClient} client @param {{paused: boolean, loop: boolean}} wishes */
  constructor(client, { paused, loop }) {
    super();
    this.paused = paused;
    this.#call = /** @type {any} */ (client.call.bind(client));
    client.on('hello', () => this.#call('capsule.set', { running: !paused, loop }).then((state) => this.#take(state), () => {}));
    client.on('event', ({ method, params }) => { if (method === 'capsule.changed') this.#take(/** @type {CapsuleState} */ (params)); });
  }

  async play() {
    this.#take(await this.#call('capsule.set', { running: true }));
  }

  async pause() {
    this.#take(await this.#call('capsule.set', { running: false }));
  }

  async reset() {
    this.#take(await this.#call('capsule.seek', { tick: this.range?.first ?? 0 }));
  }

  /** @param {number} tick */
  seek(tick) {
    this.#call('capsule.seek', { tick }).catch(() => {}); // the connection has ended
  }

  /** @param {boolean} loop */
  setLoop(loop) {
    this.#call('capsule.set', { loop }).catch(() => {});
  }

  /** @param {CapsuleState} state */
  #take({ first, last, tick, running }) {
    const ended = !running && !this.paused && tick === last;
    this.range = { first, last };
    this.usable = true;
    this.paused = !running;
    this.emit('change');
    if (ended) this.emit('ended');
  }
}
