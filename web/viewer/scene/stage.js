// SPDX-License-Identifier: MIT
// The stage: renderer, lights, background, theme and camera, and how much of them this machine can afford.
import {
  Color, DirectionalLight, HemisphereLight, NeutralToneMapping, PCFShadowMap, PMREMGenerator, Scene, Sphere, Vector3,
  WebGLRenderer,
} from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { LEVELS, Quality } from '../quality.js';
import { CameraRig } from './camera.js';
import { useThriftyMaterials } from './material.js';
import { Sky, skyUniforms } from './sky.js';

const SUN_FROM = new Vector3(-0.62, 1, 0.62).normalize();
const SHADOW_EVERY = [3, 3, 2]; // pictures, in software, by level
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render|software/i;

// `fill` lights what the environment lights, on machines that go without it.
const THEMES = {
  dark: {
    sky: ['#2a3342', '#171c26', '#0b0e13'], ground: new Color('#3b4554'), shade: new Color('#1b212b'), line: new Color('#aab8cc'),
    solid: new Color('#a3abb8'), sun: 2.4, environment: 0.36, fill: 2.1, exposure: 1.1,
  },
  light: {
    sky: ['#ffffff', '#e9eef5', '#c6cfdb'], ground: new Color('#dde3ec'), shade: new Color('#97a3b5'), line: new Color('#6d7b90'),
    solid: new Color('#c3cbd8'), sun: 2.2, environment: 0.46, fill: 2.8, exposure: 1.1,
  },
};

/** Owns the canvas. */
export class Stage {
  /** @param {HTMLElement} element that the canvas fills @param {'dark'|'light'} theme */
  constructor(element, theme) {
    this.element = element;
    this.software = isSoftware();
    if (this.software) useThriftyMaterials();
    this.renderer = new WebGLRenderer(openContext(!this.software));
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.pictures = 0;
    element.append(this.renderer.domElement);
    this.scene = new Scene();
    this.sky = new Sky();
    this.scene.add(this.sky.mesh);
    this.rig = new CameraRig(this.renderer.domElement);
    this.addLights();
    if (!this.software) this.addEnvironment();
    this.setTheme(theme);
    this.startQuality();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(element);
    this.view = { eye: [0, 0, 0], slope: 0 };
  }

  get canvas() {
    return this.renderer.domElement;
  }

  get camera() {
    return this.rig.camera;
  }

  /** What pictures cost at present. */
  get qualityNow() {
    return { ...LEVELS[this.quality.level], level: this.quality.level, software: this.software, triangles: this.renderer.info.render.triangles };
  }

  /** Colours and light of the theme; objects of the world take theirs from `this.theme`. */
  setTheme(name) {
    this.theme = THEMES[name];
    this.sky.set(this.theme.sky);
    this.scene.environmentIntensity = this.theme.environment;
    this.renderer.toneMappingExposure = this.theme.exposure;
    this.sun.intensity = this.theme.sun;
    this.fill.intensity = this.theme.fill * (this.software ? 1 : 0.22);
  }

  /** Aims light and shadow at the scene when that has outgrown, or shrunk well below, what they cover. */
  light(content) {
    const sphere = content.getBoundingSphere(new Sphere());
    const radius = Math.min(60, Math.max(1, sphere.radius * 1.1));
    const held = this.litRadius && radius < this.litRadius * 1.02 && radius > this.litRadius * 0.6 &&
      sphere.center.distanceTo(this.sun.target.position) + radius < this.litRadius * 1.1;
    if (held) return;
    this.litRadius = radius * 1.12;
    this.sun.target.position.copy(sphere.center);
    this.sun.position.copy(sphere.center).addScaledVector(SUN_FROM, this.litRadius * 2);
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -this.litRadius;
    camera.right = camera.top = this.litRadius;
    camera.near = this.litRadius * 0.5;
    camera.far = this.litRadius * 3.5;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = (3.2 * this.litRadius) / this.sun.shadow.mapSize.x;
  }

