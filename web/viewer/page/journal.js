// SPDX-License-Identifier: MIT
// The commands that the user gave on this page, in order: each request with its reply.
import { Emitter } from '../../client/emitter.js';

const ENTRIES_MAX = 5000; // the oldest entries beyond this number are dropped

/** @typedef {{method: string, params: any, answer: any, tick: number | null, time: number}} Entry params and answer have the types of the method */

/**
 * Emits 'entry' for each new entry.
 * @extends {Emitter<{entry: Entry}>}
 */
export class Journal extends Emitter {
  /** @type {Entry[]} */
  entries = [];

  /** @param {string} method @param {object|undefined} params @param {any} answer the server's result, of the method's type */
  add(method, params, answer) {
    const entry = { method, params: params ?? {}, answer, tick: answer?.tick ?? null, time: Date.now() };
    this.entries.push(entry);
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
    this.emit('entry', entry);
  }
}
