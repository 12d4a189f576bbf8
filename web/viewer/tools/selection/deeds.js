// SPDX-License-Identifier: MIT
// What is done to the selection. Several commands go as one batch, so that all or none of it happens and one undo takes it
// back. Colors, materials and removal concern the objects that selected particles are of.
import { fromCamera, lookAt } from '../../scene/projector.js';

const TEAR_MAX = 256; // particles that the server tears at once
const TEARABLE = new Set(['cloth', 'mesh', 'plant']);

/** Directions of a push: right, up, and towards who looks, all but up and down along the ground. */
export const DIRECTIONS = Object.freeze({
  up: [0, 1, 0], down: [0, -1, 0], left: [-1, 0, 0], right: [1, 0, 0], away: [0, 0, -1], 'this way': [0, 0, 1],
});

/** One method for each deed. */
export class Deeds {
  /** @param {import('../../page.js').Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Ids of all objects concerned, those first that are selected as a whole. */
  get objects() {
    const { objects, particles } = this.page.selection;
    return [...new Set([...objects, ...particles.keys()])].filter((id) => this.page.world.find(id));
  }

  /** For each object concerned its selected particles: [id, indices, entry]. */
  get particles() {
    const { selection, world } = this.page;
    return this.objects.map((id) => {
      const entry = world.find(id);
      const all = selection.objects.has(id);
      const indices = all ? Array.from({ length: entry.object.particles }, (_, i) => i) : [...selection.particles.get(id)];
      return [id, indices.sort((a, b) => a - b), entry];
    });
  }

  pin() {
    return this.#run(this.particles.map(([object, particles, { pins }]) => [object, particles.filter((index) => !pins.has(index))])
      .filter(([, particles]) => particles.length > 0)
      .map(([object, particles]) => ({ method: 'particle.pin', params: { object, particles } })), 'All of it is pinned already.');
  }

  unpin() {
    return this.#run(this.particles.map(([object, particles, { pins }]) => [object, particles.filter((index) => pins.has(index))])
      .filter(([, particles]) => particles.length > 0)
      .map(([object, particles]) => ({ method: 'particle.unpin', params: { object, particles } })), 'None of it is pinned.');
  }

  /** Along the selected particles of each cloth. */
  tear() {
    const { selection, world } = this.page;
    const torn = [...selection.particles].filter(([id]) => TEARABLE.has(world.find(id)?.kind));
    const most = Math.max(0, ...torn.map(([, indices]) => indices.size));
    if (most > TEAR_MAX) return this.page.refuse(new Error(`At most ${TEAR_MAX} particles can be torn at once, ${most} are selected.`));
    return this.#run(torn.map(([object, indices]) => ({ method: 'particle.tear', params: { object, particles: [...indices].sort((a, b) => a - b) } })),
      'Only cloth can be torn: select particles of one, with shift and a drag.');
  }

  /** @param {string} direction of DIRECTIONS @param {number} strength N in all on each object @param {number} ticks for how long */
  push(direction, strength, ticks) {
    const force = alongGround(this.page.stage, DIRECTIONS[direction]).map((value) => value * strength);
    return this.#run(this.particles.map(([object, particles, entry]) => ({
      method: 'force.apply',
      params: { object, ...(particles.length < entry.object.particles && { particles }), force, ticks },
    })), 'Nothing is selected.');
  }

  /** @param {{color?: string, friction?: number, restitution?: number, name?: string}} params of object.set */
  change(params) {
    return this.#run(this.objects.map((object) => ({ method: 'object.set', params: { object, ...params } })), 'Nothing is selected.');
  }

  async remove() {
    const done = await this.#run(this.objects.map((object) => ({ method: 'object.remove', params: { object } })), 'Nothing is selected.');
    if (done) this.page.selection.clear();
  }

  /** Brings the camera to it. */
  look() {
    lookAt(this.page.stage, this.particles.map(([, indices, entry]) => [entry, indices]));
  }

  async #run(commands, nothing) {
    if (commands.length === 0) {
      this.page.refuse(new Error(nothing));
      return undefined;
    }
    const [{ method, params }] = commands;
    return commands.length === 1 ? this.page.call(method, params) : this.page.call('batch.run', { commands });
  }
}

// Who looks straight down sees the ground ahead in the upper part of the picture.
function alongGround(stage, [right, up, near]) {
  if (up !== 0) return [0, up, 0];
  for (const seen of [[right, 0, near], [right, -near, 0]]) {
    const [x, , z] = fromCamera(stage, seen);
    const length = Math.hypot(x, z);
    if (length > 0.1) return [x / length, 0, z / length];
  }
  return fromCamera(stage, [right, up, near]);
}
