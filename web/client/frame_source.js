// SPDX-License-Identifier: MIT
// Where the frames of a connection come from: from the server, or from ticks that are computed here. Stores which frames are
// wanted, subscribes to them, and changes the source when this machine cannot compute the ticks.

import { isCutOff } from './errors.js';

const UPGRADE_AFTER_MS = 3000; // when the page has shown its first pictures
const ENCODING = 'motion'; // the default encoding
const COMPUTED_HERE = 'This page computes the world itself.';

/** @typedef {import('./lockstep/ticks_source.js').TicksSource} TicksSource loaded when ticks are first subscribed to (it loads the engine) */
/** @typedef {{everyTicks?: number, objects?: number[], encoding?: 'motion' | 'grid' | 'raw' | 'ticks' | 'auto', adapt?: boolean, step?: number}} FrameParams */

/**
 * @typedef {object} FrameSourceOptions
 * @property {() => Promise<import('./lockstep/own_world.js').Engine>} [loadEngine] gives the engine that computes ticks
 * @property {boolean} predict whether ticks that are computed here show the client's own commands at once
 * @property {() => boolean} isLocal whether the world is computed in this page, without a server
 * @property {import('./statistics.js').Statistics} statistics of the connection, which are kept up to date
 * @property {() => boolean} isOpen whether requests can be sent
 * @property {(method: 'frames.subscribe' | 'frames.unsubscribe', params: Record<string, any>) => Promise<any>} request
 * @property {(message: Uint8Array<ArrayBuffer>) => void} receive takes the topologies and frames of ticks that are computed here
 * @property {(message: Uint8Array<ArrayBuffer>) => void} sample takes each frame that is computed here, also those that are not shown
 * @property {(error: Error) => void} fault takes the error of a request that no caller waits for
 */

export class FrameSource {
  #options;
  /** @type {FrameParams | null} */
  #params = null;
  #calls = 0; // of subscribe and unsubscribe: the newest one decides
  /** @type {TicksSource | null} */
  #ticks = null;
  #computes = false; // ticks are subscribed to, not frames
  /** @type {ReturnType<typeof setTimeout> | undefined} until the encoding "auto" tries to compute ticks */
  #upgradeTimer;

  /** @param {FrameSourceOptions} options */
  constructor(options) {
    this.#options = options;
    if (options.isLocal()) options.statistics.sourceReason = COMPUTED_HERE;
  }

  /** Whether frames are computed here. */
  get computes() {
    return this.#computes;
  }

  /** What computes ticks, and knows the grabs that were started here also after it has ended; null until ticks were wanted. */
  get ticks() {
    return this.#ticks;
  }

