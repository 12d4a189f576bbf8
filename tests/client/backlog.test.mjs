// SPDX-License-Identifier: MIT
// When a machine that computes ticks gives up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backlog } from '../../web/client/lockstep/backlog.js';

const HZ = 60;

/** The second at which a machine gives up that begins `ticks` behind and computes `rate` of the ticks of each second; or null. */
function givesUpAfter(ticks, rate) {
  const backlog = new Backlog(HZ);
  for (let at = 0; at < 60; at += 0.1) {
    if (backlog.isHopeless(Math.max(0, ticks + (1 - rate) * HZ * at), 1000 * at)) return at;
  }
  return null;
}

test('a backlog that shrinks is no reason to give up, however large it is', () => {
  assert.equal(givesUpAfter(0, 1), null);
  assert.equal(givesUpAfter(20, 1), null, 'a third of a second behind, for good');
  assert.equal(givesUpAfter(600, 1.5), null);
});

test('a backlog that grows or stays is one after two seconds', () => {
  assert.ok(Math.abs(givesUpAfter(600, 1) - 2) < 0.3);
  assert.ok(Math.abs(givesUpAfter(0, 0.5) - 3) < 0.3, 'half a second of ticks is behind after one second');
});

test('what has caught up may fall behind again', () => {
  const backlog = new Backlog(HZ);
  assert.equal(backlog.isHopeless(100, 0), false);
  assert.equal(backlog.isHopeless(0, 1900), false);
  assert.equal(backlog.isHopeless(100, 2500), false);
  assert.equal(backlog.isHopeless(100, 4400), false);
  assert.equal(backlog.isHopeless(100, 4600), true);
});
