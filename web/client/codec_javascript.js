// SPDX-License-Identifier: MIT
// Decodes the payload of coding 2 in JavaScript, for browsers without WebAssembly SIMD. It is a translation of
// server/proto/frame/codec_decode.c with the same names and the same order of operations; integers are taken modulo 2^32, so
// both give the same bits.

import { playCloth } from './codec_cloth.js';
import { DEFAULTS, STARTS } from './codec_tables.js';

const NONE = -1;
const LINKS = 8;
const TERMS = 8;
const SYMBOLS = 16;
const ESCAPE = 15;
const ROWS = 68;
const CHOICE_LEAST = 48;
const REACH = 7;
const STATE_LEAST = 0x8000;
const FINE_CONTEXTS = 16;
const MAGNITUDE_MOST = 65535;
const SHIFT_MOST = 20;
const BASELINES_MOST = 3;
const SPACING_BITS = 28;
const SPACING_LEAST = 256;
const STILL = 0;
const DEFAULT = 1;
const LAST = 2;
const OWN = 3;

/** Results of decodePayload, with the values of codec_decode's. */
export const SOUND = 0;
export const CUT_OFF = 1;
export const LEFT_OVER = 2;
export const BAD_VALUE = 3;

/** @param {number} v @param {number} most */
const clamp = (v, most) => (v > most ? most : v < -most ? -most : v);
/** @param {number} v */
const log2 = (v) => 31 - Math.clz32(v);

/** @param {number} v */
function magnitudeOf(v) {
  const m = v < 0 ? -v : v;
  return m > MAGNITUDE_MOST ? MAGNITUDE_MOST : m;
}

/** @typedef {{linear: ArrayLike<number>[], length: ArrayLike<number>, shift: number}} Weights `linear` by axis */

class Reader {
  /** @param {Uint32Array} payload @param {number} coded number of 16-bit words of the entropy coder */
  constructor(payload, coded) {
    this.words = new Uint16Array(payload.buffer, payload.byteOffset + 16, coded);
    this.word = 0;
    this.raw = payload.subarray(4 + ((coded + 1) >>> 1));
    this.rawAt = 0;
    this.bit = 0; // bit position within the word at rawAt
    this.failed = false;
    this.state = Float64Array.from(payload.subarray(1, 4)); // each state is below 2^31
    this.last = Int32Array.of(1, 1, 1);
    this.before = new Int32Array(3);
    /** @type {Weights | null} */
    this.own = null;
    this.table = 0; // first row of the probability table
  }

  /** @param {number} count at most 32 */
  bits(count) {
    if (count === 0) return 0;
    if (this.rawAt >= this.raw.length || (this.bit + count > 32 && this.rawAt + 1 >= this.raw.length)) {
      this.failed = true;
      return 0;
    }
    let value = this.raw[this.rawAt] >>> this.bit;
    if (this.bit + count > 32) value |= this.raw[this.rawAt + 1] << (32 - this.bit);
    this.bit += count;
    if (this.bit >= 32) {
      this.bit -= 32;
      this.rawAt++;
    }
    return count === 32 ? value >>> 0 : value & ((1 << count) - 1);
  }

  /** @param {number} k */
  golomb(k) {
    let zeros = 0;
    while (!this.failed && this.bits(1) === 0) {
      zeros++;
      if (zeros + k > 31) this.failed = true;
    }
    if (this.failed) return 0;
    return (this.bits(zeros + k) >>> 0) + (2 ** zeros - 1) * 2 ** k;
  }

