// SPDX-License-Identifier: MIT
// Where a client looks for a world when its node is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../web/client/backoff.js';
import { Places } from '../../web/client/places.js';

test('a client whose node is lost asks the others, and the lost one now and then', () => {
  const places = new Places('ws://a:1/worlds/lab');
  assert.deepEqual([places.next(), places.hasOthers], ['ws://a:1/worlds/lab', false]);
  places.arrived('ws://a:1/worlds/lab', ['http://a:1']);
  assert.deepEqual([places.next(), places.next(), places.hasOthers], ['ws://a:1/worlds/lab', 'ws://a:1/worlds/lab', false]);
  places.arrived('ws://a:1/worlds/lab', ['http://a:1', 'http://b:1', 'http://c:1']);
  assert.equal(places.hasOthers, true);
  const asked = Array.from({ length: 26 }, () => places.next().slice(5, 6)).join('');
  assert.equal(asked, 'bcbcbcbcbcbca'.repeat(2));
  places.arrived('ws://b:1/worlds/lab', ['http://b:1', 'http://c:1']);
  assert.deepEqual([places.next(), places.next()], ['ws://a:1/worlds/lab', 'ws://c:1/worlds/lab'], 'the address that it was given counts, too');
});

test('where a world is taken over, the first attempts follow one another within a second', () => {
  const delays = (takenOver) => {
    const backoff = new Backoff(() => 1);
    return Array.from({ length: 12 }, () => backoff.next(takenOver));
  };
  assert.deepEqual(delays(false), [250, 500, 1000, 2000, 4000, ...Array(7).fill(5000)]);
  assert.deepEqual(delays(true), [250, 500, ...Array(8).fill(1000), 5000, 5000]);
  const backoff = new Backoff(() => 1);
  backoff.next(true);
  backoff.reset();
  assert.equal(backoff.next(true), 250);
});

test('nodes that have a path behind a proxy are asked below that path', () => {
  const nodes = [1, 2].map((at) => `https://weft.example/nodes/${at}`);
  const places = new Places('wss://weft.example/worlds/lab');
  assert.equal(places.follow(), true);
  places.arrived('wss://weft.example/nodes/1/worlds/lab', nodes);
  assert.deepEqual([places.next(), places.next()], ['wss://weft.example/worlds/lab', 'wss://weft.example/nodes/2/worlds/lab']);
});
