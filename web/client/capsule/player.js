// SPDX-License-Identifier: MIT
// Plays a capsule in real time for one spectator: a client of the engine's that may watch, whose messages and frames are those of
// a server. Besides the protocol's methods that read, the spectator has
//   capsule.get                 → {first, last, tick, running, loop}
//   capsule.set {running, loop} → the same
//   capsule.seek {tick}         → the same, once that tick is shown
// and is told `capsule.changed` with these members whenever `running` changes. Seeking goes to the nearest kept state before the
// tick and computes from there, in slices, so that the thread stays responsive.
import { hasSimd, loadEngine } from '../engine/engine.js';
import { CapsuleReplay, readCapsule } from '../engine/capsule.js';
/** @import { Capsule } from '../engine/capsule.js' */

const SPECTATOR = 2 ** 40; // greater than the number of any client in a capsule
const KEPT_TICKS = 120; // between two kept states
const KEPT_BYTES = 128e6; // beyond this every second state is dropped
const SLICE_MS = 12;
const LATE_MS = 250; // ticks that are later are not made up for
const PARSE = -32700;
const INVALID = -32602;

/** @typedef {Awaited<ReturnType<typeof loadEngine>>} Engine */
/** @typedef {{deliver: (data: string | ArrayBuffer) => void, fail: (error: Error) => void}} Receiver */
/** @typedef {{bytes: Uint8Array, applied: number, next: number}} Kept a state of the replay */

/** @type {Promise<Engine> | undefined} of this thread */
let loading;

/** @param {string} address of the file @param {Receiver} receiver */
export async function openPlayer(address, receiver) {
  const [engine, capsule] = await Promise.all([loading ??= loadEngine({ simd: hasSimd() }), fetchCapsule(address)]);
  return new CapsulePlayer(engine, capsule, receiver);
}

/** @param {string} address */
async function fetchCapsule(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(`The capsule ${address} could not be loaded${answer ? `: the server answers ${answer.status}` : ''}.`);
  return readCapsule(new Uint8Array(await answer.arrayBuffer()));
}

const breathe = () => new Promise((resolve) => { setTimeout(resolve); });

export class CapsulePlayer {
  #replay;

  #receiver;

  #tickMs;

  running = true;

  loop = false;

  /** @type {Map<number, Kept>} by tick */
  #kept = new Map();

  #keptTicks = KEPT_TICKS;

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

  /** @param {Engine} engine @param {Capsule} capsule @param {Receiver} receiver */
  constructor(engine, capsule, receiver) {
    this.#replay = new CapsuleReplay(engine, capsule);
    this.#receiver = receiver;
    this.#tickMs = 1000 / capsule.tickHz;
    this.#keep();
  }

