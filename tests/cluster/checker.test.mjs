// SPDX-License-Identifier: MIT
// The checker of clusters: it accepts histories that may happen, and finds each kind of broken promise in forged
// histories.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './checker.mjs';

const NOT_STORED = 'the change was made, but could not be stored: the disk is full';
const REFUSED = 'nothing was changed, because it could not be stored: the disk is full';

const sent = (name, request, { client = 'a', node = 'one' } = {}) => ({ type: 'sent', client, world: 'red', name, request, node });
const heard = (name, request, answer = {}, { client = 'a', node = 'one' } = {}) =>
  ({ type: 'heard', client, world: 'red', name, request, node, ...(typeof answer === 'string' ? { error: answer } : { result: { object: request, ...answer } }) });

/** Two clients, of which everything was acknowledged, stored and applied. */
const events = () => [
  sent('a:0', 2), sent('a:1', 3), sent('b:0', 2, { client: 'b' }),
  heard('a:0', 2), heard('b:0', 2, {}, { client: 'b' }), heard('a:1', 3),
];
const entry = (sequence, session, request, timeline = 1) => ({ timeline, sequence, session, request: String(request) });
const state = () => ({
  worlds: {
    red: {
      objects: ['a:0', 'b:0', 'a:1'],
      entries: [entry(1, 'key-a', 2), entry(2, 'key-b', 2), entry(3, 'key-a', 3)],
      hashes: [{ what: 'at the end', tick: 100, hash: 'f00d' }, { what: 'replay', tick: 100, hash: 'f00d' }],
    },
  },
  sessions: { a: 'key-a', b: 'key-b' },
  writers: [{ world: 'red', epoch: 1, address: 'one' }, { world: 'red', epoch: 2, address: 'two' }],
  owners: [{ world: 'red', epoch: 1, url: 'http://one' }, { world: 'red', epoch: 1, url: null }, { world: 'red', epoch: 2, url: 'http://two' }],
});

/** The checker's findings after a change of the history and of the state. */
function found(change = () => {}) {
  const all = { events: events(), state: state() };
  change(all, all.state.worlds.red);
  return check(all.events, all.state);
}
const promises = (change) => [...new Set(found(change).violations.map(({ promise }) => promise))];

test('a history in which everything was kept has no violation, and its commands are counted', () => {
  assert.deepEqual(found(), { violations: [], sent: 3, acknowledged: 3, refused: 0, unknown: 0 });
});

test('what was not acknowledged may be there or not, in its place', () => {
  const uncertain = ({ events: list }) => list.push(sent('a:2', 4), heard('a:2', 4, NOT_STORED));
  assert.deepEqual(found(uncertain), { violations: [], sent: 4, acknowledged: 3, refused: 0, unknown: 1 });
  assert.deepEqual(promises((all, red) => { uncertain(all); red.objects.push('a:2'); }), []);
  assert.deepEqual(promises((all, red) => { uncertain(all); red.objects.unshift('a:2'); }), ['order']);
  assert.deepEqual(promises((all, red) => { uncertain(all); red.objects.push('a:2', 'a:2'); }), ['twice']);
});

test('a command that is repeated and answered again, the same, is one command', () => {
  const again = ({ events: list }) => list.push(sent('a:1', 3, { node: 'two' }), heard('a:1', 3, {}, { node: 'two' }));
  assert.deepEqual(found(again), { violations: [], sent: 3, acknowledged: 3, refused: 0, unknown: 0 });
});

test('an error, and then an acknowledgement of the same command, acknowledges it', () => {
  const both = ({ events: list }) => list.push(heard('a:1', 3, NOT_STORED));
  assert.deepEqual(promises(both), []);
  assert.deepEqual(promises((all, red) => { both(all); red.objects.pop(); }), ['lost']);
});

