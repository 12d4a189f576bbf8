// SPDX-License-Identifier: MIT
// Drawing primitives of the X-ray overlays, visible through everything: lines with a width in pixels, between particles
// (which follow the particle field on the graphics processor at no cost) or between points; and marks of different shapes.
// Each line and mark has its own colour.
import {
  BufferAttribute, DoubleSide, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Vector2,
} from 'three';
import { FIELD } from './field.js';
/** @import { IUniform, Object3D, WebGLRenderer } from 'three' */

const MARK_METRES = '0.022'; // maximum half width of marks in the world, in m, as GLSL
const MARK_LEAST = '1.6'; // minimum half width in pixels, as GLSL
const ORDER = 20; // drawn after everything else
const CORNERS = new Float32Array([0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 1, 0]); // corners of a line's quad: along the line, across it
const FACES = [0, 1, 2, 2, 1, 3];

// A line from one end to the other, `width` pixels wide at any distance.
const LINE = `
  uniform vec2 uSize;
  uniform float uWidth;
  attribute vec4 tint;
  varying vec4 vTint;
  vec4 lineAt(vec3 start, vec3 end) {
    vec4 a = projectionMatrix * viewMatrix * vec4(start, 1.0);
    vec4 b = projectionMatrix * viewMatrix * vec4(end, 1.0);
    if (a.w < 0.01 || b.w < 0.01) return vec4(2.0, 2.0, 2.0, 1.0);
    vec2 way = (b.xy / b.w - a.xy / a.w) * uSize;
    float far = length(way);
    vec2 across = far > 1e-4 ? vec2(-way.y, way.x) / far : vec2(0.0, 1.0);
    vec4 at = position.x < 0.5 ? a : b;
    at.xy += across * position.y * uWidth / uSize * at.w;
    return at;
  }`;
const BETWEEN_PARTICLES = `${FIELD}${LINE}
  attribute uvec2 ends;
  void main() { vTint = tint; gl_Position = lineAt(placeOf(ends.x), placeOf(ends.y)); }`;
const BETWEEN_POINTS = `${LINE}
  attribute vec3 start;
  attribute vec3 end;
  void main() { vTint = tint; gl_Position = lineAt(start, end); }`;
const PLAIN = 'varying vec4 vTint; void main() { if (vTint.a < 0.01) discard; gl_FragColor = vTint; }';

const MARK = `
  uniform vec2 uSize;
  attribute vec3 place;
  attribute vec4 tint;
  attribute vec2 form; // shape, half width in pixels
  varying vec4 vTint;
  varying vec2 vAt;
  flat varying float vShape;
  void main() {
    vTint = tint;
    vAt = vec2(2.0 * position.x - 1.0, position.y);
    vShape = form.x;
    gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
    float pixels = ${MARK_METRES} * uSize.y * projectionMatrix[1][1] / gl_Position.w; // size of MARK_METRES in pixels
    gl_Position.xy += vAt * clamp(pixels, ${MARK_LEAST}, form.y) / uSize * gl_Position.w;
  }`;
// Signed distance to the border of the shape; a dark rim separates marks from the background.
const SHAPES_GLSL = `
  varying vec4 vTint;
  varying vec2 vAt;
  flat varying float vShape;
  float inside(vec2 p) {
    vec2 q = abs(p);
    if (vShape < 0.5) return 1.0 - length(p);
    if (vShape < 1.5) return 0.86 - max(q.x, q.y);
    if (vShape < 2.5) return 1.0 - q.x - q.y;
    if (vShape < 3.5) return min(0.5 + p.y, 0.5 * (1.0 - p.y) - 0.9 * q.x + 0.2);
    if (vShape < 4.5) return max(min(0.34 - q.x, 0.95 - q.y), min(0.34 - q.y, 0.95 - q.x));
    return min(1.0 - length(p), length(p) - 0.5);
  }
  void main() {
    float d = inside(vAt);
    if (d < 0.0) discard;
    gl_FragColor = d < 0.16 ? vec4(0.05, 0.06, 0.08, vTint.a) : vTint;
  }`;

/** Shapes of marks, by name. */
export const SHAPES = { disc: 0, square: 1, diamond: 2, triangle: 3, cross: 4, ring: 5 };

