// SPDX-License-Identifier: MIT
// Particle positions on the graphics processor. Each frame of the server is uploaded once, unchanged. A render pass with one
// texel per particle writes the interpolated positions and the normals of surfaces into two textures; every view reads its
// vertices there by the particle's slot in the frames. The page's thread computes nothing per particle, and allocates nothing
// per picture.
import {
  DataTexture, ExternalTexture, FloatType, GLSL3, HalfFloatType, Mesh, NearestFilter, OrthographicCamera, PlaneGeometry, RawShaderMaterial,
  RGBAIntegerFormat, Scene, UnsignedIntType, WebGLRenderTarget,
} from 'three';
/** @import { IUniform, Texture, WebGLRenderer } from 'three' */

const WIDTH = 1024; // texels per row; slot s is texel (s mod 1024, s div 1024)

/** GLSL for vertex shaders: the displayed position of a particle by its slot (m), and the surface normal there. */
export const FIELD = `
  uniform highp sampler2D uPlaces;
  uniform highp sampler2D uNormals;
  ivec2 texelOf(uint slot) { return ivec2(int(slot & ${WIDTH - 1}u), int(slot >> ${Math.log2(WIDTH)})); }
  vec3 placeOf(uint slot) { return texelFetch(uPlaces, texelOf(slot), 0).xyz; }
  vec3 normalOf(uint slot) { return texelFetch(uNormals, texelOf(slot), 0).xyz; }`;

const VERTEX = 'in vec3 position; void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }';

// Each particle of a surface has four neighbours, in order: the diagonals of their quad span the tangent plane.
const FRAGMENT = `
  precision highp float;
  precision highp int;
  uniform highp sampler2D uFrom;
  uniform highp sampler2D uTo;
  uniform highp usampler2D uAround;
  uniform float uShare;
  layout(location = 0) out vec4 place;
  layout(location = 1) out vec4 normal;
  vec3 between(uint slot) {
    ivec2 texel = ivec2(int(slot & ${WIDTH - 1}u), int(slot >> ${Math.log2(WIDTH)}));
    vec3 from = texelFetch(uFrom, texel, 0).xyz;
    return from + (texelFetch(uTo, texel, 0).xyz - from) * uShare;
  }
  void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    place = vec4(between(uint(texel.y * ${WIDTH} + texel.x)), 1.0);
    uvec4 around = texelFetch(uAround, texel, 0);
    normal = vec4(0.0, 1.0, 0.0, 0.0);
    if (around.x == around.z) return; // not part of a surface
    vec3 area = cross(between(around.z) - between(around.x), between(around.w) - between(around.y));
    float size = length(area);
    if (size > 0.0) normal.xyz = area / size;
  }`;

/** @typedef {{positions: Float32Array}} Positioned a frame with positions */
/** @typedef {{texture: ExternalTexture, rows: number, frame: Positioned | null}} Side the texture of one of the two frames */

/** The particle field of one world. */
export class Field {
  constructor() {
    /** Uniforms for shaders that include FIELD; `uSlope` in m per pixel and m of distance. */
    /** @type {{uPlaces: IUniform<Texture | null>, uNormals: IUniform<Texture | null>, uSlope: IUniform<number>}} */
    this.uniforms = { uPlaces: { value: null }, uNormals: { value: null }, uSlope: { value: 0 } };
    this.sides = [makeSide(), makeSide()];
    /** @type {DataTexture | null} */
    this.around = null;
    /** @type {WebGLRenderTarget | null} */
    this.target = null;
    this.rows = 0;
    /** @type {{from: Positioned | null, to: Positioned | null}} */
    this.frames = { from: null, to: null };
    this.share = 0;
    this.stale = false;
    /** @type {ReturnType<typeof makePass> | null} */
    this.pass = null;
  }

  /**
   * Sets the surfaces.
   * @param {number} count number of particles in the world
   * @param {{first: number, around: Uint32Array}[]} surfaces four neighbours of each particle (see aroundOf), relative to `first`
   */
  setSurfaces(count, surfaces) {
    const rows = Math.max(1, Math.ceil(count / WIDTH));
    if (rows !== this.rows) this.resize(rows);
    if (!this.around) return;
    const data = /** @type {Uint32Array} */ (this.around.image.data);
    data.fill(0);
    for (const { first, around } of surfaces) {
      for (let i = 0; i < around.length; i++) data[4 * first + i] = first + around[i];
    }
    this.around.needsUpdate = true;
    this.stale = true;
  }

  /**
   * Sets the two frames to interpolate between, both of the present topology.
   * @param {Positioned} from @param {Positioned} to @param {number} share
   */
  show(from, to, share) {
    this.frames.from = from;
    this.frames.to = to;
    this.share = share;
    this.stale = true;
  }

