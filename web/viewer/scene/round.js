// SPDX-License-Identifier: MIT
// Instanced cylinders between particles and spheres around particles: the geometry for the kind `round` of material.js.
import { InstancedBufferAttribute, InstancedBufferGeometry, Sphere, SphereGeometry } from 'three';
/** @import { BufferGeometry } from 'three' */

/**
 * @param {import('three').BufferGeometry} shape the shape of each instance, of radius (and length) 1; copied
 * @param {number} count number of instances
 * @returns {InstancedBufferGeometry} with `ends`, `girth` and `color` to be filled in
 */
export function roundGeometry(shape, count) {
  const geometry = new InstancedBufferGeometry();
  /** @type {import('three').BufferGeometry} */ (geometry).copy(shape);
  geometry.instanceCount = count;
  geometry.setAttribute('ends', new InstancedBufferAttribute(new Uint32Array(2 * count), 2));
  geometry.setAttribute('girth', new InstancedBufferAttribute(new Float32Array(count), 1));
  geometry.setAttribute('color', new InstancedBufferAttribute(new Float32Array(3 * count), 3));
  geometry.boundingSphere = new Sphere();
  return geometry;
}

/**
 * Instanced cylinders between points that particles carry: the geometry for the kind `rod` of material.js.
 * @param {import('three').BufferGeometry} shape a cylinder of radius and length 1; copied
 * @param {number} count number of rods
 * @returns {InstancedBufferGeometry} with the carriers of both ends, `girth` and `color` to be filled in
 */
export function rodGeometry(shape, count) {
  const geometry = roundGeometry(shape, count);
  geometry.deleteAttribute('ends');
  for (const end of ['from', 'to']) {
    geometry.setAttribute(`${end}Four`, new InstancedBufferAttribute(new Uint32Array(4 * count), 4));
    geometry.setAttribute(`${end}Weights`, new InstancedBufferAttribute(new Float32Array(4 * count), 4));
  }
  return geometry;
}

/**
 * Instanced spheres, which all have the material's colour.
 * @param {{across: number, down: number}} faces of each sphere
 * @param {number} count number of spheres
 */
export function sphereGeometry({ across, down }, count) {
  const shape = new SphereGeometry(1, across, down);
  const geometry = roundGeometry(shape, count);
  shape.dispose();
  geometry.setAttribute('color', new InstancedBufferAttribute(new Float32Array([1, 1, 1]), 3, false, count));
  return geometry;
}

/** Puts sphere `i` of a geometry around a particle. @param {InstancedBufferGeometry} geometry @param {number} i @param {number} slot slot of the particle */
export function putSphere({ attributes: { ends } }, i, slot) {
  ends.array[2 * i] = ends.array[2 * i + 1] = slot;
}
