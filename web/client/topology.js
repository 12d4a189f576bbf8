// SPDX-License-Identifier: MIT
// The topology of a world: objects, obstacles, sticks, grabs, bounds. A Topology is immutable; each change makes a new one
// that shares the records of all unchanged objects, so a viewer detects changes by identity.
//
// decodeTopology parses the binary message (proto/FRAMES.md) into a TopologyChange, which owns its arrays and can be
// transferred to another thread. Topology.apply makes the next topology from it.

import { FrameError } from './errors.js';
import { HEADER_BYTES, MESSAGE_TOPOLOGY, messageWords, readHeader } from './frame.js';
import { bodyTriangles, clothTriangles, frameSticks, ropeSticks } from './lattice.js';
import { roundHull } from './round_shape.js';

const FLAG_DELTA = 1;
const TEXT_WORD = HEADER_BYTES / 4 + 1;
const PARTICLES_MOST = 2 ** 24; // the float32 positions of more particles would not fit into one buffer in every browser

/**
 * @typedef {object} WorldObject
 * @property {number} id never reused
 * @property {'particles' | 'cloth' | 'mesh' | 'rope' | 'body' | 'plant' | 'ragdoll' | 'soft'} kind
 * @property {string} name
 * @property {string | null} color '#rrggbb'
 * @property {number} first slot of the first particle
 * @property {number} particles number of particles
 * @property {number} radius m
 * @property {number[]} pins local indices of pinned particles
 * @property {boolean} asleep whether the object sleeps
 * @property {number} [columns] of a cloth
 * @property {number} [rows] of a cloth
 * @property {number} [spacing] of a cloth, m
 * @property {'grid' | 'hex'} [mesh] grid of a cloth
 * @property {'tetrahedron' | 'box' | 'hull' | 'frame' | 'sphere' | 'capsule' | 'cylinder' | 'compound'} [shape] of a body
 * @property {Uint32Array} triangles three local indices per triangle; empty if there are none
 * @property {Uint32Array | null} tetrahedra of a soft body, four local indices each
 * @property {Float32Array | null} rests of each tetrahedron the rows of the inverse of its edges at rest in 1/m, and its volume in m³
 * @property {Uint32Array | null} sticks two local indices per stick: the links of a rope, the axes of a frame body
 * @property {Hull | null} hull the shape embedded in the particles of a body that is neither a tetrahedron nor a frame
 */

/**
 * A shape whose vertex v is at Σ weights[4v + i] · particle i.
 * @typedef {object} Hull
 * @property {number} vertices number of vertices
 * @property {Float32Array} weights four per vertex, with the sum 1
 * @property {Uint32Array} triangles three vertices per triangle, facing outwards
 * @property {Float32Array} [bends] of round and compound bodies: four weights of the normal at each corner, with the sum 0
 * @property {Uint8Array} [smooth] for each of their triangles, 1 where the surface is round
 */

/**
 * @typedef {object} Tear
 * @property {number} id id of the object
 * @property {number} particles its number of particles after the tear; new ones come last
 * @property {Uint32Array} triangles the changed triangles, four numbers each: index of the triangle and its three corners
 * @property {number[]} pins
 * @property {boolean} asleep
 */

/**
 * @typedef {object} TopologyChange
 * @property {number} epoch
 * @property {number | null} base the epoch that a delta applies to; null for a whole topology
 * @property {number} particles number of particles in the world after the change
 * @property {number[]} removed ids of removed objects
 * @property {WorldObject[]} objects all objects, or the added and replaced ones of a delta; `first` is not set yet
 * @property {Tear[]} torn the objects that tore
 * @property {Obstacle[]} obstacles in a delta, only new obstacles have their arrays
 * @property {Stick[]} sticks
 * @property {Grab[]} grabs
 * @property {Bounds} bounds
 */

/** @typedef {[number, number, number]} Vector */
/** @typedef {[number, number, number, number]} Quaternion */
/** @typedef {{min: Vector, max: Vector}} Bounds m */
/** @typedef {import('./protocol.js').StickInfo} Stick a stick made by stick.add */
/** @typedef {{grab: number, object: number, particles: number[], weights: number[], client?: number}} Grab */

