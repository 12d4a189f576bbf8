// SPDX-License-Identifier: MIT
// What an element shows for one `src`: connects a client to the world and draws it, until it is disposed. The modules that draw
// are loaded when the first session begins.
import { WeftClient, WeftError } from '../client/client.js';
import { Emitter } from '../client/emitter.js';
import { explainAbsence } from './absence.js';
import { RecordingPlayback } from './recording_playback.js';
import { WorldPlayback } from './playback.js';
/** @import { Frame } from '../client/frame.js' */
/** @import { Hello, StateNews } from '../client/connection.js' */
/** @import { Picked } from '../viewer/scene/world.js' */
/** @import { Playback } from './playback.js' */
/** @import { Source } from './source.js' */
/** @import { View } from './view.js' */

const NO_WEBGL = 'This browser can’t show the world: WebGL 2 is missing or disabled.';
const CONTEXT_LOST = 'The browser stopped rendering this world: there are too many 3D views on the page, or the graphics driver failed.';
const NEEDS_TOKEN = 'This world requires an access token: set the token attribute.';

/**
 * What the element wants of a session.
 * @typedef {object} Wishes
 * @property {HTMLElement} stage the element that the picture fills
 * @property {number} bottom CSS pixels of the picture that the bar covers
 * @property {'dark' | 'light'} theme @property {string | null} token @property {number[] | null} camera
 * @property {boolean} paused whether a world of this page's own begins paused @property {boolean} loop whether a capsule begins again at its end
 */

/**
 * Emits 'open', 'close', 'error', 'load', 'frame', 'tick', 'select', 'camera', 'ended', 'playback' (something about playing or
 * the right to change the world has changed) and 'restored' (drawing needs a new session).
 * @extends {Emitter<{open: Hello, close: StateNews, error: Error, load: undefined, frame: Frame, tick: number,
 *   select: Picked | null, camera: undefined, playback: undefined, ended: undefined, restored: undefined}>}
 */
export class Session extends Emitter {
  /** @type {WeftClient | null} */
  client = null;

  /** @type {Playback | null} */
  playback = null;

  /** @type {View | null} */
  view = null;

  #disposed = false;

  #explaining = false;

  /** @param {Source} source @param {Wishes} wishes */
  constructor(source, wishes) {
    super();
    this.source = source;
    this.wishes = wishes;
  }

  /** Connects and draws. Failures are reported by 'error'. */
  async start() {
    try {
      await this.#run(true);
    } catch (error) {
      if (this.#disposed) return;
      this.#drop();
      this.emit('error', /** @type {Error} */ (error));
    }
  }

  dispose() {
    this.#disposed = true;
    this.#drop();
  }

  /** @param {number} bottom */
  setBottom(bottom) {
    this.wishes.bottom = bottom;
    this.view?.setBottom(bottom);
  }

  #drop() {
    const { view, client } = this;
    this.view = this.client = this.playback = null;
    view?.dispose();
    client?.close();
  }

  /** @param {boolean} worker whether the client runs in a worker */
  async #run(worker) {
    const client = this.#makeClient(worker);
    this.client = client;
    this.playback = this.#makePlayback(client);
    this.#listen(client);
    const opening = client.connect();
    opening.catch(() => {}); // awaited below, unless drawing fails before
    const { View, PICTURE_EVENTS } = await import('./view.js');
    if (this.#disposed || this.client !== client) return;
    this.#draw(View, client);
    const refused = (/** @type {Error} */ error) => { if (this.client === client && client.hello?.role !== 'none') this.emit('error', error); };
    client.subscribeEvents(PICTURE_EVENTS)?.catch(refused);
    client.subscribeFrames({ adapt: true })?.catch(refused);
    try {
      await opening;
    } catch (error) {
      if (this.#disposed || this.client !== client) return;
      if (error instanceof WeftError && error.code === 'closed' && this.source.kind !== 'world') return; // its reason was told
      if (!worker || !(error instanceof WeftError) || error.code !== 'worker') throw error;
      this.#drop(); // the page does not allow workers, or its bundler has not found this one
      await this.#run(false);
    }
  }

  /** @param {boolean} worker */
  #makeClient(worker) {
    const { kind, address } = this.source;
    const url = kind === 'capsule' || kind === 'broadcast' ? `${kind}:${address}` : address;
    const options = { token: this.wishes.token ?? undefined, reconnect: kind === 'world' || kind === 'custom' };
    if (this.source.kind === 'custom') return new WeftClient(url, { WebSocket: this.source.WebSocket, ...options });
    try {
      return new WeftClient(url, { worker, ...options });
    } catch (error) {
      if (!worker) throw error;
      return new WeftClient(url, options); // pages may not start workers of another origin
    }
  }

  /** @param {WeftClient} client @returns {Playback} */
  #makePlayback(client) {
    if (!isRecording(this.source)) return new WorldPlayback(client, this.source.kind === 'local' && this.wishes.paused);
    const playback = new RecordingPlayback(client, this.wishes);
    playback.on('ended', () => this.emit('ended'));
    return playback;
  }

  /** @param {boolean} loop */
  setLoop(loop) {
    this.wishes.loop = loop;
    this.playback?.setLoop(loop);
  }

  /** @param {typeof View} Drawn @param {WeftClient} client */
  #draw(Drawn, client) {
    const { stage, bottom, theme, camera } = this.wishes;
    const refuse = (/** @type {Error} */ error) => { this.emit('error', error); };
    try {
      this.view = new Drawn({ element: stage, bottom, theme, camera, client, refuse });
    } catch (error) {
      throw new Error(NO_WEBGL, { cause: error });
    }
    const { view } = this;
    for (const name of /** @type {const} */ (['load', 'camera'])) view.on(name, () => this.emit(name));
    view.on('lost', () => this.emit('error', new Error(CONTEXT_LOST)));
    view.on('restored', () => this.emit('restored'));
    view.on('tick', (tick) => this.emit('tick', tick));
    view.on('select', (picked) => this.emit('select', picked));
    this.#allow();
  }

  /** @param {WeftClient} client */
  #listen(client) {
    client.on('hello', (hello) => {
      if (hello.role === 'none') {
        client.close();
        this.emit('error', new Error(NEEDS_TOKEN));
      } else this.emit('open', hello);
    });
    client.on('state', (news) => {
      if (news.state !== 'closed' || this.client !== client || client.hello?.role === 'none') return;
      this.emit('close', news);
      if (news.retryInMs != null) this.#explain();
      else if (this.source.kind !== 'world') this.emit('error', new Error(sentence(news.reason ?? 'It ended')));
    });
    client.on('frame', (frame) => this.emit('frame', frame));
    client.on('fault', (error) => this.emit('error', error));
    client.on('world.changed', ({ reason }) => { if (reason === 'load') this.view?.expectScene(); });
    this.playback?.on('change', () => {
      this.#allow();
      this.emit('playback');
    });
  }

  #allow() {
    if (this.view) this.view.editable = !isRecording(this.source) && (this.playback?.usable ?? false);
  }

  /** Finds out why the connection fails, once for each time that it is lost. */
  async #explain() {
    const { source } = this;
    if (this.#explaining || source.kind !== 'world') return;
    this.#explaining = true;
    const why = await explainAbsence(source);
    if (!this.#disposed && this.client?.state !== 'open') this.emit('error', new Error(why));
    const off = this.client?.on('hello', () => {
      this.#explaining = false;
      off?.();
    });
  }
}

/** Whether it can only be watched, at any tick that it has. @param {Source} source */
const isRecording = ({ kind }) => kind === 'capsule' || kind === 'broadcast';

/** @param {string} text */
function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
