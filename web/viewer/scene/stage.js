// SPDX-License-Identifier: MIT
// The stage: renderer, lights, background, theme and camera, and the adaptive quality of the picture.
import {
  Color, DirectionalLight, HemisphereLight, NeutralToneMapping, PCFShadowMap, PMREMGenerator, Scene, Sphere, Vector3,
  WebGLRenderer,
} from 'three';
import { CHOSEN, LEVELS, levelOf, Quality } from '../timing/quality.js';
import { CameraRig } from './camera.js';
import { ContactShade } from './contact_shade.js';
import { GpuTimer } from './gpu_timer.js';
import { isDraft, setDraft, withDraftShaders } from './material.js';
import { Sky, skyUniforms } from './sky.js';
/** @import { Box3 } from 'three' */

const SUN_FROM = new Vector3(-0.62, 1, 0.62).normalize();
const LETTER_PX = 15; // CSS pixels, line height of the texture strip
const USUAL_SOFTWARE_RATIO = 0.8;
const CONTACT_EVERY = 2; // pictures between updates of the contact map
const NOTHING_COVERED = { right: 0, top: 0, bottom: 0 };
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render|software/i;

// `fill` replaces the environment light on machines without a graphics processor.
const THEMES = {
  dark: {
    sky: ['#2a3342', '#171c26', '#0b0e13'], ground: new Color('#3b4554'), shade: new Color('#1b212b'), line: new Color('#aab8cc'), ink: new Color('#c4d0e0'),
    solid: new Color('#a3abb8'), sun: 2.4, environment: 0.36, fill: 2.1, exposure: 1.1,
  },
  light: {
    sky: ['#ffffff', '#e9eef5', '#c6cfdb'], ground: new Color('#dde3ec'), shade: new Color('#97a3b5'), line: new Color('#6d7b90'), ink: new Color('#3c485a'),
    solid: new Color('#c3cbd8'), sun: 2.2, environment: 0.46, fill: 2.8, exposure: 1.1,
  },
};

/** @typedef {(typeof THEMES)['dark']} Theme */
/** @typedef {{origin: number[], direction: number[]}} Ray a ray: origin in m, and a unit vector */
/** @typedef {{eye: number[], slope: number}} View position of the camera, and m per pixel per m of distance */
/** @typedef {{readonly quality: string, readonly level: number | null}} Look the chosen quality: 'auto', 'draft', 'balanced' or 'fine'; and the level to start with (see quality.js), null if unknown */

/** Owns the canvas. */
export class Stage {
  /** @param {HTMLElement} element the element that the canvas fills @param {'dark'|'light'} theme @param {Look} look */
  constructor(element, theme, look) {
    this.element = element;
    this.look = look;
    const { software, ...opened } = openContext();
    this.software = software;
    setDraft(this.wantsDraft);
    this.renderer = new WebGLRenderer(opened);
    // Particle positions are rendered into float textures.
    if (!this.renderer.extensions.has('EXT_color_buffer_float')) throw new Error('EXT_color_buffer_float is missing');
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.debug.checkShaderErrors = false; // reading shader logs would wait for each shader in turn; an error still appears in the console
    this.gpuTimer = new GpuTimer(/** @type {WebGL2RenderingContext} */ (this.renderer.getContext()));
    /** @type {{width: number, height: number} | null} size of a picture for a file, while it is drawn */
    this.output = null;
    this.spent = 0; // ms of the processor for the previous picture
    this.pictures = 0;
    this.fresh = true; // whether new shaders have to be compiled
    this.litRadius = 0; // m, radius of the area that light and shadow cover
    /** Called when the materials have changed, so that the views must be rebuilt. */
    this.onMaterials = () => {};
    /** Called with the new quality level (see quality.js). @type {(level: number) => void} */
    this.onLevel = () => {};
    /** Called when the element has another size: the canvas is empty until it is drawn again. */
    this.onResize = () => {};
    element.append(this.renderer.domElement);
    this.scene = new Scene();
    this.sky = new Sky();
    this.scene.add(this.sky.mesh);
    this.rig = new CameraRig(this.renderer.domElement);
    this.contact = new ContactShade();
    this.addLights();
    this.lightUp();
    this.setTheme(theme);
    this.startQuality();
    this.resize();
    this.sized = new ResizeObserver(() => {
      this.resize();
      this.onResize();
    });
    this.sized.observe(element);
    /** @type {View} */
    this.view = { eye: [0, 0, 0], slope: 0 };
  }

