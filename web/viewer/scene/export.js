// SPDX-License-Identifier: MIT
// Exports the displayed world as plain meshes, made from a topology and positions, and written by three.js's exporters. A
// recording becomes morph targets, one per sample. Where the topology changes during the recording, as when a cloth tears,
// each part of the recording has a set of meshes of its own, displayed in turn.
import {
  AnimationClip, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, DoubleSide, Group, InterpolateDiscrete, Mesh,
  MeshStandardMaterial, NumberKeyframeTrack, PlaneGeometry, Scene, SphereGeometry, Vector3, VectorKeyframeTrack,
} from 'three';
import { clothTriangles } from '../../client/lattice.js';
import { meshOfObstacle } from '../geometry/obstacle_mesh.js';
import { objectColor } from './material.js';
import { isFigure, placeRagdoll, ragdollShape } from './ragdoll_shape.js';
import { embed, weave } from './surface.js';
/** @import { Hull, Obstacle, Topology, WorldObject } from '../../client/topology.js' */

export const BYTES_MAX = 128 * 2 ** 20; // limit for the morph targets of a recording

const UP = new Vector3(0, 1, 0);
const SOLID = '#a3abb8';
const ROD = '#e8c77a';
const SIDES = 6; // faces around a rope
const ROD_RADIUS = 0.01; // m
const STILL = 1e-4; // m: parts that move less are not animated
const FLOOR_M = 20; // side of the square that represents an infinite plane
const HIDDEN = 1e-6; // scale of hidden meshes, because some viewers do not accept 0

/**
 * @typedef {object} Part one mesh of the exported scene
 * @property {string} name @property {Color} color
 * @property {number} vertices @property {ArrayLike<number>} triangles corners of the triangles
 * @property {boolean} smooth whether shading is smooth instead of flat
 * @property {Float32Array} [colors] colours of the vertices
 * @property {(all: Float32Array, out: Float32Array) => void} write writes the vertices, from the positions of all particles
 */

// ---- displayed objects as parts ---------------------------------------------------------------------------------------

/** @typedef {Omit<Part, 'name' | 'color'>} Form a part without its name and color */

/** @param {Topology} topology @returns {Part[]} */
function partsOf(topology) {
  /** @type {Part[]} */
  const parts = [];
  const firsts = new Map();
  for (const object of topology.objects) {
    firsts.set(object.id, object.first);
    const named = { name: object.name || `${object.kind} ${object.id}`, color: objectColor({ ...object, asleep: false }) };
    if (object.sticks) parts.push({ ...named, ...tubes(chainsOf(object, object.sticks), radiusOf(object)) });
    else if (object.kind === 'particles') parts.push({ ...named, ...balls(object) });
    else if (object.hull) parts.push({ ...named, ...shell(object, object.hull) });
    else if (isFigure(object)) parts.push({ ...named, ...figure(object) });
    else if (object.triangles.length > 0) parts.push({ ...named, ...skin(object) });
  }
  if (topology.sticks.length > 0) {
    parts.push({ name: 'sticks', color: new Color(ROD), ...rods(topology.sticks.map(({ a, b }) => [a, b].map((end) => carriersOf(end, firsts)))) });
  }
  return parts;
}

/** @param {WorldObject} object @returns {Form} */
function skin(object) {
  const start = 3 * object.first;
  const solid = object.kind === 'body' || object.kind === 'ragdoll';
  /** @type {Form} */
  const part = {
    vertices: object.particles, triangles: object.triangles, smooth: !solid,
    /** @param {Float32Array} all @param {Float32Array} out */
    write: (all, out) => out.set(all.subarray(start, start + out.length)),
  };
  if (object.kind === 'cloth') part.colors = weave(object, clothTriangles(object.columns ?? 0, object.rows ?? 0, object.mesh ?? 'grid')).colors;
  return part;
}

