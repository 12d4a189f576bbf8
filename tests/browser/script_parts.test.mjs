// SPDX-License-Identifier: MIT
// The console's language, its completion and help, and literals of other languages: without a browser.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { complete, explain } from '../../web/viewer/script/complete.js';
import { LanguageFault, Name, parse, placeOf, resolve } from '../../web/viewer/script/language.js';
import { toJson, toPython, toShell } from '../../web/viewer/script/literal.js';
import { Schema } from '../../web/viewer/script/schema.js';
import { FORMS } from '../../web/viewer/script/writers.js';
import { seeded } from '../support/random.mjs';
import { ROOT, run } from '../support/weftd.mjs';

const schema = new Schema(JSON.parse(await readFile(join(ROOT, 'proto/weft.openrpc.json'), 'utf8')));
const WORLD = { names: ['sheet'], objects: [{ id: 4, kind: 'cloth', name: 'sail' }] };
const calls = (text, names) => parse(text, names).map(({ method, params }) => ({ method, params }));
const proposed = (text) => complete(schema, text, WORLD).proposals.map(({ insert }) => insert);

test('a command is read as weftctl takes it, as JSON5 and as a request', () => {
  const wanted = [{ method: 'cloth.spawn', params: { columns: 20, rows: 4, position: [0, 3.5, -1e-3], pin: 'none', color: '#ff8800' } }];
  assert.deepEqual(calls('cloth.spawn columns=20 rows=4 position=0,3.5,-1e-3 pin=none color=#ff8800'), wanted);
  assert.deepEqual(calls("cloth.spawn {columns: 20, 'rows': 4, \"position\": [0, 3.5, -1e-3,], pin: 'none', color: '#ff8800',}"), wanted);
  assert.deepEqual(calls(JSON.stringify({ jsonrpc: '2.0', id: 3, ...wanted[0] })), wanted);
  assert.deepEqual(calls('world.set wind.velocity=1,2,3 wind.gust=0.5'), [{ method: 'world.set', params: { wind: { velocity: [1, 2, 3], gust: 0.5 } } }]);
  assert.deepEqual(calls('world.get # a comment\n// another\nworld.pause; world.resume'), ['world.get', 'world.pause', 'world.resume'].map((method) => ({ method, params: {} })));
  assert.deepEqual(calls('object.set {\n object: 1, # which\n name: "a \\"b\\"\\u00e9"\n}'), [{ method: 'object.set', params: { object: 1, name: 'a "b"é' } }]);
});

test('names stand for what was made, and waiting is counted in ticks', () => {
  const [made, pinned, waiting] = parse('a = rope.spawn from=0,1,0 to=1,1,0\nstick.add {a: {object: a, particle: 0}, b: {object: old, particle: 1}}; wait 60 ticks', ['old']);
  assert.equal(made.as, 'a');
  assert.ok(pinned.params.a.object instanceof Name);
  assert.deepEqual(resolve(pinned.params, new Map([['a', 7], ['old', 3]])), { a: { object: 7, particle: 0 }, b: { object: 3, particle: 1 } });
  assert.deepEqual({ kind: waiting.kind, ticks: waiting.ticks }, { kind: 'wait', ticks: 60 });
  assert.equal(parse('object.set object=1 name=never')[0].params.name, 'never', 'a bare word is a string');
});

test('what is wrong is said with its place', () => {
  for (const [text, words, marked, unfinished] of [
    ['cloth.spawn {columns: 2,, rows: 3}', /a member is missing/, ',', false],
    ['cloth.spawn {columns: 2', /a comma or } is missing/, '', true],
    ['cloth.spawn columns', /columns has no value/, 'columns', false],
    ['cloth.spawn columns=2 columns=3', /columns is given twice/, 'columns', false],
    ['body.spawn {size: 1, size: 2}', /size is given twice/, 'size', false],
    ['object.set name="x', /unterminated string/, '"x', false],
    ['world.get world.set', /has no value/, 'world.set', false],
    ['wait 0', /from 1 to 1,000,000/, '0', false],
    ['{"params": {}}', /needs a method/, '{"params": {}}', false],
    ['{"method": "world.get", "parms": {}}', /not parms/, '"parms"', false],
    ['a-b = body.spawn', /letters and digits/, 'a-b', false],
    [`world.set ${'['.repeat(20)}`, /has no value|one command per line/, '[', false],
    [`world.set x=${'['.repeat(20)}`, /nested deeper than 16/, '[', false],
  ]) {
    assert.throws(() => parse(text), (fault) => {
      assert.ok(fault instanceof LanguageFault, text);
      assert.match(fault.message, words, text);
      assert.equal(text.slice(fault.from, fault.to), marked, text);
      assert.equal(fault.unfinished, unfinished, text);
      return true;
    });
  }
});

