// SPDX-License-Identifier: MIT
// Plays a recording (a capsule or a broadcast) in real time for one spectator: a client of the engine's that may watch, whose
// messages and frames are those of a server. Besides the protocol's methods that read, the spectator has
//   playback.get                 → {first, last, tick, running, loop, live}
//   playback.set {running, loop} → the same
//   playback.seek {tick}         → the same, once that tick is shown
// and gets the event `playback.changed` with these members whenever `running` or the range of ticks changes. Seeking computes from a
// state before the tick, in slices, so that the thread stays responsive.

const SPECTATOR = 2 ** 40; // greater than the number of any client in a recording
const SLICE_MS = 12;
const LATE_MS = 250; // ticks that are later are not made up for
const LIVE_S = 2; // so near to the end of a broadcast, a spectator stays there
const PARSE = -32700;
const INVALID = -32602;

/** @typedef {Awaited<ReturnType<typeof import('../engine/engine.js').loadEngine>>} Engine */
/** @typedef {ReturnType<Engine['createWorld']>} World */
/** @typedef {{deliver: (data: string | ArrayBuffer) => void, fail: (error: Error) => void}} Receiver */

/**
 * What is played. It computes the ticks of a world of its own.
 * @typedef {object} Recording
 * @property {World} world another one after `restoreBefore` and `cross`, it may be
 * @property {number} tick the last one that was computed
 * @property {number} first @property {number} last the ticks that can be shown
 * @property {number} tickHz
 * @property {boolean} isReady whether `step` can go on now
 * @property {boolean} isEnded whether nothing will ever follow
 * @property {boolean} isCut whether it goes on at another state, by `cross`
 * @property {number | null} liveTick the tick to show now, of a recording that is being made
 * @property {boolean} isLate whether what is shown is far behind that
 * @property {Error | null} error why nothing more will come, once all that there was is shown
 * @property {() => void} onchange set by the player: more can be shown
 * @property {() => boolean} step computes what is next; returns whether that was a tick
 * @property {(tick: number) => Promise<void>} restoreBefore goes to a state before a tick, unless the present one is as near
 * @property {() => Promise<void>} more resolves when `step` can go on, or nothing more is there
 * @property {() => Promise<void>} cross goes to the state after the cut
 * @property {() => void} dispose
 */

const breathe = () => new Promise((resolve) => { setTimeout(resolve); });

export class Player {
  #recording;

  #receiver;

  #tickMs;

  running = true;

  loop = false;

  /** Whether the newest is shown, of a recording that is being made. */
  #live;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  #due = 0;

  /** @type {Map<string, string>} the spectator's subscriptions by method, which are renewed after seeking */
  #subscriptions = new Map();

  /** @type {number | null} the tick to seek */
  #wanted = null;

  /** @type {Promise<void> | null} while it seeks */
  #seeking = null;

  #disposed = false;

  #announced = ''; // the range in the newest event playback.changed

  /** @param {Recording} recording which it disposes of @param {Receiver} receiver */
  constructor(recording, receiver) {
    this.#recording = recording;
    this.#receiver = receiver;
    this.#tickMs = 1000 / recording.tickHz;
    this.#live = recording.liveTick !== null;
    recording.onchange = () => this.#changed();
  }

