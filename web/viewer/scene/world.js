// SPDX-License-Identifier: MIT
// The view of the world: one view per object of the topology, drawn from two frames and the fraction between them. A view
// lives as long as its object: with a new epoch, unchanged objects keep their views. Also casts rays into the displayed
// world.
import { Box3, Group, Vector3 } from 'three';
import { makeHit, nearestCorner, nearestParticle, rayObstacle, rayParticles, raySticks, rayTriangles } from '../geometry/pick.js';
import { meshOfObstacle } from '../geometry/obstacle_mesh.js';
import { obstacleAt } from '../geometry/obstacle_motion.js';
import { BodiesView } from './body.js';
import { ClothView } from './cloth.js';
import { Field } from './field.js';
import { MarkersView } from './markers.js';
import { GLOW, objectColor } from './material.js';
import { ObstaclesView } from './obstacle.js';
import { ParticlesView } from './particles.js';
import { RagdollsView } from './ragdoll.js';
import { isFigure, placeRagdoll, ragdollShape } from './ragdoll_shape.js';
import { RodsView, rodsOfFrame, rodsOfSticks } from './rods.js';
import { RopeView } from './rope.js';
import { embed } from './surface.js';
import { strandTexture, weaveTexture } from './weave.js';
/** @import { Color, Mesh } from 'three' */
/** @import { Frame } from '../../client/frame.js' */
/** @import { Bounds, Grab, Obstacle, Topology, WorldObject } from '../../client/topology.js' */
/** @import { Hit } from '../geometry/pick.js' */
/** @import { Theme, View } from './stage.js' */

/** @type {Partial<Record<WorldObject['kind'], new (object: WorldObject, shared: Shared, entry: ObjectEntry) => ObjectView>>} */
const VIEWS = { cloth: ClothView, mesh: ClothView, plant: ClothView, soft: ClothView, rope: RopeView, particles: ParticlesView };
const SOLID = new Set(['body', 'ragdoll']); // drawn together, can be grabbed at any point of their surface
const ROOT = 6; // the first particles of a plant are in the ground, so their pins are not shown
const HOVER_TRIANGLES_MAX = 200000; // with more triangles, the object under the pointer is searched only on a press
const HOVER_TRIANGLES = 20000; // triangles tested per picture: for larger scenes, the object under the pointer is searched less often

/** @typedef {{from: Float32Array | null, to: Float32Array | null, alpha: number, version: number}} Places positions of two frames, and the fraction between them */
/** @typedef {{count: number, place: (index: number, point?: number[]) => number[]}} Points */
/** @typedef {{field: Field, weave: import('./weave.js').Fibres, strands: import('./weave.js').Fibres}} Shared resources shared by all views */

/**
 * The view of one object.
 * @typedef {object} ObjectView
 * @property {Mesh} mesh @property {{color: Color, emissive: Color}} material
 * @property {Uint32Array} [around] neighbours of a surface's vertices: see aroundOf
 * @property {() => void} [update] rewrites the vertices for the displayed positions
 * @property {(first: number) => void} [setFirst]
 * @property {() => void} dispose
 */

/**
 * A hit of a ray: `particle` is the particle to grab, and `point` the hit in m; `whole` is set if a solid should be grabbed
 * at that point instead.
 * @typedef {{object: number, kind: string, whole: boolean, particle: number, point: number[], pinned: boolean}} Picked
 */

/**
 * An object as displayed: its view (solids share one, and so do frame bodies), and the positions of its particles, which are
 * computed on demand.
 */
export class ObjectEntry {
  #shown; // positions of the world: {from, to, alpha, version}
  /** @type {Float32Array | null} */
  #positions = null;
  #version = -1;

  /** @param {WorldObject} object @param {Places} shown @param {Shared} shared */
  constructor(object, shown, shared) {
    this.#shown = shown;
    this.object = object;
    this.id = object.id;
    this.kind = object.kind;
    this.surface = new EntrySurface(this, object);
    this.solid = SOLID.has(object.kind);
    const View = VIEWS[object.kind];
    this.view = View ? new View(object, shared, this) : null;
    this.adopt(object);
  }

  /** The number of points for `place`. */
  get count() {
    return this.object.particles;
  }

