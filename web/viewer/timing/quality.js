// SPDX-License-Identifier: MIT
// Adaptive quality: levels of pixel ratio and shadow map size, and the rule by which the page chooses one. The rule uses the
// cost of a picture, not the rate of pictures: a display of 30 Hz or a battery mode shows few pictures, which is no reason to
// draw coarser ones. Where a part of the cost cannot be measured, a few pictures are left out to see whether the display then comes
// sooner; the level stays meanwhile. The functions are pure; times are in ms.

const SLOW_MS = 1000 / 30; // a slower average lowers the level
const SLOW_60_HZ_MS = 1000 / 50; // the same limit where 60 pictures per second are worth more than resolution, down to BRISK_LEAST
const QUICK_MS = 1000 / 52; // a faster average allows a higher level to be tried
const SETTLE = 24; // number of frames per decision
const GAP_MS = 400; // longer frames are ignored, as they come from a hidden page or a stall, unless their own cost is that high
const FAST_DECISIONS = 4; // consecutive fast decisions before a higher level is tried
const PATIENCE_MAX = 256;
const CLEAR = 0.5; // share of the allowed time: a higher level with a lower expected cost is tried without further waiting
// Where the processor composes the page, a part of the cost cannot be measured.
const UNTIMED_SHARE = 0.4; // share of the time between pictures that must be measured before the rest is considered
const PROBE = 5; // pictures that are left out to learn the interval of the display
const HELPED = 0.9; // ratio of the interval without drawing to the one with it: below this, drawing is what takes the time
const RELIED = 12; // number of decisions for which a probe's result is relied upon
const SAME = 1.15; // ratio of the times between pictures: below this, the limit of the display is considered unchanged

/**
 * The levels, cheapest first. `ratio` is limited by the display's own; `shadow` and `contact` are the sizes of maps, in pixels;
 * `shadowEvery` is the number of pictures between updates of the shadow map in software rendering.
 */
export const LEVELS = [
  { ratio: 0.32, shadow: 512, contact: 0, shadowEvery: 4 },
  { ratio: 0.4, shadow: 512, contact: 0, shadowEvery: 4 },
  { ratio: 0.5, shadow: 512, contact: 0, shadowEvery: 3 },
  { ratio: 0.65, shadow: 512, contact: 0, shadowEvery: 3 },
  { ratio: 0.8, shadow: 1024, contact: 0, shadowEvery: 2 },
  { ratio: 1, shadow: 1024, contact: 256, shadowEvery: 2 },
  { ratio: 1.25, shadow: 2048, contact: 256, shadowEvery: 2 },
  { ratio: 1.5, shadow: 2048, contact: 256, shadowEvery: 2 },
  { ratio: 2, shadow: 2048, contact: 512, shadowEvery: 2 },
];

/** The highest level with at most this ratio, or the lowest level. @param {number} ratio */
export const levelOf = (ratio) => Math.max(0, LEVELS.findLastIndex((level) => level.ratio <= ratio));

const BRISK_LEAST = levelOf(0.8);

/** The fixed levels that the user can choose, for a display with `own` pixels per CSS pixel; the cost of software rendering grows with the pixels. */
export const CHOSEN = {
  draft: () => ({ ratio: 0.75, shadow: 1024, contact: 0 }),
  /** @param {number} own @param {boolean} software */
  balanced: (own, software) => ({ ratio: software ? 0.75 : Math.min(1, own), shadow: software ? 1024 : 2048, contact: software ? 0 : 256 }),
  /** @param {number} own @param {boolean} software */
  fine: (own, software) => ({ ratio: software ? 1 : Math.min(2, Math.max(1.5, own)), shadow: software ? 2048 : 4096, contact: 512 }),
};

