// SPDX-License-Identifier: MIT
// What the page wants to be told by its world: frames, and events by their names. The page's worker subscribes to both while the
// page still loads (preload.js), so this imports nothing.

/** @typedef {keyof import('../../client/protocol.js').Events} EventName */

/** @type {EventName[]} */
export const EVENTS = [
  'obstacle.added', 'obstacle.removed', 'stick.added', 'stick.changed', 'stick.removed', 'particle.pinned', 'particle.unpinned',
  'grab.started', 'grab.ended', 'world.changed', 'client.joined', 'client.left', 'object.slept', 'object.woke', 'body.quarantined',
  'object.changed', 'obstacle.changed', 'client.changed', 'selection.changed', 'pointer.moved', 'view.shown', 'view.moved', 'frames.paced',
  'undo.progress', 'commands.lost',
];

const PROCESSORS_LEAST = 4; // of a device on which the page computes the ticks itself, beside drawing

/** Whether this page computes the ticks itself: as the address says, else where a processor is left for it. */
function computesTicks() {
  const source = new URLSearchParams(location.search).get('source');
  return source === 'ticks' || (source !== 'frames' && navigator.hardwareConcurrency >= PROCESSORS_LEAST && 'DecompressionStream' in window);
}

/** The subscription to frames. @param {number} step to which positions are rounded, m */
export const framesAt = (step) => ({ encoding: /** @type {'auto' | 'motion'} */ (computesTicks() ? 'auto' : 'motion'), adapt: true, step });
