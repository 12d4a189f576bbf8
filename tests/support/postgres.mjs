// SPDX-License-Identifier: MIT
// A PostgreSQL of its own for a test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './weftd.mjs';

/** Starts a server in a temporary folder, which ends with the test, and returns its address: postgres://… */
export async function postgres(t) {
  const child = spawn(join(ROOT, 'tests/support/postgres.sh'), ['sh', '-c', 'echo "$TEST_POSTGRES"; cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.stdin.end();
    await ended;
  });
  const [address] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('PostgreSQL did not start');
    }),
  ]);
  return String(address).trim();
}