/** Chooses the level. */
export class Quality {
  /**
   * @param {object} options
   * @param {number} options.start the first level
   * @param {number} options.top the highest useful level on this display
   * @param {boolean} [options.brisk=false] whether 60 pictures per second are preferred to resolution; otherwise 30 suffice
   * @param {boolean} [options.untimed=false] whether a part of a picture's cost cannot be measured, as without a graphics processor
   */
  constructor({ start, top, brisk = false, untimed = false }) {
    this.level = start;
    this.top = top;
    this.brisk = brisk;
    this.untimed = untimed;
    this.frames = this.sum = this.costs = 0;
    this.patience = FAST_DECISIONS;
    this.quick = 0;
    this.tried = false; // whether the present level was reached by a step up
    /** @type {number[]} intervals of the pictures of a probe, ms */
    this.probed = [];
    this.probes = 0; // number of pictures that the present probe still leaves out
    this.late = 0; // ms between pictures before the probe
    this.display = 0; // ms between pictures that were not drawn, as the last probe found
    this.relied = 0; // number of decisions for which this is still relied upon
    this.cap = 0; // ms between pictures that drawing does not lengthen: the interval of the display
  }

  /** Whether the next picture should not be drawn: how late the one after it comes tells the interval of the display. */
  get probing() {
    return this.probes > 0;
  }

  /**
   * Adds the times of a frame.
   * @param {number} ms since the previous frame
   * @param {number|null} [cost] ms that the frame itself took on the processor and the graphics processor; if unknown, `ms`
   *   is used
   * @returns {boolean} whether the level has changed
   */
  observe(ms, cost = null) {
    if (this.probing) return this.#probe(ms);
    const known = cost !== null;
    if (ms > GAP_MS && !(known && cost > SLOW_MS)) return false;
    this.sum += ms;
    this.costs += known ? cost : ms;
    if (++this.frames < SETTLE) return false;
    const [between, mean] = [this.sum / this.frames, this.costs / this.frames];
    this.frames = this.sum = this.costs = 0;
    this.relied = Math.max(0, this.relied - 1);
    if (this.#isSlow(Math.min(between, mean))) return this.stepDown();
    if (between * SAME < this.cap) this.cap = 0; // the display is faster than assumed
    if (this.#suspects(between, mean)) {
      if (this.relied > 0 && this.display < HELPED * between) return this.stepDown();
      this.#beginProbe(between);
      return false;
    }
    const next = LEVELS[this.level + 1];
    const expected = next ? mean * (next.ratio / LEVELS[this.level].ratio) ** 2 : Infinity;
    this.quick = mean < QUICK_MS ? this.quick + 1 : 0;
    const patience = known && expected < CLEAR * this.#allowed(this.level + 1) ? FAST_DECISIONS : this.patience;
    return this.quick >= patience && (!known || !this.#isSlow(expected, this.level + 1)) && this.stepUp();
  }

  /** @param {number} level */
  #allowed(level) {
    return this.brisk && level > BRISK_LEAST ? SLOW_60_HZ_MS : SLOW_MS;
  }

  /** @param {number} ms */
  #isSlow(ms, level = this.level) {
    return ms > this.#allowed(level);
  }

  /**
   * Pictures are later than their measured part explains, though that part is large. The rest of the time may be a cost of
   * the pictures as well, or the interval of the display.
   * @param {number} between @param {number} mean
   */
  #suspects(between, mean) {
    return this.untimed && this.level > 0 && this.#isSlow(between) && mean > UNTIMED_SHARE * between && !(between < SAME * this.cap);
  }

  /** @param {number} between */
  #beginProbe(between) {
    this.probes = PROBE;
    this.probed.length = 0;
    this.late = between;
    this.quick = 0;
  }

  /** @param {number} ms interval after a picture that was not drawn */
  #probe(ms) {
    this.probed.push(ms);
    if (--this.probes > 0) return false;
    const intervals = this.probed.slice(1).sort((a, b) => a - b); // the first may wait for the last picture that was drawn
    this.display = intervals[intervals.length >> 1];
    this.relied = RELIED;
    if (this.display < HELPED * this.late) return this.stepDown();
    this.cap = this.late;
    return false;
  }

  stepDown() {
    this.quick = 0;
    // The step up did not last: wait longer before the next attempt.
    if (this.tried) this.patience = Math.min(PATIENCE_MAX, this.patience * 4);
    this.tried = false;
    if (this.level === 0) return false;
    this.level--;
    return true;
  }

  stepUp() {
    this.quick = 0;
    if (this.level >= this.top) return false;
    this.level++;
    this.tried = true;
    return true;
  }
}
