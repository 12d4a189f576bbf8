// SPDX-License-Identifier: MIT
// Malformed messages: each gets its error and changes nothing, and its sender stays connected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../support/random.mjs';
import { laboratory, RawSocket, Weftd } from '../support/weftd.mjs';

const PARSE = -32700;
const REQUEST = -32600;
const METHOD = -32601;
const INVALID = -32602;
const NOT_FOUND = -32002;
const LIMIT = -32003;

const call = (method, params) => `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`;
const spawn = (params) => call('cloth.spawn', params);
const nested = (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

// The message, the expected error code, and the expected id (null if none can be parsed) and pointer.
const TABLE = [
  ['bad JSON', '{"jsonrpc":"2.0","id":7,"method":', PARSE, null],
  ['an empty message', '', PARSE, null],
  ['words', 'hello, world', PARSE, null],
  ['trailing bytes', `${call('world.get', '{}')} x`, PARSE, null],
  ['two values', '{} {}', PARSE, null],
  ['a trailing comma', '{"jsonrpc":"2.0","id":7,"method":"world.get",}', PARSE, null],
  ['single quotes', "{'jsonrpc':'2.0'}", PARSE, null],
  ['a comment', '{"jsonrpc":"2.0" /* no */,"id":7,"method":"world.get"}', PARSE, null],
  ['NaN', spawn('{"columns":NaN,"rows":3}'), PARSE, null],
  ['1e999', spawn('{"columns":3,"rows":3,"spacing":1e999}'), PARSE, null],
  ['-1e999', spawn('{"columns":3,"rows":3,"position":[0,-1e999,0]}'), PARSE, null],
  ['a leading zero', spawn('{"columns":03,"rows":3}'), PARSE, null],
  ['a duplicate key', spawn('{"columns":3,"rows":3,"rows":4}'), PARSE, null],
  ['a duplicate key in disguise', spawn('{"columns":3,"rows":3,"row\\u0073":4}'), PARSE, null],
  ['a duplicate id', '{"jsonrpc":"2.0","id":7,"id":8,"method":"world.get"}', PARSE, null],
  ['depth 17', nested(17), PARSE, null],
  ['depth 100,000', nested(100000), PARSE, null],
  ['a raw control character', '{"jsonrpc":"2.0","id":7,"method":"world.get\n"}', PARSE, null],
  ['half a surrogate pair', spawn('{"columns":3,"rows":3,"name":"\\ud800"}'), PARSE, null],
  ['an empty array', '[]', REQUEST, null],
  ['a number', '42', REQUEST, null],
  ['null', 'null', REQUEST, null],
  ['depth 16 of arrays', nested(16), REQUEST, null],
  ['an empty object', '{}', REQUEST, null],
  ['another version', '{"jsonrpc":"1.0","id":7,"method":"world.get"}', REQUEST, 7],
  ['no version', '{"id":7,"method":"world.get"}', REQUEST, 7],
  ['no method', '{"jsonrpc":"2.0","id":7}', REQUEST, 7],
  ['a method that is a number', '{"jsonrpc":"2.0","id":7,"method":1}', REQUEST, 7],
  ['an unknown member of the request', '{"jsonrpc":"2.0","id":7,"method":"world.get","parms":{}}', REQUEST, 7],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"world.get"}', REQUEST, null],
  ['an id that is a list', '{"jsonrpc":"2.0","id":[1],"method":"world.get"}', REQUEST, null],
  ['an id that is true', '{"jsonrpc":"2.0","id":true,"method":"world.get"}', REQUEST, null],
  ['an unknown method', call('world.destroy', '{}'), METHOD, 7],
  ['an empty method', call('', '{}'), METHOD, 7],
  ['params in a list', call('world.get', '[]'), INVALID, 7],
  ['params that are text', call('world.get', '"all"'), INVALID, 7],
  ['a wrong type', spawn('{"columns":"ten","rows":3}'), INVALID, 7, '/columns'],
  ['a number that is not whole', spawn('{"columns":2.5,"rows":3}'), INVALID, 7, '/columns'],
  ['true for a number', spawn('{"columns":true,"rows":3}'), INVALID, 7, '/columns'],
  ['null for a member', spawn('{"columns":3,"rows":null}'), INVALID, 7, '/rows'],
  ['a missing member', spawn('{"columns":3}'), INVALID, 7, '/rows'],
  ['an unknown member', spawn('{"columns":3,"rows":3,"colour":"#ffffff"}'), INVALID, 7, '/colour'],
  ['out of range', spawn('{"columns":3,"rows":5000}'), INVALID, 7, '/rows'],
  ['below the range', spawn('{"columns":-3,"rows":3}'), INVALID, 7, '/columns'],
  ['a length of zero', spawn('{"columns":3,"rows":3,"spacing":0}'), INVALID, 7, '/spacing'],
  ['a length that vanishes in float32', spawn('{"columns":3,"rows":3,"spacing":1e-60}'), INVALID, 7, '/spacing'],
  ['a vector of two', spawn('{"columns":3,"rows":3,"position":[0,0]}'), INVALID, 7, '/position'],
  ['a vector with a word in it', spawn('{"columns":3,"rows":3,"position":[0,"up",0]}'), INVALID, 7, '/position/1'],
  ['a position too far off', spawn('{"columns":3,"rows":3,"position":[0,200000,0]}'), INVALID, 7, '/position/1'],
  ['a rotation of zero', spawn('{"columns":3,"rows":3,"rotation":[0,0,0,0]}'), INVALID, 7, '/rotation'],
  ['no such choice', spawn('{"columns":3,"rows":3,"mesh":"knit"}'), INVALID, 7, '/mesh'],
  ['a color that is none', spawn('{"columns":3,"rows":3,"color":"red"}'), INVALID, 7, '/color'],
  ['two members that exclude each other', spawn('{"columns":3,"rows":3,"mass":1,"arealDensity":1}'), INVALID, 7],
  ['a pin beyond the cloth', spawn('{"columns":3,"rows":3,"pin":[9]}'), NOT_FOUND, 7, '/pin/0'],
  ['a flat tetrahedron', call('body.spawn', '{"vertices":[0,0,0, 1,0,0, 0,1,0, 1,1,0]}'), INVALID, 7],
  ['a rope of no length', call('rope.spawn', '{"from":[0,0,0],"to":[0,0,0]}'), INVALID, 7],
  ['positions that are no triples', call('particles.spawn', '{"positions":[1,2,3,4]}'), INVALID, 7],
  ['a triangle without its particle', call('mesh.spawn', '{"positions":[0,0,0,1,0,0,0,1,0],"triangles":[0,1,3]}'), INVALID, 7],
  ['bounds inside out', call('world.set', '{"bounds":{"min":[1,1,1],"max":[-1,-1,-1]}}'), INVALID, 7],
  ['"$k" outside of a batch', call('object.remove', '{"object":"$0"}'), INVALID, 7],
  ['a wrong id', call('object.remove', '{"object":4000000000}'), NOT_FOUND, 7],
  ['an id that is too large to be one', call('object.remove', '{"object":4294967296}'), INVALID, 7, '/object'],
  ['a wrong particle', call('particle.pin', '{"object":1,"particles":[100]}'), NOT_FOUND, 7],
];

