// SPDX-License-Identifier: MIT
// A short version of `make cluster-test` (cluster_test.mjs): a few clusters under random faults; and one whose database
// loses what it has acknowledged, which the checker has to detect.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../support/random.mjs';
import { ROOT } from '../support/programs.mjs';
import { play, prepare } from './cluster_test.mjs';

const RUNS = 2;
const ACKNOWLEDGED = 100; // at least, in each run

const allowed = spawnSync(join(ROOT, 'tests/cluster/isolated.sh'), ['true'], { encoding: 'utf8' });
const skip = allowed.status !== 0 && `there are no namespaces here: ${allowed.stderr.trim()}`;
const seed = seeded().seed % 2 ** 31;

/** The message of a failed run. */
const told = (result) => JSON.stringify({ ...result, violations: result.violations?.slice(0, 5) }, null, 1);

test('a few clusters under random faults', { skip, concurrency: true, timeout: 300000 }, async (t) => {
  assert.equal(await prepare(), null);
  const runs = Array.from({ length: RUNS }, (_, i) => t.test(`seed ${seed + i}`, async (part) => {
    const result = await play('random', seed + i);
    part.diagnostic(`${result.faults?.join(', ')}: ${result.acknowledged} commands acknowledged, ${result.seconds} s`);
    assert.ok(result.passed, told(result));
    assert.ok(result.acknowledged >= ACKNOWLEDGED, told(result));
  }));
  const lying = t.test('a database that loses what it has acknowledged is found out', async (part) => {
    const result = await play('lying', seed);
    const lost = result.violations?.filter(({ promise }) => promise === 'lost') ?? [];
    part.diagnostic(`${lost.length} losses found, of ${result.acknowledged} commands acknowledged, ${result.seconds} s`);
    assert.ok(!result.passed && lost.length > 0, told(result));
  });
  await Promise.all([...runs, lying]);
});
