// SPDX-License-Identifier: MIT
// Refusals of a local world, with the codes and members of a server's.

import { ERRORS } from '../protocol.js';

/** A refusal: `kind` is the name of its code, `pointer` names the member of the request that is to blame. */
export class Refusal extends Error {
  /** @param {keyof typeof ERRORS} kind @param {string} message @param {string} [pointer] @param {object} [data] further members of `data` */
  constructor(kind, message, pointer = '', data = {}) {
    super(message);
    this.kind = kind;
    this.pointer = pointer;
    this.data = data;
  }

  /** The member `error` of a reply. */
  get error() {
    return { code: ERRORS[this.kind], message: this.message, data: { pointer: this.pointer, ...this.data } };
  }
}

/** The names of codes by the results of the engine (EngineError). @type {Record<string, keyof typeof ERRORS>} */
const KINDS = {
  parse: 'PARSE', request: 'REQUEST', method: 'METHOD', invalid: 'INVALID', busy: 'BUSY', denied: 'DENIED', notFound: 'NOT_FOUND', limit: 'LIMIT', state: 'STATE',
};

/** An error of the engine as a refusal. @param {Error & {result?: string, pointer?: string}} error @param {string} [pointer] in place of its own */
export function refusalOf(error, pointer) {
  if (error instanceof Refusal) return error;
  return new Refusal(KINDS[error.result ?? ''] ?? 'INTERNAL', error.message, pointer ?? error.pointer ?? '');
}
