// SPDX-License-Identifier: MIT
// Reproducible random numbers: tests print their seed, and WEFT_SEED sets it.

/** @returns {{seed: number, real: () => number, integer: (below: number) => number}} */
export function seeded(seed = Number(process.env.WEFT_SEED ?? Math.floor(Math.random() * 2 ** 32))) {
  let state = seed >>> 0;
  const real = () => {
    // Mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, real, integer: (below) => Math.floor(real() * below) };
}
