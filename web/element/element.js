// SPDX-License-Identifier: MIT
// The custom element <weft-world>: shows a world in any page, plays it, and lets people pull at it.
//
//     <weft-world src="wss://example.org/worlds/main" controls></weft-world>
//
// Attributes, properties and events follow <video> where they mean the same. Where there is no DOM (rendering on a server) the
// module can be imported, and the class does nothing.
import { h } from '../viewer/ui/dom.js';
import { Controls } from './controls.js';
import { ReflectingElement } from './reflection.js';
import { Session } from './session.js';
import { parseSource } from './source.js';
import { applyStyle } from './style.js';
/** @import { Arguments, WeftClient } from '../client/client.js' */
/** @import { Hello } from '../client/connection.js' */
/** @import { Frame } from '../client/frame.js' */
/** @import { MethodName, Methods } from '../client/protocol.js' */
/** @import { Topology } from '../client/topology.js' */
/** @import { Source } from './source.js' */

const PROPERTIES = /** @type {const} */ (['src', 'controls', 'camera', 'theme', 'token', 'loop', 'paused', 'loading']);
const NEAR = '200px'; // from the visible part of the page: lazy elements connect
const NOTICE_MS = 7000;
const BAR_PX = 56; // height of the picture that the bar covers
const LABEL = '3D view of a world. Drag an object to move it, drag the background to orbit.';

/** @typedef {'empty' | 'loading' | 'open' | 'closed' | 'failed'} ReadyState */
/** @typedef {{object: number, kind: string, particle: number, point: number[]}} Selected what was tapped: object, the nearest particle, the point in m */
/**
 * The events of the element by name; none of them bubbles.
 * @typedef {object} WeftWorldEventMap
 * @property {CustomEvent<Hello>} open the connection is open: the server's first message
 * @property {CustomEvent<{reason: string, retryInMs: number | null}>} close the connection is lost; null if it is not tried again
 * @property {ErrorEvent} error `message` is a sentence, `error` the Error
 * @property {CustomEvent<null>} load the first picture is drawn
 * @property {CustomEvent<{tick: number, time: number}>} tick another tick is displayed; time in s
 * @property {CustomEvent<{frame: Frame, topology: Topology | null}>} frame positions have arrived; they may be reused after the event
 * @property {CustomEvent<Selected | null>} select the user tapped an object, or nothing (null)
 * @property {CustomEvent<{camera: number[]}>} camerachange the user has moved the camera
 * @property {CustomEvent<null>} play @property {CustomEvent<null>} pause
 * @property {CustomEvent<null>} ended a capsule was played to its end
 */

export class WeftWorldElement extends ReflectingElement {
  static observedAttributes = [...PROPERTIES];

  /**
   * A class that takes the place of the browser's WebSocket, for worlds that are reached in another way (a notebook's channel, WebRTC).
   * Set it before `src`, which is its address then, and may be any text. The client runs in the page's thread.
   * @type {(new (url: string, protocols: string[]) => {send(text: string): void, close(code?: number): void}) | null}
   */
  WebSocket = null;

  /** @type {Session | null} */
  #session = null;

  /** @type {ReadyState} */
  #readyState = 'empty';

  // The parts within the shadow root; they are missing only where there is no DOM.
  #root = /** @type {HTMLElement} */ ({});

  #stage = this.#root;

  #message = this.#root;

  /** @type {Controls | null} */
  #controls = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #noticeTimer;

  #light = globalThis.matchMedia?.('(prefers-color-scheme: light)');

  #followTheme = () => this.#showTheme();

  #wasPaused = false;

  /** @type {IntersectionObserver | null} while a lazy element is out of sight */
  #awaited = null;

