// SPDX-License-Identifier: MIT
// Draws a rope: a tube around a Catmull-Rom curve through its particles, with a normal map of its strands. The cross-sections
// are transported along the curve by projection, without twist; this runs sequentially from one end to the other, so it is
// computed here instead of in the particle field. All arrays are allocated once.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, Sphere } from 'three';
import { fibreMaterial, isDraft } from './material.js';

const SUBDIVIDED_MAX = 4000; // with more particles, each gets one cross-section only
const LAY = 6.5; // length of one turn of a strand, in radii

const NONE = new Float32Array(0);

/** The view of a rope: `update` writes its vertices. */
export class RopeView {
  /** @param {import('../../client/topology.js').WorldObject} object @param {import('./world.js').Shared} shared @param {{positions: Float32Array}} entry */
  constructor(object, { strands }, entry) {
    this.entry = entry;
    /** @type {Float32Array} the positions of the entry */
    this.particles = NONE;
    this.count = object.particles;
    this.divisions = this.count > SUBDIVIDED_MAX ? 1 : isDraft() ? 2 : 4;
    this.sides = isDraft() ? 6 : 10;
    this.cosine = Float32Array.from({ length: this.sides + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / this.sides));
    this.sine = Float32Array.from({ length: this.sides + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / this.sides));
    this.radius = object.radius > 0 ? object.radius : 0;
    this.linked = linksOf(object);
    // One closing point at each end, and where the rope is cut a ring and two of them.
    this.rings = this.linked.reduce((rings, linked) => rings + (linked ? this.divisions : 3), 3);
    this.geometry = tubeGeometry(this.rings, this.sides);
    this.laid = false;
    this.material = fibreMaterial(strands, { sheen: 0.5, depth: 1 });
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.name = object.name ?? '';
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.centre = new Float64Array(3);
    this.tangent = new Float64Array(3);
    this.normal = new Float64Array(3);
  }

  update() {
    this.particles = this.entry.positions;
    if (!this.laid) this.lay();
    this.normal.fill(0);
    let ring = this.begin(0, 0);
    for (let i = 0; i + 1 < this.count; i++) {
      if (!this.linked[i]) ring = this.begin(this.end(ring, i), i + 1);
      for (let k = 0; this.linked[i] && k < this.divisions; k++) {
        this.curve(i, k / this.divisions);
        this.writeRing(ring++, 1, 0);
      }
    }
    this.end(ring, this.count - 1);
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
  }

  /** Closes the tube before a particle where it begins. @param {number} ring @param {number} i @returns {number} the next ring */
  begin(ring, i) {
    if (this.linked[i]) this.curve(i, 0);
    else this.stand(i);
    this.writeRing(ring, 0, -1);
    return ring + 1;
  }

  /** Ends the tube at a particle. @param {number} ring @param {number} i @returns {number} the next ring */
  end(ring, i) {
    const whole = i > 0 && this.linked[i - 1];
    if (whole) this.curve(i - 1, 1);
    else this.stand(i);
    this.writeRing(ring, whole ? 1 : 0, 0);
    this.writeRing(ring + 1, 0, whole ? 1 : -1);
    return ring + 2;
  }

  /** The place of a particle that nothing holds. @param {number} i */
  stand(i) {
    for (let axis = 0; axis < 3; axis++) this.centre[axis] = this.particles[3 * i + axis];
  }

  // Sets the radius and the strands' rotation per cross-section, once the length is known.
  lay() {
    this.laid = true;
    const link = linkLength(this.particles, this.linked);
    if (this.radius === 0) this.radius = Math.min(0.025, Math.max(0.004, 0.3 * link)); // a plausible default radius
    const { uv } = this.geometry.attributes;
    const turn = link / this.divisions / (LAY * this.radius);
    for (let v = 1, ring = 0; ring < this.rings; ring++) {
      for (let k = 0; k <= this.sides; k++, v += 2) uv.array[v] = ring * turn;
    }
    uv.needsUpdate = true;
  }

  /** Point and direction of the curve at fraction t of link i; the ends are extended straight. @param {number} i @param {number} t */
  curve(i, t) {
    const p = this.particles;
    const b = 3 * i;
    const c = b + 3;
    const a = i > 0 && this.linked[i - 1] ? b - 3 : -1;
    const d = i + 2 < this.count && this.linked[i + 1] ? c + 3 : -1;
    const t2 = t * t;
    const t3 = t2 * t;
    let length = 0;
    for (let axis = 0; axis < 3; axis++) {
      const p1 = p[b + axis];
      const p2 = p[c + axis];
      const p0 = a < 0 ? 2 * p1 - p2 : p[a + axis];
      const p3 = d < 0 ? 2 * p2 - p1 : p[d + axis];
      const m1 = 0.5 * (p2 - p0);
      const m2 = 0.5 * (p3 - p1);
      this.centre[axis] = (2 * t3 - 3 * t2 + 1) * p1 + (t3 - 2 * t2 + t) * m1 + (3 * t2 - 2 * t3) * p2 + (t3 - t2) * m2;
      const slope = (6 * t2 - 6 * t) * (p1 - p2) + (3 * t2 - 4 * t + 1) * m1 + (3 * t2 - 2 * t) * m2;
      this.tangent[axis] = slope;
      length += slope * slope;
    }
    const scale = 1 / (Math.sqrt(length) || 1);
    for (let axis = 0; axis < 3; axis++) this.tangent[axis] *= scale;
  }