  /** The object in a newer topology: same id and particles, possibly other slots and pins. @param {WorldObject} object */
  adopt(object) {
    this.object = object;
    /** @type {number} */
    this.first = object.first;
    /** @type {Set<number>} */
    this.pins = new Set(object.pins);
    /** @type {number[]} */
    this.pinsShown = object.kind === 'plant' ? object.pins.filter((pin) => pin >= ROOT) : object.pins;
    /** @type {number} */
    this.pinRadius = Math.min(0.03, 0.3 * (object.spacing || 0.07));
    /** @type {number} */
    this.pickRadius = object.kind === 'particles' ? Math.max(0.012, object.radius) : 0.02;
    /** @type {Color} */
    this.tint = objectColor(object);
    this.view?.material.color.copy(this.tint);
    this.view?.setFirst?.(object.first);
  }

  /**
   * Returns the displayed position of one particle.
   * @param {number} particle @param {number[]} [point] the array to write to
   * @returns {number[]} x, y, z in m
   */
  place(particle, point = [0, 0, 0]) {
    const { from, to, alpha } = this.#shown;
    const at = 3 * (this.first + particle);
    for (let axis = 0; axis < 3; axis++) {
      const a = from ? from[at + axis] : 0;
      point[axis] = !to || from === to ? a : a + (to[at + axis] - a) * alpha;
    }
    return point;
  }

  /** The displayed positions of all particles, 3 numbers each: computed on demand, once per picture, always in the same array. */
  get positions() {
    this.#positions ??= new Float32Array(3 * this.object.particles);
    const { from, to, alpha, version } = this.#shown;
    if (this.#version === version || !from) return this.#positions;
    this.#version = version;
    const positions = this.#positions;
    const start = 3 * this.first;
    if (!to || from === to || alpha === 0) {
      for (let i = 0; i < positions.length; i++) positions[i] = from[start + i];
    } else {
      for (let i = 0; i < positions.length; i++) {
        const a = from[start + i];
        positions[i] = a + (to[start + i] - a) * alpha;
      }
    }
    return positions;
  }
}

/** @type {import('./ragdoll_shape.js').RagdollShape | null} the coarse shape of all ragdolls, in which rays look for them */
let figure = null;

/** The triangles of an object and the positions of its vertices: particles, or a shape embedded in four of them or in bones. */
class EntrySurface {
  #entry;
  #vertices;
  #figure;

  /** @param {ObjectEntry} entry @param {WorldObject} object */
  constructor(entry, object) {
    const { hull } = object;
    this.#entry = entry;
    this.#figure = isFigure(object) ? (figure ??= ragdollShape(6, 1)) : null;
    const shape = this.#figure ?? hull;
    this.triangles = shape ? shape.triangles : object.triangles;
    this.#vertices = shape ? new Float32Array(3 * shape.vertices) : null;
  }

