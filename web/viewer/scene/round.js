// SPDX-License-Identifier: MIT
// Many cylinders between particles or spheres around particles in one geometry, for the kinds `round` and `rod` of material.js.
// They are instances. Without a graphics processor, which draws each instance as slowly as a mesh of its own, the few of a
// usual scene are repeated instead: the values of each stand at all its vertices.
import { BufferAttribute, BufferGeometry, InstancedBufferAttribute, InstancedBufferGeometry, Sphere, SphereGeometry } from 'three';
import { isDraft } from './material.js';

const REPEATED_MAX = 30000; // vertices

/** @typedef {BufferGeometry & {copies: number}} RoundGeometry `copies`: how many times the values of one shape stand in its attributes */

/**
 * @param {BufferGeometry} shape the shape of each, of radius (and length) 1; copied
 * @param {number} count number of shapes
 * @returns {RoundGeometry} with `ends`, `girth` and `color` to be filled in by `putShape`
 */
export function roundGeometry(shape, count) {
  const vertices = shape.attributes.position.count;
  const copies = isDraft() && count * vertices <= REPEATED_MAX ? vertices : 1;
  const geometry = copies > 1 ? repeated(shape, count) : instanced(shape, count);
  addValues(geometry, 'ends', Uint32Array, 2, count);
  addValues(geometry, 'girth', Float32Array, 1, count);
  addValues(geometry, 'color', Float32Array, 3, count);
  geometry.boundingSphere = new Sphere();
  return geometry;
}

/** @param {BufferGeometry} shape @param {number} count @returns {RoundGeometry} */
function instanced(shape, count) {
  const geometry = Object.assign(new InstancedBufferGeometry(), { copies: 1 });
  /** @type {BufferGeometry} */ (geometry).copy(shape);
  geometry.instanceCount = count;
  return geometry;
}

/** @param {BufferGeometry} shape @param {number} count @returns {RoundGeometry} */
function repeated(shape, count) {
  const vertices = shape.attributes.position.count;
  const geometry = Object.assign(new BufferGeometry(), { copies: vertices });
  for (const name of ['position', 'normal']) {
    const { array, itemSize } = shape.attributes[name];
    const all = new Float32Array(count * array.length);
    for (let i = 0; i < count; i++) all.set(array, i * array.length);
    geometry.setAttribute(name, new BufferAttribute(all, itemSize));
  }
  const corners = /** @type {BufferAttribute} */ (shape.index).array;
  const index = new Uint32Array(count * corners.length);
  for (let at = 0; at < index.length; at++) index[at] = vertices * Math.floor(at / corners.length) + corners[at % corners.length];
  return /** @type {RoundGeometry} */ (geometry.setIndex(new BufferAttribute(index, 1)));
}

/** @param {RoundGeometry} geometry @param {string} name @param {Uint32ArrayConstructor | Float32ArrayConstructor} Type @param {number} size @param {number} count */
function addValues(geometry, name, Type, size, count) {
  const array = new Type(size * count * geometry.copies);
  geometry.setAttribute(name, geometry.copies > 1 ? new BufferAttribute(array, size) : new InstancedBufferAttribute(array, size));
}

/**
 * Sets the values of one shape in an attribute.
 * @param {RoundGeometry} geometry @param {string} name of the attribute @param {number} i index of the shape @param {ArrayLike<number>} values
 */
export function putShape({ attributes, copies }, name, i, values) {
  const { array, itemSize } = attributes[name];
  for (let at = i * copies * itemSize, end = at + copies * itemSize; at < end; at++) array[at] = values[at % itemSize];
}

/**
 * Cylinders between points that particles carry: the geometry for the kind `rod` of material.js.
 * @param {BufferGeometry} shape a cylinder of radius and length 1; copied
 * @param {number} count number of rods
 * @returns {RoundGeometry} with the carriers of both ends, `girth` and `color` to be filled in by `putShape`
 */
export function rodGeometry(shape, count) {
  const geometry = roundGeometry(shape, count);
  geometry.deleteAttribute('ends');
  for (const end of ['from', 'to']) {
    addValues(geometry, `${end}Four`, Uint32Array, 4, count);
    addValues(geometry, `${end}Weights`, Float32Array, 4, count);
  }
  return geometry;
}

/**
 * Spheres, which all have the material's colour.
 * @param {{across: number, down: number}} faces of each sphere
 * @param {number} count number of spheres
 */
export function sphereGeometry({ across, down }, count) {
  const shape = new SphereGeometry(1, across, down);
  const geometry = roundGeometry(shape, count);
  shape.dispose();
  if (geometry.copies > 1) geometry.attributes.color.array.fill(1);
  else geometry.setAttribute('color', new InstancedBufferAttribute(new Float32Array([1, 1, 1]), 3, false, count));
  return geometry;
}

/** Puts sphere `i` of a geometry around a particle. @param {RoundGeometry} geometry @param {number} i @param {number} slot slot of the particle */
export function putSphere(geometry, i, slot) {
  putShape(geometry, 'ends', i, [slot, slot]);
}
