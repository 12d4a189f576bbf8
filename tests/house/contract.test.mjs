// SPDX-License-Identifier: MIT
// proto/weft.openrpc.json is a valid OpenRPC document whose examples match its schemas, and the validation of the server's
// messages (support/contract.mjs) detects contradictions.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import metaSchema from '@open-rpc/meta-schema';
import Ajv from 'ajv';
import { assertNoContradictions, compileAll, Contract, eventFault, resultFault } from '../support/contract.mjs';

const document = JSON.parse(await readFile(new URL('../../proto/weft.openrpc.json', import.meta.url), 'utf8'));

test('every schema of the document can be compiled', () => assert.ok(compileAll() > document.methods.length + document['x-events'].length));

test('every example of a result is one', () => {
  const wrong = document.methods.flatMap(({ name, examples }) => examples.map(({ result }) => resultFault(name, result.value))).filter(Boolean);
  assert.deepEqual(wrong, []);
});

test('every example of params is what its method takes', () => {
  const ajv = new Ajv({ strict: false });
  ajv.addSchema({ $id: 'weft', components: document.components });
  for (const { name, params, examples } of document.methods) {
    for (const { params: given } of examples) {
      for (const { name: param, value } of given) {
        const schema = JSON.parse(JSON.stringify(params.find((one) => one.name === param).schema).replaceAll('"#/components', '"weft#/components'));
        assert.ok(ajv.validate(schema, value), `${name}: ${param} ${ajv.errorsText()}`);
      }
      for (const { name: param } of params.filter(({ required }) => required)) assert.ok(given.some((one) => one.name === param), `${name}: ${param} is required`);
    }
  }
});

test('the document is OpenRPC', () => {
  const ajv = new Ajv({ strict: false });
  // Other tests compile the schemas; here any object is a schema.
  const definitions = { JSONSchemaObject: { properties: { $ref: { type: 'string' } } } };
  for (const $id of ['https://meta.json-schema.tools', 'https://meta.json-schema.tools/']) ajv.addSchema({ $id, type: ['object', 'boolean'], definitions });
  const { $schema: _, ...openrpc } = metaSchema.default ?? metaSchema;
  assert.ok(ajv.validate(openrpc, document), ajv.errorsText());
});

test('every method has tags, errors with their codes and data, and an example', () => {
  const { errors, tags } = document.components;
  for (const { name, tags: own, errors: ends, examples } of document.methods) {
    for (const { $ref } of own) assert.ok(tags[$ref.split('/').at(-1)], `${name}: ${$ref}`);
    for (const { $ref } of ends) assert.ok(Number.isInteger(errors[$ref.split('/').at(-1)].code), `${name}: ${$ref}`);
    assert.ok(own.length > 0 && ends.length > 0 && examples.length > 0, name);
  }
});

test('every method says where it belongs, and what a client may expect of it', () => {
  for (const method of document.methods) {
    assert.ok(['engine', 'host'].includes(method['x-part']), `${method.name}: x-part`);
    for (const fact of ['x-batch', 'x-atTick', 'x-afterStored', 'x-clock', 'x-connection']) assert.equal(typeof method[fact], 'boolean', `${method.name}: ${fact}`);
    if (method['x-kind'] === 'session') assert.ok(method['x-afterStored'], `${method.name}: its reply must not overtake those that wait for the store`);
    assert.equal(method.params.some(({ name }) => name === 'atTick'), method['x-atTick'], `${method.name}: atTick`);
    if (method['x-atTick']) assert.deepEqual([method['x-kind'], method['x-part']], ['change', 'engine'], method.name);
  }
});

test('every result and every event says what is always there', () => {
  const check = (schema, place) => {
    if (schema.properties) assert.ok(Array.isArray(schema.required), `${place} has no required`);
    for (const [name, one] of Object.entries(schema.properties ?? {})) check(one, `${place}.${name}`);
    for (const one of schema.oneOf ?? []) check(one, place);
    if (schema.items) check(schema.items, `${place}[]`);
  };
  for (const { name, result } of document.methods) check(result.schema, name);
  for (const { name, params } of document['x-events']) check(params, name);
});

