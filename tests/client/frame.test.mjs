// SPDX-License-Identifier: MIT
// Decoding frames: messages that the test builds, and damaged ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameError } from '../../web/client/errors.js';
import { decodeFrame, RestingPlaces } from '../../web/client/frame.js';
import { decodeTopology, Topology } from '../../web/client/topology.js';
import { gridFrame, message, object, rawFrame, topology } from '../support/messages.mjs';
import { seeded } from '../support/random.mjs';

const STEP = 1 / 4096;

function randomPositions(random, count, extent) {
  return Array.from({ length: 3 * count }, () => (random.real() - 0.5) * extent);
}

test('a raw frame decodes to the very floats', () => {
  const positions = [1.5, -2.25, 3.1, 0, -0, 1e-20];
  const frame = decodeFrame(rawFrame({ epoch: 7, tick: 2 ** 40 + 3 }, positions));
  assert.deepEqual(frame.positions, Float32Array.from(positions));
  assert.equal(frame.tick, 2 ** 40 + 3);
  assert.deepEqual([frame.epoch, frame.count, frame.keyframe, frame.refresh, frame.ranges], [7, 2, true, false, null]);
});

test('a grid frame decodes to the nearest points of the grid, whatever the sizes of objects and values', () => {
  const random = seeded();
  for (const extent of [0, 1e-3, 1, 300, 190000]) {
    const parts = [1, 127, 128, 129, 300];
    const positions = randomPositions(random, 685, extent);
    const frame = decodeFrame(gridFrame({}, positions, parts));
    positions.forEach((x, i) => {
      const expected = Math.fround(Math.floor(x / STEP + 0.5) * STEP);
      assert.equal(frame.positions[i], expected, `seed ${random.seed}, extent ${extent}, value ${i}`);
    });
  }
});

test('values of 32 bits decode', () => {
  const positions = [-100000, 0, 0, 100000, 0, 0];
  const frame = decodeFrame(gridFrame({ step: 1 / 16384 }, positions));
  assert.deepEqual([...frame.positions], positions);
});

test('a frame that does not begin on a word of its buffer decodes', () => {
  const whole = rawFrame({}, [1, 2, 3]);
  const shifted = new Uint8Array(whole.length + 1);
  shifted.set(whole, 1);
  assert.deepEqual([...decodeFrame(shifted.subarray(1)).positions], [1, 2, 3]);
});

test('ranges come with the frame', () => {
  const payload = new Uint32Array([2, 10, 1, 20, 1, 0, 0, 0, 0, 0, 0]);
  const frame = decodeFrame(message({ type: 1, flags: 1, first: 10, count: 2 }, new Uint8Array(payload.buffer)));
  assert.deepEqual(frame.ranges, [{ first: 10, count: 1 }, { first: 20, count: 1 }]);
  assert.equal(frame.positions.length, 6);
});

test('an empty world has an empty frame', () => {
  assert.equal(decodeFrame(rawFrame({}, [])).positions.length, 0);
  assert.equal(decodeFrame(gridFrame({}, [], [])).positions.length, 0);
});

for (const [what, bytes] of Object.entries({
  'no header': new Uint8Array(28),
  'an odd length': new Uint8Array(33),
  'another type': message({ type: 9 }, new Uint8Array(0)),
  'an unknown coding': message({ type: 1, coding: 2 }, new Uint8Array(0)),
  'an unknown flag': message({ type: 1, flags: 8 }, new Uint8Array(0)),
  'a tick past 2^53': message({ type: 1, tick: 2n ** 53n }, new Uint8Array(0)),
  'fewer particles than told': message({ type: 1, count: 2 }, new Uint8Array(12)),
  'more particles than told': message({ type: 1, count: 1 }, new Uint8Array(24)),
  'four thousand million particles': message({ type: 1, coding: 1, count: 0xffffffff, step: STEP }, new Uint8Array(16)),
  'a block cut off in its head': message({ type: 1, coding: 1, count: 1, step: STEP }, new Uint8Array(12)),
  'a block cut off in a plane': gridFrame({}, [1, 2, 3, 4, 5, 6]).slice(0, -4),
  'a word behind the last block': Uint8Array.from([...gridFrame({}, [1, 2, 3]), 0, 0, 0, 0]),
  'no step': gridFrame({}, [1, 2, 3]).fill(0, 24, 28),
  'a step that is not a number': gridFrame({}, [1, 2, 3]).fill(0xff, 24, 28),
  'values of 33 bits': gridFrame({}, [1, 2, 3]).fill(33, 44, 45),
  'blocks of 129': message({ type: 1, coding: 1, count: 129, step: STEP }, Uint8Array.from([...new Array(15).fill(0), 128])),
  'ranges that do not fit': message({ type: 1, flags: 1 }, Uint8Array.from([0xff, 0xff, 0xff, 0xff])),
  'ranges that do not add up': message({ type: 1, flags: 1, count: 1 }, new Uint8Array(new Uint32Array([1, 0, 2, 0, 0, 0]).buffer)),
})) {
  test(`a frame with ${what} is refused`, () => {
    assert.throws(() => decodeFrame(bytes), FrameError);
  });
}

