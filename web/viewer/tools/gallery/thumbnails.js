// SPDX-License-Identifier: MIT
// Pictures of scenes, taken by the page itself: the server tells how a scene begins (scene.preview), which makes no world and
// changes none; a small second stage that nobody sees draws it. One at a time; the stage goes when there is nothing to draw.
import { WeftError } from '../../../client/errors.js';
import { decodeFrame } from '../../../client/frame.js';
import { decodeTopology, Topology } from '../../../client/topology.js';
import { h } from '../../ui/dom.js';
/** @import { Picture } from '../../scene/picture.js' */

const TICKS = 50; // of the scene before it is drawn: what falls has begun to
const RATE_LIMITED = -32005;
const PAUSE_MS = 30; // between two pictures, for the page

/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Takes the pictures that are wished for, in their order. */
export class Thumbnails {
  /** @type {{scene: string, canvas: HTMLCanvasElement}[]} */
  #wishes = [];

  #working = false;

  #paused = true;

  /**
   * @param {import('../../page/page.js').Page} page
   * @param {object} told
   * @param {(left: number) => void} told.progress how many are still to be taken
   * @param {(scene: string, reason: string) => void} told.failed why there is none
   */
  constructor(page, { progress, failed }) {
    this.page = page;
    this.progress = progress;
    this.failed = failed;
    this.host = h('div', { class: 'thumbnail-stage', 'aria-hidden': 'true' });
    document.body.append(this.host);
  }

  /** @param {string} scene @param {HTMLCanvasElement} canvas to draw it on; an earlier wish for it is forgotten */
  wish(scene, canvas) {
    this.#wishes = [...this.#wishes.filter((wish) => wish.canvas !== canvas), { scene, canvas }];
    this.#work();
  }

  /** Forgets what was wished for and not begun. */
  clear() {
    this.#wishes = [];
  }

  /** @param {boolean} paused while nobody looks */
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
          picture = new module.Picture(this.host, this.page.stage.themeName);
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

  /** Who asks for much is asked to wait. @param {string} scene */
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
  picture.stage.light(picture.world.contentBox());
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