  /** @param {number} k */
  signed(k) {
    const zigzag = this.golomb(k) >>> 0;
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  /** @returns {Weights} */
  weights() {
    const linear = [0, 1, 2].map(() => Int32Array.from({ length: TERMS }, () => this.signed(4)));
    const length = Int32Array.from({ length: 4 }, () => clamp(this.signed(9), 1 << 16));
    return { linear, length, shift: Math.min(this.bits(5), SHIFT_MOST) };
  }

  /** @param {number} axis @param {number} activity @param {number} fraction */
  residual(axis, activity, fraction) {
    const row = SYMBOLS * (this.table + rowOf(activity, fraction));
    const state = this.state[axis];
    const slot = state & 4095;
    let symbol = 0;
    for (let step = 8; step > 0; step >>= 1) if (slot >= STARTS[row + symbol + step]) symbol += step;
    const start = STARTS[row + symbol];
    const end = symbol === ESCAPE ? 4096 : STARTS[row + symbol + 1];
    let next = (end - start) * (state >>> 12) + slot - start;
    if (next < STATE_LEAST) {
      if (this.word < this.words.length) next = next * 65536 + this.words[this.word++];
      else {
        this.failed = true;
        next = STATE_LEAST;
      }
    }
    this.state[axis] = next;
    let value = symbol === ESCAPE ? this.escape() : symbol - REACH;
    if (activity >= FINE_CONTEXTS) {
      const low = log2(activity) - 3;
      value = ((value << low) + this.bits(low) - (1 << (low - 1))) | 0;
    }
    return fraction < 0 ? -value | 0 : value;
  }

  escape() {
    const negative = this.bits(1) !== 0;
    const size = this.golomb(2) + REACH + 1;
    return (negative ? -size : size) | 0;
  }

  isOver() {
    const rest = this.rawAt < this.raw.length && this.bit > 0 ? this.raw[this.rawAt++] >>> this.bit : 0;
    return this.word === this.words.length && this.rawAt === this.raw.length && rest === 0 && this.state.every((x) => x === STATE_LEAST);
  }
}

/** @param {number} activity @param {number} fraction */
function rowOf(activity, fraction) {
  if (activity < FINE_CONTEXTS) return 4 * activity + Math.min(Math.abs(fraction) >> 5, 3);
  return 4 * FINE_CONTEXTS + ((activity >>> (log2(activity) - 2)) & 3);
}

/** @param {CodedObject} object @param {Int32Array} links @param {number} i @param {Int32Array} out */
function linksOf({ columns, rows, table }, links, i, out) {
  const lattice = columns * rows;
  if (i >= lattice) {
    const at = LINKS * (table + i - lattice);
    for (let k = 0; k < LINKS; k++) out[k] = links[at + k];
    return;
  }
  const column = i % columns;
  const left = column > 0;
  const right = column + 1 < columns;
  const up = i >= columns;
  const down = i + columns < lattice;
  out[0] = left ? i - 1 : NONE;
  out[1] = up ? i - columns : NONE;
  out[2] = up && left ? i - columns - 1 : NONE;
  out[3] = up && right ? i - columns + 1 : NONE;
  out[4] = right ? i + 1 : NONE;
  out[5] = down ? i + columns : NONE;
  out[6] = down && right ? i + columns + 1 : NONE;
  out[7] = down && left ? i + columns - 1 : NONE;
}

/** @param {Job} job @param {CodedObject} object @param {number} axis @returns {[number, number]} range of the object in the plane of this axis */
function planeEnds({ particles }, { first, count }, axis) {
  return [axis * particles + first, axis * particles + first + count];
}

/** @param {Int32Array} planes of all objects @param {Job} job @param {CodedObject} object @returns {Int32Array[]} by axis */
function planesOf(planes, job, object) {
  return [0, 1, 2].map((axis) => planes.subarray(...planeEnds(job, object, axis)));
}

/** @type {Weights} */
const NO_WEIGHTS = { linear: [], length: [], shift: 0 };

/** The decoding state of one object of a frame. */
class Work {
  /** @param {Job} job @param {CodedObject} object @param {Reader} reader */
  constructor(job, object, reader) {
    this.job = job;
    this.object = object;
    this.in = reader;
    this.x0 = planesOf(job.x0, job, object);
    this.x1 = planesOf(job.x1, job, object);
    this.x2 = planesOf(job.x2, job, object);
    this.x3 = planesOf(job.x3, job, object);
    this.e = planesOf(job.e, job, object);
    this.magnitude = [0, 1, 2].map((axis) => job.magnitude.subarray(...planeEnds(job, object, axis)));
    this.links = new Int32Array(LINKS);
    this.far = [0, 1, 2].map(() => new Int32Array(LINKS));
    this.terms = new Int32Array(TERMS);
    this.base = new Int32Array(3);
    this.linear = new Int32Array(3);
    this.w = new Int32Array(3);
    this.ahead = new Int32Array(3);
    this.based = 0; // number of particles, counted from the first, that have a prediction from the object's own motion
    this.weights = NO_WEIGHTS;
  }

