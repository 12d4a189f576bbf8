// SPDX-License-Identifier: MIT
// Writes a GIF in a worker, with gifenc. All pictures share one palette, and what is as in the picture before is transparent, so that a
// scene with a still background takes few bytes.
//
// Messages to it: {begin: {width, height, delayMs}, samples: pixels of several pictures, from which the palette is made}, then {pixels}
// for each picture in order, then {end: true}. It answers each with {} when it is done, and the last with {bytes}.
import { applyPalette, GIFEncoder, quantize } from '../../vendor/gifenc/gifenc.js';

const FORMAT = 'rgb565';
const COLORS = 255; // and one for what stays
const STAYS = COLORS;
const KEEP = 1; // the next picture is drawn over this one

const encoder = GIFEncoder();
/** @type {{width: number, height: number, delayMs: number}} */
let size;
/** @type {number[][]} */
let palette = [];
/** @type {Uint8Array | null} */
let before = null;

/** @param {Uint8ClampedArray} samples */
function makePalette(samples) {
  palette = quantize(samples, COLORS, { format: FORMAT });
  while (palette.length <= STAYS) palette.push([0, 0, 0]);
}

/** @param {Uint8ClampedArray} pixels */
function write(pixels) {
  const index = applyPalette(pixels, palette.slice(0, COLORS), FORMAT);
  const shown = index.slice();
  if (before) for (let at = 0; at < index.length; at++) if (index[at] === before[at]) shown[at] = STAYS;
  encoder.writeFrame(shown, size.width, size.height, {
    ...(before === null && { palette, repeat: 0 }), delay: size.delayMs, transparent: true, transparentIndex: STAYS, dispose: KEEP,
  });
  before = index;
}

/** @param {MessageEvent<{begin?: typeof size, samples?: Uint8ClampedArray, pixels?: Uint8ClampedArray, end?: true}>} event */
onmessage = ({ data: { begin, samples, pixels, end } }) => {
  if (begin && samples) {
    size = begin;
    makePalette(samples);
  }
  if (pixels) write(pixels);
  if (!end) {
    postMessage({});
    return;
  }
  encoder.finish();
  postMessage({ bytes: encoder.bytes() });
};