  /** Draws one picture. @param {number} elapsed ms since the last one */
  render(elapsed) {
    if (this.quality.observe(elapsed)) this.applyQuality(); // ahead of drawing: it empties the canvas
    this.rig.update(elapsed / 1000);
    const { eye } = this.view;
    this.camera.position.toArray(eye);
    this.view.slope = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / this.height;
    // Shadows may lag behind by a picture or two where every triangle counts.
    this.renderer.shadowMap.needsUpdate = this.pictures++ % this.shadowEvery === 0;
    this.renderer.render(this.scene, this.camera);
  }

  /** The ray under a point of the page. @returns {{origin: number[], direction: number[]}} */
  ray(clientX, clientY) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - left)) / this.width - 1;
    const y = 1 - (2 * (clientY - top)) / this.height;
    const origin = this.camera.getWorldPosition(new Vector3());
    const direction = new Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize();
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  /** Where the camera looks. @returns {number[]} unit vector */
  forward() {
    return this.camera.getWorldDirection(new Vector3()).toArray();
  }

  /** Where a point of the world is on the page. @param {number[]} point @returns {{x: number, y: number}} */
  project(point) {
    const at = new Vector3().fromArray(point).project(this.camera);
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: left + ((at.x + 1) / 2) * this.width, y: top + ((1 - at.y) / 2) * this.height };
  }

  addLights() {
    this.sun = new DirectionalLight('#fff2e0', 1);
    this.sun.castShadow = true;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 2.2;
    this.fill = new HemisphereLight('#e6eeff', '#8a7d72', 1);
    this.scene.add(this.sun, this.sun.target, this.fill);
  }

  addEnvironment() {
    const generator = new PMREMGenerator(this.renderer);
    const room = new RoomEnvironment();
    this.scene.environment = generator.fromScene(room, 0.04).texture;
    room.dispose();
    generator.dispose();
  }

  startQuality() {
    const own = window.devicePixelRatio || 1;
    const top = Math.max(0, LEVELS.findLastIndex(({ ratio }) => ratio <= Math.max(1, own)));
    this.quality = new Quality({ start: Math.min(top, this.software ? 2 : LEVELS.length - 1), top });
    this.applyQuality();
  }

  applyQuality() {
    const { ratio, shadow } = LEVELS[this.quality.level];
    this.shadowEvery = this.software ? SHADOW_EVERY[Math.min(this.quality.level, SHADOW_EVERY.length - 1)] : 1;
    this.pictures = 0; // what is drawn next has a shadow map to look into
    this.renderer.setPixelRatio(ratio);
    this.renderer.getDrawingBufferSize(skyUniforms.uSize.value);
    if (this.sun.shadow.mapSize.x === shadow) return;
    this.sun.shadow.mapSize.set(shadow, shadow);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
    this.litRadius = 0;
  }

  /** @param {{right: number, top: number, bottom: number}} covered CSS pixels of the picture under other things */
  setInsets(covered) {
    this.covered = covered;
    this.rig.setInsets(this.width, this.height, covered);
  }

  resize() {
    this.width = Math.max(1, this.element.clientWidth);
    this.height = Math.max(1, this.element.clientHeight);
    this.renderer.setSize(this.width, this.height);
    this.renderer.getDrawingBufferSize(skyUniforms.uSize.value);
    this.rig.setAspect(this.width / this.height);
    if (this.covered) this.setInsets(this.covered);
  }
}

// The canvas has no alpha: the page behind it is never seen, and need not be blended with it.
function openContext(antialias) {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', { alpha: false, antialias, powerPreference: 'high-performance' });
  return { canvas, ...(context && { context }) };
}

// A renderer without a graphics processor gets a modest start; asked of a context of its own, because multisampling has
// to be chosen before the real one exists.
function isSoftware() {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) return true;
  const extension = context.getExtension('WEBGL_debug_renderer_info');
  const name = extension ? context.getParameter(extension.UNMASKED_RENDERER_WEBGL) : '';
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return SOFTWARE.test(name);
}
