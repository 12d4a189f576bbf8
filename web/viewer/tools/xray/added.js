// SPDX-License-Identifier: MIT
// The overlay of the sticks that stick.add added: lines between their ends, coloured by load or by error, marks at the ends, which
// are particles or points that particles carry, and labels at muscles.
import { Marks, PointLines, SHAPES } from '../../scene/xray.js';
import { figure, percent, whole } from '../../ui/numbers.js';
import { Overlay } from './overlay.js';
import { ColorScale, rampOf, rampTable } from './scale.js';
/** @import { Stick } from '../../../client/topology.js' */
/** @import { WorldView } from '../../scene/world.js' */
/** @import { Xray } from './xray.js' */

const LABELS_MAX = 24;
const END_PX = 4.5;
const JOINT_PX = 7;

/** The displayed position of an end of a stick; null if its object is not displayed. @param {WorldView} world @param {Stick['a']} end @returns {number[] | null} */
export function placeOfEnd(world, { object, particle = 0, particles = [particle], weights = [1] }) {
  const entry = world.find(object);
  if (!entry) return null;
  const sum = [0, 0, 0];
  particles.forEach((one, k) => entry.place(one).forEach((value, axis) => { sum[axis] += weights[k] * value; }));
  return sum;
}

/** The change of a stick's length as text; empty if it does not change. @param {Stick} stick */
export function muscleText({ swing, targetLength, rate }) {
  if (swing && swing.amplitude > 0) return `± ${figure(swing.amplitude)} m every ${figure(swing.period ?? 1)} s`;
  return targetLength === undefined ? '' : `to ${figure(targetLength)} m at ${figure(rate ?? 0)} m/s`;
}

/**
 * The error that the solver left in a stick, m: 0 where a bound is kept, and for a compliant stick.
 * @param {Stick} stick @param {number} length present distance of its ends, m
 */
export function errorOf({ kind, restLength, compliance, swing }, length) {
  if (compliance > 0 || (swing && swing.amplitude > 0)) return 0;
  const off = length - restLength;
  return kind === 'equal' || (kind === 'atMost') === off > 0 ? off : 0;
}

/** Lines along the added sticks. */
export class AddedOverlay extends Overlay {
  needs = 'added';

  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title);
    const { world } = xray.page;
    this.lines = new PointLines(world, 2.2);
    this.marks = new Marks(world);
    this.parts.push(this.lines, this.marks);
    this.errors = new ColorScale('mm', 0.1);
  }

  update() {
    const sticks = this.xray.added;
    const { world } = this.page;
    const lengths = sticks.map(({ a, b }) => {
      const [from, to] = [placeOfEnd(world, a), placeOfEnd(world, b)];
      return from && to ? Math.hypot(...from.map((value, axis) => value - to[axis])) : NaN;
    });
    const errors = sticks.map((stick, i) => (Number.isNaN(lengths[i]) ? 0 : 1000 * errorOf(stick, lengths[i])));
    const loads = sticks.map(({ force, breakForce }) => (breakForce ? Math.abs(force ?? 0) / breakForce : NaN));
    this.errors.follow(errors);
    const table = rampTable(this.theme);
    this.lines.reserve(Math.max(1, sticks.length));
    this.marks.reserve(Math.max(1, 2 * sticks.length));
    const form = this.marks.array('form');
    sticks.forEach((stick, i) => {
      const color = table[Number.isNaN(loads[i]) ? this.errors.indexOf(errors[i]) : Math.round(255 * Math.min(1, loads[i]))];
      this.lines.paint(i, color, 0.95);
      [stick.a, stick.b].forEach((end, k) => {
        form[4 * i + 2 * k] = stick.restLength === 0 ? SHAPES.ring : end.particles ? SHAPES.diamond : SHAPES.disc;
        form[4 * i + 2 * k + 1] = stick.restLength === 0 ? JOINT_PX : END_PX;
        this.marks.paint(2 * i + k, color);
      });
    });
    this.#explain(errors, loads);
    this.#put();
  }

  /** @param {number[]} errors mm @param {number[]} loads shares of the break force; NaN without one */
  #explain(errors, loads) {
    const sticks = this.xray.added;
    const { high } = this.errors; // mm
    this.words.setScale(rampOf(this.theme), ['0', `50% or ${figure(high / 2)} mm`, `100% or ${figure(high)} mm`]);
    const worst = errors.reduce((best, value, i) => (Math.abs(value) > Math.abs(errors[best]) ? i : best), 0);
    const loaded = loads.reduce((best, value, i) => (value > (loads[best] || -1) ? i : best), 0);
    const muscles = sticks.filter((stick) => muscleText(stick) !== '');
    this.words.setFigures([
      ['sticks', whole(sticks.length)], ['ball joints', whole(sticks.filter(({ restLength }) => restLength === 0).length)], ['muscles', whole(muscles.length)],
      ['largest load', loads.some((load) => !Number.isNaN(load)) ? `${percent(loads[loaded])} of ${figure(sticks[loaded].breakForce ?? 0)} N (stick ${sticks[loaded].id})` : '–'],
      ['largest error', sticks.length > 0 ? `${figure(errors[worst])} mm (stick ${sticks[worst].id})` : '–'],
    ]);
    const color = rampOf(this.theme)[2];
    this.words.setRows([
      { color, sign: '●', what: 'end at a particle', much: '' }, { color, sign: '◆', what: 'end at a point of a surface', much: '' },
      { color, sign: '◎', what: 'ball joint', much: '' },
    ]);
    this.words.setNote(sticks.length === 0 ? 'There are no added sticks.'
      : 'Color: share of the break force, or remaining error.');
  }

  // Moves lines, marks and labels to the displayed positions.
  #put() {
    const { world } = this.page;
    const sticks = this.xray.added;
    if (this.lines.room < sticks.length || this.marks.room < 2 * sticks.length) return; // the colours come with the next update
    /** @type {{text: string, place: number[]}[]} */
    const labels = [];
    if (sticks.length > 0) {
      const [start, end, place, form] = [this.lines.array('start'), this.lines.array('end'), this.marks.array('place'), this.marks.array('form')];
      sticks.forEach((stick, i) => {
        const [from, to] = [placeOfEnd(world, stick.a), placeOfEnd(world, stick.b)];
        if (!from || !to) {
          this.lines.paint(i, '#000000', 0);
          form[4 * i + 1] = form[4 * i + 3] = 0;
          return;
        }
        start.set(from, 3 * i);
        end.set(to, 3 * i);
        place.set(from, 6 * i);
        place.set(to, 6 * i + 3);
        const text = muscleText(stick);
        if (text !== '' && labels.length < LABELS_MAX) labels.push({ text, place: from.map((value, axis) => (value + to[axis]) / 2) });
      });
    }
    this.lines.show(sticks.length);
    this.marks.show(2 * sticks.length);
    this.labels.set(labels);
  }

  /** @param {{now: number, elapsed: number}} picture */
  picture(picture) {
    this.#put();
    super.picture(picture);
  }
}