/** @param {WorldObject} worldObject @param {Hull} hull @returns {Form} */
function shell({ first, particles }, hull) {
  return {
    vertices: hull.vertices, triangles: hull.triangles, smooth: false,
    /** @param {Float32Array} all @param {Float32Array} out */
    write: (all, out) => embed(hull, all.subarray(3 * first, 3 * (first + particles)), out),
  };
}

/** @param {WorldObject} worldObject @returns {Form} */
function figure({ first, particles }) {
  const shape = ragdollShape(10, 3);
  return {
    vertices: shape.vertices, triangles: shape.triangles, smooth: true,
    /** @param {Float32Array} all @param {Float32Array} out */
    write: (all, out) => placeRagdoll(shape, all.subarray(3 * first, 3 * (first + particles)), out),
  };
}

/** @param {WorldObject} worldObject @returns {Form} */
function balls({ first, particles, radius }) {
  const ball = new SphereGeometry(Math.max(radius, 0.012), particles > 2000 ? 6 : 10, particles > 2000 ? 4 : 7);
  const shape = ball.attributes.position.array;
  const count = ball.attributes.position.count;
  const corners = ball.index?.array ?? [];
  const triangles = new Uint32Array(particles * corners.length);
  for (let p = 0; p < particles; p++) for (let c = 0; c < corners.length; c++) triangles[p * corners.length + c] = p * count + corners[c];
  return {
    vertices: particles * count, triangles, smooth: true,
    /** @param {Float32Array} all @param {Float32Array} out */
    write(all, out) {
      for (let p = 0, o = 0; p < particles; p++) for (let i = 0; i < shape.length; i++, o++) out[o] = shape[i] + all[3 * (first + p) + (i % 3)];
    },
  };
}

/**
 * A rope is one chain of particles, or several where it is cut; the rods of a frame body are chains of two.
 * @param {WorldObject} worldObject @param {Uint32Array} sticks
 * @returns {number[][]}
 */
function chainsOf({ first, particles, shape }, sticks) {
  if (shape !== 'frame') return ropesOf(first, particles, sticks);
  return Array.from({ length: sticks.length / 2 }, (_, s) => [first + sticks[2 * s], first + sticks[2 * s + 1]]);
}

/** @param {number} first @param {number} particles @param {Uint32Array} sticks from particle to particle along the rope @returns {number[][]} */
function ropesOf(first, particles, sticks) {
  const linked = new Set();
  for (let s = 0; s < sticks.length; s += 2) linked.add(sticks[s]);
  /** @type {number[][]} */
  const chains = [];
  for (let i = 0; i < particles; i++) {
    if (linked.has(i - 1)) chains[chains.length - 1].push(first + i);
    else if (linked.has(i)) chains.push([first + i]);
  }
  return chains;
}

/**
 * A rope without a radius gets a third of a link, within plausible limits.
 * @param {WorldObject} worldObject
 * @returns {(all: Float32Array, chain: number[]) => number}
 */
function radiusOf({ radius, shape }) {
  if (radius > 0 && shape !== 'frame') return () => radius;
  return (all, chain) => {
    const [a, b] = [3 * chain[0], 3 * chain[1]];
    const link = Math.hypot(all[b] - all[a], all[b + 1] - all[a + 1], all[b + 2] - all[a + 2]);
    return shape === 'frame' ? 0.055 * link : Math.min(0.025, Math.max(0.004, 0.3 * link));
  };
}

/**
 * A tube around each chain, with pointed ends. Its cross-sections are transported along the chain by projection.
 * @param {number[][]} chains @param {(all: Float32Array, chain: number[]) => number} radiusFor
 * @returns {Form}
 */
