// SPDX-License-Identifier: MIT
// The surfaces of round and of compound bodies, as triangles. A message holds the convex parts of such a body: few vertices,
// and a radius around them (proto/FRAMES.md). What is drawn, picked and exported is made of them here.
//
// Everything is in the attitude in which the shape was given, with the first of the four particles as origin. A vertex or a
// direction is carried by the particles with weights, which follow from the edges between them.
/** @import { Hull } from './topology.js' */

/** @typedef {[number, number, number]} Vector */
/** @typedef {{vertices: number, triangles: number, radius: number, ring?: boolean}} Part */
/** @typedef {{vertices: number, weights: Float32Array, triangles: Uint32Array, parts: Part[], edges: Float32Array}} PartedHull */

const BALL = 5; // rows of triangles in an octant of a ball
const CORNER = 3; // steps of the rounding of an edge
const FLAT = 0.99999; // cosine between faces that are one
const SAME = 1e6; // places nearer than a micrometre are one

/** @param {Vector} a @param {Vector} b @returns {Vector} */
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vector} a @param {number} s @returns {Vector} */
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {Vector} a @param {Vector} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vector} a @returns {Vector} */
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));

/** The triangles of one body: places and normals of their corners, and whether the surface is round there. */
class Surface {
  constructor() {
    /** @type {Vector[]} */
    this.places = [];
    /** @type {Vector[]} */
    this.normals = [];
    /** @type {number[]} */
    this.smooth = [];
  }

  /** Adds a triangle, wound outwards by its normals. @param {Vector[]} places @param {Vector[]} normals @param {boolean} smooth */
  add(places, normals, smooth) {
    const [a, b, c] = places;
    const face = cross(sub(b, a), sub(c, a));
    if (Math.hypot(...face) < 1e-14) return;
    const order = dot(face, add(add(normals[0], normals[1]), normals[2])) < 0 ? [0, 2, 1] : [0, 1, 2];
    for (const k of order) {
      this.places.push(places[k]);
      this.normals.push(normals[k]);
    }
    this.smooth.push(smooth ? 1 : 0);
  }

  /** A quad a, b and c, d with the directions of its two sides. @param {Vector} a @param {Vector} b @param {number} radius @param {Vector} from @param {Vector} to */
  strip(a, b, radius, from, to) {
    const [p, q, r, s] = [add(a, scaled(from, radius)), add(b, scaled(from, radius)), add(a, scaled(to, radius)), add(b, scaled(to, radius))];
    this.add([p, q, s], [from, from, to], true);
    this.add([p, s, r], [from, to, to], true);
  }

  /** The part of a ball between three directions. @param {Vector} centre @param {number} radius @param {Vector[]} directions @param {number} rows */
  cap(centre, radius, [a, b, c], rows) {
    /** @param {number} i @param {number} j */
    const at = (i, j) => unit(add(add(scaled(a, rows - i - j), scaled(b, i)), scaled(c, j)));
    /** @param {Vector[]} d */
    const put = (d) => this.add(d.map((one) => add(centre, scaled(one, radius))), d, true);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows - i; j++) {
        put([at(i, j), at(i + 1, j), at(i, j + 1)]);
        if (i + j + 1 < rows) put([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
      }
    }
  }
}

/** A ball, or a ball at each end of a segment and the barrel between. @param {Surface} surface @param {Vector[]} ends @param {number} radius */
function addCapsule(surface, ends, radius) {
  const up = ends.length > 1 ? unit(sub(ends[1], ends[0])) : /** @type {Vector} */ ([0, 1, 0]);
  const aside = unit(cross(up, Math.abs(up[0]) < 0.6 ? [1, 0, 0] : [0, 0, 1]));
  const front = cross(up, aside);
  const sides = [aside, front, scaled(aside, -1), scaled(front, -1)];
  for (let k = 0; k < 4; k++) {
    const [a, b] = [sides[k], sides[(k + 1) % 4]];
    surface.cap(ends[ends.length - 1], radius, [up, a, b], BALL);
    surface.cap(ends[0], radius, [scaled(up, -1), a, b], BALL);
    for (let i = 0; ends.length > 1 && i < BALL; i++) {
      const from = unit(add(scaled(a, BALL - i), scaled(b, i)));
      const to = unit(add(scaled(a, BALL - i - 1), scaled(b, i + 1)));
      surface.strip(ends[0], ends[1], radius, from, to);
    }
  }
}

