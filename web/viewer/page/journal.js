// SPDX-License-Identifier: MIT
// What was done by hand on this page, in order: each request with its answer.
import { Emitter } from '../../client/emitter.js';

const ENTRIES_MAX = 5000; // older ones are forgotten

/** Emits 'entry' with each {method, params, answer, tick, time}. */
export class Journal extends Emitter {
  entries = [];

  /** @param {string} method @param {object|undefined} params @param {object} answer of the server */
  add(method, params, answer) {
    const entry = { method, params: params ?? {}, answer, tick: answer?.tick ?? null, time: Date.now() };
    this.entries.push(entry);
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
    this.emit('entry', entry);
  }
}
