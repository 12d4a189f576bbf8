// SPDX-License-Identifier: MIT
// Takes the place of a WebSocket where a client's address is `capsule:ADDRESS` or `broadcast:ADDRESS`: its other end plays that
// capsule file, or the broadcast whose manifest.json lies there, in this thread (player.js), as a world that can be watched. The
// engine is loaded with the first of them.
/** @import { Player, Recording } from './player.js' */

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];
/** @type {Record<string, (address: string) => Promise<Recording>>} */
const SCHEMES = {
  'capsule:': async (address) => (await import('../capsule/recording.js')).openRecording(address),
  'broadcast:': async (address) => (await import('../broadcast/recording.js')).openRecording(address),
};
const FAILED = 1011;

/** @param {string} url */
const schemeOf = (url) => Object.keys(SCHEMES).find((scheme) => url.startsWith(scheme));

/** Whether an address names a capsule or a broadcast. @param {string} url */
export const isRecording = (url) => schemeOf(url) !== undefined;

export class RecordingSocket {
  readyState = CONNECTING;

  binaryType = 'arraybuffer';

  /** @type {((event: {data: string | ArrayBuffer}) => void) | null} */
  onmessage = null;

  /** @type {((event: {code: number, reason: string}) => void) | null} */
  onclose = null;

  /** @type {(() => void) | null} unused: failures are told by `onclose` */
  onerror = null;

  /** @type {Player | null} */
  #player = null;

  /** @param {string} url */
  constructor(url) {
    this.#open(url).catch((error) => this.#end(FAILED, error.message.replace(/\.$/, '')));
  }

  /** @param {string} url */
  async #open(url) {
    const scheme = /** @type {string} */ (schemeOf(url));
    const [{ Player }, recording] = await Promise.all([import('./player.js'), SCHEMES[scheme](url.slice(scheme.length))]);
    const player = new Player(recording, {
      deliver: (data) => { if (this.readyState === OPEN) this.onmessage?.({ data }); },
      fail: ({ message }) => this.#end(FAILED, message.replace(/\.$/, '')),
    });
    if (this.readyState !== CONNECTING) {
      player.dispose();
      return;
    }
    this.#player = player;
    this.readyState = OPEN;
    player.start();
  }

  /** @param {string} text */
  send(text) {
    // Not at once: the player may be delivering something now.
    queueMicrotask(() => this.#player?.receive(text));
  }

  /** @param {number} [code] */
  close(code = 1000) {
    queueMicrotask(() => this.#end(code, ''));
  }

  /** @param {number} code @param {string} reason */
  #end(code, reason) {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#player?.dispose();
    this.#player = null;
    this.onclose?.({ code, reason });
  }
}