  decode() {
    const { job, in: reader, object } = this;
    const mode = reader.bits(2);
    if (mode === STILL) {
      if (job.baselines === 0) reader.failed = true;
      else for (let axis = 0; axis < 3; axis++) this.x0[axis].set(this.x1[axis]);
      return;
    }
    reader.table = object.count >= CHOICE_LEAST && reader.bits(1) !== 0 ? ROWS : 0;
    this.bases();
    if (mode === OWN) reader.own = reader.weights();
    if (mode === LAST && !reader.own) reader.failed = true;
    const weights = mode === DEFAULT ? DEFAULTS[job.baselines][object.kind] : null;
    this.weights = weights ? { linear: [weights, weights, weights], length: [0, 0, 0, 0], shift: 0 } : reader.own ?? NO_WEIGHTS;
    for (let i = 0; i < object.count && !reader.failed; i++) this.particle(i);
  }

  // Reads which predictions the object uses. A cloth's simulated positions are stored in `e` until its particles are decoded.
  bases() {
    const { job, in: reader, object } = this;
    this.based = 0;
    if (job.baselines < BASELINES_MOST || object.columns < 2 || object.rows < 2 || object.count < CHOICE_LEAST) return;
    if (reader.bits(1) === 0) return;
    const hexagonal = reader.bits(1) !== 0;
    const spacing = reader.bits(SPACING_BITS);
    if (spacing < SPACING_LEAST) {
      reader.failed = true;
      return;
    }
    playCloth(object, this, spacing, hexagonal, this.e);
    this.based = object.columns * object.rows;
  }

  /** @param {number} i */
  particle(i) {
    const { job, links, base, linear, w, weights, terms } = this;
    linksOf(this.object, job.links, i, links);
    for (let axis = 0; axis < 3; axis++) {
      if (job.baselines === 0) {
        const from = this.termsAlone(this.x0[axis]);
        base[axis] = from === NONE ? this.in.before[axis] : this.x0[axis][from];
      } else {
        this.termsOver(axis, i);
        const x1 = this.x1[axis][i];
        if (i < this.based) base[axis] = this.e[axis][i];
        else base[axis] = job.baselines === 1 ? x1 : 2 * x1 - this.x2[axis][i];
      }
      let sum = 0;
      for (let k = 0; k < TERMS; k++) sum = (sum + Math.imul(weights.linear[axis][k], terms[k])) | 0;
      linear[axis] = sum;
      w[axis] = sum;
    }
    for (let k = 0; k < 4 && job.baselines > 0; k++) {
      if (links[k] !== NONE && weights.length[k] !== 0) this.correct(i, links[k], weights.length[k]);
    }
    this.finish(i);
  }

  /** @param {number} i */
  finish(i) {
    const reader = this.in;
    for (let axis = 0; axis < 3; axis++) {
      const full = (this.w[axis] + 128) | 0;
      const residual = reader.residual(axis, this.activity(this.magnitude[axis], reader.last[axis]), (full & 255) - 128);
      const beyond = ((full >> 8) + residual) | 0;
      const x = (this.base[axis] + beyond) | 0;
      this.x0[axis][i] = x;
      this.e[axis][i] = beyond;
      reader.last[axis] = this.magnitude[axis][i] = magnitudeOf(residual);
      reader.before[axis] = x;
    }
  }

  /** @param {Uint16Array} magnitude @param {number} last */
  activity(magnitude, last) {
    const { links } = this;
    const a = links[0] !== NONE ? links[0] : links[1];
    const b = links[1] !== NONE ? links[1] : links[0];
    if (a === NONE) return 6 * last;
    const c = links[2] !== NONE ? links[2] : b;
    const d = links[3] !== NONE ? links[3] : b;
    return 2 * magnitude[a] + 2 * magnitude[b] + magnitude[c] + magnitude[d];
  }

  /** @param {number} axis @param {number} i */
  termsOver(axis, i) {
    const { links, terms, job } = this;
    const [x1, x2, x3, e] = [this.x1[axis], this.x2[axis], this.x3[axis], this.e[axis]];
    const a = links[0] !== NONE ? links[0] : links[1];
    const b = links[1] !== NONE ? links[1] : links[0];
    const c = links[2] !== NONE ? links[2] : b;
    const d = links[3] !== NONE ? links[3] : b;
    const [two, three] = [job.baselines > 1 ? 1 : 0, job.baselines > 2 ? 1 : 0];
    const v = (x1[i] - two * x2[i]) | 0;
    const acceleration = three ? (v - x2[i] + x3[i]) | 0 : 0;
    let [nearV, nearA, farV, farA] = [0, 0, 0, 0];
    for (let k = 0; k < LINKS; k++) {
      const j = links[k];
      if (j === NONE) continue;
      const vj = (x1[j] - two * x2[j]) | 0;
      const aj = three ? (vj - x2[j] + x3[j]) | 0 : 0;
      if ((k & 2) === 0) {
        nearV = (nearV + vj - v) | 0;
        nearA = (nearA + aj - acceleration) | 0;
      } else {
        farV = (farV + vj - v) | 0;
        farA = (farA + aj - acceleration) | 0;
      }
    }
    terms[0] = two ? v : 0;
    terms[1] = three ? acceleration : c === NONE ? 0 : e[c];
    terms[2] = a === NONE ? 0 : e[a];
    terms[3] = b === NONE ? 0 : e[b];
    terms[4] = nearV;
    terms[5] = three ? nearA : d === NONE ? 0 : e[d];
    terms[6] = farV;
    terms[7] = farA;
  }

