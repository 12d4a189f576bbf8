// SPDX-License-Identifier: MIT
// The world as it is drawn: one view per object of the topology, filled from two frames and the share of the way between
// them. A view lives as long as its object: a new epoch keeps those that are still there. Also answers what a ray meets.
import { Box3, Group, Vector3 } from 'three';
import { makeHit, nearestCorner, nearestParticle, rayObstacle, rayParticles, raySticks, rayTriangles } from '../pick.js';
import { reliefOf } from '../relief.js';
import { BodiesView } from './body.js';
import { ClothView } from './cloth.js';
import { MarkersView } from './markers.js';
import { objectColor, weaveTexture } from './material.js';
import { ObstaclesView } from './obstacle.js';
import { ParticlesView } from './particles.js';
import { RodsView, rodsOfFrame, rodsOfSticks } from './rods.js';
import { RopeView } from './rope.js';
import { embed } from './surface.js';

const VIEWS = { cloth: ClothView, mesh: ClothView, plant: ClothView, rope: RopeView, particles: ParticlesView };
const SOLID = new Set(['body', 'ragdoll']); // drawn together, taken hold of anywhere
const ROOT = 6; // the first particles of a plant, in the ground: that they are pinned needs no showing
const HOVER_TRIANGLES_MAX = 200000; // above, only a press looks for what is under the pointer

// What is known of one object: its particles as they are shown, its surface, and how it is drawn (solids are drawn together, and
// so are frames).
class ObjectEntry {
  constructor(object, shared) {
    this.object = object;
    this.id = object.id;
    this.kind = object.kind;
    this.positions = new Float32Array(3 * object.particles);
    this.surface = object.hull
      ? { positions: new Float32Array(3 * object.hull.vertices), triangles: object.hull.triangles }
      : { positions: this.positions, triangles: object.triangles };
    this.solid = SOLID.has(object.kind);
    this.view = VIEWS[object.kind] ? new VIEWS[object.kind](object, this.positions, shared) : null;
    this.adopt(object);
  }

  // The object as a newer topology has it: same id and particles, other place in the frames, other pins.
  adopt(object) {
    this.object = object;
    this.first = object.first;
    this.pins = new Set(object.pins);
    this.pinsShown = object.kind === 'plant' ? object.pins.filter((pin) => pin >= ROOT) : object.pins;
    this.pinRadius = Math.min(0.03, 0.3 * (object.spacing || 0.07));
    this.pickRadius = object.kind === 'particles' ? Math.max(0.012, object.radius) : 0.02;
    this.tint = objectColor(object);
    this.view?.material.color.copy(this.tint);
  }

  interpolate(from, to, alpha) {
    const { positions } = this;
    const start = 3 * this.first;
    if (from === to || alpha === 0) {
      for (let i = 0; i < positions.length; i++) positions[i] = from[start + i];
    } else {
      for (let i = 0; i < positions.length; i++) {
        const a = from[start + i];
        positions[i] = a + (to[start + i] - a) * alpha;
      }
    }
    if (this.object.hull) embed(this.object.hull, positions, this.surface.positions);
  }
}

/** Everything in the scene that comes from the server. */
export class WorldView {
  /** @param {import('three').Scene} scene @param {object} theme of the stage */
  constructor(scene, theme) {
    this.group = new Group();
    scene.add(this.group);
    this.shared = { weave: weaveTexture() };
    this.entries = new Map();
    this.bodies = new BodiesView();
    this.group.add(this.bodies.mesh);
    this.rods = new RodsView(this.group);
    this.obstacles = new ObstaclesView(this.group, theme);
    this.sticks = new RodsView(this.group);
    this.frames = []; // the bodies that are rods
    this.markers = new MarkersView(this.group);
    this.topology = null;
    this.bounds = null;
    this.hit = makeHit();
    this.shown = { from: null, to: null, alpha: 0 };
    this.find = (id) => this.entries.get(id);
  }

  /** Makes the views be those of a topology. */
  setTopology(topology) {
    const kept = new Map();
    for (const object of topology.objects) {
      const entry = this.entries.get(object.id);
      if (entry && looksLike(entry.object, object)) {
        entry.adopt(object);
        kept.set(object.id, entry);
        this.entries.delete(object.id);
      } else kept.set(object.id, new ObjectEntry(object, this.shared));
    }
    for (const gone of this.entries.values()) gone.view?.dispose();
    this.entries = kept;
    this.setShared([...kept.values()]);
    this.sticks.set(rodsOfSticks(topology.sticks, this.find));
    this.triangleCount = [...kept.values()].reduce((sum, { surface }) => sum + surface.triangles.length / 3, 0);
    // What is solid is drawn anew only where it, or the scene that the floors are made to fit, is another; not when a cloth tears.
    this.staticStale ||= topology.obstacles !== this.topology?.obstacles || topology.objects.length !== this.topology.objects.length;
    this.topology = topology;
    this.setBounds(topology.bounds);
    this.shown.from = null;
  }

