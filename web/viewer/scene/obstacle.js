// SPDX-License-Identifier: MIT
// Draws obstacles of every shape, and the bounds of the world. Solids are drawn a few millimetres
// smaller, or further back, because the triangles of a cloth on them cut below their surface.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, DoubleSide, EdgesGeometry, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  Quaternion, SphereGeometry, Vector3,
} from 'three';
import { meshOfObstacle } from '../geometry/obstacle_mesh.js';
import { changesPlace, displacementOf } from '../geometry/obstacle_motion.js';
import { GroundView } from './ground.js';
import { isDraft, litMaterial } from './material.js';
import { GroundScale } from './scale.js';
/** @import { Bounds, Box, Capsule, Heightfield, Obstacle, Sphere, Vector } from '../../client/topology.js' */
/** @import { Surface } from '../geometry/obstacle_mesh.js' */
/** @import { Theme } from './stage.js' */
/** @import { Box3, Material, MeshLambertMaterial, MeshStandardMaterial, Object3D } from 'three' */

const UP = new Vector3(0, 1, 0);
const RING = 0.3; // relative width of the outline around a floor's disc
const DRAWN_EXTENT_MAX = 60; // m; walls further apart are not drawn, nor is a floor far below the scene

/** Points on the displayed surface of an obstacle, computed on first use. */
class SurfacePoints {
  /** @type {BufferAttribute | null} */
  #points = null;

  /** @param {Mesh} mesh @param {number} share relative scale of the drawn mesh */
  constructor(mesh, share) {
    this.mesh = mesh;
    this.share = share;
    this.count = mesh.geometry.attributes.position.count;
  }

  /** The obstacle has moved. */
  forget() {
    this.#points = null;
  }

  /**
   * Returns one of the points.
   * @param {number} index @param {number[]} [point] the array to write to
   * @returns {number[]} x, y, z in m
   */
  place(index, point = [0, 0, 0]) {
    const { mesh, share } = this;
    const points = this.#points ??= new BufferAttribute(mesh.geometry.attributes.position.array.slice(), 3)
      .applyMatrix4(mesh.matrix.clone().scale(new Vector3(share, share, share)));
    for (let axis = 0; axis < 3; axis++) point[axis] = points.array[3 * index + axis];
    return point;
  }
}

/** @typedef {Sphere | Box | Capsule} Solid an obstacle without arrays that is not a plane */

/** The view of all obstacles, bounds and floors. */
export class ObstaclesView {
  /** @param {import('three').Object3D} parent @param {Theme} theme */
  constructor(parent, theme) {
    this.parent = parent;
    this.theme = theme;
    /** @type {{mesh: Mesh<BufferGeometry, MeshStandardMaterial | MeshLambertMaterial>, own: boolean}[]} */
    this.solids = [];
    /** @type {GroundView[]} */
    this.grounds = [];
    /** @type {Map<number, SurfacePoints>} id → SurfacePoints */
    this.surfaces = new Map();
    /** @type {{obstacle: Obstacle, move: (rotation: Quaternion, shift: Vector3) => void}[]} obstacles that change their place */
    this.moving = [];
    /** @type {LineSegments<BufferGeometry, LineBasicMaterial> | null} */
    this.walls = null;
    /** @type {GroundScale | null} */
    this.scale = null;
  }

  /**
   * Redraws the obstacles of a topology.
   * @param {readonly Obstacle[]} obstacles
   * @param {Bounds} bounds
   * @param {import('three').Box3} content the box around the visible objects, which sets the size of the floors
   */
  set(obstacles, bounds, content) {
    this.dispose();
    const centre = content.getCenter(new Vector3());
    const reach = Math.max(1.5, content.getSize(new Vector3()).length() / 2);
    for (const obstacle of obstacles) {
      if (obstacle.shape !== 'plane') this.addSolid(obstacle, bounds.min[1]);
      else this.addGround(obstacle.position, obstacle.normal ?? [0, 1, 0], centre, 3.2 * reach, obstacle);
    }
    this.addBounds(bounds, centre, reach);
    this.addScale(content);
  }

  /** Shows what moves where it is at a tick, which may have a fraction. @param {number} tick @param {number} tickHz */
  showTick(tick, tickHz) {
    for (const { obstacle, move } of this.moving) {
      const { rotation, shift } = displacementOf(obstacle, tick, tickHz);
      move(new Quaternion().fromArray(rotation), new Vector3().fromArray(shift));
      this.surfaces.get(obstacle.id)?.forget();
    }
  }

