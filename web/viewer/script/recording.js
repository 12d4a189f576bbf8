// SPDX-License-Identifier: MIT
// What was done in a world, as its log tells it (world.log): whole, for a program that does it again, or what is new of it.

import { WeftError } from '../../client/errors.js';

const MOST = 5000; // commands of an answer
const RETRY_MS = 100;
const RETRIES = 50;
const SERVER_ENTRIES = new Set(['clock', 'scene']); // the server's own, for which there is no method
const CLOCK = new Set(['world.pause', 'world.resume', 'world.step']); // of a program that steps the world itself

/**
 * @typedef {object} LogEntry
 * @property {number} index from 0 @property {number} tick the first whose step saw it
 * @property {number} client whose command it was; 0: the server's @property {string} method
 * @property {object} [params] @property {number[]} [made] ids of what it made
 */

/** @typedef {(method: any, params?: any) => Promise<any>} Ask asks the server; as a client's `call` */
/** @typedef {import('../../client/protocol.js').WorldLogResult} Log */

/**
 * The log from a command on, or anew if the world has gone another way since.
 * @param {Ask} ask
 * @param {{timeline: number, count: number}} [known] what was read before
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

/** The last commands may not be stored yet; that takes some ms. @param {Ask} ask @param {object} params @returns {Promise<Log>} */
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
 * Entries as commands of a program. One whose commands are apart has a clock of its own.
 * @param {LogEntry[]} entries @param {boolean} apart
 */
export function commandsOf(entries, apart = entries.some(({ tick }) => tick !== entries[0].tick)) {
  return entries.filter(({ method }) => !SERVER_ENTRIES.has(method) && !(apart && CLOCK.has(method)))
    .map(({ tick, method, params, made }) => ({ tick, method, params: params ?? {}, made: made ?? [] }));
}

/**
 * All that a program needs to build the world as it is now.
 * @param {Ask} ask
 * @param {string} url of the world
 * @returns {Promise<import('./writers.js').Recording>} rejects when the world did not begin with a scene
 */
export async function recordAll(ask, url) {
  const [{ tickHz }, { scenes }, log] = await Promise.all([ask('world.get'), ask('scene.list'), readLog(ask)]);
  if (!log.scene) {
    throw new Error('This world did not begin with a scene at tick 0 (it is a branch, came from a capsule, or its oldest commands are forgotten): a capsule holds it whole');
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