  /**
   * Subscribes to frames and stores the subscription for the next connection; without a connection, the request is sent once
   * there is one. If the engine for ticks cannot be loaded, or the server refuses the request, the subscription stays as it was.
   * @param {FrameParams} params
   * @returns {Promise<any>} the reply; undefined if no request was necessary, or a later call came before it was sent
   */
  async subscribe(params) {
    const call = ++this.#calls;
    const isWanted = params.encoding === 'ticks' && !this.#options.isLocal();
    if (isWanted) await this.#loadTicks();
    if (call !== this.#calls) return undefined;
    const [before, computed] = [this.#params, this.#computes];
    this.#params = { encoding: ENCODING, ...params };
    clearTimeout(this.#upgradeTimer);
    this.#computes = isWanted || (params.encoding === 'auto' && computed);
    this.#upgradeLater();
    if (!this.#options.isOpen()) return undefined;
    if (this.#computes && computed && before?.encoding === params.encoding) return undefined; // ticks have no parameters that could differ
    try {
      return await this.#request();
    } catch (error) {
      if (!isCutOff(error) && call === this.#calls) this.#goBack(before, computed);
      throw error;
    }
  }

  /** The server has refused a subscription and goes on with the one before. @param {FrameParams | null} before @param {boolean} computed */
  #goBack(before, computed) {
    clearTimeout(this.#upgradeTimer);
    this.#params = before;
    this.#computes = computed;
    this.#nameSource();
    this.#upgradeLater();
    if (computed) this.renew(); // its snapshot is gone
  }

  async unsubscribe() {
    this.#calls++;
    this.#params = null;
    clearTimeout(this.#upgradeTimer);
    this.#ticks?.end();
    this.#computes = false;
    if (this.#options.isOpen()) await this.#options.request('frames.unsubscribe', {});
  }

  /** Subscribes again to what is wanted, if anything is. Returns whether it did. @param {(error: Error) => void} [fault] takes a refusal */
  renew(fault = this.#options.fault) {
    if (!this.#params || !this.#options.isOpen()) return false;
    this.#request().catch(fault);
    return true;
  }

  #nameSource() {
    this.#options.statistics.source = this.#computes || this.#options.isLocal() ? 'ticks' : 'frames';
  }

  /** Subscribes to the frames or ticks that are wanted now. @returns {Promise<any>} */
  #request() {
    const { encoding, ...more } = /** @type {FrameParams} */ (this.#params);
    this.#nameSource();
    this.#ticks?.end(); // ticks of the old subscription may still come before the reply
    if (this.#options.isLocal()) return this.#options.request('frames.subscribe', localParams(/** @type {FrameParams} */ (this.#params)));
    if (this.#computes) return this.#options.request('frames.subscribe', { encoding: 'ticks' });
    return this.#options.request('frames.subscribe', { ...more, encoding: encoding === 'motion' || encoding === 'auto' ? ENCODING : encoding });
  }

  async #loadTicks() {
    const { predict, receive, sample, statistics } = this.#options;
    const loadEngine = this.#options.loadEngine ?? (await import('./engine/engine.js')).loadEngine;
    const { REASONS, TicksSource } = await import('./lockstep/ticks_source.js');
    if (!this.#ticks) await loadEngine(); // a machine without the engine is better known before frames stop
    statistics.sourceReason = REASONS.computed;
    const giveUp = (/** @type {keyof typeof REASONS} */ reason, /** @type {Error} */ error) => this.#useFrames(REASONS[reason], error);
    this.#ticks ??= new TicksSource({
      load: loadEngine,
      predict,
      tell: (message) => receive(/** @type {Uint8Array<ArrayBuffer>} */ (message)),
      sample: (message) => sample(/** @type {Uint8Array<ArrayBuffer>} */ (message)),
      renew: () => {
        statistics.mismatches++;
        this.renew();
      },
      giveUp,
    });
  }

  /** The encoding "auto" begins with the server's frames, which need no engine, and tries to compute ticks a little later. */
  #upgradeLater() {
    if (this.#params?.encoding !== 'auto' || this.#computes || this.#options.isLocal() || this.#options.statistics.sourceReason !== '') return;
    this.#upgradeTimer = setTimeout(() => {
      this.#loadTicks().then(() => {
        if (this.#params?.encoding !== 'auto') return undefined;
        this.#computes = true;
        return this.#options.isOpen() ? this.#request() : undefined;
      }).catch((error) => this.#useFrames('The engine could not be loaded.', error));
    }, UPGRADE_AFTER_MS);
  }

  /** From here on the server's frames are used. @param {string} reason a sentence @param {Error} error */
  #useFrames(reason, error) {
    this.#computes = false;
    this.#options.statistics.sourceReason = reason;
    if (this.#params?.encoding === 'ticks') {
      this.#params = { encoding: ENCODING };
      this.#options.fault(error); // ticks were asked for; with "auto" the figures say why there are none
    }
    this.renew();
  }

  /** The server has subscribed this client: messages that follow belong to that. @param {import('./protocol.js').Events['hello']} hello */
  subscribed(hello) {
    if (this.#computes) this.#ticks?.begin(hello);
  }

  /** @param {Uint8Array} message of type 5 or 6 */
  receiveTicks(message) {
    this.#ticks?.receive(message);
  }

  /** The connection is lost: the newest state that was confirmed can be asked for until there is another one. */
  end() {
    this.#ticks?.stop();
  }

  /** @returns {Promise<import('./lockstep/own_world.js').ConfirmedState | null>} null if frames are not computed here */
  async confirmed() {
    return (this.#computes && (await this.#ticks?.confirmed())) || null;
  }

  /** The connection goes to another world, where the same frames are wanted. */
  async moved() {
    const { statistics, isLocal } = this.#options;
    clearTimeout(this.#upgradeTimer);
    this.#ticks?.end();
    this.#computes = false;
    statistics.sourceReason = isLocal() ? COMPUTED_HERE : '';
    if (this.#params?.encoding === 'ticks' && !isLocal()) {
      await this.#loadTicks();
      this.#computes = true;
    }
    this.#upgradeLater();
  }
}

/** Frames of a local world take no bytes: they come as they are, and all of them. @param {FrameParams} params @returns {FrameParams} */
function localParams({ encoding = 'auto', ...params }) {
  if (encoding !== 'auto' && encoding !== 'motion' && encoding !== 'ticks') return { encoding, ...params };
  const { everyTicks, objects } = params;
  return { encoding: 'raw', ...(everyTicks !== undefined && { everyTicks }), ...(objects && { objects }) };
}