  get state() {
    const { first, last, tick } = this.#recording;
    return { first, last, tick, running: this.running, loop: this.loop, live: this.#live };
  }

  /** The spectator enters, and time begins to run. */
  start() {
    const { liveTick } = this.#recording;
    this.#recording.world.join(SPECTATOR, 'spectator', 'viewer');
    this.#drain();
    if (liveTick !== null) this.#seek(liveTick);
    else this.#wake();
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#recording.dispose();
  }

  // ---- messages

  /** @param {string} text a request of the spectator */
  receive(text) {
    if (this.#disposed) return;
    /** @type {{id?: number | string, method?: string, params?: any}} */
    let request;
    try {
      request = JSON.parse(text);
    } catch {
      this.#answer(undefined, { error: { code: PARSE, message: 'the message is no JSON' } });
      return;
    }
    const { id, method = '', params = {} } = request;
    if (method.startsWith('playback.')) {
      this.#command(id, method, params);
      return;
    }
    if (method.endsWith('.subscribe')) this.#subscriptions.set(method, text);
    else if (method.endsWith('.unsubscribe')) this.#subscriptions.delete(method.replace('unsubscribe', 'subscribe'));
    if (this.#seeking) {
      this.#seeking.then(() => this.#submit(text));
      return;
    }
    this.#submit(text);
  }

  /** @param {string} text */
  #submit(text) {
    if (this.#disposed) return;
    this.#recording.world.submit(SPECTATOR, text);
    this.#recording.world.apply();
    this.#drain();
  }

  /** @param {number | string | undefined} id @param {string} method @param {any} params */
  async #command(id, method, params) {
    const refuse = (/** @type {string} */ message) => this.#answer(id, { error: { code: INVALID, message } });
    if (method === 'playback.set') {
      if (typeof params.loop === 'boolean') this.loop = params.loop;
      if (typeof params.running === 'boolean') await this.#setRunning(params.running);
    } else if (method === 'playback.seek') {
      if (!Number.isInteger(params.tick)) {
        refuse('tick must be a whole number');
        return;
      }
      const { liveTick, last, tickHz } = this.#recording;
      this.#live = liveTick !== null && this.running && params.tick > last - LIVE_S * tickHz;
      await this.#seek(params.tick);
    } else if (method !== 'playback.get') {
      refuse(`there is no method "${method}"`);
      return;
    }
    this.#answer(id, { result: this.state });
  }

  /** @param {number | string | undefined} id @param {object} outcome */
  #answer(id, outcome) {
    if (!this.#disposed && id !== undefined) this.#receiver.deliver(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  }

  /** @param {boolean} running */
  async #setRunning(running) {
    if (running && this.#recording.isEnded) await this.#seek(this.#recording.first); // as a video begins again
    if (this.running === running || this.#disposed) return;
    this.running = running;
    if (!running) this.#live = false;
    this.#tell();
    this.#wake();
  }

  #tell() {
    this.#receiver.deliver(JSON.stringify({ jsonrpc: '2.0', method: 'playback.changed', params: this.state }));
  }

  /** The recording has become longer, or what it lacked has come. */
  #changed() {
    if (this.#disposed) return;
    const { first, last } = this.#recording;
    const range = `${first} ${last}`;
    if (range !== this.#announced) this.#tell();
    this.#announced = range;
    if (this.#timer === undefined && !this.#seeking) this.#wake();
  }

  /** Delivers what the engine has for the spectator; what it tells while seeking is not for anybody. */
  #drain() {
    for (const { kind, text, bytes } of this.#recording.world.outputs()) {
      if (kind === 'text' && text !== undefined) this.#receiver.deliver(text);
      else if (kind === 'binary') this.#receiver.deliver(bytes.buffer);
    }
  }

  // ---- time

  #wake() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.running || this.#disposed) return;
    this.#due = performance.now() + this.#tickMs;
    this.#timer = setTimeout(() => this.#turn(), this.#tickMs);
  }

  /** Computes the ticks that are due. */
  #turn() {
    this.#timer = undefined;
    if (this.#disposed || !this.running || this.#seeking) return;
    const recording = this.#recording;
    const began = performance.now();
    this.#due = Math.max(this.#due, began - LATE_MS);
    try {
      for (let now = began; this.#due <= now && now - began < SLICE_MS && recording.isReady; now = performance.now()) {
        if (recording.step()) this.#due += this.#tickMs;
        this.#drain();
      }
    } catch (error) {
      this.#receiver.fail(/** @type {Error} */ (error));
      return;
    }
    if (recording.error) this.#receiver.fail(recording.error);
    else if (recording.isCut) this.#go();
    else if (this.#live && recording.isLate) this.#seek(/** @type {number} */ (recording.liveTick));
    else if (recording.isReady) this.#timer = setTimeout(() => this.#turn(), Math.max(0, this.#due - performance.now()));
    else if (recording.isEnded && this.loop) this.#seek(recording.first);
    else if (recording.isEnded) this.#setRunning(false);
  }

  /** Resolves when the tick that was wanted last is shown. @param {number} tick @returns {Promise<void>} */
  #seek(tick) {
    const { first, last } = this.#recording;
    this.#wanted = Math.min(last, Math.max(first, tick));
    return this.#go();
  }

  #go() {
    this.#seeking ??= this.#travel().catch((error) => { if (!this.#disposed) this.#receiver.fail(error); }).finally(() => {
      this.#seeking = null;
      this.#wake();
    });
    return this.#seeking;
  }

  /** Goes to the wanted tick; if none is wanted, across a cut. */
  async #travel() {
    const recording = this.#recording;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    recording.world.leave(SPECTATOR);
    Array.from(recording.world.outputs());
    if (this.#wanted === null) {
      await recording.cross();
      if (this.#disposed) return;
    }
    let target = -1;
    for (let began = performance.now(); this.#wanted !== null;) {
      if (this.#wanted !== target) await recording.restoreBefore(target = this.#wanted);
      if (this.#disposed) return;
      while (recording.tick < target && recording.isReady && performance.now() - began < SLICE_MS) {
        recording.step();
        Array.from(recording.world.outputs());
      }
      if (recording.tick >= target) break;
      if (!recording.isReady) await recording.more();
      if (!recording.isReady) break;
      await breathe();
      if (this.#disposed) return;
      began = performance.now();
    }
    this.#wanted = null;
    const { world } = recording;
    world.join(SPECTATOR, 'spectator', 'viewer');
    for (const text of this.#subscriptions.values()) world.submit(SPECTATOR, text.replace(/"id":\s*\d+/, '"id":"renewed"'));
    world.apply();
    for (const { kind, bytes } of world.outputs()) if (kind === 'binary') this.#receiver.deliver(bytes.buffer); // no hello, no replies
  }
}
