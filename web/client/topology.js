// SPDX-License-Identifier: MIT
// What a world is made of: objects, obstacles, sticks, grabs, bounds. A Topology never changes; each change makes a new one
// that shares the records of all objects which stayed as they were, so that a viewer can tell by identity what is new.
//
// decodeTopology reads the binary message (proto/FRAMES.md) into a TopologyChange, which owns its arrays and may be handed
// from one thread to another; Topology.apply makes the next topology of it.

import { FrameError } from './errors.js';
import { HEADER_BYTES, MESSAGE_TOPOLOGY, messageWords, readHeader } from './frame.js';
import { bodyTriangles, clothTriangles, ropeSticks } from './lattice.js';

const FLAG_DELTA = 1;
const TEXT_WORD = HEADER_BYTES / 4 + 1;
const PARTICLES_MOST = 2 ** 24; // float32 positions of more would not fit into one buffer of every browser

/**
 * @typedef {object} WorldObject
 * @property {number} id never used again
 * @property {'particles' | 'cloth' | 'mesh' | 'rope' | 'body'} kind
 * @property {string} name
 * @property {string | null} color '#rrggbb'
 * @property {number} first slot of its first particle
 * @property {number} particles how many
 * @property {number} radius m
 * @property {number[]} pins pinned particles, local
 * @property {number} [columns] of a cloth
 * @property {number} [rows] of a cloth
 * @property {number} [spacing] of a cloth, m
 * @property {'grid' | 'hex'} [mesh] lattice of a cloth
 * @property {Uint32Array} triangles three local indices each; empty where there are none
 * @property {Uint32Array | null} sticks two local indices each: the chain of a rope
 */

/**
 * @typedef {object} TopologyChange
 * @property {number} epoch
 * @property {number | null} base the epoch that a delta changes; null: a whole topology
 * @property {number} particles of the world, after the change
 * @property {number[]} removed ids
 * @property {WorldObject[]} objects all, or those added; `first` not yet set
 * @property {object[]} obstacles
 * @property {object[]} sticks
 * @property {object[]} grabs
 * @property {{min: number[], max: number[]}} bounds
 */

/**
 * @param {ArrayBuffer | ArrayBufferView} message
 * @returns {TopologyChange}
 */
export function decodeTopology(message) {
  const words = messageWords(message);
  const header = readHeader(words);
  if (header.type !== MESSAGE_TOPOLOGY || header.coding !== 0) throw new FrameError(`type ${header.type} is no topology`);
  if (header.count > PARTICLES_MOST) throw new FrameError(`${header.count} particles are more than ${PARTICLES_MOST}`);
  const textBytes = words.length >= TEXT_WORD ? words[TEXT_WORD - 1] : Infinity;
  const arrayWord = TEXT_WORD + Math.ceil(textBytes / 4);
  if (arrayWord > words.length) throw new FrameError('the text does not fit into the message');
  const text = parseText(new Uint8Array(words.buffer, words.byteOffset + TEXT_WORD * 4, textBytes));
  const isDelta = (header.flags & FLAG_DELTA) !== 0;
  if (isDelta !== Number.isInteger(text.base)) throw new FrameError('a delta names its base, and nothing else does');
  const array = words.subarray(arrayWord);
  return {
    epoch: header.epoch,
    base: isDelta ? text.base : null,
    particles: header.count,
    removed: list(text, 'removed'),
    objects: list(text, 'objects').map((object) => readObject(object, array, header.count)),
    obstacles: list(text, 'obstacles'),
    sticks: list(text, 'sticks'),
    grabs: list(text, 'grabs'),
    bounds: text.bounds,
  };
}

function parseText(bytes) {
  let text;
  try {
    text = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FrameError(`the text of a topology is no JSON: ${error.message}`);
  }
  if (text === null || typeof text !== 'object') throw new FrameError('the text of a topology is no object');
  return text;
}

function list(text, member) {
  if (!Array.isArray(text[member])) throw new FrameError(`"${member}" of a topology is no list`);
  return text[member];
}

function readObject(object, array, mostParticles) {
  if (object === null || typeof object !== 'object') throw new FrameError('an object of a topology is none');
  const { id, kind, particles } = object;
  if (!Number.isInteger(id) || !Number.isInteger(particles) || particles < 0 || particles > mostParticles) {
    throw new FrameError(`object ${id} with ${particles} particles`);
  }
  return {
    name: '',
    color: null,
    radius: 0,
    pins: [],
    ...object,
    first: 0,
    triangles: readTriangles(object, array),
    sticks: kind === 'rope' ? ropeSticks(particles) : null,
  };
}

function readTriangles(object, array) {
  switch (object.kind) {
    case 'cloth': {
      const { columns, rows, particles } = object;
      if (!Number.isInteger(columns) || !(columns >= 1) || columns * rows !== particles) {
        throw new FrameError(`a cloth of ${columns} × ${rows} has not ${particles} particles`);
      }
      return clothTriangles(columns, rows, object.mesh);
    }
    case 'mesh':
      return sliceTriangles(object, array);
    case 'body':
      if (object.particles !== 4) throw new FrameError(`a body has four particles, not ${object.particles}`);
      return bodyTriangles();
    default:
      return new Uint32Array(0);
  }
}

