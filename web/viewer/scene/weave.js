// SPDX-License-Identifier: MIT
// Procedural fibre textures: a plain weave, and the three strands of a rope. Each is a brightness map, and a normal map of
// the same heights. The colour comes from the object.
import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGBAFormat, SRGBColorSpace } from 'three';
import { asAffordable, isDraft } from './material.js';

const SIZE = 64; // texels
const THREADS = 4; // number of threads in each direction of a tile
const STRANDS = 3;

/** @typedef {{map: DataTexture, normalMap: DataTexture}} Fibres */

/** @returns {Fibres} a tile with four threads in each direction */
export function weaveTexture() {
  return fibreTexture((x, y) => {
    const column = Math.floor(x * THREADS);
    const row = Math.floor(y * THREADS);
    const u = (x * THREADS) % 1 - 0.5;
    const v = (y * THREADS) % 1 - 0.5;
    const over = (column + row) % 2 === 0; // whether the thread along y is on top
    const [across, along] = over ? [u, v] : [v, u];
    const fibre = 0.05 * Math.cos(40 * across + 9 * along);
    return (1 - 2.2 * across * across) * (1 - 1.1 * along * along) + fibre;
  }, isDraft() ? 0.14 : 0.3); // at low resolution, stronger relief would cause moiré patterns
}

/** @returns {Fibres} one tile: once around the rope, and one turn along it */
export function strandTexture() {
  return fibreTexture((x, y) => {
    const lay = (STRANDS * (x + y)) % 1 - 0.5;
    return 1 - 3.4 * lay * lay + 0.06 * Math.cos(2 * Math.PI * (9 * y - 12 * x));
  }, 0.8);
}

/**
 * `height` of a place in the tile, about 0 to 1; `shade` is how much darker low places are.
 * @param {(x: number, y: number) => number} height @param {number} shade
 * @returns {Fibres}
 */
function fibreTexture(height, shade) {
  /** @param {number} x @param {number} y */
  const at = (x, y) => height(((x + SIZE) % SIZE + 0.5) / SIZE, ((y + SIZE) % SIZE + 0.5) / SIZE);
  const map = new Uint8Array(4 * SIZE * SIZE);
  const normalMap = new Uint8Array(4 * SIZE * SIZE);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const level = 255 * Math.min(1, 1 - shade + shade * at(x, y));
      map.set([level, level, level, 255], 4 * (y * SIZE + x));
      const [dx, dy] = [2 * (at(x + 1, y) - at(x - 1, y)), 2 * (at(x, y + 1) - at(x, y - 1))];
      const scale = 127.5 / Math.hypot(dx, dy, 1);
      normalMap.set([127.5 - dx * scale, 127.5 - dy * scale, 127.5 + scale, 255], 4 * (y * SIZE + x));
    }
  }
  return { map: tiled(map, SRGBColorSpace), normalMap: tiled(normalMap) };
}

/** @param {Uint8Array} data @param {typeof SRGBColorSpace} [colorSpace] */
function tiled(data, colorSpace) {
  const texture = new DataTexture(data, SIZE, SIZE, RGBAFormat);
  if (colorSpace) texture.colorSpace = colorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return asAffordable(texture);
}
