// SPDX-License-Identifier: MIT
// Writes pictures as an animated GIF, in a worker (gif_worker.js).

export class GifWriter {
  #worker = new Worker(new URL('./gif_worker.js', import.meta.url), { type: 'module' });

  /** @param {object} message @param {Transferable[]} transfer @returns {Promise<{bytes?: Uint8Array<ArrayBuffer>}>} */
  #ask(message, transfer) {
    return new Promise((resolve, reject) => {
      this.#worker.onmessage = ({ data }) => resolve(data);
      this.#worker.onerror = (event) => reject(new Error(`The GIF cannot be written: ${event.message || 'its worker could not be loaded'}.`));
      this.#worker.postMessage(message, transfer);
    });
  }

  /**
   * @param {{width: number, height: number, delayMs: number}} size in pixels, and the time between two pictures, a multiple of 10
   * @param {Uint8ClampedArray<ArrayBuffer>} samples RGBA of some of the pictures, for the colors
   */
  begin(size, samples) {
    return this.#ask({ begin: size, samples }, [samples.buffer]);
  }

  /** @param {Uint8ClampedArray<ArrayBuffer>} pixels RGBA of the next picture */
  add(pixels) {
    return this.#ask({ pixels }, [pixels.buffer]);
  }

  /** @returns {Promise<Uint8Array<ArrayBuffer>>} the file */
  async end() {
    return /** @type {Uint8Array<ArrayBuffer>} */ ((await this.#ask({ end: true }, [])).bytes);
  }

  close() {
    this.#worker.terminate();
  }
}
