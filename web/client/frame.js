// SPDX-License-Identifier: MIT
// Decoding of binary frames, exactly as proto/FRAMES.md lays them out.
//
// All lengths are checked before decoding: a valid message is then read in bulk, an invalid one causes a FrameError. The
// decoder never reads outside the message and never allocates more memory than its blocks can fill. Positions are in m, three
// numbers per particle. Typed arrays view the message in place, which requires a little-endian machine; every browser runs on
// one.

import { FrameError } from './errors.js';

export const HEADER_BYTES = 32;
export const MESSAGE_FRAME = 1;
export const MESSAGE_TOPOLOGY = 2;

const CODING_RAW = 0;
const CODING_GRID = 1;
const CODING_MOTION = 2;
const FLAG_RANGES = 1;
const FLAG_REFRESH = 2;
const FLAG_KEYFRAME = 4;
const FLAG_PARTIAL = 8;
const FLAG_REST = 16;
const FLAGS_KNOWN = FLAG_RANGES | FLAG_REFRESH | FLAG_KEYFRAME | FLAG_PARTIAL | FLAG_REST;

const BLOCK_PARTICLES = 128;
const BLOCK_HEADER_WORDS = 4;
const HEADER_WORDS = HEADER_BYTES / 4;
const PARTICLE_WORDS = 3;
const TICK_HIGH_MAX = 2 ** 21; // keeps the tick within the safe integers

/**
 * @typedef {object} Header
 * @property {number} type 1 frame, 2 topology
 * @property {number} coding
 * @property {number} flags
 * @property {number} epoch
 * @property {number} tick
 * @property {number} first
 * @property {number} count number of particles
 * @property {number} step quantization step, m
 * @property {number} baselines the four baseline distances, packed in one u32
 */

/** @typedef {{first: number, count: number}} Range a range of particle slots */

/**
 * @typedef {object} Frame
 * @property {number} tick
 * @property {number} epoch
 * @property {boolean} refresh the frame replaces the one of the same tick, because commands changed the paused world
 * @property {boolean} keyframe can be decoded without earlier frames
 * @property {boolean} partial the ranges leave out sleeping objects; see RestingPlaces
 * @property {boolean} rest not for display: the final positions of objects that came to rest
 * @property {Float32Array} positions m, three per particle: the whole world in slot order, or the ranges one after another
 * @property {Range[] | null} ranges null for the whole world
 * @property {number} count particles
 * @property {number} bytes size of the message
 * @property {number} [receivedAt] arrival time in ms, on the clock of performance.now() in the reader's thread
 */

/**
 * Views a message of any binary type as 32-bit words.
 * @param {ArrayBuffer | ArrayBufferView} message
 * @returns {Uint32Array}
 */
