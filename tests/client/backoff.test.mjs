// SPDX-License-Identifier: MIT
// How long a client waits before it tries to connect again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../web/client/backoff.js';

test('the delays double to 5 s; where others take the place of a lost server, the first of them only to 1 s', () => {
  const alone = new Backoff(() => 1);
  assert.deepEqual(Array.from({ length: 7 }, () => alone.next()), [250, 500, 1000, 2000, 4000, 5000, 5000]);
  const several = new Backoff(() => 1);
  const delays = Array.from({ length: 14 }, () => several.next(true));
  assert.deepEqual([delays.slice(0, 4), delays.slice(11)], [[250, 500, 1000, 1000], [1000, 5000, 5000]]);
  several.reset();
  assert.equal(several.next(true), 250);
});
