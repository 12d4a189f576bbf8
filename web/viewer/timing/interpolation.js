// SPDX-License-Identifier: MIT
// Snapshot interpolation: chooses the two frames to display, and the position between them, for any moment of the display.
//
// The world is displayed with a small delay, so that the frame after the displayed moment has usually arrived. The server's
// clock is estimated by a straight line fitted to the arrivals of the last second (ticks over local milliseconds), which
// evens out the network's jitter and follows a world that runs slower than real time. The displayed moment advances at that
// rate and is pulled gently towards line − delay. It never runs backwards and never passes the newest frame: there is no
// extrapolation, so no object is ever shown inside a wall. Pure: no DOM, no clock of its own. Times are in ms.

/** @import { Frame } from '../../client/frame.js' */

const WINDOW = 48; // number of arrivals that the line is fitted to
const GAP_MS = 600; // after a pause this long, earlier arrivals are discarded
const PULL_MS = 250; // time constant of the pull towards the line
const DELAY_COMPUTED_HERE = 0.5; // ticks
const SNAP_S = 0.35; // if the error is larger, the displayed moment jumps

/** @typedef {{from: Frame, to: Frame, alpha: number}} Shown two frames of one epoch, and the fraction between them */

/** A buffer of frames that are waiting to be displayed. */
export class SnapshotBuffer {
  /**
   * @param {object} [options]
   * @param {number} [options.tickHz=60] the world's nominal rate
   * @param {number} [options.capacity=24] maximum number of stored frames
   * @param {(frame: Frame) => void} [options.release] called with each frame that is no longer displayed
   */
  constructor({ tickHz = 60, capacity = 24, release = () => {} } = {}) {
    this.tickHz = tickHz;
    this.capacity = capacity;
    this.release = release;
    /** @type {Frame[]} */
    this.frames = [];
    this.ticks = new Float64Array(WINDOW);
    this.times = new Float64Array(WINDOW);
    /** @type {Shown | null} the result of sample(); null before the first frame */
    this.result = null;
    this.computedHere = false; // frames are made in this page, at an even pace, and show the user's hand at once
    this.shownTick = -1;
    this.sampledAt = -1;
    this.arrivals = 0;
    this.gapTicks = 1;
    this.jitterTicks = 0;
    this.rate = tickHz / 1000;
    this.meanTick = 0;
    this.meanTime = 0;
  }

  /** Drops all frames and the clock estimate. */
  clear() {
    for (const frame of this.frames) this.release(frame);
    this.frames.length = 0;
    this.shownTick = -1;
    this.sampledAt = -1;
    this.forgetArrivals();
  }

  /** The newest frame, or null. */
  get newest() {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1] : null;
  }

  /**
   * Adds a frame that has arrived.
   * @param {Frame & {receivedAt: number}} frame
   */
  push(frame) {
    const newest = this.newest;
    if (newest && frame.tick === newest.tick) return this.replaceNewest(frame);
    const jump = newest && frame.tick - newest.tick > this.tickHz * 5;
    if (newest && (frame.tick < newest.tick || jump)) this.clear();
    this.observe(frame.tick, frame.receivedAt);
    this.frames.push(frame);
    if (this.frames.length > this.capacity) this.releaseOldest();
    if (this.shownTick < 0) this.shownTick = frame.tick;
  }

  /**
   * Returns the frames to display at `now`: those around the displayed moment, and the fraction between them.
   * @param {number} now ms, on the same clock as receivedAt
   * @returns {Shown|null} reused by the next call
   */
  sample(now) {
    if (this.frames.length === 0) return null;
    this.advance(now);
    while (this.frames.length > 1 && this.frames[1].tick <= this.shownTick) this.releaseOldest();
    const from = this.frames[0];
    const next = this.frames.length > 1 ? this.frames[1] : from;
    const to = next.epoch === from.epoch ? next : from;
    this.result ??= { from, to, alpha: 0 };
    this.result.from = from;
    this.result.to = to;
    this.result.alpha = to === from ? 0 : Math.min(1, Math.max(0, (this.shownTick - from.tick) / (to.tick - from.tick)));
    return this.result;
  }

  /** The delay of the display behind the newest arrivals, in ticks: the distance of two frames plus the jitter. */
  get delayTicks() {
    if (this.computedHere) return DELAY_COMPUTED_HERE;
    return this.gapTicks + Math.min(0.15 * this.tickHz, 0.5 + 2 * this.jitterTicks);
  }

  /** Handles a frame of the same tick, which commands caused in a paused world. It is displayed at once. @param {Frame} frame */
  replaceNewest(frame) {
    const replaced = this.frames.pop();
    if (replaced) this.release(replaced);
    this.frames.push(frame);
    this.shownTick = frame.tick;
  }

  releaseOldest() {
    const oldest = this.frames.shift();
    if (oldest) this.release(oldest);
  }

  forgetArrivals() {
    this.arrivals = 0;
    this.gapTicks = 1;
    this.jitterTicks = 0;
    this.rate = this.tickHz / 1000;
    this.meanTick = 0;
    this.meanTime = 0;
  }

  /** @param {number} tick @param {number} at */
  observe(tick, at) {
    if (this.arrivals > 0) {
      const last = (this.arrivals - 1) % WINDOW;
      if (at - this.times[last] > GAP_MS) this.forgetArrivals();
      else this.gapTicks += (tick - this.ticks[last] - this.gapTicks) * 0.1;
    }
    const slot = this.arrivals % WINDOW;
    this.ticks[slot] = tick;
    this.times[slot] = at;
    this.arrivals++;
    this.fit();
    this.jitterTicks += (Math.abs(tick - this.serverTick(at)) - this.jitterTicks) * 0.1;
  }

  // Least-squares fit over the window: meanTick, meanTime, rate.
  fit() {
    const n = Math.min(this.arrivals, WINDOW);
    const tick0 = this.ticks[(this.arrivals - 1) % WINDOW];
    const time0 = this.times[(this.arrivals - 1) % WINDOW];
    let tick = 0;
    let time = 0;
    for (let i = 0; i < n; i++) {
      tick += this.ticks[i] - tick0;
      time += this.times[i] - time0;
    }
    tick /= n;
    time /= n;
    this.meanTick = tick0 + tick;
    this.meanTime = time0 + time;
    if (n < 6) return;
    let covariance = 0;
    let variance = 0;
    for (let i = 0; i < n; i++) {
      const x = this.times[i] - this.meanTime;
      covariance += x * (this.ticks[i] - this.meanTick);
      variance += x * x;
    }
    const nominal = this.tickHz / 1000;
    if (variance > 0) this.rate = Math.min(4 * nominal, Math.max(0.01 * nominal, covariance / variance));
  }

  /** @param {number} now */
  serverTick(now) {
    return this.meanTick + this.rate * (now - this.meanTime);
  }

  /** @param {number} now */
  advance(now) {
    const elapsed = this.sampledAt < 0 ? 0 : Math.min(250, Math.max(0, now - this.sampledAt));
    this.sampledAt = now;
    let next = this.shownTick + elapsed * this.rate;
    const error = this.serverTick(now) - this.delayTicks - next;
    if (Math.abs(error) > SNAP_S * this.tickHz) next += error;
    else next += error * (1 - Math.exp(-elapsed / PULL_MS));
    this.shownTick = Math.min(this.newest?.tick ?? Infinity, Math.max(this.shownTick, next));
  }
}
