// SPDX-License-Identifier: MIT
// How much the picture may cost: a ladder of pixel ratios and shadow maps, and the rule by which the page climbs up and
// down it. The rule looks at the cost of a picture, not at the rate of pictures: a display of 30 Hz or a battery mode
// shows few pictures, and that is no reason to draw them coarser. The functions are pure; times are in ms.

const SLOW_MS = 1000 / 30; // slower than this on average: one step down
const BRISK_MS = 1000 / 50; // the same for whom that matters, down to a level
const BRISK_LEAST = 3;
const QUICK_MS = 1000 / 52; // quicker than this: one step up may be tried
const SETTLE = 24; // frames a verdict needs
const GAP_MS = 400; // longer frames are a hidden page or a stall, not a measure, unless they cost that much
const PATIENCE = 4; // quick verdicts in a row before a step up is tried
const PATIENCE_MAX = 256;
const CLEAR = 0.5; // of the allowed time: a step up that is expected to cost less is not doubted
// Where the page is put together by the processor, a part of the cost cannot be timed.
const UNTIMED_SHARE = 0.4; // of the time between pictures that must be timed before the rest is suspected
const HELPED = 0.9; // times as long between pictures: a step down that was worth it
const SAME = 1.15; // times as long: the same limit of the display as before

/** The steps, from the cheapest. `ratio` is capped by the display's own. */
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

/** What can be chosen instead, for a display of `own` pixels per CSS pixel; in software every pixel counts. */
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
   * @param {number} options.start first level
   * @param {number} options.top the highest that makes sense on this display
   * @param {boolean} [options.brisk=false] whether 60 pictures a second are worth some resolution; else 30 will do
   * @param {boolean} [options.untimed=false] whether a part of a picture's cost cannot be timed, as without a graphics processor
   */
  constructor({ start, top, brisk = false, untimed = false }) {
    this.level = start;
    this.top = top;
    this.brisk = brisk;
    this.untimed = untimed;
    this.frames = this.sum = this.costs = 0;
    this.patience = PATIENCE;
    this.quick = 0;
    this.tried = false; // the present level was reached by a step up
    this.trial = 0; // ms between pictures before a step down that is to show whether it helps; 0: none is under way
    this.cap = 0; // ms between pictures that a step down did not shorten: the display's own
  }

  /**
   * Takes one frame's times.
   * @param {number} ms since the frame before
   * @param {number|null} [cost] ms that the frame itself took, of the processor and the graphics processor; where that is not
   *   known, all of `ms` is thought to be
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
    if (between * SAME < this.cap) this.cap = 0; // it was none
    if (this.#suspects(between, mean)) return this.#try(between);
    const next = LEVELS[this.level + 1];
    const expected = next ? mean * (next.ratio / LEVELS[this.level].ratio) ** 2 : Infinity;
    this.quick = mean < QUICK_MS ? this.quick + 1 : 0;
    const patience = known && expected < CLEAR * this.#allowed(this.level + 1) ? PATIENCE : this.patience;
    return this.quick >= patience && (!known || !this.#isSlow(expected, this.level + 1)) && this.stepUp();
  }

  /** @param {number} level */
  #allowed(level) {
    return this.brisk && level > BRISK_LEAST ? BRISK_MS : SLOW_MS;
  }

  /** @param {number} ms */
  #isSlow(ms, level = this.level) {
    return ms > this.#allowed(level);
  }

  /**
   * Pictures come later than their timed part explains, though that part is large. The rest of the time may be a cost
   * of the pictures as well, or the pace of the display.
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
    // A step up that did not hold: wait longer before the next.
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