/** @typedef {{id: number, name: string, color: string | null, friction: number, restitution: number, motion?: import('./protocol.js').MotionInfo}} ObstacleBase with a motion, its place is where that began */
/** @typedef {ObstacleBase & {shape: 'sphere', position: Vector, radius: number}} Sphere */
/** @typedef {ObstacleBase & {shape: 'box', position: Vector, size: Vector, rotation?: Quaternion}} Box */
/** @typedef {ObstacleBase & {shape: 'plane', position: Vector, normal?: Vector}} Plane */
/** @typedef {ObstacleBase & {shape: 'capsule', from: Vector, to: Vector, radius: number}} Capsule */
/** @typedef {ObstacleBase & {shape: 'heightfield', position: Vector, columns: number, rows: number, spacing: number, heights: Float32Array}} Heightfield */
/** @typedef {ObstacleBase & {shape: 'mesh', position: Vector, rotation?: Quaternion, positions: Float32Array, triangles: Uint32Array}} ObstacleMesh */
/** @typedef {Sphere | Box | Plane | Capsule | Heightfield | ObstacleMesh} Obstacle an obstacle as in the protocol, with typed arrays */

/** @typedef {{offset: number, count: number}} ArrayPlace offset of an array in a message, in words, and its number of items */

/**
 * An object in the JSON text of a message; its arrays follow the text.
 * @typedef {Omit<WorldObject, 'first' | 'triangles' | 'tetrahedra' | 'rests' | 'sticks' | 'hull'> & {
 *   triangles?: ArrayPlace, tetrahedra?: ArrayPlace, rests?: ArrayPlace, sticks?: ArrayPlace, hull?: {vertices: number, weights: ArrayPlace, triangles: ArrayPlace,
 *   parts?: import('./round_shape.js').Part[], edges?: ArrayPlace}}} ObjectText
 */

/** @typedef {{id: number, particles: number, triangles: ArrayPlace, pins?: number[], asleep?: boolean}} TearText */
/**
 * An obstacle in the JSON text of a message, with the members of its shape.
 * @typedef {{id: number, shape: string, columns: number, rows: number, heights: ArrayPlace, positions: ArrayPlace, triangles: ArrayPlace}} ObstacleText
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
    torn: isDelta && text.torn !== undefined ? list(text, 'torn').map((tear) => readTear(tear, array, header.count)) : [],
    obstacles: list(text, 'obstacles').map((obstacle) => readObstacle(obstacle, array)),
    sticks: list(text, 'sticks'),
    grabs: list(text, 'grabs'),
    bounds: text.bounds,
  };
}

/** @param {Uint8Array} bytes @returns {Record<string, any>} unchecked: each member is checked where it is read */
function parseText(bytes) {
  let text;
  try {
    text = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FrameError(`the text of a topology is not valid JSON: ${/** @type {Error} */ (error).message}`);
  }
  if (text === null || typeof text !== 'object') throw new FrameError('the text of a topology is not an object');
  return text;
}

/** @param {Record<string, any>} text @param {string} member @returns {any[]} */
function list(text, member) {
  if (!Array.isArray(text[member])) throw new FrameError(`"${member}" of a topology is not a list`);
  return text[member];
}

const OBJECT_DEFAULTS = { name: '', color: null, radius: 0, pins: [], asleep: false };

/** @param {ObjectText} object @param {Uint32Array} array @param {number} mostParticles @returns {WorldObject} */
function readObject(object, array, mostParticles) {
  if (object === null || typeof object !== 'object') throw new FrameError('an entry in the list of objects is not an object');
  const { id, particles } = object;
  if (!Number.isInteger(id) || !Number.isInteger(particles) || particles < 0 || particles > mostParticles) {
    throw new FrameError(`object ${id} with ${particles} particles`);
  }
  return {
    ...OBJECT_DEFAULTS,
    ...object,
    first: 0,
    triangles: readTriangles(object, array),
    sticks: sticksOf(object, array),
    hull: readHull(object, array),
    tetrahedra: readTetrahedra(object, array),
    rests: object.rests ? sliceReals(array, object.rests, 10 * object.rests.count, `the shapes at rest of object ${object.id}`) : null,
  };
}

