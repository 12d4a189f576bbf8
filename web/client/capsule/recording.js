// SPDX-License-Identifier: MIT
// A capsule as a recording for a player (../playback/player.js). It keeps states now and then, from which seeking computes.
import { hasSimd, loadEngine } from '../engine/engine.js';
import { CapsuleReplay, readCapsule } from '../engine/capsule.js';
/** @import { Capsule } from '../engine/capsule.js' */
/** @import { Engine, Recording } from '../playback/player.js' */

const KEPT_TICKS = 120; // between two kept states
const KEPT_BYTES = 128e6; // beyond this every second state is dropped

/** @typedef {{bytes: Uint8Array, applied: number, next: number}} Kept a state of the replay */

/** @type {Promise<Engine> | undefined} of this thread */
let loading;

/** @param {string} address of the file */
export async function openRecording(address) {
  const [engine, capsule] = await Promise.all([loading ??= loadEngine({ simd: hasSimd() }), fetchCapsule(address)]);
  return new CapsuleRecording(engine, capsule);
}

/** @param {string} address */
async function fetchCapsule(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(`The capsule ${address} could not be loaded${answer ? `: the server answers ${answer.status}` : ''}.`);
  return readCapsule(new Uint8Array(await answer.arrayBuffer()));
}

/** @implements {Recording} */
export class CapsuleRecording {
  isCut = false;

  liveTick = null;

  isLate = false;

  error = null;

  onchange = () => {}; // a capsule never changes

  #replay;

  /** @type {Map<number, Kept>} by tick */
  #kept = new Map();

  #keptTicks = KEPT_TICKS;

  /** @param {Engine} engine @param {Capsule} capsule */
  constructor(engine, capsule) {
    this.#replay = new CapsuleReplay(engine, capsule);
    this.#keep();
  }

  get world() { return this.#replay.world; }

  get tick() { return this.#replay.tick; }

  get first() { return this.#replay.capsule.firstTick; }

  get last() { return this.#replay.capsule.lastTick; }

  get tickHz() { return this.#replay.capsule.tickHz; }

  get isReady() { return this.tick < this.last; }

  get isEnded() { return !this.isReady; }

  step() {
    this.#replay.step();
    if (this.tick % this.#keptTicks === 0) this.#keep();
    return true;
  }

  async more() {} // all of it is there

  async cross() {}

  dispose() {
    this.#replay.dispose();
  }

  #keep() {
    const { tick, applied, next, world } = this.#replay;
    if (this.#kept.has(tick)) return;
    this.#kept.set(tick, { bytes: world.snapshot(), applied, next });
    const bytes = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes.length, 0);
    if (bytes <= KEPT_BYTES) return;
    this.#keptTicks *= 2;
    for (const known of this.#kept.keys()) if (known !== this.first && known % this.#keptTicks !== 0) this.#kept.delete(known);
  }

  /** Goes to the newest kept state before a tick, unless the present one is as near. @param {number} tick */
  async restoreBefore(tick) {
    const before = Math.max(...[...this.#kept.keys()].filter((known) => known <= tick));
    if (this.tick <= tick && this.tick >= before) return;
    const kept = /** @type {Kept} */ (this.#kept.get(before));
    this.#replay.world.restore(kept.bytes);
    this.#replay.applied = kept.applied;
    this.#replay.next = kept.next;
  }
}
