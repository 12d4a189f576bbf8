// SPDX-License-Identifier: MIT
// How long the ticks of a local world take: the member `timing` of world.get, but for times that only a server measures.

const WINDOW_MS = 1000;

export class Timing {
  #tickMs = 0;
  #latenessMs = 0;
  #lateTicks = 0;
  #lostMs = 0;
  /** @type {{at: number, ms: number}[]} ticks of the last second */
  #recent = [];

  /** The clock wakes, so late. @param {number} latenessMs @param {number} periodMs @param {number} lostMs that it does not make up for */
  begin(latenessMs, periodMs, lostMs) {
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
