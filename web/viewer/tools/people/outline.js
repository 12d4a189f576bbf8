// SPDX-License-Identifier: MIT
// The outline of a set of points on the page: the outermost point in each of several directions, plus a margin. It is drawn
// in every picture, so nothing is allocated.
const DIRECTIONS = 32;
const COS = Float32Array.from({ length: DIRECTIONS }, (_, k) => Math.cos((2 * Math.PI * k) / DIRECTIONS));
const SIN = Float32Array.from({ length: DIRECTIONS }, (_, k) => Math.sin((2 * Math.PI * k) / DIRECTIONS));

/** Collects points, then draws their outline. */
export class Outline {
  constructor() {
    this.reach = new Float32Array(DIRECTIONS);
    this.xs = new Float32Array(DIRECTIONS);
    this.ys = new Float32Array(DIRECTIONS);
    this.begin();
  }

  begin() {
    this.reach.fill(-Infinity);
    /** @type {boolean} */
    this.empty = true;
  }

  /** @param {number} x @param {number} y */
  add(x, y) {
    this.empty = false;
    for (let k = 0; k < DIRECTIONS; k++) {
      const reach = x * COS[k] + y * SIN[k];
      if (reach <= this.reach[k]) continue;
      this.reach[k] = reach;
      this.xs[k] = x;
      this.ys[k] = y;
    }
  }

  /** The highest point, for the label. */
  get top() {
    return this.ys[(3 * DIRECTIONS) / 4];
  }

  get middle() {
    return (this.xs[0] + this.xs[DIRECTIONS / 2]) / 2;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} margin px between the points and the line */
  trace(context, margin) {
    context.beginPath();
    for (let k = 0; k < DIRECTIONS; k++) context.lineTo(this.xs[k] + margin * COS[k], this.ys[k] + margin * SIN[k]);
    context.closePath();
  }
}
