// SPDX-License-Identifier: MIT
// The summation of test results, on real output of the test runners.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = join(fileURLToPath(new URL('.', import.meta.url)), 'tally.awk');
const tally = (text) => execFileSync('awk', ['-f', script], { input: text, encoding: 'utf8' }).trim();

test('a cmocka program that failed counts both of its summaries', () => {
  const output = `[==========] Running 3 test(s).
[ RUN      ] a_pinned_particle_stays
[       OK ] a_pinned_particle_stays
[==========] 3 test(s) run.
[  PASSED  ] 2 test(s).
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] a_free_particle_falls

 1 FAILED TEST(S)
`;
  assert.equal(tally(output), '2 1');
});

test('a cmocka that names the group in its summary is read alike', () => {
  assert.equal(tally('[  PASSED  ] rope 2: 12 test(s).\n[  FAILED  ] rope 2: 3 test(s), listed below:\n'), '12 3');
});

test('both reporters of node count, and a cancelled test has failed', () => {
  assert.equal(tally('ℹ tests 9\nℹ pass 7\nℹ fail 1\nℹ cancelled 1\nℹ skipped 4\n'), '7 2');
  assert.equal(tally('# tests 9\n# pass 7\n# fail 2\n# cancelled 0\n'), '7 2');
});

test('pytest counts its failures and errors', () => {
  assert.equal(tally('==== 5 passed in 0.31s ====\n'), '5 0');
  assert.equal(tally('=== 1 failed, 44 passed, 2 skipped, 3 errors in 75.04s (0:01:15) ===\n'), '44 4');
  assert.equal(tally('=== FAILURES ===\n=== short test summary info ===\n'), '0 0');
});

test('several runners in one log add up', () => {
  assert.equal(tally('# pass 1\n# fail 0\n3 passed, 2 failed\n[  PASSED  ] 4 test(s).\n'), '8 2');
});

test('a log without a summary counts nothing', () => {
  assert.equal(tally('weftd: 3 passed by\nok 1 - pass 3\n'), '0 0');
});
