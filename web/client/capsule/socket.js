// SPDX-License-Identifier: MIT
// Takes the place of a WebSocket where a client's address is `capsule:ADDRESS`: its other end replays that capsule file in this
// thread (player.js), as a world that can be watched. The engine is loaded with the first capsule.
/** @import { CapsulePlayer } from './player.js' */

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];
const SCHEME = 'capsule:';
const FAILED = 1011;

/** Whether an address names a capsule. @param {string} url */
export const isCapsule = (url) => url.startsWith(SCHEME);

export class CapsuleSocket {
  readyState = CONNECTING;

  binaryType = 'arraybuffer';

  /** @type {((event: {data: string | ArrayBuffer}) => void) | null} */
  onmessage = null;

  /** @type {((event: {code: number, reason: string}) => void) | null} */
  onclose = null;

  /** @type {(() => void) | null} unused: failures are told by `onclose` */
  onerror = null;

  /** @type {CapsulePlayer | null} */
  #player = null;

  /** @param {string} url */
  constructor(url) {
    this.#open(url.slice(SCHEME.length)).catch((error) => this.#end(FAILED, error.message.replace(/\.$/, '')));
  }

  /** @param {string} address */
  async #open(address) {
    const { openPlayer } = await import('./player.js');
    const player = await openPlayer(address, {
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