/** @param {TearText} tear @param {Uint32Array} array @param {number} mostParticles @returns {Tear} */
function readTear(tear, array, mostParticles) {
  if (tear === null || typeof tear !== 'object' || tear.triangles === null || typeof tear.triangles !== 'object') throw new FrameError('an entry in the list of torn objects is not an object');
  const { id, particles, triangles: { offset, count }, pins = [], asleep = false } = tear;
  if (!Number.isInteger(id) || !Number.isInteger(particles) || particles < 0 || particles > mostParticles) {
    throw new FrameError(`object ${id} tore to ${particles} particles`);
  }
  return { id, particles, pins, asleep, triangles: slice(array, offset, 4 * count, `a torn triangle of object ${id}`) };
}

/** @param {ObjectText} object @param {Uint32Array} array */
function readTriangles(object, array) {
  const { id, kind, particles, columns = 0, rows = 0, mesh = 'grid' } = object;
  if (kind === 'cloth' && !(Number.isInteger(columns) && columns >= 1 && columns * rows <= particles)) {
    throw new FrameError(`a cloth of ${columns} × ${rows} does not have ${particles} particles`);
  }
  if (kind === 'body' && particles !== 4) throw new FrameError(`a body has four particles, not ${particles}`);
  if (object.triangles) return sliceTriangles(array, object.triangles, particles, `a triangle of object ${id}`);
  switch (kind) {
    case 'cloth':
      if (columns * rows !== particles) throw new FrameError(`a cloth of ${columns} × ${rows} does not have ${particles} particles`);
      return clothTriangles(columns, rows, mesh);
    case 'mesh':
    case 'plant':
    case 'ragdoll':
    case 'soft':
      throw new FrameError(`${kind} ${id} has no triangles`);
    case 'body':
      return (object.shape ?? 'tetrahedron') === 'tetrahedron' ? bodyTriangles() : new Uint32Array(0);
    default:
      return new Uint32Array(0);
  }
}

/** @param {ObjectText} object @param {Uint32Array} array @returns {Uint32Array | null} */
function readTetrahedra({ id, particles, tetrahedra }, array) {
  if (!tetrahedra) return null;
  const indices = slice(array, tetrahedra.offset, 4 * tetrahedra.count, `a tetrahedron of object ${id}`);
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= particles) throw new FrameError(`a tetrahedron of object ${id} has corner ${indices[i]} of ${particles}`);
  }
  return indices;
}

/** @param {ObjectText} object @param {Uint32Array} array */
function sticksOf({ id, kind, shape, particles, sticks }, array) {
  if (kind === 'rope') return sticks ? sliceLinks(array, sticks, particles, id) : ropeSticks(particles);
  return kind === 'body' && shape === 'frame' ? frameSticks() : null;
}

/** The sticks that are left of a rope, from particle to particle along it. @param {Uint32Array} array @param {ArrayPlace} place @param {number} particles @param {number} id */
function sliceLinks(array, { offset, count }, particles, id) {
  const ends = slice(array, offset, 2 * count, `the sticks of object ${id}`);
  const linked = new Uint8Array(particles);
  for (let i = 0; i < ends.length; i += 2) {
    if (!(ends[i] + 1 < particles) || ends[i + 1] !== ends[i] + 1) throw new FrameError(`a stick of object ${id} joins no neighbours on the rope`);
    linked[ends[i]] = 1;
  }
  return Uint32Array.from([...linked.keys()].filter((from) => linked[from]).flatMap((from) => [from, from + 1]));
}

/** @param {ObjectText} object @param {Uint32Array} array @returns {Hull | null} */
function readHull({ id, particles, hull }, array) {
  if (!hull) return null;
  const { vertices, weights, triangles, parts, edges } = hull;
  if (particles !== 4) throw new FrameError(`object ${id} has ${particles} particles to embed a shape in`);
  const read = {
    vertices,
    weights: sliceReals(array, weights, 4 * vertices, `the weights of object ${id}`),
    triangles: sliceTriangles(array, triangles, vertices, `a face of object ${id}`),
  };
  if (!parts || !edges) return read;
  checkParts(id, parts, read);
  return roundHull({ ...read, parts, edges: sliceReals(array, edges, 9, `the edges of object ${id}`) });
}

