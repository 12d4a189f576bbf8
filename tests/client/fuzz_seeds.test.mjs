// SPDX-License-Identifier: MIT
// The seeds of the fuzzer of lockstep (tests/fuzz/follow_seeds.mjs) are messages that the engine in WebAssembly follows, with
// SIMD and without to the same hashes; and what the fuzzer mutates into them is refused there as anywhere.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { EngineError, loadEngine } from '../../web/client/engine/engine.js';
import { seeded } from '../support/random.mjs';

const FOLDER = new URL('../fuzz/corpus/follow/', import.meta.url);
const ROOM = { particles: 2000, sticks: 8000, objects: 64, obstacles: 64 };
const RECORDS = 4;
const MUTATIONS = Number(process.env.WEFT_MUTATIONS ?? 60); // of each seed; `make fuzz` makes many more
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];

/** The messages of a seed: each after its length. @param {Buffer} bytes */
function split(bytes) {
  const messages = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32LE(at);
    messages.push(new Uint8Array(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return messages;
}

function take(world, message) {
  if (message[0] === RECORDS) {
    world.applyRecord(message);
    world.step(); // the next records are of the next tick
  } else world.follow(message);
}

/**
 * A message with a flipped bit, an extreme number, without its end, with bytes more, or with the end of another one.
 * @param {Uint8Array} message @param {Uint8Array[]} others @param {ReturnType<typeof seeded>} random
 */
function damage(message, others, random) {
  const at = random.integer(Math.max(1, message.length));
  const kind = random.integer(8);
  if (kind < 4 && message.length > 0) {
    message[at] ^= 1 << random.integer(8);
    return message;
  }
  if (kind < 6 && message.length >= 4) {
    new DataView(message.buffer, message.byteOffset).setUint32(Math.min(at, message.length - 4) & ~3, EXTREMES[random.integer(EXTREMES.length)], true);
    return message;
  }
  if (kind === 6) return message.slice(0, at);
  const other = others[random.integer(others.length)];
  return new Uint8Array(Buffer.concat([message.subarray(0, at), other.subarray(random.integer(other.length))]));
}

const names = await readdir(FOLDER);
const engines = [await loadEngine({ simd: true }), await loadEngine({ simd: false })];

for (const name of names) {
  test(`the messages of the seed "${name}" are followed`, async () => {
    const messages = split(await readFile(new URL(name, FOLDER)));
    assert.ok(messages.length > 0);
    const hashes = engines.map((engine) => {
      const world = engine.createWorld({ name, ...ROOM });
      for (const message of messages) take(world, message);
      world.step();
      const { hash } = world;
      world.destroy();
      return hash;
    });
    assert.equal(hashes[0], hashes[1]);
  });
}

test('messages with changed bytes are refused or followed alike, and the world goes on', async (t) => {
  const random = seeded();
  t.diagnostic(`seed ${random.seed}`);
  let refused = 0;
  const worlds = engines.map((engine) => engine.createWorld({ name: 'damaged', ...ROOM }));
  for (const name of names) {
    const messages = split(await readFile(new URL(name, FOLDER)));
    for (let round = 0; round < MUTATIONS; round++) {
      const chosen = random.integer(messages.length);
      const damaged = messages.map((message) => message.slice());
      for (let count = 1 + random.integer(3); count > 0; count--) damaged[chosen] = damage(damaged[chosen], messages, random);
      const outcomes = worlds.map((world) => damaged.map((message) => {
        try {
          take(world, message);
          return 'followed';
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          refused++;
          return error.result;
        }
      }).concat(world.hash));
      assert.deepEqual(outcomes[0], outcomes[1], `${name}, round ${round}`);
    }
  }
  for (const world of worlds) world.step();
  assert.equal(worlds[0].hash, worlds[1].hash);
  assert.ok(refused > 0);
  t.diagnostic(`${names.length * MUTATIONS} damaged sequences, ${refused} messages were refused`);
});