test('no damage to a message makes the decoder do anything but decode or refuse', () => {
  const random = seeded();
  const sound = [
    rawFrame({}, randomPositions(random, 20, 10)),
    gridFrame({}, randomPositions(random, 300, 10), [130, 170]),
    topology({ count: 13 }, { objects: [object(1, 'cloth', 9, { columns: 3, rows: 3, mesh: 'grid' }), object(2, 'body', 4)] }),
  ];
  for (let round = 0; round < 20000; round++) {
    let bytes = sound[random.integer(sound.length)].slice();
    for (let hits = 1 + random.integer(4); hits > 0; hits--) bytes[random.integer(bytes.length)] = random.integer(256);
    if (random.integer(4) === 0) bytes = bytes.subarray(0, random.integer(bytes.length + 1));
    for (const decode of [decodeFrame, (damaged) => Topology.apply(null, decodeTopology(damaged))]) {
      try {
        decode(bytes);
      } catch (error) {
        assert.ok(error instanceof FrameError, `seed ${random.seed}, round ${round}: ${error.stack}`);
      }
    }
  }
});

test('65,536 particles decode in well under 6 ms', () => {
  const random = seeded();
  const bytes = gridFrame({}, randomPositions(random, 65536, 4));
  const buffer = new ArrayBuffer(65536 * 12);
  const times = Array.from({ length: 60 }, () => {
    const start = performance.now();
    decodeFrame(bytes, () => buffer);
    return performance.now() - start;
  });
  const median = times.sort((a, b) => a - b)[30];
  assert.ok(median < 6, `median ${median.toFixed(2)} ms`);
});

/** A frame in the raw encoding with ranges. */
function rangesFrame(flags, ranges, positions) {
  const words = [ranges.length, ...ranges.flat()];
  const payload = new Uint8Array(4 * words.length + 4 * positions.length);
  payload.set(new Uint8Array(Uint32Array.from(words).buffer));
  payload.set(new Uint8Array(Float32Array.from(positions).buffer), 4 * words.length);
  return decodeFrame(message({ type: 1, flags: 4 | 1 | flags, first: ranges[0]?.[0] ?? 0, count: positions.length / 3 }, payload));
}

test('a frame that leaves out what sleeps is made whole from where that came to rest', () => {
  const places = new RestingPlaces(4);
  const allocate = (byteLength) => new ArrayBuffer(byteLength);
  places.keep(rangesFrame(16, [[1, 2]], [1, 2, 3, 4, 5, 6]));
  const frame = places.complete(rangesFrame(8, [[0, 1], [3, 1]], [10, 11, 12, 13, 14, 15]), allocate);
  assert.deepEqual([...frame.positions], [10, 11, 12, 1, 2, 3, 4, 5, 6, 13, 14, 15]);
  assert.deepEqual([frame.count, frame.ranges, frame.partial], [4, null, false]);
  places.keep(rangesFrame(16, [[2, 1]], [7, 8, 9]));
  const next = places.complete(rangesFrame(8, [], []), allocate);
  assert.deepEqual([...next.positions], [0, 0, 0, 1, 2, 3, 7, 8, 9, 0, 0, 0], 'a whole frame does not move what rests');
  assert.throws(() => places.keep(rangesFrame(16, [[3, 2]], [1, 2, 3, 4, 5, 6])), FrameError);
  assert.throws(() => decodeFrame(message({ type: 1, flags: 4 | 8, count: 0 }, new Uint8Array(0))), FrameError);
});
