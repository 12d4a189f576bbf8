// SPDX-License-Identifier: MIT
// Draws the world of a client in the element while it is visible: camera, keys, pointer and framing.
import { Emitter } from '../client/emitter.js';
import { ClientPicture, PICTURE_EVENTS } from '../viewer/scene/client_picture.js';
import { Settling } from '../viewer/scene/settling.js';
/** @import { Picked } from '../viewer/scene/world.js' */

export { PICTURE_EVENTS };

const LOOK = Object.freeze({ quality: 'auto', level: null });
const TAP_PX = 6;
const TAP_MS = 400;
/** @type {Record<string, [right: number, up: number]>} */
const TURNS = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] }; // angles in rad
/** @type {Record<string, number>} */
const ZOOMS = { '+': 0.85, '=': 0.85, '-': 1.18 };

/**
 * Emits 'load' (the first picture is drawn), 'tick' (another tick is displayed), 'select' (a tap), 'camera' (the user has moved
 * the camera), 'lost' and 'restored' (the browser has taken the WebGL context away, or gives a new one).
 * @extends {Emitter<{load: undefined, tick: number, select: Picked | null, camera: undefined, lost: undefined, restored: undefined}>}
 */
export class View extends Emitter {
  /** Whether pointers may grab objects; otherwise they turn the camera. */
  editable = false;

  #element;

  #shown;

  #settling;

  #visible = true;

  #request = 0;

  #last = performance.now();

  #tick = -1;

  /** @type {number | null} the epoch that the camera was framed for; null: frame the next one */
  #framed = null;

  #observer;

  #abort = new AbortController();

  /** @type {{x: number, y: number, time: number, pick: Picked | null} | null} */
  #press = null;

  /**
   * Throws if WebGL 2 is missing.
   * @param {object} parts
   * @param {HTMLElement} parts.element the element that the picture fills
   * @param {number} parts.bottom CSS pixels of the picture that something covers
   * @param {'dark' | 'light'} parts.theme
   * @param {import('../viewer/scene/client_picture.js').PictureClient & import('../viewer/scene/grab_controls.js').GrabClient} parts.client
   * @param {number[] | null} parts.camera see CameraRig.write
   * @param {(error: Error) => void} parts.refuse
   */
  constructor({ element, bottom, theme, client, camera, refuse }) {
    super();
    this.#element = element;
    this.#shown = new ClientPicture({ element, theme, look: LOOK, client, grabClient: client, refuse });
    this.#settling = new Settling(this.rig, () => this.#shown.picture.world.framedBox());
    this.setBottom(bottom);
    if (camera) this.rig.write(camera);
    this.rig.on('moved', () => this.emit('camera'));
    this.#listen();
    this.#observer = new IntersectionObserver((entries) => { this.#visible = entries[entries.length - 1].isIntersecting; });
    this.#observer.observe(element);
    this.#request = requestAnimationFrame((now) => this.#draw(now));
  }

  get rig() {
    return this.#shown.picture.stage.rig;
  }

  /** The displayed tick; -1 before the first. */
  get tick() {
    return this.#tick;
  }

  /** @param {'dark' | 'light'} theme */
  setTheme(theme) {
    this.#shown.picture.setTheme(theme);
  }

  /** @param {number} bottom CSS pixels of the picture that something covers: scenes are framed above */
  setBottom(bottom) {
    this.#shown.picture.stage.setInsets({ right: 0, top: 0, bottom });
  }

  /** Frames all objects. @param {boolean} smooth */
  frame(smooth) {
    this.rig.frame(this.#shown.picture.world.framedBox(), smooth);
  }

  /** Another scene is about to be shown: frame it, unless the user or the page has placed the camera. */
  expectScene() {
    this.#framed = null;
  }

  dispose() {
    cancelAnimationFrame(this.#request);
    this.#observer.disconnect();
    this.#abort.abort();
    this.#shown.dispose();
  }

  /** @param {number} now */
  #draw(now) {
    if (this.#abort.signal.aborted) return; // a page may have replaced requestAnimationFrame and not what cancels it
    this.#request = requestAnimationFrame((next) => this.#draw(next));
    const elapsed = now - this.#last;
    this.#last = now;
    if (!this.#visible) return;
    this.#shown.grabControls.suspended = !this.editable;
    const shown = this.#shown.draw(elapsed);
    if (!shown) return;
    this.#frameScene();
    const tick = Math.round(shown.from.tick + shown.alpha * (shown.to.tick - shown.from.tick));
    if (tick === this.#tick) return;
    this.#tick = tick;
    this.emit('tick', tick);
  }

  #frameScene() {
    const { epoch, picture: { world } } = this.#shown;
    if (this.#framed === null && epoch !== null) {
      const first = this.#tick < 0;
      this.#framed = epoch;
      if (!this.rig.userControlled) {
        this.frame(!first);
        this.#settling.begin(world.entries.size);
      }
      if (first) this.emit('load');
    } else if (this.#settling.isDue(world.entries.size, this.#shown.grabbed)) this.frame(true);
  }

  #listen() {
    const { signal } = this.#abort;
    const element = this.#element;
    // The wheel scrolls the outer page unless Ctrl is pressed or the element fills the screen.
    element.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey && !document.fullscreenElement) event.stopPropagation();
    }, { capture: true, signal });
    // A finger that holds an object does not scroll the outer page.
    element.addEventListener('touchstart', (event) => {
      if (this.#shown.grabControls.drags.size > 0) event.preventDefault();
    }, { passive: false, signal });
    element.addEventListener('pointerdown', ({ clientX, clientY, timeStamp, isPrimary }) => {
      this.#settling.stop();
      if (isPrimary) this.#press = { x: clientX, y: clientY, time: timeStamp, pick: this.#pick(clientX, clientY) };
    }, { capture: true, signal });
    element.addEventListener('pointerup', ({ clientX, clientY, timeStamp }) => {
      const press = this.#press;
      this.#press = null;
      if (!press || timeStamp - press.time > TAP_MS || Math.hypot(clientX - press.x, clientY - press.y) > TAP_PX) return;
      this.emit('select', press.pick);
    }, { capture: true, signal });
    element.addEventListener('keydown', (event) => this.#key(event), { signal });
    const { canvas } = this.#shown.picture.stage;
    canvas.addEventListener('webglcontextlost', () => this.emit('lost'), { signal });
    canvas.addEventListener('webglcontextrestored', () => this.emit('restored'), { signal });
  }

  /** @param {number} x @param {number} y */
  #pick(x, y) {
    const { stage, world } = this.#shown.picture;
    return world.pick(stage.ray(x, y), 9 * stage.view.slope);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = TURNS[event.key];
    const zoom = ZOOMS[event.key];
    if (turn) this.rig.orbit(...turn);
    else if (zoom) this.rig.zoom(zoom);
    else return;
    event.preventDefault();
  }
}