/** @param {number} id @param {import('./round_shape.js').Part[]} parts @param {Hull} hull */
function checkParts(id, parts, { vertices, triangles }) {
  let vertex = 0;
  let corner = 0;
  for (const part of parts) {
    const end = corner + 3 * part.triangles;
    for (; corner < end; corner++) if (!(triangles[corner] < part.vertices)) throw new FrameError(`a part of object ${id} has a corner of another`);
    vertex += part.vertices;
  }
  if (vertex !== vertices || corner !== triangles.length) throw new FrameError(`the parts of object ${id} are not all of it`);
}

/**
 * Reads the arrays of an obstacle from a message: shape → (obstacle, array) → members.
 * @type {Record<string, (obstacle: ObstacleText, array: Uint32Array) => object>}
 */
const OBSTACLE_ARRAYS = {
  heightfield: ({ id, columns, rows, heights }, array) => ({
    heights: sliceReals(array, heights, columns * rows, `the heights of obstacle ${id}`),
  }),
  mesh: ({ id, positions, triangles }, array) => ({
    positions: sliceReals(array, positions, 3 * positions.count, `the vertices of obstacle ${id}`),
    triangles: sliceTriangles(array, triangles, positions.count, `a triangle of obstacle ${id}`),
  }),
};

/**
 * An obstacle without its arrays must be known already; Topology.apply checks this.
 * @param {ObstacleText} obstacle @param {Uint32Array} array
 * @returns {Obstacle} not checked: the server writes the members
 */
function readObstacle(obstacle, array) {
  const read = isPartial(obstacle) ? undefined : OBSTACLE_ARRAYS[obstacle.shape];
  return /** @type {Obstacle} */ (/** @type {unknown} */ (read ? { ...obstacle, ...read(obstacle, array) } : obstacle));
}

/** @param {{shape: string, heights?: unknown, positions?: unknown}} obstacle tests whether the arrays of its shape are missing */
function isPartial({ shape, heights, positions }) {
  return (shape === 'heightfield' && !heights) || (shape === 'mesh' && !positions);
}

/** @param {Uint32Array} array @param {number} offset @param {number} length @param {string} what */
function slice(array, offset, length, what) {
  if (!Number.isInteger(offset) || !Number.isInteger(length) || offset < 0 || length < 0 || offset + length > array.length) {
    throw new FrameError(`${what} is outside the message`);
  }
  return array.slice(offset, offset + length);
}

/** @param {Uint32Array} array @param {ArrayPlace} place @param {number} end exclusive upper limit of the indices @param {string} what */
function sliceTriangles(array, { offset, count }, end, what) {
  const indices = slice(array, offset, 3 * count, what);
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= end) throw new FrameError(`${what} has corner ${indices[i]} of ${end}`);
  }
  return indices;
}

/** @param {Uint32Array} array @param {{offset: number}} place @param {number} length @param {string} what */
function sliceReals(array, { offset }, length, what) {
  return new Float32Array(slice(array, offset, length, what).buffer);
}

/** The buffers to transfer with a change. @param {TopologyChange} change @returns {ArrayBuffer[]} */
export function changeBuffers(change) {
  const arrays = [
    ...change.objects.flatMap(({ triangles, sticks, hull }) => [triangles, sticks, hull?.weights, hull?.triangles, hull?.bends, hull?.smooth]),
    ...change.torn.map(({ triangles }) => triangles),
    ...change.obstacles.flatMap(arraysOf),
  ];
  return arrays.filter((array) => array != null).map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer));
}

/** @param {Obstacle} obstacle */
function arraysOf(obstacle) {
  if (obstacle.shape === 'heightfield') return [obstacle.heights];
  return obstacle.shape === 'mesh' ? [obstacle.positions, obstacle.triangles] : [];
}

/** @typedef {import('./protocol.js').Events} Events */

/**
 * Applies an event to a topology within its epoch: name → (topology, params) → the members that change.
 * @type {{[name in keyof Events]?: (topology: Topology, params: Events[name]) => Partial<Topology>}}
 */