function tubes(chains, radiusFor) {
  const rings = chains.map((chain) => chain.length + 2);
  const triangles = [];
  let start = 0;
  for (const count of rings) {
    for (let ring = 0; ring + 1 < count; ring++) {
      for (let side = 0; side < SIDES; side++) {
        const [a, b] = [start + ring * SIDES + side, start + ring * SIDES + ((side + 1) % SIDES)];
        triangles.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
      }
    }
    start += count * SIDES;
  }
  /** @type {number[] | null} the first triangles */
  let radii = null;
  return {
    vertices: start, triangles, smooth: true,
    /** @param {Float32Array} all @param {Float32Array} out */
    write(all, out) {
      const widths = radii ??= chains.map((chain) => radiusFor(all, chain));
      let at = 0;
      chains.forEach((chain, c) => { at = writeTube(all, chain, widths[c], out, at); });
    },
  };
}

/** @typedef {{slots: number[], weights: number[]}} Carriers slots of the particles that carry a point, and their weights */

/** @param {import('../../client/protocol.js').StickEndInfo} end @param {Map<number, number>} firsts @returns {Carriers} */
function carriersOf({ object, particle = 0, particles = [particle], weights = [1] }, firsts) {
  return { slots: particles.map((one) => (firsts.get(object) ?? 0) + one), weights };
}

/**
 * Tubes between points that particles carry; none where both are one.
 * @param {Carriers[][]} sticks @returns {Form}
 */
function rods(sticks) {
  const ends = sticks.flat();
  const points = new Float32Array(3 * ends.length);
  const form = tubes(sticks.map((_, s) => [2 * s, 2 * s + 1]), () => ROD_RADIUS);
  return {
    ...form,
    write(all, out) {
      points.fill(0);
      ends.forEach(({ slots, weights }, e) => slots.forEach((slot, k) => {
        for (let axis = 0; axis < 3; axis++) points[3 * e + axis] += weights[k] * all[3 * slot + axis];
      }));
      form.write(points, out);
    },
  };
}

const tangent = new Vector3();
const normal = new Vector3();
const across = new Vector3();
const centre = new Vector3();

/** @param {Float32Array} all @param {number[]} chain @param {number} radius @param {Float32Array} out @param {number} at */
function writeTube(all, chain, radius, out, at) {
  normal.set(0, 0, 0);
  for (let ring = 0; ring < chain.length + 2; ring++) {
    const i = Math.min(chain.length - 1, Math.max(0, ring - 1));
    const open = ring > 0 && ring <= chain.length ? radius : 0;
    tangent.fromArray(all, 3 * chain[Math.min(chain.length - 1, i + 1)]).sub(centre.fromArray(all, 3 * chain[Math.max(0, i - 1)])).normalize();
    centre.fromArray(all, 3 * chain[i]);
    normal.addScaledVector(tangent, -normal.dot(tangent));
    if (normal.lengthSq() < 1e-6) normal.copy(Math.abs(tangent.y) < 0.9 ? UP : across.set(1, 0, 0)).addScaledVector(tangent, -normal.dot(tangent));
    normal.normalize();
    across.crossVectors(tangent, normal);
    for (let side = 0; side < SIDES; side++, at += 3) {
      const [c, s] = [open * Math.cos((2 * Math.PI * side) / SIDES), open * Math.sin((2 * Math.PI * side) / SIDES)];
      out[at] = centre.x + c * normal.x + s * across.x;
      out[at + 1] = centre.y + c * normal.y + s * across.y;
      out[at + 2] = centre.z + c * normal.z + s * across.z;
    }
  }
  return at;
}

// ---- parts as meshes

/** @param {{name: string, color: Color, smooth: boolean, colors?: Float32Array}} part */
function materialFor({ name, color, smooth, colors }) {
  return new MeshStandardMaterial({ name, color, roughness: smooth ? 0.8 : 0.5, metalness: 0, side: DoubleSide, vertexColors: Boolean(colors) });
}

/** @param {Part} part @param {Float32Array} positions */
function meshOf(part, positions) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(facing(part, positions), 1));
  const { colors, color } = part.colors ? withinOne(part.colors, part.color) : part;
  if (colors) geometry.setAttribute('color', new BufferAttribute(colors, 3));
  if (part.smooth) computeNormals(geometry);
  const mesh = new Mesh(geometry, materialFor({ ...part, color }));
  mesh.name = part.name;
  return mesh;
}