  get canvas() {
    return this.renderer.domElement;
  }

  get camera() {
    return this.rig.camera;
  }

  /** The current cost and quality. */
  get qualityNow() {
    const { level } = this.quality;
    return {
      ...this.affordable, level, choice: this.look.quality, draft: isDraft(), software: this.software, triangles: this.renderer.info.render.triangles,
    };
  }

  /** Applies the colours and lights of a theme; views get theirs from `this.theme`. @param {'dark' | 'light'} name */
  setTheme(name) {
    /** @type {'dark' | 'light'} */
    this.themeName = name;
    /** @type {Theme} */
    this.theme = THEMES[name];
    this.scene.environmentIntensity = this.theme.environment;
    this.renderer.toneMappingExposure = this.theme.exposure;
    this.sun.intensity = this.theme.sun;
    this.fill.intensity = this.theme.fill * (isDraft() ? 1 : 0.22);
  }

  /**
   * Aims light and shadow at the scene when it is larger, or much smaller, than the covered area.
   * @param {Box3} content @param {number} floor height of the floor, m
   */
  light(content, floor) {
    this.rig.setFloor(floor);
    const sphere = content.getBoundingSphere(new Sphere());
    const radius = Math.min(60, Math.max(1, sphere.radius * 1.1));
    const held = this.litRadius > 0 && radius < this.litRadius * 1.02 && radius > this.litRadius * 0.6 &&
      sphere.center.distanceTo(this.sun.target.position) + radius < this.litRadius * 1.1;
    if (held && floor === this.contact.floor) return;
    this.litRadius = radius * 1.12;
    this.sun.target.position.copy(sphere.center);
    this.sun.position.copy(sphere.center).addScaledVector(SUN_FROM, this.litRadius * 2);
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -this.litRadius;
    camera.right = camera.top = this.litRadius;
    camera.near = this.litRadius * 0.5;
    camera.far = this.litRadius * 3.5;
    camera.updateProjectionMatrix();
    this.contact.aim(sphere.center, this.litRadius, floor);
    // Drafts sample the shadow map once, so the sample must not meet the surface itself.
    this.sun.shadow.normalBias = ((isDraft() ? 5 : 3.2) * this.litRadius) / this.sun.shadow.mapSize.x;
  }

  /**
   * Draws one picture.
   * @param {number} elapsed ms since the last picture; 0 to draw the same picture again
   * @param {number} [spent] ms of the processor for this picture so far
   */
  render(elapsed, spent = 0) {
    const start = performance.now();
    this.adapt(elapsed);
    this.rig.update(elapsed / 1000);
    const { eye } = this.view;
    this.camera.position.toArray(eye);
    this.view.slope = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / this.height;
    if (this.probing && elapsed > 0) return; // the last picture stays
    // In scenes with very many triangles, shadows may be a picture or two late.
    this.renderer.shadowMap.needsUpdate = this.pictures % this.shadowEvery === 0;
    const contact = this.pictures++ % CONTACT_EVERY === 0;
    this.sky.use(this.theme.sky); // the uniforms are shared by all stages
    this.renderer.getDrawingBufferSize(skyUniforms.uSize.value);
    skyUniforms.uLetter.value = LETTER_PX / this.height;
    if (this.fresh) this.compile();
    this.contact.use();
    this.gpuTimer.begin();
    try {
      if (contact) this.contact.render(this.renderer, this.scene);
      withDraftShaders(() => this.renderer.render(this.scene, this.camera));
    } finally {
      this.gpuTimer.end();
    }
    this.spent = spent + performance.now() - start;
  }

  /** Whether this picture is left out to learn the interval of the display; see Quality. */
  get probing() {
    return this.look.quality === 'auto' && !this.output && this.quality.probing;
  }

  /** Draws the last picture again, with its shadows. */
  renderOnce() {
    this.pictures = 0;
    this.render(0);
  }

  /** Changes the quality by the cost of the pictures. @param {number} elapsed */
  adapt(elapsed) {
    if (this.look.quality !== 'auto' || this.output || elapsed <= 0 || this.gpuTimer.ms === null) return;
    if (!this.quality.observe(elapsed, this.spent + this.gpuTimer.ms)) return;
    this.applyQuality(); // before drawing, because a change clears the canvas
    this.onLevel(this.quality.level);
  }