  /**
   * Writes one cross-section: `open` is 1 at full radius, 0 at a closed end whose normals point along `outward` times the
   * tangent.
   * @param {number} ring @param {number} open @param {number} outward
   */
  writeRing(ring, open, outward) {
    const tx = this.tangent[0], ty = this.tangent[1], tz = this.tangent[2];
    let nx = this.normal[0], ny = this.normal[1], nz = this.normal[2];
    const along = nx * tx + ny * ty + nz * tz;
    nx -= along * tx; ny -= along * ty; nz -= along * tz;
    if (nx * nx + ny * ny + nz * nz < 1e-6) {
      // No normal yet, or the rope is folded back on itself: any perpendicular direction will do.
      if (Math.abs(ty) < 0.9) { nx = -tx * ty; ny = 1 - ty * ty; nz = -tz * ty; }
      else { nx = 1 - tx * tx; ny = -ty * tx; nz = -tz * tx; }
    }
    const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx *= scale; ny *= scale; nz *= scale;
    this.normal[0] = nx; this.normal[1] = ny; this.normal[2] = nz;
    const bx = ty * nz - tz * ny, by = tz * nx - tx * nz, bz = tx * ny - ty * nx;
    const cap = 0.6 * this.radius * outward;
    const cx = this.centre[0] + cap * tx, cy = this.centre[1] + cap * ty, cz = this.centre[2] + cap * tz;
    const positions = this.geometry.attributes.position.array;
    const normals = this.geometry.attributes.normal.array;
    const { sides, cosine, sine } = this;
    const r = this.radius * open;
    for (let k = 0, o = 3 * ring * (sides + 1); k <= sides; k++, o += 3) {
      const x = cosine[k] * nx + sine[k] * bx;
      const y = cosine[k] * ny + sine[k] * by;
      const z = cosine[k] * nz + sine[k] * bz;
      positions[o] = cx + r * x; positions[o + 1] = cy + r * y; positions[o + 2] = cz + r * z;
      normals[o] = open * x + outward * tx; normals[o + 1] = open * y + outward * ty; normals[o + 2] = open * z + outward * tz;
    }
  }

  dispose() {
    this.mesh.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
  }
}

/** Whether a particle and the next are joined: a cut rope has gaps. @param {import('../../client/topology.js').WorldObject} object */
function linksOf({ particles, sticks }) {
  const linked = new Uint8Array(particles - 1);
  for (let s = 0; sticks && s < sticks.length; s += 2) linked[sticks[s]] = 1;
  return linked;
}

/** The root mean square length of the links. @param {Float32Array} particles @param {Uint8Array} linked */
function linkLength(particles, linked) {
  let sum = 0;
  let links = 0;
  for (let i = 3; i < particles.length; i++) {
    if (!linked[Math.floor(i / 3) - 1]) continue;
    sum += (particles[i] - particles[i - 3]) ** 2;
    links++;
  }
  return links > 0 ? Math.sqrt((3 * sum) / links) : 0.01;
}

/**
 * The first and last vertices of a cross-section are at the same place, at opposite ends of the texture.
 * @param {number} rings @param {number} sides
 */
function tubeGeometry(rings, sides) {
  const geometry = new BufferGeometry();
  const index = new Uint32Array(6 * sides * (rings - 1));
  const around = sides + 1;
  const uv = new Float32Array(2 * around * rings);
  let at = 0;
  for (let ring = 0; ring < rings; ring++) {
    for (let k = 0; k < around; k++) {
      uv[2 * (ring * around + k)] = k / sides;
      if (ring === rings - 1 || k === sides) continue;
      const a = ring * around + k;
      index.set([a, a + 1, a + around, a + 1, a + around + 1, a + around], at);
      at += 6;
    }
  }
  const dynamic = () => new BufferAttribute(new Float32Array(3 * around * rings), 3).setUsage(DynamicDrawUsage);
  geometry.setAttribute('position', dynamic());
  geometry.setAttribute('normal', dynamic());
  geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.boundingSphere = new Sphere();
  return geometry;
}