/** A cylinder: a round barrel and two flat ends. @param {Surface} surface @param {Vector[]} points both rims, the lower one first @param {Uint32Array} triangles */
function addRing(surface, points, triangles) {
  const sides = points.length / 2;
  /** @param {number} rim @returns {Vector} */
  const middle = (rim) => scaled(add(points[rim * sides], points[rim * sides + sides / 2]), 0.5);
  const up = unit(sub(middle(1), middle(0)));
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)];
    const rims = corners.map((corner) => Math.floor(corner / sides));
    const flat = rims.every((rim) => rim === rims[0]);
    surface.add(
      corners.map((corner) => points[corner]),
      corners.map((corner, k) => (flat ? scaled(up, rims[0] === 1 ? 1 : -1) : unit(sub(points[corner], middle(rims[k]))))),
      !flat,
    );
  }
}

/** The unit normals of triangles. @param {Vector[]} points @param {Uint32Array} triangles */
function facesOf(points, triangles) {
  /** @type {Vector[]} */
  const faces = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [points[triangles[t]], points[triangles[t + 1]], points[triangles[t + 2]]];
    faces.push(unit(cross(sub(b, a), sub(c, a))));
  }
  return faces;
}

/** A convex hull, rounded where it has a radius. @param {Surface} surface @param {Vector[]} points @param {Uint32Array} triangles @param {number} radius */
function addHull(surface, points, triangles, radius) {
  const faces = facesOf(points, triangles);
  /** @type {Map<number, number>} an edge from a to b → the triangle that has it in this direction */
  const owners = new Map();
  const mean = points.map(() => /** @type {Vector} */ ([0, 0, 0]));
  for (let corner = 0; corner < triangles.length; corner++) {
    const t = Math.floor(corner / 3);
    owners.set(triangles[corner] * 65536 + triangles[3 * t + ((corner + 1) % 3)], t);
    mean[triangles[corner]] = add(mean[triangles[corner]], faces[t]);
  }
  faces.forEach((normal, t) => {
    const corners = [...triangles.subarray(3 * t, 3 * t + 3)].map((vertex) => add(points[vertex], scaled(normal, radius)));
    surface.add(corners, [normal, normal, normal], radius > 0);
  });
  for (const [edge, t] of radius > 0 ? owners : []) {
    const [a, b] = [Math.floor(edge / 65536), edge % 65536];
    const other = owners.get(b * 65536 + a);
    if (other === undefined || a > b || dot(faces[t], faces[other]) > FLAT) continue;
    for (let step = 0; step < CORNER; step++) {
      /** @param {number} i */
      const at = (i) => unit(add(scaled(faces[t], CORNER - i), scaled(faces[other], i)));
      surface.strip(points[a], points[b], radius, at(step), at(step + 1));
    }
    for (const end of [a, b]) surface.cap(points[end], radius, [unit(mean[end]), faces[t], faces[other]], CORNER);
  }
}

/**
 * The surface of a body that has parts.
 * @param {PartedHull} hull as in a message: the triangles of a part hold indices of its own vertices
 * @returns {Hull}
 */
export function roundHull({ weights, triangles, parts, edges }) {
  const e = [0, 3, 6].map((at) => /** @type {Vector} */ ([edges[at], edges[at + 1], edges[at + 2]]));
  const volume = dot(e[0], cross(e[1], e[2]));
  const dual = [cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])].map((one) => scaled(one, 1 / volume));
  const surface = new Surface();
  let vertex = 0;
  let triangle = 0;
  for (const part of parts) {
    /** @type {Vector[]} */
    const points = [];
    for (let v = vertex; v < vertex + part.vertices; v++) {
      points.push([0, 1, 2].reduce((sum, k) => add(sum, scaled(e[k], weights[4 * v + k + 1])), /** @type {Vector} */ ([0, 0, 0])));
    }
    const own = triangles.subarray(3 * triangle, 3 * (triangle + part.triangles));
    if (part.ring) addRing(surface, points, own);
    else if (own.length === 0) addCapsule(surface, points, part.radius);
    else addHull(surface, points, own, part.radius);
    vertex += part.vertices;
    triangle += part.triangles;
  }
  return embedded(surface, dual);
}

/** Corners in one place are one vertex. @param {Surface} surface @param {Vector[]} dual @returns {Hull} */
function embedded({ places, normals, smooth }, dual) {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {number[]} */
  const weights = [];
  const bends = new Float32Array(4 * places.length);
  const triangles = Uint32Array.from(places, (place, corner) => {
    const way = dual.map((one) => dot(one, normals[corner]));
    bends.set([-way[0] - way[1] - way[2], ...way], 4 * corner);
    const key = place.map((at) => Math.round(at * SAME)).join();
    const vertex = known.get(key) ?? known.size;
    if (vertex === known.size) {
      known.set(key, vertex);
      const at = dual.map((one) => dot(one, place));
      weights.push(1 - at[0] - at[1] - at[2], ...at);
    }
    return vertex;
  });
  return { vertices: known.size, weights: Float32Array.from(weights), triangles, bends, smooth: Uint8Array.from(smooth) };
}