  constructor() {
    super();
    if (!globalThis.document) return;
    const shadow = this.attachShadow({ mode: 'open', delegatesFocus: true });
    applyStyle(shadow);
    this.#stage = h('div', { class: 'stage', part: 'stage', tabindex: 0, role: 'application', 'aria-label': LABEL });
    this.#message = h('p', { class: 'message', part: 'message', role: 'status', hidden: true });
    this.#root = h('div', { class: 'root' }, this.#stage, this.#message);
    shadow.append(this.#root);
  }

  // ---- properties

  /** Whether the world stands still. Setting it plays or pauses; a world of a server pauses for everybody in it. */
  get paused() { return this.#session?.playback?.paused ?? this.hasAttribute('paused'); }

  set paused(value) {
    if (!this.#session?.playback) this.toggleAttribute('paused', Boolean(value));
    else if (Boolean(value) !== this.paused) (value ? this.pause() : this.play()).catch((error) => this.#report(error));
  }

  /** The client of the world, with the whole protocol; null while there is none. @returns {WeftClient | null} */
  get client() { return this.#session?.client ?? null; }

  /** The server's first message, or null. @returns {Hello | null} */
  get hello() { return this.client?.hello ?? null; }

  get readyState() { return this.#readyState; }

  /** Whether this viewer may change the world now. */
  get editable() { return this.#session?.view?.editable ?? false; }

  /** The displayed tick; -1 before the first. */
  get tick() { return this.#session?.view?.tick ?? -1; }

  /** The displayed time in s; setting it seeks in a capsule or a broadcast. */
  get currentTime() { return this.#timeOf(this.tick); }

  set currentTime(seconds) {
    const playback = this.#session?.playback;
    if (!playback?.range) throw new Error('Time can be set only for a capsule or a broadcast.');
    playback.seek(playback.range.first + Math.round(Number(seconds) * this.#tickHz));
  }

  /** The length of a capsule or a broadcast in s; Infinity for a world, NaN before anything is known. */
  get duration() {
    const playback = this.#session?.playback;
    if (!playback) return NaN;
    return playback.range ? (playback.range.last - playback.range.first) / this.#tickHz : Infinity;
  }

  // ---- methods

  /**
   * Calls a method of the world's protocol.
   * @template {MethodName} M
   * @param {M} method @param {Arguments<M>} params
   * @returns {Promise<Methods[M]['result']>} rejects with a WeftError
   */
  call(method, ...params) {
    const { client } = this;
    if (!client) return Promise.reject(new Error(`"${method}" can’t be called: the element shows no world.`));
    return client.call(method, ...params);
  }

  /** Connects at once, also after a failure. @returns {Promise<Hello>} */
  async connect() {
    if (!this.client) this.#open(true);
    const { client } = this;
    if (!client) throw new Error('The element has no world to connect to. Set its src attribute and add it to the page.');
    return client.connect();
  }

  async play() { await this.#playback.play(); }

  async pause() { await this.#playback.pause(); }

  /** Starts the world's scene anew, or a capsule at its beginning. */
  async reset() { await this.#playback.reset(); }

  /** Moves the camera so that it sees all objects. */
  frameAll() { this.#session?.view?.frame(true); }

  /** Position and target of the camera, x, y, z of each in m; null before the first picture. */
  getCamera() { return this.#session?.view?.rig.read() ?? null; }

  // ---- life

  connectedCallback() {
    this.upgradeProperties(PROPERTIES);
    this.#light?.addEventListener('change', this.#followTheme);
    this.#showTheme();
    this.#showControls();
    if (!this.#session && !this.#awaited) this.#open();
  }

  disconnectedCallback() {
    // An element that is only moved within the page keeps its world.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#light?.removeEventListener('change', this.#followTheme);
      this.#close();
      this.#say('');
    });
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    const again = name === 'src' && this.#readyState === 'failed'; // the same src is tried once more
    if ((before === value && !again) || !this.isConnected) return;
    if (name === 'src' || name === 'token' || (name === 'loading' && this.#awaited)) this.#open();
    else if (name === 'controls') this.#showControls();
    else if (name === 'theme') this.#showTheme();
    else if (name === 'camera') this.#placeCamera();
    else if (name === 'loop') this.#session?.setLoop(this.loop);
    else if (name === 'paused' && this.#session && this.#session.source.kind !== 'world') this.paused = value !== null;
  }

  /** @param {boolean} [now] connects although the element may be far from the visible part of the page */
  #open(now = this.loading !== 'lazy') {
    this.#close();
    this.#say('');
    if (!this.src || !this.isConnected) return;
    if (!now) {
      this.#awaited = new IntersectionObserver((entries) => { if (entries.some(({ isIntersecting }) => isIntersecting)) this.#open(true); }, { rootMargin: NEAR });
      this.#awaited.observe(this);
      return;
    }
    /** @type {Source} */
    let source;
    try {
      source = this.WebSocket ? { kind: 'custom', address: this.src, WebSocket: this.WebSocket } : parseSource(this.src, this.baseURI);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      return;
    }
    this.#readyState = 'loading';
    this.#say(source.kind === 'world' ? `Connecting to ${source.host}…` : 'Loading the world…', 'wait');
    const camera = this.#cameraNumbers();
    const session = new Session(source, {
      stage: this.#stage, bottom: this.#barHeight, theme: this.#themeName, token: this.token || null, camera, loop: this.loop, paused: this.hasAttribute('paused'),
    });
    this.#session = session;
    this.#wasPaused = this.paused;
    this.#listen(session);
    session.start();
  }

  #close() {
    this.#awaited?.disconnect();
    this.#awaited = null;
    const session = this.#session;
    this.#session = null;
    this.#readyState = 'empty';
    session?.dispose();
    this.#showPlayback();
  }

  /** @param {Session} session */
  #listen(session) {
    session.on('open', (hello) => {
      this.#readyState = 'open';
      if (this.tick >= 0) this.#say('');
      this.#tell('open', hello);
    });
    session.on('close', ({ reason = '', retryInMs = null }) => {
      if (this.#readyState === 'open') this.#say('Connection lost. Reconnecting…', 'wait');
      if (this.#readyState !== 'failed') this.#readyState = 'closed';
      this.#tell('close', { reason, retryInMs });
    });
    session.on('error', (error) => {
      if (session.client === null || this.#readyState !== 'open') this.#fail(error);
      else this.#report(error);
    });
    session.on('load', () => {
      this.#say('');
      this.#tell('load', null);
    });
    session.on('frame', (frame) => this.#tell('frame', { frame, topology: this.client?.topology ?? null }));
    session.on('tick', (tick) => {
      const time = this.#timeOf(tick);
      this.#controls?.showTime(tick, time);
      this.#tell('tick', { tick, time });
    });
    session.on('select', (picked) => this.#tell('select', picked && { object: picked.object, kind: picked.kind, particle: picked.particle, point: picked.point }));
    session.on('camera', () => this.#tell('camerachange', { camera: this.getCamera() }));
    session.on('ended', () => this.#tell('ended', null));
    session.on('restored', () => this.#open());
    session.on('playback', () => this.#showPlayback());
  }

  // ---- parts

  get #playback() {
    const playback = this.#session?.playback;
    if (!playback) throw new Error('The element shows no world.');
    return playback;
  }

  get #tickHz() { return this.hello?.tickHz ?? 60; }

  /** @param {number} tick */
  #timeOf(tick) { return Math.max(0, tick - (this.#session?.playback?.range?.first ?? 0)) / this.#tickHz; }

  /** @returns {'dark' | 'light'} */
  get #themeName() {
    if (this.theme === 'dark' || this.theme === 'light') return this.theme;
    return this.#light?.matches ? 'light' : 'dark';
  }

  #showTheme() {
    const name = this.#themeName;
    this.#root.dataset.theme = name;
    this.#session?.view?.setTheme(name);
    if (this.#session) this.#session.wishes.theme = name;
  }

  get #barHeight() { return this.controls ? BAR_PX : 0; }

  #showControls() {
    this.#session?.setBottom(this.#barHeight);
    if (!this.controls) {
      this.#controls?.element.remove();
      this.#controls = null;
      return;
    }
    if (this.#controls) return;
    const attempt = (/** @type {() => Promise<void>} */ act) => () => act().catch((error) => this.#report(error));
    this.#controls = new Controls({
      toggle: attempt(() => (this.paused ? this.play() : this.pause())),
      reset: attempt(() => this.reset()),
      fullscreen: attempt(() => (this.matches(':fullscreen') ? document.exitFullscreen() : this.requestFullscreen())),
      seek: (tick) => this.#playback.seek(tick),
    });
    this.#root.append(this.#controls.element);
    this.#showPlayback();
  }

  #showPlayback() {
    const session = this.#session;
    this.#controls?.show(session?.playback ?? null, session?.source.kind === 'world' ? session.source.page : null);
    if (!session?.playback || this.paused === this.#wasPaused) return;
    this.#wasPaused = this.paused;
    this.#tell(this.paused ? 'pause' : 'play', null);
  }

  /** The attribute camera as numbers; null for automatic framing. */
  #cameraNumbers() {
    const text = this.camera.trim();
    if (!text) return null;
    const numbers = text.split(/[\s,]+/).map(Number);
    if (numbers.length === 6 && numbers.every(Number.isFinite)) return numbers;
    this.#report(new Error(`The camera "${text}" must be six numbers: x, y, z of its position and of its target, in m.`));
    return null;
  }

  #placeCamera() {
    const numbers = this.#cameraNumbers();
    if (numbers) this.#session?.view?.rig.write(numbers, true);
    else if (!this.camera) this.frameAll();
  }

  /** @param {string} text empty hides the message @param {'failure' | 'wait' | 'notice'} [kind] */
  #say(text, kind = 'notice') {
    clearTimeout(this.#noticeTimer);
    this.#message.hidden = !text;
    this.#message.textContent = text;
    this.#message.dataset.kind = kind;
    if (text && kind === 'notice') this.#noticeTimer = setTimeout(() => this.#say(''), NOTICE_MS);
  }

  /** Nothing can be shown. @param {Error} error */
  #fail(error) {
    this.#readyState = 'failed';
    this.#say(error.message, 'failure');
    this.dispatchEvent(new ErrorEvent('error', { message: error.message, error }));
  }

  /** Something was refused; the world is shown all the same. @param {Error} error */
  #report(error) {
    if (this.#readyState !== 'failed') this.#say(error.message);
    this.dispatchEvent(new ErrorEvent('error', { message: error.message, error }));
  }

  /** @param {Exclude<keyof WeftWorldEventMap, 'error'>} name @param {unknown} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
