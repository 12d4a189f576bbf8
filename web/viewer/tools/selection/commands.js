// SPDX-License-Identifier: MIT
// The commands for the selection. Several commands are sent as one batch, so that they are applied together or not at all,
// and one undo reverts them. Color, material and removal apply to obstacles and to the objects of selected particles.
import { fromCamera, lookAt } from '../../scene/projector.js';
import { goingOn } from '../../geometry/obstacle_motion.js';
/** @import { Obstacle } from '../../../client/topology.js' */
/** @import { Stage } from '../../scene/stage.js' */
/** @import { ObjectEntry } from '../../scene/world.js' */

const TEAR_MAX = 256; // maximum number of particles that the server tears at once
const MOVE_MAX = 4000; // maximum number of particles that are moved at once
const TEARABLE = new Set(['cloth', 'mesh', 'plant']);

/** @typedef {'up'|'down'|'left'|'right'|'away'|'this way'} Direction */
/** @typedef {{method: any, params: any}} Command a command of a batch: params have the type of the method */

/**
 * Directions of a push, as seen by the user: right, up, and towards the viewer; all but up and down are parallel to the
 * ground.
 * @type {Readonly<Record<Direction, number[]>>}
 */
export const DIRECTIONS = Object.freeze({
  up: [0, 1, 0], down: [0, -1, 0], left: [-1, 0, 0], right: [1, 0, 0], away: [0, 0, -1], 'this way': [0, 0, 1],
});

const FOR_OBJECTS = new Set(['hold', 'pin', 'unpin', 'push']);

/** The commands for the selection, one method each. */
export class SelectionCommands {
  /** Whether obstacles are being moved: the obstacles that replace them will be selected. */
  moving = false;

  #moved = Promise.resolve();

  /** @param {import('../../page/page.js').Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ids of all affected objects, those that are selected as a whole first. */
  get objects() {
    const { objects, particles } = this.page.selection;
    return [...new Set([...objects, ...particles.keys()])].filter((id) => this.page.world.find(id));
  }

  /** The selected obstacles in the topology. */
  get obstacles() {
    const { selection, client } = this.page;
    return client.topology?.obstacles.filter(({ id }) => selection.objects.has(id)) ?? [];
  }

  /** The first affected object or obstacle in the topology. */
  get first() {
    const [id] = this.objects;
    return id === undefined ? this.obstacles[0] : this.page.world.find(id)?.object;
  }

  /** Whether a command applies to the selection. @param {string} command */
  applies(command) {
    if (command === 'tear') return this.page.selection.particles.size > 0;
    return FOR_OBJECTS.has(command) ? this.objects.length > 0 : this.page.selection.size > 0;
  }

  /** The selected particles of each affected object. @returns {[id: number, indices: number[], entry: ObjectEntry][]} */
  get particles() {
    const { selection, world } = this.page;
    return this.objects.flatMap((id) => {
      const entry = world.find(id);
      if (!entry) return [];
      const all = selection.objects.has(id);
      const indices = all ? Array.from({ length: entry.object.particles }, (_, i) => i) : [...(selection.particles.get(id) ?? [])];
      return [/** @type {[number, number[], ObjectEntry]} */ ([id, indices.sort((a, b) => a - b), entry])];
    });
  }