/**
 * glTF allows no colour above 1. A cloth's weave raises vertex colours above 1: the excess is moved into the material's
 * colour, up to 1.
 * @param {Float32Array} colors @param {Color} color
 */
function withinOne(colors, color) {
  const most = [0, 1, 2].map((channel) => {
    let highest = 1;
    for (let i = channel; i < colors.length; i += 3) highest = Math.max(highest, colors[i]);
    return Math.min(highest, 1 / Math.max(color.toArray()[channel], 1e-6));
  });
  return {
    colors: colors.map((value, i) => Math.min(1, Math.max(0, value / most[i % 3]))),
    color: new Color(...color.toArray().map((value, channel) => Math.min(1, value * most[channel]))),
  };
}

/** Normals of length 1, as glTF requires, also where triangles have no area. @param {BufferGeometry} geometry */
function computeNormals(geometry) {
  geometry.computeVertexNormals();
  const { array } = geometry.attributes.normal;
  for (let i = 0; i < array.length; i += 3) {
    const length = Math.hypot(array[i], array[i + 1], array[i + 2]);
    if (!(length > 0.5)) array.set([0, 1, 0], i);
  }
}

/** Orients the faces of tetrahedra outwards; tetrahedra may have either orientation. @param {Part} part @param {Float32Array} p */
function facing({ triangles, vertices, smooth }, p) {
  const corners = Uint32Array.from(triangles);
  if (smooth || vertices !== 4) return corners;
  const [a, b, c] = [1, 2, 3].map((i) => new Vector3().fromArray(p, 3 * i).sub(new Vector3().fromArray(p, 0)));
  if (a.cross(b).dot(c) >= 0) return corners;
  for (let t = 0; t < corners.length; t += 3) [corners[t + 1], corners[t + 2]] = [corners[t + 2], corners[t + 1]];
  return corners;
}

/** @type {{[shape in 'sphere' | 'box' | 'plane' | 'capsule']: (obstacle: Extract<Obstacle, {shape: shape}>) => BufferGeometry}} */
const SHAPES = {
  sphere: ({ radius }) => new SphereGeometry(radius, 32, 20),
  box: ({ size }) => new BoxGeometry(...size),
  plane: () => new PlaneGeometry(FLOOR_M, FLOOR_M).rotateX(-Math.PI / 2),
  capsule: ({ from, to, radius }) => new CapsuleGeometry(radius, Math.hypot(...from.map((value, axis) => to[axis] - value)), 8, 24),
};

/** @param {Obstacle} obstacle */
function solidGeometry(obstacle) {
  switch (obstacle.shape) {
    case 'sphere': return SHAPES.sphere(obstacle);
    case 'box': return SHAPES.box(obstacle);
    case 'capsule': return SHAPES.capsule(obstacle);
    case 'plane': return SHAPES.plane(obstacle);
    default: throw new Error(`an obstacle of shape ${obstacle.shape} must be exported by its triangles`);
  }
}

/** @param {Obstacle} obstacle */
function obstacleMesh(obstacle) {
  const surface = meshOfObstacle(obstacle);
  const geometry = surface ? new BufferGeometry() : solidGeometry(obstacle);
  if (surface) {
    geometry.setAttribute('position', new BufferAttribute(surface.positions, 3));
    geometry.setIndex(new BufferAttribute(surface.triangles, 1));
    computeNormals(geometry);
  }
  const name = obstacle.name || `${obstacle.shape} ${obstacle.id}`;
  const mesh = new Mesh(geometry, materialFor({ name, color: new Color(obstacle.color ?? SOLID), smooth: true }));
  mesh.name = name;
  if (surface) return mesh;
  if (obstacle.shape === 'capsule') {
    const { from, to } = obstacle;
    const axis = new Vector3().fromArray(to).sub(new Vector3().fromArray(from));
    mesh.position.fromArray(from).addScaledVector(axis, 0.5);
    mesh.quaternion.setFromUnitVectors(UP, axis.normalize());
  } else mesh.position.fromArray(obstacle.position);
  if (obstacle.shape === 'plane') mesh.quaternion.setFromUnitVectors(UP, new Vector3().fromArray(obstacle.normal ?? [0, 1, 0]).normalize());
  else if (obstacle.shape === 'box' && obstacle.rotation) mesh.quaternion.fromArray(obstacle.rotation).normalize();
  return mesh;
}

