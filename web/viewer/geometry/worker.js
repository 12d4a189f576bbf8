// SPDX-License-Identifier: MIT
// The worker that reads files for reader.js, because a large mesh takes seconds. It keeps the mesh of the file, and
// reduces it anew for each size or use that is chosen.
import { drawnEdges } from './edges.js';
import { FileFault } from './mesh.js';
import { loadReducer, readFiles } from './read.js';
import { REDUCTIONS } from './reductions.js';

let mesh = null;

async function read({ files }, progress) {
  mesh = await readFiles(files, progress);
  progress('Making it small', 0.8);
  const { name, extent, found, removed } = mesh;
  return { name, extent, found, removed, corners: mesh.positions.length / 3 };
}

async function reduce({ use, most }) {
  const { positions, triangles } = REDUCTIONS[use](mesh, most, await loadReducer());
  // Copies: the mesh of the file stays here.
  const reduced = { positions: Float32Array.from(positions), triangles: triangles && Uint32Array.from(triangles) };
  return { ...reduced, edges: triangles && drawnEdges(reduced) };
}

const TASKS = { read, reduce };

onmessage = async ({ data: { id, task, params } }) => {
  try {
    const value = await TASKS[task](params, (step, share) => postMessage({ id, step, share }));
    postMessage({ id, value }, [value.positions, value.triangles, value.edges].filter(Boolean).map(({ buffer }) => buffer));
  } catch (error) {
    postMessage({ id, fault: error.message, told: error instanceof FileFault });
  }
};
