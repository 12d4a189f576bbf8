// SPDX-License-Identifier: MIT
// The overlay of soft bodies: the edges of their tetrahedra, coloured by strain, computed from frames and topology alone.
import { ParticleLines } from '../../scene/xray.js';
import { percent, whole } from '../../ui/numbers.js';
import { Overlay } from './overlay.js';
import { ColorScale, rampOf, rampTable } from './scale.js';
/** @import { Frame } from '../../../client/frame.js' */
/** @import { Topology, WorldObject } from '../../../client/topology.js' */
/** @import { Xray } from './xray.js' */

const SHOWN_MAX = 12000; // tetrahedra; of more, only every n-th is shown
const EDGES = [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3], [3, 1]];
const REST_NUMBERS = 10;

/**
 * Green's strain of a tetrahedron, √(Σ E²) with E = (FᵀF − 1)/2, and its volume as a share of that at rest (PHYSICS.md 17).
 * @param {ArrayLike<number>} positions of the object's particles @param {ArrayLike<number>} corners four particles
 * @param {ArrayLike<number>} rest rows of the inverse of the edges at rest
 * @returns {{strain: number, volume: number}}
 */
export function strainOf(positions, corners, rest) {
  const f = [0, 0, 0, 0, 0, 0, 0, 0, 0]; // rows
  for (let edge = 0; edge < 3; edge++) {
    for (let axis = 0; axis < 3; axis++) {
      const length = positions[3 * corners[edge + 1] + axis] - positions[3 * corners[0] + axis];
      for (let column = 0; column < 3; column++) f[3 * axis + column] += length * rest[3 * edge + column];
    }
  }
  let squares = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const e = 0.5 * (f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j] - (i === j ? 1 : 0));
      squares += e * e;
    }
  }
  const volume = f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
  return { strain: Math.sqrt(squares), volume };
}

/** Lines along the edges of tetrahedra, coloured by their strain. */
export class StrainOverlay extends Overlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title);
    this.lines = new ParticleLines(xray.page.world);
    this.parts.push(this.lines);
    this.scale = new ColorScale('%', 1);
    /** @type {Frame | null} */
    this.drawn = null;
    /** @type {Topology | null} */
    this.aimed = null;
    /** @type {{object: WorldObject, index: number}[]} */
    this.shown = [];
    this.values = new Float32Array(0);
    this.total = 0;
  }

  /** Lists the tetrahedra to show, and the ends of their edges. @param {Topology} topology */
  #aim(topology) {
    this.aimed = topology;
    const soft = topology.objects.filter(({ tetrahedra }) => tetrahedra);
    this.total = soft.reduce((sum, { tetrahedra }) => sum + (tetrahedra?.length ?? 0) / 4, 0);
    const step = Math.ceil(this.total / SHOWN_MAX) || 1;
    this.shown = soft.flatMap((object) => {
      const list = [];
      for (let index = 0; index < (object.tetrahedra?.length ?? 0) / 4; index += step) list.push({ object, index });
      return list;
    });
    this.values = new Float32Array(this.shown.length);
    this.lines.reserve(Math.max(1, EDGES.length * this.shown.length));
    const ends = this.lines.array('ends');
    let at = 0;
    for (const { object, index } of this.shown) {
      for (const edge of EDGES) {
        for (const corner of edge) ends[at++] = object.first + (object.tetrahedra?.[4 * index + corner] ?? 0);
      }
    }
  }

  /** @param {{now: number, elapsed: number}} picture */
  picture(picture) {
    super.picture(picture);
    const { kept: { to }, topology } = this.page.world;
    if (!topology || !to || (to === this.drawn && topology === this.aimed)) return;
    if (topology !== this.aimed) this.#aim(topology);
    this.drawn = to;
    this.#measure(topology);
  }

  update() {
    if (this.aimed) this.#measure(this.aimed);
  }

  /** @param {Topology} topology */
  #measure(topology) {
    let least = 1, most = 0;
    this.shown.forEach(({ object, index }, i) => {
      const entry = this.page.world.find(object.id);
      if (!entry || !object.tetrahedra || !object.rests) return;
      const { strain, volume } = strainOf(entry.positions, object.tetrahedra.subarray(4 * index, 4 * index + 4), object.rests.subarray(REST_NUMBERS * index));
      this.values[i] = 100 * strain;
      most = Math.max(most, strain);
      least = Math.min(least, volume);
    });
    this.scale.follow(this.values);
    const table = rampTable(this.theme);
    this.values.forEach((value, i) => {
      for (let k = 0; k < EDGES.length; k++) this.lines.paint(EDGES.length * i + k, table[this.scale.indexOf(value)], 0.85);
    });
    this.lines.show(EDGES.length * this.shown.length);
    this.words.setScale(rampOf(this.theme), this.scale.ticks);
    this.words.setFigures([
      ['largest strain', percent(most)],
      ['smallest volume', percent(least)],
      ['tetrahedra', whole(topology === this.aimed ? this.total : 0)],
    ]);
  }
}