  /** @param {Int32Array} x */
  termsAlone(x) {
    const { links, terms, far, job } = this;
    const [a, b, c, d] = links;
    for (let k = 0; k < 3; k++) {
      if (links[k] === NONE) far[k].fill(NONE);
      else linksOf(this.object, job.links, links[k], far[k]);
    }
    const difference = (/** @type {number} */ p, /** @type {number} */ q) => (p === NONE || q === NONE ? 0 : (x[p] - x[q]) | 0);
    terms[0] = a === NONE ? 0 : difference(b, c);
    terms[1] = difference(a, far[0][0]);
    terms[2] = difference(d, b);
    terms[3] = difference(b, far[1][1]) - difference(c, far[2][1]);
    terms[4] = difference(c, far[2][0]);
    terms[5] = a === NONE ? difference(b, far[1][1]) : 0;
    terms[6] = 0;
    terms[7] = 0;
    return a !== NONE ? a : b;
  }

  /** Adds a weight for particle j, chosen by the length of the link to it. @param {number} i @param {number} j @param {number} weight */
  correct(i, j, weight) {
    const { ahead, base, linear, w, x0, x1, weights } = this;
    const before = this.job.baselines === 1 ? x1 : this.x2;
    let length = 0;
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const now = (x1[axis][i] - x1[axis][j]) | 0;
      const then = (before[axis][i] - before[axis][j]) | 0;
      length = (length + Math.imul(now, now) + Math.imul(then, then)) | 0;
      ahead[axis] = (((base[axis] - x0[axis][j]) | 0) << 2) + (((linear[axis] + 32) | 0) >> 6);
      squared = (squared + Math.imul(ahead[axis], ahead[axis])) | 0;
    }
    const off = clamp((((length << 3) - squared) | 0) >> weights.shift, 1 << 14);
    const share = clamp(((Math.imul(off, weight) + 512) | 0) >> 10, 1 << 12);
    for (let axis = 0; axis < 3; axis++) {
      w[axis] += ((Math.imul(clamp(ahead[axis], 1 << 17), share) + 32) | 0) >> 6;
    }
  }
}

/** @typedef {{first: number, count: number, columns: number, rows: number, table: number, kind: number}} CodedObject */

/**
 * @typedef {object} Job input and output of the decoder; positions are stored as three planes of `particles` numbers
 * @property {CodedObject[]} objects of the stream
 * @property {number[]} which indices of the objects in this frame, ascending
 * @property {Int32Array} links
 * @property {number} particles of the stream
 * @property {number} baselines
 * @property {Int32Array} x1
 * @property {Int32Array} x2
 * @property {Int32Array} x3
 * @property {Int32Array} x0 output: the decoded frame
 * @property {Int32Array} e scratch memory
 * @property {Uint16Array} magnitude scratch memory
 * @property {Uint32Array} payload
 */

/** @param {Job} job @returns {number} SOUND, or a fault; after a fault the content of x0 is undefined */
export function decodePayload(job) {
  const { payload } = job;
  if (payload.length < 4) return CUT_OFF;
  const coded = payload[0];
  if (Math.ceil(coded / 2) > payload.length - 4) return CUT_OFF;
  for (let k = 1; k < 4; k++) if (payload[k] < STATE_LEAST || payload[k] > 0x7fffffff) return BAD_VALUE;
  const reader = new Reader(payload, coded);
  for (const index of job.which) {
    if (reader.failed) break;
    new Work(job, job.objects[index], reader).decode();
  }
  if (reader.failed) return CUT_OFF;
  return reader.isOver() ? SOUND : LEFT_OVER;
}
