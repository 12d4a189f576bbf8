// SPDX-License-Identifier: MIT
// Measures the decoding time of the page's decoders for a stream of frames, and checks the decoded positions.

import { readFile } from 'node:fs/promises';
import { median } from './bench.mjs';

const WARM_FRAMES = 20; // until the JavaScript engine has compiled and optimized the loop

async function modules() {
  try {
    const [{ FrameStream }, { unpackFrame }] = await Promise.all([import('../../web/client/codec.js'), import('../../web/client/frame.js')]);
    return FrameStream && unpackFrame ? { FrameStream, unpackFrame } : null;
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null; // there is no decoder yet
    throw error;
  }
}

function* messagesOf(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    yield Uint8Array.prototype.slice.call(bytes, at + 4, at + 4 + length);
    at += 4 + length;
  }
}

/** @returns {number} median ns per particle and frame */
function time({ FrameStream, unpackFrame }, engine, messages, objects, last) {
  const particles = last.length / 3;
  const stream = new FrameStream({ objects }, engine);
  const buffer = new ArrayBuffer(12 * particles);
  const times = [];
  let positions;
  let step;
  for (const message of messages) {
    const before = performance.now();
    const packed = unpackFrame(message);
    positions = stream.decode(packed, () => buffer).positions;
    times.push(performance.now() - before);
    step = packed.header.step;
  }
  const wrong = positions.findIndex((value, at) => !(Math.abs(value - last[at]) <= 0.5001 * step + 1e-6));
  if (wrong >= 0) throw new Error(`${engine} decodes ${positions[wrong]} where ${last[wrong]} was packed`);
  return (1e6 * median(times.slice(WARM_FRAMES))) / particles;
}

/**
 * ns per particle by decoder; empty if there is none for the best coding.
 * @param {string} stream the file of frames that the program `frames` wrote @param {{objects: object[], last: Float32Array}} recording
 */
export async function decodeTimes(stream, { objects, last }) {
  const found = await modules();
  if (!found) return {};
  const messages = [...messagesOf(await readFile(stream))];
  if (messages[0][1] !== 2) return {};
  return { wasm: time(found, 'wasm', messages, objects, last), javascript: time(found, 'javascript', messages, objects, last) };
}
