// SPDX-License-Identifier: MIT
// Overlays computed from frames and topology alone: velocities, and sleeping objects.
import { PointLines } from '../../scene/xray.js';
import { Overlay } from './overlay.js';
import { figure, whole } from '../../ui/numbers.js';
import { ColorScale, rampOf, rampTable } from './scale.js';
/** @import { Frame } from '../../../client/frame.js' */
/** @import { Xray } from './xray.js' */

const ARROWS_MAX = 3000;
const AHEAD = 0.1; // s by which a velocity line extrapolates
const SLEEP = { dark: '#b48cf2', light: '#5a35a0' };
const NAMES_MAX = 12;
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]; // edges of a box whose corner k has the bits of k as x, y, z

const NOTHING = new Float32Array(0);

/** @param {number} particles */
const stepOf = (particles) => Math.max(1, Math.ceil(particles / ARROWS_MAX));
const newPlaces = () => ({ tick: -1, epoch: -1, particles: 0, places: new Float32Array(3 * ARROWS_MAX) });

/**
 * Lines from every particle, or every n-th, to its position in a tenth of a second at its present velocity. The velocity
 * comes from the two displayed frames; in a paused world, from the last two frames that arrived.
 */
export class VelocityOverlay extends Overlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title);
    this.lines = new PointLines(xray.page.world);
    this.lines.reserve(ARROWS_MAX);
    this.parts.push(this.lines);
    this.speeds = new Float32Array(ARROWS_MAX);
    this.came = [newPlaces(), newPlaces()]; // the last two frames that arrived
    this.stop = this.page.client.on('frame', (frame) => this.#keep(frame));
    /** @type {Frame | null} */
    this.drawn = null;
    this.scale = new ColorScale('m/s', 0.05);
    this.count = 0;
    this.step = 1;
    this.table = rampTable(this.theme);
  }

  /** @param {Frame} frame */
  #keep({ tick, epoch, positions }) {
    const { came } = this;
    if (came[1].tick !== tick) came.reverse();
    const newest = came[1];
    const particles = positions.length / 3;
    newest.tick = tick;
    newest.epoch = epoch;
    newest.particles = particles;
    const step = stepOf(particles);
    for (let i = 0, at = 0; i < particles; i += step, at += 3) {
      newest.places[at] = positions[3 * i];
      newest.places[at + 1] = positions[3 * i + 1];
      newest.places[at + 2] = positions[3 * i + 2];
    }
  }

  /** @param {{now: number, elapsed: number}} picture */
  picture(picture) {
    super.picture(picture);
    const { kept: { from, to }, topology } = this.page.world;
    if (!from || !to || !topology || to === this.drawn) return;
    this.drawn = to;
    const [before, last] = this.came;
    this.step = stepOf(topology.particles);
    if (from !== to && from.epoch === to.epoch) this.#draw(to, from.positions, this.step, to.tick - from.tick);
    else if (last.tick === to.tick && before.epoch === to.epoch && before.particles === last.particles) this.#draw(to, before.places, 1, to.tick - before.tick);
    else this.#show(0); // without a previous frame, velocities are unknown
  }

  /**
   * Computes the lines. `stride`: step through the particles of `before`, counted as in `to`.
   * @param {Frame} frame @param {Float32Array} before @param {number} stride @param {number} ticks
   */
  #draw({ positions }, before, stride, ticks) {
    const start = this.lines.array('start');
    const end = this.lines.array('end');
    const { table, speeds, step, scale } = this;
    const perSecond = ticks > 0 ? this.page.buffer.tickHz / ticks : 0;
    const particles = Math.min(positions.length / 3, step * ARROWS_MAX);
    let at = 0;
    for (let i = 0; i < particles; i += step) {
      let squared = 0;
      for (let axis = 0; axis < 3; axis++) {
        const place = positions[3 * i + axis];
        const speed = (place - before[3 * at * stride + axis]) * perSecond;
        start[3 * at + axis] = place;
        end[3 * at + axis] = place + AHEAD * speed;
        squared += speed * speed;
      }
      speeds[at] = Math.sqrt(squared);
      this.lines.paint(at, table[scale.indexOf(speeds[at])], 0.9);
      at++;
    }
    this.#show(at);
  }

  /** @param {number} count */
  #show(count) {
    this.count = count;
    this.lines.show(count);
  }

  dispose() {
    this.stop();
    super.dispose();
  }

  update() {
    this.table = rampTable(this.theme);
    const { speeds, count, words } = this;
    let fastest = 0;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      fastest = Math.max(fastest, speeds[i]);
      sum += speeds[i];
    }
    this.scale.follow(speeds, count);
    words.setScale(rampOf(this.theme), this.scale.ticks);
    words.setFigures([['mean', `${figure(count > 0 ? sum / count : 0)} m/s`], ['fastest', `${figure(fastest)} m/s`]]);
    words.setNote(`Each line is the displacement in ${AHEAD} s.${this.step > 1 ? ` Shown for one in ${this.step} particles.` : ''}`);
  }
}

/** Boxes around sleeping objects. */
export class SleepOverlay extends Overlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title);
    this.lines = new PointLines(xray.page.world, 0.8);
    this.parts.push(this.lines);
  }

  update() {
    const { topology, entries } = this.page.world;
    const objects = topology?.objects ?? [];
    const asleep = objects.filter(({ id, asleep: rests }) => rests && entries.has(id));
    this.lines.reserve(12 * Math.max(1, asleep.length));
    const boxes = asleep.map(({ id }) => boxOf(entries.get(id)?.surface.positions ?? NOTHING));
    boxes.forEach((box, i) => this.#drawBox(i, box));
    this.lines.show(12 * asleep.length);
    const named = asleep.slice(0, NAMES_MAX);
    this.labels.set(named.map((_, i) => ({ text: 'asleep', place: topOf(boxes[i]) })));
    this.words.setRows([
      { color: SLEEP[this.theme], sign: '▣', what: 'asleep', much: whole(asleep.length) },
      { color: 'inherit', sign: '▢', what: 'awake', much: whole(objects.length - asleep.length) },
    ]);
    const names = named.map(({ name }) => name).join(', ');
    this.words.setNote(asleep.length === 0 ? 'Nothing is asleep. Objects fall asleep after half a second at rest.'
      : `${names}${asleep.length > NAMES_MAX ? ` and ${asleep.length - NAMES_MAX} more` : ''}`);
  }

  /** @param {number} box @param {number[][]} corners */
  #drawBox(box, corners) {
    for (let edge = 0; edge < 12; edge++) {
      const at = 12 * box + edge;
      for (let axis = 0; axis < 3; axis++) {
        this.lines.array('start')[3 * at + axis] = corners[(EDGES[2 * edge] >> axis) & 1][axis];
        this.lines.array('end')[3 * at + axis] = corners[(EDGES[2 * edge + 1] >> axis) & 1][axis];
      }
      this.lines.paint(at, SLEEP[this.theme]);
    }
  }
}

/** The smallest box around points, plus a margin. @param {Float32Array} positions @returns {[number[], number[]]} */
function boxOf(positions) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  const margin = 0.01;
  return [min.map((value) => value - margin), max.map((value) => value + margin)];
}

/** @param {[number[], number[]]} box */
const topOf = ([min, max]) => [(min[0] + max[0]) / 2, max[1], (min[2] + max[2]) / 2];
