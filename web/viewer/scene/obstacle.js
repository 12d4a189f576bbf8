// SPDX-License-Identifier: MIT
// What is solid and never moves: spheres, boxes and planes, and the bounds of the world. Solids are drawn a few
// millimetres smaller than they are, because the triangles of a cloth that lies on them cut beneath their surface.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, EdgesGeometry, LineBasicMaterial, LineSegments, Mesh, SphereGeometry, Vector3,
} from 'three';
import { GroundView } from './ground.js';
import { isThrifty, litMaterial } from './material.js';

const DRAWN_EXTENT_MAX = 60; // m; walls further apart than this are not drawn, nor is a floor far under the scene

/** All obstacles, the bounds and the floors. */
export class ObstaclesView {
  /** @param {import('three').Object3D} parent */
  constructor(parent, theme) {
    this.parent = parent;
    this.theme = theme;
    this.solids = [];
    this.grounds = [];
    this.walls = null;
  }

  /**
   * Draws anew what the topology says.
   * @param {object[]} obstacles
   * @param {{min: number[], max: number[]}} bounds
   * @param {import('three').Box3} content what there is to see, for the size of the floors
   */
  set(obstacles, bounds, content) {
    this.dispose();
    const centre = content.getCenter(new Vector3());
    const reach = Math.max(1.5, content.getSize(new Vector3()).length() / 2);
    for (const obstacle of obstacles) {
      if (obstacle.shape !== 'plane') this.addSolid(obstacle);
      else this.addGround(obstacle.position, obstacle.normal ?? [0, 1, 0], centre, 3.2 * reach);
    }
    this.addBounds(bounds, centre, reach);
  }

  /** @param {object} theme of the stage */
  setTheme(theme) {
    this.theme = theme;
    for (const ground of this.grounds) ground.setTheme(theme);
    for (const { mesh, own } of this.solids) if (!own) mesh.material.color.copy(theme.solid);
    if (this.walls) this.walls.material.color.copy(theme.line);
  }

  addSolid(obstacle) {
    const geometry = obstacle.shape === 'sphere'
      ? new SphereGeometry(obstacle.radius * 0.988, ...(isThrifty() ? [40, 24] : [96, 64]))
      : new BoxGeometry(...obstacle.size.map((extent) => extent - Math.min(0.01, 0.02 * extent)));
    const material = litMaterial({ roughness: 0.62, metalness: 0, envMapIntensity: 0.8 });
    material.color.copy(obstacle.color ? new Color(obstacle.color) : this.theme.solid);
    const mesh = new Mesh(geometry, material);
    mesh.name = obstacle.name ?? '';
    mesh.position.fromArray(obstacle.position);
    if (obstacle.rotation) mesh.quaternion.fromArray(obstacle.rotation).normalize();
    mesh.castShadow = mesh.receiveShadow = true;
    this.parent.add(mesh);
    this.solids.push({ mesh, own: Boolean(obstacle.color) });
  }

  addGround(point, normal, centre, radius) {
    const ground = new GroundView(this.theme);
    ground.place(new Vector3().fromArray(point), new Vector3().fromArray(normal).normalize(), centre, radius);
    this.parent.add(ground.mesh);
    this.grounds.push(ground);
  }

  addBounds({ min, max }, centre, reach) {
    const extent = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    const floorNear = centre.y - min[1] < Math.max(8 * reach, 12);
    const above = this.grounds.some((ground) => ground.mesh.position.y > min[1] - 0.01);
    if (floorNear && !above) this.addGround([centre.x, min[1], centre.z], [0, 1, 0], centre, 3.2 * reach);
    if (extent <= DRAWN_EXTENT_MAX) this.addWalls(min, max);
  }

  addWalls(min, max) {
    const box = new BoxGeometry(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    const edges = new EdgesGeometry(box);
    box.dispose();
    const lines = new LineSegments(edges, new LineBasicMaterial({ color: this.theme.line, transparent: true, opacity: 0.16 }));
    lines.position.set((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    this.parent.add(lines);
    this.walls = lines;
  }

  dispose() {
    for (const { mesh } of this.solids) disposeMesh(mesh);
    for (const ground of this.grounds) ground.dispose();
    if (this.walls) disposeMesh(this.walls);
    this.solids = [];
    this.grounds = [];
    this.walls = null;
  }
}

/** Sticks that people added between particles, as lines. */
export class SticksView {
  /** @param {import('three').Object3D} parent */
  constructor(parent) {
    this.sticks = [];
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xe8c77a }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    parent.add(this.lines);
  }

  /** @param {object[]} sticks of the topology @param {(id: number) => object|undefined} find an object's view */
  set(sticks, find) {
    this.sticks = sticks
      .map(({ a, b }) => ({ a: find(a.object), i: 3 * a.particle, b: find(b.object), j: 3 * b.particle }))
      .filter(({ a, b }) => a && b);
    this.lines.visible = this.sticks.length > 0;
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    this.lines.geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * this.sticks.length), 3));
  }

  update() {
    if (this.sticks.length === 0) return;
    const attribute = this.lines.geometry.attributes.position;
    for (let s = 0; s < this.sticks.length; s++) {
      const { a, i, b, j } = this.sticks[s];
      for (let axis = 0; axis < 3; axis++) {
        attribute.array[6 * s + axis] = a.positions[i + axis];
        attribute.array[6 * s + 3 + axis] = b.positions[j + axis];
      }
    }
    attribute.needsUpdate = true;
  }
}

function disposeMesh(mesh) {
  mesh.removeFromParent();
  mesh.geometry.dispose();
  mesh.material.dispose();
}