  // Meshes that several objects share are made anew only when one of these came, went or changed.
  setShared(entries) {
    const solids = entries.filter(({ solid }) => solid);
    const frames = entries.filter(({ object }) => object.shape === 'frame');
    if (!sameItems(solids, this.bodies.bodies)) this.bodies.set(solids);
    if (!sameItems(frames, this.frames)) this.rods.set(frames.flatMap(rodsOfFrame));
    this.frames = frames;
    this.bodies.paint();
    this.rods.paint();
  }

  /** Takes over what changes without a new epoch: pins, obstacles, sticks, what sleeps. */
  setDetails(topology) {
    if (topology.epoch !== this.topology?.epoch) return;
    for (const object of topology.objects) {
      const entry = this.entries.get(object.id);
      if (entry && entry.object !== object) entry.adopt(object);
    }
    this.bodies.paint();
    this.rods.paint();
    if (topology.sticks !== this.topology.sticks) {
      this.sticks.set(rodsOfSticks(topology.sticks, this.find));
      this.shown.from = null;
    }
    if (topology.obstacles !== this.topology.obstacles) this.staticStale = true;
    this.topology = topology;
  }

  /** @param {{min: number[], max: number[]}} bounds as world.get tells them */
  setBounds(bounds) {
    if (JSON.stringify(bounds) === JSON.stringify(this.bounds)) return;
    this.bounds = bounds;
    this.staticStale = true;
  }

  /** Moves everything to between two frames. */
  update(from, to, alpha) {
    if (from === this.shown.from && to === this.shown.to && alpha === this.shown.alpha && !this.staticStale) return;
    this.shown.from = from;
    this.shown.to = to;
    this.shown.alpha = alpha;
    for (const entry of this.entries.values()) {
      entry.interpolate(from.positions, to.positions, alpha);
      entry.view?.update();
      if (entry.view && !entry.view.mesh.parent) this.group.add(entry.view.mesh);
    }
    this.bodies.update();
    this.rods.update();
    this.sticks.update();
    if (this.staticStale) this.drawStatic();
  }

  /** Pins, hover and hands; see MarkersView.update. */
  updateMarkers(grabs, hover, view) {
    this.markers.update(this.entries, grabs, hover, this.find, view);
  }

  setTheme(theme) {
    this.obstacles.setTheme(theme);
  }

  /**
   * The box of all that there is to see; of an empty world a box around its middle, within the bounds.
   * @param {Box3} [box]
   */
  contentBox(box = new Box3()) {
    box.makeEmpty();
    const point = new Vector3();
    for (const { surface: { positions } } of this.entries.values()) {
      const stride = 3 * Math.max(1, Math.floor(positions.length / 3 / 500));
      for (let i = 0; i + 2 < positions.length; i += stride) box.expandByPoint(point.fromArray(positions, i));
    }
    for (const obstacle of this.topology?.obstacles ?? []) expandByObstacle(box, obstacle, point);
    if (!box.isEmpty()) return box;
    const { min, max } = this.bounds ?? { min: [-2, -2, -2], max: [2, 2, 2] };
    box.min.set(Math.max(-2, min[0]), Math.max(-2, min[1]), Math.max(-2, min[2]));
    box.max.set(Math.min(2, max[0]), Math.min(2, max[1]), Math.min(2, max[2]));
    return box;
  }

  /** The box to look at: the content, down to the floor that it may fall to if that is near. */
  framedBox() {
    const box = this.contentBox();
    const floor = this.floorHeight();
    if (floor < box.min.y && box.min.y - floor < 1.5 * (box.max.y - box.min.y) + 1) box.min.y = floor;
    return box;
  }

  /** Height of the highest floor under a point: bounds and upright planes, in m. */
  floorHeight() {
    let height = this.bounds ? this.bounds.min[1] : 0;
    for (const { shape, position, normal } of this.topology?.obstacles ?? []) {
      if (shape === 'plane' && (normal?.[1] ?? 1) > 0.99) height = Math.max(height, position[1]);
    }
    return height;
  }

