// SPDX-License-Identifier: MIT
// Draws a recording (recording.js) again, at any time of it, in a picture of its own and from one place: for videos of what was.
import { Picture } from './picture.js';
/** @import { Look, Stage } from './stage.js' */
/** @import { Stretch } from './export.js' */
/** @import { Frame } from '../../client/frame.js' */

const WHOLE = Object.freeze({ refresh: false, keyframe: true, partial: false, rest: false, ranges: null, bytes: 0 });
const STEP_MS = 33;

export class Replayed {
  #stretches;

  #picture;

  /** @type {Stretch | null} */
  #shown = null;

  /** @type {Frame[]} frames of the displayed stretch */
  #frames = [];

  /**
   * @param {HTMLElement} host hidden element that the picture fills @param {Stretch[]} stretches
   * @param {Stage} stage whose camera, theme and quality the picture has @param {{width: number, height: number}} size in pixels
   */
  constructor(host, stretches, stage, size) {
    this.#stretches = stretches;
    this.#picture = new Picture(host, stage.themeName, stage.look);
    if (!this.#picture.stage.setOutput(size)) {
      this.dispose();
      throw new Error(`This machine cannot draw pictures of ${size.width} × ${size.height} pixels.`);
    }
    this.#picture.follow({ stage });
  }

  get canvas() {
    return this.#picture.stage.canvas;
  }

  /** s */
  get duration() {
    return this.#stretches[this.#stretches.length - 1].samples.at(-1)?.time ?? 0;
  }

  /** @param {number} time s from the beginning */
  draw(time) {
    const stretch = this.#stretches.findLast(({ samples }) => samples[0].time <= time) ?? this.#stretches[0];
    if (stretch !== this.#shown) this.#show(stretch);
    const { samples } = stretch;
    const at = Math.max(0, samples.findLastIndex((sample) => sample.time <= time));
    const next = Math.min(at + 1, samples.length - 1);
    const span = samples[next].time - samples[at].time;
    this.#picture.update(this.#frames[at], this.#frames[next], span > 0 ? Math.min(1, Math.max(0, (time - samples[at].time) / span)) : 0);
    this.#picture.render(STEP_MS);
  }

  /** @param {Stretch} stretch */
  #show(stretch) {
    this.#shown = stretch;
    const { epoch, particles: count } = stretch.topology;
    this.#frames = stretch.samples.map(({ positions }, tick) => ({ ...WHOLE, tick, epoch, count, positions }));
    this.#picture.setTopology(stretch.topology);
  }

  dispose() {
    this.#picture.dispose();
  }
}
