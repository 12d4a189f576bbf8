// SPDX-License-Identifier: MIT
// Validates the server's messages against proto/weft.openrpc.json. Every WebSocket of the tests is a CheckedSocket, so every
// reply and every event of every system test is validated here, by Ajv.
//
// A client must ignore unknown members; a test must not: here an object may have only the members in its schema. A new member
// has to be added to the document before the server may send it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { WebSocket } from 'ws';

const document = JSON.parse(readFileSync(new URL('../../proto/weft.openrpc.json', import.meta.url), 'utf8'));
const TEXT_MAX = 300; // length of the quotation in an error message, in characters

// Forbids, throughout the schema, members that it does not name.
function close(schema) {
  if (Array.isArray(schema)) return schema.map(close);
  if (schema === null || typeof schema !== 'object') return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, key === 'properties' ? closeEach(one) : close(one)]));
  if (closed.properties && closed.additionalProperties === undefined) closed.additionalProperties = false;
  return closed;
}
const closeEach = (properties) => Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, close(one)]));

const ajv = new Ajv({ strict: false, allErrors: false, verbose: false });
ajv.addSchema({ $id: 'weft', components: close(document.components) });

// Compiling all schemas takes half a second of every test file, most of which see a few kinds of messages: each is compiled when it
// is first needed, and all of them by house/contract.test.mjs.
const schemas = [];
function compile(schema) {
  let compiled = null;
  const check = () => (compiled ??= ajv.compile(rebase(close(schema))));
  schemas.push(check);
  return check;
}

/** Compiles every schema of the document; fails if one is invalid. @returns {number} how many there are */
export const compileAll = () => schemas.map((check) => check()).length;

// Resolves references "#/components/…" against the document, in whichever schema they occur.
function rebase(schema) {
  if (Array.isArray(schema)) return schema.map(rebase);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, key === '$ref' && typeof one === 'string' ? `weft${one}` : rebase(one)]));
}

const errorOf = ({ $ref }) => document.components.errors[$ref.split('/').at(-1)];
const errorsByCode = new Map(Object.values(document.components.errors).map((error) => [error.code, { ...error, check: compile(error.data) }]));
const methods = new Map(
  document.methods.map(({ name, result, errors, params }) => [
    name,
    { check: compile(result.schema), codes: new Set(errors.map((one) => errorOf(one).code)), params },
  ]),
);
const events = new Map(document['x-events'].map(({ name, params }) => [name, compile(params)]));

const whole = (key, schema) => compile({ type: 'object', properties: { jsonrpc: { const: '2.0' }, id: {}, ...schema }, required: ['jsonrpc', 'id', key] });
const isReply = whole('result', { result: {} });
const isErrorReply = whole('error', {
  error: { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string', minLength: 1 }, data: {} }, required: ['code', 'message', 'data'] },
});
const isNotification = compile({ type: 'object', properties: { jsonrpc: { const: '2.0' }, method: { type: 'string' }, params: { type: 'object' } }, required: ['jsonrpc', 'method', 'params'] });

// Describes where and why a value violates the schema; undefined if it is valid.
function fault(check, value, place) {
  const isValid = check();
  if (isValid(value)) return undefined;
  const { instancePath, message, params } = isValid.errors[0];
  const detail = params.additionalProperty ?? params.missingProperty;
  return `${place}${instancePath} ${message}${detail ? ` (${detail})` : ''}`;
}

/** Validators for each method's result and each event's params: return undefined, or the place and reason of a violation. */
export const resultFault = (method, result) => fault(methods.get(method).check, result, `${method}: result`);
export const eventFault = (name, params) => (events.has(name) ? fault(events.get(name), params, `${name}: params`) : `${name}: the document has no such event`);

function errorFault(method, { code, data }) {
  const known = errorsByCode.get(code);
  if (!known) return `${method ?? 'an error'}: error/code is ${code}, which the document does not have`;
  if (method && methods.has(method) && !methods.get(method).codes.has(code)) return `${method}: error/code is ${code}, which is none of its errors in the document`;
  return fault(known.check, data, `${method ?? 'an error'}: error/data`);
}

// The results of a batch are validated as those of its commands.
function batchFault(request, result) {
  const commands = Array.isArray(request?.params?.commands) ? request.params.commands : [];
  if (result.results.length !== commands.length) return `batch.run: result/results has ${result.results.length} elements for ${commands.length} commands`;
  return commands.map(({ method }, at) => (methods.has(method) ? resultFault(method, result.results[at]) : undefined)).find(Boolean);
}

/** The reason why a message cannot be the reply to a request; undefined if it can. */
export function replyFault(request, reply) {
  const method = request?.method;
  if ('error' in reply) return fault(isErrorReply, reply, 'an error') ?? errorFault(method, reply.error);
  const shape = fault(isReply, reply, 'a reply');
  if (shape || !methods.has(method)) return shape;
  return resultFault(method, reply.result) ?? (method === 'batch.run' ? batchFault(request, reply.result) : undefined);
}

// ---- the messages of one connection -------------------------------------------------------------------------------

const contradictions = [];

/** Fails if a server has sent an invalid message since the last call. */
export function assertNoContradictions() {
  const found = contradictions.splice(0);
  assert.deepEqual(found, [], `the server contradicts proto/weft.openrpc.json:\n${found.join('\n')}`);
}

process.on('exit', () => {
  if (contradictions.length === 0) return;
  console.error(`The server contradicts proto/weft.openrpc.json:\n${contradictions.join('\n')}`);
  process.exitCode = 1;
});

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a deliberately invalid message of the test
  }
};

/** Follows one connection: matches replies with requests, and validates them. */
export class Contract {
  #asked = new Map(); // id as JSON → requests

  sent(text) {
    const message = parse(text);
    for (const request of Array.isArray(message) ? message : [message]) {
      if (request === null || typeof request !== 'object' || !('id' in request)) continue;
      const id = JSON.stringify(request.id);
      if (!this.#asked.has(id)) this.#asked.set(id, []);
      this.#asked.get(id).push(request);
    }
  }

  received(text) {
    const message = JSON.parse(text);
    const why = Array.isArray(message) ? message.map((one) => this.#look(one)).find(Boolean) : this.#look(message);
    if (why) contradictions.push(`${why} in ${text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text}`);
  }

  #look(message) {
    if (message !== null && typeof message === 'object' && 'method' in message) {
      return fault(isNotification, message, 'a notification') ?? eventFault(message.method, message.params);
    }
    // Of several requests with one id, a reply belongs to the first that it fits.
    const asked = this.#asked.get(JSON.stringify(message.id)) ?? [];
    if (asked.length === 0) return replyFault(undefined, message);
    const at = asked.findIndex((request) => !replyFault(request, message));
    const why = at < 0 ? replyFault(asked[0], message) : undefined;
    asked.splice(Math.max(at, 0), 1);
    if (asked.length === 0) this.#asked.delete(JSON.stringify(message.id));
    return why;
  }
}

/** A WebSocket that records invalid messages. */
export class CheckedSocket extends WebSocket {
  #contract = new Contract();

  constructor(...args) {
    super(...args);
    this.on('message', (data, isBinary) => {
      if (!isBinary) this.#contract.received(String(data));
    });
  }

  send(data, ...rest) {
    if (typeof data === 'string') this.#contract.sent(data);
    super.send(data, ...rest);
  }
}
