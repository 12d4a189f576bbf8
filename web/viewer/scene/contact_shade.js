// SPDX-License-Identifier: MIT
// Darkens the floor where things touch it or nearly do. An orthographic camera below the floor looks up at what casts shadows, and
// draws how near to the floor each part is; blurred, this is the share of the light that the floor does not get (as in
// three.js's example of contact shadows). Costs one more, small picture; the quality level switches it on (timing/quality.js).
import {
  DoubleSide, LinearFilter, Mesh, MeshDepthMaterial, OrthographicCamera, PlaneGeometry, Scene, ShaderMaterial, Vector2, Vector3, Vector4, WebGLRenderTarget,
} from 'three';
/** @import { Material, Object3D, Texture, WebGLRenderer } from 'three' */

const BELOW = 0.04; // m: the camera is so far below the floor, because things sink into it a little
const REACH = { share: 0.09, least: 0.12, most: 0.5 }; // height up to which things darken the floor: relative to the area, and in m
const STRENGTH = 0.85;
const SPREAD = 1.5; // texels between the samples of the blur

/**
 * Uniforms of the floors, shared by all stages and set before each picture: the map; x, z, 1 / width and height (m) of its area; and its
 * strength, 0 if there is none.
 * @type {{uContact: {value: Texture | null}, uContactArea: {value: Vector4}, uContactShare: {value: number}}}
 */
export const contactUniforms = { uContact: { value: null }, uContactArea: { value: new Vector4() }, uContactShare: { value: 0 } };

/** GLSL for the fragments of a floor: the share of the light that reaches a place, in m. */
export const CONTACT = `
  uniform sampler2D uContact;
  uniform vec4 uContactArea;
  uniform float uContactShare;
  float contactLight(vec3 place) {
    vec2 at = (place.xz - uContactArea.xy) * uContactArea.z;
    if (uContactShare == 0.0 || abs(place.y - uContactArea.w) > 0.02 || max(abs(at.x), abs(at.y)) > 0.48) return 1.0;
    return 1.0 - uContactShare * textureLod(uContact, at + 0.5, 0.0).r;
  }`;

const BLUR = `
  uniform sampler2D uMap;
  uniform vec2 uStep;
  varying vec2 vUv;
  void main() {
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -5; i <= 5; i++) {
      float weight = exp(-0.09 * float(i * i));
      sum += weight * texture2D(uMap, vUv + float(i) * uStep).r;
      weights += weight;
    }
    gl_FragColor = vec4(sum / weights);
  }`;

/** The contact map of one stage. */
export class ContactShade {
  constructor() {
    this.size = 0; // pixels; 0: none
    this.floor = 0; // m
    this.centre = new Vector3();
    this.radius = 0; // m, half of the width of the area
    /** @type {WebGLRenderTarget[]} */
    this.targets = [];
    this.camera = new OrthographicCamera();
    this.camera.up.set(0, 0, 1);
    // The casters are drawn as the children of a scene without lights, but stay where they are.
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
    /** @type {Mesh[]} */
    this.casters = [];
    this.scene.children = this.casters;
    /** @type {(Material | Material[])[]} */
    this.kept = [];
    this.depth = new MeshDepthMaterial();
    this.blur = new ShaderMaterial({
      uniforms: { uMap: { value: null }, uStep: { value: new Vector2() } }, fragmentShader: BLUR, depthTest: false, depthWrite: false,
      vertexShader: 'varying vec2 vUv; void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    });
    this.pass = new Mesh(new PlaneGeometry(2, 2), this.blur);
    this.pass.frustumCulled = false;
    /** Collects what casts shadows. @param {Object3D} object */
    this.collect = (object) => {
      if (object instanceof Mesh && object.castShadow && object.visible) this.casters.push(object);
    };
  }

  /** @param {number} size pixels of the map's sides; 0 for none */
  setSize(size) {
    if (size === this.size) return;
    this.size = size;
    for (const target of this.targets) target.dispose();
    this.targets = size === 0 ? [] : [true, false].map((depthBuffer) => (
      new WebGLRenderTarget(size, size, { depthBuffer, minFilter: LinearFilter, magFilter: LinearFilter })));
  }

  /** Sets the area of the map. @param {Vector3} centre @param {number} radius m @param {number} floor height of the floor, m */
  aim(centre, radius, floor) {
    this.floor = floor;
    this.centre.copy(centre);
    this.radius = radius;
    const reach = Math.min(REACH.most, Math.max(REACH.least, REACH.share * radius));
    const { camera } = this;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 0;
    camera.far = BELOW + reach;
    camera.position.set(centre.x, floor - BELOW, centre.z);
    camera.lookAt(centre.x, floor + 1, centre.z);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** Sets the uniforms for the picture that is drawn next. */
  use() {
    const on = this.size > 0 && this.radius > 0;
    contactUniforms.uContactShare.value = on ? STRENGTH : 0;
    if (!on) return;
    contactUniforms.uContact.value = this.targets[0].texture;
    contactUniforms.uContactArea.value.set(this.centre.x, this.centre.z, 0.5 / this.radius, this.floor);
  }

  /** Updates the map. @param {WebGLRenderer} renderer @param {Scene} world the scene that is drawn */
  render(renderer, world) {
    if (this.size === 0 || this.radius === 0) return;
    const { casters, kept, targets: [map, half] } = this;
    const before = renderer.getRenderTarget();
    casters.length = kept.length = 0;
    world.traverseVisible(this.collect);
    for (const caster of casters) {
      const depth = caster.customDepthMaterial ?? this.depth;
      depth.side = DoubleSide; // shadow maps set it again
      kept.push(caster.material);
      caster.material = depth;
    }
    renderer.setRenderTarget(map);
    renderer.render(this.scene, this.camera);
    casters.forEach((caster, i) => { caster.material = kept[i]; });
    this.#blur(renderer, map, half, 1, 0);
    this.#blur(renderer, half, map, 0, 1);
    renderer.setRenderTarget(before);
  }

  /** @param {WebGLRenderer} renderer @param {WebGLRenderTarget} from @param {WebGLRenderTarget} to @param {number} x @param {number} y */
  #blur(renderer, from, to, x, y) {
    const { casters } = this;
    this.blur.uniforms.uMap.value = from.texture;
    this.blur.uniforms.uStep.value.set((SPREAD * x) / this.size, (SPREAD * y) / this.size);
    casters.length = 0;
    casters.push(this.pass);
    renderer.setRenderTarget(to);
    renderer.render(this.scene, this.camera);
  }

  dispose() {
    this.setSize(0);
    this.depth.dispose();
    this.blur.dispose();
    this.pass.geometry.dispose();
  }
}
