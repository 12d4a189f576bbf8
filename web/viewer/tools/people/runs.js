// SPDX-License-Identifier: MIT
// Encodes selections for the server: ids of objects, and runs of particles [object, first, count], within the server's
// limits.

/** @typedef {[object: number, first: number, count: number]} Run */

const OBJECTS_MAX = 256;
const RUNS_MAX = 256;

/** @param {{objects: Set<number>, particles: Map<number, Set<number>>}} selection @returns {{objects: number[], particles: Run[]}} */
export function toRuns({ objects, particles }) {
  /** @type {Run[]} */
  const runs = [];
  for (const [object, indices] of particles) {
    /** @type {Run | null} */
    let run = null;
    for (const index of [...indices].sort((a, b) => a - b)) {
      if (run && run[1] + run[2] === index) run[2]++;
      else runs.push((run = [object, index, 1]));
    }
  }
  return { objects: [...objects].slice(0, OBJECTS_MAX), particles: runs.slice(0, RUNS_MAX) };
}

/** The number of particles in runs. @param {number[][]} runs */
export function countRuns(runs) {
  return runs.reduce((sum, [, , count]) => sum + count, 0);
}
