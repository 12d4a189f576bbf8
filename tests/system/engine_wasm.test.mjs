// SPDX-License-Identifier: MIT
// The engine in WebAssembly gets the same messages as a server: the replies are equal, and at the end the states are equal to
// the bit, with SIMD and without.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadEngine } from '../../web/client/engine/engine.js';
import { laboratory, RawSocket, ROOT } from '../support/weftd.mjs';

const CLIENT = 1;
// In the order of execution; every text is a message as sent.
const messages = (await readFile(join(ROOT, 'tests/library/messages.txt'), 'utf8')).split('\n').filter(Boolean);

/** A paused world, like the server's laboratory. */
async function localWorld(name) {
  const bytes = await readFile(join(ROOT, 'web/client/engine', name));
  const engine = await loadEngine({ bytes });
  const world = engine.createWorld({ name: 'lab' });
  world.join(CLIENT);
  world.submit(CLIENT, '{"jsonrpc":"2.0","method":"world.pause"}');
  world.apply();
  Array.from(world.outputs());
  return world;
}

/** The replies of the world to a message: a world.step runs as many ticks. */
function answer(world, message) {
  const replies = [];
  const take = () => {
    for (const { kind, text } of world.outputs()) if (kind === 'text' && JSON.parse(text).method === undefined) replies.push(JSON.parse(text));
  };
  world.submit(CLIENT, message);
  do {
    world.tick();
    take();
  } while (replies.length === 0);
  return replies[0];
}

async function serverAnswers(t) {
  const { server, hash } = await laboratory(t);
  const socket = await RawSocket.open(t, server.url('lab'));
  const answers = [];
  for (const message of messages) {
    socket.send(message);
    answers.push(await socket.answer(JSON.parse(message).id));
  }
  return { answers, hash: await hash() };
}

test('every reply and the hash are those of a server, in both modules', async (t) => {
  const expected = await serverAnswers(t);
  for (const name of ['weft.wasm', 'weft-simd.wasm']) {
    const world = await localWorld(name);
    for (const [index, message] of messages.entries()) {
      assert.deepEqual(answer(world, message), expected.answers[index], `${name}: ${message}`);
    }
    assert.equal(world.hash, expected.hash, name);
    world.destroy();
  }
});

test('snapshots and records pass from one module to the other', async () => {
  const [plain, simd] = [await localWorld('weft.wasm'), await localWorld('weft-simd.wasm')];
  plain.loadScene('default', await readFile(join(ROOT, 'server/scenes/default.json'), 'utf8'));
  plain.apply();
  Array.from(plain.outputs());
  simd.restore(plain.snapshot());
  plain.submit(CLIENT, '{"jsonrpc":"2.0","method":"world.set","params":{"wind":{"velocity":[2,0,1]}}}');
  for (let tick = 0; tick < 60; tick++) {
    if (tick === 20) plain.submit(CLIENT, '{"jsonrpc":"2.0","id":1,"method":"body.spawn","params":{"position":[0,3,0]}}');
    plain.apply();
    for (const { kind, bytes } of plain.outputs()) if (kind === 'record') simd.applyRecord(bytes);
    plain.step();
    simd.step();
    assert.equal(simd.hash, plain.hash, `tick ${tick}`);
  }
  assert.throws(() => simd.restore(new Uint8Array(100)), { name: 'EngineError', result: 'damaged' });
  assert.throws(() => simd.applyRecord(new Uint8Array(64)), { result: 'damaged' });
  assert.throws(() => plain.join(CLIENT), { result: 'invalid', pointer: '/client' });
  plain.destroy();
  simd.destroy();
});

test('a world with the default capacities writes only what it uses, and its memory serves the next world', { timeout: 60000 }, async () => {
  const engine = await loadEngine();
  const before = process.memoryUsage().rss;
  const cloth = (world) => {
    world.join(1);
    world.submit(1, '{"jsonrpc":"2.0","id":1,"method":"cloth.spawn","params":{"columns":20,"rows":20,"selfCollision":true,"tear":1.2}}');
    for (let tick = 0; tick < 30; tick++) world.tick();
    return world.hash;
  };
  const hashes = new Set();
  let reserved = 0;
  for (let round = 0; round < 3; round++) {
    const world = engine.createWorld();
    reserved ||= engine.exports.memory.buffer.byteLength;
    hashes.add(cloth(world));
    assert.ok(process.memoryUsage().rss - before < reserved / 4, `${process.memoryUsage().rss - before} bytes`);
    world.destroy();
  }
  assert.equal(hashes.size, 1);
  assert.ok(engine.exports.memory.buffer.byteLength < 1.1 * reserved, 'memory of a destroyed world is used again');
});