  /** Draws the objects' floor: the highest horizontal plane. @param {Box3} content */
  addScale(content) {
    const level = this.grounds.filter(({ upright }) => upright).sort((a, b) => b.mesh.position.y - a.mesh.position.y);
    if (level.length === 0) return;
    const [{ mesh: { position }, uniforms: { uCell } }] = level;
    this.scale = new GroundScale({ height: position.y, cell: uCell.value, content }, this.theme);
    this.parent.add(this.scale.mesh);
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    for (const ground of this.grounds) ground.setTheme(theme);
    this.scale?.setTheme(theme);
    for (const { mesh, own } of this.solids) if (!own) mesh.material.color.copy(theme.solid);
    if (this.walls) this.walls.material.color.copy(theme.line);
  }

  /** @param {Exclude<Obstacle, {shape: 'plane'}>} obstacle @param {number} bottom */
  addSolid(obstacle, bottom) {
    const surface = meshOfObstacle(obstacle);
    const material = litMaterial({
      roughness: 0.62, metalness: 0, envMapIntensity: 0.8,
      ...(surface && { side: DoubleSide, flatShading: obstacle.shape === 'mesh', polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
    });
    material.color.copy(obstacle.color ? new Color(obstacle.color) : this.theme.solid);
    const shown = surface && obstacle.shape === 'heightfield' ? withSkirt(surface, obstacle, bottom) : surface;
    const mesh = new Mesh(shown ? surfaceGeometry(shown) : solidGeometry(/** @type {Solid} */ (obstacle)), material);
    mesh.name = obstacle.name ?? '';
    if (!surface) place(mesh, /** @type {Solid} */ (obstacle));
    mesh.castShadow = mesh.receiveShadow = true;
    freeze(mesh);
    this.parent.add(mesh);
    this.solids.push({ mesh, own: Boolean(obstacle.color) });
    if (changesPlace(obstacle)) this.moving.push({ obstacle, move: moverOf(mesh) });
    this.surfaces.set(obstacle.id, new SurfacePoints(mesh, 1));
  }

  /** @param {number[]} point @param {number[]} normal @param {Vector3} centre @param {number} radius @param {Obstacle} [obstacle] the plane; absent for the bounds */
  addGround(point, normal, centre, radius, obstacle) {
    const ground = new GroundView(this.theme);
    ground.place(new Vector3().fromArray(point), new Vector3().fromArray(normal).normalize(), centre, radius);
    freeze(ground.mesh);
    this.parent.add(ground.mesh);
    this.grounds.push(ground);
    if (!obstacle) return;
    this.surfaces.set(obstacle.id, new SurfacePoints(ground.mesh, RING));
    if (changesPlace(obstacle)) {
      this.moving.push({ obstacle, move: (rotation, shift) => {
        ground.move(rotation, shift);
        redraw(ground.mesh);
      } });
    }
  }

  /** @param {Bounds} bounds @param {Vector3} centre @param {number} reach */
  addBounds({ min, max }, centre, reach) {
    const extent = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    const floorNear = centre.y - min[1] < Math.max(8 * reach, 12);
    const above = this.grounds.some((ground) => ground.mesh.position.y > min[1] - 0.01);
    if (floorNear && !above) this.addGround([centre.x, min[1], centre.z], [0, 1, 0], centre, 3.2 * reach);
    if (extent <= DRAWN_EXTENT_MAX) this.addWalls(min, max);
  }

  /** @param {Vector} min @param {Vector} max */
  addWalls(min, max) {
    const box = new BoxGeometry(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    const edges = new EdgesGeometry(box);
    box.dispose();
    const lines = new LineSegments(edges, new LineBasicMaterial({ color: this.theme.line, transparent: true, opacity: 0.16 }));
    lines.position.set((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    freeze(lines);
    this.parent.add(lines);
    this.walls = lines;
  }

  dispose() {
    for (const { mesh } of this.solids) disposeMesh(mesh);
    for (const ground of this.grounds) ground.dispose();
    this.scale?.dispose();
    this.scale = null;
    if (this.walls) disposeMesh(this.walls);
    this.solids = [];
    this.grounds = [];
    this.surfaces.clear();
    this.moving = [];
    this.walls = null;
  }
}

/** Marks a mesh as static. @param {Object3D} mesh */
function freeze(mesh) {
  mesh.updateMatrix();
  mesh.matrixAutoUpdate = false;
}

/** Computes the matrix of a mesh that was marked as static and has moved. @param {Object3D} mesh */
function redraw(mesh) {
  mesh.updateMatrix();
  mesh.matrixWorldNeedsUpdate = true;
}

/** A function that displaces a mesh from where it is now. @param {Object3D} mesh @returns {(rotation: Quaternion, shift: Vector3) => void} */
function moverOf(mesh) {
  const place = mesh.matrix.clone();
  const all = new Matrix4();
  const one = new Vector3(1, 1, 1);
  return (rotation, shift) => {
    all.compose(shift, rotation, one).multiply(place).decompose(mesh.position, mesh.quaternion, mesh.scale);
    redraw(mesh);
  };
}

/** @param {Mesh<BufferGeometry, Material> | LineSegments<BufferGeometry, Material>} mesh */
function disposeMesh(mesh) {
  mesh.removeFromParent();
  mesh.geometry.dispose();
  mesh.material.dispose();
}

/** @param {Solid} solid */
function solidGeometry(solid) {
  if (solid.shape === 'box') {
    const [x, y, z] = solid.size.map((extent) => extent - Math.min(0.01, 0.02 * extent));
    return new BoxGeometry(x, y, z);
  }
  const { radius } = solid;
  const around = facesAround(radius);
  if (solid.shape === 'sphere') return new SphereGeometry(radius * 0.988, around, Math.round(around * 0.65));
  const { from, to } = solid;
  const length = new Vector3().fromArray(from).distanceTo(new Vector3().fromArray(to));
  return new CapsuleGeometry(radius * 0.988, length, Math.round(around / 4), around);
}

/** Larger things get more segments, and thin poles fewer, because their chords are not visible. @param {number} radius */
function facesAround(radius) {
  const [least, most, perRoot] = isDraft() ? [8, 28, 36] : [24, 96, 120];
  return Math.round(Math.min(most, Math.max(least, perRoot * Math.sqrt(radius))));
}

/** @param {Object3D} mesh @param {Solid} solid */
function place(mesh, solid) {
  if (solid.shape === 'capsule') {
    const { from, to } = solid;
    const axis = new Vector3().fromArray(to).sub(new Vector3().fromArray(from));
    mesh.position.fromArray(from).addScaledVector(axis, 0.5);
    mesh.quaternion.setFromUnitVectors(UP, axis.lengthSq() > 0 ? axis.normalize() : UP);
    return;
  }
  mesh.position.fromArray(solid.position);
  if (solid.shape === 'box' && solid.rotation) mesh.quaternion.fromArray(solid.rotation).normalize();
}

/** @param {Surface} surface */
function surfaceGeometry({ positions, triangles }) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * A height field is solid below: its rim is extended downwards a little, or to the bottom of the bounds if that is near.
 * @param {Surface} surface @param {Heightfield} field @param {number} bottom
 * @returns {Surface}
 */
function withSkirt({ positions, triangles }, { columns, rows, spacing }, bottom) {
  const rim = [];
  for (let c = 0; c < columns; c++) rim.push(c);
  for (let r = 1; r < rows; r++) rim.push(r * columns + columns - 1);
  for (let c = columns - 2; c >= 0; c--) rim.push((rows - 1) * columns + c);
  for (let r = rows - 2; r > 0; r--) rim.push(r * columns);
  let low = Infinity;
  for (let i = 1; i < positions.length; i += 3) low = Math.min(low, positions[i]);
  const foot = low - bottom < 4 * spacing ? bottom : low - 2 * spacing;
  const skirt = new Float32Array(6 * rim.length); // upper and lower vertices, separate from the surface, so that the rim is sharp
  const faces = new Uint32Array(6 * rim.length);
  const first = positions.length / 3;
  rim.forEach((vertex, i) => {
    const upper = positions.subarray(3 * vertex, 3 * vertex + 3);
    skirt.set([...upper, upper[0], foot, upper[2]], 6 * i);
    const [a, b] = [first + 2 * i, first + 2 * ((i + 1) % rim.length)];
    faces.set([a, b, a + 1, b, b + 1, a + 1], 6 * i);
  });
  return { positions: joined(positions, skirt, Float32Array), triangles: joined(triangles, faces, Uint32Array) };
}

/**
 * @template {Float32Array | Uint32Array} T
 * @param {T} a @param {T} b @param {new (length: number) => T} Type of both
 */
function joined(a, b, Type) {
  const all = new Type(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
