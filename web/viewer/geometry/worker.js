// SPDX-License-Identifier: MIT
// The worker that reads files for reader.js, because a large mesh takes seconds. It stores the mesh of the file, and reduces
// it again for each size or use that the user chooses.
import { drawnEdges } from './edges.js';
import { FileFault } from './mesh.js';
import { loadReducer, readFiles } from './read.js';
import { REDUCTIONS } from './reductions.js';

/** @type {Awaited<ReturnType<typeof readFiles>> | null} */
let mesh = null;

/** @typedef {import('./reader.js').Progress} Progress */

/** @param {{files: File[]}} params @param {Progress} progress */
async function read({ files }, progress) {
  mesh = await readFiles(files, progress);
  progress('Simplifying', 0.8);
  const { name, extent, found, removed } = mesh;
  return { name, extent, found, removed, corners: mesh.positions.length / 3 };
}

/** @param {{use: string, most: number}} params */
async function reduce({ use, most }) {
  if (!mesh) throw new FileFault('No file has been read.');
  const { positions, triangles, tetrahedra } = REDUCTIONS[use](mesh, most, await loadReducer());
  // The arrays are copied, because the mesh of the file is used again.
  const reduced = { positions: Float32Array.from(positions), triangles: triangles && Uint32Array.from(triangles) };
  return { ...reduced, ...(tetrahedra && { tetrahedra }), edges: reduced.triangles && drawnEdges({ ...reduced, triangles: reduced.triangles }) };
}

/** @type {Record<string, (params: any, progress: Progress) => Promise<object>>} the tasks by name, each with its own parameters */
const TASKS = { read, reduce };

onmessage = async (/** @type {MessageEvent<{id: number, task: string, params: object}>} */ { data: { id, task, params } }) => {
  try {
    const value = await TASKS[task](params, (/** @type {string} */ step, /** @type {number} */ share) => postMessage({ id, step, share }));
    const arrays = Object.values(value).filter((member) => ArrayBuffer.isView(member));
    postMessage({ id, value }, { transfer: arrays.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)) });
  } catch (error) {
    postMessage({ id, fault: /** @type {Error} */ (error).message, told: error instanceof FileFault });
  }
};
