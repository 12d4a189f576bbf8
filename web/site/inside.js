// SPDX-License-Identifier: MIT
// What web/client/local/resources.js gives, where the page is one file: everything is in that file, and nothing is fetched.

/** @typedef {{engine: string, scenes: string}} Files the engine's module with SIMD, and the texts of the scenes by name: compressed with gzip, in base64 */
/* global weftFiles */
/** @type {Files} */
const files = weftFiles; // defined by the page, and handed to its workers (bundle.mjs)

/** @param {string} text compressed bytes in base64 */
function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** The engine's module. @param {boolean} simd whether this machine's WebAssembly has SIMD */
export async function readEngine(simd) {
  if (!simd) throw new Error('This file needs a browser that supports WebAssembly SIMD, as all have since 2023. The page of a server or static host works without it.');
  return unpack(files.engine).arrayBuffer();
}

/** The scenes by name: the texts of their files. @returns {Promise<Record<string, string>>} */
export const readScenes = () => unpack(files.scenes).json();
