// SPDX-License-Identifier: MIT
// What a connection measures of itself.

const SMOOTHING = 1 / 8; // weight of a new sample in the smoothed times, as for TCP's round-trip time

/**
 * `framesSkipped` counts frames that arrived but were not delivered. The times are smoothed, and null before the first
 * measurement.
 * `source` tells whether frames come from the server or from ticks that are computed here, `sourceReason` why; `mismatches` counts how
 * often the state computed here differed from the server's.
 * @typedef {{
 *   bytesReceived: number, framesReceived: number, framesSkipped: number, roundTripMs: number | null, decodeMs: number | null,
 *   source: 'frames' | 'ticks', sourceReason: string, mismatches: number,
 * }} Statistics
 */

/** @returns {Statistics} the statistics of a new connection */
export function emptyStatistics() {
  return { bytesReceived: 0, framesReceived: 0, framesSkipped: 0, roundTripMs: null, decodeMs: null, source: 'frames', sourceReason: '', mismatches: 0 };
}

/** Adds a sample to a smoothed time. @param {Statistics} statistics @param {'roundTripMs' | 'decodeMs'} name @param {number} ms */
export function measure(statistics, name, ms) {
  const before = statistics[name];
  statistics[name] = before === null ? ms : before + (ms - before) * SMOOTHING;
}
