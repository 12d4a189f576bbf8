// SPDX-License-Identifier: MIT
// The scale on the floor: numbers along the grid, with a constant height on the screen. Numbers in m along x at the front of
// the scene and along z at its left; from a distance only every second or fourth is drawn. One mesh with a quad per
// character, and a texture strip of characters.
import { BufferAttribute, BufferGeometry, CanvasTexture, Color, LinearFilter, Mesh, ShaderMaterial, Sphere } from 'three';
import { skyUniforms } from './sky.js';
/** @import { Box3 } from 'three' */

const LETTERS = '0123456789.−mxz ';
const LETTER = { width: 28, height: 44 }; // pixels in the strip
const ROOM = [1, 2.2, 4.4]; // distance to the next mark that a mark of each rank needs, in heights of a character
const ALONG = 2; // factor for marks along the view direction
const MARKS_MAX = 10; // approximate number of marks on one side

const VERTEX = `
  attribute vec3 anchor;
  attribute float room;
  uniform vec2 uSize;
  uniform float uLetter;
  uniform float uStep;
  varying vec2 vUv;
  void main() {
    vUv = uv;
    gl_Position = projectionMatrix * viewMatrix * vec4(anchor, 1.0);
    // Distance between marks, in heights of a character.
    if (uStep * projectionMatrix[1][1] / gl_Position.w < 2.0 * uLetter * room) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    else gl_Position.xy += position.xy * 2.0 * uLetter * vec2(uSize.y / uSize.x, 1.0) * gl_Position.w;
  }`;
const FRAGMENT = `
  uniform sampler2D uLetters;
  uniform vec3 uInk;
  varying vec2 vUv;
  void main() {
    float ink = texture2D(uLetters, vUv).a;
    if (ink < 0.05) discard;
    gl_FragColor = vec4(uInk, 0.9 * ink);
  }`;

/** @type {CanvasTexture | null} one strip, shared by all pictures */
let letters = null;

/** @typedef {{text: string, at: number[], room: number}} Written a mark: its text, position, and required distance to the next, in heights of a character */

/** The numbers along a floor. */
export class GroundScale {
  /**
   * @param {object} place
   * @param {number} place.height height of the floor, m
   * @param {number} place.cell size of its grid cells, m
   * @param {import('three').Box3} place.content the box around the objects on it
   * @param {{ink: Color}} theme
   */
  constructor({ height, cell, content }, theme) {
    letters ??= letterStrip();
    this.ink = { value: new Color() };
    this.material = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, toneMapped: false,
      uniforms: { uLetters: { value: letters }, uInk: this.ink, uSize: skyUniforms.uSize, uLetter: skyUniforms.uLetter },
    });
    const { written, step } = marks(height, cell, content);
    this.material.uniforms.uStep = { value: step };
    this.mesh = new Mesh(textGeometry(written), this.material);
    this.mesh.name = 'scale';
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.renderOrder = 6; // drawn after the floor and the sky
    this.setTheme(theme);
  }

  /** @param {{ink: Color}} theme */
  setTheme(theme) {
    this.ink.value.copy(theme.ink).convertLinearToSRGB();
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

/**
 * Chooses the marks: about as many as fit, on lines of the grid.
 * @param {number} height @param {number} cell @param {Box3} box3
 */
function marks(height, cell, { min, max }) {
  const length = Math.max(max.x - min.x, max.z - min.z, cell);
  const step = [1, 2, 4, 10, 20, 40, 100].map((times) => times * cell).find((wanted) => length / wanted <= MARKS_MAX) ?? 200 * cell;
  const front = cell * Math.ceil(max.z / cell);
  const left = cell * Math.floor(min.x / cell);
  const [right, back] = [Math.floor(max.x / step), Math.ceil(min.z / step)];
  const written = [];
  for (let i = Math.floor(left / step) + 1; i <= right; i++) written.push({ text: metres(i * step), at: [i * step, height, front], room: ROOM[rankOf(i)] });
  for (let i = Math.ceil(front / step) - 1; i >= back; i--) written.push({ text: metres(i * step), at: [left, height, i * step], room: ALONG * ROOM[rankOf(i)] });
  written.push({ text: 'x', at: [(right + 0.6) * step, height, front], room: 0 }, { text: 'z', at: [left, height, front], room: 0 });
  return { written, step };
}

/** The rank of a mark: 0 for every fourth one, 1 for every second, 2 for the others. @param {number} i */
const rankOf = (i) => (i % 4 === 0 ? 0 : i % 2 === 0 ? 1 : 2);

/** @param {number} value */
function metres(value) {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 ? '0' : `${String(rounded).replace('-', '−')} m`;
}

function letterStrip() {
  const canvas = document.createElement('canvas');
  canvas.width = LETTER.width * LETTERS.length;
  canvas.height = LETTER.height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.font = '600 36px system-ui, "DejaVu Sans", sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = '#fff';
  [...LETTERS].forEach((letter, i) => context.fillText(letter, LETTER.width * (i + 0.5), LETTER.height / 2, LETTER.width));
  const texture = new CanvasTexture(canvas);
  texture.generateMipmaps = false;
  texture.minFilter = LinearFilter;
  return texture;
}

/** @param {Written[]} written */
function textGeometry(written) {
  const count = written.reduce((sum, { text }) => sum + text.length, 0);
  const [anchor, room, position, uv, index] = [new Float32Array(12 * count), new Float32Array(4 * count), new Float32Array(12 * count), new Float32Array(8 * count), new Uint16Array(6 * count)];
  const advance = LETTER.width / LETTER.height;
  let quad = 0;
  for (const { text, at, room: needed } of written) {
    [...text].forEach((letter, i) => {
      const x = (i - text.length / 2) * advance * 0.86;
      const u = LETTERS.indexOf(letter) / LETTERS.length;
      const corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
      corners.forEach(([right, up], k) => {
        anchor.set(at, 12 * quad + 3 * k);
        room[4 * quad + k] = needed;
        position.set([x + right * advance, up + 0.15, 0], 12 * quad + 3 * k);
        uv.set([u + right / LETTERS.length, up], 8 * quad + 2 * k);
      });
      index.set([0, 1, 2, 0, 2, 3].map((k) => 4 * quad + k), 6 * quad);
      quad++;
    });
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('anchor', new BufferAttribute(anchor, 3));
  geometry.setAttribute('room', new BufferAttribute(room, 1));
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  geometry.setIndex(new BufferAttribute(index, 1));
  geometry.boundingSphere = new Sphere();
  return geometry;
}