test('an error of the server is found in the text by its pointer', () => {
  const at = (text, data) => {
    const [statement] = parse(text);
    const { from, to } = placeOf(statement, data);
    return text.slice(from, to);
  };
  const text = 'cloth.spawn columns=4 spacng=0.1 position=0,1,2';
  assert.equal(at(text, { pointer: '/spacng', suggestion: 'spacing' }), 'spacng');
  assert.equal(at(text, { pointer: '/position/1' }), '1');
  assert.equal(at(text, { pointer: '/position' }), '0,1,2');
  assert.equal(at(text, { pointer: '/rows' }), 'cloth.spawn', 'what is missing has no place of its own');
  assert.equal(at('{"method": "world.set", "params": {"wind": {"gust": 9}}}', { pointer: '/wind/gust' }), '9');
  assert.equal(at('batch.run {commands: [{method: "body.spawn", params: {sze: 1}}]}', { pointer: '/commands/0/params/sze', suggestion: 'size' }), 'sze');
});

test('methods, params, values and things are proposed where they can stand', () => {
  assert.equal(proposed('clo')[0], 'cloth.spawn ');
  assert.equal(proposed('a = rop')[0], 'rope.spawn ');
  assert.deepEqual(proposed('cloth.spawn ').slice(0, 2), ['columns=', 'rows='], 'what is required comes first');
  assert.equal(proposed('cloth.spawn {columns: 2, ')[0], 'rows: ', 'what is given is not proposed');
  assert.deepEqual(proposed('cloth.spawn mesh='), ['"grid"', '"hex"']);
  assert.deepEqual(proposed('cloth.spawn {mesh: "h'), ['"hex"']);
  assert.deepEqual(proposed('cloth.spawn shear='), ['true', 'false']);
  assert.deepEqual(proposed('world.set {wind: {'), ['velocity: ', 'gust: ']);
  assert.deepEqual(proposed('stick.add {a: {object: '), ['sheet', '4']);
  assert.deepEqual(proposed('particle.pin object='), ['sheet', '4']);
  assert.deepEqual(proposed('cloth.spwn '), []);
});

test('help tells type, unit, range, default and meaning of what is written', () => {
  const help = (text) => explain(schema, complete(schema, text, WORLD).context).param?.text;
  assert.equal(help('cloth.spawn spacing='), 'number in m, 0.0001 … 1000. Distance between neighbouring particles. Default 0.05.');
  assert.match(help('cloth.spawn position=0,'), /^number in m, −100,000 … 100,000/);
  assert.match(help('world.set {wind: {gust: '), /^number, 0 … 1\./);
  assert.equal(schema.check('cloth.spawn', { columns: 4, rows: 4, spacng: 1 }).message, 'cloth.spawn has no spacng');
  assert.match(schema.check('cloth.spawn', { columns: 1, rows: 4 }).message, /columns is integer, 2 … 4096/);
  assert.match(schema.check('cloth.spawn', { columns: 4 }).message, /needs rows/);
  assert.equal(schema.check('cloth.spawn', { columns: 4, rows: 4, mesh: 'hex', pin: [1] }), null);
});

// A value as an attacker could send it.
function randomValue(random, depth = 0) {
  const texts = ['', 'true', "it's", '"', '\\', '\\n', '\n\t', '$(x) `y` ${z}', '\u2028', 'é縄😀', '\u007f\u0085', '%s', '#'];
  const kind = random.integer(depth > 3 ? 5 : 7);
  if (kind === 0) return texts[random.integer(texts.length)];
  if (kind === 1) return [true, false, null][random.integer(3)];
  if (kind < 5) return [-0, 0.1, 1e-7, 123456789.125, -1e300, 5e-324, random.integer(1e9)][random.integer(7)];
  const length = random.integer(4);
  if (kind === 5) return Array.from({ length }, () => randomValue(random, depth + 1));
  return Object.fromEntries(Array.from({ length }, (_, index) => [`${texts[random.integer(texts.length)]}${index}`, randomValue(random, depth + 1)]));
}

test('values are read by Python and a shell as what they are', async (t) => {
  const random = seeded();
  t.diagnostic(`WEFT_SEED=${random.seed}`);
  const values = Array.from({ length: 300 }, () => randomValue(random));
  const python = await run('/usr/bin/python3', ['-'], { input: `import json\nfor value in [\n${values.map((value) => `${toPython(value)},\n`).join('')}]:\n    print(json.dumps(value))\n` });
  assert.equal(python.stderr, '');
  const read = python.stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(read, values);
  assert.deepEqual(values.map((value) => JSON.parse(toJson(value))), values);
  const words = values.map((value) => toJson(value));
  const shell = await run('sh', ['-s'], { input: words.map((word) => `printf '%s\\n' ${toShell(word)}`).join('\n') });
  assert.equal(shell.stdout, words.map((word) => `${word}\n`).join(''));
});

test('no name or text of a stranger gets out of its quotes in a program', () => {
  const params = { name: '";import os#\n\'`$(touch x)`', text: "END\n'END'" };
  const recording = { url: 'ws://127.0.0.1:8080/worlds/main', commands: [{ tick: 1, method: 'object.set', params, made: [] }, { tick: 2, method: 'object.set', params, made: [] }] };
  for (const { id, write } of FORMS) {
    const text = write(recording);
    const lines = text.split('\n').filter((line) => line.includes('object.set'));
    assert.equal(lines.length, 2, id);
    assert.ok(!text.split('\n').some((line, index, all) => line === 'END' && index < all.length - 2), id);
  }
});
