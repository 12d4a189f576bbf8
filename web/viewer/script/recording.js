// SPDX-License-Identifier: MIT
// Reads the log of a world (world.log): completely, for a program that repeats it, or only the new entries.

import { WeftError } from '../../client/errors.js';

const MOST = 5000; // maximum number of commands per request
const RETRY_MS = 100;
const RETRIES = 50;
const SERVER_ENTRIES = new Set(['clock', 'scene']); // entries made by the server, for which there is no method
const CLOCK = new Set(['world.pause', 'world.resume', 'world.step']); // methods that a program which steps the world itself leaves out

/**
 * @typedef {object} LogEntry
 * @property {number} index from 0 @property {number} tick the first tick whose step saw the command
 * @property {number} client the client that gave the command; 0 for the server @property {string} method
 * @property {object} [params] @property {number[]} [made] ids of the things it made
 */

/** @typedef {(method: any, params?: any) => Promise<any>} Ask sends a request to the server, like a client's `call` */
/** @typedef {import('../../client/protocol.js').WorldLogResult} Log */

/**
 * Reads the log from a command on, or from the beginning if the world is on another timeline now.
 * @param {Ask} ask
 * @param {{timeline: number, count: number}} [known] the part that was read before
 * @returns {Promise<{timeline: number, count: number, tick: number, entries: LogEntry[], anew: boolean, stateHash?: string, scene?: Log['scene']}>}
 */
export async function readLog(ask, known) {
  const first = await askAgain(ask, { from: known?.count ?? 0, most: MOST });
  if (known && (first.timeline !== known.timeline || first.count < known.count)) return readLog(ask);
  const entries = [...first.commands];
  for (let { next } = first; next < first.count;) {
    const part = await askAgain(ask, { from: next, most: Math.min(MOST, first.count - next) });
    if (part.timeline !== first.timeline) return readLog(ask);
    entries.push(...part.commands);
    next = part.next;
  }
  const { timeline, count, tick, stateHash, scene } = first;
  return { timeline, count, tick, entries, anew: !known, stateHash, scene };
}

/**
 * Reads a part of the log. The newest commands may not be stored yet, which takes some ms.
 * @param {Ask} ask @param {object} params @returns {Promise<Log>}
 */
async function askAgain(ask, params) {
  for (let left = RETRIES; ; left--) {
    try {
      return await ask('world.log', params);
    } catch (error) {
      if (left === 0 || !(error instanceof WeftError) || (error.code !== -32000 && error.code !== -32005)) throw error;
      await new Promise((resolve) => setTimeout(resolve, /** @type {{retryAfterMs?: number} | undefined} */ (error.data)?.retryAfterMs ?? RETRY_MS));
    }
  }
}

/**
 * Converts entries to the commands of a program. A program whose commands are at different ticks steps the world itself.
 * @param {LogEntry[]} entries @param {boolean} apart
 */
export function commandsOf(entries, apart = entries.some(({ tick }) => tick !== entries[0].tick)) {
  return entries.filter(({ method }) => !SERVER_ENTRIES.has(method) && !(apart && CLOCK.has(method)))
    .map(({ tick, method, params, made }) => ({ tick, method, params: params ?? {}, made: made ?? [] }));
}

/**
 * Returns everything that a program needs to build the present world.
 * @param {Ask} ask
 * @param {string} url url of the world
 * @returns {Promise<import('./writers.js').Recording>} rejects if the world did not begin with a scene
 */
export async function recordAll(ask, url) {
  const [{ tickHz }, { scenes }, log] = await Promise.all([ask('world.get'), ask('scene.list'), readLog(ask)]);
  if (!log.scene) {
    throw new Error('This world did not start with a scene at tick 0 (it is a copy, came from a capsule, or its oldest commands were deleted). Download a capsule to copy it completely.');
  }
  const { name, firstId, batch } = log.scene;
  const known = scenes.some((/** @type {{name: string, saved?: boolean}} */ one) => one.name === name && !one.saved);
  return {
    url,
    scene: { name, firstId, tickHz, ...(!known && { commands: /** @type {object[]} */ (batch?.commands ?? []) }) },
    commands: commandsOf(log.entries, true),
    tick: log.tick,
    stateHash: log.stateHash,
  };
}