/** @param {Topology} topology @param {Scene} scene */
function solids(topology, scene) {
  for (const obstacle of topology.obstacles) scene.add(obstacleMesh(obstacle));
  const { min, max } = topology.bounds;
  if (topology.obstacles.some(({ shape }) => shape === 'plane') || max[0] - min[0] > 60) return;
  const floor = obstacleMesh({
    shape: 'box', id: 0, name: 'floor', color: null, friction: 0, restitution: 0, size: [max[0] - min[0], 0.01, max[2] - min[2]], position: [0, 0, 0],
  });
  floor.position.set((min[0] + max[0]) / 2, min[1] - 0.005, (min[2] + max[2]) / 2);
  scene.add(floor);
}

/** @param {Part} part @param {Float32Array} all */
const written = (part, all) => {
  const out = new Float32Array(3 * part.vertices);
  part.write(all, out);
  return out;
};

/** @param {import('../../client/topology.js').Topology} topology @param {Float32Array} positions of all particles @returns {Scene} */
export function stillScene(topology, positions) {
  const scene = new Scene();
  for (const part of partsOf(topology)) scene.add(meshOf(part, written(part, positions)));
  solids(topology, scene);
  return scene;
}

/** The displayed positions of all particles. @param {import('./world.js').WorldView} world @returns {Float32Array} */
export function shownPositions(world) {
  const all = new Float32Array(3 * (world.topology?.particles ?? 0));
  for (const { object, positions } of world.entries.values()) all.set(positions, 3 * object.first);
  return all;
}

// ---- recordings

/**
 * @typedef {object} Stretch a part of a recording with one topology
 * @property {import('../../client/topology.js').Topology} topology
 * @property {{time: number, positions: Float32Array}[]} samples time in s
 */

/** Upper limit of the morph targets' size, in bytes. @param {{topology: Topology, samples: {length: number}}[]} stretches */
export function bytesOf(stretches) {
  return stretches.reduce((sum, { topology, samples }) => (
    sum + partsOf(topology).reduce((vertices, part) => vertices + part.vertices * (part.smooth ? 2 : 1), 0) * 12 * samples.length), 0);
}

/**
 * @param {Stretch[]} stretches the parts in order; the first sample has the time 0
 * @param {(share: number) => Promise<void>} progress called with the progress, so that the page stays responsive; rejects to cancel
 * @returns {Promise<{scene: Scene, clip: AnimationClip}>}
 */
export async function movingScene(stretches, progress) {
  const scene = new Scene();
  const tracks = [];
  const end = stretches.at(-1)?.samples.at(-1)?.time ?? 0;
  for (const [index, stretch] of stretches.entries()) {
    const group = new Group();
    group.name = stretches.length > 1 ? `stretch ${index + 1}` : 'world';
    scene.add(group);
    const parts = partsOf(stretch.topology);
    for (const [at, part] of parts.entries()) {
      const track = movingMesh(part, stretch.samples, group);
      if (track) tracks.push(track);
      await progress((index + (at + 1) / parts.length) / stretches.length);
    }
    if (stretches.length > 1) tracks.push(showing(group, stretch.samples[0].time, stretches[index + 1]?.samples[0].time ?? Infinity, end));
  }
  solids(stretches[0].topology, scene);
  return { scene, clip: new AnimationClip('recording', end, tracks) };
}

