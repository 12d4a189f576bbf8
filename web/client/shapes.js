// SPDX-License-Identifier: MIT
// The part of a world's topology that decoding a stream of frames needs: the number, place and neighbours of the particles of
// each object. The full Topology is stored where it is read; Shapes are stored where frames are decoded. They copy triangles
// only for kinds whose neighbours follow from triangles.

import { FrameError } from './errors.js';

const LINKED_BY_TRIANGLES = new Set(['mesh', 'plant', 'ragdoll', 'soft']);
const NO_TRIANGLES = new Uint32Array(0);

/** @typedef {{id: number, kind: string, particles: number, columns?: number, rows?: number, first: number, triangles: Uint32Array}} Shape */

export class Shapes {
  /** @param {number} epoch @param {Shape[]} objects ordered by slot */
  constructor(epoch, objects) {
    this.epoch = epoch;
    let first = 0;
    this.objects = objects.map((object) => {
      const placed = { ...object, first };
      first += object.particles;
      return placed;
    });
  }

  /**
   * @param {Shapes | null} shapes the shapes of the change's base
   * @param {import('./topology.js').TopologyChange} change
   * @returns {Shapes}
   */
  static apply(shapes, change) {
    if (change.base !== null && shapes?.epoch !== change.base) throw new FrameError(`a delta of epoch ${change.base} on another`);
    const gone = new Set([...change.removed, ...change.objects.map(({ id }) => id)]);
    const torn = new Map(change.torn.map((tear) => [tear.id, tear]));
    const kept = change.base === null || !shapes ? [] : shapes.objects.filter(({ id }) => !gone.has(id));
    const objects = [...kept.map((object) => tornShape(object, torn.get(object.id))), ...change.objects.map(shapeOf)];
    return new Shapes(change.epoch, objects.sort((a, b) => a.id - b.id));
  }
}

/** @param {import('./topology.js').WorldObject} object @returns {Shape} its first slot is set later */
function shapeOf({ id, kind, particles, columns, rows, triangles }) {
  return { id, kind, particles, columns, rows, first: 0, triangles: LINKED_BY_TRIANGLES.has(kind) ? triangles.slice() : NO_TRIANGLES };
}

/** @param {Shape} object @param {import('./topology.js').Tear | undefined} tear @returns {Shape} */
function tornShape(object, tear) {
  if (!tear) return object;
  const { particles, triangles: changed } = tear;
  if (!LINKED_BY_TRIANGLES.has(object.kind)) return { ...object, particles };
  const triangles = object.triangles.slice();
  for (let i = 0; i < changed.length; i += 4) triangles.set(changed.subarray(i + 1, i + 4), 3 * changed[i]);
  return { ...object, particles, triangles };
}