/** @param {string} vertexShader @param {string} fragmentShader @param {Record<string, IUniform>} uniforms */
function materialOf(vertexShader, fragmentShader, uniforms) {
  return new ShaderMaterial({ vertexShader, fragmentShader, uniforms, transparent: true, depthTest: false, depthWrite: false, toneMapped: false, side: DoubleSide });
}

/** @typedef {Uint8ArrayConstructor | Uint32ArrayConstructor | Float32ArrayConstructor} ArrayType */
/** @typedef {Record<string, [Type: ArrayType, size: number, normalized?: boolean]>} Attributes `size`: numbers per instance */

/** A growing set of instances of one kind. */
class Instances {
  /** @param {Object3D} parent @param {ShaderMaterial} material @param {Attributes} attributes */
  constructor(parent, material, attributes) {
    this.attributes = attributes;
    this.width = 1; // width of lines in pixels
    this.material = material;
    this.mesh = new Mesh(new InstancedBufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = ORDER;
    this.mesh.visible = false;
    this.mesh.onBeforeRender = (renderer) => this.fit(renderer);
    this.room = 0;
    parent.add(this.mesh);
  }

  /** Widths are in CSS pixels; at a lower resolution, lines are at least one pixel wide. @param {WebGLRenderer} renderer */
  fit(renderer) {
    const { uSize, uWidth } = this.material.uniforms;
    renderer.getSize(uSize.value).multiplyScalar(0.5);
    if (uWidth) uWidth.value = Math.max(this.width, 0.6 / renderer.getPixelRatio());
  }

  /** Reserves room for a number of instances; earlier contents are discarded. @param {number} count */
  reserve(count) {
    if (count <= this.room) return;
    this.room = Math.ceil(count * 1.25);
    this.mesh.geometry.dispose();
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(CORNERS, 3));
    geometry.setIndex(FACES);
    for (const [name, [Type, size, normalized]] of Object.entries(this.attributes)) {
      geometry.setAttribute(name, new InstancedBufferAttribute(new Type(size * this.room), size, normalized));
    }
    this.mesh.geometry = geometry;
  }

  /** @param {string} name */
  array(name) {
    return this.mesh.geometry.attributes[name].array;
  }

  /** @param {number} at @param {string} color '#rrggbb' @param {number} [alpha] */
  paint(at, color, alpha = 1) {
    const array = this.array('tint');
    const number = Number.parseInt(color.slice(1), 16);
    array[4 * at] = number >> 16;
    array[4 * at + 1] = (number >> 8) & 255;
    array[4 * at + 2] = number & 255;
    array[4 * at + 3] = 255 * alpha;
  }

  /** Displays the first `count` instances. @param {number} count */
  show(count) {
    this.mesh.visible = count > 0;
    if (count === 0) return;
    this.mesh.geometry.instanceCount = count;
    for (const name of Object.keys(this.attributes)) this.mesh.geometry.attributes[name].needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

/** @type {[Uint8ArrayConstructor, number, boolean]} */
const TINT = [Uint8Array, 4, true];

/** Lines between particles: write `ends` (slots in the frames) and the colours. */
export class ParticleLines extends Instances {
  /** @param {import('./world.js').WorldView} world @param {number} width width in pixels */
  constructor(world, width = 1.1) {
    super(world.group, materialOf(BETWEEN_PARTICLES, PLAIN, { ...world.field.uniforms, uSize: { value: new Vector2() }, uWidth: { value: width } }),
      { ends: [Uint32Array, 2], tint: TINT });
    this.width = width;
  }
}

/** Lines between points: write `start` and `end` (m) and the colours. */
export class PointLines extends Instances {
  /** @param {import('./world.js').WorldView} world @param {number} width width in pixels */
  constructor(world, width = 1) {
    super(world.group, materialOf(BETWEEN_POINTS, PLAIN, { uSize: { value: new Vector2() }, uWidth: { value: width } }),
      { start: [Float32Array, 3], end: [Float32Array, 3], tint: TINT });
    this.width = width;
  }
}

/** Marks: write `place` (m), `form` (one of SHAPES, half width in pixels) and the colours. */
export class Marks extends Instances {
  /** @param {import('./world.js').WorldView} world */
  constructor(world) {
    super(world.group, materialOf(MARK, SHAPES_GLSL, { uSize: { value: new Vector2() } }),
      { place: [Float32Array, 3], form: [Float32Array, 2], tint: TINT });
  }
}