  /** Updates the textures if something has changed. @param {import('three').WebGLRenderer} renderer */
  render(renderer) {
    const { from, to } = this.frames;
    if (!this.stale || !from || !to || from.positions.length === 0 || to.positions.length === 0) return;
    this.pass ??= makePass();
    const { uniforms } = this.pass.material;
    this.bring(renderer, from, to, uniforms);
    uniforms.uAround.value = this.around;
    uniforms.uShare.value = this.share;
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(this.target);
    renderer.render(this.pass.scene, this.pass.camera);
    renderer.setRenderTarget(before);
    this.stale = false;
  }

  /**
   * Uploads two frames to their textures. A frame that is already there is not uploaded again: usually the second frame
   * becomes the first.
   * @param {WebGLRenderer} renderer @param {Positioned} from @param {Positioned} to @param {Record<string, IUniform>} uniforms
   */
  bring(renderer, from, to, uniforms) {
    const a = this.sides[0];
    const b = this.sides[1];
    const first = a.frame === from || b.frame === to ? a : b.frame === from || a.frame === to ? b : a;
    const second = to === from ? first : first === a ? b : a;
    this.upload(renderer, first, from);
    this.upload(renderer, second, to);
    uniforms.uFrom.value = first.texture;
    uniforms.uTo.value = second.texture;
  }

  /** @param {WebGLRenderer} renderer @param {Side} side @param {Positioned} frame */
  upload(renderer, side, frame) {
    if (side.frame === frame) return;
    const gl = /** @type {WebGL2RenderingContext} */ (renderer.getContext());
    const { state } = renderer;
    if (side.rows !== this.rows) allocate(gl, state, side, this.rows);
    else state.bindTexture(gl.TEXTURE_2D, sourceOf(side));
    state.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    state.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    state.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
    const count = frame.positions.length / 3;
    const full = Math.min(this.rows, Math.floor(count / WIDTH));
    const rest = full < this.rows ? count - full * WIDTH : 0;
    if (full > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, full, gl.RGB, gl.FLOAT, frame.positions);
    if (rest > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, full, rest, 1, gl.RGB, gl.FLOAT, frame.positions, 3 * full * WIDTH);
    side.frame = frame;
  }

  /** @param {number} rows */
  resize(rows) {
    this.rows = rows;
    this.around?.dispose();
    this.around = new DataTexture(new Uint32Array(4 * WIDTH * rows), WIDTH, rows, RGBAIntegerFormat, UnsignedIntType);
    this.around.internalFormat = 'RGBA32UI';
    this.target?.dispose();
    this.target = new WebGLRenderTarget(WIDTH, rows, {
      count: 2, type: FloatType, minFilter: NearestFilter, magFilter: NearestFilter, depthBuffer: false, generateMipmaps: false,
    });
    this.target.textures[1].type = HalfFloatType;
    this.uniforms.uPlaces.value = this.target.textures[0];
    this.uniforms.uNormals.value = this.target.textures[1];
    for (const side of this.sides) side.frame = null;
  }

  /** Releases the textures, before the WebGL context is lost. @param {import('three').WebGLRenderer} renderer */
  dispose(renderer) {
    for (const { texture } of this.sides) {
      if (texture.sourceTexture) renderer.getContext().deleteTexture(texture.sourceTexture);
      texture.dispose();
    }
    this.around?.dispose();
    this.target?.dispose();
    this.pass?.material.dispose();
    this.pass?.mesh.geometry.dispose();
    Object.assign(this.frames, { from: null, to: null });
  }
}

/** @param {Side} side @returns {WebGLTexture} the texture, allocated on first use */
function sourceOf(side) {
  return /** @type {WebGLTexture} */ (side.texture.sourceTexture);
}

/** @returns {Side} */
function makeSide() {
  return { texture: new ExternalTexture(), rows: 0, frame: null };
}

/**
 * A texture with three floats per texel, as in the frames: three.js does not support this format, so it is created directly.
 * @param {WebGL2RenderingContext} gl @param {WebGLRenderer['state']} state @param {Side} side @param {number} rows
 */
function allocate(gl, state, side, rows) {
  if (side.texture.sourceTexture) gl.deleteTexture(sourceOf(side));
  side.texture.dispose();
  side.texture = new ExternalTexture(gl.createTexture());
  side.rows = rows;
  state.bindTexture(gl.TEXTURE_2D, sourceOf(side));
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGB32F, WIDTH, rows);
}

function makePass() {
  const material = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, depthTest: false, depthWrite: false,
    uniforms: { uFrom: { value: null }, uTo: { value: null }, uAround: { value: null }, uShare: { value: 0 } },
  });
  const mesh = new Mesh(new PlaneGeometry(2, 2), material);
  mesh.frustumCulled = false;
  const scene = new Scene();
  scene.add(mesh);
  return { scene, mesh, material, camera: new OrthographicCamera() };
}
