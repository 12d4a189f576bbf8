// SPDX-License-Identifier: MIT
// What was done by hand on this page, in order: each request with its answer.
import { Emitter } from '../../client/emitter.js';

const ENTRIES_MAX = 5000; // older ones are forgotten

/** @typedef {{method: string, params: any, answer: any, tick: number | null, time: number}} Entry params and answer are of the method's types */

/**
 * Emits 'entry' with each.
 * @extends {Emitter<{entry: Entry}>}
 */
export class Journal extends Emitter {
  /** @type {Entry[]} */
  entries = [];

  /** @param {string} method @param {object|undefined} params @param {any} answer of the server, of the method's type */
  add(method, params, answer) {
    const entry = { method, params: params ?? {}, answer, tick: answer?.tick ?? null, time: Date.now() };
    this.entries.push(entry);
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
    this.emit('entry', entry);
  }
}
