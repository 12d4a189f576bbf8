// SPDX-License-Identifier: MIT
// Measures the alternative to Weft's decoder that a page could use: differences from the previous frame, packed by npm's
// meshoptimizer, which is WebAssembly. The decoded data is checked; the time for computing and undoing differences is
// included, as for the other contenders in C.

import { readFile } from 'node:fs/promises';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import { median } from './bench.mjs';

const HEAD_WORDS = 4;
const OBJECT_WORDS = 7;
const STRIDE = 12; // bytes of a particle: three differences
const WARM_FRAMES = 20; // until the JavaScript engine has compiled and optimized the loops

/** The frames of a recording (record.mjs) in whole steps, three numbers per particle. */
function* quantisedFrames(bytes, stepsPerMetre) {
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD_WORDS);
  const [objects, particles, frames, words] = head;
  const at = 4 * (HEAD_WORDS + OBJECT_WORDS * objects + words);
  for (let frame = 0; frame < frames; frame++) {
    const positions = new Float32Array(bytes.buffer, bytes.byteOffset + at + frame * STRIDE * particles, 3 * particles);
    yield Int32Array.from(positions, (value) => Math.floor(value * stepsPerMetre + 0.5));
  }
}

function difference(now, before) {
  const result = new Int32Array(now.length);
  for (let i = 0; i < now.length; i++) result[i] = now[i] - before[i];
  return result;
}

function undo(differences, before) {
  for (let i = 0; i < before.length; i++) differences[i] += before[i];
  return differences;
}

/** @returns {Promise<{bytes: number, encodeNs: number, decodeNs: number}>} per particle and frame */
export async function meshoptimizerInNode(path, stepsPerMetre) {
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
  const [encodes, decodes] = [[], []];
  let [before, total, particles] = [null, 0, 0];
  for (const now of quantisedFrames(await readFile(path), stepsPerMetre)) {
    particles = now.length / 3;
    if (before !== null) {
      const started = performance.now();
      const differences = difference(now, before);
      const packed = MeshoptEncoder.encodeVertexBuffer(new Uint8Array(differences.buffer), particles, STRIDE);
      const encoded = performance.now();
      const back = new Uint8Array(STRIDE * particles);
      MeshoptDecoder.decodeVertexBuffer(back, particles, STRIDE, packed);
      const found = undo(new Int32Array(back.buffer), before);
      decodes.push(performance.now() - encoded);
      encodes.push(encoded - started);
      total += packed.length;
      const wrong = found.findIndex((value, i) => value !== now[i]);
      if (wrong >= 0) throw new Error(`meshoptimizer gives ${found[wrong]} where it was given ${now[wrong]}`);
    }
    before = now;
  }
  const ns = (times) => (1e6 * median(times.slice(WARM_FRAMES))) / particles;
  return { bytes: total / decodes.length / particles, encodeNs: ns(encodes), decodeNs: ns(decodes) };
}