/** @param {Part} part @param {Stretch['samples']} samples @param {Group} group */
function movingMesh(part, samples, group) {
  const first = written(part, samples[0].positions);
  const mesh = meshOf(part, first);
  group.add(mesh);
  const { geometry } = mesh;
  const base = part.smooth ? geometry.attributes.normal.array : null;
  /** @type {{position: BufferAttribute[], normal: BufferAttribute[]}} */
  const moves = { position: [], normal: [] };
  let moving = false;
  for (const { positions } of samples.slice(1)) {
    const now = written(part, positions);
    const normals = part.smooth ? normalsOf(geometry, now) : null;
    moving ||= now.some((value, i) => Math.abs(value - first[i]) > STILL);
    moves.position.push(new BufferAttribute(now.map((value, i) => value - first[i]), 3));
    if (normals && base) moves.normal.push(new BufferAttribute(Float32Array.from(normals, (value, i) => value - base[i]), 3));
  }
  if (!moving) return null;
  geometry.morphTargetsRelative = true;
  geometry.morphAttributes.position = moves.position;
  if (part.smooth) geometry.morphAttributes.normal = moves.normal;
  mesh.updateMorphTargets();
  // Sample k shows target k − 1 alone; between two samples their targets are blended, which is linear interpolation.
  const targets = samples.length - 1;
  const weights = new Float32Array(samples.length * targets);
  for (let k = 1; k < samples.length; k++) weights[k * targets + k - 1] = 1;
  return new NumberKeyframeTrack(`${mesh.uuid}.morphTargetInfluences`, samples.map(({ time }) => time), weights);
}

/** @param {BufferGeometry} bufferGeometry @param {Float32Array} positions */
function normalsOf({ index }, positions) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(index);
  computeNormals(geometry);
  return geometry.attributes.normal.array;
}

/** @param {Group} group @param {number} from @param {number} to @param {number} end */
function showing(group, from, to, end) {
  const times = [0];
  const sizes = [from <= 0 ? 1 : HIDDEN];
  if (from > 0) {
    times.push(from);
    sizes.push(1);
  }
  if (to <= end) {
    times.push(to);
    sizes.push(HIDDEN);
  }
  return new VectorKeyframeTrack(`${group.uuid}.scale`, times, sizes.flatMap((size) => [size, size, size]), InterpolateDiscrete);
}

// ---- files

/** @param {Scene} scene @param {AnimationClip} [clip] @returns {Promise<Blob>} a binary glTF */
export async function glbOf(scene, clip) {
  const { GLTFExporter } = await import('three/addons/exporters/GLTFExporter.js');
  const animations = clip && clip.tracks.length > 0 ? [clip] : [];
  const bytes = await new GLTFExporter().parseAsync(scene, { binary: true, trs: true, animations });
  dispose(scene);
  return new Blob([/** @type {ArrayBuffer} */ (bytes)], { type: 'model/gltf-binary' });
}

/** @param {Scene} scene @returns {Promise<Blob>} */
export async function objOf(scene) {
  const { OBJExporter } = await import('three/addons/exporters/OBJExporter.js');
  scene.updateMatrixWorld(true);
  const text = new OBJExporter().parse(scene);
  dispose(scene);
  return new Blob([text], { type: 'model/obj' });
}

/** @param {Scene} scene */
function dispose(scene) {
  scene.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    node.geometry.dispose();
    node.material.dispose();
  });
}

/**
 * Draws the present view once more in the given size.
 * @param {import('./stage.js').Stage} stage @param {{width: number, height: number}} size in pixels
 * @returns {Promise<Blob>} a PNG
 */
export function pictureOf(stage, size) {
  return new Promise((resolve, reject) => {
    // The export is drawn between two displayed pictures, so the window does not change.
    requestAnimationFrame(() => {
      if (!stage.setOutput(size)) {
        reject(new Error(`this machine cannot draw pictures of ${size.width} × ${size.height} pixels.`));
        return;
      }
      stage.renderOnce();
      stage.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be read.'))), 'image/png');
      stage.setOutput(null);
      stage.renderOnce();
    });
  });
}