async function standing(t) {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--paused']);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  await raw.ask(1, 'cloth.spawn', { columns: 5, rows: 5 });
  await raw.ask(2, 'world.step', { ticks: 10 });
  const hash = async () => (await raw.ask(3, 'world.get')).result.stateHash;
  return { server, raw, hash };
}

test('each malformed message gets its error, changes nothing, and leaves its sender connected', async (t) => {
  const { raw, hash } = await standing(t);
  const before = await hash();
  for (const [what, text, code, id, pointer] of TABLE) {
    await t.test(what, async () => {
      raw.send(text);
      const [answer] = [await raw.next()].flat(); // an array of requests is answered by an array
      assert.ok(answer, 'an answer');
      assert.equal(answer.error?.code, code, JSON.stringify(answer));
      assert.equal(answer.id, id);
      assert.ok(answer.error.message.length > 5);
      if (pointer !== undefined) assert.equal(answer.error.data?.pointer, pointer);
      assert.equal(await hash(), before);
    });
  }
});

test('binary garbage changes nothing and does not end the connection', async (t) => {
  const { raw, hash } = await standing(t);
  const before = await hash();
  const random = seeded();
  for (let i = 0; i < 20; i++) {
    raw.send(Buffer.from(Array.from({ length: random.integer(3000) }, () => random.integer(256))), { binary: true });
  }
  assert.equal(await hash(), before, `seed ${random.seed}`);
});

test('bad UTF-8 is no JSON', async (t) => {
  const { raw, hash } = await standing(t);
  const before = await hash();
  raw.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false });
  assert.equal((await raw.next()).error.code, PARSE);
  assert.equal(await hash(), before);
});

test('a message over the limit is refused with the limit', async (t) => {
  const { server, hash } = await standing(t);
  const before = await hash();
  const raw = await RawSocket.open(t, server.url('lab'));
  const { messageBytes } = (await raw.next()).params.limits;
  raw.send('x'.repeat(messageBytes + 1));
  const { error } = await raw.next();
  assert.equal(error.code, LIMIT);
  assert.ok(error.message.includes(String(messageBytes)), error.message);
  assert.equal(await hash(), before);
  raw.send(' '.repeat(messageBytes));
  assert.equal((await raw.next()).error.code, PARSE, 'one that just fits is read');
});

test('random damage to a request is refused or taken, and never more than that', async (t) => {
  const { raw } = await standing(t);
  const random = seeded();
  const sound = Buffer.from(spawn('{"columns":3,"rows":3,"position":[0.5,1e1,-2],"pin":[0,1],"name":"a\\u00e9b","shear":false}'));
  for (let i = 0; i < 2000; i++) {
    const text = Buffer.from(sound);
    for (let hits = 1 + random.integer(3); hits > 0; hits--) text[random.integer(text.length)] = 32 + random.integer(95);
    raw.send(text, { binary: false });
  }
  const { result } = await raw.ask('after', 'world.get');
  assert.match(result.stateHash, /^[0-9a-f]{16}$/, `seed ${random.seed}`);
});

test('names with control, invisible or direction-changing characters are refused, others in any script are not', async (t) => {
  const { call } = await laboratory(t);
  const spawn = (name) => call('body.spawn', { position: [0, 5, 0], name });
  const hidden = [0x07, 0x7f, 0x85, 0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2060, 0x2063, 0x2066, 0x2069, 0x3164, 0xfeff, 0xfff9, 0xe0001, 0xe0041];
  for (const code of hidden) {
    const name = `a${String.fromCodePoint(code)}b`;
    const refused = (error) => error.code === -32602 && error.data.pointer === '/name' && /invisible or direction-changing/.test(error.message);
    await assert.rejects(spawn(name), refused, `U+${code.toString(16)} in an object's name`);
    await assert.rejects(call('client.introduce', { name }), refused, `U+${code.toString(16)} in a person's name`);
  }
  for (const name of ['Fähnchen', 'עברית', 'العربية', '布 7', 'ткань', '🧵', 'a b']) await spawn(name);
});