  get #range() {
    const { firstTick, lastTick } = this.#replay.capsule;
    return { first: firstTick, last: lastTick };
  }

  get state() {
    return { ...this.#range, tick: this.#replay.tick, running: this.running, loop: this.loop };
  }

  /** The spectator enters, and time begins to run. */
  start() {
    this.#replay.world.join(SPECTATOR, 'spectator', 'viewer');
    this.#drain();
    this.#wake();
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#replay.dispose();
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
    if (method.startsWith('capsule.')) {
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
    this.#replay.world.submit(SPECTATOR, text);
    this.#replay.world.apply();
    this.#drain();
  }

  /** @param {number | string | undefined} id @param {string} method @param {any} params */
  async #command(id, method, params) {
    const refuse = (/** @type {string} */ message) => this.#answer(id, { error: { code: INVALID, message } });
    if (method === 'capsule.set') {
      if (typeof params.loop === 'boolean') this.loop = params.loop;
      if (typeof params.running === 'boolean') await this.#setRunning(params.running);
    } else if (method === 'capsule.seek') {
      if (!Number.isInteger(params.tick)) {
        refuse('tick must be a whole number');
        return;
      }
      await this.#seek(params.tick);
    } else if (method !== 'capsule.get') {
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
    if (running && this.#replay.tick >= this.#range.last) await this.#seek(this.#range.first); // as a video begins again
    if (this.running === running || this.#disposed) return;
    this.running = running;
    this.#receiver.deliver(JSON.stringify({ jsonrpc: '2.0', method: 'capsule.changed', params: this.state }));
    this.#wake();
  }

  /** Delivers what the engine has for the spectator; what it tells while seeking is not for anybody. */
  #drain() {
    for (const { kind, text, bytes } of this.#replay.world.outputs()) {
      if (kind === 'text' && text !== undefined) this.#receiver.deliver(text);
      else if (kind === 'binary') this.#receiver.deliver(bytes.buffer);
    }
  }

  // ---- time

  #wake() {
    clearTimeout(this.#timer);
    if (!this.running || this.#disposed) return;
    this.#due = performance.now() + this.#tickMs;
    this.#timer = setTimeout(() => this.#turn(), this.#tickMs);
  }

  /** Computes the ticks that are due. */
  #turn() {
    if (this.#disposed || !this.running || this.#seeking) return;
    const began = performance.now();
    this.#due = Math.max(this.#due, began - LATE_MS);
    try {
      for (let now = began; this.#due <= now && now - began < SLICE_MS && this.#replay.tick < this.#range.last; now = performance.now()) {
        this.#step();
        this.#drain();
        this.#due += this.#tickMs;
      }
    } catch (error) {
      this.#receiver.fail(/** @type {Error} */ (error));
      return;
    }
    if (this.#replay.tick < this.#range.last) this.#timer = setTimeout(() => this.#turn(), Math.max(0, this.#due - performance.now()));
    else if (this.loop) this.#seek(this.#range.first);
    else this.#setRunning(false);
  }

  #step() {
    this.#replay.step();
    if (this.#replay.tick % this.#keptTicks === 0) this.#keep();
  }

  #keep() {
    const { tick, applied, next, world } = this.#replay;
    if (this.#kept.has(tick)) return;
    this.#kept.set(tick, { bytes: world.snapshot(), applied, next });
    const bytes = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes.length, 0);
    if (bytes <= KEPT_BYTES) return;
    this.#keptTicks *= 2;
    for (const known of this.#kept.keys()) if (known !== this.#range.first && known % this.#keptTicks !== 0) this.#kept.delete(known);
  }

  /** Resolves when the tick that was wanted last is shown. @param {number} tick @returns {Promise<void>} */
  #seek(tick) {
    const { first, last } = this.#range;
    this.#wanted = Math.min(last, Math.max(first, tick));
    this.#seeking ??= this.#travel().catch((error) => this.#receiver.fail(error)).finally(() => {
      this.#seeking = null;
      this.#wake();
    });
    return this.#seeking;
  }

  async #travel() {
    const { world } = this.#replay;
    clearTimeout(this.#timer);
    world.leave(SPECTATOR);
    Array.from(world.outputs());
    let target = -1;
    for (let began = performance.now(); this.#wanted !== null;) {
      if (this.#wanted !== target) this.#restoreBefore(target = this.#wanted);
      while (this.#replay.tick < target && performance.now() - began < SLICE_MS) {
        this.#step();
        Array.from(world.outputs());
      }
      if (this.#replay.tick >= target) break;
      await breathe();
      if (this.#disposed) return;
      began = performance.now();
    }
    this.#wanted = null;
    world.join(SPECTATOR, 'spectator', 'viewer');
    for (const text of this.#subscriptions.values()) world.submit(SPECTATOR, text.replace(/"id":\s*\d+/, '"id":"renewed"'));
    world.apply();
    for (const { kind, bytes } of world.outputs()) if (kind === 'binary') this.#receiver.deliver(bytes.buffer); // no hello, no replies
  }

  /** Goes to the newest kept state before a tick, unless the present one is as near. @param {number} tick */
  #restoreBefore(tick) {
    const before = Math.max(...[...this.#kept.keys()].filter((known) => known <= tick));
    if (this.#replay.tick <= tick && this.#replay.tick >= before) return;
    const kept = /** @type {Kept} */ (this.#kept.get(before));
    this.#replay.world.restore(kept.bytes);
    this.#replay.applied = kept.applied;
    this.#replay.next = kept.next;
  }
}