const ID = 7;
// Wrong messages of a server, and the path in the validation error.
const FALSE_REPLIES = [
  ['world.freeze', {}, { result: { frozen: false } }, /world\.freeze: result\/frozen /],
  ['world.freeze', {}, { result: {} }, /required property 'frozen'/],
  ['world.pause', {}, { result: { tick: 1, more: true } }, /world\.pause: result .*additional properties \(more\)/],
  ['object.list', {}, { result: { tick: 1, objects: [{}], obstacles: [], sticks: [] } }, /object\.list: result\/objects\/0 /],
  ['people.list', {}, { result: { clients: 1, people: [{ client: 1, name: 'a', color: 'red', role: 'admin', grabs: [], selection: { objects: [], particles: [] } }] } }, /people\/0\/color/],
  ['batch.run', { commands: [{ method: 'world.pause' }] }, { result: { tick: 1, results: [{ tick: '1' }] } }, /world\.pause: result\/tick/],
  ['batch.run', { commands: [{ method: 'world.pause' }] }, { result: { tick: 1, results: [] } }, /0 elements for 1 commands/],
  ['rpc.discover', {}, { error: { code: -32006, message: 'Frozen.', data: { pointer: '' } } }, /rpc\.discover: error\/code is -32006/],
  ['world.pause', {}, { error: { code: -32099, message: 'No such code.', data: { pointer: '' } } }, /error\/code is -32099/],
  ['world.pause', {}, { error: { code: -32000, message: 'Busy.', data: { pointer: '' } } }, /retryAfterMs/],
  ['world.pause', {}, { error: { code: -32602, message: 'Wrong.' } }, /error\/?.*data/],
];

test('a reply that contradicts the document fails the test, with its path', () => {
  for (const [method, params, answer, why] of FALSE_REPLIES) {
    const contract = new Contract();
    contract.sent(JSON.stringify({ jsonrpc: '2.0', id: ID, method, params }));
    contract.received(JSON.stringify({ jsonrpc: '2.0', id: ID, ...answer }));
    assert.throws(assertNoContradictions, why, method);
  }
  assertNoContradictions();
});

test('so does an event, in an array of replies too', () => {
  const tell = (message) => new Contract().received(JSON.stringify(message));
  tell({ jsonrpc: '2.0', method: 'object.slept', params: { object: 1 } });
  assert.throws(assertNoContradictions, /object\.slept: params .*tick/);
  tell({ jsonrpc: '2.0', method: 'object.sleeps', params: {} });
  assert.throws(assertNoContradictions, /no such event/);
  const contract = new Contract();
  contract.sent(JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'world.pause' }, { jsonrpc: '2.0', id: 2, method: 'world.pause' }]));
  contract.received(JSON.stringify([{ jsonrpc: '2.0', id: 1, result: { tick: 1 } }, { jsonrpc: '2.0', id: 2, result: {} }]));
  assert.throws(assertNoContradictions, /world\.pause: result .*tick/);
});

test('a notification is of one kind only', () => {
  const ajv = new Ajv({ strict: false });
  const isNotification = ajv.compile({ $id: 'weft', components: document.components, $ref: '#/components/schemas/Notification' });
  const client = { client: 1, name: 'Otter', color: '#0091ff', role: 'editor', clients: 1 };
  for (const [method, params] of [
    ['selection.changed', { client: 1, objects: [], particles: [] }],
    ['selection.changed', { client: 1, objects: [1], particles: [[1, 0, 4]] }],
    ['client.joined', client],
    ['client.left', client],
    ['world.changed', { tick: 1, running: true, scene: 'empty', reason: 'thaw', frozen: null }],
  ]) {
    assert.equal(eventFault(method, params), undefined);
    assert.ok(isNotification({ jsonrpc: '2.0', method, params }), `${method}: ${ajv.errorsText(isNotification.errors)}`);
    assert.ok(!isNotification({ jsonrpc: '2.0', method: `${method}.not`, params }));
  }
});
