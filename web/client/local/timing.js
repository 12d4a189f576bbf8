// SPDX-License-Identifier: MIT
// How long the ticks of a local world take: the member `timing` of world.get, but for times that only a server measures.

const WINDOW_MS = 1000;
const START_MS = 3000; // after a world's first tick: the page prepares its first picture
const START_SHARE = 0.25; // of the time that ticks take meanwhile, at most

export class Timing {
  #tickMs = 0;
  #latenessMs = 0;
  #lateTicks = 0;
  #lostMs = 0;
  #beganAt = Infinity;
  /** @type {{at: number, ms: number}[]} ticks of the last second */
  #recent = [];

  /** The clock wakes, so late. @param {number} latenessMs @param {number} periodMs @param {number} lostMs that it does not make up for */
  begin(latenessMs, periodMs, lostMs) {
    this.#beganAt = Math.min(this.#beganAt, performance.now());
    this.#latenessMs = Math.max(0, latenessMs);
    if (latenessMs > periodMs) this.#lateTicks++;
    this.#lostMs += lostMs;
  }

  /** @param {number} ms that a tick took */
  add(ms) {
    const at = performance.now();
    this.#tickMs = ms;
    this.#recent.push({ at, ms });
    while (this.#recent[0].at < at - WINDOW_MS) this.#recent.shift();
  }

  /**
   * How long to wait after ticks before the next ones: on a slow device the page needs the processors for its first picture.
   * @param {number} ms that the ticks took
   */
  pauseAfter(ms) {
    return performance.now() < this.#beganAt + START_MS ? ms * (1 / START_SHARE - 1) : 0;
  }

  /** @param {number} tickHz @param {number} clients */
  read(tickHz, clients) {
    const recent = this.#recent;
    const [first, last] = [recent[0], recent.at(-1)];
    const seconds = first && last ? (last.at - first.at) / 1000 : 0;
    const round = (/** @type {number} */ ms) => Math.round(1000 * ms) / 1000;
    return {
      tickMs: round(this.#tickMs), tickMaxMs: round(Math.max(0, ...recent.map(({ ms }) => ms))), stepMs: round(this.#tickMs), packMs: 0,
      latenessMs: round(this.#latenessMs), lateTicks: this.#lateTicks, lostMs: round(this.#lostMs),
      realTimeFactor: seconds > 0.1 ? round(Math.min(1, (recent.length - 1) / (tickHz * seconds))) : 1,
      clients, viewers: clients, frameBytes: 0,
    };
  }
}