  /**
   * What a ray meets first: the particle to take hold of and where the ray met it; `whole` where a solid is to be held at
   * that point instead.
   * @param {{origin: number[], direction: number[]}} ray
   * @param {number} slope reach around the ray in m per m of distance
   * @param {boolean} [thorough=true] false: leave out scenes too large to search at every move of the pointer
   * @returns {{object: number, kind: string, whole: boolean, particle: number, point: number[], pinned: boolean}|null}
   */
  pick({ origin, direction }, slope, thorough = true) {
    if (!this.topology || (!thorough && this.triangleCount > HOVER_TRIANGLES_MAX)) return null;
    const { hit } = this;
    hit.distance = this.obstacleDistance(origin, direction);
    hit.index = -1;
    let met = null;
    let onSurface = false;
    for (const entry of this.entries.values()) {
      const { object, surface, positions, pickRadius } = entry;
      if (surface.triangles.length > 0 && rayTriangles(origin, direction, surface.positions, surface.triangles, hit)) {
        met = entry;
        onSurface = true;
      }
      const beside = object.sticks
        ? raySticks(origin, direction, positions, object.sticks, pickRadius, slope, hit)
        : entry.kind === 'particles' && rayParticles(origin, direction, positions, pickRadius, slope, hit);
      if (!beside) continue;
      met = entry;
      onSurface = false;
    }
    return met ? describe(met, hit, onSurface, origin, direction) : this.pickCorner(origin, direction, slope);
  }

  // Beside every surface, but near a particle of its rim: that will do, corners are where people pull.
  pickCorner(origin, direction, slope) {
    const { hit } = this;
    let met = null;
    for (const entry of this.entries.values()) {
      // The particles that carry an embedded shape are not on it.
      if (!entry.object.hull && rayParticles(origin, direction, entry.positions, 0, slope, hit)) met = entry;
    }
    if (!met) return null;
    return particleHit(met, hit.index, [0, 1, 2].map((axis) => met.positions[3 * hit.index + axis]));
  }

  obstacleDistance(origin, direction) {
    let nearest = Infinity;
    for (const obstacle of this.topology.obstacles) nearest = Math.min(nearest, rayObstacle(origin, direction, obstacle));
    return nearest;
  }

  drawStatic() {
    this.staticStale = false;
    this.obstacles.set(this.topology.obstacles, this.bounds, this.contentBox());
  }
}

// Whether one view serves both: a world that starts anew may use an id for something else.
function looksLike(a, b) {
  const same = ['kind', 'particles', 'color', 'columns', 'mesh', 'spacing', 'radius', 'shape'].every((key) => a[key] === b[key]);
  return same && sameItems(a.triangles, b.triangles) && sameItems(a.sticks, b.sticks) &&
    sameItems(a.hull?.weights, b.hull?.weights) && sameItems(a.hull?.triangles, b.hull?.triangles);
}

function sameItems(a, b) {
  return a === b || (Boolean(a && b) && a.length === b.length && a.every((item, i) => item === b[i]));
}

function describe(entry, hit, onSurface, origin, direction) {
  const point = direction.map((d, axis) => origin[axis] + hit.distance * d);
  if (!onSurface) return particleHit(entry, hit.index, point);
  const { object, positions } = entry;
  const particle = object.hull ? nearestParticle(point, positions) : nearestCorner(point, positions, object.triangles, hit.index);
  return particleHit(entry, particle, point);
}

function particleHit(entry, particle, point) {
  return { object: entry.id, kind: entry.kind, whole: entry.solid, particle, point, pinned: entry.pins.has(particle) };
}

function expandByObstacle(box, obstacle, point) {
  const { shape, position, radius, size, from, to } = obstacle;
  const relief = reliefOf(obstacle);
  if (relief) {
    for (let i = 0; i < relief.positions.length; i += 3) box.expandByPoint(point.fromArray(relief.positions, i));
    return;
  }
  if (shape === 'plane') return;
  const reach = shape === 'box' ? size.map((extent) => extent / 2) : [radius, radius, radius];
  for (const centre of shape === 'capsule' ? [from, to] : [position]) {
    box.expandByPoint(point.set(centre[0] - reach[0], centre[1] - reach[1], centre[2] - reach[2]));
    box.expandByPoint(point.set(centre[0] + reach[0], centre[1] + reach[1], centre[2] + reach[2]));
  }
}
