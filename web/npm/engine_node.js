// SPDX-License-Identifier: MIT
// The package's engine in Node, whose fetch reads no files.
import { readFile } from 'node:fs/promises';
import { hasSimd, loadEngine as load } from '../client/engine/engine.js';

export { CapsuleError, CapsuleReplay, readCapsule } from '../client/engine/capsule.js';
export { EngineError } from '../client/engine/engine.js';

/** @type {typeof load} */
export async function loadEngine({ simd = hasSimd(), bytes } = {}) {
  const url = new URL(`../client/engine/${simd ? 'weft-simd' : 'weft'}.wasm`, import.meta.url);
  return load({ simd, bytes: bytes ?? (await readFile(url)) });
}