test('an acknowledged command that the world, or its history, does not have is lost', () => {
  assert.deepEqual(promises((_, red) => red.objects.pop()), ['lost']);
  assert.deepEqual(promises((_, red) => red.entries.pop()), ['lost']);
  assert.deepEqual(promises(({ state: all }) => { delete all.worlds.red; }), ['lost']);
  const { violations } = found((_, red) => red.objects.splice(0, 3));
  assert.deepEqual(violations.map(({ what }) => what), ['a:0', 'a:1', 'b:0'].map((name) => `${name} was acknowledged and is not in red`));
});

test('a command that is applied or stored twice is told', () => {
  assert.deepEqual(promises((_, red) => red.objects.push('a:1')), ['twice']);
  assert.deepEqual(promises((_, red) => red.objects.unshift('a:1')), ['twice', 'order']);
  assert.deepEqual(promises((_, red) => red.entries.push(entry(4, 'key-a', 3))), ['twice']);
  assert.deepEqual(promises((_, red) => red.entries.push(entry(1, 'key-a', 3, 2))), ['twice']);
});

test('commands of one client in another order are told, those of different clients are not', () => {
  assert.deepEqual(promises((_, red) => { red.objects = ['a:1', 'b:0', 'a:0']; }), ['order']);
  assert.deepEqual(promises((_, red) => { red.entries = [entry(1, 'key-a', 3), entry(2, 'key-b', 2), entry(3, 'key-a', 2)]; }), ['order']);
  assert.deepEqual(promises((_, red) => { red.objects = ['b:0', 'a:0', 'a:1']; }), []);
});

test('commands are ordered by their numbers, not by their letters', () => {
  const many = (all, red) => {
    all.events = Array.from({ length: 12 }, (_, i) => [sent(`a:${i}`, i + 2), heard(`a:${i}`, i + 2)]).flat();
    red.objects = Array.from({ length: 12 }, (_, i) => `a:${i}`);
    red.entries = red.objects.map((_, i) => entry(i + 1, 'key-a', i + 2));
  };
  assert.deepEqual(promises(many), []);
});

test('two owners in one epoch are told, by what they wrote and by the table', () => {
  assert.deepEqual(promises(({ state: all }) => all.writers.push({ world: 'red', epoch: 2, address: 'one' })), ['owners']);
  assert.deepEqual(promises(({ state: all }) => all.owners.push({ world: 'red', epoch: 2, url: 'http://one' })), ['owners']);
  assert.deepEqual(promises(({ state: all }) => all.writers.push({ world: 'blue', epoch: 2, address: 'one' })), []);
});

test('a replay that ends with another hash, at another tick, or not at all is told', () => {
  for (const other of [{ tick: 100, hash: 'beef' }, { tick: 99, hash: 'f00d' }, { tick: NaN, hash: undefined }]) {
    assert.deepEqual(promises((_, red) => red.hashes.push({ what: 'restored', ...other })), ['hash']);
  }
});

test('a command that was answered as changing nothing must not be there', () => {
  const refused = ({ events: list }) => list.push(sent('a:2', 4), heard('a:2', 4, REFUSED));
  assert.deepEqual(found(refused), { violations: [], sent: 4, acknowledged: 3, refused: 1, unknown: 0 });
  assert.deepEqual(promises((all, red) => { refused(all); red.objects.push('a:2'); }), ['refused']);
  assert.deepEqual(promises((all, red) => { refused(all); all.events.push(heard('a:2', 4)); red.objects.push('a:2'); red.entries.push(entry(4, 'key-a', 4)); }), ['answers']);
});

test('answers that contradict each other, none at all, and objects of nobody are told', () => {
  assert.deepEqual(promises(({ events: list }) => list.push(heard('a:1', 3, { object: 77 }))), ['answers']);
  assert.deepEqual(promises(({ events: list }) => list.push(sent('a:2', 4))), ['silent']);
  assert.deepEqual(promises((_, red) => red.objects.push('c:0')), ['invented']);
  assert.deepEqual(promises(({ events: list }, red) => {
    list.push(sent('a:2', 3), heard('a:2', 3));
    red.objects.push('a:2');
  }), ['answers']);
});