function sliceTriangles({ id, particles, triangles }, array) {
  const { offset, count } = triangles ?? {};
  if (!Number.isInteger(offset) || !Number.isInteger(count) || offset < 0 || count < 0 || offset + 3 * count > array.length) {
    throw new FrameError(`the triangles of object ${id} lie outside of the message`);
  }
  const indices = array.slice(offset, offset + 3 * count);
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= particles) throw new FrameError(`a triangle of object ${id} has corner ${indices[i]} of ${particles}`);
  }
  return indices;
}

/** The arrays of a change, to be handed over with it. @param {TopologyChange} change @returns {ArrayBuffer[]} */
export function changeBuffers(change) {
  return change.objects.flatMap(({ triangles, sticks }) => (sticks ? [triangles.buffer, sticks.buffer] : [triangles.buffer]));
}

/** How events change a topology within its epoch: name → (topology, params) → the members that differ. */
const EVENT_CHANGES = {
  'particle.pinned': (topology, { object, particles }) => ({
    objects: withPins(topology, object, (pins) => [...new Set([...pins, ...particles])].sort((a, b) => a - b)),
  }),
  'particle.unpinned': (topology, { object, particles }) => ({
    objects: withPins(topology, object, (pins) => pins.filter((pin) => !particles.includes(pin))),
  }),
  'obstacle.added': (topology, { obstacle }) => ({ obstacles: [...without(topology.obstacles, obstacle.id), obstacle] }),
  'obstacle.removed': (topology, { obstacle }) => ({ obstacles: without(topology.obstacles, obstacle) }),
  'stick.removed': (topology, { stick }) => ({ sticks: without(topology.sticks, stick) }),
  'grab.started': (topology, { grab, object, particles, weights, client }) => ({
    grabs: [...withoutGrab(topology, grab), { grab, object, particles, weights, client }],
  }),
  'grab.ended': (topology, { grab }) => ({ grabs: withoutGrab(topology, grab) }),
};

function withPins(topology, id, change) {
  return topology.objects.map((object) => (object.id === id ? Object.freeze({ ...object, pins: change(object.pins) }) : object));
}

function without(items, id) {
  return items.filter((item) => item.id !== id);
}

function withoutGrab(topology, id) {
  return topology.grabs.filter(({ grab }) => grab !== id);
}

/** The make-up of a world in one epoch; immutable. */
export class Topology {
  #byId;

  constructor({ epoch, particles, objects, obstacles, sticks, grabs, bounds }) {
    /** @type {number} */
    this.epoch = epoch;
    /** @type {number} of the world */
    this.particles = particles;
    /** @type {readonly WorldObject[]} in the order of their slots */
    this.objects = Object.freeze(objects);
    /** @type {readonly object[]} */
    this.obstacles = Object.freeze(obstacles);
    /** @type {readonly object[]} made by stick.add */
    this.sticks = Object.freeze(sticks);
    /** @type {readonly object[]} */
    this.grabs = Object.freeze(grabs);
    this.bounds = bounds;
    this.#byId = new Map(objects.map((object) => [object.id, object]));
    Object.freeze(this);
  }

  /** @param {number} id @returns {WorldObject | undefined} */
  findObject(id) {
    return this.#byId.get(id);
  }

  /**
   * The topology after a change. Throws a FrameError where the two do not fit together.
   * @param {Topology | null} topology
   * @param {TopologyChange} change
   * @returns {Topology}
   */
  static apply(topology, change) {
    if (change.base !== null && topology?.epoch !== change.base) {
      throw new FrameError(`a delta of epoch ${change.base} on epoch ${topology?.epoch ?? 'none'}`);
    }
    const removed = new Set(change.removed);
    const kept = change.base === null ? [] : topology.objects.filter(({ id }) => !removed.has(id));
    const objects = [...kept, ...change.objects];
    let first = 0;
    for (let i = 0; i < objects.length; i++) {
      if (i > 0 && objects[i].id <= objects[i - 1].id) throw new FrameError('objects stand in the order of their ids');
      if (objects[i].first !== first || !Object.isFrozen(objects[i])) objects[i] = Object.freeze({ ...objects[i], first });
      first += objects[i].particles;
    }
    if (first !== change.particles) throw new FrameError(`objects of ${first} particles in a world of ${change.particles}`);
    return new Topology({ ...change, objects });
  }

  /**
   * The topology after an event, or the same one where the event changes nothing in it.
   * @param {Topology} topology
   * @param {string} name
   * @param {object} params
   * @returns {Topology}
   */
  static applyEvent(topology, name, params) {
    const change = EVENT_CHANGES[name];
    return change ? new Topology({ ...topology, ...change(topology, params) }) : topology;
  }
}
