// SPDX-License-Identifier: MIT
// How much the picture may cost: a ladder of pixel ratios and shadow maps, and the rule by which the page climbs up and
// down it from the frame times it measures. Pure; times are in ms.

const SLOW_MS = 1000 / 30; // slower than this on average: one step down
const BRISK_MS = 1000 / 50; // the same for whom that matters, down to a level
const BRISK_LEAST = 3;
const QUICK_MS = 1000 / 52; // quicker than this: one step up may be tried
const SETTLE = 24; // frames a verdict needs
const GAP_MS = 400; // longer frames are a hidden page or a stall, not a measure

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
  balanced: (own, software) => ({ ratio: software ? 0.75 : Math.min(1, own), shadow: software ? 1024 : 2048 }),
  fine: (own, software) => ({ ratio: software ? 1 : Math.min(2, Math.max(1.5, own)), shadow: software ? 2048 : 4096 }),
};

/** Chooses the level. */
export class Quality {
  /**
   * @param {object} options
   * @param {number} options.start first level
   * @param {number} options.top the highest that makes sense on this display
   * @param {boolean} [options.brisk=false] whether 60 pictures a second are worth some resolution; else 30 will do
   */
  constructor({ start, top, brisk = false }) {
    this.brisk = brisk;
    this.level = start;
    this.top = top;
    this.frames = 0;
    this.sum = 0;
    this.patience = 4; // quick verdicts in a row before a step up is tried
    this.quick = 0;
    this.tried = false; // the present level was reached by a step up
  }

  /**
   * Takes one frame's time.
   * @param {number} ms since the frame before
   * @returns {boolean} whether the level has changed
   */
  observe(ms) {
    if (ms > GAP_MS) return false;
    this.sum += ms;
    if (++this.frames < SETTLE) return false;
    const mean = this.sum / this.frames;
    this.frames = this.sum = 0;
    if (mean > SLOW_MS || (this.brisk && mean > BRISK_MS && this.level > BRISK_LEAST)) return this.stepDown();
    this.quick = mean < QUICK_MS ? this.quick + 1 : 0;
    return this.quick >= this.patience && this.stepUp();
  }

  stepDown() {
    this.quick = 0;
    // A step up that did not hold: wait longer before the next.
    if (this.tried) this.patience = Math.min(256, this.patience * 4);
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
