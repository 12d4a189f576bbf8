// SPDX-License-Identifier: MIT
// Frames from ticks that this client computes itself: loads the engine, follows the world with it, and decides what happens
// when the two worlds differ or this machine is too slow.

import { EngineError } from '../engine/engine.js';
import { Follower } from './follower.js';
import { Predictor } from './predictor.js';

const TRUST_MS = 60000; // two differences within this time, and the server's frames are used instead

/** What the figures say about where frames come from. */
export const REASONS = {
  computed: 'This page computes the ticks itself.',
  differs: 'The state computed here differed from the server’s twice within a minute.',
  slow: 'This machine is too slow to compute the ticks.',
  failed: 'The engine could not follow the world.',
  large: 'The world may become larger than this page has room for.',
};

export class TicksSource {
  #options;
  /** @type {Follower | Predictor | null} */
  #follower = null;
  /** @type {Map<number, number | null>} grabs that were started here: their number there, null while it is not known */
  #grabs = new Map();
  #differedAt = -Infinity;

  /**
   * @param {object} options
   * @param {() => Promise<import('./own_world.js').Engine>} options.load
   * @param {boolean} options.predict whether the client's own commands are shown at once
   * @param {(message: Uint8Array) => void} options.tell takes topologies and frames
   * @param {(message: Uint8Array) => void} [options.sample] takes each frame, also those that are not told, before it is told
   * @param {() => void} options.renew asks the server for another snapshot
   * @param {(reason: keyof typeof REASONS, error: Error) => void} options.giveUp the server's frames are to be used from here on
   */
  constructor(options) {
    this.#options = options;
  }

  /**
   * A subscription to ticks begins. Who may change the world sees at once what he does.
   * @param {{world: string, tickHz: number, session: number, role: string}} hello
   */
  begin({ world, tickHz, session, role }) {
    this.end();
    const { load, tell, sample, predict } = this.#options;
    const fail = (/** @type {'differs' | 'slow' | 'failed'} */ reason, /** @type {Error} */ error) => this.#fail(reason, error);
    const options = { load, tell, sample, fail, name: world, tickHz, client: session };
    this.#follower = role === 'viewer' || !predict ? new Follower(options) : new Predictor(options);
  }

  /** @param {number | null} ms */
  set roundTripMs(ms) {
    if (this.#follower instanceof Predictor && ms !== null) this.#follower.roundTripMs = ms;
  }

  /**
   * Applies a command here at once; null if it has to wait for the server.
   * @param {number} id of its request @param {string} method @param {Record<string, any>} params
   */
  act(id, method, params) {
    if (!(this.#follower instanceof Predictor) || params.atTick !== undefined) return null;
    const act = this.#follower.act(id, method, this.#asThere(params));
    if (act && method === 'grab.start') this.#grabs.set(act.result.grab, null);
    return act;
  }

  /**
   * The same for a command whose reply nobody wants. Returns the parameters to send; 'held' if the server does not know the grab
   * yet; null if nothing is predicted.
   * @param {string} method @param {Record<string, any>} params
   */
  actAndForget(method, params) {
    if (!(this.#follower instanceof Predictor) || params.atTick !== undefined) return null;
    const isHeld = this.grabThere(params.grab) === null;
    const sent = this.#asThere(params);
    const act = this.#follower.act(null, method, sent, isHeld);
    if (isHeld) return 'held';
    return act ? { ...sent, atTick: act.atTick } : sent;
  }

  /** Parameters with the number by which the server knows the grab, if it is known. @param {Record<string, any>} params */
  #asThere(params) {
    const grab = this.grabThere(params.grab);
    return grab === null || grab === params.grab ? params : { ...params, grab };
  }

  /** The server has refused a command. @param {number} id */
  refused(id) {
    if (this.#follower instanceof Predictor) this.#follower.refused(id);
  }

  /**
   * The server has started a grab that was started here. Returns the parameters of its newest move, which has to be sent now.
   * @param {number} here @param {number} there its numbers
   */
  startedGrab(here, there) {
    this.#grabs.set(here, there);
    return this.#follower instanceof Predictor ? this.#follower.startedGrab(here, there) : null;
  }

  /** The number that the server knows a grab by; null while it is not known. @param {any} grab */
  grabThere(grab) {
    const there = this.#grabs.get(grab);
    return there === undefined ? grab : there;
  }

  /** @param {Uint8Array} message of type 5 or 6 */
  receive(message) {
    this.#follower?.receive(message);
  }

  /** Computes nothing more, but keeps the world, so that its newest confirmed state can be asked for. */
  stop() {
    this.#follower?.stop();
  }

  end() {
    this.#follower?.end();
    this.#follower = null;
  }

  /** @returns {Promise<import('./own_world.js').ConfirmedState | null>} null if no state is known */
  async confirmed() {
    return (await this.#follower?.confirmed()) ?? null;
  }

  /** @param {'differs' | 'slow' | 'failed'} reason @param {Error} error */
  #fail(reason, error) {
    this.#follower = null;
    const now = performance.now();
    if (error instanceof EngineError && (error.result === 'limit' || error.result === 'memory')) {
      this.#options.giveUp('large', error);
      return;
    }
    if (reason === 'slow' || now - this.#differedAt < TRUST_MS) {
      this.#options.giveUp(reason, error);
      return;
    }
    this.#differedAt = now;
    this.#options.renew();
  }
}