  /** In m, 3 numbers per vertex, as displayed: computed on demand. */
  get positions() {
    const { positions, object: { hull } } = this.#entry;
    if (!this.#vertices) return positions;
    if (this.#figure) placeRagdoll(this.#figure, positions, this.#vertices);
    else if (hull) embed(hull, positions, this.#vertices);
    return this.#vertices;
  }
}

/** The view of the whole world. */
export class WorldView {
  /** @param {import('three').Scene} scene @param {Theme} theme */
  constructor(scene, theme) {
    this.group = new Group();
    this.group.matrixAutoUpdate = false; // world coordinates, so its matrix never changes
    scene.add(this.group);
    this.theme = theme;
    this.field = new Field();
    scene.onBeforeRender = (renderer) => this.field.render(renderer);
    /** @type {Map<number, ObjectEntry>} */
    this.entries = new Map();
    /** @type {ObjectEntry[]} the frame bodies */
    this.frames = [];
    /** @type {{particles: number, surfaces: unknown[]}} the surfaces in the particle field */
    this.told = { particles: -1, surfaces: [] };
    this.makeViews();
    /** @type {Topology | null} */
    this.topology = null;
    /** @type {Bounds | null} */
    this.bounds = null;
    this.hit = makeHit();
    /** @type {number | null} the object that is highlighted */
    this.glowing = null;
    /** @type {{looks: number, found: Picked | null}} */
    this.hover = { looks: 0, found: null };
    /** @type {Places} the displayed positions */
    this.shown = { from: null, to: null, alpha: 0, version: 0 };
    /** @type {{from: Frame | null, to: Frame | null}} the frames of these positions */
    this.kept = { from: null, to: null };
    /** @type {Frame[]} frames to release once they are no longer displayed */
    this.parting = [];
    /** @param {number} id */
    this.find = (id) => this.entries.get(id);
    /** @type {(frame: Frame) => void} */
    this.recycle = () => {};
    this.staticStale = false; // whether static geometry must be redrawn
    this.tickHz = 60;
    this.shownTick = 0; // of the picture; may have a fraction
    this.stale = false; // whether the rest must be redrawn, although nothing has moved
  }

  makeViews() {
    /** @type {Shared} */
    this.shared = { field: this.field, weave: weaveTexture(), strands: strandTexture() };
    /** @type {BodiesView} */
    this.bodies = new BodiesView(this.field);
    /** @type {BodiesView} the round and compound bodies */
    this.rounds = new BodiesView(this.field, 'rounded');
    /** @type {RagdollsView} */
    this.ragdolls = new RagdollsView(this.field);
    this.group.add(this.bodies.mesh, this.rounds.mesh, this.ragdolls.mesh);
    /** @type {RodsView} */
    this.rods = new RodsView(this.group, this.field);
    /** @type {ObstaclesView} */
    this.obstacles = new ObstaclesView(this.group, this.theme);
    /** @type {RodsView} */
    this.sticks = new RodsView(this.group, this.field);
    /** @type {MarkersView} */
    this.markers = new MarkersView(this.group, this.field);
  }

  /** Rebuilds all views, after the materials have changed. */
  renew() {
    this.disposeViews();
    this.makeViews();
    if (!this.topology) return;
    /** @type {boolean} */
    this.staticStale = true;
    this.setTopology(this.topology);
  }

  disposeViews() {
    for (const { view } of this.entries.values()) view?.dispose();
    for (const view of [this.bodies, this.rounds, this.ragdolls, this.rods, this.obstacles, this.sticks, this.markers]) view.dispose();
    for (const { map, normalMap } of [this.shared.weave, this.shared.strands]) {
      map.dispose();
      normalMap.dispose();
    }
    this.entries.clear();
    this.glowing = null;
    this.frames = [];
  }

  /** Releases everything on the graphics processor. @param {import('three').WebGLRenderer} renderer */
  dispose(renderer) {
    this.disposeViews();
    this.field.dispose(renderer);
    this.group.removeFromParent();
  }

  /** Updates the views for a topology. @param {Topology} topology */
  setTopology(topology) {
    this.highlight(null); // slots may change; the next picture highlights what is under the pointer
    const kept = new Map();
    for (const object of topology.objects) {
      const entry = this.entries.get(object.id);
      if (entry && looksLike(entry.object, object)) {
        entry.adopt(object);
        kept.set(object.id, entry);
        this.entries.delete(object.id);
      } else kept.set(object.id, new ObjectEntry(object, this.shown, this.shared));
    }
    for (const gone of this.entries.values()) gone.view?.dispose();
    this.entries = kept;
    this.setShared([...kept.values()]);
    this.setSurfaces(topology.particles);
    this.sticks.set(rodsOfSticks(topology.sticks, this.find));
    this.markers.setPins(kept.values());
    /** @type {number} */
    this.triangleCount = [...kept.values()].reduce((sum, { surface }) => sum + surface.triangles.length / 3, 0);
    // Static geometry is redrawn only if it, or the scene that sets the size of the floors, has changed; not when a cloth
    // tears.
    this.staticStale ||= !sameValue(topology.obstacles, this.topology?.obstacles) || topology.objects.length !== this.topology?.objects.length;
    this.topology = topology;
    this.setBounds(topology.bounds);
    /** @type {boolean} */
    this.stale = true;
  }

  /**
   * The neighbours in the particle field are updated only if the surfaces or their slots have changed.
   * @param {number} particles
   */
  setSurfaces(particles) {
    const surfaces = [...this.entries.values()].flatMap(({ first, view }) => (view?.around ? [{ first, around: view.around }] : []));
    const told = surfaces.flatMap(({ first, around }) => [first, around]);
    if (particles === this.told.particles && sameItems(told, this.told.surfaces)) return;
    this.told = { particles, surfaces: told };
    this.field.setSurfaces(particles, surfaces);
  }

  /** Shared meshes are rebuilt only if one of their objects was added, removed or changed. @param {ObjectEntry[]} entries */
  setShared(entries) {
    const solids = entries.filter(({ solid, object }) => solid && !isFigure(object));
    const ragdolls = entries.filter(({ object }) => isFigure(object));
    const frames = entries.filter(({ object }) => object.shape === 'frame');
    const flat = solids.filter(({ object }) => !object.hull?.bends);
    const rounded = solids.filter(({ object }) => object.hull?.bends);
    if (!sameItems(flat, this.bodies.bodies)) this.bodies.set(flat);
    if (!sameItems(rounded, this.rounds.bodies)) this.rounds.set(rounded);
    if (!sameItems(ragdolls, this.ragdolls.ragdolls)) this.ragdolls.set(ragdolls);
    if (!sameItems(frames, this.frames)) this.rods.set(frames.flatMap(rodsOfFrame));
    this.frames = frames;
    this.bodies.paint();
    this.rounds.paint();
    this.ragdolls.paint();
    this.rods.paint();
  }

  /** Applies changes within an epoch: pins, obstacles, sticks, sleep. @param {Topology} topology */
  setDetails(topology) {
    const before = this.topology;
    if (topology.epoch !== before?.epoch) return;
    for (const object of topology.objects) {
      const entry = this.entries.get(object.id);
      if (entry && entry.object !== object) entry.adopt(object);
    }
    this.markers.setPins(this.entries.values());
    this.bodies.paint();
    this.rounds.paint();
    this.ragdolls.paint();
    this.rods.paint();
    if (topology.sticks !== before.sticks) {
      this.sticks.set(rodsOfSticks(topology.sticks, this.find));
      this.stale = true;
    }
    if (topology.obstacles !== before.obstacles) this.staticStale = true;
    this.topology = topology;
  }

  /** The displayed points of an object or an obstacle. @param {number} id @returns {Points|undefined} */
  pointsOf(id) {
    return this.find(id) ?? this.obstacles.surfaces.get(id);
  }

  /** @param {Bounds} bounds as in the result of world.get */
  setBounds(bounds) {
    if (JSON.stringify(bounds) === JSON.stringify(this.bounds)) return;
    this.bounds = bounds;
    this.staticStale = true;
  }

  /** Sets the displayed positions between two frames. @param {Frame} from @param {Frame} to @param {number} alpha */
  update(from, to, alpha) {
    const { shown, kept } = this;
    if (from === kept.from && to === kept.to && alpha === shown.alpha && !this.staticStale && !this.stale) return;
    this.stale = false;
    kept.from = from;
    kept.to = to;
    this.giveBack();
    shown.from = from.positions;
    shown.to = to.positions;
    shown.alpha = alpha;
    shown.version++;
    this.field.show(from, to, alpha);
    for (const { view } of this.entries.values()) {
      if (!view) continue;
      view.update?.();
      if (!view.mesh.parent) this.group.add(view.mesh);
    }
    this.rods.measure();
    this.sticks.measure();
    if (this.staticStale) this.drawStatic();
    this.shownTick = from.tick + alpha * (to.tick - from.tick);
    this.obstacles.showTick(this.shownTick, this.tickHz);
  }

  /** The obstacles where they are shown. @returns {Obstacle[]} */
  get shownObstacles() {
    return this.topology?.obstacles.map((obstacle) => obstacleAt(obstacle, this.shownTick, this.tickHz)) ?? [];
  }

  /**
   * Releases a frame once it is no longer displayed.
   * @param {Frame} frame @param {(frame: Frame) => void} recycle
   */
  release(frame, recycle) {
    this.recycle = recycle;
    if (frame !== this.kept.from && frame !== this.kept.to) recycle(frame);
    else this.parting.push(frame);
  }

  giveBack() {
    const { kept: { from, to }, parting } = this;
    let staying = 0;
    for (let i = 0; i < parting.length; i++) {
      const frame = parting[i];
      if (frame === from || frame === to) parting[staying++] = frame;
      else this.recycle(frame);
    }
    parting.length = staying;
  }

  /**
   * Updates the markers of pins, hover and grabs; see MarkersView.update.
   * @param {Map<number, Grab>} grabs @param {Picked | null} hover @param {View} view
   */
  updateMarkers(grabs, hover, view) {
    this.markers.update(grabs, hover, this.find, view);
    if ((hover?.object ?? null) !== this.glowing) this.highlight(hover?.object ?? null);
  }

  /** Highlights the object that a press would grab. @param {number | null} id */
  highlight(id) {
    const before = this.glowing === null ? undefined : this.find(this.glowing);
    before?.view?.material.emissive.setScalar(0);
    this.glowing = id;
    const entry = id === null ? undefined : this.find(id);
    if (entry) entry.view?.material.emissive.copy(entry.tint).multiplyScalar(GLOW);
    this.bodies.glow(entry?.solid ? entry : null);
    this.rounds.glow(entry?.solid ? entry : null);
    this.ragdolls.glow(entry?.solid ? entry : null);
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.obstacles.setTheme(theme);
  }

  /**
   * The box around everything visible; for an empty world a box around its centre, within the bounds.
   * @param {Box3} [box]
   */
  contentBox(box = new Box3()) {
    box.makeEmpty();
    const point = new Vector3();
    for (const { surface: { positions } } of this.entries.values()) {
      const stride = 3 * Math.max(1, Math.floor(positions.length / 3 / 500));
      for (let i = 0; i + 2 < positions.length; i += stride) box.expandByPoint(point.fromArray(positions, i));
    }
    for (const obstacle of this.shownObstacles) expandByObstacle(box, obstacle, point);
    if (!box.isEmpty()) return box;
    const { min, max } = this.bounds ?? { min: [-2, -2, -2], max: [2, 2, 2] };
    box.min.set(Math.max(-2, min[0]), Math.max(-2, min[1]), Math.max(-2, min[2]));
    box.max.set(Math.min(2, max[0]), Math.min(2, max[1]), Math.min(2, max[2]));
    return box;
  }

  /** The box around objects and obstacles; empty if there is none of them. @param {Iterable<number>} ids */
  boxOf(ids) {
    const box = new Box3();
    const point = new Vector3();
    for (const id of ids) {
      const positions = this.find(id)?.positions ?? [];
      for (let i = 0; i + 2 < positions.length; i += 3) box.expandByPoint(point.fromArray(positions, i));
      const obstacle = this.shownObstacles.find((each) => each.id === id);
      if (obstacle) expandByObstacle(box, obstacle, point);
    }
    return box;
  }

  /** The box for the camera to frame: the content, extended down to the floor if that is near. */
  framedBox() {
    const box = this.contentBox();
    const floor = this.floorHeight();
    if (floor < box.min.y && box.min.y - floor < 1.5 * (box.max.y - box.min.y) + 1) box.min.y = floor;
    return box;
  }

  /** Height of the highest floor below a point: bounds and horizontal planes, in m. */
  floorHeight() {
    let height = this.bounds ? this.bounds.min[1] : 0;
    for (const obstacle of this.shownObstacles) {
      if (obstacle.shape === 'plane' && (obstacle.normal?.[1] ?? 1) > 0.99) height = Math.max(height, obstacle.position[1]);
    }
    return height;
  }

  /**
   * Finds the first hit of a ray: the particle to grab and the point of the hit; `whole` if a solid should be grabbed at that
   * point instead.
   * @param {{origin: number[], direction: number[]}} ray
   * @param {number} slope tolerance around the ray in m per m of distance
   * @param {boolean} [thorough=true] false to skip scenes that are too large to search on each move of the pointer
   * @returns {Picked|null}
   */
  pick({ origin, direction }, slope, thorough = true) {
    if (!this.topology || (!thorough && this.triangleCount > HOVER_TRIANGLES_MAX)) return null;
    if (thorough) return this.pickNow(origin, direction, slope);
    if (this.hover.looks++ % Math.ceil((this.triangleCount + 1) / HOVER_TRIANGLES) === 0) this.hover.found = this.pickNow(origin, direction, slope);
    const { found } = this.hover;
    return found && this.entries.has(found.object) ? found : null;
  }

  /** @param {number[]} origin @param {number[]} direction @param {number} slope @returns {Picked | null} */
  pickNow(origin, direction, slope) {
    const { hit } = this;
    hit.distance = this.obstacleDistance(origin, direction);
    hit.index = -1;
    let met = null;
    let onSurface = false;
    for (const entry of this.entries.values()) {
      const { object, surface, pickRadius } = entry;
      if (surface.triangles.length > 0 && rayTriangles(origin, direction, surface.positions, surface.triangles, hit)) {
        met = entry;
        onSurface = true;
      }
      const beside = object.sticks
        ? raySticks(origin, direction, entry.positions, object.sticks, pickRadius, slope, hit)
        : entry.kind === 'particles' && rayParticles(origin, direction, entry.positions, pickRadius, slope, hit);
      if (!beside) continue;
      met = entry;
      onSurface = false;
    }
    return met ? describe(met, hit, onSurface, origin, direction) : this.pickCorner(origin, direction, slope);
  }

  /**
   * A ray that misses every surface but passes near a particle of a border hits it, because users often pull at corners.
   * @param {number[]} origin @param {number[]} direction @param {number} slope
   */
  pickCorner(origin, direction, slope) {
    const { hit } = this;
    let met = null;
    for (const entry of this.entries.values()) {
      // The particles that carry an embedded shape are not on its surface.
      if (!entry.object.hull && rayParticles(origin, direction, entry.positions, 0, slope, hit)) met = entry;
    }
    if (!met) return null;
    return particleHit(met, hit.index, met.place(hit.index));
  }

  /** @param {number[]} origin @param {number[]} direction */
  obstacleDistance(origin, direction) {
    let nearest = Infinity;
    for (const obstacle of this.shownObstacles) nearest = Math.min(nearest, rayObstacle(origin, direction, obstacle));
    return nearest;
  }

  /** The first obstacle that a ray hits. @param {{origin: number[], direction: number[]}} ray @returns {Obstacle|undefined} */
  pickObstacle({ origin, direction }) {
    let nearest = Infinity;
    let met;
    for (const obstacle of this.shownObstacles) {
      const distance = rayObstacle(origin, direction, obstacle);
      if (distance >= nearest) continue;
      nearest = distance;
      met = obstacle;
    }
    return met;
  }

  drawStatic() {
    if (!this.topology || !this.bounds) return;
    this.staticStale = false;
    this.obstacles.set(this.topology.obstacles, this.bounds, this.contentBox());
  }
}

/** @type {(keyof WorldObject)[]} */
const LOOKS = ['kind', 'particles', 'color', 'columns', 'mesh', 'spacing', 'radius', 'shape'];

/**
 * Whether one view can serve both objects: a world that was reset may reuse an id for another object.
 * @param {WorldObject} a @param {WorldObject} b
 */
function looksLike(a, b) {
  const same = LOOKS.every((key) => a[key] === b[key]);
  return same && sameItems(a.triangles, b.triangles) && sameItems(a.sticks, b.sticks) &&
    sameItems(a.hull?.weights, b.hull?.weights) && sameItems(a.hull?.triangles, b.hull?.triangles);
}

/** @param {ArrayLike<unknown> | null | undefined} a @param {ArrayLike<unknown> | null | undefined} b */
function sameItems(a, b) {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false; // compared by a loop, because there may be many thousand triangles
  return true;
}

/** Whether two values of a topology are equal: numbers, texts, and arrays and objects of these. @param {any} a @param {any} b @returns {boolean} */
function sameValue(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return sameItems(/** @type {any} */ (a), /** @type {any} */ (b));
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => sameValue(a[key], b[key]));
}

/** @param {ObjectEntry} entry @param {Hit} hit @param {boolean} onSurface @param {number[]} origin @param {number[]} direction */
function describe(entry, hit, onSurface, origin, direction) {
  const point = direction.map((d, axis) => origin[axis] + hit.distance * d);
  if (!onSurface) return particleHit(entry, hit.index, point);
  const { object, positions } = entry;
  const particle = object.hull || isFigure(object) ? nearestParticle(point, positions) : nearestCorner(point, positions, object.triangles, hit.index);
  return particleHit(entry, particle, point);
}

/** @param {ObjectEntry} entry @param {number} particle @param {number[]} point @returns {Picked} */
function particleHit(entry, particle, point) {
  return { object: entry.id, kind: entry.kind, whole: entry.solid, particle, point, pinned: entry.pins.has(particle) };
}

/** @param {Box3} box @param {Obstacle} obstacle @param {Vector3} point */
function expandByObstacle(box, obstacle, point) {
  const surface = meshOfObstacle(obstacle);
  if (surface) {
    for (let i = 0; i < surface.positions.length; i += 3) box.expandByPoint(point.fromArray(surface.positions, i));
    return;
  }
  if (obstacle.shape !== 'box' && obstacle.shape !== 'sphere' && obstacle.shape !== 'capsule') return;
  const reach = obstacle.shape === 'box' ? obstacle.size.map((extent) => extent / 2) : Array(3).fill(obstacle.radius);
  for (const centre of obstacle.shape === 'capsule' ? [obstacle.from, obstacle.to] : [obstacle.position]) {
    box.expandByPoint(point.set(centre[0] - reach[0], centre[1] - reach[1], centre[2] - reach[2]));
    box.expandByPoint(point.set(centre[0] + reach[0], centre[1] + reach[1], centre[2] + reach[2]));
  }
}
