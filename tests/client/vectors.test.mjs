// SPDX-License-Identifier: MIT
// The page's decoder decodes the golden messages of proto/vectors, which the server's encoder produces bit for bit.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeFrame, messageWords, readHeader } from '../../web/client/frame.js';
import { decodeTopology } from '../../web/client/topology.js';

const FOLDER = new URL('../../proto/vectors/', import.meta.url);
const FLAG_RANGES = 1;
const FLAG_REFRESH = 2;
const FLAG_KEYFRAME = 4;

const names = readdirSync(FOLDER).filter((file) => file.endsWith('.bin')).map((file) => file.slice(0, -4));

function checkHeader(bytes, expected) {
  const header = readHeader(messageWords(bytes));
  const { baselines, step, ...rest } = expected;
  for (const [member, value] of Object.entries(rest)) assert.equal(header[member], value, member);
  assert.equal(header.step, Math.fround(step));
  assert.equal(header.baselines, baselines.reduce((word, distance, i) => word + distance * 256 ** i, 0));
}

function checkFrame(bytes, { header, objects, ranges, decoded }) {
  const frame = decodeFrame(bytes);
  const bits = (values) => [...new Uint32Array(Float32Array.from(values).buffer)];
  assert.deepEqual(bits(frame.positions), bits(decoded));
  assert.deepEqual(frame.ranges, ranges ? objects.map(([first, count]) => ({ first, count })) : null);
  assert.equal((header.flags & FLAG_RANGES) !== 0, ranges);
  assert.deepEqual([frame.tick, frame.epoch, frame.count, frame.bytes], [header.tick, header.epoch, header.count, bytes.length]);
  assert.deepEqual([frame.refresh, frame.keyframe], [(header.flags & FLAG_REFRESH) !== 0, (header.flags & FLAG_KEYFRAME) !== 0]);
}

const floats = (words, { offset }, count) => [...new Float32Array(Uint32Array.from(words.slice(offset, offset + count)).buffer)];
const triples = (words, { offset, count }) => words.slice(offset, offset + 3 * count);

function checkTopology(bytes, { header, text, words }) {
  const change = decodeTopology(bytes);
  assert.deepEqual([change.epoch, change.particles, change.base], [header.epoch, header.count, text.base]);
  for (const member of ['removed', 'sticks', 'grabs', 'bounds']) assert.deepEqual(change[member], text[member], member);
  assert.equal(change.objects.length, text.objects.length);
  change.objects.forEach((object, i) => checkObject(object, text.objects[i], words));
  assert.equal(change.obstacles.length, text.obstacles.length);
  change.obstacles.forEach((obstacle, i) => checkObstacle(obstacle, text.obstacles[i], words));
}

function checkMembers(read, told) {
  for (const [member, value] of Object.entries(told)) assert.deepEqual(read[member], value, member);
}

function checkObject(object, { triangles, hull, ...rest }, words) {
  checkMembers(object, rest);
  if (triangles) assert.deepEqual([...object.triangles], triples(words, triangles));
  if (!hull) return;
  assert.equal(object.hull.vertices, hull.vertices);
  assert.deepEqual([...object.hull.weights], floats(words, hull.weights, 4 * hull.vertices));
  assert.deepEqual([...object.hull.triangles], triples(words, hull.triangles));
}

function checkObstacle(obstacle, { heights, positions, triangles, ...rest }, words) {
  checkMembers(obstacle, rest);
  if (heights) assert.deepEqual([...obstacle.heights], floats(words, heights, rest.columns * rest.rows));
  if (positions) assert.deepEqual([...obstacle.positions], floats(words, positions, 3 * positions.count));
  if (triangles) assert.deepEqual([...obstacle.triangles], triples(words, triangles));
}

test('there are golden messages of every kind', () => {
  for (const kind of ['raw', 'grid', 'topology-full', 'topology-delta']) assert.ok(names.includes(kind), kind);
});

for (const name of names) {
  const bytes = readFileSync(new URL(`${name}.bin`, FOLDER));
  const expected = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  test(`${name} decodes: ${expected.what}`, () => {
    checkHeader(bytes, expected.header);
    if (expected.header.type === 1) checkFrame(bytes, expected);
    else checkTopology(bytes, expected);
  });
}
