// SPDX-License-Identifier: MIT
// Decodes a stream of frames in coding 2 (proto/FRAMES.md). Each frame is predicted from up to three earlier ones, so a
// stream stores the last frames, all of one epoch and one selection of objects. WebAssembly does the decoding; where it is
// missing, an implementation in JavaScript gives the same bits.
//
//     const stream = new FrameStream(topology);
//     const frame = stream.decode(message);    a Frame; null for a rest message, or if an earlier frame is missing
//
// The positions of sleeping objects that a frame leaves out are filled in from earlier messages, so positions always cover
// the whole selection.

import { decodePayload, SOUND } from './codec_javascript.js';
import { MODULE } from './codec_wasm.js';
import { FrameError } from './errors.js';

const LINKS = 8;
const NONE = -1;
const RING = 4; // the newest frame and the three earlier ones that it may be predicted from
const OBJECT_WORDS = 6;
const JOB_WORDS = 16;
const PLACED_AT_ONCE = 4096; // particles converted per call: few enough to stay in the processor's cache
const DISTANCE_MOST = 255;
const KIND_SHEET = 0;
const KIND_BODY = 1;
const FAULTS = ['', 'the payload is cut off', 'the payload goes on behind the last particle', 'a state of the coder is none'];

// ---- links -----------------------------------------------------------------------------------------------------------

/**
 * Inserts j into the list of the four nearest neighbours of i on its side, nearest first and without duplicates.
 * @param {Int32Array} links @param {number} at of particle i @param {number} i @param {number} j
 */
function addLink(links, at, i, j) {
  const side = j < i ? at : at + 4;
  let candidate = j;
  for (let k = side; k < side + 4 && candidate !== NONE; k++) {
    const there = links[k];
    if (there === candidate) return;
    if (there === NONE || (j < i ? candidate > there : candidate < there)) {
      links[k] = candidate;
      candidate = there;
    }
  }
}

/** @param {Int32Array} links @param {number} at of particle `from` @param {number} from @param {number} count @param {number} reach */
function linkNear(links, at, from, count, reach) {
  for (let i = from; i < count; i++) {
    for (let distance = 1; distance <= reach; distance++) {
      if (i >= distance) addLink(links, at + LINKS * (i - from), i, i - distance);
      if (i + distance < count) addLink(links, at + LINKS * (i - from), i, i + distance);
    }
  }
}

/** @param {Int32Array} links @param {number} at of particle 0 @param {Uint32Array} triangles */
function linkTriangles(links, at, triangles) {
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const i = triangles[t + k];
      const j = triangles[t + ((k + 1) % 3)];
      if (i === j) continue;
      addLink(links, at + LINKS * i, i, j);
      addLink(links, at + LINKS * j, j, i);
    }
  }
}

/** @typedef {import('./shapes.js').Shape} Shape */
/** @typedef {import('./codec_javascript.js').CodedObject & {slot: number}} LaidObject */
/** @typedef {{objects: LaidObject[], links: Int32Array, particles: number, widest: number}} Layout */
/** @typedef {import('./frame.js').Range} Range */

/**
 * Connects the particles of each kind of object with their neighbours; kinds that are not listed take the edges of their
 * triangles.
 * @type {Record<string, (object: Shape, links: Int32Array, at: number) => void>}
 */
const LINKED = {
  cloth: ({ particles, columns = 0, rows = 0 }, links, at) => linkNear(links, at, columns * rows, particles, 2),
  rope: ({ particles }, links, at) => linkNear(links, at, 0, particles, 2),
  body: ({ particles }, links, at) => linkNear(links, at, 0, particles, 3),
  particles: () => {},
};

/** @param {readonly Shape[]} objects of a stream, in the order of their slots @returns {Layout} */
export function layOut(objects) {
  /** @type {LaidObject[]} */
  const laid = [];
  let first = 0;
  let linked = 0;
  for (const { kind, particles, columns = 0, rows = 0, first: slot } of objects) {
    const lattice = kind === 'cloth' ? columns * rows : 0;
    laid.push({
      slot,
      first,
      count: particles,
      columns: lattice > 0 ? columns : 0,
      rows: lattice > 0 ? rows : 0,
      table: linked,
      kind: kind === 'body' || kind === 'particles' ? KIND_BODY : KIND_SHEET,
    });
    first += particles;
    linked += particles - lattice;
  }
  const links = new Int32Array(LINKS * linked).fill(NONE);
  objects.forEach((object, i) => {
    const at = LINKS * laid[i].table;
    if (LINKED[object.kind]) LINKED[object.kind](object, links, at);
    else linkTriangles(links, at, object.triangles);
  });
  return { objects: laid, links, particles: first, widest: Math.max(1, ...laid.map(({ columns }) => columns)) };
}

