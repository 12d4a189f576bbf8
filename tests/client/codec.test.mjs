// SPDX-License-Identifier: MIT
// The two decoders of coding 2 (in WebAssembly and in JavaScript) decode the golden streams of proto/vectors/streams, and
// reject damaged ones.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FrameStream } from '../../web/client/codec.js';
import { DEFAULTS, STARTS } from '../../web/client/codec_tables.js';
import { FrameError } from '../../web/client/errors.js';
import { unpackFrame } from '../../web/client/frame.js';
import { seeded } from '../support/random.mjs';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('proto/vectors/streams/', ROOT);
const ENGINES = ['wasm', 'javascript'];
const allocate = (byteLength) => new ArrayBuffer(byteLength);

const names = readdirSync(FOLDER).filter((file) => file.endsWith('.bin')).map((file) => file.slice(0, -4));

function messagesOf(name) {
  const bytes = readFileSync(new URL(`${name}.bin`, FOLDER));
  const messages = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    messages.push(Uint8Array.from(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return messages;
}

/** The objects of a stream, with further objects to fill gaps between their slots. */
function topologyOf({ objects }) {
  const all = [];
  let end = 0;
  for (const object of objects) {
    if (object.first > end) all.push({ kind: 'particles', first: end, particles: object.first - end, triangles: [] });
    all.push({ triangles: [], ...object });
    end = object.first + object.particles;
  }
  return { objects: all, particles: end };
}

const described = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
const bits = (values) => [...new Uint32Array(Float32Array.from(values).buffer)];

for (const name of names) {
  const expected = described(name);
  for (const engine of ENGINES) {
    test(`stream ${name} decodes in ${engine}: ${expected.what}`, () => {
      const stream = new FrameStream(topologyOf(expected), engine);
      messagesOf(name).forEach((message, i) => {
        const { rest, grid, tick, baselines } = expected.messages[i];
        const packed = unpackFrame(message);
        assert.deepEqual([packed.header.tick, packed.keyframe], [tick, baselines === 0]);
        const frame = stream.decode(packed, allocate);
        if (rest) return assert.equal(frame, null);
        const step = Math.fround(expected.step);
        assert.deepEqual(bits(frame.positions), bits(grid.map((q) => q * step)));
        assert.deepEqual(frame.ranges, expected.chosen ? expected.objects.map(({ first, particles }) => ({ first, count: particles })) : null);
      });
    });
  }
}

for (const engine of ENGINES) {
  test(`a frame whose baselines are not here is no frame, and the stream goes on with the next keyframe (${engine})`, () => {
    const expected = described('lattice');
    const messages = messagesOf('lattice');
    const stream = new FrameStream(topologyOf(expected), engine);
    const decode = (i) => stream.decode(unpackFrame(messages[i]), allocate);
    assert.equal(decode(3), null);
    for (const i of [0, 1, 2, 3]) assert.ok(decode(i), `frame ${i}`);
    assert.equal(decode(5), null, 'frame 4 is missing');
    assert.ok(decode(4));
    assert.ok(decode(4), 'a refresh takes the place of its frame');
    assert.ok(decode(5));
  });

  test(`a stream refuses what does not fit it (${engine})`, () => {
    const expected = described('kinds');
    const [first] = messagesOf('kinds');
    const change = (at, byte) => unpackFrame(Uint8Array.from(first, (value, i) => (i === at ? byte : value)));
    const open = () => new FrameStream(topologyOf(expected), engine);
    for (const [what, packed] of Object.entries({
      'a count of its own': change(20, 46),
      'a keyframe with a baseline': change(28, 1),
      'no step': change(26, 0xff),
      'a baseline behind a gap': change(29, 1),
      'a cut-off payload': unpackFrame(first.slice(0, -4)),
      'a word too many': unpackFrame(Uint8Array.from([...first, 0, 0, 0, 0])),
      'no payload': unpackFrame(first.slice(0, 32)),
    })) {
      if (what === 'no step') packed.header.step = 0;
      assert.throws(() => open().decode(packed, allocate), FrameError, what);
    }
    const stream = open();
    stream.decode(unpackFrame(first), allocate);
    assert.throws(() => stream.decode(change(26, 0x81), allocate), FrameError, 'another step');
  });
}

for (const engine of ENGINES) {
  test(`a damaged message of resting particles leaves those of before where they were (${engine})`, () => {
    const messages = messagesOf('resting');
    const rest = messages.findIndex((message) => unpackFrame(message).rest);
    const play = (chosen) => {
      const stream = new FrameStream(topologyOf(described('resting')), engine);
      return chosen.map((message) => {
        try {
          return stream.decode(unpackFrame(message), allocate)?.positions ?? null;
        } catch (error) {
          assert.ok(error instanceof FrameError);
          return 'damaged';
        }
      });
    };
    const without = (list, at) => list.filter((_, i) => i !== at);
    const again = play([...messages.slice(0, rest + 1), messages[rest].subarray(0, -4), ...messages.slice(rest + 1)]);
    assert.equal(again[rest + 1], 'damaged');
    assert.deepEqual(without(again, rest + 1), play(messages));
    const never = play(messages.map((message, i) => (i === rest ? message.subarray(0, -28) : message)));
    assert.equal(never[rest], 'damaged');
    assert.deepEqual(without(never, rest), play(without(messages, rest)));
  });
}

test('no damage makes the decoders crash, hang or differ', () => {
  const random = seeded();
  let decoded = 0;
  for (let round = 0; round < 1500; round++) {
    const name = names[random.integer(names.length)];
    const topology = topologyOf(described(name));
    const messages = messagesOf(name);
    const streams = ENGINES.map((engine) => new FrameStream(topology, engine));
    for (let i = 0; i < 1 + random.integer(messages.length); i++) {
      let bytes = messages[i].slice();
      if (random.integer(2) === 0) {
        for (let hits = 1 + random.integer(3); hits > 0; hits--) bytes[random.integer(bytes.length)] = random.integer(256);
        if (random.integer(4) === 0) bytes = bytes.subarray(0, random.integer(bytes.length / 4 + 1) * 4);
        if (random.integer(16) === 0) bytes = bytes.map((byte, at) => (at < 32 ? byte : random.integer(256)));
      }
      const results = streams.map((stream) => {
        try {
          return stream.decode(unpackFrame(bytes), allocate)?.positions ?? null;
        } catch (error) {
          assert.ok(error instanceof FrameError, `seed ${random.seed}, round ${round}: ${error.stack}`);
          return error.message;
        }
      });
      assert.deepEqual(results[0], results[1], `seed ${random.seed}, round ${round}, ${name} ${i}`);
      decoded += results[0] instanceof Float32Array;
    }
  }
  assert.ok(decoded > 500, `${decoded} decoded`);
});

test('the tables are those of the server', () => {
  const text = readFileSync(new URL('server/proto/frame/codec_tables.h', ROOT), 'utf8');
  const tables = text.split('= {').slice(1).map((table) => [...table.slice(0, table.indexOf('};')).matchAll(/-?\d+/g)].map(Number));
  assert.deepEqual(tables[0], [...STARTS]);
  const axes = DEFAULTS.flatMap((kinds) => kinds.map((weights) => [...weights, ...weights, ...weights, 0, 0, 0, 0, 0]));
  assert.deepEqual(tables[1], axes.flat());
});

test('the WebAssembly module was built from the sources as they are', () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('proto/codec_wasm.mjs', ROOT)), '--check']);
});

for (const engine of ENGINES) {
  test(`a stream decodes in well under a microsecond a particle (${engine})`, (t) => {
    const expected = described('lattice');
    const messages = messagesOf('lattice').map(unpackFrame);
    const stream = new FrameStream(topologyOf(expected), engine);
    for (const packed of messages.slice(0, 5)) stream.decode(packed, allocate);
    const times = Array.from({ length: 400 }, () => {
      const start = performance.now();
      stream.decode(messages[4], allocate); // decoded repeatedly, as a refresh of itself
      return (performance.now() - start) / 120;
    });
    const median = times.sort((a, b) => a - b)[200] * 1e6;
    t.diagnostic(`${engine}: ${median.toFixed(0)} ns a particle of a small frame`);
    assert.ok(median < 3000, `${median.toFixed(0)} ns`);
  });
}
