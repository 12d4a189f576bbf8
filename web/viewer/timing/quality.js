// SPDX-License-Identifier: MIT
// Adaptive quality: levels of pixel ratio and shadow map size, and the rule by which the page chooses one. The rule uses the
// cost of a picture, not the rate of pictures: a display of 30 Hz or a battery mode shows few pictures, which is no reason to
// draw coarser ones. The functions are pure; times are in ms.

const SLOW_MS = 1000 / 30; // a slower average lowers the level
const SLOW_60_HZ_MS = 1000 / 50; // the same limit where 60 pictures per second are worth more than resolution, down to a certain level
const BRISK_LEAST = 3;
const QUICK_MS = 1000 / 52; // a faster average allows a higher level to be tried
const SETTLE = 24; // number of frames per decision
const GAP_MS = 400; // longer frames are ignored, as they come from a hidden page or a stall, unless their own cost is that high
const FAST_DECISIONS = 4; // consecutive fast decisions before a higher level is tried
const PATIENCE_MAX = 256;
const CLEAR = 0.5; // share of the allowed time: a higher level with a lower expected cost is tried without further waiting
// Where the processor composes the page, a part of the cost cannot be measured.
const UNTIMED_SHARE = 0.4; // share of the time between pictures that must be measured before the rest is considered
const HELPED = 0.9; // ratio of the times between pictures after a lower level was chosen: below this, the lower level helped
const SAME = 1.15; // ratio of the times between pictures: below this, the limit of the display is considered unchanged

/** The levels, cheapest first. `ratio` is limited by the display's own. */
export const LEVELS = [
  { ratio: 0.4, shadow: 512 },
  { ratio: 0.5, shadow: 512 },
  { ratio: 0.65, shadow: 512 },
  { ratio: 0.8, shadow: 1024 },
  { ratio: 1, shadow: 1024 },
  { ratio: 1.25, shadow: 2048 },
  { ratio: 1.5, shadow: 2048 },
  { ratio: 2, shadow: 2048 },
];

/** The fixed levels that the user can choose, for a display with `own` pixels per CSS pixel; the cost of software rendering grows with the pixels. */
export const CHOSEN = {
  draft: () => ({ ratio: 0.75, shadow: 1024 }),
  /** @param {number} own @param {boolean} software */
  balanced: (own, software) => ({ ratio: software ? 0.75 : Math.min(1, own), shadow: software ? 1024 : 2048 }),
  /** @param {number} own @param {boolean} software */
  fine: (own, software) => ({ ratio: software ? 1 : Math.min(2, Math.max(1.5, own)), shadow: software ? 2048 : 4096 }),
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
    this.trial = 0; // ms between pictures before a trial step down; 0 if no trial is in progress
    this.cap = 0; // ms between pictures that a step down did not shorten: the interval of the display
  }

  /**
   * Adds the times of a frame.
   * @param {number} ms since the previous frame
   * @param {number|null} [cost] ms that the frame itself took on the processor and the graphics processor; if unknown, `ms`
   *   is used
   * @returns {boolean} whether the level has changed
   */
  observe(ms, cost = null) {
    const known = cost !== null;
    if (ms > GAP_MS && !(known && cost > SLOW_MS)) return false;
    this.sum += ms;
    this.costs += known ? cost : ms;
    if (++this.frames < SETTLE) return false;
    const [between, mean] = [this.sum / this.frames, this.costs / this.frames];
    this.frames = this.sum = this.costs = 0;
    if (this.trial > 0) return this.#judge(between);
    if (this.#isSlow(Math.min(between, mean))) return this.stepDown();
    if (between * SAME < this.cap) this.cap = 0; // the display is faster than assumed
    if (this.#suspects(between, mean)) return this.#try(between);
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
  #try(between) {
    this.trial = between;
    this.quick = 0;
    this.level--;
    return true;
  }

  /** @param {number} between */
  #judge(between) {
    const helped = between < HELPED * this.trial;
    this.trial = 0;
    if (helped) {
      if (this.tried) this.patience = Math.min(PATIENCE_MAX, this.patience * 4);
      this.tried = false;
      return false;
    }
    this.cap = between;
    this.level++;
    return true;
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