// ---- decoders -------------------------------------------------------------------------------------------------------
// A decoder stores the coordinate planes of a stream in a ring of four, plus one for resting positions. It decodes a payload
// into one of these planes, and converts a plane to positions.

class JavaScriptEngine {
  /** @param {Layout} layout */
  constructor({ objects, links, particles }) {
    this.layout = { objects, links, particles };
    this.planes = Array.from({ length: RING + 1 }, () => new Int32Array(3 * particles));
    this.e = new Int32Array(3 * particles);
    this.magnitude = new Uint16Array(3 * particles);
  }

  /** @param {Uint32Array} payload @param {number[]} which @param {number} baselines @param {number[]} planes indices of x0, x1, x2 and x3 */
  run(payload, which, baselines, [x0, x1, x2, x3]) {
    const plane = (/** @type {number} */ index) => this.planes[index];
    return decodePayload({
      ...this.layout, which, baselines, payload, e: this.e, magnitude: this.magnitude,
      x0: plane(x0), x1: plane(x1), x2: plane(x2), x3: plane(x3),
    });
  }

  /** @param {number} index @param {number} step @param {Float32Array} positions */
  place(index, step, positions) {
    const planes = this.planes[index];
    const { particles } = this.layout;
    for (let i = 0; i < particles; i++) {
      for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = planes[axis * particles + i] * step;
    }
  }
}

/** @type {WebAssembly.Module | null | undefined} undefined: not compiled yet; null: not available */
let module;

function compiled() {
  if (module === undefined) {
    try {
      module = new WebAssembly.Module(Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0)));
    } catch {
      module = null; // no WebAssembly, or WebAssembly without SIMD
    }
  }
  return module;
}

/**
 * The exports of the module; proto/codec_wasm.c documents them.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => number} weft_heap
 * @property {(job: number) => number} weft_decode
 * @property {(plane: number, particles: number, first: number, count: number, step: number, out: number) => void} weft_place
 * @property {(columns: number, rows: number) => number} weft_cloth_words
 */

class WasmEngine {
  /** @param {WebAssembly.Module} code @param {Layout} layout */
  constructor(code, { objects, links, particles, widest }) {
    const { exports } = new WebAssembly.Instance(code);
    const { memory, weft_heap, weft_decode, weft_place, weft_cloth_words } = /** @type {Exports} */ (/** @type {unknown} */ (exports));
    this.memory = memory;
    this.decode = weft_decode;
    this.placeSome = weft_place;
    this.particles = particles;
    let at = weft_heap();
    const take = (/** @type {number} */ bytes) => {
      const taken = (at + 15) & ~15;
      at = taken + bytes;
      return taken;
    };
    this.job = take(4 * JOB_WORDS);
    this.objects = take(4 * OBJECT_WORDS * objects.length);
    this.links = take(4 * links.length);
    this.which = take(4 * objects.length);
    this.at = Array.from({ length: RING + 1 }, () => take(12 * particles));
    this.e = take(12 * particles);
    this.magnitude = take(6 * particles);
    this.ahead = take(80 * widest);
    this.cloth = take(4 * Math.max(0, ...objects.map(({ columns, rows }) => weft_cloth_words(columns, rows))));
    this.out = take(12 * PLACED_AT_ONCE);
    this.message = take(0);
    this.#grow(this.message);
    const words = new Int32Array(memory.buffer);
    objects.forEach((o, i) => words.set([o.first, o.count, o.columns, o.rows, o.table, o.kind], this.objects / 4 + OBJECT_WORDS * i));
    words.set(links, this.links / 4);
    this.buffer = memory.buffer;
    this.planes = this.#planes();
    this.placed = this.#placed();
  }