const EVENT_CHANGES = {
  'particle.pinned': (topology, { object, particles }) => ({
    objects: withPins(topology, object, (pins) => [...new Set([...pins, ...particles])].sort((a, b) => a - b)),
  }),
  'particle.unpinned': (topology, { object, particles }) => ({
    objects: withPins(topology, object, (pins) => pins.filter((pin) => !particles.includes(pin))),
  }),
  'object.slept': (topology, { object }) => ({ objects: withMembers(topology, object, () => ({ asleep: true })) }),
  'object.woke': (topology, { object }) => ({ objects: withMembers(topology, object, () => ({ asleep: false })) }),
  'object.changed': (topology, { object, name, color = null }) => ({ objects: withMembers(topology, object, () => ({ name, color })) }),
  'obstacle.added': (topology, { obstacle }) => ({ obstacles: [...without(topology.obstacles, obstacle.id), withArrays(obstacle)] }),
  'obstacle.removed': (topology, { obstacle }) => ({ obstacles: without(topology.obstacles, obstacle) }),
  'obstacle.changed': (topology, { obstacle, tick: _, color = null, motion, ...told }) => ({
    obstacles: topology.obstacles.map((known) => (known.id === obstacle ? /** @type {Obstacle} */ ({ ...known, ...told, color, motion }) : known)),
  }),
  'stick.changed': (topology, { stick }) => ({ sticks: topology.sticks.map((known) => (known.id === stick.id ? stick : known)) }),
  'stick.removed': (topology, { stick }) => ({ sticks: without(topology.sticks, stick) }),
  'grab.started': (topology, { grab, object, particles, weights, client }) => ({
    grabs: [...withoutGrab(topology, grab), { grab, object, particles, weights, client }],
  }),
  'grab.ended': (topology, { grab }) => ({ grabs: withoutGrab(topology, grab) }),
};

/** @param {Topology} topology @param {number} id @param {(pins: number[]) => number[]} change */
function withPins(topology, id, change) {
  return withMembers(topology, id, ({ pins }) => ({ pins: change(pins) }));
}

/** @param {Topology} topology @param {number} id @param {(object: WorldObject) => Partial<WorldObject>} change */
function withMembers(topology, id, change) {
  return topology.objects.map((object) => (object.id === id ? Object.freeze({ ...object, ...change(object) }) : object));
}

/**
 * Converts an obstacle from JSON to one with typed arrays.
 * @param {import('./protocol.js').ObstacleInfo} obstacle @returns {Obstacle}
 */
function withArrays(obstacle) {
  const { heights, positions, triangles } = obstacle;
  return /** @type {Obstacle} */ ({
    ...obstacle,
    ...(heights && { heights: Float32Array.from(heights) }),
    ...(positions && { positions: Float32Array.from(positions) }),
    ...(triangles && { triangles: Uint32Array.from(triangles) }),
  });
}

/** @template {{id: number}} T @param {readonly T[]} items @param {number} id @returns {T[]} */
function without(items, id) {
  return items.filter((item) => item.id !== id);
}

/** @param {Topology} topology @param {number} id */
function withoutGrab(topology, id) {
  return topology.grabs.filter(({ grab }) => grab !== id);
}

/** The topology of a world in one epoch; immutable. */
export class Topology {
  #byId;

  /** @param {Pick<Topology, 'epoch' | 'particles' | 'objects' | 'obstacles' | 'sticks' | 'grabs' | 'bounds'>} parts */
  constructor({ epoch, particles, objects, obstacles, sticks, grabs, bounds }) {
    /** @type {number} */
    this.epoch = epoch;
    /** @type {number} number of particles in the world */
    this.particles = particles;
    /** @type {readonly WorldObject[]} ordered by slot */
    this.objects = Object.freeze(objects);
    /** @type {readonly Obstacle[]} */
    this.obstacles = Object.freeze(obstacles);
    /** @type {readonly Stick[]} */
    this.sticks = Object.freeze(sticks);
    /** @type {readonly Grab[]} */
    this.grabs = Object.freeze(grabs);
    /** @type {Bounds} */
    this.bounds = bounds;
    this.#byId = new Map(objects.map((object) => [object.id, object]));
    Object.freeze(this);
  }

  /** @param {number} id @returns {WorldObject | undefined} */
  findObject(id) {
    return this.#byId.get(id);
  }