  /** The next picture is urgent and has much new content: where shadows may be late, it is drawn without updating them. */
  hurry() {
    this.pictures = -1;
    this.fresh = true;
  }

  // All shaders are compiled in parallel, instead of one by one when each is first used.
  compile() {
    this.fresh = false;
    withDraftShaders(() => this.renderer.compile(this.scene, this.camera));
  }

  /** Releases the resources on the graphics processor; drawing stops. */
  dispose() {
    this.sized.disconnect();
    this.gpuTimer.dispose();
    this.rig.dispose();
    this.sky.dispose();
    this.contact.dispose();
    this.sun.dispose();
    this.scene.environment?.dispose();
    this.renderer.dispose();
    this.renderer.getContext().getExtension('WEBGL_lose_context')?.loseContext();
    this.canvas.remove();
  }

  /**
   * The ray through a point of the page.
   * @param {number} clientX @param {number} clientY
   * @returns {{origin: number[], direction: number[]}}
   */
  ray(clientX, clientY) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - left)) / this.width - 1;
    const y = 1 - (2 * (clientY - top)) / this.height;
    const origin = this.camera.getWorldPosition(new Vector3());
    const direction = new Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize();
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  /** The direction of the camera. @returns {number[]} unit vector */
  forward() {
    return this.camera.getWorldDirection(new Vector3()).toArray();
  }

  /** The position of a point of the world on the page. @param {number[]} point @returns {{x: number, y: number}} */
  project(point) {
    const at = new Vector3().fromArray(point).project(this.camera);
    const { left, top } = this.canvas.getBoundingClientRect();
    return { x: left + ((at.x + 1) / 2) * this.width, y: top + ((1 - at.y) / 2) * this.height };
  }

  addLights() {
    /** @type {DirectionalLight} */
    this.sun = new DirectionalLight('#fff2e0', 1);
    this.sun.castShadow = true;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 3;
    /** @type {HemisphereLight} */
    this.fill = new HemisphereLight('#e6eeff', '#8a7d72', 1);
    this.scene.add(this.sun, this.sun.target, this.fill);
  }

  // Ambient light; drafts use the fill light instead.
  async lightUp() {
    if (isDraft()) {
      this.scene.environment?.dispose();
      this.scene.environment = null;
      return;
    }
    const { RoomEnvironment = null } = await import('three/addons/environments/RoomEnvironment.js').catch(() => ({ RoomEnvironment: null }));
    if (!RoomEnvironment || isDraft() || this.scene.environment || this.renderer.getContext().isContextLost()) return;
    const generator = new PMREMGenerator(this.renderer);
    const room = new RoomEnvironment();
    this.scene.environment = generator.fromScene(room, 0.04).texture;
    room.dispose();
    generator.dispose();
  }

  startQuality() {
    const own = window.devicePixelRatio || 1;
    const top = levelOf(Math.max(1, own));
    const usual = Math.min(top, this.software ? levelOf(USUAL_SOFTWARE_RATIO) : LEVELS.length - 1);
    const start = Math.min(usual, (this.look.level ?? usual) + 1); // one level finer than last time, which may have been measured at a busy moment
    /** @type {Quality} */
    this.quality = new Quality({ start, top, brisk: !this.software, untimed: this.software });
    this.applyQuality();
  }

  get wantsDraft() {
    return this.look.quality === 'auto' ? this.software : this.look.quality === 'draft';
  }

  // Applies resolution and shadows: those that the user chose, or those that the machine can afford.
  get affordable() {
    const own = window.devicePixelRatio || 1;
    const { quality } = this.look;
    return quality in CHOSEN ? CHOSEN[/** @type {keyof typeof CHOSEN} */ (quality)](own, this.software) : LEVELS[this.quality.level];
  }

  /** Applies the user's choice of quality. */
  choose() {
    if (isDraft() !== this.wantsDraft) {
      setDraft(this.wantsDraft);
      this.lightUp();
      this.setTheme(this.themeName);
      this.onMaterials();
      this.fresh = true;
      this.litRadius = 0;
    }
    this.applyQuality();
  }

  applyQuality() {
    const { ratio, shadow, contact } = this.affordable;
    this.contact.setSize(isDraft() ? 0 : contact);
    /** @type {number} */
    this.shadowEvery = this.software ? LEVELS[this.quality.level].shadowEvery : 1;
    this.pictures = 0; // the next picture updates the shadow map
    if (!this.output) this.renderer.setPixelRatio(ratio);
    this.renderer.getDrawingBufferSize(skyUniforms.uSize.value);
    if (this.sun.shadow.mapSize.x === shadow) return;
    this.sun.shadow.mapSize.set(shadow, shadow);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
    this.litRadius = 0;
  }

  /** @param {{right: number, top: number, bottom: number}} covered CSS pixels of the picture that other elements cover */
  setInsets(covered) {
    /** @type {{ right: number; top: number; bottom: number; }} */
    this.covered = covered;
    if (!this.output) this.rig.setInsets(this.width, this.height, covered);
  }

  /**
   * Draws in a fixed size, for files, independent of the window and the quality. The window shows the picture as large as it
   * fits.
   * @param {{width: number, height: number}|null} size size in pixels; null for the window's size
   * @returns {boolean} false if this machine cannot draw that size; nothing has changed then
   */
  setOutput(size) {
    const gl = this.renderer.getContext();
    const most = Math.min(gl.getParameter(gl.MAX_RENDERBUFFER_SIZE), ...gl.getParameter(gl.MAX_VIEWPORT_DIMS));
    if (size && (size.width > most || size.height > most)) return false;
    this.output = size;
    if (!size) this.renderer.setPixelRatio(this.affordable.ratio);
    this.resize();
    const drawn = !size || (gl.drawingBufferWidth === size.width && gl.drawingBufferHeight === size.height);
    return drawn || (this.setOutput(null), false);
  }

  resize() {
    const { clientWidth, clientHeight } = this.element;
    const { style } = this.canvas;
    /** @type {number} */
    this.width = Math.max(1, clientWidth);
    /** @type {number} */
    this.height = Math.max(1, clientHeight);
    if (this.output) {
      const { right, top, bottom } = this.covered ?? NOTHING_COVERED;
      const seen = (this.width - right) / (this.height - top - bottom);
      const scale = Math.min(this.width / this.output.width, this.height / this.output.height);
      this.width = this.output.width * scale;
      this.height = this.output.height * scale;
      this.renderer.setPixelRatio(1);
      this.renderer.setSize(this.output.width, this.output.height, false);
      Object.assign(style, { width: `${this.width}px`, height: `${this.height}px`, margin: `${(clientHeight - this.height) / 2}px ${(clientWidth - this.width) / 2}px` });
      this.rig.setInsets(this.width, this.height, NOTHING_COVERED, Math.min(1, this.width / this.height / seen));
    } else {
      style.margin = '';
      this.renderer.setSize(this.width, this.height);
      this.rig.setInsets(this.width, this.height, this.covered ?? NOTHING_COVERED);
    }
    this.renderer.getDrawingBufferSize(skyUniforms.uSize.value);
    this.rig.setAspect(this.width / this.height);
  }
}

// The canvas has no alpha channel, so the page behind it need not be blended. Without a graphics processor each pixel is
// drawn once instead of four times (no multisampling), and the first quality level is low.
function openContext() {
  const attributes = { alpha: false, antialias: true, powerPreference: 'high-performance', failIfMajorPerformanceCaveat: true };
  const quick = document.createElement('canvas');
  const context = /** @type {WebGL2RenderingContext | null} */ (quick.getContext('webgl2', attributes));
  if (context && !SOFTWARE.test(rendererOf(context))) return { canvas: quick, context, software: false };
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  const canvas = document.createElement('canvas');
  const slow = /** @type {WebGL2RenderingContext | null} */ (canvas.getContext('webgl2', { ...attributes, antialias: false, failIfMajorPerformanceCaveat: false }));
  return { canvas, ...(slow && { context: slow }), software: !slow || context !== null || SOFTWARE.test(rendererOf(slow)) };
}

/** @param {WebGL2RenderingContext} context */
function rendererOf(context) {
  const extension = context.getExtension('WEBGL_debug_renderer_info');
  return extension ? context.getParameter(extension.UNMASKED_RENDERER_WEBGL) : '';
}