  /** @param {number} end */
  #grow(end) {
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
  }

  #planes() {
    return this.at.map((at) => new Int32Array(this.memory.buffer, at, 3 * this.particles));
  }

  #placed() {
    return new Float32Array(this.memory.buffer, this.out, 3 * PLACED_AT_ONCE);
  }

  // Growing the memory replaces its buffer.
  #view() {
    if (this.buffer === this.memory.buffer) return;
    this.buffer = this.memory.buffer;
    this.planes = this.#planes();
    this.placed = this.#placed();
  }

  /** @param {Uint32Array} payload @param {number[]} which @param {number} baselines @param {number[]} planes indices of x0, x1, x2 and x3 */
  run(payload, which, baselines, [x0, x1, x2, x3]) {
    this.#grow(this.message + payload.byteLength);
    this.#view();
    const words = new Uint32Array(this.buffer);
    words.set(payload, this.message / 4);
    words.set(which, this.which / 4);
    const plane = (/** @type {number} */ index) => this.at[index];
    words.set([
      this.objects, this.which, which.length, this.links, this.particles, baselines, plane(x1), plane(x2), plane(x3), plane(x0),
      this.e, this.magnitude, this.ahead, this.cloth, this.message, payload.length,
    ], this.job / 4);
    return this.decode(this.job);
  }

  /** @param {number} index @param {number} step @param {Float32Array} positions */
  place(index, step, positions) {
    for (let first = 0; first < this.particles; first += PLACED_AT_ONCE) {
      const count = Math.min(PLACED_AT_ONCE, this.particles - first);
      this.placeSome(this.at[index], this.particles, first, count, step, this.out);
      positions.set(count < PLACED_AT_ONCE ? this.placed.subarray(0, 3 * count) : this.placed, 3 * first);
    }
  }
}

/** @param {Layout} layout @param {'wasm' | 'javascript' | undefined} wanted the implementation; the fastest available one by default */
function makeEngine(layout, wanted) {
  const code = wanted === 'javascript' ? null : compiled();
  if (code) {
    try {
      return new WasmEngine(code, layout);
    } catch (error) {
      if (wanted) throw error; // without a choice, the JavaScript decoder is used when WebAssembly runs out of memory
    }
  }
  if (wanted === 'wasm') throw new Error('WebAssembly with SIMD is not available');
  return new JavaScriptEngine(layout);
}

// ---- a stream --------------------------------------------------------------------------------------------------------

/**
 * @typedef {object} Packed a message in coding 2 whose header and ranges frame.js has parsed and checked
 * @property {import('./frame.js').Header} header
 * @property {Range[] | null} ranges null: the whole world
 * @property {Uint32Array} payload
 * @property {boolean} refresh
 * @property {boolean} keyframe
 * @property {boolean} partial
 * @property {boolean} rest
 */

/** The frames of one subscription in one epoch. */
export class FrameStream {
  #topology;
  /** @type {JavaScriptEngine | WasmEngine | null} */
  #engine = null;
  /** @type {Layout} */
  #layout = layOut([]);
  /** @type {Map<number, number>} slot → index of the object in the layout */
  #bySlot = new Map();
  /** @type {Range[] | null} the ranges of the first message */
  #choice = null;
  /** indices of planes, newest frame first */
  #ring = [0, 1, 2, 3];
  /** @type {number[]} ticks of the frames in the ring */
  #ticks = [];
  #step = 0;
  #wanted;

  /**
   * @param {{objects: readonly Shape[]}} topology a Topology or Shapes
   * @param {'wasm' | 'javascript'} [engine]
   */
  constructor(topology, engine) {
    this.#topology = topology;
    this.#wanted = engine;
  }