export function messageWords(message) {
  if (message.byteLength < HEADER_BYTES) throw new FrameError(`a message of ${message.byteLength} bytes is too short for a header`);
  if (message.byteLength % 4 !== 0) throw new FrameError(`the length of a message must be a multiple of 4, not ${message.byteLength}`);
  if (!ArrayBuffer.isView(message)) return new Uint32Array(message);
  const { buffer, byteOffset, byteLength } = message;
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

/**
 * @param {Uint32Array} words words of a whole message
 * @returns {Header}
 */
export function readHeader(words) {
  const tickHigh = words[3];
  if (tickHigh >= TICK_HIGH_MAX) throw new FrameError('the tick is past 2^53');
  return {
    type: words[0] & 0xff,
    coding: (words[0] >>> 8) & 0xff,
    flags: words[0] >>> 16,
    epoch: words[1],
    tick: tickHigh * 2 ** 32 + words[2],
    first: words[4],
    count: words[5],
    step: new Float32Array(words.buffer, words.byteOffset + 24, 1)[0],
    baselines: words[7],
  };
}

/**
 * Decodes one frame.
 * @param {ArrayBuffer | ArrayBufferView} message
 * @param {(byteLength: number) => ArrayBuffer} [allocate] allocates the buffer for the positions
 * @returns {Frame}
 */
export function decodeFrame(message, allocate = (byteLength) => new ArrayBuffer(byteLength)) {
  const words = messageWords(message);
  const header = readHeader(words);
  if (header.type !== MESSAGE_FRAME) throw new FrameError(`type ${header.type} is no frame`);
  if ((header.flags & ~FLAGS_KNOWN) !== 0) throw new FrameError(`unknown flags ${header.flags}`);
  if (header.baselines !== 0) throw new FrameError('no coding known here builds on earlier frames');
  const { ranges, payload } = readRanges(words, header);
  const decode = header.coding === CODING_RAW ? checkRaw(words, payload, header) : checkGrid(words, payload, header);
  const positions = new Float32Array(allocate(header.count * PARTICLE_WORDS * 4));
  decode(positions);
  return {
    tick: header.tick,
    epoch: header.epoch,
    refresh: (header.flags & FLAG_REFRESH) !== 0,
    keyframe: (header.flags & FLAG_KEYFRAME) !== 0,
    partial: (header.flags & FLAG_PARTIAL) !== 0,
    rest: (header.flags & FLAG_REST) !== 0,
    positions,
    ranges,
    count: header.count,
    bytes: message.byteLength,
  };
}

/** Whether a message is a frame of a stream (coding 2), which FrameStream decodes. @param {Header} header */
export function isMotion({ type, coding }) {
  return type === MESSAGE_FRAME && coding === CODING_MOTION;
}

/**
 * Parses and checks the header and ranges of a frame in coding 2, and returns its payload.
 * @param {ArrayBuffer | ArrayBufferView} message
 * @returns {import('./codec.js').Packed}
 */
export function unpackFrame(message) {
  const words = messageWords(message);
  const header = readHeader(words);
  if (!isMotion(header)) throw new FrameError(`type ${header.type} in coding ${header.coding} is no frame of a stream`);
  if ((header.flags & ~FLAGS_KNOWN) !== 0) throw new FrameError(`unknown flags ${header.flags}`);
  const { ranges, payload } = readRanges(words, header);
  return {
    header,
    ranges,
    payload: words.subarray(payload),
    refresh: (header.flags & FLAG_REFRESH) !== 0,
    keyframe: (header.flags & FLAG_KEYFRAME) !== 0,
    partial: (header.flags & FLAG_PARTIAL) !== 0,
    rest: (header.flags & FLAG_REST) !== 0,
  };
}

/** Whether a frame message holds resting positions. @param {Header} header */
export function isRest({ flags }) {
  return (flags & FLAG_REST) !== 0;
}

/** Whether a frame leaves out sleeping objects. @param {Header} header */
export function isPartial({ flags }) {
  return (flags & FLAG_PARTIAL) !== 0;
}

/** The positions of the sleeping objects that the frames of one epoch leave out. */
export class RestingPlaces {
  /** @type {Float32Array | null} allocated when the first object comes to rest */
  #positions = null;

  /** @param {number} particles number of particles in the world */
  constructor(particles) {
    this.particles = particles;
  }

  /** @param {Frame} rest */
  keep({ positions, ranges }) {
    this.#positions ??= new Float32Array(3 * this.particles);
    scatter(positions, ranges ?? [], this.#positions);
  }

  /**
   * Completes a partial frame with the resting positions.
   * @param {Frame} frame
   * @param {(byteLength: number) => ArrayBuffer} allocate
   * @returns {Frame}
   */
  complete(frame, allocate) {
    const positions = new Float32Array(allocate(12 * this.particles));
    if (this.#positions) positions.set(this.#positions);
    scatter(frame.positions, frame.ranges ?? [], positions);
    return { ...frame, positions, ranges: null, partial: false, count: this.particles };
  }
}

/** @param {Float32Array} packed @param {Range[]} ranges @param {Float32Array} positions of the world */
function scatter(packed, ranges, positions) {
  let at = 0;
  for (const { first, count } of ranges) {
    if (3 * (first + count) > positions.length) throw new FrameError(`particles ${first} to ${first + count} are not in the world`);
    positions.set(packed.subarray(at, at + 3 * count), 3 * first);
    at += 3 * count;
  }
}

/**
 * @param {Uint32Array} words @param {Header} header
 * @returns {{ranges: Range[] | null, payload: number}} `payload`: index of its first word
 */
function readRanges(words, header) {
  if ((header.flags & FLAG_RANGES) === 0) {
    if ((header.flags & (FLAG_PARTIAL | FLAG_REST)) !== 0) throw new FrameError('a frame that leaves something out names no ranges');
    if (header.first !== 0) throw new FrameError(`a frame of the whole world starts at particle 0, not ${header.first}`);
    return { ranges: null, payload: HEADER_WORDS };
  }
  const count = words.length > HEADER_WORDS ? words[HEADER_WORDS] : 0;
  const payload = HEADER_WORDS + 1 + 2 * count;
  if (payload > words.length) throw new FrameError(`${count} ranges do not fit into the message`);
  /** @type {Range[]} */
  const ranges = new Array(count);
  let particles = 0;
  for (let i = 0; i < count; i++) {
    const at = HEADER_WORDS + 1 + 2 * i;
    ranges[i] = { first: words[at], count: words[at + 1] };
    particles += words[at + 1];
  }
  if (particles !== header.count) throw new FrameError(`ranges of ${particles} particles in a frame of ${header.count}`);
  if (count > 0 && ranges[0].first !== header.first) throw new FrameError('the first range is not where the header says');
  return { ranges, payload };
}

/**
 * @param {Uint32Array} words @param {number} payload @param {Header} header
 * @returns {(positions: Float32Array) => void} decodes
 */
function checkRaw(words, payload, header) {
  if (words.length !== payload + header.count * PARTICLE_WORDS) {
    throw new FrameError(`${header.count} raw particles do not take ${words.length - payload} words`);
  }
  return (positions) => positions.set(new Float32Array(words.buffer, words.byteOffset + payload * 4, positions.length));
}

/**
 * Checks the headers of all blocks, so that decoding needs no further checks.
 * @param {Uint32Array} words @param {number} payload @param {Header} header
 * @returns {(positions: Float32Array) => void} decodes
 */
function checkGrid(words, payload, header) {
  if (header.coding !== CODING_GRID) throw new FrameError(`unknown coding ${header.coding}`);
  if (!(header.step > 0 && header.step < Infinity)) throw new FrameError(`a step of ${header.step} m is none`);
  let at = payload;
  let particles = 0;
  while (at < words.length) {
    if (at + BLOCK_HEADER_WORDS > words.length) throw new FrameError('the last block is cut off');
    const shape = words[at + 3];
    const n = (shape >>> 24) + 1;
    if (n > BLOCK_PARTICLES) throw new FrameError(`a block of ${n} particles`);
    const [bx, by, bz] = [shape & 0xff, (shape >>> 8) & 0xff, (shape >>> 16) & 0xff];
    if (bx > 32 || by > 32 || bz > 32) throw new FrameError(`a value of ${Math.max(bx, by, bz)} bits`);
    at += BLOCK_HEADER_WORDS + planeWords(n, bx) + planeWords(n, by) + planeWords(n, bz);
    particles += n;
  }
  if (at !== words.length) throw new FrameError('the last block is cut off');
  if (particles !== header.count) throw new FrameError(`blocks of ${particles} particles in a frame of ${header.count}`);
  return (positions) => decodeBlocks(words, payload, header.step, positions);
}

/** @param {number} n number of values @param {number} bits per value */
function planeWords(n, bits) {
  return (n * bits + 31) >>> 5;
}

/** @param {Uint32Array} words @param {number} payload @param {number} step m @param {Float32Array} positions */
function decodeBlocks(words, payload, step, positions) {
  let at = payload;
  for (let out = 0; out < positions.length; ) {
    const shape = words[at + 3];
    const n = (shape >>> 24) + 1;
    let plane = at + BLOCK_HEADER_WORDS;
    for (let axis = 0; axis < 3; axis++) {
      const bits = (shape >>> (8 * axis)) & 0xff;
      decodePlane(words, plane, n, bits, words[at + axis] | 0, step, positions, out + axis);
      plane += planeWords(n, bits);
    }
    at = plane;
    out += n * PARTICLE_WORDS;
  }
}

/**
 * Unpacks the values of a plane. Value i occupies the bits [i·b, (i + 1)·b) of the plane, counted from the low bit of its
 * first word.
 * @param {Uint32Array} words @param {number} plane the word at which it begins @param {number} n values @param {number} bits of each
 * @param {number} least @param {number} step m @param {Float32Array} positions @param {number} out where the first goes
 */
function decodePlane(words, plane, n, bits, least, step, positions, out) {
  if (bits === 0) {
    const value = least * step;
    for (let i = 0; i < n; i++, out += PARTICLE_WORDS) positions[out] = value;
    return;
  }
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  for (let i = 0, bit = 0; i < n; i++, bit += bits, out += PARTICLE_WORDS) {
    const word = plane + (bit >>> 5);
    const shift = bit & 31;
    let value = words[word] >>> shift;
    if (shift + bits > 32) value |= words[word + 1] << (32 - shift);
    positions[out] = (least + ((value & mask) >>> 0)) * step;
  }
}
