// SPDX-License-Identifier: MIT
// Where a client looks for a world when its node is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Places } from '../../web/client/places.js';

test('a client whose node is lost asks every node, and the address that it was given', () => {
  const places = new Places('ws://a:1/worlds/lab');
  places.arrived('ws://a:1/worlds/lab', ['http://a:1', 'http://b:1']);
  assert.deepEqual([places.next(), places.next()], ['ws://b:1/worlds/lab', 'ws://a:1/worlds/lab']);
});

test('nodes that have a path behind a proxy are asked below that path', () => {
  const nodes = [1, 2].map((at) => `https://weft.example/nodes/${at}`);
  const places = new Places('wss://weft.example/worlds/lab');
  assert.equal(places.follow('wss://weft.example/nodes/1/worlds/lab'), true);
  places.arrived('wss://weft.example/nodes/1/worlds/lab', nodes);
  const asked = [places.next(), places.next(), places.next()];
  assert.deepEqual(asked.sort(), ['wss://weft.example/nodes/1/worlds/lab', 'wss://weft.example/nodes/2/worlds/lab', 'wss://weft.example/worlds/lab']);
});