  /**
   * Decodes a message. Every message of a stream must be decoded, even if its frame is not displayed.
   * @param {Packed} packed
   * @returns {'frame' | 'rest' | 'missing'} 'missing': the message is predicted from frames that are not stored, so the
   *   caller has to wait for the next keyframe
   */
  take(packed) {
    const { header } = packed;
    const distances = baselinesOf(header);
    if (packed.keyframe !== (distances.length === 0)) throw new FrameError('a frame without baselines is a keyframe, and only such a frame is');
    if (packed.rest && distances.length > 0) throw new FrameError('a rest message has no baselines');
    const engine = this.#open(packed);
    const which = this.#find(packed);
    if (packed.rest) {
      const before = engine.planes[RING].slice();
      try {
        run(engine, packed, which, 0, [RING, RING, RING, RING]);
      } catch (error) {
        engine.planes[RING].set(before);
        throw error;
      }
      return 'rest';
    }
    const again = this.#ticks[0] === header.tick; // a refresh replaces the frame of the same tick
    const known = again ? this.#ticks.slice(1) : this.#ticks;
    if (!distances.every((distance, i) => known[i] === header.tick - distance)) return 'missing';
    if (!again) this.#ring.unshift(...this.#ring.splice(-1));
    this.#ticks = known.slice(0, RING - 1); // the newest frame is added only if it is decoded without a fault
    if (which.length < this.#layout.objects.length) engine.planes[this.#ring[0]].set(engine.planes[RING]);
    try {
      run(engine, packed, which, distances.length, this.#ring);
    } catch (error) {
      this.#ticks = [];
      throw error;
    }
    this.#ticks.unshift(header.tick);
    return 'frame';
  }

  /**
   * Returns the newest frame.
   * @param {(byteLength: number) => ArrayBuffer} allocate allocates the buffer for the positions
   * @returns {{positions: Float32Array, ranges: Range[] | null}}
   */
  place(allocate) {
    const positions = new Float32Array(allocate(12 * this.#layout.particles));
    this.#engine?.place(this.#ring[0], this.#step, positions);
    return { positions, ranges: this.#choice };
  }

  /**
   * Decodes a message and returns its frame.
   * @param {Packed} packed
   * @param {(byteLength: number) => ArrayBuffer} allocate
   * @returns {{positions: Float32Array, ranges: Range[] | null} | null} null: the message has no frame to display
   */
  decode(packed, allocate) {
    return this.take(packed) === 'frame' ? this.place(allocate) : null;
  }

  /**
   * The selection is the whole world, unless the first message names its objects without leaving out sleeping ones.
   * @param {Packed} packed
   */
  #open({ header, ranges, partial, rest }) {
    if (this.#engine) {
      if (header.step !== this.#step) throw new FrameError('the step of a stream must not change');
      return this.#engine;
    }
    if (!(header.step > 0 && header.step < Infinity)) throw new FrameError(`invalid step of ${header.step} m`);
    const all = this.#topology.objects;
    const chosen = partial || rest ? null : ranges;
    const bySlot = new Map(all.filter(({ particles }) => particles > 0).map((object) => [object.first, object]));
    const objects = chosen ? chosen.filter(({ count }) => count > 0).map((range) => objectAt(bySlot, range)) : all.filter(({ particles }) => particles > 0);
    for (let i = 1; i < objects.length; i++) if (objects[i].first <= objects[i - 1].first) throw new FrameError('ranges must be in ascending order');
    this.#choice = chosen;
    this.#layout = layOut(objects);
    this.#layout.objects.forEach((object, i) => this.#bySlot.set(object.slot, i));
    this.#engine = makeEngine(this.#layout, this.#wanted);
    this.#step = header.step;
    return this.#engine;
  }

  /** Returns the indices of the stream's objects that a message contains. @param {Packed} packed */
  #find({ header, ranges }) {
    const { objects, particles } = this.#layout;
    if (!ranges) {
      if (this.#choice || header.count !== particles) throw new FrameError(`${header.count} particles in a stream of ${particles}`);
      return objects.map((_, i) => i);
    }
    /** @type {number[]} */
    const which = [];
    for (const { first, count } of ranges) {
      if (count === 0) continue;
      const index = this.#bySlot.get(first) ?? -1;
      if (index <= (which.at(-1) ?? -1) || objects[index].count !== count) throw new FrameError(`no object has ${count} particles from ${first} on`);
      which.push(index);
    }
    return which;
  }
}

/**
 * @param {JavaScriptEngine | WasmEngine} engine @param {Packed} packed @param {number[]} which @param {number} baselines
 * @param {number[]} planes indices of x0, x1, x2 and x3
 */
function run(engine, { payload }, which, baselines, planes) {
  const fault = engine.run(payload, which, baselines, planes);
  if (fault !== SOUND) throw new FrameError(FAULTS[fault]);
}

/** @param {Map<number, Shape>} bySlot @param {Range} range */
function objectAt(bySlot, { first, count }) {
  const object = bySlot.get(first);
  if (object?.particles !== count) throw new FrameError(`no object has ${count} particles from ${first} on`);
  return object;
}

/** The distances of the baselines from the frame in ticks, nearest first: d, 2d, 3d. @param {import('./frame.js').Header} header */
function baselinesOf({ baselines }) {
  const bytes = [0, 8, 16, 24].map((shift) => (baselines >>> shift) & DISTANCE_MOST);
  const count = bytes.indexOf(0);
  const distances = bytes.slice(0, count < 0 ? 4 : count);
  const sound = distances.length <= 3 && distances.every((distance, i) => distance === (i + 1) * distances[0]);
  if (!sound || bytes.slice(distances.length).some((byte) => byte !== 0)) throw new FrameError(`invalid baseline distances ${bytes}`);
  return distances;
}
