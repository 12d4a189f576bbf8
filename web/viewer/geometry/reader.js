// SPDX-License-Identifier: MIT
// Reads geometry files in a worker (worker.js): it reads a file, cleans the mesh and reduces it, so that a large mesh does
// not delay drawing. Closing the reader cancels the current task.
import { FileFault } from './mesh.js';

/** @typedef {(step: string, share: number) => void} Progress called at the beginning of each step with its name and the share of the work that is done */

/**
 * A message from the worker: the progress of a task, or its result.
 * @typedef {{id: number, step?: string, share?: number, value?: unknown, fault?: string, told?: boolean}} FromWorker
 */

/** Reads one file, and the files that it refers to. */
export class MeshReader {
  #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, progress: Progress}>} id → {resolve, reject, progress} */
  #asked = new Map();

  #last = 0;

  constructor() {
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#end(new FileFault(`Files can’t be read now: ${event.message || 'the file reader could not be loaded'}.`));
  }

  /**
   * @param {File[]} files @param {(step: string, share: number) => void} progress
   * @returns {Promise<{name: string, extent: number[], found: number, removed: {broken: number, flat: number, doubled: number}, corners: number}>} the result of cleanMesh; rejects
   *   with a FileFault, or an AbortError when it is closed
   */
  read(files, progress) {
    return this.#ask('read', { files }, progress);
  }

  /**
   * Returns the mesh to send to the server, reduced from the file's mesh.
   * @param {string} use a key of REDUCTIONS of reductions.js
   * @param {number} most upper limit of the elements that this use counts
   * @returns {Promise<import('./mesh.js').Mesh & {edges: Uint32Array, tetrahedra?: Uint32Array}>} `edges`: pairs of vertices, the lines to draw; a hull
   *   has no triangles and no edges, and only a soft body has tetrahedra
   */
  reduce(use, most) {
    return this.#ask('reduce', { use, most });
  }

  /** Cancels the current task and ends the worker. */
  close() {
    this.#worker.terminate();
    this.#end(new DOMException('Canceled.', 'AbortError'));
  }

  /** @param {string} task @param {object} params @param {Progress} [progress] @returns {Promise<any>} the result of the task */
  #ask(task, params, progress = () => {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#asked.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, task, params });
    });
  }

  /** @param {FromWorker} message */
  #receive({ id, step, share, value, fault, told }) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    if (step !== undefined) {
      asked.progress(step, share ?? 0);
      return;
    }
    this.#asked.delete(id);
    if (fault === undefined) asked.resolve(value);
    else asked.reject(told ? new FileFault(fault) : new FileFault(`This file can’t be simplified: ${fault}`));
  }

  /** @param {Error} error */
  #end(error) {
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}