  pin() {
    return this.#run(this.particles.map(([object, particles, { pins }]) => ({ object, particles: particles.filter((index) => !pins.has(index)) }))
      .filter(({ particles }) => particles.length > 0)
      .map(({ object, particles }) => ({ method: 'particle.pin', params: { object, particles } })), 'Everything selected is already pinned.');
  }

  unpin() {
    return this.#run(this.particles.map(([object, particles, { pins }]) => ({ object, particles: particles.filter((index) => pins.has(index)) }))
      .filter(({ particles }) => particles.length > 0)
      .map(({ object, particles }) => ({ method: 'particle.unpin', params: { object, particles } })), 'Nothing selected is pinned.');
  }

  /** Tears each cloth along its selected particles. */
  tear() {
    const { selection, world } = this.page;
    const torn = [...selection.particles].filter(([id]) => TEARABLE.has(world.find(id)?.kind ?? ''));
    const most = Math.max(0, ...torn.map(([, indices]) => indices.size));
    if (most > TEAR_MAX) return this.page.refuse(new Error(`You can tear at most ${TEAR_MAX} particles at once; ${most} are selected.`));
    return this.#run(torn.map(([object, indices]) => ({ method: 'particle.tear', params: { object, particles: [...indices].sort((a, b) => a - b) } })),
      'Only cloth can tear. Shift-drag to select particles of a cloth.');
  }

  /** @param {Direction} direction @param {number} strength total force on each object, N @param {number} ticks duration in ticks */
  push(direction, strength, ticks) {
    const force = alongGround(this.page.stage, DIRECTIONS[direction]).map((value) => value * strength);
    return this.#run(this.particles.map(([object, particles, entry]) => ({
      method: 'force.apply',
      params: { object, ...(particles.length < entry.object.particles && { particles }), force, ticks },
    })), 'Nothing is selected.');
  }

  /** Moves the selection as the user sees it. @param {Direction} direction @param {number} distance m */
  move(direction, distance) {
    return this.moveBy(alongGround(this.page.stage, DIRECTIONS[direction]).map((value) => value * distance));
  }

  /**
   * Moves particles, which stops them, and obstacles: an obstacle is immutable, so another one replaces it.
   * @param {number[]} by m
   */
  moveBy(by) {
    this.#moved = this.#moved.then(() => this.#move(by));
    return this.#moved;
  }

  /** @param {{color?: string, friction?: number, restitution?: number, name?: string}} params params of object.set and obstacle.set */
  change(params) {
    return this.#run(this.#forEach('set', params), 'Nothing is selected.');
  }

  /** Changes only objects that have what is set. @param {number[]} objects ids @param {object} params of object.set */
  changeObjects(objects, params) {
    return this.#run(objects.map((object) => ({ method: 'object.set', params: { object, ...params } })), 'Nothing that is selected has this property.');
  }

  async remove() {
    if (await this.#run(this.#forEach('remove', {}), 'Nothing is selected.')) this.page.selection.clear();
  }

  /** Moves the camera to the selection. */
  look() {
    const { stage, world } = this.page;
    const solids = this.obstacles.flatMap(({ id }) => world.pointsOf(id) ?? []);
    /** @type {[import('../../scene/world.js').Points, Iterable<number>][]} */
    const parts = [...this.particles.map(([, indices, entry]) => /** @type {[ObjectEntry, number[]]} */ ([entry, indices]))];
    for (const points of solids) parts.push([points, Array(points.count).keys()]);
    lookAt(stage, parts);
  }

  /** One command for each affected object and obstacle. @param {'set' | 'remove'} verb @param {object} params */
  #forEach(verb, params) {
    return [
      ...this.objects.map((object) => ({ method: `object.${verb}`, params: { object, ...params } })),
      ...this.obstacles.map(({ id }) => ({ method: `obstacle.${verb}`, params: { obstacle: id, ...params } })),
    ];
  }

  /** @param {number[]} by */
  async #move(by) {
    const { selection, world } = this.page;
    const { obstacles } = this;
    const count = this.particles.reduce((sum, [, indices]) => sum + indices.length, 0);
    if (count > MOVE_MAX) {
      this.page.refuse(new Error(`At most ${MOVE_MAX} particles can be moved at once, ${count} are selected.`));
      return;
    }
    const places = await this.#placesBy(by);
    this.moving = true;
    const answer = await this.#run([...obstacles.flatMap((obstacle) => [
      { method: 'obstacle.remove', params: { obstacle: obstacle.id } }, { method: 'obstacle.add', params: paramsOf(/** @type {Obstacle} */ (goingOn(obstacle, world.shownTick, world.tickHz)), by) },
    ]), ...places], 'Nothing is selected.');
    this.moving = false;
    if (!answer || obstacles.length === 0) return;
    const after = new Map(obstacles.map(({ id }, i) => [id, answer.results[2 * i + 1].obstacle]));
    selection.set({ objects: [...selection.objects].map((id) => after.get(id) ?? id), particles: selection.particles });
  }

  /** The commands that move the selected particles from where they are now, which may not be displayed yet. @param {number[]} by */
  async #placesBy(by) {
    /** @type {Command[]} */
    const places = [];
    for (const [object, indices, entry] of this.particles) {
      const all = indices.length === entry.object.particles;
      const read = await this.page.ask('particle.read', { object, ...(!all && { particles: indices }) }).catch(() => null); // the object may be gone
      read?.positions.forEach((place, i) => places.push({ method: 'particle.move', params: { object, particle: indices[i], position: place.map((value, axis) => value + by[axis]) } }));
    }
    return places;
  }

  /** @param {Command[]} commands @param {string} nothing */
  async #run(commands, nothing) {
    if (commands.length === 0) {
      this.page.refuse(new Error(nothing));
      return undefined;
    }
    const [{ method, params }] = commands;
    return commands.length === 1 ? this.page.call(method, params) : this.page.call('batch.run', { commands });
  }
}

/** The params of obstacle.add that make the same obstacle at another place. @param {Obstacle} obstacle @param {number[]} by */
function paramsOf({ id, color, motion, ...obstacle }, by) {
  /** @type {Record<string, any>} the dimensions of the shape */
  const params = color ? { ...obstacle, color } : { ...obstacle };
  /** @param {readonly number[]} place */
  const moved = (place) => place.map((value, axis) => value + by[axis]);
  if (params.path) params.path = params.path.map((/** @type {{position: number[]}} */ point) => ({ ...point, position: moved(point.position) }));
  for (const place of ['position', 'from', 'to', 'pivot']) if (params[place]) params[place] = moved(params[place]);
  for (const array of ['heights', 'positions', 'triangles']) if (params[array]) params[array] = [...params[array]];
  return params;
}

/**
 * The direction away from the viewer along the ground; for a camera that looks straight down, the upper direction of the
 * picture.
 * @param {Stage} stage @param {readonly number[]} direction
 */
function alongGround(stage, [right, up, near]) {
  if (up !== 0) return [0, up, 0];
  for (const seen of [[right, 0, near], [right, -near, 0]]) {
    const [x, , z] = fromCamera(stage, seen);
    const length = Math.hypot(x, z);
    if (length > 0.1) return [x / length, 0, z / length];
  }
  return fromCamera(stage, [right, up, near]);
}
