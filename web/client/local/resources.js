// SPDX-License-Identifier: MIT
// The files that the client needs beside its modules: the engine in WebAssembly, and the scenes of local worlds. No other module
// names their addresses (and ../start_worker.js alone that of the worker), so that a build can replace this one, for instance by a
// module that holds the files. Bundlers find them by the expressions `new URL(…, import.meta.url)`.

const NODE_FILES = 'node:fs/promises'; // a name that bundlers do not look for

/** @param {URL} url @returns {Promise<ArrayBuffer>} */
async function read(url) {
  if (url.protocol === 'file:' && 'process' in globalThis) { // Node fetches no files
    const { buffer, byteOffset, byteLength } = await (await import(/* @vite-ignore */ NODE_FILES)).readFile(url);
    return buffer.slice(byteOffset, byteOffset + byteLength);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be loaded: ${response.status} ${response.statusText}.`);
  return response.arrayBuffer();
}

/** The engine's module. @param {boolean} simd whether this machine's WebAssembly has SIMD */
export function readEngine(simd) {
  return read(simd ? new URL('../engine/weft-simd.wasm', import.meta.url) : new URL('../engine/weft.wasm', import.meta.url));
}

/**
 * The scenes that come with Weft, by name, in the order of their names: the texts of their files.
 * @returns {Promise<Record<string, string>>}
 */
export async function readScenes() {
  return JSON.parse(new TextDecoder().decode(await read(new URL('./scenes.json', import.meta.url))));
}
