// SPDX-License-Identifier: MIT
// Draws the pictures of scenes: the server describes the beginning of a scene (scene.preview) without making or changing a
// world, and a small hidden stage draws it. One picture at a time; the stage is removed when there is nothing to draw.
import { WeftError } from '../../../client/errors.js';
import { decodeFrame } from '../../../client/frame.js';
import { decodeTopology, Topology } from '../../../client/topology.js';
import { h } from '../../ui/dom.js';
/** @import { Picture } from '../../scene/picture.js' */

const TICKS = 50; // ticks of the scene before it is drawn, so that objects have begun to fall
const RATE_LIMITED = -32005;
const PAUSE_MS = 30; // pause between two pictures, so that the page stays responsive

/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Draws the requested pictures, in order. */
export class Thumbnails {
  /** @type {{scene: string, canvas: HTMLCanvasElement}[]} */
  #wishes = [];

  #working = false;

  #paused = true;

  /**
   * @param {import('../../page/page.js').Page} page
   * @param {object} told
   * @param {(left: number) => void} told.progress called with the number of remaining pictures
   * @param {(scene: string, reason: string) => void} told.failed called when a picture cannot be drawn
   */
  constructor(page, { progress, failed }) {
    this.page = page;
    this.progress = progress;
    this.failed = failed;
    this.host = h('div', { class: 'thumbnail-stage', 'aria-hidden': 'true' });
    document.body.append(this.host);
  }

  /** @param {string} scene @param {HTMLCanvasElement} canvas the canvas to draw on; replaces an earlier request for it */
  wish(scene, canvas) {
    this.#wishes = [...this.#wishes.filter((wish) => wish.canvas !== canvas), { scene, canvas }];
    this.#work();
  }

  /** Drops the requests that have not begun. */
  clear() {
    this.#wishes = [];
  }

  /** @param {boolean} paused whether the gallery is hidden */
  setPaused(paused) {
    this.#paused = paused;
    this.#work();
  }

  async #work() {
    if (this.#working || this.#paused) return;
    this.#working = true;
    /** @type {Picture | null} */
    let picture = null;
    while (this.#wishes.length > 0 && !this.#paused) {
      const [{ scene, canvas }] = this.#wishes.splice(0, 1);
      try {
        const preview = await this.#preview(scene);
        if (!picture) {
          const module = await import('../../scene/picture.js');
          picture = new module.Picture(this.host, this.page.stage.themeName, this.page.stage.look);
        }
        draw(picture, preview, canvas);
      } catch (error) {
        this.failed(scene, /** @type {Error} */ (error).message);
      }
      this.progress(this.#wishes.length);
      await sleep(PAUSE_MS);
    }
    picture?.dispose();
    this.#working = false;
    if (this.#wishes.length > 0) this.#work();
  }

  /** Requests a preview, and waits if the rate limit is reached. @param {string} scene */
  async #preview(scene) {
    for (;;) {
      try {
        return await this.page.ask('scene.preview', { name: scene, ticks: TICKS });
      } catch (error) {
        if (!(error instanceof WeftError) || error.code !== RATE_LIMITED) throw error;
        await sleep(/** @type {{retryAfterMs?: number} | undefined} */ (error.data)?.retryAfterMs ?? 1000);
      }
    }
  }
}

/** @param {Picture} picture @param {{frame: string, topology: string}} preview @param {HTMLCanvasElement} canvas */
function draw(picture, preview, canvas) {
  const frame = decodeFrame(bytesOf(preview.frame));
  picture.setTopology(Topology.apply(null, decodeTopology(bytesOf(preview.topology))));
  picture.update(frame, frame, 0);
  picture.frame();
  picture.stage.light(picture.world.contentBox(), picture.world.floorHeight());
  picture.render(0);
  const { canvas: drawn } = picture.stage;
  canvas.width = Math.min(drawn.width, 2 * canvas.clientWidth || drawn.width);
  canvas.height = Math.round((canvas.width * drawn.height) / drawn.width);
  canvas.getContext('2d')?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  canvas.dataset.taken = '';
}

/** @param {string} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
}
