// SPDX-License-Identifier: MIT
// Playing, pausing and seeking of a capsule or a broadcast, which is this element's own.
import { Emitter } from '../client/emitter.js';
/** @import { WeftClient } from '../client/client.js' */
/** @import { Playback } from './playback.js' */

/** @typedef {{first: number, last: number, tick: number, running: boolean, loop: boolean}} RecordingState see client/playback/player.js */

/**
 * Emits 'ended' when the last tick of a capsule is shown and it does not begin again.
 * @extends {Emitter<{change: undefined, ended: undefined}>}
 * @implements {Playback}
 */
export class RecordingPlayback extends Emitter {
  paused;

  usable = false;

  /** @type {{first: number, last: number} | null} */
  range = null;

  /** @type {(method: string, params?: object) => Promise<RecordingState>} the methods of a recording are no part of the protocol */
  #call;

  /** @param {WeftClient} client @param {{paused: boolean, loop: boolean}} wishes */
  constructor(client, { paused, loop }) {
    super();
    this.paused = paused;
    this.#call = /** @type {any} */ (client.call.bind(client));
    client.on('hello', () => this.#call('playback.set', { running: !paused, loop }).then((state) => this.#take(state), () => {}));
    client.on('event', ({ method, params }) => { if (method === 'playback.changed') this.#take(/** @type {RecordingState} */ (params)); });
  }

  async play() {
    this.#take(await this.#call('playback.set', { running: true }));
  }

  async pause() {
    this.#take(await this.#call('playback.set', { running: false }));
  }

  async reset() {
    this.#take(await this.#call('playback.seek', { tick: this.range?.first ?? 0 }));
  }

  /** @param {number} tick */
  seek(tick) {
    this.#call('playback.seek', { tick }).catch(() => {}); // the connection has ended
  }

  /** @param {boolean} loop */
  setLoop(loop) {
    this.#call('playback.set', { loop }).catch(() => {});
  }

  /** @param {RecordingState} state */
  #take({ first, last, tick, running }) {
    const ended = !running && !this.paused && tick === last;
    this.range = { first, last };
    this.usable = true;
    this.paused = !running;
    this.emit('change');
    if (ended) this.emit('ended');
  }
}