  /**
   * Returns the topology after a change. Throws a FrameError if the change does not fit the topology.
   * @param {Topology | null} topology
   * @param {TopologyChange} change
   * @returns {Topology}
   */
  static apply(topology, change) {
    if (change.base !== null && topology?.epoch !== change.base) {
      throw new FrameError(`a delta of epoch ${change.base} on epoch ${topology?.epoch ?? 'none'}`);
    }
    const gone = new Set([...change.removed, ...change.objects.map(({ id }) => id)]);
    const before = change.base === null ? null : topology;
    const kept = before === null ? [] : withTears(before.objects.filter(({ id }) => !gone.has(id)), change.torn);
    const objects = merge(kept, change.objects);
    let first = 0;
    for (let i = 0; i < objects.length; i++) {
      if (i > 0 && objects[i].id <= objects[i - 1].id) throw new FrameError('objects must be ordered by id');
      if (objects[i].first !== first || !Object.isFrozen(objects[i])) objects[i] = Object.freeze({ ...objects[i], first });
      first += objects[i].particles;
    }
    if (first !== change.particles) throw new FrameError(`objects of ${first} particles in a world of ${change.particles}`);
    return new Topology({ ...change, objects, obstacles: keepObstacles(before?.obstacles ?? [], change.obstacles) });
  }

  /**
   * Returns the topology after an event; the same topology if the event does not change it.
   * @param {Topology} topology
   * @param {string} name
   * @param {object} params
   * @returns {Topology}
   */
  static applyEvent(topology, name, params) {
    const change = /** @type {Record<string, ((topology: Topology, params: object) => Partial<Topology>) | undefined>} */ (EVENT_CHANGES)[name];
    return change ? new Topology({ ...topology, ...change(topology, params) }) : topology;
  }
}

/** @param {readonly WorldObject[]} objects @param {readonly Tear[]} torn */
function withTears(objects, torn) {
  const tears = new Map(torn.map((tear) => [tear.id, tear]));
  const after = objects.map((object) => {
    const tear = tears.get(object.id);
    tears.delete(object.id);
    return tear ? tornObject(object, tear) : object;
  });
  for (const id of tears.keys()) throw new FrameError(`object ${id} tore, but is unknown`);
  return after;
}

/** @param {WorldObject} object @param {Tear} tear @returns {WorldObject} */
function tornObject(object, { particles, triangles: changed, pins, asleep }) {
  if (particles < object.particles) throw new FrameError(`object ${object.id} tore, but has fewer particles than before`);
  const triangles = object.triangles.slice();
  for (let i = 0; i < changed.length; i += 4) {
    const corners = changed.subarray(i + 1, i + 4);
    if (3 * changed[i] >= triangles.length) throw new FrameError(`object ${object.id} tore, but has no triangle ${changed[i]}`);
    if (corners.some((corner) => corner >= particles)) throw new FrameError(`a torn triangle of object ${object.id} has a corner of ${particles}`);
    triangles.set(corners, 3 * changed[i]);
  }
  return { ...object, particles, triangles, pins, asleep };
}

/** Merges two lists ordered by id. @param {readonly WorldObject[]} kept @param {readonly WorldObject[]} added */
function merge(kept, added) {
  const all = [];
  let at = 0;
  for (const object of added) {
    while (at < kept.length && kept[at].id < object.id) all.push(kept[at++]);
    all.push(object);
  }
  return [...all, ...kept.slice(at)];
}

/** @param {Obstacle | undefined} known @param {Obstacle} told the same obstacle, maybe without its arrays @returns {Obstacle} */
function withKnown(known, told) {
  if (!known) return told;
  const arrays = Object.fromEntries(Object.entries(known).filter(([, value]) => ArrayBuffer.isView(value)));
  const now = /** @type {Obstacle} */ ({ ...told, ...arrays });
  const members = /** @type {(obstacle: object) => string} */ ((obstacle) => JSON.stringify(Object.entries(obstacle).filter(([name, value]) => !(name in arrays) && value !== undefined).sort()));
  return members(now) === members(known) ? known : now;
}

/**
 * Arrays of obstacles never change: known ones keep them, and their records where nothing else has changed. If no obstacle
 * is new or has changed, the known list itself is returned.
 * @param {readonly Obstacle[]} known @param {readonly Obstacle[]} told
 */
function keepObstacles(known, told) {
  const byId = new Map(known.map((obstacle) => [obstacle.id, obstacle]));
  const obstacles = told.map((obstacle) => withKnown(byId.get(obstacle.id), obstacle));
  const unknown = obstacles.find(isPartial);
  if (unknown) throw new FrameError(`obstacle ${unknown.id} is not known`);
  return obstacles.length === known.length && obstacles.every((obstacle, i) => obstacle === known[i]) ? known : obstacles;
}
